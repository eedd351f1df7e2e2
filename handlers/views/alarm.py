"""An alarm as admins, or one person, read it."""

from typing import Final

import regex

from handlers.views.message import Context, Message, Section, compose
from handlers.views.text import Line, Mention, line, worded
from storage.records import Alarm

_MENTION: Final = regex.compile(r"<@([UW][A-Z0-9]+)>")


def alarm_message(alarm: Alarm) -> Message:
    """The alarm's sentences; ``<@U…>`` in them is a mention, all else is literal."""
    why = (
        "You are told once, as an admin of the bot."
        if alarm.audience == "admins"
        else "You are told once."
    )
    lines = [_mentioning(each) for each in alarm.text.split("\n")]
    return compose([Section(lines), Context([why])])


def _mentioning(text: str) -> Line:
    pieces = _MENTION.split(text)  # every second one is a user id
    return line(
        *(
            line(Mention(piece)) if number % 2 else worded(piece)
            for number, piece in enumerate(pieces)
        )
    )
