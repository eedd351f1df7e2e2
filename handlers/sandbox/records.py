"""What a workspace is made of: people, channels, messages, views and the permits it hands out.

Identifiers look like Slack's (``U…``, ``C…``, ``D…``, ``T…``), message
timestamps are Slack's strings ``"seconds.microseconds"``, moments are aware
UTC datetimes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

Json = dict[str, Any]
ChannelKind = Literal["public", "private", "im", "mpim", "shared"]


class Refused(Exception):
    """Slack says no: ``code`` is Slack's own error code, ``extra`` goes beside it."""

    def __init__(self, code: str, **extra: Any) -> None:
        super().__init__(code)
        self.code = code
        self.extra = extra


@dataclass(slots=True, kw_only=True)
class Team:
    id: str
    name: str
    domain: str


@dataclass(slots=True, kw_only=True)
class User:
    id: str
    name: str
    real_name: str
    team: str
    tz: str = "Etc/UTC"
    email: str = ""
    color: str = "4a6fa5"
    is_bot: bool = False
    is_guest: bool = False
    is_single_channel_guest: bool = False
    is_admin: bool = False
    deleted: bool = False

    @property
    def is_any_guest(self) -> bool:
        return self.is_guest or self.is_single_channel_guest

    def to_slack(self, *, home_team: str, now: datetime, with_email: bool) -> Json:
        """The user as ``users.info`` shows it; offsets are seconds east of UTC at ``now``."""
        zone = ZoneInfo(self.tz)
        local = now.astimezone(zone)
        offset = local.utcoffset()
        profile: Json = {
            "real_name": self.real_name,
            "real_name_normalized": self.real_name,
            "display_name": self.real_name.split()[0],
            "display_name_normalized": self.real_name.split()[0],
            "team": self.team,
        }
        if with_email and self.email:
            profile["email"] = self.email
        return {
            "id": self.id,
            "team_id": self.team,
            "name": self.name,
            "deleted": self.deleted,
            "color": self.color,
            "real_name": self.real_name,
            "tz": self.tz,
            "tz_label": local.tzname() or self.tz,
            "tz_offset": int(offset.total_seconds()) if offset is not None else 0,
            "profile": profile,
            "is_admin": self.is_admin,
            "is_owner": False,
            "is_primary_owner": False,
            "is_restricted": self.is_any_guest,
            "is_ultra_restricted": self.is_single_channel_guest,
            "is_bot": self.is_bot,
            "is_app_user": False,
            "is_stranger": self.team != home_team,
            "updated": 1_700_000_000,
        }


@dataclass(slots=True, kw_only=True)
class Group:
    """A user group, mentioned by its handle."""

    id: str
    handle: str
    name: str
    members: set[str]

    def to_slack(self, *, team: str, with_users: bool) -> Json:
        shown: Json = {
            "id": self.id,
            "team_id": team,
            "is_usergroup": True,
            "is_subteam": True,
            "is_external": False,
            "name": self.name,
            "description": "",
            "handle": self.handle,
            "date_create": 1_700_000_000,
            "date_update": 1_700_000_000,
            "date_delete": 0,
            "auto_type": None,
            "prefs": {"channels": [], "groups": []},
            "user_count": len(self.members),
        }
        if with_users:
            shown["users"] = sorted(self.members)
        return shown


@dataclass(slots=True, kw_only=True)
class Channel:
    id: str
    name: str
    kind: ChannelKind
    members: set[str]
    topic: str = ""
    archived: bool = False
    person: str | None = None  # whose direct message with the bot this is

    @property
    def is_hidden(self) -> bool:
        """Only its members may know that it exists."""
        return self.kind in {"private", "im", "mpim"}


@dataclass(slots=True, kw_only=True)
class Message:
    ts: str
    channel: str
    user: str
    text: str
    bot_id: str | None = None
    blocks: list[Json] | None = None
    thread_ts: str | None = None
    broadcast: bool = False
    only_for: str | None = None  # ephemeral: the one person who sees it
    metadata: Json | None = None
    edited: str | None = None
    command: str | None = None  # what its author typed, shown to nobody else
    files: list[Json] = field(default_factory=list)
    username: str | None = None
    unfurl_links: bool = True
    unfurl_media: bool = True

    @property
    def is_reply(self) -> bool:
        return self.thread_ts is not None and self.thread_ts != self.ts


@dataclass(slots=True, kw_only=True)
class View:
    id: str
    user: str
    body: Json  # as the bot sent it, with identifiers filled in
    hash: str
    root: str
    previous: str | None = None
    state: Json = field(default_factory=dict)

    @property
    def kind(self) -> str:
        return str(self.body["type"])

    def to_slack(self, *, team: str, app: str, bot: str) -> Json:
        return {
            "id": self.id,
            "team_id": team,
            "type": self.kind,
            "blocks": self.body.get("blocks", []),
            "private_metadata": self.body.get("private_metadata", ""),
            "callback_id": self.body.get("callback_id", ""),
            "state": {"values": self.state},
            "hash": self.hash,
            "title": self.body.get("title"),
            "clear_on_close": bool(self.body.get("clear_on_close", False)),
            "notify_on_close": bool(self.body.get("notify_on_close", False)),
            "close": self.body.get("close"),
            "submit": self.body.get("submit"),
            "previous_view_id": self.previous,
            "root_view_id": self.root,
            "app_id": app,
            "external_id": self.body.get("external_id", ""),
            "app_installed_team_id": team,
            "bot_id": bot,
        }


@dataclass(slots=True, kw_only=True)
class Trigger:
    """The right to open one modal: valid for 3 seconds, once."""

    id: str
    user: str
    issued: datetime
    used: bool = False


@dataclass(slots=True, kw_only=True)
class ResponsePermit:
    """A ``response_url``: 5 uses within 30 minutes."""

    id: str
    channel: str
    user: str
    issued: datetime
    message_ts: str | None = None  # the message whose button was pressed
    thread_ts: str | None = None
    uses: int = 0


@dataclass(slots=True, kw_only=True)
class Token:
    value: str
    kind: Literal["bot", "app"]
    scopes: frozenset[str]
    state: Literal["active", "revoked", "inactive"] = "active"


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """One call of the Web API, as the log keeps it."""

    method: str
    args: Mapping[str, Any]
    at: datetime
    ok: bool
    error: str | None = None
    status: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivered:
    """One thing handed to the bot: how it went and how long until it was acknowledged."""

    kind: Literal["slash_commands", "interactive", "events_api"]
    key: str  # envelope or event id
    via: Literal["socket", "http"]
    retry: int
    seconds: float
    error: str | None = None  # operation_timeout, http_service_error, …
    body: Json | None = None  # what the acknowledgement carried


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Something a page may want to show; ``channel`` and ``user`` say to whom."""

    event: Json
    channel: str | None = None
    user: str | None = None
