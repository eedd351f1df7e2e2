"""Claims: who sends a run of a digest, and what became of it.

::

    (slot comes due) ─→ ready ─→ claimed ─→ posted     all its messages are recorded
                          ↑         ├─→ empty          nobody new: nothing was posted
                          └─────────┤                  let go: Slack said when to try again
                                    └─→ failed         Slack will never take it; people let go
    ready ─→ skipped                                   a later slot came due first, or a pause

A claim has an owner (an id of its own) and a lease. Whoever comes after the
lease has run out claims anew: ``attempt`` rises, ``first_claim_at`` stays, and
what the first claim has frozen (the payload and whom it tells of) is what is
sent. Every change after a claim holds only while the state is ``claimed`` and
the owner is still the same, so a process that slept through its lease changes
nothing. Only one run of a subscription is claimed at a time.

"New" is an anti-join: people added since the subscription's ``since`` without
a ``digest_item``. A failed run lets go of the people that no posted message
tells of, and the next digest tells of them.
"""

import hashlib
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import ColumnElement, Update, and_, delete, exists, insert, or_, update
from sqlalchemy.orm import aliased
from sqlmodel import col, select

from storage.audit import write_entry
from storage.models import (
    DigestItemRow,
    DigestPartRow,
    DigestRunRow,
    PostedMessageRow,
    PostedPersonRow,
)
from storage.records import DigestRun, RunState
from storage.slots import LOOK_BACK, SKEW, Slots

AT_ONCE: Final = 500
"""Ids in one question to the database, which takes only so many."""


class Claims(Slots):
    """Every change to a run after its claim: it holds only while the claim does."""

    def claim_digest(self, *, now: datetime, lease: timedelta) -> DigestRun | None:
        """The oldest run that is due and nobody's, now the caller's until ``now + lease``."""
        other = aliased(DigestRunRow)
        being_sent = exists().where(
            col(other.workspace) == col(DigestRunRow.workspace),
            col(other.subscription) == col(DigestRunRow.subscription),
            col(other.id) != col(DigestRunRow.id),
            col(other.state) == RunState.CLAIMED,
        )
        free = or_(
            and_(
                col(DigestRunRow.state) == RunState.READY,
                or_(
                    col(DigestRunRow.not_before).is_(None),
                    col(DigestRunRow.not_before) <= now,
                ),
            ),
            and_(
                col(DigestRunRow.state) == RunState.CLAIMED,
                col(DigestRunRow.lease_until) <= now,
            ),
        )
        ahead = and_(  # claimed by a clock that was ahead of ours, and not brought to an end
            col(DigestRunRow.state).in_((RunState.READY, RunState.CLAIMED)),
            col(DigestRunRow.first_claim_at) > now + SKEW,
        )
        with self.database.write() as session:
            row = session.exec(
                select(DigestRunRow)
                .where(
                    col(DigestRunRow.workspace) == self.workspace,
                    or_(and_(col(DigestRunRow.due_at) <= now, free), ahead),
                    ~being_sent,
                )
                .order_by(col(DigestRunRow.due_at), col(DigestRunRow.id))
                .limit(1)
            ).first()
            if row is None:
                return None
            row.state = RunState.CLAIMED
            row.owner = self.new_id()
            row.lease_until = now + lease
            row.not_before = None
            row.attempt += 1
            row.first_claim_at = row.first_claim_at or now
            if row.first_claim_at > now + SKEW:
                row.due_at, row.first_claim_at = min(row.due_at, now), now - LOOK_BACK
            session.add(row)
            session.flush()
            return self._run(session, row)

    def freeze_digest(
        self, run: DigestRun, *, parts: Sequence[Sequence[str]], payload: str
    ) -> DigestRun | None:
        """Keep what the run will say and whom each of its messages tells of.

        None when the claim is no longer the caller's or someone in it was told
        of meanwhile: then nothing is kept, and the run comes round again.
        """
        ids = [id_ for part in parts for id_ in part]
        with self.database.write() as session:
            told = any(
                session.exec(
                    select(DigestItemRow.profile_id)
                    .where(
                        col(DigestItemRow.workspace) == self.workspace,
                        col(DigestItemRow.subscription) == run.subscription.number,
                        col(DigestItemRow.run_id) != run.id,
                    )
                    .where(col(DigestItemRow.profile_id).in_(ids[first : first + AT_ONCE]))
                    .limit(1)
                ).first()
                for first in range(0, len(ids), AT_ONCE)
            )
            mine = self._held(run).where(col(DigestRunRow.payload).is_(None))
            digest = hashlib.sha256(payload.encode()).hexdigest()
            values = mine.values(payload=payload, payload_sha=digest, people=len(ids))
            if told or session.exec(values).rowcount != 1:
                return None
            session.exec(
                insert(DigestPartRow),
                params=[{"run_id": run.id, "part": number} for number in range(len(parts))],
            )
            if ids:
                session.exec(
                    insert(DigestItemRow),
                    params=[
                        {
                            "workspace": self.workspace,
                            "subscription": run.subscription.number,
                            "profile_id": id_,
                            "run_id": run.id,
                            "part": number,
                        }
                        for number, part in enumerate(parts)
                        for id_ in part
                    ],
                )
            return self._run(session, session.get_one(DigestRunRow, run.id))

    def digest_part_posted(
        self,
        run: DigestRun,
        part: int,
        *,
        channel: str,
        ts: str,
        by: str,
        now: datetime,
        lease: timedelta,
    ) -> bool:
        """Record a message of the run, and extend the lease; False when the claim is lost.

        The message is recorded with the people it names, so that it can be withdrawn, and audited.
        """
        with self.database.write() as session:
            held = session.exec(self._held(run).values(lease_until=now + lease)).rowcount
            if held != 1:
                return False
            recorded = session.exec(
                update(DigestPartRow)
                .where(
                    col(DigestPartRow.run_id) == run.id,
                    col(DigestPartRow.part) == part,
                    col(DigestPartRow.ts).is_(None),
                )
                .values(ts=ts, posted_at=now)
            ).rowcount
            if recorded != 1:
                return False
            message = PostedMessageRow(
                id=self.new_id(),
                workspace=self.workspace,
                channel=channel,
                ts=ts,
                kind="digest",
                by=by,
                posted_at=now,
            )
            session.add(message)
            named = session.exec(
                select(DigestItemRow.profile_id).where(
                    col(DigestItemRow.run_id) == run.id, col(DigestItemRow.part) == part
                )
            ).all()
            session.add_all(PostedPersonRow(profile_id=id_, message_id=message.id) for id_ in named)
            write_entry(
                session.connection(),
                workspace=self.workspace,
                entry_id=self.new_id(),
                who=by,
                action="digest",
                place=channel,
                candidate_ids=named,
                now=now,
            )
            return True

    def digest_posted(self, run: DigestRun, *, now: datetime) -> bool:
        """The run is done: each of its messages is recorded. False when the claim is lost."""
        missing = exists().where(
            col(DigestPartRow.run_id) == run.id, col(DigestPartRow.ts).is_(None)
        )
        return self._settle(run, RunState.POSTED, now, ~missing)

    def digest_empty(self, run: DigestRun, *, now: datetime) -> bool:
        """Nobody is new and nothing was posted. False when the claim is lost."""
        return self._settle(run, RunState.EMPTY, now)

    def release_digest(self, run: DigestRun, *, until: datetime) -> bool:
        """Let go of a claim; nobody claims the run before ``until``."""
        with self.database.write() as session:
            values = self._held(run).values(
                state=RunState.READY, owner=None, lease_until=None, not_before=until
            )
            return session.exec(values).rowcount == 1

    def digest_failed(self, run: DigestRun, error: str, *, now: datetime) -> bool:
        """Give the run up, and let go of the people that no posted message tells of."""
        unposted = select(DigestPartRow.part).where(
            col(DigestPartRow.run_id) == run.id, col(DigestPartRow.ts).is_(None)
        )
        with self.database.write() as session:
            values = self._held(run).values(state=RunState.FAILED, settled_at=now, error=error)
            if session.exec(values).rowcount != 1:
                return False
            session.exec(
                delete(DigestItemRow).where(
                    col(DigestItemRow.run_id) == run.id, col(DigestItemRow.part).in_(unposted)
                )
            )
            return True

    def _settle(
        self, run: DigestRun, state: RunState, now: datetime, *conditions: ColumnElement[bool]
    ) -> bool:
        with self.database.write() as session:
            values = self._held(run).where(*conditions).values(state=state, settled_at=now)
            return session.exec(values).rowcount == 1

    def _held(self, run: DigestRun) -> Update:
        """An update of the run that holds only while the claim is the caller's."""
        return update(DigestRunRow).where(
            col(DigestRunRow.id) == run.id,
            col(DigestRunRow.state) == RunState.CLAIMED,
            col(DigestRunRow.owner) == run.owner,
        )
