"""Who a fact holds for, one function a kind of fact: each a mask over all profiles."""

import operator
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, Final

from storage.search.columns import as_number
from storage.search.folding import tokens
from storage.search.lists import RepositoryRun, Run, Worded
from storage.search.lookup import NAME_KINDS, NAMES, Lookup, Mask
from storage.search.ranges import ends
from storage.search.sought import (
    Sought,
    Words,
    index_phrase,
    location_readings,
    place_names,
    repository_words,
)
from storage.search.synonyms import region

SHORTEST_READING: Final = 3
"""Letters of a romanised name, or of a part of one, that a word alone may stand for."""

COMPARE: Final[dict[str, Callable[[Any, Any], Any]]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
    "=": operator.eq,
}


def text_names(look: Lookup, forms: Iterable[Words]) -> Mask:
    """Whose searched text holds one of ``forms``."""
    return look.text([index_phrase(form) for form in forms if form])


def skill(look: Lookup, key: str, comparison: str = "", bound: str = "") -> Mask:
    """Who has the skill of exactly this key, at a score that compares so."""
    if comparison:
        return look.skill(key, lambda scores: _compares(scores, comparison, bound))
    return look.skill(key)


def place(look: Lookup, text: str) -> Mask:
    """Who is in the city or country of this name, or of another of its names.

    The text may also be a part of the city's name (``york``). A country that
    the city contradicts is no fact and so is found by no search.
    """
    words = tuple(tokens(text))
    if not words:
        return look.nobody()
    names = place_names(text)
    return look.any(
        (
            look.having("city", names),
            look.having("country", names),
            look.mask(Run("city", words)),
            _region(look, text),
        )
    )


def _region(look: Lookup, text: str) -> Mask:
    """Who is in a place that ``text`` is an everyday name of, and states no other country."""
    meant = region(text)
    if meant is None:
        return look.nobody()
    there = look.any(
        look.having(kind, look.known(kind, meant.names)) for kind in ("city", "country")
    )
    inside = look.having("country", look.known("country", meant.countries))
    return there & (inside | ~look.beginning("country", ""))


def location(look: Lookup, text: str) -> Mask:
    """Who is in the place, or in all the places that commas separate (``Beijing, China``)."""
    parts = [part.strip() for part in text.split(",") if tokens(part)]
    if not parts:
        return look.nobody()
    every = look.all(
        look.any(place(look, each) for each in location_readings(part)) for part in parts
    )
    return look.any((place(look, text), every))


def company(look: Lookup, forms: Iterable[Words]) -> Mask:
    """Who works at a company of that name now."""
    return _worded(look, "company", forms)


def role(look: Lookup, forms: Iterable[Words], *, prefix: bool = False) -> Mask:
    """Who has such a title, or such a role in a listed contribution."""
    forms = list(forms)
    return look.any(_worded(look, kind, forms, prefix=prefix) for kind in ("title", "role"))


def school(look: Lookup, forms: Iterable[Words], whole: frozenset[str]) -> Mask:
    """Who studied at a school of that name, or at one whose name is one of ``whole``."""
    return look.any((_worded(look, "school", forms), look.having("school", whole)))


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
    every = look.all(look.having("repo_word", [word]) for word in run)
    if len(run) == 1 or not every.any():
        return every
    return look.mask(RepositoryRun(tuple(run)))


def name(look: Lookup, words: Words) -> Mask:
    """Who has all these words in the name, or as the login."""
    return look.all(name_word(look, word) for word in words) if words else look.visible


def name_word(look: Lookup, word: str) -> Mask:
    """Who has this word in the name or as the login, or in a romanised name or a part of one."""
    return look.named_mask(word, NAMES if len(word) < SHORTEST_READING else NAME_KINDS)


def number(look: Lookup, column: str, comparison: str, bound: str) -> Mask:
    """Whose number compares so, with one or a range; what is not stated never compares."""
    return _compares(look.numbers(column), comparison, bound)


def language(look: Lookup, key: str) -> Mask:
    """Who lists the language as a skill, or contributed where it is a topic."""
    return look.any((look.skill(key), topic(look, key)))


def topic(look: Lookup, key: str) -> Mask:
    """Who contributed to a repository of this topic."""
    return look.having("topic", [key])


def moment(look: Lookup, column: str, comparison: str, start: datetime, end: datetime) -> Mask:
    """Whose instant is before, in or after the stretch from ``start`` up to ``end``."""
    moments, first, after = look.numbers(column), as_number(start), as_number(end)
    tests: dict[str, Callable[[], Mask]] = {
        ">": lambda: moments >= after,
        ">=": lambda: moments >= first,
        "<": lambda: moments < first,
        "<=": lambda: moments < after,
    }
    return tests.get(comparison, lambda: (moments >= first) & (moments < after))()


def named_so(look: Lookup, wanted: Sought) -> Mask:
    """Who bears this very name, as a skill, place, company, school, repository, role or person."""
    mask = skill(look, wanted.key) if wanted.key else look.nobody()
    if wanted.skill_alone:
        return mask
    forms = (wanted.typed,) if wanted.exact_only else wanted.forms
    borne = look.any(
        (
            company(look, forms if wanted.exact_only else wanted.company_forms),
            school(look, wanted.school_forms, wanted.schools),
            repository(look, wanted.repository),
            role(look, forms),
        )
    )
    if borne.any():  # the words have to stand there in this order
        schools = [*wanted.school_forms, *((name,) for name in sorted(wanted.schools))]
        borne = borne & text_names(look, [*forms, *wanted.company_forms, *schools])
    return look.any((mask, place(look, wanted.text), borne, name(look, wanted.typed)))


def _compares(numbers: Any, comparison: str, bound: str) -> Mask:
    low, high = (int(end) for end in ends(bound))
    if low != high:
        between: Mask = (numbers >= low) & (numbers <= high)
        return between
    mask: Mask = COMPARE[comparison](numbers, low)
    return mask


def _worded(look: Lookup, kind: str, forms: Iterable[Words], *, prefix: bool = False) -> Mask:
    usable = tuple(form for form in forms if form)
    return look.mask(Worded(kind, usable, prefix)) if usable else look.nobody()
