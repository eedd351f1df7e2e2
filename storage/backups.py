"""Backups: whole copies of the database, written while the bot runs, and proven before they count.

The order: write a copy under a name that is no backup's → look into it (its
pages, its references, its schema, every document's keyed hash) → bring the
list of the forgotten beside the backups up to date → write its SHA-256 beside it
→ give it its name → only then remove the oldest. A kill at any step leaves the
backups of before, and at most a file that ends in ``.unfinished``, which no
``restore`` takes and the next backup removes.

A backup's name is ``NAME-20261201T093000Z.db`` (UTC), so names sort by time.
"""

import fcntl
import hashlib
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from storage.database import Database, dialect_of
from storage.errors import BotError
from storage.files import UNFINISHED, flush, private_file
from storage.tombstone_file import add_lines
from storage.tombstones import Tombstones, among_backups
from storage.verifying import broken_documents

CHECKSUM: Final = ".sha256"
STAMP: Final = "%Y%m%dT%H%M%SZ"
_CHUNK: Final = 1024 * 1024
Step = Callable[[str], None]


class BackupFailed(BotError):
    """No backup was made; the ones of before are untouched."""


class BackupRuns(BackupFailed):
    """Another process is writing a backup to the same folder."""


class BadBackup(BotError):
    """A file that cannot be restored: not a backup, damaged, or of a newer program."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackedUp:
    """A backup that was made and proven."""

    path: Path
    size: int
    """Bytes."""
    people: int
    sources: int
    removed: tuple[Path, ...] = ()
    """Older backups that were removed to keep as many as asked."""


def nothing(_: str) -> None:
    """The step of a backup that nobody watches."""


class Backups(Tombstones):
    """Backups of this store's database."""

    def back_up(self, folder: Path, *, keep: int, now: datetime, step: Step = nothing) -> BackedUp:
        """Write a backup into the folder and keep the newest ``keep``, at least one.

        ``step`` hears of each step before it is taken. Raises BackupFailed with what to do.
        """
        try:
            return self._back_up(folder, keep=max(1, keep), now=now, step=step)
        except OSError as error:
            raise BackupFailed(
                f"No backup was made: {folder} cannot be written ({error.strerror}). Make room "
                "there, or name another folder in BACKUP_FOLDER."
            ) from error

    def newest_backup(self, folder: Path) -> datetime | None:
        """When the newest backup in the folder was made; None when there is none."""
        found = backups_in(folder, self.database.path.stem)
        return made_at(found[0]) if found else None

    def _back_up(self, folder: Path, *, keep: int, now: datetime, step: Step) -> BackedUp:
        stem = self.database.path.stem
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with _one_at_a_time(folder):
            for leftover in folder.glob(f"*{UNFINISHED}"):
                leftover.unlink(missing_ok=True)
            target = _free_name(folder, stem, now)
            unfinished = target.with_name(target.name + UNFINISHED)
            try:
                step("copy")
                self.database.write_backup(unfinished)
                step("check")
                people, sources = _prove(unfinished)
                step("tombstones")
                self._list_forgotten(among_backups(folder, stem))
            except Exception:
                unfinished.unlink(missing_ok=True)
                raise
            step("checksum")
            beside = target.with_name(target.name + CHECKSUM)
            _write(beside, f"{checksum(unfinished)}  {target.name}\n", step)
            step("name")
            unfinished.replace(target)
            step("flush")
            flush(folder)
            step("remove")
            removed = tuple(_remove(folder, target, stem, keep, step))
            return BackedUp(
                path=target,
                size=target.stat().st_size,
                people=people,
                sources=sources,
                removed=removed,
            )

    def _list_forgotten(self, path: Path) -> None:
        """Bring the list up to date. An empty one says that nobody was forgotten yet."""
        os.close(private_file(path))
        add_lines(path, self.tombstones_of())


def backups_in(folder: Path, stem: str) -> list[Path]:
    """The backups of the database of this name, newest first."""
    name = re.compile(rf"{re.escape(stem)}-\d{{8}}T\d{{6}}Z\.db")
    if not folder.is_dir():
        return []
    return sorted((path for path in folder.iterdir() if name.fullmatch(path.name)), reverse=True)


def made_at(backup: Path) -> datetime:
    """The moment in the name of a backup."""
    return datetime.strptime(backup.stem[-16:], STAMP).replace(tzinfo=UTC)


def checksum(path: Path) -> str:
    """SHA-256 of a file, in hex."""
    sum_ = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            sum_.update(chunk)
    return sum_.hexdigest()


def stated_checksum(backup: Path) -> str | None:
    """What stands in the file beside a backup, as ``sha256sum`` writes it; None without one."""
    try:
        said = backup.with_name(backup.name + CHECKSUM).read_text(
            encoding="utf-8", errors="replace"
        )
    except FileNotFoundError:
        return None
    return said.partition(" ")[0].strip().lower()


def look_into(path: Path) -> tuple[Database, str]:
    """A file as a database that is not migrated, and the revision of its schema.

    Close it afterwards. Raises BadBackup when it is none that this program can use.
    """
    from storage.migrations import migrate  # noqa: PLC0415 - see migrations.head

    dialect = dialect_of(f"sqlite:///{path}")
    try:
        revision = migrate.revision_of(dialect)
    except Exception as error:
        raise BadBackup(
            f"{path.name} is not a database of the bot, or it is damaged. Choose another backup."
        ) from error
    if revision is None:
        raise BadBackup(f"{path.name} is not a database of the bot. Choose another file.")
    if not migrate.knows(revision):
        raise BadBackup(
            f"{path.name} was made by a newer program (its schema is {revision}, this program "
            f"knows {migrate.head_of()} at most). Upgrade the bot, then restore."
        )
    return Database(dialect), revision


def _prove(path: Path) -> tuple[int, int]:
    """How many people and documents a fresh copy holds. Raises BackupFailed unless it is sound."""
    try:
        database, _ = look_into(path)
        try:
            faults, people, sources = broken_documents(database)
        finally:
            database.close()
    except BadBackup as bad:
        raise BackupFailed(f"No backup was made: {bad}") from bad
    if faults:
        raise BackupFailed(
            f"No backup was made, since the copy is not sound: {faults[0].sentence} "
            f"({faults[0].where}). The older backups are kept. "
            "Look with: .venv/bin/python -m bot verify"
        )
    return people, sources


def _free_name(folder: Path, stem: str, now: datetime) -> Path:
    moment = now.astimezone(UTC)
    while (path := folder / f"{stem}-{moment.strftime(STAMP)}.db").exists():
        moment += timedelta(seconds=1)
    return path


def _write(path: Path, text: str, step: Step) -> None:
    unfinished = path.with_name(path.name + UNFINISHED)
    descriptor = private_file(unfinished)
    try:
        os.ftruncate(descriptor, 0)
        os.write(descriptor, text.encode())
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    step("checksum name")
    unfinished.replace(path)


def _remove(folder: Path, made: Path, stem: str, keep: int, step: Step) -> Iterator[Path]:
    """Remove all but the newest, and checksums of backups that are not there.

    The one just made stays, also where a clock that was wrong gave others a later name.
    """
    others = [path for path in backups_in(folder, stem) if path != made]
    for old in others[keep - 1 :]:
        step("remove one")
        old.unlink(missing_ok=True)
        yield old
    for beside in folder.glob(f"{stem}-*.db{CHECKSUM}"):
        if not beside.with_name(beside.name.removesuffix(CHECKSUM)).exists():
            beside.unlink(missing_ok=True)
    flush(folder)


@contextmanager
def _one_at_a_time(folder: Path) -> Iterator[None]:
    lock = private_file(folder / ".lock")
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BackupRuns(
                f"Another backup is just being written to {folder}. Wait until it has ended."
            ) from error
        yield
    finally:
        os.close(lock)
