"""When entries of two documents speak of the same: a company, a job, a school, a place."""

import re
from typing import Final

from storage.places import same_place_names
from storage.records import Education, Job, Location
from storage.search.folding import fold, tokens
from storage.search.synonyms import company_names

_FORMS: Final = frozenset(
    {"inc", "ltd", "llc", "gmbh", "ag", "ab", "sa", "bv", "oy", "as", "co", "corp", "corporation",
     "company", "limited", "plc", "the"}
)  # fmt: skip
"""Words of a company's name that people leave out."""
_LEVELS: Final = (
    ("doctor", re.compile(r"\b(ph\.? ?d|d\.? ?phil|dr|doctor\w*|doktor\w*)\b")),
    ("master", re.compile(r"\b(m\.? ?sc|m\.? ?a|m\.? ?s|m\.? ?eng|mba|mphil|master\w*)\b")),
    ("bachelor", re.compile(r"\b(b\.? ?sc|b\.? ?a|b\.? ?s|b\.? ?eng|b\.? ?tech|bachelor\w*)\b")),
)


def is_same_company(one: str | None, other: str | None) -> bool:
    """Whether two names are one company's; False when either states none.

    >>> is_same_company("DeepSeek AI", "deepseek"), is_same_company("Meta", "Facebook")
    (True, True)
    >>> is_same_company("Norrsken Labs", "Norrland Labs"), is_same_company(None, None)
    (False, False)
    """
    if not one or not other:
        return False
    mine, theirs = _company(one), _company(other)
    if mine and theirs and (mine <= theirs or theirs <= mine):
        return True
    names = company_names(one)
    return bool(names) and names == company_names(other)


def _company(name: str) -> frozenset[str]:
    words = frozenset(tokens(name))
    return words - _FORMS or words


def is_same_job(one: Job, other: Job) -> bool:
    """The same employer (where neither names one: the same title), and times that overlap."""
    if one.employer or other.employer:
        same = is_same_company(one.employer, other.employer)
    else:
        same = bool(one.title) and fold(one.title or "") == fold(other.title or "")
    return same and _overlap(one, other)


def _overlap(one: Job, other: Job) -> bool:
    """Whether two times share a moment, as far as they are stated; unstated ones always do."""
    return _begins_before(one.from_date, other.to_date) and _begins_before(
        other.from_date, one.to_date
    )


def _begins_before(first: str | None, last: str | None) -> bool:
    """Compared as precisely as both are stated: 2021 may be before 2021-03."""
    if first is None or last is None:
        return True
    precision = min(len(first), len(last))
    return first[:precision] <= last[:precision]


def is_same_school(one: Education, other: Education) -> bool:
    """The same school, and no two different degrees; without a school the same text."""
    if not one.school or not other.school:
        return fold(one.text) == fold(other.text)
    if not is_one_school(one.school, other.school):
        return False
    levels = {_level(one), _level(other)} - {None}
    return len(levels) < 2


def is_one_school(one: str, other: str) -> bool:
    """Whether two names are one school's, one of them perhaps with its faculty or place.

    >>> is_one_school("Lund University", "Lund University, LTH"), is_one_school("MIT", "KTH")
    (True, False)
    """
    mine, theirs = set(tokens(one)), set(tokens(other))
    return mine <= theirs or theirs <= mine


def _level(education: Education) -> str | None:
    """``doctor``, ``master`` or ``bachelor``, another degree as it is stated, None for none."""
    stated = fold(education.degree or education.text)
    for level, pattern in _LEVELS:
        if pattern.search(stated):
            return level
    return fold(education.degree) if education.degree else None


def is_same_place(one: Location, other: Location) -> bool:
    """Whether two places may be one: cities of one name, or a country and a city in it.

    >>> is_same_place(Location(text="Peking", city="Peking"), Location(text="北京", city="北京"))
    True
    """
    if one.city and other.city:
        return bool(same_place_names(one.city) & same_place_names(other.city))
    if one.country and other.country:
        return bool(same_place_names(one.country) & same_place_names(other.country))
    return True
