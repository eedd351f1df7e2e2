"""Which profiles changed, in order: what every process follows that remembers what searches read.

Whoever writes what a search looks up notes it in the same transaction, so the
note and the change are seen at one moment. The doors are few: ``indexing`` (a
profile stored or rewritten, the index made anew), ``erasing``, and standings
(``standings``, ``retention``). Numbers count from 1 without a gap, since one
writes at a time; the newest ``KEPT`` are there, and whoever was away for longer
begins anew, as after ``EVERYBODY``.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from sqlalchemy import Connection, delete, func, insert, select
from sqlmodel import col

from storage.models import ProfileRow, SearchChangeRow

EVERYBODY: Final = 0
"""Stands for all profiles: nothing that was remembered may be used any more."""
KEPT: Final = 10_000


def note_changed(connection: Connection, docs: Iterable[int]) -> None:
    """Note that what is searched of these profiles changes with this transaction."""
    newest = connection.scalar(select(func.max(col(SearchChangeRow.number)))) or 0
    rows = [{"number": number, "doc": doc} for number, doc in enumerate(docs, newest + 1)]
    if rows:
        connection.execute(insert(SearchChangeRow), rows)
        connection.execute(
            delete(SearchChangeRow).where(col(SearchChangeRow.number) <= newest + len(rows) - KEPT)
        )


def note_all_changed(connection: Connection) -> None:
    """Note that whatever is remembered is void: people were erased, or the index is made anew."""
    note_changed(connection, [EVERYBODY])


def note_people_changed(connection: Connection, ids: Sequence[str]) -> None:
    """Note that what may be done with these people changes with this transaction."""
    if len(ids) > 1:
        note_all_changed(connection)
    elif ids:
        docs = connection.scalars(select(col(ProfileRow.doc)).where(col(ProfileRow.id).in_(ids)))
        note_changed(connection, docs.all())
