"""Store: the only door to what the bot knows. One method is one transaction."""

from collections.abc import Callable
from pathlib import Path
from typing import Self
from uuid import uuid4

from storage.alarms import Alarms
from storage.audit import Audit
from storage.backups import Backups
from storage.database import Database
from storage.digests import Digests
from storage.figures import Measured
from storage.forgetting import Forgetting
from storage.indexing import bring_index_up_to_date
from storage.ledger import Ledger
from storage.past_answers import PastAnswers
from storage.quarantine import Quarantine
from storage.reindexing import Reindexing
from storage.reporting import Reporting
from storage.retention import Retention
from storage.searching import Searching
from storage.standings import Standings
from storage.undoing import Undoing
from storage.verifying import Verifying


def random_id() -> str:
    """A fresh id: 32 hexadecimal digits of randomness."""
    return uuid4().hex


class Store(
    Undoing,
    Reporting,
    Searching,
    Digests,
    Ledger,
    Audit,
    PastAnswers,
    Standings,
    Forgetting,
    Retention,
    Alarms,
    Quarantine,
    Verifying,
    Reindexing,
    Backups,
    Measured,
):
    """All that is stored, over one database, for one workspace.

    Values go in and come out; rows and sessions never do. Safe to share
    between threads. Each method's promise stands in its own docstring.
    """

    def __init__(
        self,
        database: Database,
        *,
        workspace: str = "main",
        new_id: Callable[[], str] = random_id,
    ) -> None:
        """Stand over an opened database; see ``open``."""
        self.database = database
        self.workspace = workspace
        self.new_id = new_id

    @classmethod
    def open(
        cls,
        url: str,
        *,
        create: bool = True,
        workspace: str = "main",
        new_id: Callable[[], str] = random_id,
        backup_folder: Path | None = None,
    ) -> Self:
        """Open the database at a SQLAlchemy URL, making and migrating it as needed.

        The list of forgotten people in ``backup_folder`` is kept up to date as the one
        beside the database is.

        Raises NoDatabase when ``create`` is False and there is none yet,
        NewerDatabase when a newer program made it, and DatabaseTrouble when it
        cannot be used; each says what to do.
        """
        database = Database.open(url, create=create)
        bring_index_up_to_date(database)
        store = cls(database, workspace=workspace, new_id=new_id)
        store.backup_folder = backup_folder
        return store

    def close(self) -> None:
        """Let go of the database."""
        self.database.close()

    def scrub(self) -> None:
        """Leave no trace of who was erased in the database's files."""
        self.database.scrub()

    def checkpoint(self) -> bool:
        """The database's housekeeping, for the clock to call every few minutes."""
        return self.database.checkpoint()

    def measure(self) -> None:
        """Note how what is stored is spread; for the clock to call when the store has grown."""
        self.database.measure()

    def warnings(self) -> tuple[str, ...]:
        """Sentences about the database's software that an operator should know."""
        return self.database.warnings()
