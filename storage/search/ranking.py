"""The order of results: one formula, the same for every database.

Version 3
---------
::

    score           = asked(question) · recency · completeness
    asked(question) = Π strength(part)      over the parts that must all hold
    strength(a or b) = strength(a) + strength(b)
    strength(not a) = 1
    asked(question nice:(part)) = asked(question) · (1 + strength(part))
    strength(part)  = 0                     where it does not match
    strength(part)  = match · evidence · level · rarity · likeness · exactness

    match     1     a skill, place, company, school, repository, role or person bears the name,
                    or a qualifier holds
              1/2   contributions carry the word
              1/4   only the page's text does
    evidence  1, 1.25, 1.375, 1.4375        for 0, 1, 2, 3 or more contributions that carry the
                                            word (name, role, description, topics or summary)
    level     1 + score / 200               for a listed skill: the page's scores are saturated,
                                            so ten points weigh less than one contribution
    rarity    1 + share / 5                 for a listed skill, the share is ln(people / holders)
                                            / ln(people): 0 where all list it, 1 where one does.
                                            Within an ``and`` it is the same for all who match
    likeness  1 + share                     for ``similar:``, the share of the telling skills of the
                                            other person that somebody lists: see ``similar``
    exactness 1.01                          where the whole company is called so (Meta and not
                                            Meta AI), or the name is written so and not only read so

    recency, completeness                   at most 1.001 and 1.0004, whatever is asked: see
                                            ``stated``

So what is named outranks what contributions carry (at most .72), which outranks
text (.25); two of several alternatives outrank one, however well that one is met; and
recency and completeness together weigh less than one point of the page's. Higher first,
equal ones by id, so the same question gives the same order. ``sort:`` goes before the
score. Badges, stars, followers, schools, names and places count only as the match of a
part that asks for them. ``FACTORS`` has the bounds; docs/ranking.md says what a reader
is told of each.

Scores at most ``NOISE`` below the best of their band share its ranks: what the page's own
points add is no difference that anybody should act on.
"""

from collections.abc import Sequence
from functools import reduce
from math import log
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from storage.search.evidence import EVIDENCE
from storage.search.lookup import NAMES, Docs, Lookup, Mask, Numbers
from storage.search.sortings import SORTINGS
from storage.search.sought import Words, index_phrase
from storage.search.stated import EACH, RECENTLY
from storage.search.tree import Order

VERSION: Final = 3
NAMED: Final = 1.0
CARRIED: Final = 0.5
MENTIONED: Final = 0.25
EXACTLY: Final = 1.01
NOISE: Final = 0.05
RAREST: Final = 0.2
FACTORS: Final = {
    "match": (MENTIONED, NAMED),
    "evidence": (EVIDENCE[0], EVIDENCE[-1]),
    "level": (1.0, 1.05),
    "rarity": (1.0, 1 + RAREST),
    "likeness": (1.0, 2.0),
    "exactness": (1.0, EXACTLY),
    "recency": (1.0, RECENTLY),
    "completeness": (1.0, 1 + 4 * EACH),
}
"""The least and the most that each factor is."""
_STEPS: Final = np.array(EVIDENCE)


def evidence(look: Lookup, forms: tuple[Words, ...], docs: Docs) -> Numbers:
    """The factor for contributions that carry one of ``forms``, for each of these profiles."""
    phrases = [index_phrase(form) for form in forms if form]
    steps: Numbers = _STEPS[np.minimum(look.carrying(phrases, docs), len(EVIDENCE) - 1)]
    return steps


def level(look: Lookup, key: str, docs: Docs) -> Numbers:
    """The factor for the page's own score of a skill; 1 where it has none."""
    return 1.0 + look.skill_scores(key, docs) / 200.0


def rarity(look: Lookup, key: str, docs: Docs) -> Numbers:
    """The factor for how few list this skill; 1 for whoever does not."""
    share = 1 + RAREST * rareness(*holders(look, key))
    return np.where(look.skill(key)[docs], share, 1.0)


def holders(look: Lookup, key: str) -> tuple[int, int]:
    """How many people list this skill, and how many there are."""
    people = look.once("people", lambda: int(look.visible.sum()))
    return look.count_skill(key), people


def rareness(holding: int, people: int) -> float:
    """From 0, where everybody has it, to 1, where one person does.

    >>> [round(rareness(holding, 100), 2) for holding in (0, 1, 10, 100)]
    [0.0, 1.0, 0.5, 0.0]
    """
    return log(people / holding) / log(people) if 0 < holding < people else 0.0


def exactness(look: Lookup, forms: tuple[Words, ...], docs: Docs, typed: Words = ()) -> Numbers:
    """The factor for a company of exactly this name, or a person whose name is written so."""
    names = [" ".join(form) for form in forms if form]
    exact = look.having("company", names)
    if typed:
        exact = exact | look.all(look.named_mask(word, NAMES) for word in typed)
    return np.where(exact[docs], EXACTLY, 1.0)


def by_name(look: Lookup, matching: Mask, count: int) -> list[int]:
    """The first ``count`` of those who match, by name and then id."""
    docs = np.flatnonzero(matching)
    return _first(docs, [look.order.ranks[docs]], count)


def points(look: Lookup, keys: Sequence[str], docs: Docs) -> Numbers:
    """The page's scores of these skills added up; NaN where none of them can be read."""
    listed = [look.skill_points(key, docs) for key in keys]
    readable = [np.where(each < 0, 0, each) for each in listed]
    none = reduce(np.logical_and, (each < 0 for each in listed), np.ones(len(docs), np.bool_))
    return np.where(none, np.nan, sum(readable, np.zeros(len(docs))))


def best(
    look: Lookup,
    docs: Docs,
    score: Numbers,
    orders: tuple[Order, ...],
    count: int,
    skills: Sequence[str] = (),
) -> list[int]:
    """The first ``count`` of these profiles, in order; whoever does not state it comes last.

    ``score`` has one entry a profile of ``docs``; ``skills`` are the keys that were asked for.
    """
    keys: list[NDArray[Any]] = []
    columns = {sorting.key: sorting.column for sorting in SORTINGS}
    for order in orders:
        if order.key == "name":
            values = look.order.names[docs].astype(np.float64)
        elif order.key == "score":
            values = points(look, skills, docs)
        else:
            values = look.numbers(columns[order.key])[docs]
        keys.append(np.where(np.isnan(values), np.inf, -values if order.descending else values))
    return _first(docs, [*keys, -score, look.ids_in_order[docs]], count)


def bands(score: Numbers) -> list[tuple[int, int]]:
    """The first and last rank (from 1) of each band of scores, best first.

    >>> bands(np.array([1.2, 2.0, 1.99, 1.96, 0.5]))
    [(1, 3), (4, 4), (5, 5)]
    """
    values, amounts = np.unique(-score, return_counts=True)
    found: list[tuple[int, int]] = []
    best, rank = 0.0, 0
    for value, amount in zip((-values).tolist(), amounts.tolist(), strict=True):
        first = found.pop()[0] if found and value >= best * (1 - NOISE) else rank + 1
        best = best if first <= rank else value
        rank += amount
        found.append((first, rank))
    return found


def _first(docs: Docs, keys: Sequence[NDArray[Any]], count: int) -> list[int]:
    """The first ``count`` of ``docs`` by these keys, the first key counting most.

    Only those are sorted that can be among them: of a key the ``count`` smallest, and of
    those that tie with the last of these the ``count`` smallest by the next key.
    """
    found: list[int] = []
    places = np.arange(len(docs))
    for at, key in enumerate(keys):
        wanted = count - len(found)
        if wanted <= 0:
            break
        if len(places) > wanted and at < len(keys) - 1:
            values = key[places] if len(places) < len(docs) else key
            last = values.min()
            if np.count_nonzero(values == last) < wanted:
                last = np.partition(values, wanted - 1)[wanted - 1]
            before = places[values < last]
            found += docs[before[np.lexsort([each[before] for each in reversed(keys)])]].tolist()
            places = places[values == last]
            continue
        if len(places) > wanted:
            places = places[np.argpartition(key[places], wanted - 1)[:wanted]]
        found += docs[places[np.lexsort([each[places] for each in reversed(keys)])]].tolist()
        break
    return found[:count]
