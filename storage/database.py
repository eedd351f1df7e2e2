"""The database: opened and brought up to date once, then transactions to read or to write in.

Nothing outside ``storage`` sees a session, and no session outlives its
``with``. No network call belongs inside one.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Self

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlmodel import Session

from storage.dialects.dialect import UNREADABLE, DatabaseTrouble, Dialect, TextIndex
from storage.dialects.sqlite import Sqlite
from storage.errors import BotError
from storage.migrations import migrate

DIALECTS: Final[dict[str, type[Dialect]]] = {"sqlite": Sqlite}


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

    @classmethod
    def open(cls, url: str, *, create: bool = True, scripts: Path = migrate.SCRIPTS) -> Self:
        """Open the database, making and migrating it as needed.

        Raises NoDatabase (when ``create`` is False and there is none),
        ``migrate.NewerDatabase``, or DatabaseTrouble.
        """
        dialect = dialect_of(url)
        if not create and not dialect.exists():
            raise NoDatabase(
                f"There is no database at {make_url(url).database} yet: "
                "start the bot or load a profile first (.venv/bin/python -m bot load PATH)."
            )
        try:
            dialect.create()
            migrate.bring_up_to_date(dialect, scripts)
        except (DBAPIError, dialect.driver_error, *UNREADABLE) as error:
            trouble = dialect.trouble(error)
            if trouble is None:
                raise
            raise trouble from error
        return cls(dialect)

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
        except (DBAPIError, PoolTimeout, *UNREADABLE) as error:
            self._explain(error)
            raise

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A session that alone may write. Not to be nested."""
        if self._writer == threading.get_ident():
            raise RuntimeError("a transaction that writes was begun inside another one")
        try:
            with self._turn:
                self._writer = threading.get_ident()
                try:
                    with (
                        self._writing.connect() as connection,
                        connection.begin(),
                        Session(connection, autoflush=False, expire_on_commit=False) as session,
                    ):
                        yield session
                        session.flush()
                    if self._dialect.overdue():
                        self._dialect.tidy()
                finally:
                    self._writer = None
        except (DBAPIError, PoolTimeout, *UNREADABLE) as error:
            self._explain(error)
            raise

    def checkpoint(self) -> bool:
        """The database's housekeeping, for the clock to call; whether it was done."""
        with self._turn:
            return self._dialect.tidy()

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

    def _explain(self, error: Exception) -> None:
        """Raise the sentence for an error, if there is one."""
        if isinstance(error, PoolTimeout):
            raise DatabaseTrouble(
                "The bot is answering many questions at once: try again."
            ) from error
        trouble = self._dialect.trouble(error)
        if trouble is not None:
            raise trouble from error
