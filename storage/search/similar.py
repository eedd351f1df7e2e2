"""Who resembles somebody: by the skills that both list, the rare ones counting most.

::

    weight(skill)    = ln(1 + people / holders) · evidence
    likeness(person) = Σ weight(skills that both list) / Σ weight(skills)

over the ``MOST_SKILLS`` weightiest skills of the one who is named; ``evidence`` is that of
``ranking``, for the contributions of theirs that carry the skill. Whoever reaches ``LEAST`` is
similar. Place, company, school, name and origin count nothing, and nobody resembles
themselves.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import log
from typing import Final

import numpy as np

from storage.search.evidence import EVIDENCE
from storage.search.lists import Scored
from storage.search.lookup import Docs, Lookup, Mask, Numbers
from storage.search.names import named
from storage.search.reader import Indexed
from storage.search.skills import is_exact_only
from storage.search.sought import index_phrase, sought
from storage.search.unwrap import unwrap

MOST_SKILLS: Final = 16
LEAST: Final = 0.3


@dataclass(frozen=True, slots=True)
class Likeness:
    """What one person is compared by: a weight for each of their telling skills."""

    doc: int
    id: str
    name: str
    weights: Mapping[str, float]


def likenesses(look: Lookup, who: str) -> tuple[Likeness, ...]:
    """Those whom an id, a name or a login means, each with what they are compared by."""
    return look.once(("similar", who), lambda: _likenesses(look, who))


def similar(look: Lookup, who: str) -> Mask:
    """Who resembles one of those of this name."""
    return look.once(("similar to", who), lambda: _similar(look, who))


def likeness(look: Lookup, who: str, docs: Docs) -> Numbers:
    """How much each of these profiles resembles the nearest of those of this name: 0 to 1."""
    shares = [_shares(look, each)[docs] for each in likenesses(look, who)]
    return np.max(shares, axis=0) if shares else np.zeros(len(docs))


def _similar(look: Lookup, who: str) -> Mask:
    them = likenesses(look, who)
    mask = look.any(_shares(look, each) >= LEAST for each in them)
    if them:
        mask = mask.copy()
        mask[[each.doc for each in them]] = False
    return mask


def _shares(look: Lookup, each: Likeness) -> Numbers:
    return look.once(("likeness", each.doc), lambda: _summed(look, each))


def _summed(look: Lookup, each: Likeness) -> Numbers:
    shares = np.zeros(look.size)
    whole = sum(each.weights.values())
    for key, weight in each.weights.items():
        shares[look.listed(Scored(key)).docs] += weight / whole
    return shares


def _likenesses(look: Lookup, who: str) -> tuple[Likeness, ...]:
    who = unwrap(who).strip()
    people = look.with_id(who) or [
        person for hit in named(look, who).hits for person in look.with_id(hit.candidate.id)
    ]
    indexed = look.indexed(sorted(doc for doc, _, _ in people))
    return tuple(
        Likeness(doc, id_, name, weights)
        for doc, id_, name in people
        if (weights := _weights(look, indexed[doc]))
    )


def _weights(look: Lookup, person: Indexed) -> dict[str, float]:
    holders = look.holders("skill", person.values("skill"))
    people = max(1, int(look.visible.sum()))
    weights = {
        key: log(1 + people / max(1, amount)) * _evidence(person, key)
        for key, amount in holders.items()
    }
    telling = sorted(weights, key=lambda key: (-weights[key], key))[:MOST_SKILLS]
    return {key: weights[key] for key in telling}


def _evidence(person: Indexed, key: str) -> float:
    """The factor for contributions that carry the skill; 1 for one that prose cannot carry."""
    if is_exact_only(key):
        return EVIDENCE[0]
    phrases = [f" {index_phrase(form)} " for form in sought(key).skill_forms if form]
    carrying = sum(
        any(phrase in f" {text} " for phrase in phrases) for text in person.contributions
    )
    return EVIDENCE[min(carrying, len(EVIDENCE) - 1)]
