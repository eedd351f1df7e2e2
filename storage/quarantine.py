"""Refused files, kept for a while so that nothing anybody sent is lost.

They lie compressed in the database. When all together are larger than
``ROOM`` the oldest go first.
"""

import zlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import delete, func
from sqlalchemy import select as select_columns
from sqlmodel import col, select

from storage.models import RefusedFileRow
from storage.room import Room

KEPT: Final = timedelta(days=30)
ROOM: Final = 500 * 1024 * 1024
"""Bytes that all refused files together may take, compressed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedFile:
    """A file that was refused, without its content; ``size`` in bytes."""

    ref: str
    at: datetime
    until: datetime
    by: str
    via: str
    name: str
    reason: str
    size: int


class Quarantine(Room):
    """Keeping refused files, and giving them back to an admin."""

    def keep_refused(
        self,
        ref: str,
        content: bytes,
        *,
        name: str,
        reason: str,
        by: str,
        via: str,
        now: datetime,
        room: int = ROOM,
    ) -> None:
        """Keep a file under its reference until ``KEPT`` has passed; one kept before stays.

        The oldest give way when all would take more than ``room`` bytes.
        """
        packed = zlib.compress(content)
        with self.database.write() as session:
            if session.get(RefusedFileRow, ref) is not None:
                return
            session.add(
                RefusedFileRow(
                    id=ref,
                    workspace=self.workspace,
                    at=now,
                    until=now + KEPT,
                    by=by,
                    via=via,
                    name=name,
                    reason=reason,
                    size=len(content),
                    content=packed,
                )
            )
            session.flush()
            sizes = session.exec(
                select(RefusedFileRow.id, func.length(RefusedFileRow.content)).order_by(
                    col(RefusedFileRow.at).desc(), col(RefusedFileRow.id) != ref
                )
            ).all()
            taken = 0
            for id_, size in sizes:
                taken += size
                if taken > room:
                    session.connection().execute(
                        delete(RefusedFileRow).where(col(RefusedFileRow.id) == id_)
                    )

    def refused_files(self) -> list[RefusedFile]:
        """Those that are kept, newest first."""
        with self.database.read() as session:
            rows = session.connection().execute(
                select_columns(
                    col(RefusedFileRow.id),
                    col(RefusedFileRow.at),
                    col(RefusedFileRow.until),
                    col(RefusedFileRow.by),
                    col(RefusedFileRow.via),
                    col(RefusedFileRow.name),
                    col(RefusedFileRow.reason),
                    col(RefusedFileRow.size),
                )
                .where(col(RefusedFileRow.workspace) == self.workspace)
                .order_by(col(RefusedFileRow.at).desc(), col(RefusedFileRow.id))
            )
            return [
                RefusedFile(
                    ref=ref,
                    at=at,
                    until=until,
                    by=by,
                    via=via,
                    name=name,
                    reason=reason,
                    size=size,
                )
                for ref, at, until, by, via, name, reason, size in rows
            ]

    def refused_content(self, ref: str) -> bytes | None:
        """The file itself as it was sent; None when it is not kept (any more)."""
        with self.database.read() as session:
            row = session.get(RefusedFileRow, ref)
            if row is None or row.workspace != self.workspace:
                return None
            return zlib.decompress(row.content)

    def prune_refused(self, now: datetime) -> int:
        """Delete those whose time is over; returns how many."""
        with self.database.write() as session:
            return (
                session.connection()
                .execute(delete(RefusedFileRow).where(col(RefusedFileRow.until) <= now))
                .rowcount
            )
