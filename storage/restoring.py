"""Putting a backup in the place of the database, while nobody has it open.

The order: copy the backup beside the database → prove it (its SHA-256 when one
lies beside it, its pages, its references, every document's keyed hash) → bring
an older schema up to date → set again the marks that were set since → erase
again who was forgotten since → write the restore into the audit, and keep
digests from being posted twice → prove it once more → copy the present database
aside, sound or not → put the new one in its place with one rename. A kill at
any step leaves the database of before or the new one, never half of one; the
backup is only read.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum, auto
from pathlib import Path
from typing import Any, Final, TypeVar
from uuid import uuid4

from sqlalchemy import update
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, col, select

from storage import deriving
from storage.audit import write_entry
from storage.backups import (
    STAMP,
    BadBackup,
    checksum,
    look_into,
    made_at,
    nothing,
    stated_checksum,
)
from storage.database import Database, dialect_of
from storage.dialects.dialect import DatabaseTrouble, Dialect
from storage.files import UNFINISHED, copy_whole
from storage.forgetting import Forgetting
from storage.marks import NO_MARKS, Carried, Marking, Marks, marks_of, newest_entry
from storage.models import AuditRow, DigestRunRow, SubscriptionRow
from storage.records import RunState
from storage.tombstone_file import read_lines
from storage.tombstones import FILE, among_backups
from storage.verifying import broken_documents, verify

STAGED: Final = ".restoring"
WORKSPACE: Final = "main"
"""As ``Store`` calls it; there is one a database."""
Rows = list[dict[str, Any]]
_T = TypeVar("_T")
STAMPED: Final = re.compile(r"-\d{8}T\d{6}Z$")
"""What a backup's name has behind that of its database."""
_LEFTOVERS: Final = ("", "-wal", "-shm", "-journal", ".lock", ".in-use", UNFINISHED)


class Before(Enum):
    """What there was at the place of the database."""

    NOTHING = auto()
    UNREADABLE = auto()
    OTHER = auto()
    """A database that lacks something that the backup holds: it knows less of what came since."""
    FOLLOWS = auto()
    """The database that the backup was made of, later: it knows all that came since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """What a restore did."""

    file: Path
    target: Path
    """Where the database is now."""
    taken_at: datetime
    """When the backup was made."""
    people: int
    sources: int
    before: Before
    marks: Carried
    """Marks that were set since the backup, as far as they could be read."""
    forgotten: int
    """People of the backup who were forgotten since and were erased again."""
    lists: tuple[Path, ...]
    """The lists of forgotten people that lay beside the database or the backup."""
    tombstones_read: bool
    """Whether the tombstones of the replaced database could be read (or there was none)."""
    rebuilt: int
    """People whose search rows were made anew, because the backup's were not as they should be."""
    revision: str
    migrated_to: str | None
    """The schema it was brought to; None when it had it already."""
    checksum_known: bool
    aside: Path | None
    """Where the database of before is kept; None when there was none."""


def restore(
    url: str,
    file: Path,
    *,
    by: str,
    now: datetime,
    step: Callable[[str], None] = nothing,
) -> Restored:
    """Let the backup be the database at ``url``. ``step`` hears of each step before it is taken.

    Raises BadBackup, or DatabaseTrouble when a program has the database open; then
    the database is as it was.
    """
    if file.name.endswith((UNFINISHED, STAGED)):
        raise BadBackup(f"{file.name} is not finished. Choose a backup that ends in .db.")
    if not file.is_file():
        raise BadBackup(f"There is no file {file}. Name a backup, such as backups/….db.")
    dialect = dialect_of(url)
    if dialect.path == file.absolute():
        raise BadBackup(f"{file} is the database itself. Name a backup.")
    dialect.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    staged = dialect.path.with_name(dialect.path.name + STAGED)
    with dialect.alone(), dialect.exclusive():
        try:
            return _restore(dialect, file, staged, by=by, now=now, step=step)
        except OSError as error:
            raise BadBackup(
                f"{file.name} was not restored: {dialect.path.parent} cannot be written "
                f"({error.strerror}). Make room for three times the database there, then try "
                "again. The database is as it was."
            ) from error
        finally:
            _clear(staged)


def _restore(
    dialect: Dialect,
    file: Path,
    staged: Path,
    *,
    by: str,
    now: datetime,
    step: Callable[[str], None],
) -> Restored:
    from storage.migrations import migrate  # noqa: PLC0415 - see migrations.head

    _clear(staged)
    step("copy")
    copy_whole(file, staged)
    step("check")
    known = stated_checksum(file)
    if known is not None and known != checksum(staged):
        raise BadBackup(
            f"{file.name} is not what was written: its SHA-256 is another than the one beside it. "
            "Choose another backup."
        )
    revision = _proven(file, staged)
    new = dialect_of(f"sqlite:///{staged}")
    step("migrate")
    migrate.bring_up_to_date(new, copy=False)
    step("forget")
    lists = _lists(dialect, file)
    database = Database(new)
    try:
        newest = newest_entry(database, WORKSPACE)
        taken = taken_at(file, newest[1] if newest else None)
        none: Rows = []
        rows = _present(dialect, lambda room: room.tombstones_of(), none)
        marks = _present(
            dialect,
            lambda room: marks_of(room.database, entry=newest[0] if newest else None),
            Marks(follows=False, marks=(), ids={}, names={}),
        )
        carried = _marking(database).carry_marks(marks, since=taken) if marks else NO_MARKS
        listed = [row for each in lists for row in read_lines(each)]
        forgotten = _carry_over(database, [*(rows or []), *listed], by=by, now=now, file=file)
        step("prove")
        rebuilt = _sound(database, file)
        _, people, sources = broken_documents(database)
    finally:
        database.close()
    _keep_log(new)
    new.settle()
    dialect.settle()
    step("aside")
    aside = dialect.keep_aside(now.astimezone(UTC).strftime(STAMP))
    step("replace")
    dialect.put_in_place(staged)
    step("done")
    head = migrate.head_of()
    return Restored(
        file=file,
        target=dialect.path,
        taken_at=taken,
        people=people,
        sources=sources,
        before=_before(aside, marks if rows is not None else None),
        marks=carried,
        forgotten=forgotten,
        lists=lists,
        tombstones_read=rows is not None,
        rebuilt=rebuilt,
        revision=revision,
        migrated_to=None if revision == head else head,
        checksum_known=known is not None,
        aside=aside,
    )


def _proven(file: Path, staged: Path) -> str:
    """The schema of a sound copy of a backup. Raises BadBackup."""
    try:
        database, revision = look_into(staged)
    except BadBackup as bad:
        raise BadBackup(str(bad).replace(staged.name, file.name)) from bad
    try:
        faults, _, _ = broken_documents(database)
    finally:
        database.close()
    if faults:
        raise BadBackup(
            f"{file.name} is damaged: {faults[0].sentence} ({faults[0].where}). "
            "Choose another backup; the database was left as it is."
        )
    return revision


def taken_at(file: Path, newest: datetime | None) -> datetime:
    """When a backup was made: by its name, else by its audit's newest entry, else by its file."""
    try:
        return made_at(file)
    except ValueError:
        return newest or datetime.fromtimestamp(file.stat().st_mtime, tz=UTC)


def _lists(dialect: Dialect, file: Path) -> tuple[Path, ...]:
    """The lists of forgotten people beside the database and beside the backup, if there are."""
    stem = STAMPED.sub("", file.stem)
    beside = dict.fromkeys(
        [
            dialect.beside(FILE),
            among_backups(file.parent, stem),
            file.with_name(dialect.path.name + FILE),
            file.with_name(file.name + FILE),
        ]
    )
    return tuple(each for each in beside if each.is_file())


def _present(dialect: Dialect, read: Callable[[Forgetting], _T], nothing_there: _T) -> _T | None:
    """Something of the database that is replaced; None when it cannot be read."""
    if not dialect.exists():
        return nothing_there
    database = Database(dialect)
    try:
        return read(_forgetting(database))
    except (DatabaseTrouble, DBAPIError):  # damaged, or of an older schema
        return None
    finally:
        database.close()


def _before(aside: Path | None, marks: Marks | None) -> Before:
    if aside is None:
        return Before.NOTHING
    if marks is None:
        return Before.UNREADABLE
    return Before.FOLLOWS if marks.follows else Before.OTHER


def _forgetting(database: Database) -> Forgetting:
    room = Forgetting()
    room.database, room.workspace, room.new_id = database, WORKSPACE, lambda: uuid4().hex
    return room


def _marking(database: Database) -> Marking:
    room = Marking()
    room.database, room.workspace, room.new_id = database, WORKSPACE, lambda: uuid4().hex
    return room


def _carry_over(
    database: Database,
    rows: Rows,
    *,
    by: str,
    now: datetime,
    file: Path,
) -> int:
    """Everything that has to be true of an older database before it is used again."""
    with database.write() as session:
        workspaces = set(session.exec(select(AuditRow.workspace).distinct())) | {WORKSPACE}
        for workspace in sorted(workspaces):
            write_entry(
                session.connection(),
                workspace=workspace,
                entry_id=uuid4().hex,
                who=by,
                action="restore",
                place="",
                text=file.name,
                now=now,
            )
        _quiet_digests(session, now)
    forgetting = _forgetting(database)
    forgetting.merge_tombstones(rows)
    return forgetting.erase_tombstoned(now)


def _quiet_digests(session: Session, now: datetime) -> None:
    """Slots that came due since the backup were most likely posted: they do not count again.

    Whom they told of is not known any more, so the next digest tells of those people
    (again). Runs that were due at the backup count as claimed once: who claims them
    looks in the channel first.
    """
    connection = session.connection()
    connection.execute(update(SubscriptionRow).values(active_from=now))
    connection.execute(
        update(DigestRunRow)
        .where(col(DigestRunRow.state) == RunState.READY, col(DigestRunRow.attempt) == 0)
        .values(attempt=1, first_claim_at=DigestRunRow.due_at)
    )


def _sound(database: Database, file: Path) -> int:
    """Prove what will be the database; make derived rows anew if need be. Raises BadBackup."""
    faults = verify(database).faults
    lasting = [fault for fault in faults if not fault.mendable]
    if lasting:
        raise BadBackup(
            f"{file.name} is damaged: {lasting[0].sentence} ({lasting[0].where}). "
            "Choose another backup; the database was left as it is."
        )
    return deriving.rebuild(database) if faults else 0


def _keep_log(dialect: Dialect) -> None:
    """Give the file the settings that belong to a database in use."""
    engine = dialect.engine(writing=True)
    try:
        with engine.connect() as connection:
            dialect.prepare(connection)
    finally:
        engine.dispose()


def _clear(staged: Path) -> None:
    for leftover in _LEFTOVERS:
        staged.with_name(staged.name + leftover).unlink(missing_ok=True)
