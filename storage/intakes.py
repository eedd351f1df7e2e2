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
from storage.changes import describe_changes
from storage.erasing import erase_person
from storage.errors import BotError
from storage.keyring import hash_key, keyed_hash
from storage.models import (
    HistoryRow,
    IntakeItemRow,
    IntakeRow,
    PostedMessageRow,
    PostedPersonRow,
    ProfileRow,
    SourceKeyRow,
    SourceRow,
)
from storage.people import People, remember
from storage.profile_json import profile_from_document
from storage.records import Document, Ingested, Outcome, Profile

LEASE: Final = timedelta(minutes=2)
"""How long a run may be silent until somebody else carries its intake on."""
DAY: Final = timedelta(days=1)
REREAD: Final = "reread"


class DailyLimit(BotError):
    """Somebody has added as many people in a day as one person may; nothing was added."""


class NotYours(BotError):
    """An intake is taken back by who added it, or by an admin."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A message of ours that stands in a channel and names people who are no longer stored.

    ``kind`` is ``digest``, ``card``, ``answer`` or ``receipt``.
    """

    channel: str
    ts: str
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """What taking an intake back did. ``again``: it was taken back before, and nothing was done."""

    intake: Intake
    removed: int = 0
    """How many people are no longer stored."""
    restored: tuple[str, ...] = ()
    """Ids of people who are again what an earlier document says of them."""
    left: tuple[str, ...] = ()
    """Ids of people who stay as they are, because a later document speaks of them."""
    named_in: tuple[Named, ...] = ()
    """Messages that name those who were removed."""
    again: bool = False


class Intakes(People):
    """Adding people from Slack, and taking it back."""

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
            return _intake_of(row)

    def intake(self, intake_id: str) -> Intake | None:
        with self.database.read() as session:
            row = session.get(IntakeRow, intake_id)
            return None if row is None or row.workspace != self.workspace else _intake_of(row)

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
            return _intake_of(row)

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
            return [_intake_of(row) for row in rows]

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
                    return _as_told(session, before, profile)
            ingested = self._add(session, profile, document, now)
            if ingested.outcome is Outcome.UNCHANGED:
                return ingested
            self._within_cap(session, document.added_by, daily_cap, now)
            kept = self._source_of(session, digest)
            session.add(
                IntakeItemRow(
                    profile_id=ingested.candidate_id,
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

    def undo_intake(self, intake_id: str, *, by: str, admin: bool, now: datetime) -> Undone:
        """Take back what an intake did to people, all of it or nothing; the second time nothing.

        Whom no other document speaks of is removed; whom an earlier one speaks of is
        what that says again. Who got a later document meanwhile is left as they are.
        Raises NoSuchIntake, or NotYours for anybody but the adder and admins.
        """
        with self.database.write() as session:
            row = session.get(IntakeRow, intake_id)
            if row is None or row.workspace != self.workspace:
                raise NoSuchIntake(
                    "I have no record of this any more, so there is nothing to undo."
                )
            if row.by != by and not admin:
                raise NotYours("Only the person who added these people, or an admin, can undo it.")
            if row.undone_at is not None:
                return Undone(intake=_intake_of(row), again=True)
            brought: dict[str, set[str]] = {}
            for item in session.exec(
                select(IntakeItemRow)
                .where(IntakeItemRow.intake_id == intake_id)
                .order_by(col(IntakeItemRow.profile_id))
            ):
                actual = actual_id(session, self.workspace, item.profile_id)
                if actual is not None and item.outcome != REREAD:
                    brought.setdefault(actual, set()).add(item.source_id)
            number = write_entry(
                session.connection(),
                workspace=self.workspace,
                entry_id=self.new_id(),
                who=by,
                action="undo",
                place=row.channel,
                candidate_ids=tuple(brought),
                now=now,
            )
            removed, restored, left = 0, [], []
            named: dict[tuple[str, str], Named] = {}
            for profile_id, source_ids in brought.items():
                rest = self._without(session, profile_id, source_ids)
                if rest is None:
                    left.append(profile_id)
                elif rest:
                    self._restore(session, profile_id, source_ids, rest[0], by, now)
                    restored.append(profile_id)
                else:
                    named |= {
                        (each.channel, each.ts): each
                        for each in self._named_in(session, profile_id)
                        if (each.channel, each.ts) != (row.channel, row.receipt_ts)
                    }
                    erase_person(session, self.database.text_index, profile_id, told_by=number)
                    removed += 1
            row.undone_at = now
            row.finished_at = row.finished_at or now
            session.add(row)
            return Undone(
                intake=_intake_of(row),
                removed=removed,
                restored=tuple(restored),
                left=tuple(left),
                named_in=tuple(named.values()),
            )

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

    def _without(
        self, session: Session, profile_id: str, source_ids: set[str]
    ) -> list[SourceRow] | None:
        """The person's other documents, newest first; None when the person has to stay as is."""
        sources = session.exec(
            select(SourceRow)
            .where(SourceRow.profile_id == profile_id)
            .order_by(col(SourceRow.version).desc())
        ).all()
        rest = [source for source in sources if source.id not in source_ids]
        if not sources or sources[0].id not in source_ids:
            return None
        # an earlier program kept no reading of its documents: nothing to go back to
        return None if rest and rest[0].document is None else rest

    def _restore(
        self,
        session: Session,
        profile_id: str,
        source_ids: set[str],
        newest: SourceRow,
        by: str,
        now: datetime,
    ) -> None:
        """Take these documents away, and let the person be what ``newest`` says."""
        doc, before = session.exec(
            select(ProfileRow.doc, ProfileRow.document).where(ProfileRow.id == profile_id)
        ).one()
        profile = profile_from_document(newest.document or {})
        connection = session.connection()
        mine = (col(SourceRow.profile_id) == profile_id, col(SourceRow.id).in_(source_ids))
        connection.execute(
            delete(SourceKeyRow).where(
                col(SourceKeyRow.profile_id) == profile_id,
                col(SourceKeyRow.digest).in_(select(SourceRow.digest).where(*mine)),
            )
        )
        connection.execute(delete(SourceRow).where(*mine))
        self._rewrite(session, profile_id, doc, profile, now)
        changes = describe_changes(profile_from_document(before), profile)
        said = f"taken back: again as in {newest.name}"
        remember(session, profile_id, by, newest.id, (said, *changes), now)

    def _named_in(self, session: Session, profile_id: str) -> list[Named]:
        posted = session.exec(
            select(PostedMessageRow.channel, PostedMessageRow.ts, PostedMessageRow.kind)
            .join(PostedPersonRow, col(PostedPersonRow.message_id) == col(PostedMessageRow.id))
            .where(
                PostedPersonRow.profile_id == profile_id,
                PostedMessageRow.workspace == self.workspace,
                col(PostedMessageRow.withdrawn_at).is_(None),
            )
            .order_by(col(PostedMessageRow.posted_at))
        ).all()
        return [Named(channel=channel, ts=ts, kind=kind) for channel, ts, kind in posted]

    def _change_intake(self, intake_id: str, **values: object) -> None:
        with self.database.write() as session:
            session.connection().execute(
                update(IntakeRow)
                .where(col(IntakeRow.id) == intake_id, col(IntakeRow.workspace) == self.workspace)
                .values(**values)
            )


def _as_told(session: Session, item: IntakeItemRow, profile: Profile) -> Ingested:
    """What became of a person the first time that this intake met their page."""
    outcome = Outcome.UPDATED if item.outcome == REREAD else Outcome(item.outcome)
    changes = session.exec(
        select(HistoryRow.changes)
        .where(HistoryRow.profile_id == item.profile_id, HistoryRow.source_id == item.source_id)
        .order_by(col(HistoryRow.number).desc())
    ).first()
    return Ingested(
        outcome=outcome,
        candidate_id=item.profile_id,
        name=profile.name,
        changes=tuple(changes or ()) if outcome is Outcome.UPDATED else (),
    )


def _intake_of(row: IntakeRow) -> Intake:
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
