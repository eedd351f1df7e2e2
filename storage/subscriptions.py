"""Subscriptions: the digests that come again, and the numbers that people type for them."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import func, update
from sqlmodel import Session, col, select

from storage.models import DigestRunRow, SubscriptionRow
from storage.records import RunState, Subscription
from storage.room import Room

SETTINGS_KEY: Final = "settings"
NOW_PREFIX: Final = "now-"
"""How the slot begins of a digest that somebody asked for with ``digest now``."""


class Subscriptions(Room):
    """Digests that come again. A number is never given twice, not even after ``stop``."""

    def save_subscription(
        self,
        *,
        channel: str,
        weekdays: Sequence[int],
        hour: int,
        minute: int,
        timezone: str,
        query: str = "",
        since: datetime,
        created_by: str,
        now: datetime,
    ) -> tuple[Subscription, bool]:
        """A new subscription and True; or the same one, if it is there already, and False.

        People added after ``since`` are news to it.
        """
        days = "".join(str(day) for day in sorted(set(weekdays)))
        with self.database.write() as session:
            same = select(SubscriptionRow).where(
                col(SubscriptionRow.workspace) == self.workspace,
                col(SubscriptionRow.channel) == channel,
                col(SubscriptionRow.weekdays) == days,
                col(SubscriptionRow.hour) == hour,
                col(SubscriptionRow.minute) == minute,
                col(SubscriptionRow.timezone) == timezone,
                col(SubscriptionRow.query) == query,
                col(SubscriptionRow.stopped).is_(False),
            )
            if found := session.exec(same).first():
                return subscription_of(found), False
            row = SubscriptionRow(
                workspace=self.workspace,
                number=self._next_number(session),
                channel=channel,
                weekdays=days,
                hour=hour,
                minute=minute,
                timezone=timezone,
                query=query,
                since=since,
                created_by=created_by,
                created_at=now,
                active_from=now,
            )
            session.add(row)
            return subscription_of(row), True

    def ensure_default(
        self,
        *,
        channel: str | None,
        weekdays: Sequence[int],
        hour: int,
        minute: int,
        timezone: str,
        query: str = "",
        since: datetime,
        now: datetime,
    ) -> Subscription | None:
        """The digest that the settings ask for; None when they ask for none.

        It is one row with the key ``settings``: changed settings change it, and
        whether it is paused stays as people left it. ``since`` counts only when
        it is made.
        """
        days = "".join(str(day) for day in sorted(set(weekdays)))
        with self.database.write() as session:
            row = session.exec(
                select(SubscriptionRow).where(
                    col(SubscriptionRow.workspace) == self.workspace,
                    col(SubscriptionRow.key) == SETTINGS_KEY,
                )
            ).first()
            if channel is None:
                if row is not None:
                    row.stopped = True
                return None
            if row is None:
                row = SubscriptionRow(
                    workspace=self.workspace,
                    number=self._next_number(session),
                    channel=channel,
                    weekdays=days,
                    hour=hour,
                    minute=minute,
                    timezone=timezone,
                    since=since,
                    created_by=SETTINGS_KEY,
                    created_at=now,
                    active_from=now,
                    key=SETTINGS_KEY,
                )
            when = (row.weekdays, row.hour, row.minute, row.timezone)
            if row.stopped or when != (days, hour, minute, timezone):
                row.active_from = now
            row.channel, row.query, row.stopped = channel, query, False
            row.weekdays, row.hour, row.minute, row.timezone = days, hour, minute, timezone
            session.add(row)
            return subscription_of(row)

    def subscriptions(self, *, stopped: bool = False) -> list[Subscription]:
        """All that are not stopped (or all), by number."""
        query = select(SubscriptionRow).where(col(SubscriptionRow.workspace) == self.workspace)
        if not stopped:
            query = query.where(col(SubscriptionRow.stopped).is_(False))
        with self.database.read() as session:
            rows = session.exec(query.order_by(col(SubscriptionRow.number))).all()
            return [subscription_of(row) for row in rows]

    def subscription(self, number: int) -> Subscription | None:
        """The one of this number, stopped or not."""
        with self.database.read() as session:
            row = session.get(SubscriptionRow, (self.workspace, number))
            return None if row is None else subscription_of(row)

    def pause_subscription(self, number: int) -> int | None:
        """No more digests until it is resumed; one that is being sent goes out.

        Returns how many that ``digest now`` had asked for are not sent; None for no such number.
        """
        return self._end(number, enabled=False)

    def resume_subscription(self, number: int, *, now: datetime) -> Subscription | None:
        """Digests come again: the slots that passed meanwhile are not made up for."""
        return self._change(number, enabled=True, active_from=now)

    def stop_subscription(self, number: int) -> int | None:
        """It is over; the number stays taken. Returns what ``pause_subscription`` does."""
        return self._end(number, stopped=True)

    def place_subscription(self, number: int, channel: str) -> Subscription | None:
        """Keep the id that a channel's name turned out to mean."""
        return self._change(number, channel=channel)

    def _change(self, number: int, **values: object) -> Subscription | None:
        with self.database.write() as session:
            row = session.get(SubscriptionRow, (self.workspace, number))
            if row is None:
                return None
            for name, value in values.items():
                setattr(row, name, value)
            session.add(row)
            return subscription_of(row)

    def _end(self, number: int, **values: object) -> int | None:
        """Change it, and take back what nobody has begun to send: how many were asked for."""
        with self.database.write() as session:
            row = session.get(SubscriptionRow, (self.workspace, number))
            if row is None:
                return None
            for name, value in values.items():
                setattr(row, name, value)
            session.add(row)
            waiting = (  # begun ones hold people and go out
                col(DigestRunRow.workspace) == self.workspace,
                col(DigestRunRow.subscription) == number,
                col(DigestRunRow.state) == RunState.READY,
                col(DigestRunRow.attempt) == 0,
            )
            asked = session.exec(
                select(func.count())
                .select_from(DigestRunRow)
                .where(*waiting, col(DigestRunRow.slot).startswith(NOW_PREFIX))
            ).one()
            session.exec(update(DigestRunRow).where(*waiting).values(state=RunState.SKIPPED))
            return asked

    def _next_number(self, session: Session) -> int:
        highest = session.exec(
            select(func.max(col(SubscriptionRow.number))).where(
                col(SubscriptionRow.workspace) == self.workspace
            )
        ).one()
        return (highest or 0) + 1


def subscription_of(row: SubscriptionRow) -> Subscription:
    """The value of a row."""
    return Subscription(
        number=row.number,
        channel=row.channel,
        weekdays=_days(row.weekdays),
        hour=row.hour,
        minute=row.minute,
        timezone=row.timezone,
        query=row.query,
        since=row.since,
        enabled=row.enabled,
        stopped=row.stopped,
        created_by=row.created_by,
        created_at=row.created_at,
        active_from=row.active_from,
        key=row.key,
    )


def _days(digits: Iterable[str]) -> tuple[int, ...]:
    return tuple(int(digit) for digit in digits)
