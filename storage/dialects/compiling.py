"""SQLite's SQL, compiled once in a process.

SQLAlchemy keeps what it has compiled for each engine and each dialect object by itself. A store
has two engines and a process may open many stores (a restored one, each of the tests); to all of
them the same statement means the same SQL.
"""

from typing import Final

from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache

NAME: Final = "compiling"
DRIVER: Final = f"sqlite+{NAME}"
"""What an engine's URL begins with."""
COMPILED: Final[LRUCache[object, object]] = LRUCache(1_000)
"""What has been compiled; the least used statements beyond a thousand are forgotten."""


class Compiling(SQLiteDialect_pysqlite):
    """All of them are equal: one finds in ``COMPILED`` what another has compiled."""

    supports_statement_cache = True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Compiling)

    def __hash__(self) -> int:
        return hash(Compiling)


registry.register(f"sqlite.{NAME}", __name__, Compiling.__name__)
