"""The values of each kind that are stored, most common first, and those that look like another."""

from typing import Final

from storage.search.compile import Context, Run
from storage.search.folding import tokens
from storage.search.skills import skill_key
from storage.search.sought import repository_key
from storage.search.spellings import Values, close
from storage.search.tree import Node, Qualified

MOST_VALUES: Final = 20_000
KINDS: Final = {
    "skill": "skill",
    "topic": "topic",
    "location": "city",
    "company": "company",
    "school": "school",
    "repo": "repo_name",
    "role": "title",
    "country": "country",
}
"""What a qualifier's values are called among the facts."""


class Known:
    """Looked up when first needed, once for one answer."""

    def __init__(self, where: Context) -> None:
        self.where = where

    @property
    def skills(self) -> Values:
        """Skill keys, most listed first."""
        return self.values("skill")

    def values(self, key: str) -> Values:
        """The values of a kind, most listed first."""
        return self.where.look.values(KINDS[key], limit=MOST_VALUES)

    def near(self, key: str, value: str) -> list[Qualified]:
        """The stored value of a kind, or a word of one, that looks most like ``value``."""
        asked = {key: skill_key(value) for key in ("skill", "topic")} | {
            "repo": repository_key(value).rsplit("/", 1)[-1]
        }
        folded = asked.get(key, " ".join(tokens(value)))
        lists = [self.values(each) for each in (key, *(("country",) * (key == "location")))]
        near = nearest(folded, [value for each in lists for value in each.all])
        if not near and key not in ("skill", "topic") and " " not in folded:
            near = nearest(folded, [word for each in lists for word in each.words])
        return [Qualified(key, each) for each in near[:1]]

    def count(self, node: Node | Run | None) -> int:
        """How many people a part of a question finds alone; None is everybody."""
        return int(self.where.matching(node).sum())


def nearest(asked: str, known: list[str]) -> list[str]:
    """The known values within one or two edits, nearest first."""
    reach = 0 if len(asked) < 4 else 1 if len(asked) < 8 else 2
    if not reach:
        return []
    near = {(edits, each) for each, edits in close(known, asked, reach) if edits}
    return [each for _edits, each in sorted(near)]
