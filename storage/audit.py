"""The audit: who did what, where, to whom. Entries are added and never changed.

Each entry carries a keyed hash of itself and of the hash before (``chain``), so
a changed, removed or inserted entry breaks the chain from there on, and the
numbers have no gap. Two things leave with a person who is erased: the text of
entries about them (it may hold their name), and whom an entry was about. The
chain holds hashes of both, so it stays whole; ``emptied_by`` names the entry
that tells of the erasure. The database itself refuses any other change.

The limit of it: whoever can write to the database file can also read its key
and make a new chain. ``head`` is one line that an admin can keep elsewhere: a
chain made anew has another head for the same number.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any, Final

from sqlalchemy import Connection, bindparam, func, insert, update
from sqlalchemy import select as select_columns
from sqlmodel import Session, col, select

from storage.chain import START, link
from storage.keyring import hash_key, keyed_hash_of
from storage.models import AnswerRow, AuditRow, AuditSubjectRow
from storage.prepared import Prepared
from storage.recognising import forgotten_among
from storage.records import Answered, AuditEntry
from storage.room import Room
from storage.together import Together

SHOWN: Final = ("ask", "page", "open", "more", "history", "preview", "show", "replay")
"""Actions by which somebody was shown the people whom an entry is about."""
ERASURES: Final = frozenset({"forget", "remove", "undo", "expire"})
"""Actions that erase somebody and so may empty texts of earlier entries."""
_BATCH: Final = 1000
_LAST: Final = Prepared(
    select_columns(col(AuditRow.number), col(AuditRow.chain))
    .where(col(AuditRow.workspace) == bindparam("workspace"))
    .order_by(col(AuditRow.number).desc())
    .limit(1)
)
_INSERT: Final = insert(AuditRow)
_INSERT_SUBJECTS: Final = insert(AuditSubjectRow)
_INSERT_ANSWERS: Final = insert(AnswerRow)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    id: str
    who: str
    action: str
    place: str
    text: str
    candidate_ids: tuple[str, ...]
    at: datetime
    answered: Answered | None = None
    found: tuple[str, ...] = ()
    """Whom an answer found, in its order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditCheck:
    """What ``verify_audit`` found. ``fault`` is the sentence about the first thing wrong."""

    entries: int
    head: str
    """The newest link, to be compared with one that was kept elsewhere; empty when no entry is."""
    fault: str | None = None


class Audit(Room):
    """Writing the audit, reading it, and proving that nobody has changed it."""

    def audit(
        self,
        *,
        who: str,
        action: str,
        place: str,
        text: str = "",
        candidate_ids: Sequence[str] = (),
        answered: Answered | None = None,
        now: datetime,
    ) -> int:
        """Write down who did what, where, and whom it was about; returns the entry's number.

        Of an answer about people ``answered`` says what it was; the people whom it found stand
        first in ``candidate_ids``, in its order. ``text`` (the question, say) is emptied when one
        of the people is erased. Of somebody who was erased while this was done neither is written
        down. Threads that come at once share a transaction; each returns when its own entry is
        stored. Raises UnicodeEncodeError for a text with half of a surrogate pair.
        """
        text.encode()  # what cannot be stored fails before it shares a transaction
        return self._together.do(
            _Entry(
                id=self.new_id(),
                who=who,
                action=action,
                place=place,
                text=text,
                candidate_ids=tuple(candidate_ids),
                at=now,
                answered=answered,
                found=tuple(candidate_ids[: answered.people]) if answered else (),
            )
        )

    @cached_property
    def _together(self) -> Together[_Entry, int]:
        """Entries that come at once are written in one transaction; each waits for it."""
        return Together(self._write)

    def _write(self, entries: Sequence[_Entry]) -> range:
        """The numbers of these entries."""
        with self.database.write() as session:
            connection = session.connection()
            ids = {each for entry in entries for each in entry.candidate_ids}
            gone = {*forgotten_among(connection, self.workspace, sorted(ids))}
            kept = [_without(entry, gone) for entry in entries]
            last = _write_entries(connection, self.workspace, kept)
        return range(last - len(entries) + 1, last + 1)

    def audited(
        self,
        *,
        candidate_id: str | None = None,
        who: str | None = None,
        actions: Sequence[str] = (),
        since: datetime | None = None,
        before: int | None = None,
        limit: int = 100,
    ) -> list[AuditEntry]:
        """The newest entries, newest first: all, or those about a person, by someone, of a kind.

        ``before`` is the number of an entry: only older ones, to turn the page.
        """
        asked = select(AuditRow).where(AuditRow.workspace == self.workspace)
        if candidate_id is not None:
            asked = asked.where(
                col(AuditRow.id).in_(
                    select(AuditSubjectRow.audit_id).where(
                        AuditSubjectRow.profile_id == candidate_id
                    )
                )
            )
        if who is not None:
            asked = asked.where(AuditRow.who == who)
        if actions:
            asked = asked.where(col(AuditRow.action).in_(actions))
        if since is not None:
            asked = asked.where(col(AuditRow.at) >= since)
        if before is not None:
            asked = asked.where(col(AuditRow.number) < before)
        with self.database.read() as session:
            rows = session.exec(asked.order_by(col(AuditRow.number).desc()).limit(limit)).all()
            people = _people_of(session, [row.id for row in rows])
            return [
                AuditEntry(
                    number=row.number,
                    at=row.at,
                    who=row.who,
                    action=row.action,
                    place=row.place,
                    text=row.text,
                    candidate_ids=people.get(row.id, ()),
                )
                for row in rows
            ]

    def people_seen(self, who: str, *, since: datetime, actions: Sequence[str]) -> int:
        """How many different people one person's entries of these kinds were about since then."""
        with self.database.read() as session:
            return session.exec(
                select(func.count(func.distinct(AuditSubjectRow.profile_id)))
                .join(AuditRow, col(AuditRow.id) == col(AuditSubjectRow.audit_id))
                .where(
                    AuditRow.workspace == self.workspace,
                    AuditRow.who == who,
                    col(AuditRow.at) >= since,
                    col(AuditRow.action).in_(actions),
                )
            ).one()

    def bulk_readers(
        self, *, since: datetime, actions: Sequence[str], more_than: int
    ) -> dict[str, int]:
        """Who has entries of these kinds about more than so many different people since then."""
        people = func.count(func.distinct(AuditSubjectRow.profile_id))
        with self.database.read() as session:
            rows = session.exec(
                select(AuditRow.who, people)
                .join(AuditSubjectRow, col(AuditRow.id) == col(AuditSubjectRow.audit_id))
                .where(
                    AuditRow.workspace == self.workspace,
                    col(AuditRow.at) >= since,
                    col(AuditRow.action).in_(actions),
                )
                .group_by(col(AuditRow.who))
                .having(people > more_than)
            )
            return dict(rows.all())

    def verify_audit(self) -> AuditCheck:
        """Walk the whole chain; ``fault`` says where it is broken, None when it is whole."""
        with self.database.write() as session:  # the key may have to be made
            key = hash_key(session.connection())
        with self.database.read() as session:
            return verify_chain(session, key, self.workspace)


def write_entry(
    connection: Connection,
    *,
    workspace: str,
    entry_id: str,
    who: str,
    action: str,
    place: str,
    text: str = "",
    candidate_ids: Sequence[str] = (),
    now: datetime,
) -> int:
    """Add an entry within a transaction that writes; returns its number."""
    entry = _Entry(
        id=entry_id,
        who=who,
        action=action,
        place=place,
        text=text,
        candidate_ids=tuple(candidate_ids),
        at=now,
    )
    return _write_entries(connection, workspace, [entry])


def _write_entries(connection: Connection, workspace: str, entries: Sequence[_Entry]) -> int:
    """Add these entries, at least one; returns the number of the last."""
    key = hash_key(connection)
    last = _LAST.rows(connection, {"workspace": workspace})
    number: int
    chain: str
    number, chain = last[0] if last else (0, START)
    rows: list[dict[str, Any]] = []
    for entry in entries:
        number += 1
        people = tuple(sorted(set(entry.candidate_ids)))
        text_digest, people_digest = keyed_hash_of(key, entry.text), keyed_hash_of(key, *people)
        told = (entry.who, entry.action, entry.place, text_digest, people_digest)
        chain = link(key, chain, number, workspace, entry.at, *told)
        rows.append(
            {
                "id": entry.id,
                "workspace": workspace,
                "number": number,
                "at": entry.at,
                "who": entry.who,
                "action": entry.action,
                "place": entry.place,
                "text_digest": text_digest,
                "people_digest": people_digest,
                "chain": chain,
                "text": entry.text,
            }
        )
    connection.execute(_INSERT, rows)
    subjects = [
        {"profile_id": each, "audit_id": entry.id, "position": places.get(each)}
        for entry in entries
        for places in [{each: place for place, each in enumerate(entry.found)}]
        for each in sorted(set(entry.candidate_ids))
    ]
    if subjects:
        connection.execute(_INSERT_SUBJECTS, subjects)
    answers = [
        {"workspace": workspace, "number": row["number"], **asdict(entry.answered)}
        for entry, row in zip(entries, rows, strict=True)
        if entry.answered is not None
    ]
    if answers:
        connection.execute(_INSERT_ANSWERS, answers)
    return number


def _without(entry: _Entry, gone: set[str]) -> _Entry:
    """The entry without those who were erased meanwhile; of them its text may tell."""
    if gone and not gone.isdisjoint(entry.candidate_ids):
        rest = tuple(each for each in entry.candidate_ids if each not in gone)
        return replace(entry, text="", candidate_ids=rest)
    return entry


def empty_texts(connection: Connection, profile_id: str, *, number: int) -> int:
    """Empty the texts of entries about a person, whose erasure entry ``number`` tells of.

    Returns how many were emptied.
    """
    about = select(AuditSubjectRow.audit_id).where(col(AuditSubjectRow.profile_id) == profile_id)
    return connection.execute(
        update(AuditRow)
        .where(col(AuditRow.id).in_(about), col(AuditRow.text) != "")
        .values(text="", emptied_by=number)
    ).rowcount


def _people_of(session: Session, audit_ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    people: dict[str, tuple[str, ...]] = {}
    for audit_id, profile_id in session.exec(
        select(AuditSubjectRow.audit_id, AuditSubjectRow.profile_id)
        .where(col(AuditSubjectRow.audit_id).in_(audit_ids))
        .order_by(col(AuditSubjectRow.profile_id))
    ):
        people[audit_id] = (*people.get(audit_id, ()), profile_id)
    return people


def verify_chain(session: Session, key: str, workspace: str) -> AuditCheck:
    """Walk the chain of one workspace with the key of the database."""
    erasures = set(
        session.exec(
            select(AuditRow.number).where(
                AuditRow.workspace == workspace, col(AuditRow.action).in_(ERASURES)
            )
        )
    )
    entries, chain = 0, START
    for row in _rows(session, workspace):
        entries += 1
        fault = _fault(key, chain, entries, row, erasures)
        if fault is not None:
            return AuditCheck(entries=entries, head=chain, fault=fault)
        chain = row.chain
    return AuditCheck(entries=entries, head=chain)


def _fault(key: str, before: str, number: int, row: AuditRow, erasures: set[int]) -> str | None:
    if row.number != number:
        return f"Entry {number} of the audit is missing: {row.number} follows {number - 1}."
    told = (row.who, row.action, row.place, row.text_digest, row.people_digest)
    if link(key, before, number, row.workspace, row.at, *told) != row.chain:
        return f"Entry {number} of the audit was changed, or one before it was."
    if row.emptied_by is not None:
        whole = not row.text and row.emptied_by in erasures
    else:
        whole = keyed_hash_of(key, row.text) == row.text_digest
    return None if whole else f"The text of entry {number} of the audit was changed."


def _rows(session: Session, workspace: str) -> Iterator[AuditRow]:
    """All entries in order, a batch at a time; the objects are let go after each."""
    last = None
    while True:
        asked = select(AuditRow).where(AuditRow.workspace == workspace)
        if last is not None:
            asked = asked.where(col(AuditRow.number) > last)
        rows = session.exec(asked.order_by(col(AuditRow.number)).limit(_BATCH)).all()
        if not rows:
            return
        yield from rows
        last = rows[-1].number
        session.expunge_all()
