"""The database: opened and brought up to date once, then transactions to read or to write in.

Nothing outside ``storage`` sees a session, and no session outlives its
``with``. No network call belongs inside one.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlmodel import Session

from storage.dialects.dialect import UNREADABLE, Busy, DatabaseTrouble, Dialect, TextIndex
from storage.dialects.sqlite import Sqlite
from storage.errors import BotError
from storage.migrations.head import is_up_to_date
from storage.search.memory import Memory

DIALECTS: Final[dict[str, type[Dialect]]] = {"sqlite": Sqlite}


@dataclass(slots=True)
class Waits:
    """How writers of this process have waited for their turn. Written by whoever has the turn."""

    writes: int = 0
    seconds: float = 0.0
    refused: int = 0
    """Transactions that found the database locked by another program for too long."""


class NoDatabase(BotError):
    """There is no database yet, and the caller did not ask to make one."""


def dialect_of(url: str) -> Dialect:
    """The dialect for a ``DATABASE_URL``. Raises DatabaseTrouble when there is none for it."""
    try:
        parsed = make_url(url)
        kind = DIALECTS[parsed.get_backend_name()]
    except (ArgumentError, KeyError) as error:
        raise DatabaseTrouble(
            f"DATABASE_URL names no database that the bot can use ({', '.join(DIALECTS)}): "
            "set it to something like sqlite:///data/candidates.db."
        ) from error
    return kind(parsed)


class Database:
    """Transactions over one database; safe to share between threads.

    ``read()`` gives a session that sees one moment and cannot write.
    ``write()`` gives one that alone may write: it commits at the end, or takes
    everything back when an exception leaves it. Writers of this process queue
    at a lock, those of other processes at the database.
    """

    def __init__(self, dialect: Dialect) -> None:
        """Connect lazily; the schema must be up to date: see ``open``."""
        self._dialect = dialect
        self._reading = dialect.engine(writing=False)
        self._writing = dialect.engine(writing=True)
        self._turn = threading.Lock()
        self._writer: int | None = None
        self._held = ExitStack()
        self.waits = Waits()
        self.memory = Memory()
        """What searches remember of this database."""

    @classmethod
    def open(cls, url: str, *, create: bool = True, scripts: Path | None = None) -> Self:
        """Open the database, making and migrating it as needed (with other ``scripts`` in tests).

        Raises NoDatabase (when ``create`` is False and there is none),
        ``migrate.NewerDatabase``, or DatabaseTrouble.
        """
        dialect = dialect_of(url)
        if not create and not dialect.exists():
            raise NoDatabase(
                f"There is no database at {make_url(url).database} yet: "
                "start the bot or load a profile first (.venv/bin/python -m bot load PATH)."
            )
        with ExitStack() as held:
            try:
                dialect.create()
                held.enter_context(dialect.shared())
                if scripts is not None or not is_up_to_date(dialect):
                    from storage.migrations import migrate  # noqa: PLC0415 - see migrations.head

                    migrate.bring_up_to_date(dialect, scripts or migrate.SCRIPTS)
            except (DBAPIError, dialect.driver_error, *UNREADABLE) as error:
                trouble = dialect.trouble(error)
                if trouble is None:
                    raise
                raise trouble from error
            opened = cls(dialect)
            opened._held = held.pop_all()
        return opened

    @property
    def text_index(self) -> TextIndex:
        """The full-text index of this database's dialect."""
        return self._dialect.text_index

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A session that sees the database as it is at its first query."""
        try:
            with (
                self._reading.connect() as connection,
                connection.begin(),
                Session(connection, autoflush=False, expire_on_commit=False) as session,
            ):
                yield session
        except (DBAPIError, self._dialect.driver_error, PoolTimeout, *UNREADABLE) as error:
            self._explain(error)
            raise

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A session that alone may write. Not to be nested."""
        if self._writer == threading.get_ident():
            raise RuntimeError("a transaction that writes was begun inside another one")
        began = time.perf_counter()
        try:
            with self._turn:
                self._writer = threading.get_ident()
                try:
                    with (
                        self._writing.connect() as connection,
                        connection.begin(),
                        self._waited(began),
                        Session(connection, autoflush=False, expire_on_commit=False) as session,
                    ):
                        yield session
                        session.flush()
                    if self._dialect.overdue():
                        self._dialect.tidy()
                finally:
                    self._writer = None
        except (DBAPIError, self._dialect.driver_error, PoolTimeout, *UNREADABLE) as error:
            self._explain(error)
            raise

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold what only one process may hold. Transactions may be made meanwhile."""
        with self._dialect.exclusive():
            yield

    def checkpoint(self) -> bool:
        """The database's housekeeping, for the clock to call; whether it was done."""
        with self._turn:
            return self._dialect.tidy()

    def scrub(self) -> None:
        """Leave no trace of what was erased: in the text index, in free pages, in the log.

        What a reader still needs is wiped with the next checkpoint.
        """
        with self.write() as session:
            self.text_index.wipe(session)
        self.checkpoint()

    def beside(self, ending: str) -> Path:
        """Where a file lies that belongs to this database: its name with another ending."""
        return self._dialect.beside(ending)

    def copies(self) -> tuple[str, ...]:
        """Names of copies of the database that were made beside it before it was changed."""
        own = self.beside("")
        return tuple(sorted(each.name for each in own.parent.glob(f"{own.name}.before-*")))

    @property
    def path(self) -> Path:
        """The file of the database."""
        return self._dialect.path

    def write_backup(self, target: Path) -> None:
        """Write a consistent copy of all that is committed to a file of its own. See ``Dialect``.

        Raises DatabaseTrouble.
        """
        try:
            self._dialect.write_backup(target)
        except self._dialect.driver_error as error:
            self._explain(error)
            raise

    def faults(self) -> list[str]:
        """What the database itself finds wrong with its pages and references; it names nobody."""
        try:
            with self.read() as session:
                return self._dialect.faults(session.connection())
        except DatabaseTrouble as trouble:  # so damaged that it cannot be looked at
            return [str(trouble)]

    def measure(self) -> None:
        """Note how the rows are spread, so that the database chooses the right index."""
        with self.write() as session:
            self._dialect.measure(session.connection())

    def warnings(self) -> tuple[str, ...]:
        """Sentences about the database's software that an operator should know."""
        return self._dialect.warnings()

    def close(self) -> None:
        """Let go of all connections."""
        self._reading.dispose()
        self._writing.dispose()
        self._held.close()

    @contextmanager
    def _waited(self, since: float) -> Iterator[None]:
        """Count the wait that has just ended. Within the turn."""
        self.waits.writes += 1
        self.waits.seconds += time.perf_counter() - since
        yield

    def _explain(self, error: Exception) -> None:
        """Raise the sentence for an error, if there is one."""
        if isinstance(error, PoolTimeout):
            raise DatabaseTrouble(
                "The bot is answering many questions at once: try again."
            ) from error
        trouble = self._dialect.trouble(error)
        if trouble is not None:
            self.waits.refused += isinstance(trouble, Busy)
            raise trouble from error
