"""A reply: the bot's answer and the message that tells it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.answers import Answer, DoneAnswer, ErrorAnswer
from handlers.access.refusals import told
from handlers.views.message import Message, sentence
from storage.errors import BotError
from storage.records import Candidate

MOST_IDS: Final = 5


@dataclass(frozen=True, slots=True)
class Reply:
    """``action`` is what the audit calls it, ``about`` are ids of people whom the message shows.

    Those whom the answer itself finds need not be in ``about``. ``number`` is the entry of the
    audit, by which an answer about people can be replayed.
    """

    answer: Answer
    message: Message
    action: str = "ask"
    about: tuple[str, ...] = ()
    number: int | None = None

    @property
    def plain(self) -> str:
        """The message without markup."""
        return self.message.plain

    @property
    def terminal(self) -> str:
        """The message for a person at a terminal."""
        return self.message.terminal


def done(query: str, text: str, message: Message | None = None) -> Reply:
    """Something was done, in a sentence; ``message`` where it is more than one."""
    return Reply(DoneAnswer(query=query, text=text), message or sentence(text))


def error(query: str, text: str) -> Reply:
    return Reply(ErrorAnswer(query=query, text=text), sentence(text))


def refused(query: str, trouble: BotError) -> Reply:
    """An error as the answer, with the people whom it says to ask as mentions."""
    return Reply(ErrorAnswer(query=query, text=str(trouble)), told(trouble))


def which(name: str, people: Sequence[Candidate], wanted: str) -> str:
    """That a name is of several people, and the ids to write instead; ``wanted`` is a clause."""
    ids = ", ".join(f"`{each.id}`" for each in people[:MOST_IDS])
    more = " and more" if len(people) > MOST_IDS else ""
    return (
        f"{len(people)} people could be “{name}”, so I cannot tell {wanted}. "
        f"`/candidate {name}` shows who they are. "
        f"Then write one of these in place of the name: {ids}{more}."
    )
