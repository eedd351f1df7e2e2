"""The order of results: one formula, the same for every database.

Version 1
---------
::

    score(question) = Π strength(part)      over the parts that must all hold
    strength(a or b) = strength(a) + strength(b)
    strength(not a) = 1
    strength(part)  = 0                     where it does not match
    strength(part)  = kind · evidence · level · exactness

    kind      1     a skill, place, company, school, repository, role or person bears the name,
                    or a qualifier holds
              1/2   contributions carry the word
              1/4   only the page's text does
    evidence  1, 1.25, 1.375, 1.4375        for 0, 1, 2, 3 or more contributions that carry the
                                            word (name, role, description, topics or summary)
    level     1 + score / 200               for a listed skill: the page's scores are saturated,
                                            so ten points weigh less than one contribution
    exactness 1.01                          where the whole company is called so (Meta, not Meta AI)

So what is named outranks what contributions carry (at most .72), which outranks
text (.25). Higher first, equal ones by name and then by id, so the same question
gives the same order, in another store of the same people too. ``sort:`` goes
before the score. Badges, stars, followers, schools, names and places count only
as the match of a part that asks for them.
"""

from typing import Any, Final

import numpy as np
from sqlmodel import col

from storage.models import ProfileRow
from storage.search.lookup import Lookup, Mask, Numbers
from storage.search.qualifiers import SORTINGS
from storage.search.sought import Words, index_phrase
from storage.search.tree import Order

VERSION: Final = 1
NAMED: Final = 1.0
CARRIED: Final = 0.5
MENTIONED: Final = 0.25
EXACTLY: Final = 1.01
EVIDENCE: Final = (1.0, 1.25, 1.375, 1.4375)
_STEPS: Final = np.array(EVIDENCE)


def evidence(look: Lookup, forms: tuple[Words, ...]) -> Numbers:
    """The factor for contributions that carry one of ``forms``."""
    phrases = [index_phrase(form) for form in forms if form]
    steps: Numbers = _STEPS[np.minimum(look.carrying(phrases), len(EVIDENCE) - 1)]
    return steps


def level(look: Lookup, key: str) -> Numbers:
    """The factor for the page's own score of a skill; 1 where it has none."""
    return 1.0 + look.weights("skill", key) / 200.0


def exactness(look: Lookup, forms: tuple[Words, ...]) -> Numbers:
    """The factor for a company of exactly this name."""
    names = [" ".join(form) for form in forms if form]
    return np.where(look.having("company", names), EXACTLY, 1.0)


def best(
    look: Lookup, matching: Mask, score: Numbers, orders: tuple[Order, ...], count: int
) -> list[int]:
    """The first ``count`` of those who match, in order; whoever does not state it comes last."""
    docs = np.flatnonzero(matching)
    if not orders:
        return _by_score(look, docs, score, count)
    keys: list[Any] = []
    columns = {sorting.key: sorting.column for sorting in SORTINGS}
    for order in orders:
        values = look.column(col(getattr(ProfileRow, columns[order.key])), docs)
        ranks = {value: rank for rank, value in enumerate(sorted(set(values.values())))}
        sign = -1 if order.descending else 1
        keys.append(np.array([doc not in values for doc in docs.tolist()]))
        keys.append(np.array([sign * ranks.get(values.get(doc), 0) for doc in docs.tolist()]))
    keys.append(-score[docs])
    sorted_docs = docs[np.lexsort(keys[::-1])]
    return _ties_by_name(look, sorted_docs, keys, np.lexsort(keys[::-1]), count)


def _by_score(look: Lookup, docs: Any, score: Numbers, count: int) -> list[int]:
    """Score by score, highest first, those of one score by name."""
    found: list[int] = []
    scores = score[docs]
    for each in np.unique(scores)[::-1]:
        tied = look.nobody()
        tied[docs[scores == each]] = True
        found += look.first_by_name(tied, count - len(found))
        if len(found) >= count:
            break
    return found


def _ties_by_name(look: Lookup, docs: Any, keys: list[Any], by: Any, count: int) -> list[int]:
    """Documents in order of the keys; neighbours with the same keys by name."""
    table = np.stack([np.asarray(key, dtype=np.float64)[by] for key in keys])
    starts = [0, *(np.flatnonzero((table[:, 1:] != table[:, :-1]).any(axis=0)) + 1).tolist()]
    ends = [*starts[1:], len(docs)]
    found: list[int] = []
    for start, end in zip(starts, ends, strict=True):
        tied = look.nobody()
        tied[docs[start:end]] = True
        found += look.first_by_name(tied, count - len(found))
        if len(found) >= count:
            break
    return found
