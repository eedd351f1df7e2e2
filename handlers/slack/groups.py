"""Members of Slack's user groups, asked anew every five minutes.

When Slack cannot be asked, the last answer holds for at most an hour; after that
nobody is let in by a group until Slack answers again.
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Generic, TypeVar

import structlog
from slack_sdk import WebClient

from handlers.slack.verdict import LaterError, RefusedError, UncertainError, judged, listed

log = structlog.get_logger(__name__)

KEPT: Final = timedelta(minutes=5)
LAST: Final = timedelta(hours=1)
"""How long the last answer holds while Slack gives no other."""
PAUSE: Final = timedelta(seconds=15)
"""How long Slack is left alone after it could not be asked."""
GONE: Final = frozenset({"no_such_subteam", "subteam_not_found"})
"""Slack knows no such group (any more): it has no members."""

T = TypeVar("T")


class GroupsUnknown(Exception):
    """Slack does not say who is in a group, and the last answer is too old; ``code`` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(slots=True)
class Kept(Generic[T]):
    value: T
    known_at: datetime
    ask_at: datetime


class Groups:
    """Who is in which group. A group is its id (``S…``) or its ``@handle``."""

    def __init__(self, client: WebClient, *, clock: Callable[[], datetime]) -> None:
        self._client = client
        self._clock = clock
        self._handles: dict[str, Kept[Mapping[str, str]]] = {}
        self._members: dict[str, Kept[frozenset[str]]] = {}
        self._silent: dict[str, tuple[datetime, str]] = {}
        self._asking = threading.Lock()

    def members(self, group: str) -> frozenset[str]:
        """User ids of a group; none when there is no such group. Raises GroupsUnknown."""
        group_id = self._id_of(group)
        if group_id is None:
            log.warning("groups.unknown", group=group)
            return frozenset()
        return self._remembered(self._members, group_id, lambda: self._ask_members(group_id))

    def exists(self, group: str) -> bool:
        """Whether Slack knows the group. Raises GroupsUnknown."""
        known = self._all()
        return self._id_of(group) is not None and self._id_of(group) in known.values()

    def _id_of(self, group: str) -> str | None:
        if group.startswith("S") and group.isupper():
            return group
        return self._all().get(group.removeprefix("@").lower())

    def _all(self) -> Mapping[str, str]:
        """Handle → id of every group."""
        return self._remembered(self._handles, "", self._ask_handles)

    def _ask_handles(self) -> Mapping[str, str]:
        with judged():
            answer = self._client.usergroups_list()
        groups = listed(answer, "usergroups")
        return {
            str(each["handle"]).lower(): str(each["id"])
            for each in groups
            if each.get("handle") and each.get("id")
        }

    def _ask_members(self, group_id: str) -> frozenset[str]:
        try:
            with judged():
                answer = self._client.usergroups_users_list(usergroup=group_id)
        except RefusedError as refused:
            if refused.code in GONE:
                log.warning("groups.unknown", group=group_id)
                return frozenset()
            raise
        return frozenset(str(user) for user in listed(answer, "users"))

    def _remembered(self, kept: dict[str, Kept[T]], key: str, ask: Callable[[], T]) -> T:
        """What is known, asked anew when it is old. One thread asks, the others use what is known
        or wait, since Slack takes twenty such questions a minute."""
        known = kept.get(key)
        if known is not None and self._clock() < known.ask_at:
            return known.value
        if known is None or not self._holds(known):
            self._asking.acquire()
        elif not self._asking.acquire(blocking=False):
            return known.value
        try:
            return self._asked(kept, key, ask)
        finally:
            self._asking.release()

    def _asked(self, kept: dict[str, Kept[T]], key: str, ask: Callable[[], T]) -> T:
        now, known = self._clock(), kept.get(key)
        if known is not None and now < known.ask_at:  # somebody else has asked meanwhile
            return known.value
        until, code = self._silent.get(key, (now, ""))
        if now < until:
            raise GroupsUnknown(code)
        try:
            value = ask()
        except (LaterError, RefusedError, UncertainError) as trouble:
            code = trouble.code if isinstance(trouble, RefusedError) else "no answer"
            if known is None or not self._holds(known):
                self._silent[key] = (now + PAUSE, code)
                raise GroupsUnknown(code) from trouble
            log.warning("groups.outage", reason=code)
            known.ask_at = min(now + PAUSE, known.known_at + LAST)
            return known.value
        kept[key] = Kept(value, now, now + KEPT)
        return value

    def _holds(self, known: Kept[T]) -> bool:
        """Whether an answer may still be used although Slack gives no other."""
        return self._clock() - known.known_at <= LAST
