"""What ``help WORD`` explains, from the search's own table, and the words of a greeting."""

from handlers.features.question import Question
from handlers.views.help import TOPICS
from storage.search.qualifiers import TABLE
from storage.search.sortings import NICE, NICE_EXAMPLE, NICE_HELP, SORT, SORT_EXAMPLE, SORT_HELP

GREETED = frozenset({"there", "bot", "candidate", "again", "all", "everyone", "you"})
THANKED = frozenset(
    {"you", "a", "lot", "so", "very", "much", "bot", "for", "your", "help", "again"}
)
QUALIFIERS = (
    *((each.example, each.help) for each in TABLE.values()),
    (NICE_EXAMPLE, NICE_HELP),
    (SORT_EXAMPLE, SORT_HELP),
)
"""What ``help search`` lists: the search's own table."""


def a_topic(_: Question, rest: str) -> bool:
    return not rest or rest.lower() in TOPICS or qualifier_named(rest) is not None


def qualifier_named(text: str) -> str | None:
    """The key of the qualifier that ``text`` is or means (``skill``, ``loc:``); else None."""
    word = text.lower().rstrip(":")
    if word in (SORT, NICE):
        return word
    return next((key for key, each in TABLE.items() if word in (key, *each.aliases)), None)


def a_greeting(question: Question, rest: str) -> bool:
    """``hello there``, ``good morning``: nobody is sought."""
    words = rest.lower().split()
    if question.text.lower().startswith("good"):
        return words[:1] in (["morning"], ["afternoon"], ["evening"], ["day"]) and len(words) < 3
    return all(word.strip(",.!") in GREETED for word in words)


def a_thank(_: Question, rest: str) -> bool:
    return all(word.strip(",.!") in THANKED for word in rest.lower().split())


def explained(key: str) -> tuple[tuple[str, str], ...]:
    """A qualifier as the table has it: what it finds, the contrary, other words for it."""
    if key in (SORT, NICE):
        return ((SORT_EXAMPLE, SORT_HELP) if key == SORT else (NICE_EXAMPLE, NICE_HELP),)
    qualifier = TABLE[key]
    return (
        (qualifier.example, qualifier.help),
        (f"-{qualifier.example}", "finds everybody else"),
        *((f"{alias}:", "means the same") for alias in qualifier.aliases),
    )
