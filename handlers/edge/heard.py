"""What Slack delivered, read once from its several shapes of payload."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from handlers.access.people import Place

PERSONAL = frozenset({None, "file_share", "me_message", "thread_broadcast"})
"""Subtypes of a message that a person wrote."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentFile:
    """A file in a message. ``name`` is empty where Slack tells no more than the id."""

    id: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Typed:
    """A field of a form: its block, its ``action_id``, and what was written there."""

    block: str
    action: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """One delivery: who did what, where.

    ``key`` is the same for two deliveries of the same thing: the event's id, or
    for a click the person, the message and the button.
    """

    kind: str
    user: str
    teams: frozenset[str]
    """Every team and enterprise that the payload says it concerns."""
    place: Place
    text: str = ""
    subtype: str | None = None
    """Of a message: None for one that a person wrote, ``file_share`` for one with a file."""
    tab: str | None = None
    action: str = ""
    value: str = ""
    message_ts: str | None = None
    """The message whose button was pressed, or that was sent."""
    ephemeral: bool = False
    view_id: str | None = None
    """The dialog whose button was pressed."""
    response_url: str | None = None
    trigger_id: str | None = None
    key: str | None = None
    files: tuple[SentFile, ...] = ()
    """What came with a message or a form."""
    typed: tuple["Typed", ...] = ()
    """What was written into the fields of a form."""

    @property
    def is_nothing_to_us(self) -> bool:
        """An event that asks nothing: channel chatter, a bot's message, an edited one."""
        if self.kind != "event":
            return False
        silent = self.place.kind == "direct" and self.subtype not in PERSONAL
        return not self.user or self.place.kind == "overheard" or silent


def heard_command(body: Mapping[str, Any]) -> Heard:
    return Heard(
        kind="command",
        user=str(body.get("user_id") or ""),
        teams=teams_of(body),
        place=Place(
            kind="command",
            channel=body.get("channel_id"),
            channel_name=str(body.get("channel_name") or ""),
        ),
        text=str(body.get("text") or ""),
        response_url=body.get("response_url"),
        trigger_id=body.get("trigger_id"),
    )


def heard_event(body: Mapping[str, Any]) -> Heard:
    event: Mapping[str, Any] = body.get("event") or {}
    channel = event.get("channel")
    kind = {"app_home_opened": "home", "app_mention": "mention"}.get(str(event.get("type")), "")
    if not kind:
        kind = "direct" if _channel_type(event) == "im" else "overheard"
    return Heard(
        kind="event",
        user=str(event.get("user") or ""),
        teams=teams_of(body),
        place=Place(
            kind=kind,
            channel=None if kind == "home" else channel,
            thread=event.get("thread_ts"),
        ),
        text=str(event.get("text") or ""),
        subtype="bot_message" if event.get("bot_id") else event.get("subtype"),
        tab=event.get("tab"),
        message_ts=event.get("ts"),
        files=sent_files(event.get("files")),
        key=f"event:{body['event_id']}" if body.get("event_id") else None,
    )


def heard_action(body: Mapping[str, Any]) -> Heard:
    container: Mapping[str, Any] = body.get("container") or {}
    action: Mapping[str, Any] = (body.get("actions") or [{}])[0]
    user: Mapping[str, Any] = body.get("user") or {}
    message: Mapping[str, Any] = body.get("message") or {}
    channel = container.get("channel_id") or (body.get("channel") or {}).get("id")
    message_ts = container.get("message_ts") or message.get("ts")
    where = message_ts or container.get("view_id") or (body.get("view") or {}).get("id")
    return Heard(
        kind="action",
        user=str(user.get("id") or ""),
        teams=teams_of(body),
        place=Place(
            kind="action",
            channel=channel,
            thread=container.get("thread_ts") if container else _thread_of(message),
            channel_name=str((body.get("channel") or {}).get("name") or ""),
        ),
        action=str(action.get("action_id") or ""),
        value=str(action.get("value") or ""),
        message_ts=message_ts,
        ephemeral=bool(container.get("is_ephemeral")),
        view_id=container.get("view_id"),
        response_url=body.get("response_url"),
        trigger_id=body.get("trigger_id"),
        key=f"click:{user.get('id')}:{where}:{action.get('action_id')}",
    )


def heard_shortcut(body: Mapping[str, Any]) -> Heard:
    """A shortcut in a message's menu; ``text`` and ``files`` are that message's."""
    message: Mapping[str, Any] = body.get("message") or {}
    user: Mapping[str, Any] = body.get("user") or {}
    channel = (body.get("channel") or {}).get("id")
    ts, callback = body.get("message_ts") or message.get("ts"), str(body.get("callback_id") or "")
    return Heard(
        kind="shortcut",
        user=str(user.get("id") or ""),
        teams=teams_of(body),
        place=Place(kind="shortcut", channel=channel, thread=message.get("thread_ts")),
        text=str(message.get("text") or ""),
        action=callback,
        message_ts=ts,
        response_url=body.get("response_url"),
        trigger_id=body.get("trigger_id"),
        key=f"shortcut:{user.get('id')}:{channel}:{ts}:{callback}",
        files=sent_files(message.get("files")),
    )


def heard_view(body: Mapping[str, Any]) -> Heard:
    """A modal that was sent; its ``private_metadata`` may say in which channel it was asked for."""
    view: Mapping[str, Any] = body["view"]
    user: Mapping[str, Any] = body.get("user") or {}
    callback = str(view.get("callback_id") or "")
    found: list[SentFile] = []
    typed: list[Typed] = []
    for block, elements in ((view.get("state") or {}).get("values") or {}).items():
        for action, element in elements.items():
            found += sent_files(element.get("files"))
            if element.get("type") == "plain_text_input":
                typed.append(Typed(str(block), str(action), str(element.get("value") or "")))
    return Heard(
        kind="view",
        user=str(user.get("id") or ""),
        teams=teams_of(body),
        place=Place(kind="view", channel=_channel_of(view)),
        action=callback,
        trigger_id=body.get("trigger_id"),
        key=f"view:{user.get('id')}:{view.get('id')}",
        files=tuple(dict.fromkeys(found)),
        typed=tuple(typed),
    )


def _thread_of(message: Mapping[str, Any]) -> str | None:
    """The thread that a message is in; none for one that has answers, but is none itself."""
    thread = message.get("thread_ts")
    return str(thread) if thread and thread != message.get("ts") else None


def _channel_type(event: Mapping[str, Any]) -> object:
    """``im`` for a direct message, which a server that does not say so tells by the id."""
    told = event.get("channel_type")
    return told or ("im" if str(event.get("channel") or "").startswith("D") else None)


def _channel_of(view: Mapping[str, Any]) -> str | None:
    try:
        found = json.loads(view.get("private_metadata") or "")["channel"]
    except (KeyError, TypeError, ValueError):
        return None
    return str(found) or None


def sent_files(files: object) -> tuple[SentFile, ...]:
    """The files in a list as Slack describes them, or of ids alone; each once."""
    found: dict[str, SentFile] = {}
    for each in files if isinstance(files, list) else ():
        told = each if isinstance(each, Mapping) else {"id": each}
        if told.get("id"):
            sent = SentFile(id=str(told["id"]), name=str(told.get("name") or ""))
            found.setdefault(sent.id, sent)
    return tuple(found.values())


def without_mention(text: str, bot_user: str) -> str:
    """What is asked of the bot: what follows its mention, or else what stands before it."""
    before, *after = re.split(rf"<@{re.escape(bot_user)}(?:\|[^>]*)?>[,:]?", text)
    return " ".join(after).strip() or before.strip()


def teams_of(body: Mapping[str, Any]) -> frozenset[str]:
    """The installation's team, and for a click the team of the person who clicked."""
    team, user = body.get("team"), body.get("user")
    found = [
        body.get("team_id") or (team.get("id") if isinstance(team, Mapping) else None),
        user.get("team_id") if isinstance(user, Mapping) else None,
    ]
    return frozenset(str(each) for each in found if each)


def installed_in(body: Mapping[str, Any]) -> frozenset[str]:
    """The teams whose installation an event is for; in a shared channel it may not be its own."""
    return frozenset(
        str(each["team_id"]) for each in body.get("authorizations") or () if each.get("team_id")
    )


def states_a_team(body: Mapping[str, Any]) -> bool:
    """Whether the payload says anywhere of which team or enterprise it, or its person, is."""
    event = body.get("event")
    told = event if isinstance(event, Mapping) else {}
    return bool(
        teams_of(body)
        or enterprise_of(body)
        or body.get("authorizations")
        or any(body.get(each) for each in ("context_team_id", "context_enterprise_id"))
        or any(told.get(each) for each in ("team", "user_team", "source_team"))
        or body.get("is_ext_shared_channel")
    )


def enterprise_of(body: Mapping[str, Any]) -> str | None:
    enterprise = body.get("enterprise")
    found = body.get("enterprise_id") or (
        enterprise.get("id") if isinstance(enterprise, Mapping) else None
    )
    return str(found) if found else None
