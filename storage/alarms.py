"""Alarms: what admins, or one person, are to be told once. No alarm names a candidate."""

from datetime import datetime

from sqlalchemy import insert

from storage.models import AlarmRow
from storage.room import Room


class Alarms(Room):
    """Raising alarms."""

    def raise_alarm(self, *, key: str, audience: str, text: str, now: datetime) -> bool:
        """Keep an alarm until it is told: True when none of this ``key`` was raised before."""
        with self.database.write() as session:
            if session.get(AlarmRow, (self.workspace, key)) is not None:
                return False
            session.connection().execute(
                insert(AlarmRow).values(
                    workspace=self.workspace, key=key, at=now, audience=audience, text=text
                )
            )
            return True
