"""The slots of digests, as they come due, and a run read back as a value."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import ColumnElement, bindparam, exists, func, text, update
from sqlmodel import Session, col, select

from storage.models import DigestPartRow, DigestRunRow, SubscriptionRow, UtcDateTime
from storage.records import DigestPart, DigestRun, RunState
from storage.subscriptions import NOW_PREFIX, Subscriptions, subscription_of

SKEW: Final = timedelta(hours=1)
"""How far apart the clocks of two machines may be: what is later was written by a wrong one."""
LOOK_BACK: Final = timedelta(days=1)
"""How far back messages are looked for when it is not known when they were posted."""
INSERT_RUN: Final = text(
    "INSERT INTO digest_run (id, workspace, subscription, slot, due_at, written_at, state,"
    " settled_at, attempt, people, swept, alarms) VALUES (:id, :workspace, :subscription, :slot,"
    " :due_at, :written_at, :state, :settled_at, 0, 0, 0, 0) ON CONFLICT DO NOTHING"
).bindparams(
    *(bindparam(name, type_=UtcDateTime()) for name in ("due_at", "written_at", "settled_at"))
)


class Slots(Subscriptions):
    """One row for each local date of a subscription: written twice is written once."""

    def last_slot(self, number: int, *, now: datetime) -> str | None:
        """The latest local date that a slot of this subscription was written for.

        What a clock wrote that was ahead of ours does not count.
        """
        with self.database.read() as session:
            return session.exec(
                select(func.max(col(DigestRunRow.slot))).where(
                    *self._of(number),
                    col(DigestRunRow.slot).not_like(f"{NOW_PREFIX}%"),
                    col(DigestRunRow.written_at) <= now + SKEW,
                )
            ).one()

    def write_slots(
        self, number: int, slots: Sequence[tuple[str, datetime]], *, now: datetime
    ) -> None:
        """Write slots ``(local date, instant)`` that have come due, oldest first.

        Written twice is written once. Only the last is to be sent: the older
        ones, and any that nobody has begun to send, are ``skipped``.
        """
        if not slots:
            return
        newest = slots[-1][0]
        with self.database.write() as session:
            self._free(session, number, [slot for slot, _ in slots], now)
            for slot, due_at in slots:
                waiting = slot == newest
                self._insert_run(session, number, slot, due_at, now=now, waiting=waiting)
            session.exec(
                update(DigestRunRow)
                .where(
                    *self._of(number),
                    col(DigestRunRow.state) == RunState.READY,
                    col(DigestRunRow.attempt) == 0,
                    col(DigestRunRow.due_at) < slots[-1][1],
                )
                .values(state=RunState.SKIPPED, settled_at=now)
            )

    def request_digest(self, number: int, *, now: datetime) -> tuple[DigestRun, bool]:
        """A slot due now, and True; or the run that is on its way already, and False."""
        with self.database.write() as session:
            waiting = session.exec(
                select(DigestRunRow)
                .where(
                    *self._of(number),
                    col(DigestRunRow.state).in_((RunState.READY, RunState.CLAIMED)),
                )
                .order_by(col(DigestRunRow.due_at))
            ).first()
            if waiting is not None:
                return self._run(session, waiting), False
            slot = f"{NOW_PREFIX}{now:%Y-%m-%dT%H:%M:%S.%fZ}"
            id_ = self._insert_run(session, number, slot, now, now=now, waiting=True)
            return self._run(session, session.get_one(DigestRunRow, id_)), True

    def _free(self, session: Session, number: int, dates: Sequence[str], now: datetime) -> None:
        """Free dates that are taken by runs which a clock ahead of ours has written.

        A run of which nothing was frozen is forgotten; any other keeps whom it tells of.
        """
        wrong = session.exec(
            select(DigestRunRow).where(
                *self._of(number),
                col(DigestRunRow.slot).in_(dates),
                col(DigestRunRow.written_at) > now + SKEW,
            )
        ).all()
        for row in wrong:
            if session.exec(select(exists().where(col(DigestPartRow.run_id) == row.id))).one():
                row.slot = f"{NOW_PREFIX}{row.slot}-{row.id}"
                session.add(row)
            else:
                session.delete(row)
        session.flush()

    def _insert_run(
        self,
        session: Session,
        number: int,
        slot: str,
        due_at: datetime,
        *,
        now: datetime,
        waiting: bool,
    ) -> str:
        id_ = self.new_id()
        values = {
            "id": id_,
            "workspace": self.workspace,
            "subscription": number,
            "slot": slot,
            "due_at": due_at,
            "written_at": now,
            "state": RunState.READY if waiting else RunState.SKIPPED,
            "settled_at": None if waiting else now,
        }
        session.connection().execute(INSERT_RUN, values)
        return id_

    def _of(self, number: int) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
        return (
            col(DigestRunRow.workspace) == self.workspace,
            col(DigestRunRow.subscription) == number,
        )

    def _runs(
        self, *conditions: ColumnElement[bool], limit: int, latest: bool = False
    ) -> list[DigestRun]:
        order = (
            (col(DigestRunRow.settled_at).desc(), col(DigestRunRow.due_at).desc())
            if latest
            else (col(DigestRunRow.due_at), col(DigestRunRow.id))
        )
        with self.database.read() as session:
            rows = session.exec(
                select(DigestRunRow)
                .where(col(DigestRunRow.workspace) == self.workspace, *conditions)
                .order_by(*order)
                .limit(limit)
            ).all()
            return [self._run(session, row) for row in rows]

    def _run(self, session: Session, row: DigestRunRow) -> DigestRun:
        subscription = session.get_one(SubscriptionRow, (row.workspace, row.subscription))
        parts = session.exec(
            select(DigestPartRow)
            .where(col(DigestPartRow.run_id) == row.id)
            .order_by(col(DigestPartRow.part))
        ).all()
        return DigestRun(
            id=row.id,
            subscription=subscription_of(subscription),
            slot=row.slot,
            due_at=row.due_at,
            state=RunState(row.state),
            owner=row.owner,
            lease_until=row.lease_until,
            attempt=row.attempt,
            first_claim_at=row.first_claim_at,
            payload=row.payload,
            parts=tuple(DigestPart(number=part.part, ts=part.ts) for part in parts),
            people=row.people,
            settled_at=row.settled_at,
            error=row.error,
        )
