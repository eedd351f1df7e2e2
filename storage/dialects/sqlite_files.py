"""An SQLite database as files: who has it open, whole copies of it, and putting one in its place.

Whoever opens a database holds ``NAME.in-use`` together with all others; whoever
puts another in its place holds it alone. The file stays when nobody holds it.
"""

import errno
import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from storage.dialects.dialect import DatabaseTrouble
from storage.files import copy_whole, flush, private_file

BUSY_SECONDS: Final = 30
COMPANIONS: Final = ("-wal", "-shm", "-journal")
ASIDE: Final = ".replaced-"


class InUse(DatabaseTrouble):
    """Another program has the database open, or is putting another in its place."""


@contextmanager
def shared(path: Path) -> Iterator[None]:
    """Hold the database as one of many. Raises InUse while it is being replaced."""
    try:
        lock = private_file(path.with_name(path.name + ".in-use"))
    except OSError:  # a folder that may only be read: there nothing can be replaced either
        yield
        return
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise InUse(
                f"A backup is being put in the place of {path}: wait until that has ended, "
                "then start again."
            ) from error
        yield
    finally:
        os.close(lock)


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold the database when nobody else has it open. Raises InUse."""
    lock = private_file(path.with_name(path.name + ".in-use"))
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise InUse(
                f"A program has {path} open. Stop the bot (and what else uses the database), "
                "then try again."
            ) from error
        yield
    finally:
        os.close(lock)


def write_backup(path: Path, target: Path) -> None:
    """Write all that is committed to a file of its own, without free pages, and onto the disk.

    Others go on reading and writing meanwhile. What erased people left in free
    pages does not come along. Raises OSError where the target's disk is full.
    """
    target.unlink(missing_ok=True)
    os.close(private_file(target))
    with closing(sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)) as live:
        live.execute("PRAGMA wal_autocheckpoint=0")
        live.execute("PRAGMA trusted_schema=OFF")
        live.execute("PRAGMA temp_store=MEMORY")
        try:
            live.execute("VACUUM INTO ?", (str(target),))
        except sqlite3.OperationalError as error:
            if "disk is full" in str(error):  # the target's disk, whose name it does not say
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from error
            raise
    with closing(sqlite3.connect(target, isolation_level=None)) as kept:
        kept.execute("PRAGMA journal_mode=DELETE")
    flush(target)


def settle(path: Path) -> None:
    """Bring what stands in the write-ahead log into the file, as far as both are sound."""
    if not path.exists():
        return
    with (
        suppress(sqlite3.Error),
        closing(sqlite3.connect(path, timeout=0.1, isolation_level=None)) as connection,
    ):
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def keep_aside(path: Path, mark: str) -> Path | None:
    """Copy the file and its log, sound or not, beside themselves; None when there is no file.

    Nobody may have it open. The name is ``NAME.replaced-MARK``.
    """
    if not path.exists():
        return None
    aside = path.with_name(f"{path.name}{ASIDE}{mark}")
    for companion in ("-wal", "-journal", ""):  # the file itself last: with it the copy is whole
        file = path.with_name(path.name + companion)
        if file.exists():
            copy_whole(file, aside.with_name(aside.name + companion))
    return aside


def put_in_place(staged: Path, path: Path) -> None:
    """Let the staged file be the database from now on. Nobody may have either open.

    A log of the old file would be taken for one of the new: it goes first. Between
    the two steps the old file stands alone, which is whole when it was sound (``settle``).
    """
    for companion in COMPANIONS:
        path.with_name(path.name + companion).unlink(missing_ok=True)
    flush(path.parent)
    staged.replace(path)
    flush(path.parent)
