"""Channels as people type them, and whether the bot may post there."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from slack_sdk import WebClient

from handlers.slack.verdict import (
    UNKNOWN_METHOD,
    LaterError,
    RefusedError,
    UncertainError,
    judged,
    listed,
    read_again,
)
from storage.errors import BotError, quoted
from storage.records import Subscription
from storage.store import Store

_ID: Final = re.compile(r"[CDG][A-Z0-9]{2,}")
_MENTION: Final = re.compile(r"<#(?P<id>[A-Z0-9]+)(?:\|(?P<name>[^>]*))?>")


SHARED: Final = "shared_with_another_company"
ARCHIVED: Final = "is_archived"
NOT_THERE: Final = "not_in_channel"


NOT_LISTED: Final = (
    "This Slack server does not list its channels, so I know none by its name. Ask for the digest "
    "in the channel where it should be, without `in …`."
)
NO_MEMBERS: Final = (
    "That channel is private, and this Slack server does not tell who is in it. Ask for the digest "
    "in that channel, without `in …`."
)


class ChannelError(BotError):
    """A channel where no digest can go; the sentence says what to do."""


@dataclass(frozen=True, slots=True)
class ChannelTyped:
    """A channel's id, or else its name as ``#name``."""

    text: str

    @property
    def is_id(self) -> bool:
        return _ID.fullmatch(self.text) is not None


def channel_typed(text: str) -> ChannelTyped:
    """``<#C1|hiring>`` → ``C1``, ``#Hiring`` and ``hiring`` → ``#hiring``; an id stays one."""
    if found := _MENTION.fullmatch(text):
        return ChannelTyped(found["id"])
    if _ID.fullmatch(text):
        return ChannelTyped(text)
    return ChannelTyped("#" + text.lstrip("#").lower())


def postable_channel(client: WebClient, text: str, *, asker: str, here: str | None = None) -> str:
    """The id of a channel where the bot can post. Raises ChannelError with what to do.

    A private channel is one only for its members, and whoever asks in it (``here``) is one:
    anybody else is told what they would be told of one that does not exist. A server that
    cannot tell what a channel is says by its answer to the post whether that goes.
    """
    typed = channel_typed(text)
    unknown = ChannelError(
        f"I know no channel {quoted(typed.text)}. If it is private, type /invite @candidate "
        "there first, and then the same again."
    )
    try:
        if not typed.is_id:
            found = _by_name(client, typed.text)
            if found is None:
                raise unknown
            typed = ChannelTyped(found)
        try:
            channel = channel_info(client, typed.text)
        except RefusedError as refused:
            if refused.code != UNKNOWN_METHOD:
                raise
            return typed.text
        private = channel.get("is_private") and typed.text != here
        if private and not _is_member(client, typed.text, asker):
            raise unknown
    except RefusedError as refused:
        if refused.code == UNKNOWN_METHOD:
            raise ChannelError(NOT_LISTED if not typed.is_id else NO_MEMBERS) from refused
        raise ChannelError(
            f"I cannot look into that channel ({refused.code}). Type /invite @candidate there, "
            "and then the same again."
        ) from refused
    except (LaterError, UncertainError) as error:
        raise ChannelError(
            "Slack did not tell me whether I may post there. Try again in a minute."
        ) from error
    name = f"#{channel['name']}" if channel.get("name") else "this channel"
    refusals = {
        ARCHIVED: f"{name} is archived. Choose another channel for the digest.",
        SHARED: f"{name} is shared with another company, and a digest names people. "
        "Choose a channel of your own company.",
        NOT_THERE: f"I am not in {name}. Type /invite @candidate there, and then the same again.",
    }
    if reason := unfit(channel):
        raise ChannelError(refusals[reason])
    return str(channel.get("id") or typed.text)


def channel_info(client: WebClient, channel: str) -> dict[str, Any]:
    """What Slack knows of a channel. Raises LaterError, RefusedError or UncertainError."""
    found = read_again(lambda: client.conversations_info(channel=channel)).get("channel")
    if not isinstance(found, dict):
        raise UncertainError("an answer without the channel")
    return found


def unfit(channel: Mapping[str, Any]) -> str | None:
    """Why nobody may be named in this channel: SHARED, ARCHIVED or NOT_THERE; None if one may.

    A server that does not say that a channel is shared knows no such channels.
    """
    other = channel.get("is_shared") and not channel.get("is_org_shared")
    if other or channel.get("is_ext_shared") or channel.get("is_pending_ext_shared"):
        return SHARED
    if channel.get("is_archived"):
        return ARCHIVED
    direct = channel.get("is_im") or channel.get("is_mpim")
    return NOT_THERE if channel.get("is_member") is False and not direct else None


def require_fit(client: WebClient, channel: str) -> None:
    """Raises RefusedError with the reason where nobody may be named (any more).

    The bot's direct message with one person is theirs alone, and is not asked about.
    """
    if channel.startswith("D"):
        return
    try:
        reason = unfit(channel_info(client, channel))
    except RefusedError as refused:
        if refused.code != UNKNOWN_METHOD:  # such a server knows no channels of several companies
            raise
        return
    if reason:
        raise RefusedError(reason)


def resolved_channel(
    store: Store,
    client: WebClient,
    subscription: Subscription,
    beat: Callable[[], object] = lambda: None,
) -> str:
    """The id of the subscription's channel, which is kept if only its name was known.

    ``beat`` is called for each page of names. Raises RefusedError
    ``channel_not_found`` when no channel has that name.
    """
    if channel_typed(subscription.channel).is_id:
        return subscription.channel
    found = _by_name(client, subscription.channel, beat)
    if found is None:
        raise RefusedError("channel_not_found")
    store.place_subscription(subscription.number, found)
    return found


def _is_member(client: WebClient, channel: str, user: str) -> bool:
    cursor = None
    while True:
        with judged():
            answer = client.conversations_members(channel=channel, limit=1000, cursor=cursor)
        if user in listed(answer, "members"):
            return True
        cursor = (answer.get("response_metadata") or {}).get("next_cursor")
        if not cursor:
            return False


def _by_name(client: WebClient, name: str, beat: Callable[[], object] = lambda: None) -> str | None:
    cursor = None
    while True:
        beat()
        with judged():
            answer = client.conversations_list(
                types="public_channel,private_channel",
                exclude_archived=True,
                limit=1000,
                cursor=cursor,
            )
        for channel in listed(answer, "channels"):
            if f"#{channel.get('name')}" == name and channel.get("id"):
                return str(channel["id"])
        cursor = (answer.get("response_metadata") or {}).get("next_cursor")
        if not cursor:
            return None
