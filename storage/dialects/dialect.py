"""What ``Database`` asks of a dialect. A second database is a second class with these methods."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from json import JSONDecodeError
from pathlib import Path
from typing import Any, Final, Protocol

from sqlalchemy import Connection, Engine, Select
from sqlalchemy.engine import URL
from sqlmodel import Session

from storage.errors import BotError


class UnreadableInstant(ValueError):
    """What is stored for an instant is none."""


UNREADABLE: Final = (JSONDecodeError, UnicodeDecodeError, UnreadableInstant)
"""What rows raise whose bytes are no longer those that were written."""


class DatabaseTrouble(BotError):
    """The database cannot do its work just now: locked, full, read-only, damaged or not ours."""


class Busy(DatabaseTrouble):
    """Another program held the database for too long."""


Texts = tuple[int, str, Sequence[str]]
"""(doc, the words of a profile, those of each of its contributions)."""


class TextIndex(Protocol):
    """The full-text index of profiles. Texts come normalised: it only splits them on spaces.

    ``doc`` is the integer of the profile (``profile.doc``).
    """

    def create(self, connection: Connection) -> None:
        """Make the empty index. Called by a migration."""

    def owns_table(self, name: str) -> bool:
        """Whether the table is the index's own and no model describes it."""

    def create_contributions(self, connection: Connection) -> None:
        """Make the empty index of contributions. Called by a migration."""

    def empty(self, connection: Connection) -> None:
        """Make the index of texts and that of contributions anew and empty, sound or not."""

    def add(self, session: Session, texts: Iterable[Texts]) -> None:
        """Index profiles' texts, and each contribution's alone, that were not there."""

    def remove(self, session: Session, doc: int) -> None:
        """Take a text out; nothing happens when there is none."""

    def fade(self, session: Session) -> None:
        """Do a bounded part of wiping out what removed texts have left in the index."""

    def wipe(self, session: Session) -> None:
        """Wipe out all that removed texts have left in the index, however long it takes."""

    def rows(self, session: Session, after: int, limit: int) -> list[tuple[int, str]]:
        """The next ``limit`` (doc, text) above ``after``, in the order of ``doc``."""

    def contributions(self, session: Session, doc: int) -> list[str]:
        """The indexed text of each contribution of a profile, in order."""

    def is_sound(self, session: Session) -> bool:
        """Whether the index agrees with its own texts. In a transaction that may write."""

    def having(self, phrases: Sequence[str]) -> Select[Any]:
        """The ``doc`` of each text that holds one of the phrases, its words side by side."""

    def contributions_having(self, phrases: Sequence[str]) -> Select[Any]:
        """The ``doc`` of each contribution that holds one of the phrases: once a contribution.

        A profile's contributions count up to the 1,000th.
        """


class Dialect(Protocol):
    """One database: how to reach it, lock it, copy it and keep it well."""

    text_index: TextIndex
    path: Path
    """The file of the database: copies and what is put in its place lie beside it."""
    driver_error: type[Exception]
    """What the driver raises where SQLAlchemy does not stand in between."""

    def __init__(self, url: URL) -> None:
        """Remember the address. Nothing is opened or made."""

    def exists(self) -> bool:
        """Whether there is a database at the address (it may still be empty)."""

    def create(self) -> None:
        """Make an empty database that only its owner can read; no harm when there is one."""

    def engine(self, *, writing: bool) -> Engine:
        """An engine whose transactions may write, or one whose transactions cannot."""

    def shared(self) -> AbstractContextManager[None]:
        """Hold the database as one of many, for as long as it is open.

        Raises DatabaseTrouble while another one is being put in its place.
        """

    def alone(self) -> AbstractContextManager[None]:
        """Hold the database when nobody else has it open. Raises DatabaseTrouble."""

    def exclusive(self) -> AbstractContextManager[None]:
        """Hold what only one process may hold: the right to create and migrate."""

    def prepare(self, connection: Connection) -> None:
        """Settings that belong to the database and not to a connection. In no transaction."""

    def migrating(self, connection: Connection) -> AbstractContextManager[None]:
        """One transaction for a whole migration, in which tables may be rebuilt safely.

        When it ends, references between tables hold again or nothing has changed.
        """

    def keep_audit(self, connection: Connection) -> None:
        """Let the database itself refuse to delete or change the audit's entries.

        Only ``text`` may be emptied, once, and ``emptied_by`` set with it. Called by a migration.
        """

    def copy(self, revision: str) -> str:
        """Keep a whole, consistent copy beside the database; returns where. Called by a migration.

        ``revision`` is the schema's and part of the name.
        """

    def beside(self, ending: str) -> Path:
        """Where files lie that belong to this database: its own name with another ending."""

    def write_backup(self, target: Path) -> None:
        """Write a consistent copy that is one file, complete and on the disk, while others write.

        It holds nothing of what was deleted before.
        """

    def settle(self) -> None:
        """Bring all that is committed into the one file, when nobody else has it open."""

    def keep_aside(self, mark: str) -> Path | None:
        """Copy the database, sound or not, beside itself; None when there is none.

        In ``alone`` only, as is ``put_in_place``.
        """

    def put_in_place(self, staged: Path) -> None:
        """Let this file beside the database be the database, from one moment to the next."""

    def faults(self, connection: Connection) -> list[str]:
        """What the database itself finds wrong with its pages and references; it names nobody."""

    def tidy(self) -> bool:
        """Work that may be done after writes and at leisure; whether there was any."""

    def measure(self, connection: Connection) -> None:
        """Note how the rows are spread, by which the database chooses among its indexes."""

    def overdue(self) -> bool:
        """Whether ``tidy`` should not wait for the clock."""

    def warnings(self) -> tuple[str, ...]:
        """Sentences about this database's software that an operator should know."""

    def trouble(self, error: BaseException) -> DatabaseTrouble | None:
        """The sentence for an error of the driver, or None when it is a mistake of ours."""
