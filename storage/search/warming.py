"""The questions that are asked most, asked beforehand: whoever is first would wait for the lists.

What a process remembers is read when it is first needed (``memory``), and of a common skill
that takes a while. So the lists of what most people have are read when the program starts.
"""

from typing import Final

from storage.search.known import KINDS, MOST_VALUES
from storage.search.lookup import Lookup
from storage.search.sortings import SORTINGS
from storage.search.tree import Phrase, Qualified, Word

SKILLS: Final = 60
PLACES: Final = 30
NOBODY: Final = "qzxvjq wqxzkj"
"""A name and words that nobody has: what is looked through then is the same for all."""


def commonest(look: Lookup) -> list[str]:
    """Questions that between them read what most others need, the most useful first."""
    questions = [NOBODY, *(f"sort:{sorting.key}" for sorting in SORTINGS)]
    skills = _top(look, "skill", SKILLS)
    cities = [each for key in ("location", "country") for each in _top(look, key, PLACES)]
    return [
        *questions,
        *(str(Qualified("skill", each)) for each in skills),
        *(str(Qualified("location", each)) for each in cities),
        *(_bare(each) for each in (*skills, *cities)),
    ]


def _top(look: Lookup, key: str, count: int) -> list[str]:
    """The values that most people have. All lists are read by the same limit as elsewhere."""
    return look.values(KINDS[key], limit=MOST_VALUES).all[:count]


def _bare(value: str) -> str:
    return str(Phrase(value) if " " in value else Word(value))
