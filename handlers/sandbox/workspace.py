"""The state of the sandbox's Slack, in memory, and the rules that hold for all who change it.

One lock guards everything: whoever does several steps takes ``workspace.lock``
(it may be taken again by the same thread). Times come from ``workspace.clock``.
"""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from threading import RLock
from typing import Any

from handlers.sandbox import cast
from handlers.sandbox.records import (
    Called,
    Change,
    Channel,
    Delivered,
    Json,
    Message,
    Refused,
    ResponsePermit,
    Token,
    Trigger,
    User,
    View,
)

TRIGGER_LIFE = timedelta(seconds=3)
RESPONSE_LIFE = timedelta(minutes=30)
RESPONSE_USES = 5
LOG_KEPT = 10_000

BOT_TOKEN = "xoxb-sandbox-bot"  # noqa: S105 - opens only this in-memory workspace
APP_TOKEN = "xapp-1-sandbox-app"  # noqa: S105
SIGNING_SECRET = "sandbox-signing-secret"  # noqa: S105


def utc_now() -> datetime:
    return datetime.now(UTC)


class Workspace:
    """A team with people, channels, messages and one installed app, the bot."""

    def __init__(
        self,
        *,
        clock: Callable[[], datetime] = utc_now,
        scopes: Iterable[str] = cast.BOT_SCOPES,
        bot_token: str = BOT_TOKEN,
        app_token: str = APP_TOKEN,
        signing_secret: str = SIGNING_SECRET,
        trigger_life: timedelta = TRIGGER_LIFE,
    ) -> None:
        self.clock = clock
        self.trigger_life = trigger_life
        self.lock = RLock()
        self.team = cast.HOME
        self.app_id = cast.APP_ID
        self.bot_id = cast.BOT_ID
        self.bot_user = cast.BOT_USER
        self.signing_secret = signing_secret
        self.commands = set(cast.COMMANDS)
        self.events = set(cast.EVENTS)
        self.shortcuts = list(cast.SHORTCUTS)
        self.users = {user.id: user for user in cast.users()}
        self.groups = {group.id: group for group in cast.groups()}
        self.channels = {channel.id: channel for channel in cast.channels()}
        self.tokens = {
            bot_token: Token(value=bot_token, kind="bot", scopes=frozenset(scopes)),
            app_token: Token(value=app_token, kind="app", scopes=cast.APP_SCOPES),
        }
        self.views: dict[str, View] = {}
        self.stacks: dict[str, list[str]] = {}  # person -> open modals, the lowest first
        self.homes: dict[str, View] = {}
        self.files: dict[str, tuple[Json, bytes]] = {}
        self.form_files: set[str] = set()  # sent in a form of the bot
        self.expected_files: dict[str, int] = {}  # of the bot, not shared yet: bytes to come
        self.deleted_files: set[str] = set()
        self.calls: list[Called] = []  # the newest LOG_KEPT, oldest first
        self.deliveries: list[Delivered] = []
        self._messages: dict[str, dict[str, Message]] = {name: {} for name in self.channels}
        self._triggers: dict[str, Trigger] = {}
        self._permits: dict[str, ResponsePermit] = {}
        self._tickets: set[str] = set()
        self._last_ts = 0
        # Begins where the clock is, so that a restarted workspace repeats no event's id.
        self._last_id = int(clock().timestamp() * 1000)
        self._listeners: list[Callable[[Change], None]] = []

    # Who and where

    @property
    def bot_token(self) -> str:
        return next(token.value for token in self.tokens.values() if token.kind == "bot")

    @property
    def app_token(self) -> str:
        return next(token.value for token in self.tokens.values() if token.kind == "app")

    def person(self, user: str) -> User:
        """The user, or Refused ``user_not_found``."""
        found = self.users.get(user)
        if found is None:
            raise Refused("user_not_found")
        return found

    def place(self, channel: str) -> Channel:
        """The channel of that id, ``#name`` or person's id (their direct message)."""
        found = self.channels.get(channel)
        if found is None and channel in self.users:
            found = self.direct_message(channel)
        if found is None:
            named = [c for c in self.channels.values() if c.name and c.name == channel.lstrip("#")]
            found = named[0] if named else None
        if found is None:
            raise Refused("channel_not_found")
        return found

    def direct_message(self, user: str) -> Channel | None:
        return next((c for c in self.channels.values() if c.person == user), None)

    def open_direct_message(self, user: str) -> Channel:
        with self.lock:
            found = self.direct_message(user)
            if found is None:
                members = {user, self.bot_user}
                name = "D" + user[1:]
                found = Channel(id=name, name="", kind="im", members=members, person=user)
                self.add_channel(found)
            return found

    def add_user(self, user: User) -> User:
        with self.lock:
            self.users[user.id] = user
            return user

    def add_channel(self, channel: Channel) -> Channel:
        with self.lock:
            self.channels[channel.id] = channel
            self._messages.setdefault(channel.id, {})
            return channel

    def may_see(self, user: str, channel: Channel) -> bool:
        """Members see a channel; members of the team (not guests) see public ones too."""
        if user in channel.members:
            return True
        person = self.users.get(user)
        at_home = person is not None and person.team == self.team.id and not person.is_any_guest
        return at_home and channel.kind == "public"

    # Identifiers and permits

    def new_id(self, prefix: str) -> str:
        with self.lock:
            self._last_id += 1
            return f"{prefix}{self._last_id:011X}"

    def new_ts(self) -> str:
        """A timestamp later than every one before, close to the clock."""
        with self.lock:
            self._last_ts = max(int(self.clock().timestamp() * 1_000_000), self._last_ts + 1)
            return as_ts(self._last_ts)

    def new_ticket(self) -> str:
        """The right to open one socket."""
        with self.lock:
            ticket = self.new_id("W")
            self._tickets.add(ticket)
            return ticket

    def use_ticket(self, ticket: str) -> bool:
        with self.lock:
            if ticket not in self._tickets:
                return False
            self._tickets.remove(ticket)
            return True

    def new_trigger(self, user: str) -> Trigger:
        with self.lock:
            trigger = Trigger(
                id=f"{self.new_id('')}.sandbox.trigger", user=user, issued=self.clock()
            )
            self._triggers[trigger.id] = trigger
            return trigger

    def exchange_trigger(self, trigger_id: str) -> Trigger:
        with self.lock:
            trigger = self._triggers.get(trigger_id)
            if trigger is None:
                raise Refused("invalid_trigger_id")
            if trigger.used:
                raise Refused("exchanged_trigger_id")
            if self.clock() - trigger.issued > self.trigger_life:
                raise Refused("expired_trigger_id")
            trigger.used = True
            return trigger

    def new_permit(
        self,
        channel: str,
        user: str,
        *,
        message_ts: str | None = None,
        thread_ts: str | None = None,
    ) -> ResponsePermit:
        with self.lock:
            permit = ResponsePermit(
                id=self.new_id("R"),
                channel=channel,
                user=user,
                issued=self.clock(),
                message_ts=message_ts,
                thread_ts=thread_ts,
            )
            self._permits[permit.id] = permit
            return permit

    def use_permit(self, permit_id: str) -> ResponsePermit:
        with self.lock:
            permit = self._permits.get(permit_id)
            if permit is None:
                raise Refused("invalid_url")
            if self.clock() - permit.issued > RESPONSE_LIFE:
                raise Refused("expired_url")
            if permit.uses >= RESPONSE_USES:
                raise Refused("used_url")
            permit.uses += 1
            return permit

    # Messages

    def messages(self, channel: str, *, viewer: str | None = None) -> list[Message]:
        """A channel's messages, oldest first: those everyone sees, and ``viewer``'s own."""
        with self.lock:
            return [
                message
                for message in self._messages.get(channel, {}).values()
                if message.only_for is None or message.only_for == viewer
            ]

    def ephemerals(self, user: str) -> list[Message]:
        """What only this person was shown, in every channel, oldest first; not their commands."""
        with self.lock:
            shown = [
                message
                for room in self._messages.values()
                for message in room.values()
                if message.only_for == user and message.command is None
            ]
            return sorted(shown, key=lambda message: message.ts)

    def message(self, channel: str, ts: str) -> Message | None:
        return self._messages.get(channel, {}).get(ts)

    def replies(self, channel: str, ts: str) -> list[Message]:
        """A thread's replies without its parent, ephemeral ones left out."""
        return [m for m in self.messages(channel) if m.thread_ts == ts and m.ts != ts]

    def post(self, message: Message) -> Message:
        with self.lock:
            self._messages[message.channel][message.ts] = message
            self._tell_message("message", message)
            if message.thread_ts and (parent := self.message(message.channel, message.thread_ts)):
                self._tell_message("changed", parent)
            return message

    def say(self, channel: str, user: str, text: str, **more: Any) -> Message:
        """Post as that user, with a new timestamp."""
        with self.lock:
            return self.post(
                Message(ts=self.new_ts(), channel=channel, user=user, text=text, **more)
            )

    def changed(self, message: Message) -> None:
        self._tell_message("changed", message)

    def delete(self, message: Message) -> None:
        with self.lock:
            self._messages[message.channel].pop(message.ts, None)
            self.tell(
                Change(
                    event={"type": "deleted", "channel": message.channel, "ts": message.ts},
                    channel=message.channel,
                    user=message.only_for,
                )
            )
            if message.thread_ts and (parent := self.message(message.channel, message.thread_ts)):
                self._tell_message("changed", parent)

    def as_page_message(self, message: Message) -> Json:
        """The message as the page shows it."""
        user = self.users.get(message.user)
        return {
            "ts": message.ts,
            "user": message.user,
            "bot": message.bot_id is not None,
            "username": message.username or (user.real_name if user else message.user),
            "text": message.text,
            "blocks": message.blocks,
            "ephemeral": message.only_for is not None,
            "thread_ts": message.thread_ts,
            "broadcast": message.broadcast,
            "reply_count": len(self.replies(message.channel, message.ts)),
            "edited": message.edited is not None,
            "command": message.command,
            "files": message.files,
        }

    # What was called and delivered

    def note_call(self, call: Called) -> None:
        with self.lock:
            self.calls.append(call)
            del self.calls[:-LOG_KEPT]

    def note_delivery(self, delivery: Delivered) -> None:
        with self.lock:
            self.deliveries.append(delivery)
            del self.deliveries[:-LOG_KEPT]

    # Those who watch

    def listen(self, listener: Callable[[Change], None]) -> Callable[[], None]:
        """Call ``listener`` at each change, in the thread that made it; returns how to stop."""
        with self.lock:
            self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def tell(self, change: Change) -> None:
        with self.lock:
            for listener in list(self._listeners):
                listener(change)

    def notice(
        self, user: str, text: str, *, channel: str | None = None, level: str = "error"
    ) -> None:
        """A line of Slack itself, for one person."""
        event = {"type": "notice", "level": level, "text": text, "channel": channel}
        self.tell(Change(event=event, user=user))

    def _tell_message(self, kind: str, message: Message) -> None:
        event = {
            "type": kind,
            "channel": message.channel,
            "message": self.as_page_message(message),
        }
        self.tell(Change(event=event, channel=message.channel, user=message.only_for))


def as_ts(microseconds: int) -> str:
    """Slack's timestamp of that many microseconds since 1970.

    >>> as_ts(1_700_000_000_000_042)
    '1700000000.000042'
    """
    return f"{microseconds // 1_000_000}.{microseconds % 1_000_000:06d}"
