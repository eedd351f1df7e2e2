"""Whether what is stored still agrees with itself, from the pages of the file to the index.

Looked at, in this order: the database's own checks; every document's keyed hash,
reckoned anew; every profile against its newest document, and the rows, columns
and indexed texts that follow from it (``storage.deriving``); the chain of the audit.

Documents and profiles are never changed here; what is *derived* can be made anew.
"""

import hashlib
import hmac
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from sqlalchemy import LargeBinary, cast, func
from sqlalchemy import select as columns
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, col, select

from storage import deriving
from storage.audit import verify_chain
from storage.database import Database
from storage.dialects.dialect import DatabaseTrouble
from storage.faults import GO_BACK, KEEP_AUDIT, LOAD_AGAIN, Fault
from storage.keyring import HASH_KEY
from storage.models import AuditRow, MetaRow, ProfileRow, SourceKeyRow, SourceRow
from storage.room import Room

_BATCH: Final = 500
Beat = Callable[[], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """What was looked at, and what was found wrong; ``audit_head`` may be kept elsewhere."""

    people: int = 0
    sources: int = 0
    audit_entries: int = 0
    audit_head: str = ""
    faults: tuple[Fault, ...] = ()


class Verifying(Room):
    """Checking all that is stored, and making anew what follows from it."""

    def verify(self, beat: Beat = lambda: None) -> Verified:
        """Look at everything; safe while the bot runs. ``beat`` is called now and then."""
        return verify(self.database, beat)

    def rebuild(self) -> int:
        """Make anew the rows and the index that follow from profiles; how many people it was."""
        return deriving.rebuild(self.database)


def verify(database: Database, beat: Beat = lambda: None) -> Verified:
    """See ``Verifying.verify``."""
    faults = [_broken(each) for each in database.faults()]
    found = Verified()
    try:
        with database.read() as session:
            found = _content(session, database, beat)
        with database.write() as session:  # FTS5's check is an INSERT
            if not database.text_index.is_sound(session):
                faults.append(deriving.unsound_index())
    except DatabaseTrouble as trouble:
        faults.append(_broken(str(trouble)))
    except DBAPIError as error:  # a text that is none any more
        faults.append(_broken(f"Part of it cannot be read ({type(error.orig).__name__})."))
    return Verified(
        people=found.people,
        sources=found.sources,
        audit_entries=found.audit_entries,
        audit_head=found.audit_head,
        faults=(*faults, *found.faults),
    )


def broken_documents(database: Database) -> tuple[list[Fault], int, int]:
    """What a backup must have right: pages, references and documents; also how many people and
    documents there are. Works on the schema of every release.
    """
    faults = [_broken(each) for each in database.faults()]
    try:
        with database.read() as session:
            key = _key(session)
            if key:
                faults += source_faults(session, key, lambda: None)
            people = session.exec(select(func.count()).select_from(ProfileRow)).one()
            sources = session.exec(select(func.count()).select_from(SourceRow)).one()
    except DatabaseTrouble as trouble:
        return [*faults, _broken(str(trouble))], 0, 0
    except DBAPIError as error:
        return [*faults, _broken(f"Part of it cannot be read ({type(error.orig).__name__}).")], 0, 0
    return faults, people, sources


def _content(session: Session, database: Database, beat: Beat) -> Verified:
    key = _key(session)
    faults = list(source_faults(session, key, beat)) if key else []
    faults += deriving.faults(session, database.text_index, beat)
    entries, head = 0, ""
    for workspace in session.exec(
        select(AuditRow.workspace).distinct().order_by(col(AuditRow.workspace))
    ).all():
        check = verify_chain(session, key or "", workspace)
        entries, head = entries + check.entries, check.head
        if check.fault:
            faults.append(
                Fault(kind="audit", where=workspace, sentence=check.fault, advice=KEEP_AUDIT)
            )
    return Verified(
        people=session.exec(select(func.count()).select_from(ProfileRow)).one(),
        sources=session.exec(select(func.count()).select_from(SourceRow)).one(),
        audit_entries=entries,
        audit_head=head,
        faults=tuple(faults),
    )


def _key(session: Session) -> str | None:
    return session.exec(select(MetaRow.value).where(MetaRow.name == HASH_KEY)).first()


def source_faults(session: Session, key: str, beat: Beat) -> Iterator[Fault]:
    """Documents whose text is not what was stored. Read as bytes: it may be no text any more."""
    after = ("", "")
    secret = bytes.fromhex(key)
    while True:
        beat()
        rows = (
            session.connection()
            .execute(
                columns(
                    col(SourceRow.profile_id),
                    col(SourceRow.id),
                    col(SourceRow.digest),
                    cast(col(SourceRow.text), LargeBinary),
                    col(SourceKeyRow.profile_id),
                )
                .outerjoin(
                    SourceKeyRow,
                    (col(SourceKeyRow.workspace) == col(SourceRow.workspace))
                    & (col(SourceKeyRow.digest) == col(SourceRow.digest)),
                )
                .where(
                    (col(SourceRow.profile_id) > after[0])
                    | ((col(SourceRow.profile_id) == after[0]) & (col(SourceRow.id) > after[1]))
                )
                .order_by(col(SourceRow.profile_id), col(SourceRow.id))
                .limit(_BATCH)
            )
            .all()
        )
        for profile_id, source_id, digest, text, owner in rows:
            where = f"{profile_id}/{source_id}"
            if hmac.new(secret, text or b"", hashlib.sha256).hexdigest() != digest:
                yield Fault(
                    kind="source",
                    where=where,
                    sentence="The text of this document is not the one that was stored.",
                    advice=LOAD_AGAIN,
                )
            elif owner != profile_id:
                yield Fault(
                    kind="source",
                    where=where,
                    sentence="This document is not in the table by which repeated ones are known.",
                    advice=GO_BACK,
                )
        if len(rows) < _BATCH:
            return
        after = (rows[-1][0], rows[-1][1])


def _broken(sentence: str) -> Fault:
    return Fault(kind="database", where="file", sentence=sentence, advice=GO_BACK)
