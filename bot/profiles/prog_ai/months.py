"""The months of a contribution: ``Apr 2022 - Nov 2022``."""

from dataclasses import dataclass
from typing import Final

import regex

from bot.profiles.prog_ai.lines import Line


@dataclass(frozen=True, slots=True)
class Months:
    """``YYYY-MM``, None where no month is stated (``Present`` is none)."""

    first: str | None = None
    last: str | None = None


def months_of(text: str) -> Months | None:
    """The months that a whole line states, None when it is no such line.

    >>> months_of("Mar 2021 – Present")
    Months(first='2021-03', last=None)
    """
    match = _RANGE.fullmatch(text)
    if not match:
        return None
    return Months(_month(match["first"], match["year"]), _month(match["last"], match["until"]))


def cut_months_of(line: Line) -> Months | None:
    """What is whole in a line of months that the document ends inside of.

    >>> cut_months_of(Line("Apr 2022 - No", "", last=True))
    Months(first='2022-04', last=None)
    """
    if not line.last or _CUT.fullmatch(line.text) is None:
        return None
    first = _FIRST.match(line.text)
    return Months(_month(first["first"], first["year"])) if first else Months()


_MONTHS: Final = "janfebmaraprmayjunjulaugsepoctnovdec"
_NAME: Final = (
    r"Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?"
)
_DASH: Final = r"\s*(?:[-‐‑‒–—−]|to)\s*"
_RANGE: Final = regex.compile(
    rf"(?:(?P<first>{_NAME})\.?,?\s*)?(?P<year>(?:19|20)\d\d)"
    rf"(?:{_DASH}(?:(?:(?P<last>{_NAME})\.?,?\s*)?(?P<until>(?:19|20)\d\d)"
    r"|[Pp]resent|[Nn]ow|[Cc]urrent|[Tt]oday))?"
)
_CUT: Final = regex.compile(
    rf"[A-Z][a-z]{{0,2}}|(?:{_NAME}) \d{{0,4}}"
    rf"(?: (?:-(?: (?:[A-Z][a-z]{{0,2}}|(?:{_NAME}) \d{{0,4}})?)?)?)?"
)
_FIRST: Final = regex.compile(rf"(?P<first>{_NAME}) (?P<year>(?:19|20)\d\d)(?!\d)")


def _month(name: str | None, year: str | None) -> str | None:
    if not name or not year:
        return None
    return f"{year}-{_MONTHS.index(name[:3].lower()) // 3 + 1:02}"
