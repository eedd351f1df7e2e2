"""What kind of channel something was asked in, as Slack says; kept for three minutes.

A direct message brought by an event is the bot's own. One that the bot cannot look
into is between people, and so is one of a group, which its name tells (``mpdm-…``).
Every other channel that it cannot look into may be shared with another company, so its
kind is unknown.
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from slack_sdk import WebClient

from handlers.access.people import Place
from handlers.access.rights import ROOMS, ChannelKind
from handlers.slack.channels import SHARED, channel_info, unfit
from handlers.slack.verdict import UNKNOWN_METHOD, LaterError, RefusedError, UncertainError

KEPT: Final = timedelta(minutes=3)
KEPT_BETWEEN: Final = timedelta(hours=1)
"""A conversation between people stays one; and not every payload tells its name."""
KEPT_UNSEEN: Final = timedelta(seconds=5)
"""That a channel cannot be looked into: whoever invites the bot asks again at once."""
MOST_KEPT: Final = 5_000
GROUP: Final = "mpdm-"
NOT_THERE: Final = (
    "I am not in this channel and cannot see whether another company reads it, so I share "
    "nothing here. Type `/invite @candidate` here, then press Share again."
)
NOT_TOLD: Final = (
    "This Slack server does not tell what kind of channel this is, so I share nothing here. "
    "Answers to you alone work everywhere."
)
NO_ANSWER: Final = (
    "Slack did not tell me what kind of channel this is, so I share nothing here. "
    "Try again in a minute."
)


def kind_of(channel: Mapping[str, Any]) -> ChannelKind:
    """The kind of a channel that ``conversations.info`` showed.

    >>> kind_of({"is_mpim": True, "is_private": True}).name, kind_of({"is_private": True}).name
    ('BETWEEN', 'PRIVATE')
    """
    if unfit(channel) == SHARED:
        return ChannelKind.SHARED
    if channel.get("is_im"):
        return ChannelKind.DIRECT
    if channel.get("is_mpim"):
        return ChannelKind.BETWEEN
    if channel.get("is_private") or channel.get("is_group"):
        return ChannelKind.PRIVATE
    return ChannelKind.PUBLIC


@dataclass(frozen=True, slots=True)
class Kept:
    """What is known of a channel; how long that holds is None where it is to be asked again."""

    kind: ChannelKind
    lasting: timedelta | None
    why_unknown: str = ""
    is_fit: bool = False

    def placed(self, place: Place) -> Place:
        return replace(
            place, channel_kind=self.kind, why_unknown=self.why_unknown, is_fit=self.is_fit
        )


class Places:
    """Finds the kind of each channel out, at most once in three minutes."""

    def __init__(self, client: WebClient, *, clock: Callable[[], datetime]) -> None:
        self._client = client
        self._clock = clock
        self._kept: dict[str, tuple[datetime, Kept]] = {}
        self._lock = threading.Lock()

    def placed(self, place: Place) -> Place:
        """The place with its channel's kind; for an unknown one with the reason why it is."""
        if place.kind == "direct":
            return replace(place, channel_kind=ChannelKind.DIRECT)
        if place.channel is None:  # App Home, or a dialog
            return replace(place, channel_kind=ChannelKind.HOME)
        now = self._clock()
        with self._lock:
            kept = self._kept.get(place.channel)
        if kept is not None and now < kept[0]:
            return kept[1].placed(place)
        found = self._asked(place.channel, place.channel_name)
        if found.lasting:
            with self._lock:
                if len(self._kept) >= MOST_KEPT:
                    self._kept.clear()
                self._kept[place.channel] = now + found.lasting, found
        return found.placed(place)

    def _asked(self, channel: str, name: str) -> Kept:
        """What Slack says now."""
        try:
            info = channel_info(self._client, channel)
        except RefusedError as refused:
            if channel.startswith("D") or name.startswith(GROUP):
                return Kept(ChannelKind.BETWEEN, KEPT_BETWEEN)
            if refused.code == UNKNOWN_METHOD:
                return Kept(ChannelKind.UNKNOWN, KEPT, NOT_TOLD)
            return Kept(ChannelKind.UNKNOWN, KEPT_UNSEEN, NOT_THERE)
        except (LaterError, UncertainError):
            return Kept(ChannelKind.UNKNOWN, None, NO_ANSWER)
        kind = kind_of(info)
        lasting = KEPT_BETWEEN if kind is ChannelKind.BETWEEN else KEPT
        return Kept(kind, lasting, is_fit=kind in ROOMS and unfit(info) is None)
