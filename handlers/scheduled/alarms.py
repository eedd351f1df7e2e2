"""Alarms: raised once, told once to each whom they concern.

``look_for_bulk_reading`` raises one a day about somebody who looks at more different
people than the settings say. ``tell_alarms`` tells admins, or one person, by direct
message. While nobody can be told it says so in the log, once an hour, and ``doctor``
lists what is untold.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

import structlog
from slack_sdk import WebClient

from handlers.slack.groups import GroupsUnknown
from handlers.slack.telling import Admins, tell
from handlers.views.alarm import alarm_message
from storage.audit import SHOWN
from storage.records import Alarm
from storage.store import Store

log = structlog.get_logger(__name__)

ADMINS: Final = "admins"
LEASE: Final = timedelta(minutes=2)
"""How long one process tells an alarm before another may."""
NOBODY: Final = timedelta(hours=1)
"""When an alarm that nobody could be told is tried again."""
DAY: Final = timedelta(days=1)


def tell_alarms(
    store: Store, client: WebClient, clock: Callable[[], datetime], admins: Admins
) -> None:
    """Tell every alarm that is untold. ``admins`` may raise GroupsUnknown."""
    while alarm := store.claim_alarm(now=clock(), until=clock() + LEASE):
        try:
            audience = audience_of(alarm, admins)
        except GroupsUnknown as unknown:
            log.warning("alarm waits", key=alarm.key, error=unknown.code)
            continue
        heard = set(alarm.heard_by)
        key = alarm.key

        def told(person: str, key: str = key, heard: set[str] = heard) -> None:
            heard.add(person)
            store.alarm_heard(key, [person])

        left = [person for person in audience if person not in heard]
        if not tell(client, clock, left, alarm_message(alarm), told):
            continue  # told again after the lease
        if heard:
            store.alarm_told(key, now=clock())
        else:
            log.error("nobody to tell of an alarm", key=key)
            store.alarm_held(key, until=clock() + NOBODY)


def audience_of(alarm: Alarm, admins: Admins) -> tuple[str, ...]:
    return tuple(admins()) if alarm.audience == ADMINS else (alarm.audience,)


def look_for_bulk_reading(store: Store, clock: Callable[[], datetime], more_than: int) -> None:
    """Raise an alarm, at most one a day about each, for whoever looks at very many people."""
    now = clock()
    readers = store.bulk_readers(since=now - DAY, actions=SHOWN, more_than=more_than)
    for who, people in sorted(readers.items()):
        before = store.alarm_raised_at(f"reading:{who}:{now - DAY:%Y-%m-%d}")
        if before is not None and now - before < DAY:
            continue
        is_new = store.raise_alarm(
            key=f"reading:{who}:{now:%Y-%m-%d}",
            audience=ADMINS,
            text=f"{_named(who)} has looked at {people:,} different people within 24 hours. "
            f"I tell you when it is more than {more_than:,}. "
            f"`/candidate audit {who}` shows what was done.",
            now=now,
        )
        if is_new:
            log.warning("bulk reading", user=who, people=people)


def _named(who: str) -> str:
    return f"<@{who}>" if who.startswith(("U", "W")) else who
