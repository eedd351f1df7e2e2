"""Answers that were given: what the audit keeps of each, and what changed since.

The order of the people whom an answer found is kept with whom its entry is about, so it goes
with somebody who is erased, and the places of the others stay.
"""

from datetime import datetime
from typing import Final

from sqlalchemy import func
from sqlmodel import col, select

from storage.audit import ERASURES
from storage.models import AnswerRow, AuditRow, AuditSubjectRow, ProfileRow
from storage.records import Answered, AuditEntry, PastAnswer, Since
from storage.room import Room

MARKS: Final = ("stand", "lift")


class PastAnswers(Room):
    """Reading what was answered."""

    def past_answer(self, number: int) -> PastAnswer | None:
        """The entry of this number, as an answer; None where there is none."""
        with self.database.read() as session:
            row = session.exec(
                select(AuditRow).where(
                    AuditRow.workspace == self.workspace, AuditRow.number == number
                )
            ).first()
            if row is None:
                return None
            answer = session.get(AnswerRow, (self.workspace, number))
            subjects = session.exec(
                select(AuditSubjectRow).where(AuditSubjectRow.audit_id == row.id)
            ).all()
            return PastAnswer(
                entry=AuditEntry(
                    number=row.number,
                    at=row.at,
                    who=row.who,
                    action=row.action,
                    place=row.place,
                    text=row.text,
                    candidate_ids=tuple(sorted(each.profile_id for each in subjects)),
                ),
                answered=_answered(answer),
                shown={
                    each.position: each.profile_id for each in subjects if each.position is not None
                },
                emptied=not row.text,
            )

    def newest_entry(self) -> int:
        """The number of the newest entry of the audit; 0 without any."""
        with self.database.read() as session:
            newest = select(func.max(AuditRow.number)).where(AuditRow.workspace == self.workspace)
            return session.exec(newest).one() or 0

    def changed_since(self, at: datetime, number: int) -> Since:
        """What changed of the people who are stored after a moment, that of entry ``number``."""
        ours = col(ProfileRow.workspace) == self.workspace
        later = (col(AuditRow.workspace) == self.workspace) & (col(AuditRow.number) > number)
        with self.database.read() as session:
            people = select(func.count()).select_from(ProfileRow).where(ours)
            entries = select(func.count()).select_from(AuditRow).where(later)
            added = col(ProfileRow.added_at) > at
            return Since(
                added=session.exec(people.where(added)).one(),
                changed=session.exec(people.where(~added, col(ProfileRow.updated_at) > at)).one(),
                erasures=session.exec(entries.where(col(AuditRow.action).in_(ERASURES))).one(),
                marks=session.exec(entries.where(col(AuditRow.action).in_(MARKS))).one(),
            )


def _answered(row: AnswerRow | None) -> Answered | None:
    if row is None:
        return None
    return Answered(
        ranking=row.ranking,
        zone=row.zone,
        start=row.start,
        people=row.people,
        total=row.total,
    )
