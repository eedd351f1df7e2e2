"""Questions that narrow a result: a skill, a place, a company that some of the people share."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from storage.search.skills import skill_key
from storage.search.sought import sought
from storage.search.texts import Texts
from storage.search.tree import Node, Qualified, Question, conjunction, leaves

MOST: Final = 2


def narrower(question: Question, texts: Sequence[Texts]) -> tuple[str, ...]:
    """Up to two longer questions, each of which some of these people answer and not all."""
    used = {
        skill_key(leaf.value) if isinstance(leaf, Qualified) else skill_key(leaf.text)
        for leaf, _positive in leaves(question.where)
    }
    found = [
        Qualified(key, value)
        for key, value in (("skill", _skill(texts, used)), ("location", _place(texts)))
        if value
    ]
    return tuple(str(_with(question, part)) for part in found[:MOST])


def _with(question: Question, part: Node) -> Question:
    parts = [part] if question.where is None else [question.where, part]
    return Question(conjunction(parts), question.orders)


def _skill(texts: Sequence[Texts], used: set[str]) -> str:
    """The skill that most, but not all, of the people have; proven by contributions first."""
    amount = Counter(skill.key for each in texts for skill in each.skills)
    return most_proven(
        [key for key in amount if amount[key] < len(texts) and key not in used], amount, texts
    )


def most_proven(keys: Sequence[str], amount: Counter[str], texts: Sequence[Texts]) -> str:
    """Of the most listed ``keys`` the one that most people's contributions name; "" without any."""
    most = max((amount[key] for key in keys), default=0)
    proofs = {
        key: sum(bool(each.naming(sought(key, loose=False).skill_forms)) for each in texts)
        for key in keys
        if amount[key] == most
    }
    return min(proofs, key=lambda key: (-proofs[key], key), default="")


def _place(texts: Sequence[Texts]) -> str:
    places = [each.profile.location for each in texts]
    cities = Counter(place.city for place in places if place and place.city)
    usable = [city for city in cities if cities[city] < len(texts)]
    return min(usable, key=lambda city: (-cities[city], city), default="")
