"""A reply: the bot's answer and the message that tells it."""

from dataclasses import dataclass

from bot.answers import Answer, DoneAnswer, ErrorAnswer
from handlers.access.refusals import told
from handlers.views.message import Message, sentence
from storage.errors import BotError


@dataclass(frozen=True, slots=True)
class Reply:
    """``action`` is what the audit calls it, ``about`` are ids of people whom the message shows.

    Those whom the answer itself finds need not be in ``about``.
    """

    answer: Answer
    message: Message
    action: str = "ask"
    about: tuple[str, ...] = ()

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
