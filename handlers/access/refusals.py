"""Refusals: why not, and whom to ask."""

from collections.abc import Sequence

from handlers.views.message import Message, Section, compose, sentence
from handlers.views.text import Mention, join, line, worded
from storage.errors import BotError


class NotAllowed(BotError):
    """A person who may not use the bot, or not do this; the sentence says why and whom to ask.

    ``admins`` are Slack user ids; without any it is whoever runs the bot.
    """

    def __init__(self, reason: str, *, admins: Sequence[str] = (), ask: str = "Ask") -> None:
        self.reason, self.admins, self.ask = reason, tuple(admins), ask
        whom = " or ".join(admins) or "whoever runs the bot"
        super().__init__(f"{reason} {ask} {whom}." if ask else reason)

    @property
    def message(self) -> Message:
        """The refusal with the admins as mentions."""
        if not (self.ask and self.admins):
            return sentence(str(self))
        whom = join([Mention(admin) for admin in self.admins], " or ")
        return compose([Section([line(worded(f"{self.reason} {self.ask} "), whom, ".")])])


def told(error: BotError) -> Message:
    """An error as the person reads it."""
    return error.message if isinstance(error, NotAllowed) else sentence(str(error))
