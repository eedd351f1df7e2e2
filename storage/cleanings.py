"""The list of what is to be cleaned after somebody was erased: see ``storage.forgetting``."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import insert, update
from sqlmodel import Session, col, select

from storage.keyring import hash_key
from storage.models import (
    CleaningRow,
    DigestPartRow,
    DigestRunRow,
    PostedMessageRow,
    SubscriptionRow,
)
from storage.naming import NameMark, is_marked
from storage.records import RunState
from storage.room import Room

AGAIN: Final = timedelta(minutes=1)
"""How long a digest's message is waited for that is on its way."""


@dataclass(frozen=True, slots=True)
class NewCleaning:
    """Something to be cleaned, before it is written down; fields as of ``CleaningRow``."""

    kind: str
    place: str
    ts: str = ""
    state: str = "pending"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaning:
    """Something to be cleaned, or that was; fields as of ``CleaningRow``."""

    id: str
    erasure_id: str
    kind: str
    place: str
    ts: str
    person_id: str
    mark: NameMark
    state: str
    attempts: int
    at: datetime
    outcome: str = ""


class Cleanings(Room):
    """Claiming what is to be cleaned, and saying what became of it."""

    def cleanings(self, erasure_id: str) -> list[Cleaning]:
        """Everything that was to be cleaned after one erasure, whatever became of it."""
        with self.database.read() as session:
            rows = session.exec(
                select(CleaningRow)
                .where(CleaningRow.erasure_id == erasure_id)
                .order_by(col(CleaningRow.kind), col(CleaningRow.place), col(CleaningRow.ts))
            )
            return [_cleaning(row) for row in rows]

    def by_hand(self) -> list[Cleaning]:
        """What somebody has to see to and, as far as is known, has not yet."""
        with self.database.read() as session:
            rows = session.exec(
                select(CleaningRow).where(
                    CleaningRow.workspace == self.workspace, CleaningRow.state == "by_hand"
                )
            )
            return [_cleaning(row) for row in rows]

    def claim_cleaning(
        self, *, now: datetime, lease: timedelta, erasure_id: str | None = None
    ) -> Cleaning | None:
        """Something that is due, now the caller's until ``now + lease``; None when nothing is.

        Nobody else is given the same message meanwhile, for another person either: it is
        read and written back, and one of two who do so at once would undo the other.
        """
        with self.database.write() as session:
            asked = select(CleaningRow).where(
                CleaningRow.workspace == self.workspace,
                CleaningRow.state == "pending",
                col(CleaningRow.not_before) <= now,
            )
            if erasure_id is not None:
                asked = asked.where(CleaningRow.erasure_id == erasure_id)
            rows = session.exec(asked.order_by(col(CleaningRow.not_before), col(CleaningRow.id)))
            for row in rows.all():
                if _is_held(session, row, now):
                    continue
                row.attempts += 1
                row.not_before, row.outcome = now + lease, ""
                is_to_do = row.kind != "digest" or self._is_placed(session, row, now)
                session.add(row)
                session.flush()
                if is_to_do:
                    return _cleaning(row)
            return None

    def cleaned(self, cleaning: Cleaning, outcome: str, *, now: datetime) -> None:
        """It is clean: ``edited``, ``replaced``, ``deleted``, ``gone`` … A path is forgotten."""
        with self.database.write() as session:
            connection = session.connection()
            connection.execute(
                update(CleaningRow)
                .where(col(CleaningRow.id) == cleaning.id)
                .values(
                    state="done",
                    outcome=outcome,
                    **({"place": ""} if cleaning.kind == "file" else {}),
                )
            )
            if cleaning.kind == "message" and outcome in {"replaced", "deleted", "gone"}:
                connection.execute(
                    update(PostedMessageRow)
                    .where(
                        col(PostedMessageRow.workspace) == self.workspace,
                        col(PostedMessageRow.channel) == cleaning.place,
                        col(PostedMessageRow.ts) == cleaning.ts,
                        col(PostedMessageRow.withdrawn_at).is_(None),
                    )
                    .values(withdrawn_at=now)
                )

    def clean_later(self, cleaning: Cleaning, *, until: datetime, outcome: str) -> None:
        """It could not be done now; nobody tries before ``until``."""
        self._leave(cleaning, state="pending", not_before=until, outcome=outcome)

    def clean_failed(self, cleaning: Cleaning, outcome: str) -> None:
        """It cannot be done by us; ``outcome`` says why."""
        self._leave(cleaning, state="failed", outcome=outcome)

    def naming(self, mark: NameMark) -> Callable[[str], bool]:
        """A function that tells whether a text holds the name of the mark."""
        with self.database.write() as session:  # the key may have to be made
            key = hash_key(session.connection())
        return lambda text: is_marked(key, mark, text)

    def _leave(self, cleaning: Cleaning, **values: object) -> None:
        with self.database.write() as session:
            session.connection().execute(
                update(CleaningRow)
                .where(col(CleaningRow.id) == cleaning.id, col(CleaningRow.state) == "pending")
                .values(**values)
            )

    def _is_placed(self, session: Session, row: CleaningRow, now: datetime) -> bool:
        """Whether a digest that was on its way has a message by now: then that is to be cleaned."""
        run = session.get(DigestRunRow, row.place)
        part = session.get(DigestPartRow, (row.place, int(row.ts)))
        if run is not None and part is not None and part.ts is not None:
            subscription = session.get_one(SubscriptionRow, (run.workspace, run.subscription))
            row.kind, row.place, row.ts = "message", subscription.channel, part.ts
            return True
        if run is None or part is None or run.state not in {RunState.READY, RunState.CLAIMED}:
            row.state, row.outcome = "done", "not posted"
        else:
            row.not_before = now + AGAIN
        return False


def add_cleanings(
    session: Session,
    workspace: str,
    new_id: Callable[[], str],
    cleanings: Iterable[NewCleaning],
    *,
    erasure_id: str,
    person_id: str,
    mark: NameMark,
    now: datetime,
) -> None:
    """Write down, within an erasure, what is to be cleaned after it."""
    rows = [
        {
            "id": new_id(),
            "workspace": workspace,
            "erasure_id": erasure_id,
            "kind": each.kind,
            "place": each.place,
            "ts": each.ts,
            "person_id": person_id,
            "name_hash": mark.digest,
            "name_words": mark.words,
            "state": each.state,
            "attempts": 0,
            "not_before": now,
            "at": now,
            "outcome": "",
        }
        for each in cleanings
    ]
    if rows:
        session.connection().execute(insert(CleaningRow), rows)


def _is_held(session: Session, row: CleaningRow, now: datetime) -> bool:
    """Whether somebody works at the same message for another person."""
    if row.kind != "message":
        return False
    return (
        session.exec(
            select(CleaningRow.id)
            .where(
                CleaningRow.workspace == row.workspace,
                CleaningRow.kind == "message",
                CleaningRow.place == row.place,
                CleaningRow.ts == row.ts,
                CleaningRow.state == "pending",
                CleaningRow.id != row.id,
                col(CleaningRow.not_before) > now,
                CleaningRow.outcome == "",
            )
            .limit(1)
        ).first()
        is not None
    )


def _cleaning(row: CleaningRow) -> Cleaning:
    return Cleaning(
        id=row.id,
        erasure_id=row.erasure_id,
        kind=row.kind,
        place=row.place,
        ts=row.ts,
        person_id=row.person_id,
        mark=NameMark(row.name_hash, row.name_words),
        state=row.state,
        attempts=row.attempts,
        at=row.at,
        outcome=row.outcome,
    )
