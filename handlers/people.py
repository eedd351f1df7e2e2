"""Who asks, from where, and whether they may.

Slack's ``users.info`` says who a person is; the answer is kept for five minutes.
What each role may do stands in one table, and what is not in it is refused.
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from slack_sdk import WebClient

from handlers.verdict import LaterError, RefusedError, UncertainError, judged
from storage.errors import BotError

STRANGER = (
    "You belong to another company's workspace, and I only answer people of this one. "
    "Ask somebody here to look it up for you."
)
KEPT = timedelta(minutes=5)
MOST_KEPT = 5_000


class Role(StrEnum):
    RECRUITER = "recruiter"
    ADMIN = "admin"


MAY: Mapping[str, frozenset[Role]] = {
    "ask": frozenset({Role.RECRUITER, Role.ADMIN}),
    "share": frozenset({Role.RECRUITER, Role.ADMIN}),
    "withdraw": frozenset({Role.RECRUITER, Role.ADMIN}),
    "digest": frozenset({Role.RECRUITER, Role.ADMIN}),
    "take_up": frozenset({Role.RECRUITER, Role.ADMIN}),
    "stand": frozenset({Role.RECRUITER, Role.ADMIN}),
    "lift": frozenset({Role.ADMIN}),
    "forget": frozenset({Role.ADMIN}),
    "report": frozenset({Role.ADMIN}),
    "duties": frozenset({Role.ADMIN}),
}


class NotAllowed(BotError):
    """A person who may not use the bot; the sentence says why and whom to ask."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """Who asks: a Slack user id or ``terminal:LOGIN``, and the zone they read dates in."""

    id: str
    timezone: str | None = None
    admin: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where it was asked. ``kind``: command, mention, direct, action, home or terminal."""

    kind: str
    channel: str | None = None
    thread: str | None = None


TERMINAL = Place(kind="terminal")


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A person of Slack as ``users.info`` knows them."""

    id: str
    name: str
    timezone: str | None
    admin: bool
    refusal: str | None = None
    """Why this person may not ask, or None."""

    @property
    def role(self) -> Role:
        return Role.ADMIN if self.admin else Role.RECRUITER

    @property
    def asker(self) -> Asker:
        return Asker(id=self.id, timezone=self.timezone, admin=self.admin)


def may(person: Person, action: str) -> bool:
    """Whether a person may do this; an action that is not in the table nobody may."""
    return person.refusal is None and person.role in MAY.get(action, frozenset())


def check_command(asker: Asker, action: str) -> None:
    """Raises NotAllowed when who typed a command may not do what it does."""
    role = Role.ADMIN if asker.admin else Role.RECRUITER
    if role not in MAY.get(action, frozenset()):
        raise NotAllowed("Only an admin of the bot may do this. Ask one of them.")


def check(person: Person, action: str) -> None:
    """Raises NotAllowed when a person may not do this."""
    if not may(person, action):
        raise NotAllowed("You may not do this here. Ask whoever runs the bot.")


class People:
    """Looks people up in Slack, each at most once in five minutes."""

    def __init__(
        self,
        client: WebClient,
        *,
        teams: frozenset[str],
        admins: tuple[str, ...],
        clock: Callable[[], datetime],
    ) -> None:
        self._client = client
        self._teams = teams
        self._admins = admins
        self._clock = clock
        self._kept: dict[str, tuple[datetime, Person]] = {}
        self._lock = threading.Lock()

    def person(self, user_id: str) -> Person:
        """The person. Raises NotAllowed when Slack cannot say who it is."""
        now = self._clock()
        with self._lock:
            kept = self._kept.get(user_id)
        if kept and now - kept[0] < KEPT:
            return kept[1]
        try:
            with judged():
                answer = self._client.users_info(user=user_id)
        except RefusedError as refused:
            raise NotAllowed(
                f"Slack does not tell me who you are ({refused.code}), so I did nothing. "
                "Ask whoever runs the bot to check its installation."
            ) from refused
        except (LaterError, UncertainError) as error:
            raise NotAllowed(
                "I could not check with Slack who you are, so I did nothing. Try again in a minute."
            ) from error
        person = self._read(answer["user"])
        with self._lock:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[user_id] = (now, person)
        return person

    def allowed(self, user_id: str) -> Person:
        """The person, when they may ask at all. Raises NotAllowed with the reason."""
        person = self.person(user_id)
        if person.refusal:
            raise NotAllowed(person.refusal)
        return person

    def _read(self, user: Mapping[str, Any]) -> Person:
        profile = user.get("profile") or {}
        return Person(
            id=user["id"],
            name=profile.get("display_name") or user.get("real_name") or user.get("name") or "",
            timezone=user.get("tz"),
            admin=user["id"] in self._admins
            or bool(user.get("is_admin"))
            or bool(user.get("is_owner")),
            refusal=self._refusal(user),
        )

    def _refusal(self, user: Mapping[str, Any]) -> str | None:
        organisation = user.get("enterprise_user") or {}
        stated = {user.get("team_id"), organisation.get("enterprise_id")}
        homes = {each for each in (*stated, *(organisation.get("teams") or ())) if each}
        if user.get("deleted"):
            return "Your account here is deactivated, so I cannot answer."
        if user.get("is_bot") or user["id"] == "USLACKBOT":
            return "I answer people only, not other apps."
        if user.get("is_restricted") or user.get("is_ultra_restricted"):
            return (
                "Guests cannot ask me about candidates. If you should be able to, ask an admin "
                "of this workspace to make you a full member."
            )
        # a server that states no team has answered for the team of our token
        if user.get("is_stranger") or (homes and not homes & self._teams):
            return STRANGER
        return None
