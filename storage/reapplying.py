"""Who was forgotten stays forgotten when an older database is put in place.

What is known of them stands in the database that is replaced and in the file
``NAME.tombstones`` beside it, one JSON object a line: ``id``, ``at``, ``by``,
``lifted_at``, ``lifted_by`` and ``keys``, the keyed hashes of what the person
would be known by. ``storage.restoring`` knows tombstones by this module only.
"""

import json
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from sqlalchemy import insert
from sqlalchemy.exc import DBAPIError
from sqlmodel import col, select

from storage.audit import write_entry
from storage.database import Database
from storage.dialects.dialect import DatabaseTrouble
from storage.erasing import erase_person
from storage.models import SourceKeyRow, TombstoneKeyRow, TombstoneRow

SUFFIX: Final = ".tombstones"
Rows = list[dict[str, Any]]


def tombstones_of(database: Database) -> Rows | None:
    """The tombstones of a database; None when they cannot be read: damaged, or an old schema."""
    try:
        with database.read() as session:
            return [
                {
                    "id": row.id,
                    "workspace": row.workspace,
                    "at": row.at.isoformat(),
                    "by": row.by,
                    "lifted_at": row.lifted_at.isoformat() if row.lifted_at else None,
                    "lifted_by": row.lifted_by,
                    "keys": list(
                        session.exec(
                            select(TombstoneKeyRow.digest).where(
                                TombstoneKeyRow.tombstone_id == row.id
                            )
                        )
                    ),
                }
                for row in session.exec(select(TombstoneRow)).all()
            ]
    except (DatabaseTrouble, DBAPIError):
        return None


def lines_beside(path: Path) -> Rows:
    """The tombstones in the file beside a database; a line that was cut off is passed over."""
    try:
        said = path.with_name(path.name + SUFFIX).read_bytes()
    except FileNotFoundError:
        return []
    rows = []
    for line in said.split(b"\n"):
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict) and isinstance(row.get("keys"), list) and "id" in row:
            rows.append(row)
    return rows


def reapply(database: Database, rows: Rows, *, by: str, now: datetime) -> int:
    """Keep these tombstones in this database, and erase whom they mean; how many that were."""
    with database.write() as session:
        connection = session.connection()
        for row in rows:
            lifted = datetime.fromisoformat(row["lifted_at"]) if row.get("lifted_at") else None
            known = session.get(TombstoneRow, row["id"])
            if known is not None:
                known.lifted_at = known.lifted_at or lifted
                session.add(known)
                session.flush()
                continue
            workspace = row.get("workspace", "main")
            connection.execute(
                insert(TombstoneRow).values(
                    id=row["id"],
                    workspace=workspace,
                    at=datetime.fromisoformat(row["at"]),
                    by=row["by"],
                    lifted_at=lifted,
                    lifted_by=row.get("lifted_by"),
                )
            )
            for digest in sorted(set(row["keys"])):
                connection.execute(
                    insert(TombstoneKeyRow).values(
                        workspace=workspace, digest=digest, tombstone_id=row["id"]
                    )
                )
    return _erase_tombstoned(database, by=by, now=now)


def _erase_tombstoned(database: Database, *, by: str, now: datetime) -> int:
    """Erase everybody of whom a document is under a tombstone that was not lifted."""
    with database.write() as session:
        people: dict[str, set[str]] = {}
        for workspace, profile_id in session.exec(
            select(SourceKeyRow.workspace, SourceKeyRow.profile_id)
            .join(
                TombstoneKeyRow,
                (col(TombstoneKeyRow.digest) == col(SourceKeyRow.digest))
                & (col(TombstoneKeyRow.workspace) == col(SourceKeyRow.workspace)),
            )
            .join(TombstoneRow, col(TombstoneRow.id) == col(TombstoneKeyRow.tombstone_id))
            .where(col(TombstoneRow.lifted_at).is_(None))
        ):
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
