"""What a command is: its word, when the rest of a text is meant for it, and what answers it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from handlers.features.question import Question
from handlers.features.replies import Reply

ASKING, DIGESTS, ADDING = "Asking", "Digests", "Adding people"
RIGHTS, AUDITING = "People's data and their rights", "Who did what"
GROUPS = (ASKING, DIGESTS, ADDING, RIGHTS, AUDITING)
"""What commands are for, in the order in which help lists them."""
Run: TypeAlias = Callable[[Question, str], Reply | None]
"""Answers the rest of the text, or None when it does not parse and is to be searched."""
Parses: TypeAlias = Callable[[Question, str], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command word. Without ``run`` it is not built yet and ``instead`` says what to do."""

    word: str
    usage: str
    help: str
    parses: Parses
    group: str = ""
    """What it is for: one of ``GROUPS``. Empty while it is not built."""
    run: Run | None = None
    action: str = "ask"
    """Of the table of rights: who may type it, and where."""
    instead: str = ""
    takes_a_page: bool = False
    """Whether what stands behind the word may be longer than a question."""
    also: tuple[str, ...] = field(default=())
    """Other words for the same."""

    @property
    def built(self) -> bool:
        return self.run is not None
