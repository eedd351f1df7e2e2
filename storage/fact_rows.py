"""The rows of facts: written with a profile, taken away with it, and counted by value."""

from collections.abc import Iterable
from typing import Final

from sqlalchemy import Connection, delete, insert, select, text
from sqlmodel import col

from storage.models import FactRow, FactValueRow
from storage.search.postings import Fact

_INSERT: Final = "INSERT INTO fact (kind, value, doc, weight) VALUES (?, ?, ?, ?)"
_ONE_MORE: Final = text(
    "INSERT INTO fact_value (kind, value, people) VALUES (:kind, :value, 1)"
    " ON CONFLICT (kind, value) DO UPDATE SET people = fact_value.people + 1"
)
_ONE_LESS: Final = text(
    "UPDATE fact_value SET people = people - 1 WHERE kind = :kind AND value = :value"
)
_NONE_LEFT: Final = text(
    "DELETE FROM fact_value WHERE kind = :kind AND value = :value AND people <= 0"
)


def write_facts(connection: Connection, doc: int, facts: Iterable[Fact]) -> None:
    """Write the facts of a profile that has none yet."""
    rows = [
        {"doc": doc, "kind": kind, "value": value, "weight": weight}
        for kind, value, weight in facts
    ]
    if rows:
        connection.execute(insert(FactRow), rows)
        connection.execute(
            _ONE_MORE, [{"kind": row["kind"], "value": row["value"]} for row in rows]
        )


def write_many_facts(connection: Connection, facts: Iterable[tuple[int, Iterable[Fact]]]) -> None:
    """Write the facts of profiles (by ``doc``) that have none yet, without counting values.

    In the order of the table's own key, and past SQLAlchemy, which would take as long as
    SQLite: there are some sixty a profile.
    """
    rows = [(kind, value, doc, weight) for doc, theirs in facts for kind, value, weight in theirs]
    if rows:
        connection.exec_driver_sql(_INSERT, sorted(rows))


def remove_facts(connection: Connection, doc: int) -> None:
    """Take the facts of a profile away, and values that nobody has any more."""
    rows = [
        {"kind": kind, "value": value}
        for kind, value in connection.execute(
            select(col(FactRow.kind), col(FactRow.value)).where(col(FactRow.doc) == doc)
        )
    ]
    if rows:
        connection.execute(delete(FactRow).where(col(FactRow.doc) == doc))
        connection.execute(_ONE_LESS, rows)
        connection.execute(_NONE_LEFT, rows)


def count_values(connection: Connection) -> None:
    """Count all values anew."""
    connection.execute(delete(FactValueRow))
    connection.execute(
        text(
            "INSERT INTO fact_value (kind, value, people)"
            " SELECT kind, value, count(*) FROM fact GROUP BY kind, value"
        )
    )
