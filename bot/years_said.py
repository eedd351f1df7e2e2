"""Years of experience as people say them: ``5+ years``, ``over three years``, ``since 2020``."""

from datetime import datetime
from typing import Final

import regex

from storage.search.tree import Qualified

_NUMBERS: Final = {
    **{
        word: at
        for at, word in enumerate(
            regex.findall(r"\S+", "one two three four five six seven eight nine ten eleven twelve"),
            start=1,
        )
    },
    "fifteen": 15,
    "twenty": 20,
}
_NUMBER: Final = rf"(?:\d{{1,2}}|{'|'.join(_NUMBERS)})"
_YEARS: Final = regex.compile(
    rf"""(?<![\w.-])(?:with\ |and\ |has\ |have\ |having\ )?
    (?:(?P<before>at\ least|min(?:imum|\.)?(?:\ of)?|no\ less\ than|more\ than|over|above
      |less\ than|fewer\ than|under|below|at\ most|up\ to|max(?:imum|\.)?(?:\ of)?|between)\ )?
    (?P<low>{_NUMBER})(?:\s*(?:\+|plus\b|or\ more\b))?
    (?:\s*(?:-|–|to|and)\s*(?P<high>{_NUMBER}))?\+?
    [\s-]*(?:years?|yrs?)\b(?:['’]s?)?
    (?:\ or\ more|\ plus)?
    (?:\ (?:of\ )?(?:professional\ |work(?:ing)?\ |relevant\ |industry\ |hands-on\ )*
      (?:experience|coding|programming|work)\b)?""",
    regex.IGNORECASE | regex.VERBOSE,
)
_SINCE: Final = regex.compile(
    r"(?<!\w)(?:(?:coding|programming|working|active)\ )?since\ (?P<year>(?:19|20)\d\d)(?![\w-])",
    regex.IGNORECASE,
)


def marked_years(text: str, now: datetime, marks: list[Qualified]) -> str:
    """The text with a mark (its place in ``marks`` between NULs) for each number of years.

    What they mean is put into ``marks``; ``since 2020`` means so many years before ``now``.
    """

    def mark(part: Qualified) -> str:
        marks.append(part)
        return f" \0{len(marks) - 1}\0 "

    text = _SINCE.sub(lambda found: mark(_since(found, now)), text)
    return _YEARS.sub(lambda found: mark(years_of(found)), text)


def _since(found: "regex.Match[str]", now: datetime) -> Qualified:
    return Qualified("years", "", ">=", str(max(now.year - int(found["year"]), 0)))


def years_of(found: "regex.Match[str]") -> Qualified:
    """The condition of a number of years in words."""
    low, high = _number(found["low"]), found["high"]
    before = " ".join((found["before"] or "").lower().split())
    if high and _number(high) > low:
        return Qualified("years", "", "=", f"{low}..{_number(high)}")
    if before in {"more than", "over", "above"}:
        return Qualified("years", "", ">", str(low))
    if before in {"less than", "fewer than", "under", "below"}:
        return Qualified("years", "", "<", str(low))
    if before.startswith(("at most", "up to", "max")):
        return Qualified("years", "", "<=", str(low))
    return Qualified("years", "", ">=", str(low))


def years_in(text: str) -> list[Qualified]:
    """The numbers of years that a text asks for.

    >>> [str(each) for each in years_in("5+ years of Rust, 3-8 yrs in all, more than two years")]
    ['years>=5', 'years:3..8', 'years>2']
    """
    return [years_of(found) for found in _YEARS.finditer(text)]


def _number(text: str) -> int:
    return int(text) if text.isdigit() else _NUMBERS[text.lower()]
