"""``again``: the asker's last question once more, as the audit has it.

A command that does more than show something is not done again by this word.
"""

from dataclasses import replace
from typing import Final

from handlers.features.commands import AGAIN, POLITELY, command_of
from handlers.features.question import Question

SHOWS: Final = POLITELY | {"job"}
LOOKED_THROUGH: Final = 50
"""Entries of the asker's; a question further back is not the last one to anybody."""


def repeated(question: Question) -> Question | None:
    """The asker's last question in place of the word; None for another text, or without one.

    What was asked about somebody who was erased since is no longer known.
    """
    command, rest = command_of(question.text)
    if command is not AGAIN or rest:
        return None
    entries = question.store.audited(who=question.asker.id, actions=("ask",), limit=LOOKED_THROUGH)
    texts = (entry.text for entry in entries)
    return next(
        (earlier for text in texts if only_shows(earlier := replace(question, text=text))), None
    )


def only_shows(question: Question) -> bool:
    """Whether asking this once more changes nothing."""
    command, rest = command_of(question.text)
    if not question.text or command is AGAIN:
        return False
    return command is None or command.word in SHOWS or not command.parses(question, rest)
