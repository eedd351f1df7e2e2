"""Who asks, from where, and whether they may.

Slack's ``users.info`` says who a person is; the answer is kept for five minutes.
``handlers.access.roles`` says which role they have, ``handlers.access.rights`` what it may do.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from slack_sdk import WebClient

from handlers.access.refusals import NotAllowed
from handlers.access.rights import ChannelKind, Role, holds_in, reason_against
from handlers.access.roles import Roles
from handlers.slack.verdict import (
    UNKNOWN_METHOD,
    LaterError,
    RefusedError,
    UncertainError,
    read_again,
)

STRANGER = (
    "You belong to another company's workspace, and I only answer people of this one. "
    "Ask somebody here to look it up for you."
)
GUEST = (
    "Guests cannot ask me about candidates: I answer full members of this workspace only, and no "
    "setting of mine changes that. Ask the colleague you work with here to look it up for you."
)
DEACTIVATED = (
    "Your account here is deactivated, so I cannot answer. An admin of the workspace can activate "
    "it again."
)
NO_PERSON = "I answer people only, not other apps."
KEPT = timedelta(minutes=5)
MOST_KEPT = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """Who asks: a Slack user id or ``terminal:LOGIN``, and the zone they read dates in."""

    id: str
    timezone: str | None = None
    role: Role = Role.RECRUITER

    @property
    def admin(self) -> bool:
        return self.role is Role.ADMIN


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where it was asked. ``kind``: command, mention, direct, action, home or terminal."""

    kind: str
    channel: str | None = None
    thread: str | None = None
    channel_name: str = ""
    """As the payload calls it, where it does: only commands, clicks and shortcuts tell."""
    channel_kind: ChannelKind = ChannelKind.UNKNOWN
    """Who reads along; found out by ``handlers.access.places``."""
    why_unknown: str = ""
    """Sentences for a person, where the kind could not be found out."""
    is_fit: bool = False
    """Whether Slack said, minutes ago at most, that people may be named in the channel."""

    @property
    def is_with_us(self) -> bool:
        """A direct message with the bot: there a text is a question without ``/candidate``.

        A command may also come from a direct message between people, where it is needed.
        """
        return self.kind == "direct" or (self.kind == "action" and (self.channel or "")[:1] == "D")


TERMINAL = Place(kind="terminal", channel_kind=ChannelKind.TERMINAL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A person of Slack as ``users.info`` knows them."""

    id: str
    name: str
    timezone: str | None
    workspace_admin: bool
    refusal: NotAllowed | None = None
    """Why this person may not ask at all, or None."""
    role: Role | None = None
    """None while nobody has asked which role they have."""

    @property
    def admin(self) -> bool:
        return self.role is Role.ADMIN

    @property
    def asker(self) -> Asker:
        return Asker(id=self.id, timezone=self.timezone, role=self.role or Role.VIEWER)


def check(person: Person | Asker, action: str, place: Place, *, admins: Sequence[str] = ()) -> None:
    """Raises NotAllowed when a person may not do this there; ``admins`` are whom to ask."""
    reason = reason_against(person, action, place)
    if reason is None:
        return
    if not holds_in(action, place):  # the place itself says where to ask instead
        raise NotAllowed(place.why_unknown or reason, ask="")
    raise NotAllowed(reason, admins=admins)


class People:
    """Looks people up in Slack, each at most once in five minutes."""

    def __init__(
        self,
        client: WebClient,
        *,
        teams: frozenset[str],
        roles: Roles,
        clock: Callable[[], datetime],
    ) -> None:
        self._client = client
        self._teams = teams
        self._clock = clock
        self._kept: dict[str, tuple[datetime, Person]] = {}
        self._lock = threading.Lock()
        self.roles = roles

    @property
    def admins(self) -> tuple[str, ...]:
        """Whom a refusal names; empty when the settings name nobody."""
        return self.roles.admin_users

    def person(self, user_id: str) -> Person:
        """The person, whose role is not looked up. Raises NotAllowed when Slack cannot say."""
        now = self._clock()
        with self._lock:
            kept = self._kept.get(user_id)
        if kept and timedelta(0) <= now - kept[0] < KEPT:  # a clock set back keeps nobody longer
            return kept[1]
        try:
            user = self._asked(user_id)
        except RefusedError as refused:
            if refused.code == UNKNOWN_METHOD:
                raise NotAllowed(
                    "This Slack server does not tell me who you are, and I answer nobody whom I "
                    "do not know. Its administrator has to provide the call `users.info`.",
                    admins=self.admins,
                    ask="Ask",
                ) from refused
            raise NotAllowed(
                f"Slack does not tell me who you are ({refused.code}), so I did nothing.",
                admins=self.admins,
                ask="The bot's installation has to be checked: ask",
            ) from refused
        except (LaterError, UncertainError) as error:
            raise NotAllowed(
                "I could not check with Slack who you are, so I did nothing. "
                "Try again in a minute; if it stays so,",
                admins=self.admins,
                ask="ask",
            ) from error
        person = self._read(user)
        with self._lock:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[user_id] = (now, person)
        return person

    def _asked(self, user_id: str) -> Mapping[str, Any]:
        answer = read_again(lambda: self._client.users_info(user=user_id))
        user = answer.get("user")
        if not isinstance(user, dict):
            raise UncertainError("an answer without the user")
        return {**user, "id": user.get("id") or user_id}

    def cached(self, user_id: str) -> Person | None:
        """The person as known already, without their role; None when Slack has to be asked."""
        with self._lock:
            kept = self._kept.get(user_id)
        return kept[1] if kept and self._clock() - kept[0] < KEPT else None

    def allowed(self, user_id: str) -> Person:
        """The person with their role, when they may ask at all. Raises NotAllowed."""
        person = self.person(user_id)
        if person.refusal is not None:
            raise person.refusal
        role = self.roles.role(user_id, workspace_admin=person.workspace_admin)
        return replace(person, role=role)

    def _read(self, user: Mapping[str, Any]) -> Person:
        profile = user.get("profile") or {}
        return Person(
            id=user["id"],
            name=profile.get("display_name") or user.get("real_name") or user.get("name") or "",
            timezone=user.get("tz"),
            workspace_admin=bool(user.get("is_admin")) or bool(user.get("is_owner")),
            refusal=self._refusal(user),
        )

    def _refusal(self, user: Mapping[str, Any]) -> NotAllowed | None:
        organisation = user.get("enterprise_user") or {}
        stated = {user.get("team_id"), organisation.get("enterprise_id")}
        homes = {each for each in (*stated, *(organisation.get("teams") or ())) if each}
        # a server that states no team has answered for the team of our token
        if user.get("is_stranger") or (homes and not homes & self._teams):
            return NotAllowed(STRANGER, ask="")
        if user.get("deleted"):
            return NotAllowed(DEACTIVATED, ask="")
        if user.get("is_bot") or user["id"] == "USLACKBOT":
            return NotAllowed(NO_PERSON, ask="")
        if user.get("is_restricted") or user.get("is_ultra_restricted"):
            return NotAllowed(GUEST, ask="")
        return None
