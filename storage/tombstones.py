"""Tombstones: that somebody was erased and is kept out, without saying who.

``storage.recognising`` says what a tombstone is made of. Each is also a line of
``NAME.tombstones`` beside the database, for a backup that is older than it, and
of a file of that name among the backups, for a backup that is carried elsewhere.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, insert, update
from sqlmodel import Session, col, select

from storage.audit import write_entry
from storage.keyring import hash_key
from storage.models import ProfileAliasRow, TombstoneKeyRow, TombstoneRow
from storage.recognising import (
    REFERENCE,
    any_tombstone,
    documents_of,
    known_by,
    known_by_id,
    standing_tombstone,
)
from storage.records import Profile
from storage.room import Room
from storage.tombstone_file import add_lines

FILE: Final = ".tombstones"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """A tombstone, in words that tell nothing of who it is for."""

    id: str
    at: datetime
    by: str
    reason: str = ""
    lifted_at: datetime | None = None
    lifted_by: str | None = None
    lift_reason: str | None = None
    receipt: dict[str, Any] | None = None

    @property
    def reference(self) -> str:
        return self.id[:REFERENCE]


def bury(
    session: Session,
    workspace: str,
    profile_id: str,
    *,
    tombstone_id: str,
    by: str,
    reason: str,
    now: datetime,
) -> None:
    """Write the tombstone of a person who is still stored, within their erasure."""
    connection = session.connection()
    key = hash_key(connection)
    aliases = session.exec(
        select(ProfileAliasRow.alias).where(ProfileAliasRow.profile_id == profile_id)
    )
    hashes = known_by_id(key, profile_id, *aliases)
    for profile, text in documents_of(session, profile_id):
        hashes |= known_by(key, profile, text)
    connection.execute(
        insert(TombstoneRow).values(
            id=tombstone_id, workspace=workspace, at=now, by=by, reason=reason
        )
    )
    _keep_hashes(connection, workspace, tombstone_id, hashes)


class Tombstones(Room):
    """Reading tombstones, lifting them, and carrying them into a database that lacks them."""

    backup_folder: Path | None = None
    """Where backups of this database go, if that is known."""

    def is_forgotten(self, profile: Profile, text: str | None) -> bool:
        """Whether adding this page of a person would be refused."""
        with self.database.write() as session:  # the key may have to be made
            connection = session.connection()
            if not any_tombstone(connection, self.workspace):
                return False
            hashes = known_by(hash_key(connection), profile, text)
            return standing_tombstone(connection, self.workspace, hashes) is not None

    def tombstones(self) -> list[Tombstone]:
        """All tombstones, the newest first."""
        with self.database.read() as session:
            rows = session.exec(
                select(TombstoneRow)
                .where(TombstoneRow.workspace == self.workspace)
                .order_by(col(TombstoneRow.at).desc(), col(TombstoneRow.id))
            )
            return [_tombstone(row) for row in rows]

    def tombstone(self, reference: str) -> Tombstone | None:
        """The tombstone whose id begins so, if there is exactly one."""
        found = [each for each in self.tombstones() if each.id.startswith(reference.lower())]
        return found[0] if reference and len(found) == 1 else None

    def lift_tombstone(self, reference: str, *, by: str, reason: str, now: datetime) -> bool:
        """Let a forgotten person be added again: True the first time. Who, when and why is kept."""
        tombstone = self.tombstone(reference)
        if tombstone is None:
            return False
        with self.database.write() as session:
            connection = session.connection()
            lifted = connection.execute(
                update(TombstoneRow)
                .where(col(TombstoneRow.id) == tombstone.id, col(TombstoneRow.lifted_at).is_(None))
                .values(lifted_at=now, lifted_by=by, lift_reason=reason)
            ).rowcount
            if lifted:
                write_entry(
                    connection,
                    workspace=self.workspace,
                    entry_id=self.new_id(),
                    who=by,
                    action="let_in",
                    place=tombstone.reference,
                    now=now,
                )
        self.keep_tombstones()
        return lifted == 1

    def tombstones_of(self) -> list[dict[str, Any]]:
        """Every tombstone with its hashes, as rows for ``merge_tombstones`` of another database.

        Hashes and no texts: a reason, which somebody typed, stays in the database.
        """
        with self.database.read() as session:
            hashes: dict[str, list[str]] = {}
            for tombstone_id, digest in session.exec(
                select(TombstoneKeyRow.tombstone_id, TombstoneKeyRow.digest)
                .where(TombstoneKeyRow.workspace == self.workspace)
                .order_by(col(TombstoneKeyRow.digest))
            ):
                hashes.setdefault(tombstone_id, []).append(digest)
            rows = session.exec(
                select(TombstoneRow)
                .where(TombstoneRow.workspace == self.workspace)
                .order_by(col(TombstoneRow.at), col(TombstoneRow.id))
            )
            return [
                {
                    "id": row.id,
                    "at": row.at.isoformat(),
                    "by": row.by,
                    "lifted_at": row.lifted_at.isoformat() if row.lifted_at else None,
                    "lifted_by": row.lifted_by,
                    "keys": hashes.get(row.id, []),
                }
                for row in rows
            ]

    def merge_tombstones(self, rows: Iterable[dict[str, Any]]) -> int:
        """Take over tombstones that this database lacks, and liftings; returns how many were new.

        A row that is none is passed over: the file may have been cut off by a power cut.
        """
        new = 0
        with self.database.write() as session:
            connection = session.connection()
            for row in rows:
                tombstone = _read(row)
                if tombstone is None:
                    continue
                known = session.get(TombstoneRow, tombstone.id)
                if known is None:
                    new += 1
                    connection.execute(
                        insert(TombstoneRow).values(
                            id=tombstone.id,
                            workspace=self.workspace,
                            at=tombstone.at,
                            by=tombstone.by,
                            reason="",
                            lifted_at=tombstone.lifted_at,
                            lifted_by=tombstone.lifted_by,
                        )
                    )
                    _keep_hashes(connection, self.workspace, tombstone.id, row["keys"])
                elif known.lifted_at is None and tombstone.lifted_at is not None:
                    connection.execute(
                        update(TombstoneRow)
                        .where(col(TombstoneRow.id) == tombstone.id)
                        .values(lifted_at=tombstone.lifted_at, lifted_by=tombstone.lifted_by)
                    )
            session.expunge_all()
        return new

    def keep_tombstones(self) -> None:
        """Bring the files of tombstones up to date: beside the database and beside its backups.

        The latter only where a backup began one. It may lie on a disk that is not there
        now: then the next backup sees to it, or the clock, and who was erased stays so.
        """
        rows = self.tombstones_of()
        add_lines(self.database.beside(FILE), rows)
        if self.backup_folder is not None:
            with suppress(OSError):
                path = among_backups(self.backup_folder, self.database.path.stem)
                if path.exists():
                    add_lines(path, rows)


def among_backups(folder: Path, stem: str) -> Path:
    """The file of tombstones in a folder of backups of the database of this name."""
    return folder / f"{stem}.db{FILE}"


def _keep_hashes(
    connection: Connection, workspace: str, tombstone_id: str, hashes: Iterable[str]
) -> None:
    rows = [
        {"workspace": workspace, "digest": each, "tombstone_id": tombstone_id}
        for each in sorted(set(hashes))
    ]
    if rows:
        connection.execute(insert(TombstoneKeyRow), rows)


def _read(row: dict[str, Any]) -> Tombstone | None:
    """A row of ``tombstones_of``; None when it is none."""
    try:
        lifted = row.get("lifted_at")
        keys = row["keys"]
        if not isinstance(keys, list) or not all(isinstance(each, str) for each in keys):
            return None
        return Tombstone(
            id=str(row["id"]),
            at=datetime.fromisoformat(row["at"]),
            by=str(row["by"]),
            lifted_at=datetime.fromisoformat(lifted) if lifted else None,
            lifted_by=row.get("lifted_by"),
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


def _tombstone(row: TombstoneRow) -> Tombstone:
    return Tombstone(
        id=row.id,
        at=row.at,
        by=row.by,
        reason=row.reason,
        lifted_at=row.lifted_at,
        lifted_by=row.lifted_by,
        lift_reason=row.lift_reason,
        receipt=row.receipt,
    )
