"""Questions that narrow a result: a skill, a place, a company that some of the people share.

Which are offered follows from the people of the page; how many each finds is counted over all.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Final

from storage.search.language import parse
from storage.search.skills import skill_key
from storage.search.sought import sought
from storage.search.texts import Texts
from storage.search.tree import Node, Qualified, Question, clauses, conjunction, leaves
from storage.search.values import Suggestion

MOST: Final = 2
MOST_SKILLS: Final = 3
MOST_OTHERS: Final = 2
"""Skills, and places and companies each, by which a longer result can be refined."""


FEWEST: Final = 2
"""People whom a refined result finds at least: one is better looked at among the others."""


def narrower(question: Question, texts: Sequence[Texts]) -> tuple[str, ...]:
    """Up to two longer questions, each of which some of these people answer and not all."""
    used = _used(question)
    found = [
        Qualified(key, value)
        for key, value in (("skill", _skill(texts, used)), ("location", _place(texts)))
        if value
    ]
    return tuple(str(_with(question, part)) for part in found[:MOST])


def refinements(
    question: Question, texts: Sequence[Texts], total: int, count: Callable[[Node], int]
) -> tuple[Suggestion, ...]:
    """Conditions that some of the ``total`` people meet and not all, each with the whole question.

    ``lead`` is the condition, such as ``skill:llvm``; ``count`` says who meets it among them.
    """
    used = _used(question)
    skills = Counter(skill.key for each in texts for skill in each.skills)
    companies = Counter(each.profile.company for each in texts if each.profile.company)
    parts = [
        *_asking("skill", skills, MOST_SKILLS, used),
        *_asking("location", _cities(texts), MOST_OTHERS, used),
        *_asking("company", companies, MOST_OTHERS, used),
    ]
    amounts = {part: count(part) for part in parts}
    return tuple(
        Suggestion(str(_with(question, part)), amount, str(part))
        for part, amount in amounts.items()
        if FEWEST <= amount < total
    )


def broader(query: str) -> tuple[str, str] | None:
    """The last condition of a question, such as one that refined it, and the question without it.

    None for a question of one condition.
    """
    question = parse(query)
    *rest, last = clauses(question.where) or (None,)
    if last is None or not rest:
        return None
    return str(last), str(Question(conjunction(rest), question.orders, question.nice))


def _asking(key: str, amount: Counter[str], most: int, used: set[str]) -> list[Qualified]:
    """The commonest values that are not asked for yet, as they can be typed."""
    fresh = (
        value
        for value in sorted(amount, key=lambda each: (-amount[each], each))
        if skill_key(value) not in used and '"' not in value
    )
    return [
        Qualified(key, value if key == "skill" else value.lower()) for value in islice(fresh, most)
    ]


def _used(question: Question) -> set[str]:
    """What the question names already."""
    return {
        skill_key(leaf.value) if isinstance(leaf, Qualified) else skill_key(leaf.text)
        for leaf, _positive in leaves(question.where)
    }


def _with(question: Question, part: Node) -> Question:
    parts = [part] if question.where is None else [question.where, part]
    return Question(conjunction(parts), question.orders, question.nice)


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
    cities = _cities(texts)
    usable = [city for city in cities if cities[city] < len(texts)]
    return min(usable, key=lambda city: (-cities[city], city), default="")


def _cities(texts: Sequence[Texts]) -> Counter[str]:
    places = [each.profile.location for each in texts]
    return Counter(place.city for place in places if place and place.city)
