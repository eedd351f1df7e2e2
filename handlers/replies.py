"""A reply: the bot's answer and the message that tells it."""

from dataclasses import dataclass

from bot.answers import Answer, DoneAnswer, ErrorAnswer
from handlers.views.message import Message, sentence


@dataclass(frozen=True, slots=True)
class Reply:
    answer: Answer
    message: Message
    about: tuple[str, ...] = ()
    """Ids of people whom the message names beside those of the answer."""

    @property
    def plain(self) -> str:
        """The message for a terminal."""
        return self.message.plain


def done(query: str, text: str, message: Message | None = None) -> Reply:
    """Something was done, in a sentence; ``message`` where it is more than one."""
    return Reply(DoneAnswer(query=query, text=text), message or sentence(text))


def error(query: str, text: str) -> Reply:
    return Reply(ErrorAnswer(query=query, text=text), sentence(text))
