"""What the stored documents of a person say together: rows for ``storage.combining``."""

from collections.abc import Iterable
from typing import Any, Final

from sqlalchemy import select as columns
from sqlalchemy import update
from sqlmodel import Session, col, select

from storage.candidates import ids_of
from storage.combining import Spoken, combine, corrected, speaking
from storage.models import CorrectionRow, ProfileRow, SourceRow
from storage.profile_json import profile_from_document
from storage.records import Profile

SPEAKING: Final = ("profile_id", "parser", "name", "added_at", "version", "document")
"""Columns of a document's row that ``spoken`` takes."""
KINDS_END: Final = "/"
"""A parser is the kind of document and a version, such as ``prog-ai/2``."""


def kind_of(parser: str) -> str:
    """The kind of document that a parser reads.

    >>> kind_of("prog-ai/2")
    'prog-ai'
    """
    return parser.split(KINDS_END, 1)[0]


def combined_profile(session: Session, profile_id: str) -> Profile:
    """The profile of a stored person, from all their documents that were read, and corrections."""
    combined = combine(speakers_of(session, profile_id))
    corrections = corrections_of(session, profile_id)
    return corrected(combined, corrections) if corrections else combined


def speakers_of(session: Session, profile_id: str) -> list[Spoken]:
    """The documents of a stored person that speak, the newest first."""
    return speaking(documents_spoken(session, ids_of(session, profile_id)))


def corrections_of(session: Session, profile_id: str) -> dict[str, str]:
    """What was corrected by hand, by field; of several records of a person the newest."""
    rows = session.exec(
        select(CorrectionRow)
        .where(col(CorrectionRow.profile_id).in_(ids_of(session, profile_id)))
        .order_by(col(CorrectionRow.at), col(CorrectionRow.profile_id))
    )
    return {row.field: row.value for row in rows}


def documents_spoken(session: Session, ids: Iterable[str]) -> list[Spoken]:
    """What each document filed under these ids says, as far as its reading is kept."""
    rows = session.connection().execute(
        columns(*(col(getattr(SourceRow, name)) for name in SPEAKING)).where(
            col(SourceRow.profile_id).in_(ids), col(SourceRow.document).is_not(None)
        )
    )
    return [spoken(*row) for row in rows]


def spoken(
    filed_under: str, parser: str, name: str, at: Any, version: int, document: Any
) -> Spoken:
    """A document's row as it speaks."""
    return Spoken(
        profile=profile_from_document(document),
        kind=kind_of(parser),
        filed_under=filed_under,
        name=name,
        at=at,
        version=version,
    )


def speaks(session: Session, profile_id: str, source_id: str) -> bool:
    """Whether this document is the newest of its lineage."""
    asked = select(SourceRow.profile_id, SourceRow.parser, SourceRow.version)
    mine = session.exec(
        asked.where(
            col(SourceRow.profile_id).in_(ids_of(session, profile_id)), SourceRow.id == source_id
        )
    ).one()
    lineage = session.exec(asked.where(SourceRow.profile_id == mine[0])).all()
    versions = [version for _, parser, version in lineage if kind_of(parser) == kind_of(mine[1])]
    return mine[2] == max(versions)


def keep_reading(session: Session, profile_id: str, filed_under: str) -> None:
    """Keep what the newest document said where an earlier program did not.

    It is what the person's profile says, as long as no other document speaks.
    """
    newest = session.exec(
        select(SourceRow.id, SourceRow.document)
        .where(SourceRow.profile_id == filed_under)
        .order_by(col(SourceRow.version).desc())
        .limit(1)
    ).first()
    if newest is None or newest[1] is not None:
        return
    said = session.exec(select(ProfileRow.document).where(ProfileRow.id == profile_id)).one()
    session.connection().execute(
        update(SourceRow)
        .where(col(SourceRow.profile_id) == filed_under, col(SourceRow.id) == newest[0])
        .values(document=said)
    )
