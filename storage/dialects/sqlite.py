"""SQLite: one file, many readers, one writer at a time, nothing lost when the power goes.

Versions 3.7.0–3.51.2 (but not 3.50.7+ of 3.50 and 3.44.6+ of 3.44) can damage
the file when two connections checkpoint at once (the *WAL-reset bug*). On
those no connection checkpoints by itself; ``tidy`` does it, in one process at
a time, under a lock file.
"""

import fcntl
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import structlog
from sqlalchemy import (
    Connection,
    Engine,
    Integer,
    Select,
    column,
    create_engine,
    event,
    literal_column,
    select,
    table,
    text,
)
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool
from sqlmodel import Session

from storage.dialects import compiling, sqlite_files
from storage.dialects.dialect import UNREADABLE, Busy, DatabaseTrouble, TextIndex, Texts
from storage.files import flush, narrow, private_file

log = structlog.get_logger(__name__)

BUSY_SECONDS: Final = 30
WAL_LIMIT: Final = 64 * 1024 * 1024
WAL_OVERDUE: Final = 8 * 1024 * 1024
READERS: Final = 32
FADE_PAGES: Final = 2000
SAMPLED_ROWS: Final = 1000
"""Rows of each index that are looked at to know how they are spread: 0.2 s at 100,000 people."""

_PRAGMAS: Final = (
    f"busy_timeout={BUSY_SECONDS * 1000}",
    "synchronous=FULL",
    "foreign_keys=ON",
    "trusted_schema=OFF",
    "cell_size_check=ON",
    f"journal_size_limit={WAL_LIMIT}",
    "secure_delete=ON",
    "temp_store=MEMORY",
)


def sqlite_is_affected(version: tuple[int, int, int]) -> bool:
    """Whether this version of SQLite has the WAL-reset bug.

    >>> [sqlite_is_affected(version) for version in ((3, 40, 1), (3, 44, 6), (3, 51, 3))]
    [True, False, False]
    """
    if version[:2] in {(3, 44), (3, 50)}:
        return version < ((3, 44, 6) if version[1] == 44 else (3, 50, 7))
    return (3, 7, 0) <= version < (3, 51, 3)


_CONTRIBUTIONS: Final = 1_000
"""Row numbers of contributions a profile; those of one profile stand side by side."""
_TABLES: Final = ("profile_text", "contribution_text")
_FTS: Final = (
    "CREATE VIRTUAL TABLE {name} USING fts5(text, "
    """tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'")"""
)


class SqliteTextIndex:
    """An FTS5 table in which all but separators (``Z*``) belongs to words: splitting is ours.

    Left to itself ``unicode61`` splits at marks too (vowel signs of Devanagari)
    and takes off some accents.
    """

    def create(self, connection: Connection) -> None:
        """See ``TextIndex``."""
        connection.execute(text(_FTS.format(name="profile_text")))

    def create_contributions(self, connection: Connection) -> None:
        """See ``TextIndex``."""
        connection.execute(text(_FTS.format(name="contribution_text")))

    def owns_table(self, name: str) -> bool:
        """See ``TextIndex``."""
        return name.startswith(_TABLES)

    def empty(self, connection: Connection) -> None:
        """See ``TextIndex``. By dropping it: a damaged one cannot be emptied row by row."""
        for name in _TABLES:
            connection.execute(text(f"DROP TABLE {name}"))
        self.create(connection)
        self.create_contributions(connection)

    def add(self, session: Session, texts: Iterable[Texts]) -> None:
        """See ``TextIndex``."""
        profiles: list[tuple[int, str]] = []
        contributions: list[tuple[int, str]] = []
        for doc, words, theirs in texts:
            profiles.append((doc, words))
            contributions += enumerate(theirs[:_CONTRIBUTIONS], doc * _CONTRIBUTIONS)
        for name, rows in zip(_TABLES, (profiles, contributions), strict=True):
            if rows:
                session.connection().exec_driver_sql(
                    f"INSERT INTO {name}(rowid, text) VALUES (?, ?)",  # noqa: S608 - ours
                    rows,
                )

    def remove(self, session: Session, doc: int) -> None:
        """See ``TextIndex``."""
        connection = session.connection()
        connection.execute(text("DELETE FROM profile_text WHERE rowid = :doc"), {"doc": doc})
        connection.execute(
            text("DELETE FROM contribution_text WHERE rowid BETWEEN :first AND :last"),
            {"first": doc * _CONTRIBUTIONS, "last": (doc + 1) * _CONTRIBUTIONS - 1},
        )

    def fade(self, session: Session) -> None:
        """See ``TextIndex``. FTS5 drops the words of removed texts when it merges segments."""
        # A savepoint first: it makes FTS5 write what it still holds back of this transaction.
        session.connection().begin_nested().commit()
        for name in _TABLES:
            session.connection().execute(
                text(f"INSERT INTO {name}({name}, rank) VALUES ('merge', :pages)"),  # noqa: S608
                {"pages": -FADE_PAGES},
            )

    def wipe(self, session: Session) -> None:
        """See ``TextIndex``. One segment holds no removed words."""
        for name in _TABLES:
            session.connection().execute(text(f"INSERT INTO {name}({name}) VALUES ('optimize')"))  # noqa: S608

    def rows(self, session: Session, after: int, limit: int) -> list[tuple[int, str]]:
        """See ``TextIndex``."""
        found = session.connection().execute(
            text("SELECT rowid, text FROM profile_text WHERE rowid > :last ORDER BY 1 LIMIT :most"),
            {"last": after, "most": limit},
        )
        return [(row[0], row[1]) for row in found]

    def contributions(self, session: Session, doc: int) -> list[str]:
        """See ``TextIndex``."""
        found = session.connection().execute(
            text(
                "SELECT text FROM contribution_text WHERE rowid BETWEEN :first AND :last"
                " ORDER BY rowid"
            ),
            {"first": doc * _CONTRIBUTIONS, "last": (doc + 1) * _CONTRIBUTIONS - 1},
        )
        return [row[0] for row in found]

    def is_sound(self, session: Session) -> bool:
        """See ``TextIndex``. FTS5 compares its lists of words with the texts that it keeps."""
        try:
            for name in _TABLES:
                session.connection().execute(
                    text(f"INSERT INTO {name}({name}) VALUES ('integrity-check')")  # noqa: S608
                )
        except DBAPIError as error:
            if "malformed" in str(error.orig):
                return False
            raise
        return True

    def having(self, phrases: Sequence[str]) -> Select[Any]:
        """See ``TextIndex``. Every phrase is quoted: bare words would be FTS5 syntax."""
        return _matching("profile_text", phrases, column("rowid", Integer))

    def contributions_having(self, phrases: Sequence[str]) -> Select[Any]:
        """See ``TextIndex``."""
        return _matching(
            "contribution_text",
            phrases,
            literal_column(f"rowid / {_CONTRIBUTIONS}", Integer).label("doc"),
        )


class Sqlite:
    """See ``Dialect``. The file, its companions and its copies are readable by their owner only."""

    def __init__(
        self, url: URL, *, version: tuple[int, int, int] = sqlite3.sqlite_version_info
    ) -> None:
        """Remember where the file is; ``version`` is the library's."""
        if not url.database or url.database == ":memory:" or url.database.startswith("file:"):
            raise DatabaseTrouble(
                "An SQLite database needs a file of its own: "
                "set DATABASE_URL to something like sqlite:///data/candidates.db."
            )
        self.path = Path(url.database).absolute()
        self.text_index: TextIndex = SqliteTextIndex()
        self.driver_error: type[Exception] = sqlite3.Error
        self._version = version
        self._affected = sqlite_is_affected(version)
        self._overdue_at = WAL_OVERDUE
        self._lock_path = self.path.with_name(self.path.name + ".lock")

    def exists(self) -> bool:
        """See ``Dialect``. An empty file is one that was being made when something stopped."""
        return self.path.is_file() and self.path.stat().st_size > 0

    def create(self) -> None:
        """See ``Dialect``. The folder is made too, for its owner only."""
        try:
            if not self.path.parent.is_dir():
                self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Never open and close a file that SQLite may have open in this process: POSIX
            # then drops the locks that SQLite holds on it.
            with suppress(FileExistsError):
                os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            for file in ("", "-wal", "-shm"):
                with suppress(FileNotFoundError):
                    path = self.path.with_name(self.path.name + file)
                    mode = narrow(path)
                    if mode is not None:
                        log.warning(
                            "database.narrowed",
                            advice=f"{path} could be read by other users (mode {mode:o}); it is "
                            "now its owner's alone (600), since it names people.",
                        )
        except OSError as error:
            raise self._no_file(error) from error

    def engine(self, *, writing: bool) -> Engine:
        """See ``Dialect``. Writers begin IMMEDIATE: a read that turns into a write fails."""
        engine = create_engine(
            URL.create(compiling.DRIVER, database=str(self.path)),
            execution_options={"compiled_cache": compiling.COMPILED},
            hide_parameters=True,  # an error's text reaches logs, and parameters name people
            poolclass=QueuePool,
            pool_size=2 if writing else READERS,
            max_overflow=0,
            pool_timeout=BUSY_SECONDS,
            connect_args={
                "isolation_level": None,  # the driver begins nothing; the events below do
                "check_same_thread": False,
                "timeout": BUSY_SECONDS,
            },
        )
        begin = "BEGIN IMMEDIATE" if writing else "BEGIN DEFERRED"
        pragmas = [*_PRAGMAS, f"query_only={'OFF' if writing else 'ON'}"]
        if self._affected:
            pragmas.append("wal_autocheckpoint=0")

        def settle(connection: Any, _record: object) -> None:
            with closing(connection.cursor()) as cursor:
                for pragma in pragmas:
                    cursor.execute(f"PRAGMA {pragma}")

        def begin_transaction(connection: Connection) -> None:
            connection.exec_driver_sql(begin)

        event.listen(engine, "connect", settle)
        event.listen(engine, "begin", begin_transaction)
        return engine

    def shared(self) -> AbstractContextManager[None]:
        """See ``Dialect``."""
        return sqlite_files.shared(self.path)

    def alone(self) -> AbstractContextManager[None]:
        """See ``Dialect``."""
        return sqlite_files.alone(self.path)

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """See ``Dialect``."""
        try:
            lock = private_file(self._lock_path)
        except OSError as error:
            raise self._no_file(error) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)

    def prepare(self, connection: Connection) -> None:
        """See ``Dialect``. The journal mode stays with the file."""
        driver = connection.connection.cursor()
        with closing(driver):
            driver.execute("PRAGMA journal_mode=WAL")

    @contextmanager
    def migrating(self, connection: Connection) -> Iterator[None]:
        """See ``Dialect``.

        Foreign keys are off meanwhile (it works only outside a transaction):
        rebuilding a table with them on deletes every row that refers to it.
        """
        with closing(connection.connection.cursor()) as driver:
            driver.execute("PRAGMA foreign_keys=OFF")
            try:
                with connection.begin():
                    yield
                    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
                    if broken:
                        raise DatabaseTrouble(
                            f"The database was not changed: a row of {broken[0]} would have "
                            f"lost the {broken[2]} it belongs to. Please report this."
                        )
            finally:
                driver.execute("PRAGMA foreign_keys=ON")

    def keep_audit(self, connection: Connection) -> None:
        """See ``Dialect``."""
        kept = (
            "id", "workspace", "number", "at", "who", "action", "place",
            "text_digest", "people_digest", "chain",
        )  # fmt: skip
        same = " AND ".join(f"NEW.{column} IS OLD.{column}" for column in kept)
        refuse = "BEGIN SELECT RAISE(ABORT, 'the audit only grows'); END"
        emptied = "NEW.text = '' AND OLD.emptied_by IS NULL AND NEW.emptied_by IS NOT NULL"
        connection.exec_driver_sql(f"CREATE TRIGGER audit_keeps BEFORE DELETE ON audit {refuse}")
        connection.exec_driver_sql(
            "CREATE TRIGGER audit_stays BEFORE UPDATE ON audit "
            f"WHEN NOT ({same} AND {emptied}) {refuse}"
        )

    def copy(self, revision: str) -> str:
        """See ``Dialect``. By SQLite's backup, never by copying bytes of a live file."""
        target = self.path.with_name(f"{self.path.name}.before-{revision}")
        unfinished = target.with_name(target.name + ".unfinished")
        unfinished.unlink(missing_ok=True)
        os.close(private_file(unfinished))
        with (
            closing(sqlite3.connect(self.path, timeout=BUSY_SECONDS)) as live,
            closing(sqlite3.connect(unfinished)) as kept,
        ):
            live.execute("PRAGMA wal_autocheckpoint=0")
            live.backup(kept)
            # The copy takes over the WAL mode of the file; alone, it should be one file.
            kept.execute("PRAGMA journal_mode=DELETE")
        flush(unfinished)
        unfinished.replace(target)
        flush(target.parent)
        return str(target)

    def beside(self, ending: str) -> Path:
        """See ``Dialect``."""
        return self.path.with_name(self.path.name + ending)

    def write_backup(self, target: Path) -> None:
        """See ``Dialect``."""
        sqlite_files.write_backup(self.path, target)

    def settle(self) -> None:
        """See ``Dialect``."""
        sqlite_files.settle(self.path)

    def keep_aside(self, mark: str) -> Path | None:
        """See ``Dialect``."""
        return sqlite_files.keep_aside(self.path, mark)

    def put_in_place(self, staged: Path) -> None:
        """See ``Dialect``."""
        sqlite_files.put_in_place(staged, self.path)

    def faults(self, connection: Connection) -> list[str]:
        """See ``Dialect``."""
        said = connection.exec_driver_sql("PRAGMA integrity_check(20)").scalars().all()
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
        found = [str(each) for each in said if each != "ok"]
        return found + [
            f"a row of {row[0]} refers to a {row[2]} that is not there" for row in broken
        ]

    def tidy(self) -> bool:
        """Copy the write-ahead log into the file and empty it, if no reader still needs it.

        Whoever finds another process at it leaves it be.
        """
        try:
            lock = private_file(self._lock_path)
        except OSError:
            return False
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with closing(
                sqlite3.connect(self.path, timeout=0.1, isolation_level=None)
            ) as connection:
                connection.execute("PRAGMA synchronous=FULL")
                connection.execute("PRAGMA wal_autocheckpoint=0")
                connection.execute(f"PRAGMA journal_size_limit={WAL_LIMIT}")
                busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                return not busy
        except (BlockingIOError, sqlite3.Error):
            return False
        finally:
            # A reader may have kept the log as long as it is: it is not tried at every write.
            self._overdue_at = self._log_size() + WAL_OVERDUE
            os.close(lock)

    def measure(self, connection: Connection) -> None:
        """See ``Dialect``. Without it a name is looked for by going through everybody."""
        connection.exec_driver_sql(f"PRAGMA analysis_limit={SAMPLED_ROWS}")
        connection.exec_driver_sql("ANALYZE")

    def overdue(self) -> bool:
        """See ``Dialect``. Newer versions of SQLite see to it themselves."""
        return self._affected and self._log_size() > self._overdue_at

    def warnings(self) -> tuple[str, ...]:
        """See ``Dialect``."""
        if not self._affected:
            return ()
        version = ".".join(map(str, self._version))
        return (
            (
                f"SQLite {version} has the WAL-reset bug, which can damage a database; the bot "
                "works around it. Let no other program write to the file, and move to SQLite "
                "3.51.3 (or 3.50.7, 3.44.6) when you can."
            ),
        )

    def trouble(self, error: BaseException) -> DatabaseTrouble | None:
        """See ``Dialect``."""
        cause = error.orig if isinstance(error, DBAPIError) else error
        if isinstance(cause, UNREADABLE):
            return DatabaseTrouble(DAMAGED.format(path=self.path))
        if not isinstance(cause, sqlite3.Error):
            return None
        said = str(cause).casefold()
        for part, sentence in _TROUBLES.items():
            if part in said:
                kind = Busy if part == "locked" else DatabaseTrouble
                return kind(sentence.format(path=self.path))
        return None

    def _log_size(self) -> int:
        try:
            return Path(f"{self.path}-wal").stat().st_size
        except FileNotFoundError:
            return 0

    def _no_file(self, error: OSError) -> DatabaseTrouble:
        return DatabaseTrouble(
            f"The database {self.path} cannot be opened ({error.strerror}): "
            "check that its folder exists and that you may write there, or set DATABASE_URL."
        )


DAMAGED: Final = (
    "The database {path} is damaged: stop the bot, keep the file, and go back to a copy."
)
_TROUBLES: Final = {
    "locked": "The database {path} is busy: another program has held it for half a minute. "
    "Try again, and close what else has the file open.",
    "disk is full": "The disk that holds {path} is full: make room, then do it again. "
    "What was stored before is safe.",
    "readonly": "The database {path} may only be read: give yourself the right to write to the "
    "file and its folder.",
    "not a database": "{path} is not a database: set DATABASE_URL to another file, or move this "
    "one away.",
    "malformed": DAMAGED,
    "could not decode": DAMAGED,  # a byte of a text that is no longer what was written
    "unable to open": "The database {path} cannot be opened: check that its folder exists and "
    "that you may write there, or set DATABASE_URL.",
    "disk i/o error": "The disk that holds {path} does not answer as it should: look at it, then "
    "try again.",
}
"""A part of what SQLite says → the sentence for people."""


def _matching(name: str, phrases: Sequence[str], wanted: Any) -> Select[Any]:
    asked = " OR ".join('"' + phrase.replace('"', '""') + '"' for phrase in phrases)
    return select(wanted).select_from(table(name)).where(literal_column(name).op("MATCH")(asked))
