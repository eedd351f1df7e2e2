"""How the results shown are in fact ordered, in one sentence; none where it would say nothing."""

from collections.abc import Sequence
from typing import Final

from storage.search.english import ordered
from storage.search.ranking import CARRIED, NAMED
from storage.search.skills import skill_key
from storage.search.sought import sought
from storage.search.texts import Texts
from storage.search.tree import Leaf, Qualified, Question, leaves
from storage.search.values import Hit

EQUALS: Final = "All match equally well: the latest dated work first, then who states more."
_FIRST: Final = {
    "company": "First: people at a company of exactly that name.",
    "similar": "First: who lists most of the telling skills; rare ones tell more.",
}


def told(
    question: Question, hits: Sequence[Hit], texts: Sequence[Texts], asked: Sequence[float]
) -> str:
    """The sentence for these hits, which stand in their order, and whose ``texts`` these are.

    ``asked`` is how well each answers the question itself.
    """
    if question.orders:
        return ordered(question)
    scores = [hit.score or 0.0 for hit in hits]
    if len(hits) > 1 and asked[0] == asked[-1] and scores[0] != scores[-1]:
        return EQUALS
    if question.nice is not None and len(hits) > 1:
        return "First: who has most of what is nice to have, and what was asked for best."
    if len(hits) < 2 or scores[0] == scores[-1]:
        return ""
    weighing = [leaf for leaf, positive in leaves(question.where) if positive and _weighs(leaf)]
    if len(weighing) == 1:
        return _of_one(weighing[0], texts, scores)
    return "Best matches first: names and skills count most, then contributions."


def _weighs(leaf: Leaf) -> bool:
    """Whether people who match this part may match it more or less."""
    return not isinstance(leaf, Qualified) or leaf.key in {"skill", "lang", *_FIRST}


def _of_one(leaf: Leaf, texts: Sequence[Texts], scores: Sequence[float]) -> str:
    if isinstance(leaf, Qualified):
        if leaf.key in ("skill", "lang"):
            return _of_skill(leaf.value, texts)
        return _FIRST[leaf.key]
    if scores[0] >= NAMED > scores[-1]:
        carried = any(CARRIED <= score < NAMED for score in scores)
        mentioned = any(score < CARRIED for score in scores)
        rest = ["contributions that mention it"] * carried + ["other text"] * mentioned
        return f"First: a name, skill, place or company, then {', then '.join(rest)}."
    if scores[0] >= NAMED:
        key = skill_key(leaf.text)
        listed = all(any(skill.key == key for skill in each.skills) for each in texts)
        return _of_skill(leaf.text, texts) if listed else "Best matches first."
    if scores[0] >= CARRIED:
        return "First: people whose contributions mention it."
    return ""


def _of_skill(name: str, texts: Sequence[Texts]) -> str:
    """More contributions that name it, or else more points on the page."""
    forms = sought(name, loose=False).skill_forms
    naming = [len(each.naming(forms)) for each in texts]
    if naming[0] > naming[-1] and _falls(naming):
        return "First: people whose contributions mention the skill."
    points = [_points(each, skill_key(name)) for each in texts]
    if points[0] > points[-1] and _falls(points):
        return "Highest score on the page first."
    return "Best matches first: contributions count most."


def _falls(numbers: Sequence[int]) -> bool:
    capped = [min(number, 3) for number in numbers]
    return capped == sorted(capped, reverse=True)


def _points(texts: Texts, key: str) -> int:
    return next((skill.score or 0 for skill in texts.skills if skill.key == key), 0)
