"""A profile's searched text, field by field, cut into words once for all the questions about it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from storage.records import Contribution, Profile
from storage.search.index import contribution_fields, encoded, profile_fields
from storage.search.skills import FoldedSkill, fold_skills
from storage.search.sought import Words, index_phrase


@dataclass(frozen=True, slots=True)
class Field:
    """One field: what a reason calls it, its text, and its words between spaces."""

    label: str
    text: str
    words: str

    def holds(self, form: Words) -> bool:
        """Whether the words of ``form`` stand here side by side."""
        return bool(form) and f" {index_phrase(form)} " in self.words


class Texts:
    """The fields of one profile; made for one answer (at ``now``) and then forgotten."""

    def __init__(
        self,
        profile: Profile,
        now: datetime | None = None,
        rare: Mapping[str, str] | None = None,
    ) -> None:
        """``rare`` says of skills how few list them, where that moves people."""
        self.profile = profile
        self.now = now
        self.rare = rare or {}

    @cached_property
    def contributions(self) -> list[tuple[Contribution, list[Field]]]:
        """Contributions with their fields, the latest first."""
        latest = sorted(
            self.profile.contributions, key=lambda each: each.to_month or "", reverse=True
        )
        return [(each, _fields(contribution_fields(each))) for each in latest]

    @cached_property
    def skills(self) -> list[FoldedSkill]:
        """The skills, one entry a key."""
        return fold_skills(self.profile.skills)

    @cached_property
    def others(self) -> list[Field]:
        """The fields outside contributions."""
        return _fields(profile_fields(self.profile))

    def naming(self, forms: Iterable[Words]) -> list[Contribution]:
        """The contributions that carry one of ``forms``, the latest first."""
        wanted = [f" {index_phrase(form)} " for form in forms if form]
        return [
            contribution
            for contribution, fields in self.contributions
            if any(phrase in field.words for field in fields for phrase in wanted)
        ]


def _fields(pairs: Iterable[tuple[str, str]]) -> list[Field]:
    return [Field(label, text, f" {encoded(text)} ") for label, text in pairs]
