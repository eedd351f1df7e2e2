"""Who may do what, and where: one table; what is not in it is refused.

A right names the least role that has it and the kinds of channel where it holds.
Where another company reads along nothing that names candidates is answered, not
even privately. Where Slack does not say who reads, answers are for the asker alone
and nothing is shared; taking a card back is possible everywhere. ``docs/roles.md``
shows the table, and a test compares the two.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Final, Protocol


class Role(IntEnum):
    """What a person may do; a higher one may all that a lower one may."""

    VIEWER = 1
    RECRUITER = 2
    ADMIN = 3

    @property
    def word(self) -> str:
        return self.name.lower()


class ChannelKind(StrEnum):
    """Who reads along where something is asked."""

    PUBLIC = "public channel"
    PRIVATE = "private channel"
    SHARED = "channel shared with another company"
    DIRECT = "direct message with the bot"
    BETWEEN = "direct message between people"
    HOME = "App Home or dialog"
    UNKNOWN = "unknown"
    TERMINAL = "terminal"


OURS: Final = frozenset(ChannelKind) - {ChannelKind.SHARED}
ROOMS: Final = frozenset({ChannelKind.PUBLIC, ChannelKind.PRIVATE})
ANYWHERE: Final = frozenset(ChannelKind)


@dataclass(frozen=True, slots=True)
class Right:
    """``role`` is the least that has it; ``what`` completes "you may not …"."""

    role: Role
    what: str
    kinds: frozenset[ChannelKind] = OURS


RIGHTS: Final[Mapping[str, Right]] = {
    "ask": Right(Role.VIEWER, "ask about candidates"),
    "open": Right(Role.VIEWER, "open cards"),
    "share": Right(Role.RECRUITER, "share cards", ROOMS),
    "withdraw": Right(Role.RECRUITER, "withdraw cards", ANYWHERE),
    "digest": Right(Role.RECRUITER, "set up digests"),
    "contact": Right(Role.RECRUITER, "see contact details"),
    "add": Right(Role.RECRUITER, "add people"),
    "undo": Right(Role.RECRUITER, "take an addition back"),
    "take_up": Right(Role.RECRUITER, "say that you are in touch with somebody"),
    "stand": Right(Role.RECRUITER, "mark somebody as not to be contacted"),
    "lift": Right(Role.ADMIN, "lift such a mark"),
    "forget": Right(Role.ADMIN, "erase people"),
    "report": Right(Role.ADMIN, "see everything that is held about a person"),
    "duties": Right(Role.ADMIN, "see what is due by law"),
    "audit": Right(Role.ADMIN, "see who looked at whom"),
}


class HasRole(Protocol):
    @property
    def role(self) -> Role | None: ...


class HasKind(Protocol):
    @property
    def channel_kind(self) -> ChannelKind: ...


def may(person: HasRole, action: str, place: HasKind) -> bool:
    """Whether a person may do this there; an action that is not in the table nobody may."""
    return reason_against(person, action, place) is None


def holds_in(action: str, place: HasKind) -> bool:
    """Whether anybody at all has this right there."""
    right = RIGHTS.get(action)
    return right is None or place.channel_kind in right.kinds


def may_somewhere(person: HasRole, action: str) -> bool:
    """Whether a person's role has this right, wherever it holds."""
    right = RIGHTS.get(action)
    return right is not None and person.role is not None and person.role >= right.role


def reason_against(person: HasRole, action: str, place: HasKind) -> str | None:
    """Why a person may not do this there, in sentences; None when they may."""
    right = RIGHTS.get(action)
    if right is None or person.role is None:
        return "You may not do this here."
    if place.channel_kind not in right.kinds:
        return WHY_NOT_HERE.get(place.channel_kind, NOBODY_TO_SHARE_WITH)
    if person.role < right.role:
        return (
            f"You are a {person.role.word} here and may not {right.what}: "
            f"that takes {_a(right.role.word)}."
        )
    return None


NOBODY_TO_SHARE_WITH: Final = (
    "There is nobody to share with in a direct message. Ask for the person in the channel where "
    "the card should be, and press Share there."
)
WHY_NOT_HERE: Final[Mapping[ChannelKind, str]] = {
    ChannelKind.SHARED: "This channel is shared with another company, so I answer nothing about "
    "candidates here, not even to you alone. Ask me in a direct message, or in a channel of "
    "your own company.",
    ChannelKind.UNKNOWN: "I cannot see who reads this channel, so I share nothing here. "
    "Type /invite and my name here, then press Share again.",
}


def _a(word: str) -> str:
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"
