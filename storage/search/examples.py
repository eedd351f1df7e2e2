"""Questions that find somebody among those loaded, for the help."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from storage.records import Candidate
from storage.search.folding import tokens
from storage.search.narrowing import most_proven
from storage.search.skills import FoldedSkill, fold_skills, is_exact_only
from storage.search.texts import Texts
from storage.search.tree import Not, Qualified, conjunction
from storage.search.values import Examples

SAMPLE: Final = 50
"""How many of the newest people the examples are drawn from."""


def examples(people: Sequence[Candidate], unique_names: Sequence[str]) -> Examples:
    """Examples drawn from ``people``; ``unique_names`` are words that name one person each."""
    if not people:
        return Examples()
    skills = {person.id: fold_skills(person.profile.skills) for person in people}
    common = _skill(people, skills)
    holder = next((p for p in people if common and _has(skills[p.id], common)), people[0])
    location = holder.profile.location
    city = (location and location.city) or ""
    repository = _repository(people)
    years = max((p.profile.years_coding for p in people if p.profile.years_coding), default=None)
    company = next((p.profile.company for p in people if p.profile.company), "")
    return Examples(
        name=max(unique_names, key=lambda word: (len(word), word), default="")
        or people[0].profile.name,
        words=" ".join([common, *tokens(city)[:1]]) if common and city else common,
        skill=str(Qualified("skill", common)) if common else "",
        two_skills=_two_skills(people, skills, common),
        repository=str(Qualified("repo", repository)) if repository else "",
        location=str(Qualified("location", city)) if city else "",
        company=str(Qualified("company", company)) if company else "",
        years=f"years>={years}" if years is not None else "",
    )


def _skill(people: Sequence[Candidate], skills: dict[str, list[FoldedSkill]]) -> str:
    """The skill that most of them have, proven by contributions first."""
    amount = Counter(skill.key for person in people for skill in skills[person.id])
    usable = [key for key in amount if not is_exact_only(key)]
    return most_proven(usable, amount, [Texts(person.profile) for person in people])


def _two_skills(
    people: Sequence[Candidate], skills: dict[str, list[FoldedSkill]], common: str
) -> str:
    """A question for one skill and not another, which somebody answers."""
    if not common:
        return ""
    holders = [person for person in people if _has(skills[person.id], common)]
    for person in holders:
        for skill in skills[person.id]:
            if skill.key != common and not all(_has(skills[p.id], skill.key) for p in holders):
                wanted = Qualified("skill", common)
                return str(conjunction([wanted, Not(Qualified("skill", skill.key))]))
    return ""


def _has(skills: Sequence[FoldedSkill], key: str) -> bool:
    return any(skill.key == key for skill in skills)


def _repository(people: Sequence[Candidate]) -> str:
    """The repository whose reviews and requests are most, as far as the pages list them."""
    listed = [each for person in people for each in person.profile.contributions]
    return max(
        (each.repository for each in listed if "/" in each.repository),
        key=lambda name: (
            max(
                (each.pull_requests or 0) + (each.reviews or 0)
                for each in listed
                if each.repository == name
            ),
            name,
        ),
        default="",
    )
