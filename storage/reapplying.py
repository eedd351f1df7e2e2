"""Who was forgotten stays forgotten when an older database is put in place.

What is known of them is in the database that is replaced, and in the file
``NAME.tombstones`` beside it, one keyed hash a line. This is the one place that
``storage.restoring`` knows tombstones by.
"""

from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from sqlalchemy import insert
from sqlalchemy import select as columns
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlmodel import Session, col, select

from storage.audit import write_entry
from storage.database import Database
from storage.dialects.dialect import DatabaseTrouble
from storage.erasing import erase_person
from storage.models import SourceKeyRow, TombstoneKeyRow, TombstoneRow

SUFFIX: Final = ".tombstones"
Rows = list[tuple[type[TombstoneRow | TombstoneKeyRow], dict[str, Any]]]


def tombstones_of(database: Database) -> Rows | None:
    """The tombstones of a database; None when they cannot be read: damaged, or of an old schema."""
    found: Rows = []
    try:
        with database.read() as session:
            for table in (TombstoneRow, TombstoneKeyRow):
                names = list(table.model_fields)
                for row in session.connection().execute(
                    columns(*(getattr(table, name) for name in names))
                ):
                    found.append((table, dict(zip(names, row, strict=True))))
    except (DatabaseTrouble, DBAPIError):
        return None
    return found


def lines_beside(path: Path) -> list[str]:
    """The keyed hashes in the file beside a database; none when there is no such file."""
    with suppress(FileNotFoundError):
        said = path.with_name(path.name + SUFFIX).read_text(encoding="utf-8", errors="replace")
        return [line.split()[0] for line in said.splitlines() if line.strip()]
    return []


def merge_tombstones(session: Session, rows: Rows) -> None:
    """Keep the tombstones of another database in this one; those that are there stay."""
    for table, values in rows:
        with suppress(IntegrityError), session.connection().begin_nested():
            session.connection().execute(insert(table).values(**values))


def erase_tombstoned(
    session: Session, database: Database, lines: list[str], *, by: str, now: datetime
) -> int:
    """Erase everybody whom a tombstone, or a line of the file, means; how many that were.

    The audit tells of it, for each workspace, and not of whom.
    """
    lifted = columns(col(TombstoneRow.id)).where(col(TombstoneRow.lifted_at).is_not(None))
    meant = set(
        session.exec(
            select(TombstoneKeyRow.digest).where(col(TombstoneKeyRow.tombstone_id).not_in(lifted))
        )
    ) | set(lines)
    people: dict[str, set[str]] = {}
    for digest, profile_id, workspace in session.exec(
        select(SourceKeyRow.digest, SourceKeyRow.profile_id, SourceKeyRow.workspace)
    ):
        if digest in meant:
            people.setdefault(workspace, set()).add(profile_id)
    for workspace, ids in sorted(people.items()):
        number = write_entry(
            session.connection(),
            workspace=workspace,
            entry_id=uuid4().hex,
            who=by,
            action="forget",
            place="",
            now=now,
        )
        for profile_id in sorted(ids):
            erase_person(session, database.text_index, profile_id, told_by=number)
    return sum(map(len, people.values()))
