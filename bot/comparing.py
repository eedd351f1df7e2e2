"""People side by side: what they share and what only one of them has, as their pages say."""

from collections.abc import Sequence
from dataclasses import dataclass

from storage.records import Candidate
from storage.search.skills import FoldedSkill, fold_skills

FEWEST, MOST = 2, 5
"""How many people are compared at once."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One person among others: ``label`` is a name that no other of them has.

    ``skills`` are those that not all of them list, the highest score first.
    """

    candidate: Candidate
    label: str
    skills: tuple[FoldedSkill, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """``shared`` are the skills that all of them list, by name."""

    people: tuple[Compared, ...]
    shared: tuple[str, ...]


def compare(candidates: Sequence[Candidate]) -> Comparison:
    """Put two people or more side by side, in the order in which they were named."""
    folded = [fold_skills(each.profile.skills) for each in candidates]
    common = set.intersection(*({skill.key for skill in skills} for skills in folded))
    shared = [skill for skill in folded[0] if skill.key in common]
    return Comparison(
        people=tuple(
            Compared(candidate, label, _highest(skills, common))
            for candidate, label, skills in zip(candidates, labels(candidates), folded, strict=True)
        ),
        shared=tuple(skill.key if len(skill.spellings) > 1 else skill.name for skill in shared),
    )


def labels(candidates: Sequence[Candidate]) -> list[str]:
    """The name of each; those of one name with what tells them apart: city, company, or id."""
    names = [each.profile.name for each in candidates]
    found = []
    for candidate in candidates:
        name = candidate.profile.name
        namesakes = [each for each in candidates if each.profile.name == name]
        apart = next(
            (
                mine
                for told in (_city, _company, _id)
                if (mine := told(candidate)) and [*map(told, namesakes)].count(mine) == 1
            ),
            "",
        )
        found.append(name if names.count(name) == 1 else f"{name} ({apart})")
    return found


def _city(candidate: Candidate) -> str:
    location = candidate.profile.location
    return (location.city or location.text) if location else ""


def _company(candidate: Candidate) -> str:
    return candidate.profile.company or ""


def _id(candidate: Candidate) -> str:
    return candidate.id


def _highest(skills: Sequence[FoldedSkill], common: set[str]) -> tuple[FoldedSkill, ...]:
    own = [skill for skill in skills if skill.key not in common]
    return tuple(sorted(own, key=lambda skill: 1 if skill.score is None else -skill.score))
