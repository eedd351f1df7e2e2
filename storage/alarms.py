"""Alarms: what admins, or one person, are to be told once. No alarm names a candidate."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import insert, or_, update
from sqlmodel import col, select

from storage.models import AlarmRow
from storage.records import Alarm
from storage.room import Room


class Alarms(Room):
    """Raising alarms, and who has been told."""

    def raise_alarm(self, *, key: str, audience: str, text: str, now: datetime) -> bool:
        """Keep an alarm until it is told: True when none of this ``key`` was raised before.

        ``audience`` is ``admins`` or a Slack user id. ``text`` are sentences for them;
        ``<@U…>`` in it becomes a mention.
        """
        with self.database.write() as session:
            if session.get(AlarmRow, (self.workspace, key)) is not None:
                return False
            session.connection().execute(
                insert(AlarmRow).values(
                    workspace=self.workspace,
                    key=key,
                    at=now,
                    audience=audience,
                    text=text,
                    heard_by=[],
                )
            )
            return True

    def alarm_raised_at(self, key: str) -> datetime | None:
        """When the alarm of this key was raised; None when it was not."""
        with self.database.read() as session:
            row = session.get(AlarmRow, (self.workspace, key))
            return row.at if row is not None else None

    def untold_alarms(self) -> list[Alarm]:
        """Alarms that not everybody of their audience was told of, oldest first."""
        with self.database.read() as session:
            rows = session.exec(
                select(AlarmRow)
                .where(AlarmRow.workspace == self.workspace, col(AlarmRow.told_at).is_(None))
                .order_by(col(AlarmRow.at), col(AlarmRow.key))
            )
            return [_value(row) for row in rows]

    def claim_alarm(self, *, now: datetime, until: datetime) -> Alarm | None:
        """The oldest alarm to be told that nobody is telling; the caller's ``until`` then."""
        with self.database.write() as session:
            row = session.exec(
                select(AlarmRow)
                .where(
                    AlarmRow.workspace == self.workspace,
                    col(AlarmRow.told_at).is_(None),
                    or_(col(AlarmRow.held_until).is_(None), col(AlarmRow.held_until) <= now),
                )
                .order_by(col(AlarmRow.at), col(AlarmRow.key))
                .limit(1)
            ).first()
            if row is None:
                return None
            row.held_until = until
            session.add(row)
            return _value(row)

    def alarm_held(self, key: str, *, until: datetime) -> None:
        """Nobody tells this alarm before ``until``."""
        with self.database.write() as session:
            session.exec(
                update(AlarmRow)
                .where(col(AlarmRow.workspace) == self.workspace, col(AlarmRow.key) == key)
                .values(held_until=until)
            )

    def alarm_heard(self, key: str, by: Sequence[str]) -> None:
        """These people were told; they are not told again."""
        with self.database.write() as session:
            row = session.get(AlarmRow, (self.workspace, key))
            if row is not None:
                row.heard_by = sorted({*row.heard_by, *by})
                session.add(row)

    def alarm_told(self, key: str, *, now: datetime) -> None:
        """Everybody whom the alarm concerns was told."""
        with self.database.write() as session:
            session.exec(
                update(AlarmRow)
                .where(col(AlarmRow.workspace) == self.workspace, col(AlarmRow.key) == key)
                .values(told_at=now, held_until=None)
            )


def _value(row: AlarmRow) -> Alarm:
    return Alarm(
        key=row.key,
        at=row.at,
        audience=row.audience,
        text=row.text,
        heard_by=tuple(row.heard_by),
    )
