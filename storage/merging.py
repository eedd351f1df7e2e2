"""Merging: records that a person rules to be one person's become one, and can be taken apart.

Nothing of a record is rewritten by a merge. Its documents, its history, the messages that
name it and its entries in the audit stay under its own id; ``profile_alias`` says which
person the id means now, and every reader goes over all ids of a person
(``storage.candidates.ids_of``). What is noted of a person beside documents
(``storage.states``) is kept as it was with each record, and holds for the whole together.

::

    B ─→ A      "B was merged into A", a row of ``member`` for each; A's id is the person's
    C ─→ A      later; taking B out leaves A and C together
    A ─→ D      later still; taking A out takes B and C along

Taking a merge back gives the record, with what was merged into it, its own documents,
history and state; what was noted of the whole meanwhile holds for both.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, insert, update
from sqlmodel import Session, col, select

from storage.audit import write_entry
from storage.candidates import actual_id, ids_of
from storage.changed import note_all_changed, note_people_changed
from storage.changes import describe_changes
from storage.digests import forget_in_digests
from storage.errors import BotError
from storage.indexing import index, unindex
from storage.models import MemberRow, ProfileAliasRow, ProfileRow, TwinRulingRow
from storage.people import People, remember
from storage.profile_rows import children_of, profile_columns, replace_children
from storage.records import Profile, StandingKind, Use
from storage.spoken import combined_profile, keep_reading
from storage.standings import Standings
from storage.states import remove_state, settled, state_of, together, write_state
from storage.uses import FORBIDS


class NotMergeable(BotError):
    """Somebody of a pair is not stored any more, or both are one person already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """That the record ``merged`` became part of the person ``kept``; names as they were."""

    kept: str
    merged: str
    name: str
    """Of the record that was merged."""
    at: datetime
    by: str
    reason: str = ""


class Merging(People, Standings):
    """Ruling that two records are one person, and taking that back."""

    def merge(
        self,
        one_id: str,
        other_id: str,
        *,
        by: str,
        place: str = "",
        reason: str = "",
        now: datetime,
        list_id: str | None = None,
    ) -> Merge:
        """Make two people one; who was added first keeps the id, the other id means the same.

        A standing of either holds for the whole: messages that may no longer name them are
        listed under ``list_id``, as ``set_standing`` does. Audited. Raises NotMergeable.
        """
        with self.database.write() as session:
            pair = {actual_id(session, self.workspace, each) for each in (one_id, other_id)}
            ids = [each for each in pair if each is not None]
            if len(pair) < 2 or len(ids) < 2:
                raise NotMergeable(
                    "These are one person already."
                    if ids and None not in pair
                    else "One of the two is no longer stored, so there is nothing to merge."
                )
            kept, merged = session.exec(
                select(ProfileRow.id)
                .where(col(ProfileRow.id).in_(ids))
                .order_by(col(ProfileRow.added_at), col(ProfileRow.id))
            ).all()
            self._note_each(session, kept, now)
            self._note_each(session, merged, now)
            record = session.get_one(MemberRow, merged)
            record.into_id, record.at, record.by, record.reason = kept, now, by, reason
            session.add(record)
            session.flush()
            self._join(session, kept, merged)
            before, after = self._combine_anew(session, kept, now)
            name = str(record.kept["name"])
            said = f"merged with {name} ({merged})" + (f": {reason}" if reason else "")
            self._told(session, kept, said, before, after, by, now)
            self._obey(session, kept, list_id or self.new_id(), now)
            self._written(session, "merge", by, place, [kept, merged], now)
            return Merge(kept=kept, merged=merged, name=name, at=now, by=by, reason=reason)

    def merges(self, candidate_id: str) -> list[Merge]:
        """The merges that a person is made of, the newest first."""
        with self.database.read() as session:
            actual = actual_id(session, self.workspace, candidate_id)
            if actual is None:
                return []
            rows = session.exec(
                select(MemberRow)
                .where(
                    col(MemberRow.profile_id).in_(ids_of(session, actual)),
                    col(MemberRow.into_id).is_not(None),
                )
                .order_by(col(MemberRow.at).desc(), col(MemberRow.profile_id))
            )
            return [_merge(row) for row in rows]

    def unmerge(self, merged_id: str, *, by: str, place: str = "", now: datetime) -> Merge | None:
        """Take a merge back: the record, with what was merged into it, is a person again.

        What of documents came meanwhile stays with the record that it was filed under; what
        was noted of the whole holds for both. None when no such merge stands. Audited.
        """
        with self.database.write() as session:
            record = session.get(MemberRow, merged_id)
            whole = actual_id(session, self.workspace, merged_id)
            if record is None or record.into_id is None or whole is None:
                return None
            undone = _merge(record)
            self._note_each(session, whole, now)
            record.into_id = None
            session.add(record)
            session.flush()
            self._part(session, whole, merged_id, now)
            before, after = self._combine_anew(session, whole, now)
            name = str(record.kept["name"])
            self._told(session, whole, f"no longer merged with {name}", before, after, by, now)
            said = f"taken out of {after.name} ({whole})"
            remember(session, merged_id, by, None, (said,), now)
            for each in (whole, merged_id):
                _forget_alone(session, each)
            self._written(session, "unmerge", by, place, [whole, merged_id], now)
            return undone

    def not_the_same(
        self, one_id: str, other_id: str, *, by: str, now: datetime, until: datetime | None = None
    ) -> bool:
        """Remember that two records are not one person; with ``until``, not to ask before then.

        False when one of them is nobody, or both are the same person.
        """
        with self.database.write() as session:
            one, other = (actual_id(session, self.workspace, each) for each in (one_id, other_id))
            if one is None or other is None or one == other:
                return False
            connection = session.connection()
            for each, twin in ((one, other), (other, one)):
                mine = (
                    col(TwinRulingRow.profile_id) == each,
                    col(TwinRulingRow.other_id) == twin,
                )
                connection.execute(delete(TwinRulingRow).where(*mine))
                connection.execute(
                    insert(TwinRulingRow).values(
                        profile_id=each, other_id=twin, at=now, by=by, until=until
                    )
                )
            if until is None:
                self._written(session, "not_same", by, "", [one, other], now)
            return True

    def _note_each(self, session: Session, whole: str, now: datetime) -> None:
        """Write down what each record of a person is by itself, as things stand now."""
        ids = ids_of(session, whole)
        live = state_of(session, whole)
        known = {row.profile_id: row for row in _records(session, ids)}
        states = {each: row.kept["state"] for each, row in known.items()}
        after = settled(states, live) if states else {whole: live}
        for each in ids:
            row = known.get(each) or self._as_it_is(session, each, now)
            row.kept = {**row.kept, "state": after[each]}
            session.add(row)
        session.flush()

    def _as_it_is(self, session: Session, profile_id: str, now: datetime) -> MemberRow:
        """A record that no merge has touched."""
        keep_reading(session, profile_id, profile_id)
        row = session.get_one(ProfileRow, profile_id)
        kept: dict[str, Any] = {
            "name": row.name,
            "added_at": row.added_at.isoformat(),
            "added_by": row.added_by,
            "added_via": row.added_via,
        }
        return MemberRow(
            profile_id=profile_id,
            workspace=self.workspace,
            name_key=row.name_key,
            at=now,
            by="",
            kept=kept,
        )

    def _join(self, session: Session, kept: str, merged: str) -> None:
        """Let the ids of one person mean the other, who has the state of both."""
        connection = session.connection()
        doc = session.exec(select(ProfileRow.doc).where(ProfileRow.id == merged)).one()
        unindex(session, self.database.text_index, doc)
        for table, _ in children_of(Profile(name="")):
            connection.execute(delete(table).where(col(table.profile_id) == merged))
        connection.execute(delete(ProfileRow).where(col(ProfileRow.id) == merged))
        connection.execute(
            update(ProfileAliasRow)
            .where(col(ProfileAliasRow.profile_id) == merged)
            .values(profile_id=kept)
        )
        connection.execute(insert(ProfileAliasRow).values(alias=merged, profile_id=kept))
        remove_state(session, merged)
        note_all_changed(connection)
        self._write_together(session, kept)

    def _part(self, session: Session, whole: str, apart: str, now: datetime) -> None:
        """Let a record, and what was merged into it, be a person again."""
        connection = session.connection()
        ids = _below(session, apart)
        connection.execute(
            delete(ProfileAliasRow).where(col(ProfileAliasRow.alias).in_([apart, *ids]))
        )
        if ids:
            connection.execute(
                insert(ProfileAliasRow), [{"alias": each, "profile_id": apart} for each in ids]
            )
        kept = session.get_one(MemberRow, apart).kept
        profile = combined_profile(session, apart)
        doc = session.exec(select(func.coalesce(func.max(ProfileRow.doc), 0))).one() + 1
        connection.execute(
            insert(ProfileRow).values(
                id=apart,
                doc=doc,
                workspace=self.workspace,
                added_at=datetime.fromisoformat(kept["added_at"]),
                added_by=kept["added_by"],
                added_via=kept["added_via"],
                updated_at=now,
                **profile_columns(profile),
            )
        )
        replace_children(connection, apart, profile)
        index(session, self.database.text_index, doc, profile)
        self._write_together(session, apart)
        self._write_together(session, whole)

    def _write_together(self, session: Session, whole: str) -> None:
        """Let what holds for each record of a person hold for the whole."""
        records = _records(session, ids_of(session, whole))
        write_state(session, whole, together(row.kept["state"] for row in records))
        note_people_changed(session.connection(), [whole])

    def _obey(self, session: Session, whole: str, list_id: str, now: datetime) -> None:
        """What the standings of the whole forbid is taken down, whoever had them."""
        for value in state_of(session, whole)["standing"].values():
            kind = StandingKind(value["kind"])
            self._take_down(session, whole, kind, list_id, now)
            if Use.DIGEST in FORBIDS[kind]:
                for each in ids_of(session, whole):
                    forget_in_digests(session, each, unposted=True)

    def _told(
        self,
        session: Session,
        profile_id: str,
        said: str,
        before: Profile,
        after: Profile,
        by: str,
        now: datetime,
    ) -> None:
        remember(session, profile_id, by, None, (said, *describe_changes(before, after)), now)

    def _written(
        self,
        session: Session,
        action: str,
        by: str,
        place: str,
        ids: Sequence[str],
        now: datetime,
    ) -> None:
        write_entry(
            session.connection(),
            workspace=self.workspace,
            entry_id=self.new_id(),
            who=by,
            action=action,
            place=place,
            candidate_ids=ids,
            now=now,
        )


def _merge(row: MemberRow) -> Merge:
    return Merge(
        kept=str(row.into_id),
        merged=row.profile_id,
        name=str(row.kept["name"]),
        at=row.at,
        by=row.by,
        reason=row.reason,
    )


def _records(session: Session, ids: Sequence[str]) -> Sequence[MemberRow]:
    return session.exec(
        select(MemberRow)
        .where(col(MemberRow.profile_id).in_(ids))
        .order_by(col(MemberRow.profile_id))
    ).all()


def _below(session: Session, profile_id: str) -> list[str]:
    """The ids of the records that were merged into this one, and into those."""
    found: list[str] = []
    level = [profile_id]
    while level:
        level = list(
            session.exec(select(MemberRow.profile_id).where(col(MemberRow.into_id).in_(level)))
        )
        found += level
    return found


def _forget_alone(session: Session, profile_id: str) -> None:
    """A record that no merge holds is a person like others."""
    if len(ids_of(session, profile_id)) == 1:
        session.connection().execute(
            delete(MemberRow).where(col(MemberRow.profile_id) == profile_id)
        )
