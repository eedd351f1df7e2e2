"""Sharing in a public channel: what is asked before, and the card that everyone can read.

That card is the name and the skills: no contact data, no notes, no work, no
education, no place. Who may ask opens the whole card for themselves.
"""

from collections.abc import Mapping
from typing import Any, Final

from handlers.views.card import CONFIRM, KEEP, WITHDRAW, open_button, skill_lines
from handlers.views.message import Actions, Button, Context, Header, Message, Section, compose
from handlers.views.text import Bold, Channel, Mention, line
from storage.records import Candidate

REDACTED: Final = (
    "Everyone in this workspace can read a public channel, so the card shows only the name and "
    "the skills there: no work, no education, no contact data. Whoever may ask me can open the "
    "rest."
)
WHOLE: Final = (
    "Everyone in this workspace can read a public channel, and they will see the whole card: "
    "the settings allow it in this one."
)


def share_question(
    candidate: Candidate, channel: Mapping[str, Any], *, value: str, whole: bool
) -> Message:
    """The question before a card, or only what is public of it, is posted for everyone."""
    where = Channel(str(channel.get("id")), channel.get("name"))
    return compose(
        [
            Section(
                [
                    line("Share the card of ", Bold(candidate.profile.name), " in ", where, "?"),
                    line(WHOLE if whole else REDACTED),
                ]
            ),
            Actions(
                [
                    Button(
                        text="Share",
                        action=f"{CONFIRM}.{candidate.id}",
                        value=value,
                        style="primary",
                    ),
                    Button(text="Keep private", action=f"{KEEP}.{candidate.id}", value="keep"),
                ]
            ),
        ]
    )


def redacted_card(candidate: Candidate, *, by: str, key: str) -> Message:
    """The card for everyone in the workspace; ``key`` as of ``card.shared_card``."""
    return compose(
        [
            Context([line("Shared by ", Mention(by))]),
            Header(candidate.profile.name),
            Section(skill_lines(candidate.profile)),
            Context(["A public channel sees the name and the skills. Open shows you the card."]),
            Actions(
                [
                    open_button(candidate.id),
                    Button(text="Withdraw", action=f"{WITHDRAW}.{candidate.id}", value=key),
                ]
            ),
        ],
        text=f"Candidate card: {candidate.profile.name}",
    )
