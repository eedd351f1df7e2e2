"""People: candidates, their documents and their history."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from sqlalchemy import func, insert, update
from sqlmodel import Session, col, select

from storage.audit import write_entry
from storage.candidates import actual_id, ids_of, load_candidates
from storage.changes import describe_changes
from storage.erasing import erase_person
from storage.errors import BotError
from storage.identity import public_id
from storage.indexing import index, unindex
from storage.keyring import hash_key, keyed_hash
from storage.known_person import known_person, stated_file_key
from storage.models import (
    HistoryRow,
    ProfileAliasRow,
    ProfileRow,
    SourceKeyRow,
    SourceRow,
)
from storage.person_keys import remove_keys, write_keys
from storage.profile_json import profile_from_document, profile_to_document
from storage.profile_rows import profile_columns, replace_children
from storage.recognising import refuse_forgotten
from storage.records import Candidate, Document, HistoryEntry, Ingested, Outcome, Profile
from storage.room import Room
from storage.spoken import combined_profile, keep_reading, speaks
from storage.uses import visible

AUDITED: Final[Mapping[Outcome, str]] = {Outcome.STORED: "add", Outcome.UPDATED: "update"}
"""What the audit calls it; an unchanged person was neither shown nor changed."""


class NoSuchSource(BotError):
    """A document was asked for that is not stored with this person."""


class People(Room):
    """Adding people, and giving back what is stored of them."""

    def add(self, profile: Profile, document: Document, *, now: datetime) -> Ingested:
        """Store what a document says about one person; afterwards all of it is stored or nothing.

        *Unchanged*: this very text was read by this very parser before.
        *Updated*: it speaks of a known person (see ``storage.identity``), or it was read by
        another parser and speaks (see ``storage.combining``); ``changes`` says what is
        different. Else *stored*. ``twins`` are ids of others who may be the same person.
        ``now`` is an aware instant. What is stored or updated is audited.
        Raises ``recognising.Forgotten`` when the person asked not to be stored.
        """
        with self.database.write() as session:
            ingested = self._add(session, profile, document, now)
            if ingested.outcome in AUDITED:
                write_entry(
                    session.connection(),
                    workspace=self.workspace,
                    entry_id=self.new_id(),
                    who=document.added_by,
                    action=AUDITED[ingested.outcome],
                    place=document.added_via,
                    candidate_ids=[ingested.candidate_id],
                    now=now,
                )
            return ingested

    def candidate(self, candidate_id: str) -> Candidate | None:
        """The person of this id, or of the id it was merged into; None when there is none."""
        return next(iter(self.candidates([candidate_id])), None)

    def candidates(self, ids: Sequence[str]) -> list[Candidate]:
        """The people of these ids, in this order; ids that mean nobody are left out."""
        with self.database.read() as session:
            return load_candidates(session, self.workspace, ids)

    def remove(self, candidate_id: str, *, now: datetime, by: str = "") -> bool:
        """Delete a person and every trace; False when there is nobody of this id.

        What remains is that ``by`` removed someone, and not whom.
        """
        with self.database.write() as session:
            actual = actual_id(session, self.workspace, candidate_id)
            if actual is None:
                return False
            number = write_entry(
                session.connection(),
                workspace=self.workspace,
                entry_id=self.new_id(),
                who=by,
                action="remove",
                place="",
                now=now,
            )
            erase_person(session, self.database.text_index, actual, told_by=number)
            return True

    def history(self, candidate_id: str) -> list[HistoryEntry]:
        """What happened to a person's record, newest first; empty when there is nobody."""
        with self.database.read() as session:
            actual = actual_id(session, self.workspace, candidate_id)
            return [] if actual is None else self.history_in(session, actual)

    def history_in(self, session: Session, profile_id: str) -> list[HistoryEntry]:
        """The same within a transaction, for an id that means somebody."""
        rows = session.exec(
            select(HistoryRow)
            .where(col(HistoryRow.profile_id).in_(ids_of(session, profile_id)))
            .order_by(col(HistoryRow.at).desc(), col(HistoryRow.number).desc())
        )
        return [
            HistoryEntry(at=row.at, by=row.by, source_id=row.source_id, changes=tuple(row.changes))
            for row in rows
        ]

    def source_text(self, candidate_id: str, source_id: str) -> str:
        """The text of a stored document, as it was read. Raises NoSuchSource."""
        with self.database.read() as session:
            actual = actual_id(session, self.workspace, candidate_id)
            found = session.exec(
                select(SourceRow.text).where(
                    col(SourceRow.profile_id).in_(ids_of(session, actual or candidate_id)),
                    SourceRow.id == source_id,
                )
            ).one_or_none()
        if found is None:
            raise NoSuchSource(
                "This document is not stored with this person any more: open the card again."
            )
        return found

    def latest_addition(self) -> tuple[datetime, str] | None:
        """When someone was last added, and their name; None in an empty store."""
        with self.database.read() as session:
            return session.exec(
                select(ProfileRow.added_at, ProfileRow.name)
                .where(visible(self.workspace))
                .order_by(col(ProfileRow.added_at).desc(), col(ProfileRow.doc).desc())
                .limit(1)
            ).first()

    def _add(
        self, session: Session, profile: Profile, document: Document, now: datetime
    ) -> Ingested:
        """``add`` within a transaction that writes, without the audit."""
        digest = keyed_hash(hash_key(session.connection()), document.text)
        owner = session.exec(
            select(SourceKeyRow.profile_id).where(
                SourceKeyRow.workspace == self.workspace, SourceKeyRow.digest == digest
            )
        ).one_or_none()
        if owner is not None:
            return self._read_again(session, owner, profile, document, digest, now)
        refuse_forgotten(session.connection(), self.workspace, profile, document)
        known = known_person(session, self.workspace, profile, document)
        if known.profile_id is None or known.filed_under is None:
            return self._insert(session, profile, document, digest, known.twins, now)
        keep_reading(session, known.profile_id, known.filed_under)
        source_id = self._keep(session, known.filed_under, profile, document, digest, now)
        told = self._update(
            session, known.profile_id, known.filed_under, profile, document, source_id, now
        )
        return replace(told, twins=known.twins)

    def _read_again(
        self,
        session: Session,
        owner: str,
        profile: Profile,
        document: Document,
        digest: str,
        now: datetime,
    ) -> Ingested:
        """The same text once more: news only when the document speaks and the parser is another."""
        actual = actual_id(session, self.workspace, owner) or owner
        source_id, parser = session.exec(
            select(SourceRow.id, SourceRow.parser)
            .where(SourceRow.profile_id == owner, SourceRow.digest == digest)
            .order_by(col(SourceRow.version).desc())
        ).one()
        mine = (col(SourceRow.profile_id) == owner, col(SourceRow.id) == source_id)
        connection = session.connection()
        connection.execute(  # damaged since: the hash proves that this is how it was
            update(SourceRow)
            .where(*mine, col(SourceRow.text) != document.text)
            .values(text=document.text, text_length=len(document.text))
        )
        if parser != document.parser:
            keep_reading(session, actual, owner)
            connection.execute(
                update(SourceRow)
                .where(*mine)
                .values(parser=document.parser, read_at=now, document=profile_to_document(profile))
            )
            remove_keys(connection, owner, [source_id])
            write_keys(connection, self.workspace, owner, source_id, profile)
            if speaks(session, actual, source_id):
                return self._update(
                    session, actual, owner, profile, document, source_id, now, is_reread=True
                )
        return Ingested(outcome=Outcome.UNCHANGED, candidate_id=actual, name=profile.name)

    def _insert(
        self,
        session: Session,
        profile: Profile,
        document: Document,
        digest: str,
        twins: tuple[str, ...],
        now: datetime,
    ) -> Ingested:
        connection = session.connection()
        profile_id = public_id(self.new_id, lambda wanted: _is_taken(session, wanted))
        doc = session.exec(select(func.coalesce(func.max(ProfileRow.doc), 0))).one() + 1
        connection.execute(
            insert(ProfileRow).values(
                id=profile_id,
                doc=doc,
                workspace=self.workspace,
                added_at=now,
                added_by=document.added_by,
                added_via=document.added_via,
                updated_at=now,
                **profile_columns(profile),
            )
        )
        replace_children(connection, profile_id, profile)
        index(session, self.database.text_index, doc, profile)
        source_id = self._keep(session, profile_id, profile, document, digest, now)
        remember(session, profile_id, document.added_by, source_id, ("added",), now)
        return Ingested(
            outcome=Outcome.STORED,
            candidate_id=profile_id,
            name=profile.name,
            twins=twins,
        )

    def _update(
        self,
        session: Session,
        profile_id: str,
        filed_under: str,
        profile: Profile,
        document: Document,
        source_id: str,
        now: datetime,
        *,
        is_reread: bool = False,
    ) -> Ingested:
        """Let the person be what all their documents say now; the document is kept already.

        ``is_reread`` is of a document that was stored before and is read by another version.
        """
        known, combined = self._combine_anew(session, profile_id, now)
        changes = describe_changes(known, combined)
        if not changes:
            changes = (_nothing_to_list(is_reread=is_reread, is_same=known == combined),)
        remember(session, filed_under, document.added_by, source_id, changes, now)
        return Ingested(
            outcome=Outcome.UPDATED, candidate_id=profile_id, name=profile.name, changes=changes
        )

    def _combine_anew(
        self, session: Session, profile_id: str, now: datetime
    ) -> tuple[Profile, Profile]:
        """Let the person be what all their documents say; what they were, and what they are."""
        doc, before = session.exec(
            select(ProfileRow.doc, ProfileRow.document).where(ProfileRow.id == profile_id)
        ).one()
        combined = combined_profile(session, profile_id)
        self._rewrite(session, profile_id, doc, combined, now)
        return profile_from_document(before), combined

    def _rewrite(
        self, session: Session, profile_id: str, doc: int, profile: Profile, now: datetime
    ) -> None:
        """Let a stored person's rows, and what is searched, say what this profile says."""
        connection = session.connection()
        connection.execute(
            update(ProfileRow)
            .where(col(ProfileRow.id) == profile_id)
            .values(updated_at=now, **profile_columns(profile))
        )
        replace_children(connection, profile_id, profile)
        unindex(session, self.database.text_index, doc)
        index(session, self.database.text_index, doc, profile)

    def _keep(
        self,
        session: Session,
        profile_id: str,
        profile: Profile,
        document: Document,
        digest: str,
        now: datetime,
    ) -> str:
        """Keep the document itself as the newest filed under this id; returns its own id."""
        source_id = self.new_id()
        newest = session.exec(
            select(func.coalesce(func.max(SourceRow.version), 0)).where(
                SourceRow.profile_id == profile_id
            )
        ).one()
        connection = session.connection()
        connection.execute(
            insert(SourceRow).values(
                profile_id=profile_id,
                id=source_id,
                workspace=self.workspace,
                name=document.name,
                file_key=stated_file_key(document),
                version=newest + 1,
                text=document.text,
                text_length=len(document.text),
                digest=digest,
                added_by=document.added_by,
                added_via=document.added_via,
                added_at=now,
                read_at=now,
                parser=document.parser,
                document=profile_to_document(profile),
            )
        )
        connection.execute(
            insert(SourceKeyRow).values(
                workspace=self.workspace, digest=digest, profile_id=profile_id
            )
        )
        write_keys(connection, self.workspace, profile_id, source_id, profile)
        return source_id


def _is_taken(session: Session, candidate_id: str) -> bool:
    """Whether an id means someone, or ever meant someone who was merged away."""
    return (
        session.get(ProfileRow, candidate_id) is not None
        or session.get(ProfileAliasRow, candidate_id) is not None
    )


def _nothing_to_list(*, is_reread: bool, is_same: bool) -> str:
    """What a document brought whose facts differ in nothing that is listed."""
    if is_reread:
        found = "the facts are the same" if is_same else "details are read anew"
        return f"the same page, read by another version of the bot: {found}"
    return "another document that says the same" if is_same else "another document, with details"


def remember(
    session: Session,
    profile_id: str,
    by: str,
    source_id: str | None,
    changes: Sequence[str],
    now: datetime,
) -> None:
    """Add an entry to a person's history, within a transaction that writes."""
    newest = session.exec(
        select(func.coalesce(func.max(HistoryRow.number), 0)).where(
            HistoryRow.profile_id == profile_id
        )
    ).one()
    session.connection().execute(
        insert(HistoryRow).values(
            profile_id=profile_id,
            number=newest + 1,
            at=now,
            by=by,
            source_id=source_id,
            changes=list(changes),
        )
    )
