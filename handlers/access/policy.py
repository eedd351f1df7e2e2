"""What a channel may show of a person whose card is shared there.

A private channel of ours: the whole card. A public one, which everyone in the
workspace can read: the name and the skills, unless ``FULL_CARD_CHANNELS`` names the
channel. Where another company reads along: nothing. A digest is not asked about
here: subscribing the channel is the permission.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, Final

from handlers.access.places import kind_of
from handlers.access.rights import ChannelKind


class Shows(StrEnum):
    """How much of a shared card stands in a channel."""

    WHOLE = "the whole card"
    REDACTED = "the name and the skills"
    NOTHING = "nothing"


POLICY: Final[Mapping[ChannelKind, Shows]] = {
    ChannelKind.PUBLIC: Shows.REDACTED,
    ChannelKind.PRIVATE: Shows.WHOLE,
}
"""Every other kind of channel shows nothing."""


def shows(channel: Mapping[str, Any], full_card_channels: Iterable[str]) -> Shows:
    """What may stand in a channel that ``conversations.info`` showed.

    ``full_card_channels`` are ids or names, with or without ``#``.
    """
    found = POLICY.get(kind_of(channel), Shows.NOTHING)
    if found is Shows.REDACTED and is_named(channel, full_card_channels):
        return Shows.WHOLE
    return found


def is_named(channel: Mapping[str, Any], names: Iterable[str]) -> bool:
    wanted = {name.removeprefix("#").lower() for name in names}
    known = {str(channel.get("id") or "").lower(), str(channel.get("name") or "").lower()}
    return bool(wanted & (known - {""}))
