"""Undo: what one message did to people is taken back, all of it or nothing.

Whom no other document speaks of is erased; whom an earlier one speaks of is what
that says again; who got a later document meanwhile is left as they are.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete
from sqlmodel import Session, col, select

from storage.audit import write_entry
from storage.candidates import actual_id, ids_of
from storage.changes import describe_changes
from storage.erasing import erase_person
from storage.errors import BotError
from storage.intakes import REREAD, Intake, Intakes, NoSuchIntake, intake_of
from storage.models import (
    IntakeItemRow,
    IntakeRow,
    PostedMessageRow,
    PostedPersonRow,
    SourceKeyRow,
    SourceRow,
)
from storage.people import remember
from storage.person_keys import remove_keys
from storage.spoken import kind_of


class NotYours(BotError):
    """An intake is taken back by who added it, or by an admin."""


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


class Undoing(Intakes):
    """Taking back what was added from a message."""

    def undo_intake(self, intake_id: str, *, by: str, admin: bool, now: datetime) -> Undone:
        """Take back what an intake did to people; the second time nothing is done.

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
                return Undone(intake=intake_of(row), again=True)
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
                intake=intake_of(row),
                removed=removed,
                restored=tuple(restored),
                left=tuple(left),
                named_in=tuple(named.values()),
            )

    def _without(
        self, session: Session, profile_id: str, source_ids: set[str]
    ) -> list[SourceRow] | None:
        """The person's other documents, newest first; None when the person has to stay as is."""
        sources = session.exec(
            select(SourceRow)
            .where(col(SourceRow.profile_id).in_(ids_of(session, profile_id)))
            .order_by(col(SourceRow.added_at).desc(), col(SourceRow.version).desc())
        ).all()
        taken = [source for source in sources if source.id in source_ids]
        rest = [source for source in sources if source.id not in source_ids]
        if rest and {source.profile_id for source in taken} - {each.profile_id for each in rest}:
            return None  # a record of a merged person would have nothing left to be by itself
        for lineage in {_lineage(source) for source in taken}:
            left = [source for source in rest if _lineage(source) == lineage]
            newest = max((source.version for source in left), default=0)
            if newest > max(each.version for each in taken if _lineage(each) == lineage):
                return None
            # an earlier program kept no reading of its documents: nothing to go back to
            if any(each.document is None for each in left if each.version == newest):
                return None
        return rest if taken else None

    def _restore(
        self,
        session: Session,
        profile_id: str,
        source_ids: set[str],
        newest: SourceRow,
        by: str,
        now: datetime,
    ) -> None:
        """Take these documents away, and let the person be what the others say."""
        connection = session.connection()
        ids = ids_of(session, profile_id)
        mine = (col(SourceRow.profile_id).in_(ids), col(SourceRow.id).in_(source_ids))
        connection.execute(
            delete(SourceKeyRow).where(
                col(SourceKeyRow.profile_id).in_(ids),
                col(SourceKeyRow.digest).in_(select(SourceRow.digest).where(*mine)),
            )
        )
        for each in ids:
            remove_keys(connection, each, sorted(source_ids))
        connection.execute(delete(SourceRow).where(*mine))
        before, after = self._combine_anew(session, profile_id, now)
        where = f" ({newest.name})" if "." in newest.name else ""  # a pasted page has no name
        said = f"undone: as on the page before{where}"
        remember(session, profile_id, by, newest.id, (said, *describe_changes(before, after)), now)

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


def _lineage(source: SourceRow) -> tuple[str, str]:
    """See ``storage.combining``: of each lineage one document speaks."""
    return source.profile_id, kind_of(source.parser)
