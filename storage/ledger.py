"""The ledger: what was posted where, and what Slack delivered already."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import delete, insert, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from storage.candidates import actual_id, ids_of
from storage.cleanings import NewCleaning, add_cleanings
from storage.keyring import hash_key
from storage.models import (
    DeliveryRow,
    PostedMessageRow,
    PostedPersonRow,
    ProfileRow,
)
from storage.naming import NameMark, mark_of
from storage.recognising import forgotten_among
from storage.records import PostedMessage, Use
from storage.room import Room
from storage.uses import without


class Ledger(Room):
    """Messages that name people, and deliveries."""

    def record_posted(
        self,
        *,
        channel: str,
        ts: str,
        kind: str,
        by: str,
        candidate_ids: Sequence[str],
        now: datetime,
    ) -> PostedMessage:
        """Remember a message of ours and whom it names, so that it can be withdrawn.

        ``kind`` is ``card``, ``digest``, …; ``by`` the Slack user who had it
        posted. A message is one place and time: recorded again it stays as it was.
        """
        with self.database.write() as session:
            known = self._posted(session, channel, ts)
            if known is not None:
                return known
            message_id = self.new_id()
            connection = session.connection()
            connection.execute(
                insert(PostedMessageRow).values(
                    id=message_id,
                    workspace=self.workspace,
                    channel=channel,
                    ts=ts,
                    kind=kind,
                    by=by,
                    posted_at=now,
                )
            )
            gone = forgotten_among(connection, self.workspace, candidate_ids)
            people = [each for each in dict.fromkeys(candidate_ids) if each not in gone]
            for each in gone:  # erased while the message was on its way
                add_cleanings(
                    session,
                    self.workspace,
                    self.new_id,
                    [NewCleaning("message", channel, ts)],
                    erasure_id=message_id,
                    person_id=each,
                    mark=NameMark("", 0),
                    now=now,
                )
            if people:
                connection.execute(
                    insert(PostedPersonRow),
                    [{"profile_id": each, "message_id": message_id} for each in people],
                )
            for each, name in _hidden(session, people):  # marked while it was on its way
                add_cleanings(
                    session,
                    self.workspace,
                    self.new_id,
                    [NewCleaning("message", channel, ts)],
                    erasure_id=message_id,
                    person_id=each,
                    mark=mark_of(hash_key(connection), name),
                    now=now,
                )
            return PostedMessage(
                id=message_id,
                channel=channel,
                ts=ts,
                kind=kind,
                by=by,
                posted_at=now,
                candidate_ids=tuple(sorted(people)),
            )

    def posted(self, channel: str, ts: str) -> PostedMessage | None:
        """The message of ours at this place and time, withdrawn or not; None when not ours."""
        with self.database.read() as session:
            return self._posted(session, channel, ts)

    def posted_about(self, candidate_id: str) -> list[PostedMessage]:
        """The messages that name a person and still stand, oldest first."""
        with self.database.read() as session:
            actual = actual_id(session, self.workspace, candidate_id) or candidate_id
            places = session.exec(
                select(PostedMessageRow.channel, PostedMessageRow.ts)
                .join(PostedPersonRow, col(PostedPersonRow.message_id) == col(PostedMessageRow.id))
                .where(
                    col(PostedPersonRow.profile_id).in_(ids_of(session, actual)),
                    PostedMessageRow.workspace == self.workspace,
                    col(PostedMessageRow.withdrawn_at).is_(None),
                )
                .order_by(col(PostedMessageRow.posted_at), col(PostedMessageRow.id))
                .distinct()
            ).all()
            messages = (self._posted(session, channel, ts) for channel, ts in places)
            return [message for message in messages if message is not None]

    def withdraw(self, message_id: str, *, now: datetime) -> bool:
        """Note that a message was withdrawn: True the first time, False ever after."""
        with self.database.write() as session:
            return (
                session.connection()
                .execute(
                    update(PostedMessageRow)
                    .where(
                        col(PostedMessageRow.id) == message_id,
                        col(PostedMessageRow.workspace) == self.workspace,
                        col(PostedMessageRow.withdrawn_at).is_(None),
                    )
                    .values(withdrawn_at=now)
                )
                .rowcount
                == 1
            )

    def first_delivery(
        self, key: str, *, now: datetime, unfinished_after: timedelta | None = None
    ) -> bool:
        """Claim what Slack delivered, by its event id or signature: True for one caller only.

        With ``unfinished_after`` a claim that old whose work was not recorded
        as done may be made anew: its run has died, and a retry is to run. A
        signature, which is used once, is claimed without.
        """
        try:
            with self.database.write() as session:
                connection = session.connection()
                if unfinished_after is not None:
                    connection.execute(
                        delete(DeliveryRow).where(
                            col(DeliveryRow.key) == key,
                            col(DeliveryRow.done).is_(False),
                            col(DeliveryRow.at) <= now - unfinished_after,
                        )
                    )
                connection.execute(insert(DeliveryRow).values(key=key, at=now, done=False))
        except IntegrityError:
            return False
        return True

    def first_deliveries(self, keys: Sequence[str], *, now: datetime) -> frozenset[str]:
        """Claim several at once, as ``first_delivery`` does one: those nobody had claimed."""
        with self.database.write() as session:
            known = set(session.exec(select(DeliveryRow.key).where(col(DeliveryRow.key).in_(keys))))
            fresh = [key for key in dict.fromkeys(keys) if key not in known]
            if fresh:
                session.connection().execute(
                    insert(DeliveryRow), [{"key": key, "at": now, "done": False} for key in fresh]
                )
            return frozenset(fresh)

    def delivery_done(self, key: str) -> None:
        """Record that the work of a delivery is done, so that it never runs again."""
        with self.database.write() as session:
            session.connection().execute(
                update(DeliveryRow).where(col(DeliveryRow.key) == key).values(done=True)
            )

    def delivery_was_begun(self, key: str) -> bool:
        """Whether this was claimed; if it was long ago and is not done, its run has died."""
        with self.database.read() as session:
            return session.get(DeliveryRow, key) is not None

    def delivery_was_done(self, key: str) -> bool:
        """Whether the work of this delivery was recorded as done."""
        with self.database.read() as session:
            row = session.get(DeliveryRow, key)
            return row is not None and row.done

    def release_delivery(self, key: str) -> None:
        """Give a claim back whose work was not done, so that a retry may do it."""
        with self.database.write() as session:
            session.connection().execute(
                delete(DeliveryRow).where(
                    col(DeliveryRow.key) == key, col(DeliveryRow.done).is_(False)
                )
            )

    def forget_delivery(self, key: str) -> None:
        """Forget one claim, done or not: what it stood for was undone and may be done again."""
        with self.database.write() as session:
            session.connection().execute(delete(DeliveryRow).where(col(DeliveryRow.key) == key))

    def forget_deliveries(self, before: datetime) -> int:
        """Forget deliveries older than an instant; returns how many.

        Signatures need ten minutes, event ids as long as Slack may repeat them.
        """
        with self.database.write() as session:
            return (
                session.connection()
                .execute(delete(DeliveryRow).where(col(DeliveryRow.at) < before))
                .rowcount
            )

    def _posted(self, session: Session, channel: str, ts: str) -> PostedMessage | None:
        row = session.exec(
            select(PostedMessageRow).where(
                PostedMessageRow.workspace == self.workspace,
                PostedMessageRow.channel == channel,
                PostedMessageRow.ts == ts,
            )
        ).first()
        if row is None:
            return None
        people = session.exec(
            select(PostedPersonRow.profile_id)
            .where(PostedPersonRow.message_id == row.id)
            .order_by(col(PostedPersonRow.profile_id))
        )
        return PostedMessage(
            id=row.id,
            channel=row.channel,
            ts=row.ts,
            kind=row.kind,
            by=row.by,
            posted_at=row.posted_at,
            withdrawn_at=row.withdrawn_at,
            candidate_ids=tuple(people),
        )


def _hidden(session: Session, ids: Sequence[str]) -> list[tuple[str, str]]:
    """(id, name) of those of these people whom nobody is to be shown."""
    shown = select(ProfileRow.id).where(col(ProfileRow.id).in_(ids), without(Use.SEARCH))
    rows = session.exec(
        select(ProfileRow.id, ProfileRow.name).where(
            col(ProfileRow.id).in_(ids), col(ProfileRow.id).not_in(shown)
        )
    )
    return [(str(id_), str(name)) for id_, name in rows]
