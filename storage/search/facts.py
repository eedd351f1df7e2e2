"""Who a fact holds for, one function a kind of fact: each a mask over all profiles."""

import operator
from collections.abc import Callable, Iterable
from datetime import datetime
from functools import reduce
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, func, literal, or_
from sqlalchemy.orm import Mapped
from sqlmodel import col

from storage.models import FactRow, FactValueRow, ProfileRow
from storage.search.folding import tokens
from storage.search.lookup import Lookup, Mask
from storage.search.sought import (
    REPOSITORY_SEPARATORS,
    Sought,
    Words,
    index_phrase,
    location_readings,
    place_names,
    repository_words,
)

SHORTEST_READING: Final = 3
"""Letters of a romanised name, or of a part of one, that a word alone may stand for."""

COMPARE: Final[dict[str, Callable[[Any, Any], Any]]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
    "=": operator.eq,
}
NAMES: Final = ("name", "login")
READINGS: Final = ("romanised", "piece")


def has_words(column: Mapped[str], form: Words, *, prefix: bool = False) -> ColumnElement[bool]:
    """Whether a column of tokens holds all words of ``form``, in any order.

    With ``prefix`` a word may be the beginning of one.
    """
    spaced = literal(" ") + column + literal(" ")
    end = "%" if prefix else " %"
    return and_(*(spaced.like(f"% {word}{end}") for word in form))


def text_names(look: Lookup, forms: Iterable[Words]) -> Mask:
    """Whose searched text holds one of ``forms``."""
    return look.text([index_phrase(form) for form in forms if form])


def skill(look: Lookup, key: str, comparison: str = "", bound: int = 0) -> Mask:
    """Who has the skill of exactly this key, at a score that compares so."""
    if comparison:
        return look.weighing("skill", key, COMPARE[comparison](col(FactRow.weight), bound))
    return look.having("skill", [key])


def place(look: Lookup, text: str) -> Mask:
    """Who is in the city or country of this name, or of another of its names.

    The text may also be a part of the city's name (``york``). A country that
    the city contradicts is no fact and so is found by no search.
    """
    words = tuple(tokens(text))
    if not words:
        return look.nobody()
    names = place_names(text)
    spaced = literal(" ") + col(FactValueRow.value) + literal(" ")
    run = spaced.like(f"% {' '.join(words)} %")
    return look.having("city", names) | look.having("country", names) | look.like("city", run)


def location(look: Lookup, text: str) -> Mask:
    """Who is in the place, or in all the places that commas separate (``Beijing, China``)."""
    parts = [part.strip() for part in text.split(",") if tokens(part)]
    if not parts:
        return look.nobody()
    every = _all(
        _any(look, (place(look, each) for each in location_readings(part))) for part in parts
    )
    return place(look, text) | every


def company(look: Lookup, forms: Iterable[Words]) -> Mask:
    """Who works at a company of that name now."""
    return _worded(look, "company", forms)


def role(look: Lookup, forms: Iterable[Words], *, prefix: bool = False) -> Mask:
    """Who has such a title, or such a role in a listed contribution."""
    forms = list(forms)
    return _worded(look, "title", forms, prefix=prefix) | _worded(
        look, "role", forms, prefix=prefix
    )


def school(look: Lookup, forms: Iterable[Words]) -> Mask:
    """Who studied at a school of that name."""
    return _worded(look, "school", forms)


def repository(look: Lookup, key: str, *, words: bool = False) -> Mask:
    """Who contributed to ``owner/name``, to a repository of that name, or to any of ``owner/``.

    With ``words`` the key may be whole words of an owner or a name: see ``names_repository``.
    """
    run = repository_words(key)
    if not run:
        return look.nobody()
    owner, slash, name = key.partition("/")
    if slash:
        return look.having("repo", [key]) if name else look.beginning("repo", f"{owner}/")
    if not words:
        return look.having("repo_name", [key])
    every = _all(look.having("repo_word", [word]) for word in run)
    if len(run) == 1 or not every.any():
        return every
    spaced: ColumnElement[Any] = literal("/") + col(FactValueRow.value) + literal("/")
    for separator in REPOSITORY_SEPARATORS:
        spaced = func.replace(spaced, separator, " ")
    return look.like("repo", spaced.contains(f" {' '.join(run)} ", autoescape=True))


def name(look: Lookup, words: Words) -> Mask:
    """Who has all these words in the name, or as the login."""
    return _all(name_word(look, word) for word in words) if words else look.visible.copy()


def name_word(look: Lookup, word: str) -> Mask:
    """Who has this word in the name or as the login, or in a romanised name or a part of one."""
    kinds = NAMES if len(word) < SHORTEST_READING else (*NAMES, *READINGS)
    return _any(look, (look.having(kind, [word]) for kind in kinds))


def number(look: Lookup, column: str, comparison: str, bound: int) -> Mask:
    """Whose number compares so; what is not stated never compares."""
    stated = col(getattr(ProfileRow, column))
    return look.number(stated, COMPARE[comparison](stated, bound))


def added(look: Lookup, comparison: str, start: datetime, end: datetime) -> Mask:
    """Who was added before, in or after the stretch from ``start`` up to ``end``."""
    column = col(ProfileRow.added_at)
    tests: dict[str, ColumnElement[bool]] = {
        ">": column >= end,
        ">=": column >= start,
        "<": column < start,
        "<=": column < end,
    }
    return look.added(tests.get(comparison, and_(column >= start, column < end)))


def named_so(look: Lookup, wanted: Sought) -> Mask:
    """Who bears this very name, as a skill, place, company, school, repository, role or person."""
    mask = skill(look, wanted.key) if wanted.key else look.nobody()
    if wanted.skill_alone:
        return mask
    forms = (wanted.typed,) if wanted.exact_only else wanted.forms
    places = [tuple(place_name.split()) for place_name in sorted(wanted.places)]
    borne = (
        place(look, wanted.text)
        | company(look, forms)
        | school(look, forms)
        | repository(look, wanted.repository)
        | role(look, forms)
    )
    if borne.any():  # the words have to stand there in this order
        borne &= text_names(look, [*forms, *places])
    return mask | borne | name(look, wanted.typed)


def _worded(look: Lookup, kind: str, forms: Iterable[Words], *, prefix: bool = False) -> Mask:
    usable = [has_words(col(FactValueRow.value), form, prefix=prefix) for form in forms if form]
    return look.like(kind, or_(*usable)) if usable else look.nobody()


def _any(look: Lookup, masks: Iterable[Mask]) -> Mask:
    return reduce(operator.or_, masks, look.nobody())


def _all(masks: Iterable[Mask]) -> Mask:
    return reduce(operator.and_, masks)
