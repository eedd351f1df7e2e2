"""Erasing a person: a walk over every table that can hold something about them."""

from sqlalchemy import delete
from sqlmodel import Session, SQLModel, col, select

from storage.audit import empty_texts
from storage.candidates import ids_of
from storage.changed import note_all_changed
from storage.dialects.dialect import TextIndex
from storage.digests import forget_in_digests
from storage.indexing import unindex
from storage.models import ProfileAliasRow, ProfileRow, TwinRulingRow


def erase_person(session: Session, text_index: TextIndex, profile_id: str, *, told_by: int) -> None:
    """Delete the person of this id with all that is known of them.

    Every table with a ``profile_id`` is walked, so a table that is added later is walked too,
    for every record that was merged into the person. Two texts may name several people: that
    of audit entries about the person is emptied whole, and the frozen payload of a digest
    loses the person.
    """
    connection = session.connection()
    ids = ids_of(session, profile_id)
    for each in ids:
        empty_texts(connection, each, number=told_by)
        forget_in_digests(session, each)
    doc = connection.scalar(select(ProfileRow.doc).where(col(ProfileRow.id) == profile_id))
    if doc is not None:
        unindex(session, text_index, doc)
        text_index.fade(session)
    for table in SQLModel.metadata.tables.values():
        if "profile_id" in table.columns:
            connection.execute(delete(table).where(table.c.profile_id.in_(ids)))
    connection.execute(delete(ProfileAliasRow).where(col(ProfileAliasRow.alias).in_(ids)))
    connection.execute(delete(TwinRulingRow).where(col(TwinRulingRow.other_id).in_(ids)))
    connection.execute(delete(ProfileRow).where(col(ProfileRow.id) == profile_id))
    note_all_changed(connection)
