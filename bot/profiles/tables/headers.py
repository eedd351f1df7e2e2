"""What the header of a column says, in the words of exports and of recruiters' own lists.

Taken from the exports of Greenhouse, Lever, Ashby, Workable, OpenCATS, Bullhorn, Teamtailor and
LinkedIn Recruiter, and from how such lists are headed in other languages. What the exports call
``Job``, ``Posting`` or ``Stage`` speaks of an application and states nothing of the person: it is
no alias of a title and stays in the stored text.
"""

from collections.abc import Container
from dataclasses import dataclass
from enum import StrEnum, auto
from functools import cache
from pathlib import Path
from typing import Final

import regex

from bot.profiles.sensitive import is_sensitive
from storage.folding import fold


class Field(StrEnum):
    """What a column states of the person of its row."""

    ID = auto()
    NAME = auto()
    FIRST = auto()
    MIDDLE = auto()
    LAST = auto()
    EMAIL = auto()
    PHONE = auto()
    HEADLINE = auto()
    TITLE = auto()
    COMPANY = auto()
    FROM = auto()
    TO = auto()
    DURATION = auto()
    JOB_PLACE = auto()
    JOB_SUMMARY = auto()
    JOBS = auto()
    PLACE = auto()
    CITY = auto()
    REGION = auto()
    COUNTRY = auto()
    ADDRESS = auto()
    SUMMARY = auto()
    YEARS = auto()
    SKILLS = auto()
    TAGS = auto()
    LANGUAGES = auto()
    LINK = auto()
    LINKEDIN = auto()
    GITHUB = auto()
    TWITTER = auto()
    SCHOOL = auto()
    DEGREE = auto()
    AREA = auto()
    SCHOOL_FROM = auto()
    SCHOOL_TO = auto()
    EDUCATION = auto()
    CERTIFICATES = auto()
    PUBLICATIONS = auto()
    APPLICATION = auto()
    SENSITIVE = auto()
    THING = auto()
    """What no person has: a price, a publisher, a number of employees."""


@dataclass(frozen=True, slots=True)
class Column:
    """What a column states; ``number`` tells ``Company 1`` from ``Company 2``, 0 without one."""

    header: str
    field: Field | None = None
    number: int = 0
    is_current: bool = False


_DATA: Final = Path(__file__).parent.parent / "data" / "headers.tsv"
"""``field<TAB>alias|alias``, without accents; with ``+`` words that may stand beside any alias."""
_JOB_WORDS: Final = regex.compile(
    r"(?:experiences?|employment|jobs?|work|positions?|organization|employer|company|career)"
    r"(?: experience)? (?P<part>.+)"
)
_EDUCATION_WORDS: Final = regex.compile(r"(?:educations?|school|degree|university) (?P<part>.+)")
_JOB_PARTS: Final = {
    "company": Field.COMPANY, "name": Field.COMPANY, "employer": Field.COMPANY,
    "organization": Field.COMPANY, "title": Field.TITLE, "position": Field.TITLE,
    "role": Field.TITLE, "start": Field.FROM, "start date": Field.FROM, "from": Field.FROM,
    "started": Field.FROM, "started at": Field.FROM, "starts at": Field.FROM, "end": Field.TO,
    "end date": Field.TO, "to": Field.TO, "ended": Field.TO, "ends at": Field.TO,
    "ended at": Field.TO, "until": Field.TO, "dates": Field.DURATION, "date": Field.DURATION,
    "period": Field.DURATION, "location": Field.JOB_PLACE, "city": Field.JOB_PLACE,
    "place": Field.JOB_PLACE, "description": Field.JOB_SUMMARY, "summary": Field.JOB_SUMMARY,
    "details": Field.JOB_SUMMARY,
}  # fmt: skip
_EDUCATION_PARTS: Final = {
    "school": Field.SCHOOL, "name": Field.SCHOOL, "institution": Field.SCHOOL,
    "university": Field.SCHOOL, "school name": Field.SCHOOL, "degree": Field.DEGREE,
    "field": Field.AREA, "field of study": Field.AREA, "fos": Field.AREA, "major": Field.AREA,
    "discipline": Field.AREA, "area": Field.AREA, "start": Field.SCHOOL_FROM,
    "start date": Field.SCHOOL_FROM, "start year": Field.SCHOOL_FROM, "from": Field.SCHOOL_FROM,
    "end": Field.SCHOOL_TO, "end date": Field.SCHOOL_TO, "end year": Field.SCHOOL_TO,
    "to": Field.SCHOOL_TO, "graduation year": Field.SCHOOL_TO, "year": Field.SCHOOL_TO,
}  # fmt: skip
_CAMEL: Final = regex.compile(r"(?<=\p{Ll})(?=\p{Lu})")
_NOT_WORDS: Final = regex.compile(r"[^\p{L}\p{M}\p{N}]+")
_NUMBER: Final = regex.compile(r"(?<!\d)#?0?(\d{1,2})(?:(?:st|nd|rd|th)\b)?(?!\d)")
_BRACKETED: Final = regex.compile(r"\([^)]*\)|\[[^\]]*\]")


@cache
def _known() -> dict[str, Field]:
    known: dict[str, Field] = {}
    for key, aliases in _lines():
        if not key.startswith("+"):
            for alias in aliases:
                known.setdefault(alias, Field(key))
    return known


@cache
def _beside(key: str) -> frozenset[str]:
    return frozenset(word for each, words in _lines() if each == key for word in words)


@cache
def _lines() -> tuple[tuple[str, tuple[str, ...]], ...]:
    rows = [line.split("\t") for line in _DATA.read_text(encoding="utf-8").splitlines()]
    return tuple((key, tuple(map(_words, aliases.split("|")))) for key, aliases in rows)


def _words(text: str) -> str:
    return _NOT_WORDS.sub(" ", fold(text)).strip()


@cache
def column_of(header: str) -> Column:
    """What a column with this header states; its field is None where that is not understood.

    >>> column = column_of("Candidate: E-Mail (private) *")
    >>> column.field, column_of("Current_Company").is_current, column_of("Shoe size").field
    (<Field.EMAIL: 'email'>, True, None)
    >>> [(column_of(each).field.value, column_of(each).number) for each in
    ...     ("Experience 2 Company", "educationDegree1", "Fecha de nacimiento")]
    [('company', 2), ('degree', 1), ('sensitive', 0)]
    """
    if len(header) > 80:
        return Column(header)
    spaced = _CAMEL.sub(" ", header)
    for text in (spaced, _BRACKETED.sub(" ", spaced), header):
        words = _words(text)
        found = _NUMBER.findall(words)
        number = int(found[0]) if found else 0
        words = " ".join(_NUMBER.sub(" ", words).split())
        current = any(word in _beside("+current") for word in words.split())
        if field := _field(words):
            return Column(header, field, number, current)
    if is_sensitive(f"{header.strip()}: x"):
        return Column(header, Field.SENSITIVE)
    return Column(header)


def _field(words: str) -> Field | None:
    known = _known()
    if found := known.get(words):
        return found
    plain = _without(words, _beside("+current"))
    if found := known.get(plain) or _part(plain):
        return found
    plain = _without(plain, _beside("+needless"))
    if found := known.get(plain) or _part(plain):
        return found
    found = known.get(_without(plain, _beside("+contact")))
    return found if found in {Field.EMAIL, Field.PHONE, Field.LINK, Field.ADDRESS} else None


def _part(words: str) -> Field | None:
    """``experience company``, ``education degree``: a part of a job or of an education."""
    for pattern, parts in ((_EDUCATION_WORDS, _EDUCATION_PARTS), (_JOB_WORDS, _JOB_PARTS)):
        match = pattern.fullmatch(words)
        if match and (found := parts.get(match["part"])):
            return found
    return None


def _without(words: str, needless: Container[str]) -> str:
    return " ".join(word for word in words.split() if word not in needless)
