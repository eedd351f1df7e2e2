"""The values of each kind that are stored, most common first, and those that look like another."""

from typing import Any, Final

from rapidfuzz.distance import OSA
from sqlalchemy import ColumnElement, distinct, func
from sqlmodel import Session, col, select

from storage.models import ContributionRow, EducationRow, ProfileRow, SkillRow
from storage.search import facts
from storage.search.compile import Context, Run, condition_of
from storage.search.folding import tokens
from storage.search.skills import skill_key
from storage.search.sought import repository_key
from storage.search.tree import Node, Qualified

MOST_VALUES: Final = 20_000
COLUMNS: Final[dict[str, Any]] = {
    "skill": SkillRow.key,
    "location": ProfileRow.city_text,
    "company": ProfileRow.company_text,
    "school": EducationRow.school_text,
    "repo": ContributionRow.name_key,
    "role": ProfileRow.title_text,
    "country": ProfileRow.country_text,
}


class Known:
    """Looked up when first needed, once for one answer."""

    def __init__(self, session: Session, where: Context) -> None:
        self.session = session
        self.where = where
        self._values: dict[str, list[str]] = {}

    @property
    def skills(self) -> list[str]:
        """Skill keys, most listed first."""
        return self.values("skill")

    def values(self, key: str) -> list[str]:
        """The values of a kind, most listed first."""
        if key not in self._values:
            self._values[key] = list(self.session.exec(self._rows(key)))
        return self._values[key]

    def near(self, key: str, value: str) -> list[Qualified]:
        """The stored value of a kind, or a word of one, that looks most like ``value``."""
        asked = {"skill": skill_key(value), "repo": repository_key(value).rsplit("/", 1)[-1]}
        folded = asked.get(key, " ".join(tokens(value)))
        values = self.values(key)
        if key == "location":
            values = [*values, *self.values("country")]
        near = nearest(folded, values)
        if not near and key != "skill" and " " not in folded:
            words = dict.fromkeys(word for each in values for word in tokens(each))
            near = nearest(folded, list(words))
        return [Qualified(key, each) for each in near[:1]]

    def count(self, node: Node | Run | None) -> int:
        """How many people a part of a question finds alone; None is everybody."""
        return self.people(condition_of(node, self.where))

    def people(self, condition: ColumnElement[bool]) -> int:
        return self.session.exec(
            select(func.count()).select_from(ProfileRow).where(condition)
        ).one()

    def _rows(self, key: str) -> Any:
        column = COLUMNS[key]
        mine = facts.visible(self.where.workspace)
        rows = select(column).select_from(ProfileRow).where(mine, column != "")
        if column.class_ is not ProfileRow:
            rows = rows.join(column.class_, column.class_.profile_id == col(ProfileRow.id))
        people = func.count(distinct(col(ProfileRow.id)))
        most = [func.max(SkillRow.score).desc()] if key == "skill" else []
        return rows.group_by(column).order_by(people.desc(), *most, column).limit(MOST_VALUES)


def nearest(asked: str, known: list[str]) -> list[str]:
    """The known values within one or two edits, nearest first."""
    reach = 0 if len(asked) < 4 else 1 if len(asked) < 8 else 2
    near = [
        (distance, each)
        for each in known
        if each != asked and (distance := OSA.distance(asked, each, score_cutoff=reach)) <= reach
    ]
    return [each for _distance, each in sorted(near)]
