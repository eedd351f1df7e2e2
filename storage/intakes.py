"""Intakes: what one message from Slack added, so that it can be carried on, counted, taken back.

An intake is written down before its work begins and each person is stored in
one transaction with the row that says so. A run that died is therefore carried
on (``take_up_intakes``): who was stored already is found as stored by this same
intake, and told as such. ``undo_intake`` is one transaction too.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import delete, func, update
from sqlmodel import Session, col, select

from storage.audit import write_entry
from storage.candidates import actual_id
from storage.errors import BotError
from storage.keyring import hash_key, keyed_hash
from storage.models import (
    HistoryRow,
    IntakeItemRow,
    IntakeRow,
    SourceKeyRow,
    SourceRow,
)
from storage.people import People
from storage.records import Document, Ingested, Outcome, Profile

LEASE: Final = timedelta(minutes=2)
"""How long a run may be silent until somebody else carries its intake on."""
DAY: Final = timedelta(days=1)
REREAD: Final = "reread"


class DailyLimit(BotError):
    """Somebody has added as many people in a day as one person may; nothing was added."""


class NoSuchIntake(BotError):
    """There is no record of this intake (any more)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Intake:
    """One message, form or file that people are added from."""

    id: str
    at: datetime
    by: str
    channel: str
    people: int = 0
    attempts: int = 0
    receipt_ts: str | None = None
    finished_at: datetime | None = None
    undone_at: datetime | None = None
    task: Mapping[str, Any]


class Intakes(People):
    """Adding people from Slack."""

    def begin_intake(
        self, intake_id: str, *, by: str, channel: str, task: Mapping[str, Any], now: datetime
    ) -> Intake:
        """Write an intake down, unless it is already; returns it as it stands."""
        with self.database.write() as session:
            row = session.get(IntakeRow, intake_id)
            if row is None:
                row = IntakeRow(
                    id=intake_id,
                    workspace=self.workspace,
                    at=now,
                    by=by,
                    channel=channel,
                    lease_until=now + LEASE,
                    task=dict(task),
                )
                session.add(row)
            return intake_of(row)

    def intake(self, intake_id: str) -> Intake | None:
        with self.database.read() as session:
            row = session.get(IntakeRow, intake_id)
            return None if row is None or row.workspace != self.workspace else intake_of(row)

    def note_receipt(self, intake_id: str, ts: str) -> None:
        """Remember the message that tells how the intake goes."""
        self._change_intake(intake_id, receipt_ts=ts)

    def hold_intake(self, intake_id: str, *, now: datetime) -> None:
        """Say that it is still being worked on."""
        self._change_intake(intake_id, lease_until=now + LEASE)

    def finish_intake(self, intake_id: str, *, now: datetime) -> None:
        """The work is done and told; from now on it is not carried on."""
        self._change_intake(intake_id, finished_at=now)

    def drop_intake(self, intake_id: str) -> None:
        """Forget an intake that turned out to be none (a question, say). One with people stays."""
        with self.database.write() as session:
            session.connection().execute(
                delete(IntakeRow).where(
                    col(IntakeRow.id) == intake_id,
                    col(IntakeRow.workspace) == self.workspace,
                    col(IntakeRow.people) == 0,
                )
            )

    def attempt_intake(self, intake_id: str, *, now: datetime) -> Intake | None:
        """Begin to work on an intake; ``attempts`` counts how often. None when there is none."""
        with self.database.write() as session:
            row = session.get(IntakeRow, intake_id)
            if row is None or row.workspace != self.workspace:
                return None
            row.attempts += 1
            row.lease_until = now + LEASE
            session.add(row)
            return intake_of(row)

    def take_up_intakes(self, *, now: datetime, limit: int = 10) -> list[Intake]:
        """Unfinished intakes that nobody works on any more, now leased to the caller."""
        with self.database.write() as session:
            rows = session.exec(
                select(IntakeRow)
                .where(
                    IntakeRow.workspace == self.workspace,
                    col(IntakeRow.finished_at).is_(None),
                    col(IntakeRow.lease_until) <= now,
                )
                .order_by(col(IntakeRow.at))
                .limit(limit)
            ).all()
            for row in rows:
                row.lease_until = now + LEASE
                session.add(row)
            return [intake_of(row) for row in rows]

    def add_to_intake(
        self, intake_id: str, profile: Profile, document: Document, *, daily_cap: int, now: datetime
    ) -> Ingested:
        """``add``, remembered as this intake's; whom it added already is told as the first time.

        Raises DailyLimit, and stores nothing, when ``document.added_by`` has stored or
        updated ``daily_cap`` people within the last day; NoSuchIntake when it was taken back.
        """
        with self.database.write() as session:
            intake = session.get(IntakeRow, intake_id)
            if intake is None or intake.undone_at is not None:
                raise NoSuchIntake("This was taken back meanwhile. Send the page again to add it.")
            digest = keyed_hash(hash_key(session.connection()), document.text)
            known = self._source_of(session, digest)
            if known is not None:
                before = session.get(IntakeItemRow, (known[0], intake_id, known[1]))
                if before is not None:
                    return _as_told(session, self.workspace, before, profile)
            ingested = self._add(session, profile, document, now)
            if ingested.outcome is Outcome.UNCHANGED:
                return ingested
            self._within_cap(session, document.added_by, daily_cap, now)
            kept = self._source_of(session, digest)
            session.add(
                IntakeItemRow(
                    profile_id=kept[0] if kept else ingested.candidate_id,
                    intake_id=intake_id,
                    source_id=kept[1] if kept else "",
                    outcome=REREAD if known is not None else str(ingested.outcome),
                )
            )
            intake.people += 1
            intake.lease_until = now + LEASE
            session.add(intake)
            write_entry(
                session.connection(),
                workspace=self.workspace,
                entry_id=self.new_id(),
                who=document.added_by,
                action="add",
                place=intake.channel,
                candidate_ids=[ingested.candidate_id],
                now=now,
            )
            return ingested

    def _within_cap(self, session: Session, by: str, daily_cap: int, now: datetime) -> None:
        """Raises DailyLimit when one more person is more than ``by`` may add in a day."""
        recent = (
            IntakeRow.workspace == self.workspace,
            IntakeRow.by == by,
            col(IntakeRow.at) > now - DAY,
            col(IntakeRow.undone_at).is_(None),
        )
        added = session.exec(
            select(func.coalesce(func.sum(IntakeRow.people), 0)).where(*recent)
        ).one()
        if added >= daily_cap:
            raise DailyLimit(
                f"You have added {added} people within a day, as many as one person may. "
                "Send the rest again tomorrow, or ask whoever runs the bot to load them."
            )

    def _source_of(self, session: Session, digest: str) -> tuple[str, str] | None:
        """The person and the document of this keyed hash."""
        return session.exec(
            select(SourceRow.profile_id, SourceRow.id)
            .join(
                SourceKeyRow,
                (col(SourceKeyRow.profile_id) == col(SourceRow.profile_id))
                & (col(SourceKeyRow.digest) == col(SourceRow.digest)),
            )
            .where(SourceKeyRow.workspace == self.workspace, SourceKeyRow.digest == digest)
            .order_by(col(SourceRow.version).desc())
        ).first()

    def _change_intake(self, intake_id: str, **values: object) -> None:
        with self.database.write() as session:
            session.connection().execute(
                update(IntakeRow)
                .where(col(IntakeRow.id) == intake_id, col(IntakeRow.workspace) == self.workspace)
                .values(**values)
            )


def _as_told(session: Session, workspace: str, item: IntakeItemRow, profile: Profile) -> Ingested:
    """What became of a person the first time that this intake met their page."""
    outcome = Outcome.UPDATED if item.outcome == REREAD else Outcome(item.outcome)
    changes = session.exec(
        select(HistoryRow.changes)
        .where(HistoryRow.profile_id == item.profile_id, HistoryRow.source_id == item.source_id)
        .order_by(col(HistoryRow.number).desc())
    ).first()
    return Ingested(
        outcome=outcome,
        candidate_id=actual_id(session, workspace, item.profile_id) or item.profile_id,
        name=profile.name,
        changes=tuple(changes or ()) if outcome is Outcome.UPDATED else (),
    )


def intake_of(row: IntakeRow) -> Intake:
    return Intake(
        id=row.id,
        at=row.at,
        by=row.by,
        channel=row.channel,
        people=row.people,
        attempts=row.attempts,
        receipt_ts=row.receipt_ts,
        finished_at=row.finished_at,
        undone_at=row.undone_at,
        task=dict(row.task),
    )
