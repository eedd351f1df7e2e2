"""Dates and spans of documents, in the precision in which they are stated.

A date is ``YYYY``, ``YYYY-MM`` or ``YYYY-MM-DD``. Month names are read in the languages of
``LOCALES`` (CLDR's names, wide and abbreviated). Where day and month cannot be told apart
(``03/04/2019``) the year alone is kept.
"""

from calendar import monthrange
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

import regex
from babel.dates import get_month_names

from storage.search.folding import fold

LOCALES: Final = (
    "en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "nb", "fi", "pl", "cs", "ro", "hu",
    "tr", "ru", "uk", "el",
)  # fmt: skip
PRESENT: Final = (
    "present", "the present", "now", "today", "current", "currently", "ongoing", "to date",
    "till date", "heute", "jetzt", "aktuell", "laufend", "gegenwart", "présent", "aujourd'hui",
    "aujourd’hui", "ce jour", "maintenant", "actuel", "en cours", "actualidad", "la actualidad",
    "actual", "presente", "hoy", "oggi", "attuale", "in corso", "atual", "o momento", "atualmente",
    "heden", "nu", "huidig", "nuvarande", "nåværende", "nuværende", "nykyinen", "obecnie",
    "teraz", "současnost", "prezent", "jelenleg", "günümüz", "halen", "devam ediyor",
    "настоящее время", "по настоящее время", "наст. время", "сейчас", "н.в.", "теперішній час",
    "σήμερα", "至今", "现在", "現在", "今", "현재", "재직중",
)  # fmt: skip
"""What stands in the place of an end that has not come."""

SINCE: Final = (
    "since",
    "seit",
    "ab",
    "depuis",
    "desde",
    "dal",
    "sinds",
    "sedan",
    "siden",
    "od",
    "с",
)

_YEAR: Final = r"(?:19[4-9]\d|20[0-9]\d)"
_A_YEAR: Final = regex.compile(r"(?:19|20|[１２][９０])\d\d")
_BEFORE_A_YEAR: Final = 40
_ANY_MONTH: Final = "[0-9]{1,2}"
_SHORT_MONTHS: Final = {"sept": 9, "mrz": 3, "janv": 1, "févr": 2, "juil": 7, "avr": 4, "déc": 12}


@dataclass(frozen=True, slots=True)
class Span:
    """From when to when; ``is_current`` where the document says that it goes on."""

    first: str | None = None
    last: str | None = None
    is_current: bool = False


@cache
def _months() -> dict[str, int]:
    names = {fold(name): number for name, number in _SHORT_MONTHS.items()}
    for locale in LOCALES:
        for width in ("wide", "abbreviated"):
            for context in ("format", "stand-alone"):
                for number, name in get_month_names(width, context, locale).items():
                    folded = fold(name).rstrip(".")
                    if len(folded) >= 3 and not folded.isdecimal():
                        names.setdefault(folded, number)
    return names


@cache
def _date_pattern() -> str:
    # A named list is looked up as a set, which hundreds of alternatives are not.
    return (
        rf"(?:(?P<cjk>(?P<cy>{_YEAR})\s*[年년]\s*(?:(?P<cm>1[0-2]|0?[1-9])\s*[月월](?:\s*(?P<cd>[0-3]?\d)\s*[日일])?)?)"
        rf"|(?P<iso>(?P<iy>{_YEAR})[-./](?P<im>{_ANY_MONTH})(?:[-./](?P<id>\d{{1,2}}))?(?:t[\d:.]+(?:z|[+-]\d\d:?\d\d)?)?)(?![\d])"
        rf"|(?:(?P<nd>[0-3]?\d)(?:st|nd|rd|th|\.|º|er)?\s+(?:de\s+)?)?\b(?P<name>\L<months>)\b\.?,?\s*(?:(?P<nd2>[0-3]?\d)(?:st|nd|rd|th)?,\s*)?(?:de\s+|of\s+|'|’)?(?P<ny>{_YEAR})"
        rf"|(?P<d1>\d{{1,2}})(?P<sep>[./-])(?P<d2>\d{{1,2}})(?P=sep)(?P<dy>{_YEAR})"
        rf"|(?P<mm>1[0-2]|0?[1-9])\s?[./-]\s?(?P<my>{_YEAR})"
        rf"|(?:q[1-4]|[1-4]q|spring|summer|fall|autumn|winter|early|mid|late|fruhjahr|sommer|herbst)?\s?(?P<y>{_YEAR}))(?!\d)"
    )


@cache
def _one() -> regex.Pattern[str]:
    return regex.compile(rf"\s*{_date_pattern()}\s*", months=[*_months()])


@cache
def _found() -> regex.Pattern[str]:
    """A span, or a single date, anywhere in folded text."""
    date = regex.sub(r"\?P<\w+>", "?:", _date_pattern().replace("(?P=sep)", "[./-]"))
    date = date.replace(_ANY_MONTH, "(?:1[0-2]|0?[1-9])")
    since = "|".join(map(fold, SINCE))
    dash = (
        r"\s*(?:[-‐‑‒–—−~〜～→]+|\bto\b|\buntil\b|\btill\b|\bbis\b|\bau\b|\ba\b|\bal\b|\bate\b|\btot\b"
        r"|\btill\b|\btil\b|\bdo\b|\bпо\b|\bhasta\b)\s*"
    )
    return regex.compile(
        rf"(?<![\d.,/])(?:(?<!\w)|(?=\d))(?:(?P<since>\b(?:{since})\b\s+)?(?:\b(?:from|von|de|du|dal|del|van|od)\b\s+)?"
        rf"(?P<first>{date})"
        rf"(?:{dash}(?:(?P<last>{date})|(?P<short>\d\d)(?!\d)|(?P<present>\L<presents>)(?!\w)|(?P<open>(?=\s*(?:$|[|,;()\n])))))?)",
        months=[*_months()],
        presents=[*_presents()],
    )


@lru_cache(maxsize=4096)
def date_of(text: str | None) -> str | None:
    """The date that the whole text states, None when it is none.

    >>> [date_of(each) for each in ("March 2011", "2011-03-05", "03.2011", "Dezember 2019", "2011")]
    ['2011-03', '2011-03-05', '2011-03', '2019-12', '2011']
    >>> date_of("2019-03-04T23:00:00.000Z")
    '2019-03-04'
    >>> [date_of(each) for each in ("25/12/2019", "03/04/2019", "2020-19-39", "Present", "")]
    ['2019-12-25', '2019', '2020', None, None]
    """
    match = _one().fullmatch(fold(text or ""))
    return _stated(match) if match else None


def is_present(text: str | None) -> bool:
    """Whether the text says that something has not ended.

    >>> is_present("Present"), is_present("heute"), is_present("2019")
    (True, True, False)
    """
    return fold(text or "").strip(" .") in _presents()


@cache
def _presents() -> frozenset[str]:
    return frozenset(fold(word) for word in PRESENT)


def span_in(text: str) -> tuple[Span, int, int] | None:
    """The first span or date in a text, and where it stands in it (``text[start:end]``).

    >>> span_in("Engineer, Mar 2019 – Present, Oslo")
    (Span(first='2019-03', last=None, is_current=True), 10, 28)
    >>> span_in("2016-2018")[0], span_in("seit 2019")[0].is_current
    (Span(first='2016', last='2018', is_current=False), True)
    """
    # Whatever is found has a year in it: most texts without one are told at once, and a long
    # one is searched from a little before its first.
    year = _A_YEAR.search(text)
    if year is None:
        return None
    folded = fold(text)
    if len(folded) != len(text):  # folding changed lengths: positions would be wrong
        folded = text.lower()
    # 2010–12 are three years, 2010-12 is a month
    if not text.isascii():
        folded = "".join(
            each if each in "–—" else other for each, other in zip(text, folded, strict=True)
        )
    match = _found().search(folded, max(0, year.start() - _BEFORE_A_YEAR))
    if match is None:
        return None
    first = date_of(match["first"])
    if first is None:
        return None
    last = date_of(match["last"])
    if match["short"]:
        last = first[:2] + match["short"]
        if last < first[:4]:
            last = None
    goes_on = bool(match["present"] or match["since"] or match["open"] is not None)
    start, end = match.span()
    return Span(first, last, goes_on and last is None), start, end


def span_of(first: str | None, last: str | None) -> Span:
    """The span of two fields of a form.

    >>> span_of("2019-03", "Present")
    Span(first='2019-03', last=None, is_current=True)
    """
    return Span(date_of(first), date_of(last), is_present(last))


def _stated(match: regex.Match[str]) -> str | None:
    said = match.groupdict()
    if said["dy"]:
        return _numeric(said)
    name = said["name"]
    for year, month, day in (
        (said["cy"], said["cm"], said["cd"]),
        (said["iy"], said["im"], said["id"]),
        (said["ny"], name and str(_months()[name]), said["nd"] or said["nd2"]),
        (said["my"], said["mm"], None),
    ):
        if year:
            return _date(year, month, day)
    return said["y"]


def _numeric(said: dict[str, str]) -> str:
    """``25/12/2019``; with dots the day stands first."""
    one, two = int(said["d1"]), int(said["d2"])
    if said["sep"] == "." or one > 12 or one == two:
        return _date(said["dy"], str(two), str(one))
    return _date(said["dy"], str(one), str(two)) if two > 12 else said["dy"]


def _date(year: str, month: str | None, day: str | None) -> str:
    """As much of it as can be: a month or a day that there is not is left out."""
    if month is None or not 1 <= int(month) <= 12:
        return year
    if day is None or not 1 <= int(day) <= monthrange(int(year), int(month))[1]:
        return f"{year}-{int(month):02}"
    return f"{year}-{int(month):02}-{int(day):02}"
