"""The ledger of digests: whom each told of, and what is to be seen and done afterwards.

``storage.slots`` writes the runs, ``storage.claims`` says what leads a run from
one state to the next.
"""

import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import and_, delete, exists, func, or_, update
from sqlmodel import Session, col, select

from storage.claims import Claims
from storage.models import DigestItemRow, DigestPartRow, DigestRunRow, ProfileRow
from storage.records import DigestRun, RunState, Subscription, Use
from storage.slots import SKEW
from storage.subscriptions import NOW_PREFIX
from storage.uses import without

SWEEPS: Final = (timedelta(minutes=10), timedelta(days=1))
SETTLED: Final = (RunState.POSTED, RunState.EMPTY, RunState.FAILED)


class Digests(Claims):
    """Subscriptions, runs and whom each was told about."""

    def claim_notice(self, *, now: datetime, lease: timedelta) -> DigestRun | None:
        """A failed run whose owner is still to be told, for the caller to tell until the lease."""
        with self.database.write() as session:
            row = session.exec(
                select(DigestRunRow)
                .where(
                    col(DigestRunRow.workspace) == self.workspace,
                    col(DigestRunRow.state) == RunState.FAILED,
                    col(DigestRunRow.noticed_at).is_(None),
                    or_(
                        col(DigestRunRow.notice_until).is_(None),
                        col(DigestRunRow.notice_until) <= now,
                    ),
                )
                .order_by(col(DigestRunRow.settled_at), col(DigestRunRow.id))
                .limit(1)
            ).first()
            if row is None:
                return None
            row.notice_until = now + lease
            session.add(row)
            return self._run(session, row)

    def notice_given(self, run_id: str, *, now: datetime) -> None:
        """The owner knows of the failure."""
        with self.database.write() as session:
            session.exec(
                update(DigestRunRow)
                .where(col(DigestRunRow.id) == run_id)
                .values(noticed_at=now, notice_until=None)
            )

    def digests_to_sweep(self, *, now: datetime, limit: int = 50) -> list[DigestRun]:
        """Runs with messages to be looked after: ten minutes and a day after they ended."""
        due = or_(
            *(
                and_(
                    col(DigestRunRow.swept) == done,
                    col(DigestRunRow.settled_at) <= now - age,
                )
                for done, age in enumerate(SWEEPS)
            )
        )
        return self._runs(
            col(DigestRunRow.state).in_((RunState.POSTED, RunState.EMPTY, RunState.FAILED)),
            due,
            limit=limit,
        )

    def digest_swept(self, run_id: str, *, now: datetime) -> None:
        """One of the two sweeps is done. What the digest said is no longer needed."""
        with self.database.write() as session:
            row = session.get_one(DigestRunRow, run_id)
            if row.settled_at is None:
                return
            row.swept = sum(row.settled_at + age <= now for age in SWEEPS)
            row.payload = None
            session.add(row)

    def digests_overdue(self, *, now: datetime) -> list[DigestRun]:
        """Runs without a message ten minutes, and again a day, after they were written.

        Each is handed out once for each, so that one alarm is raised.
        """
        due = or_(
            *(
                and_(
                    col(DigestRunRow.alarms) <= done,
                    col(DigestRunRow.written_at) <= now - age,
                )
                for done, age in enumerate(SWEEPS)
            )
        )
        waiting = col(DigestRunRow.state).in_((RunState.READY, RunState.CLAIMED))
        found = self._runs(waiting, due, limit=50)
        if not found:
            return []
        with self.database.write() as session:
            raised = []
            for run in found:
                row = session.get_one(DigestRunRow, run.id)
                alarms = sum(row.written_at + age <= now for age in SWEEPS)
                if row.alarms < alarms and row.state in {RunState.READY, RunState.CLAIMED}:
                    row.alarms = alarms
                    session.add(row)
                    raised.append(run)
            return raised

    def forget_digests(self) -> None:
        """Forget what was sent, and to whom it was told: the workspace that held it is gone."""
        mine = col(DigestRunRow.workspace) == self.workspace
        runs = select(DigestRunRow.id).where(mine)
        with self.database.write() as session:
            session.exec(delete(DigestPartRow).where(col(DigestPartRow.run_id).in_(runs)))
            session.exec(delete(DigestItemRow).where(col(DigestItemRow.run_id).in_(runs)))
            session.exec(delete(DigestRunRow).where(mine))

    def digest_run(self, run_id: str) -> DigestRun | None:
        """A run by its id."""
        return next(iter(self._runs(col(DigestRunRow.id) == run_id, limit=1)), None)

    def last_digest(self, number: int, *, now: datetime | None = None) -> DigestRun | None:
        """The subscription's latest run that was posted, empty or failed.

        With ``now``, what a clock ended that was ahead of ours does not count.
        """
        found = self._runs(
            col(DigestRunRow.subscription) == number,
            col(DigestRunRow.state).in_(SETTLED),
            *([col(DigestRunRow.settled_at) <= now + SKEW] if now else []),
            limit=1,
            latest=True,
        )
        return next(iter(found), None)

    def empty_slots(self, number: int, *, now: datetime) -> int:
        """How many slots in a row, up to the latest, were empty."""
        with self.database.read() as session:
            states = session.exec(
                select(DigestRunRow.state)
                .where(
                    *self._of(number),
                    col(DigestRunRow.state).in_(SETTLED),
                    col(DigestRunRow.slot).not_like(f"{NOW_PREFIX}%"),
                    col(DigestRunRow.settled_at) <= now + SKEW,
                )
                .order_by(col(DigestRunRow.due_at).desc())
                .limit(10)
            ).all()
        return next(
            (count for count, state in enumerate(states) if state != RunState.EMPTY), len(states)
        )

    def oldest_due(self, *, now: datetime) -> datetime | None:
        """Since when the oldest run waits to be sent; None when none does."""
        with self.database.read() as session:
            return session.exec(
                select(func.min(col(DigestRunRow.due_at))).where(
                    col(DigestRunRow.workspace) == self.workspace,
                    col(DigestRunRow.state).in_((RunState.READY, RunState.CLAIMED)),
                    col(DigestRunRow.due_at) <= now,
                )
            ).one()

    def untold(self, subscription: Subscription) -> list[str]:
        """Ids of the people that are news to it, whatever its query, in the order they came.

        Nobody whose standing forbids a digest is among them.
        """
        told = exists().where(
            col(DigestItemRow.workspace) == self.workspace,
            col(DigestItemRow.subscription) == subscription.number,
            col(DigestItemRow.profile_id) == col(ProfileRow.id),
        )
        with self.database.read() as session:
            return list(
                session.exec(
                    select(ProfileRow.id)
                    .where(
                        col(ProfileRow.workspace) == self.workspace,
                        col(ProfileRow.added_at) >= subscription.since,
                        ~told,
                        without(Use.DIGEST),
                    )
                    .order_by(col(ProfileRow.added_at), col(ProfileRow.id))
                ).all()
            )


def forget_in_digests(session: Session, profile_id: str, *, unposted: bool = False) -> None:
    """Take a person out of the ledger and of every digest that is still kept as text.

    With ``unposted`` only out of messages that are still to be posted: those told of them
    stay told, and a later digest may tell of them.
    """
    items = col(DigestItemRow.profile_id) == profile_id
    if unposted:
        items = and_(
            items,
            exists().where(
                col(DigestPartRow.run_id) == col(DigestItemRow.run_id),
                col(DigestPartRow.part) == col(DigestItemRow.part),
                col(DigestPartRow.ts).is_(None),
            ),
        )
    runs = session.exec(
        select(DigestRunRow).where(
            col(DigestRunRow.id).in_(select(DigestItemRow.run_id).where(items)),
            col(DigestRunRow.payload).is_not(None),
        )
    ).all()
    for run in runs:
        payload = _without(json.loads(run.payload or "null"), profile_id)
        if isinstance(payload, dict) and isinstance(payload.get("total"), int):
            payload["total"] -= 1
        run.payload = json.dumps(payload)
        if run.state in {RunState.READY, RunState.CLAIMED}:
            run.people -= 1
        session.add(run)
    session.exec(delete(DigestItemRow).where(items))


def _without(value: Any, profile_id: str) -> Any:
    """The same JSON without any object of this ``id``."""
    if isinstance(value, dict):
        return {key: _without(item, profile_id) for key, item in value.items()}
    if isinstance(value, list):
        return [_without(item, profile_id) for item in _others(value, profile_id)]
    return value


def _others(values: Iterable[Any], profile_id: str) -> list[Any]:
    return [
        value for value in values if not (isinstance(value, dict) and value.get("id") == profile_id)
    ]
