"""Whether a card may stand in a channel, and what to say where it may not.

A card is shown with Share only where the press would be answered with a card, as far
as Slack has said in the last minutes (see ``handlers.access.places``). At the press it is
asked again, since a channel may change between the two.
"""

from collections.abc import Mapping
from typing import Any

from slack_sdk import WebClient

from handlers.access.people import Place
from handlers.slack.channels import ARCHIVED, NOT_THERE, SHARED, channel_info, unfit
from handlers.slack.verdict import UNKNOWN_METHOD, LaterError, RefusedError, UncertainError
from storage.errors import BotError

NOT_HERE = frozenset({"channel_not_found", "not_in_channel"})
ELSEWHERE = "To share this card, ask for it in the channel where it should be."


class CannotShare(BotError):
    """A card that may not or cannot be posted; the sentence says why and what to do."""


def instead_of_share(client: WebClient | None, place: Place, bot_name: str) -> str:
    """What stands on a card in the place of Share; empty where Share may be offered.

    Without a client (at a terminal), and where Slack does not tell, Share is offered.
    That a card could not stand here is never remembered: whoever invites the bot asks again.
    """
    channel = place.channel
    if client is None or not channel or place.is_fit:
        return ""
    if channel.startswith("D"):
        return ELSEWHERE
    try:
        reason = unfit(channel_info(client, channel))
    except RefusedError as refused:
        if refused.code == UNKNOWN_METHOD:
            return (
                "This Slack server does not tell what kind of channel this is: nothing is shared."
            )
        reason = NOT_THERE if refused.code in NOT_HERE else None
    except (LaterError, UncertainError):
        return ""
    sentences = {
        SHARED: "This channel is shared with another company, so no card can be shared here.",
        ARCHIVED: "This channel is archived, so no card can be shared here.",
        NOT_THERE: f"To share this card here, type `/invite @{bot_name}`, then ask again.",
    }
    return sentences[reason] if reason else ""


def channel_for_card(client: WebClient, channel_id: str | None, bot_name: str) -> dict[str, Any]:
    """What Slack knows of the channel. Raises CannotShare where a card may not stand."""
    if not channel_id:
        raise CannotShare("There is no channel here. Ask in the channel where the card should be.")
    try:
        channel = channel_info(client, channel_id)
    except (LaterError, RefusedError, UncertainError) as trouble:
        if isinstance(trouble, RefusedError) and trouble.code in NOT_HERE:
            raise CannotShare(_not_here(channel_id, bot_name)) from trouble
        if isinstance(trouble, RefusedError) and trouble.code == UNKNOWN_METHOD:
            raise CannotShare(
                "This Slack server does not tell what kind of channel this is, so I shared nothing."
            ) from trouble
        raise CannotShare(
            "Slack did not tell me what kind of channel this is, so I shared nothing. "
            "Try again in a minute."
        ) from trouble
    _check(channel, channel_id, bot_name)
    return channel


def is_public(channel: Mapping[str, Any]) -> bool:
    return not (channel.get("is_private") or channel.get("is_mpim") or channel.get("is_group"))


def _check(channel: Mapping[str, Any], channel_id: str, bot_name: str) -> None:
    if channel.get("is_im"):
        raise CannotShare(
            "This is our direct message, so there is nobody to share with. Ask for the person "
            "in the channel where the card should be, and press Share there."
        )
    reason = unfit(channel)
    if reason == SHARED:
        raise CannotShare(
            "This channel is shared with another company, so I post no candidates here. "
            "Share the card in a channel of your own."
        )
    if reason == ARCHIVED:
        raise CannotShare("This channel is archived, so nothing can be posted here.")
    if reason == NOT_THERE:
        raise CannotShare(_not_here(channel_id, bot_name))


def _not_here(channel_id: str, bot_name: str) -> str:
    if channel_id.startswith("D"):
        return (
            "I cannot post in a direct message between people. Ask for the person in a channel "
            "that I am in, and press Share there."
        )
    return (
        f"I am not in this channel, so I cannot post here. Type `/invite @{bot_name}` here, "
        "then press Share again."
    )
