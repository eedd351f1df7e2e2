"""Conditions in SQL, one a kind of fact: each a boolean over ``profile`` that is never NULL."""

import operator
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, false, func, literal, or_, select, true
from sqlalchemy.orm import Mapped
from sqlmodel import col

from storage.dialects.dialect import TextIndex
from storage.models import ContributionRow, EducationRow, NameTokenRow, ProfileRow, SkillRow
from storage.records import Use
from storage.search.folding import tokens
from storage.search.sought import (
    REPOSITORY_SEPARATORS,
    Sought,
    Words,
    index_phrase,
    location_readings,
    place_names,
    repository_words,
)
from storage.uses import without

Condition = ColumnElement[bool]

SHORTEST_READING: Final = 3
"""Letters of a romanised name, or of a part of one, that a word alone may stand for."""

COMPARE: Final[dict[str, Callable[[Any, Any], Any]]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
    "=": operator.eq,
}


def visible(workspace: str) -> Condition:
    """Is stored for this workspace, and no standing keeps the person out of searches."""
    return and_(col(ProfileRow.workspace) == workspace, without(Use.SEARCH))


def has_words(column: Mapped[str], form: Words, *, prefix: bool = False) -> Condition:
    """Whether a column of tokens holds all words of ``form``, in any order.

    With ``prefix`` a word may be the beginning of one.
    """
    spaced = literal(" ") + column + literal(" ")
    end = "%" if prefix else " %"
    return and_(*(spaced.like(f"% {word}{end}") for word in form))


def has_run(column: Mapped[str], forms: Iterable[Words]) -> Condition:
    """Whether a column of index words holds one of ``forms`` as it stands."""
    spaced = literal(" ") + column + literal(" ")
    return or_(false(), *(spaced.like(f"% {index_phrase(form)} %") for form in forms))


def text_names(index: TextIndex, forms: Iterable[Words]) -> Condition:
    """Whether the profile's searched text holds one of ``forms``."""
    phrases = [index_phrase(form) for form in forms if form]
    return col(ProfileRow.doc).in_(index.having(phrases)) if phrases else false()


def skill(key: str, comparison: str = "", bound: int = 0) -> Condition:
    """Has the skill of exactly this key, at a score that compares so."""
    rows = select(col(SkillRow.profile_id)).where(col(SkillRow.key) == key)
    if comparison:
        rows = rows.where(COMPARE[comparison](col(SkillRow.score), bound))
    return col(ProfileRow.id).in_(rows)


def place(text: str) -> Condition:
    """Is in the city or country of this name, or of another of its names.

    The text may also be a part of the city's name (``york``). A country that
    the city contradicts is in no column and so is found by no search.
    """
    words = tuple(tokens(text))
    if not words:
        return false()
    names = sorted(place_names(text))
    return or_(
        col(ProfileRow.city_text).in_(names),
        col(ProfileRow.country_text).in_(names),
        has_run(col(ProfileRow.city_text), [words]),
    )


def location(text: str) -> Condition:
    """Is in the place, or in all the places that commas separate (``Beijing, China``)."""
    parts = [part.strip() for part in text.split(",") if tokens(part)]
    every = and_(*(or_(*map(place, location_readings(part))) for part in parts))
    return or_(place(text), every) if parts else false()


def company(forms: Iterable[Words]) -> Condition:
    """Works at a company of that name now."""
    return or_(false(), *(has_words(col(ProfileRow.company_text), form) for form in forms if form))


def title(forms: Iterable[Words], *, prefix: bool = False) -> Condition:
    """Has such a title."""
    return or_(
        false(),
        *(has_words(col(ProfileRow.title_text), form, prefix=prefix) for form in forms if form),
    )


def role(forms: Iterable[Words], *, prefix: bool = False) -> Condition:
    """Has such a title, or such a role in a listed contribution."""
    usable = [form for form in forms if form]
    rows = select(col(ContributionRow.profile_id)).where(
        or_(
            false(),
            *(has_words(col(ContributionRow.role_text), form, prefix=prefix) for form in usable),
        )
    )
    return or_(title(usable, prefix=prefix), col(ProfileRow.id).in_(rows))


def school(forms: Iterable[Words]) -> Condition:
    """Studied at a school of that name."""
    rows = select(col(EducationRow.profile_id)).where(
        or_(false(), *(has_words(col(EducationRow.school_text), form) for form in forms if form))
    )
    return col(ProfileRow.id).in_(rows)


def repository(key: str, *, words: bool = False) -> Condition:
    """Contributed to ``owner/name``, to a repository of that name, or to any of ``owner/``.

    With ``words`` the key may be whole words of an owner or a name: see ``names_repository``.
    """
    if not repository_words(key):
        return false()
    owner, slash, name = key.partition("/")
    if not slash and words:
        spaced: ColumnElement[Any] = literal("/") + col(ContributionRow.repository_key) + "/"
        for separator in REPOSITORY_SEPARATORS:
            spaced = func.replace(spaced, separator, " ")
        wanted = spaced.contains(f" {' '.join(repository_words(key))} ", autoescape=True)
    elif not slash:
        wanted = col(ContributionRow.name_key) == key
    elif name:
        wanted = col(ContributionRow.repository_key) == key
    else:
        wanted = col(ContributionRow.repository_key).startswith(f"{owner}/", autoescape=True)
    return col(ProfileRow.id).in_(select(col(ContributionRow.profile_id)).where(wanted))


def name(words: Words) -> Condition:
    """Has all these words in the name, or as the login."""
    return and_(
        *(
            col(ProfileRow.id).in_(
                select(col(NameTokenRow.profile_id)).where(
                    col(NameTokenRow.token) == word,
                    col(NameTokenRow.kind).in_(("name", "login"))
                    if len(word) < SHORTEST_READING
                    else true(),
                )
            )
            for word in words
        )
    )


def number(column: Mapped[Any], comparison: str, bound: int) -> Condition:
    """Compares a number; what is not stated never compares."""
    return and_(column.is_not(None), COMPARE[comparison](column, bound))


def added(comparison: str, start: datetime, end: datetime) -> Condition:
    """Was added before, in or after the stretch from ``start`` up to ``end``."""
    column = col(ProfileRow.added_at)
    match comparison:
        case ">":
            return column >= end
        case ">=":
            return column >= start
        case "<":
            return column < start
        case "<=":
            return column < end
        case _:
            return and_(column >= start, column < end)


def named_so(index: TextIndex, wanted: Sought) -> Condition:
    """A skill, place, company, school, repository, role or person bears this very name.

    All but skills and logins stand in the searched text too, which narrows first.
    """
    ways = [skill(wanted.key)] if wanted.key else []
    if wanted.skill_alone:
        return or_(false(), *ways)
    forms = (wanted.typed,) if wanted.exact_only else wanted.forms
    places = [tuple(place_name.split()) for place_name in sorted(wanted.places)]
    structured = and_(
        text_names(index, [*forms, *places]),
        or_(
            place(wanted.text),
            company(forms),
            school(forms),
            repository(wanted.repository),
            role(forms),
        ),
    )
    return or_(*ways, structured, name(wanted.typed))
