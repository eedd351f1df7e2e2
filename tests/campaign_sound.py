"""Whether a database holds whole people and nothing else, whatever was killed or damaged."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from sqlalchemy import text
from sqlmodel import SQLModel

from storage.profile_json import profile_from_document
from storage.profile_rows import children_of
from storage.records import Profile
from storage.store import Store


def unsound(path: Path) -> list[str]:
    """What is half done in the database; opens (and so migrates) it as the program does."""
    with closing(sqlite3.connect(path)) as raw:
        said = [row[0] for row in raw.execute("PRAGMA integrity_check")]
        if said != ["ok"]:
            return [f"integrity_check: {said[0]}"]
    store = Store.open(f"sqlite:///{path}")
    try:
        return [*halves(store), *chain(store)]
    finally:
        store.close()


def chain(store: Store) -> Iterator[str]:
    fault = store.verify_audit().fault
    if fault:
        yield f"audit: {fault}"


def halves(store: Store) -> Iterator[str]:
    """People whose rows are not those of their profile, and rows of nobody."""
    for fault in store.verify().faults:
        yield f"{fault.where}: {fault.sentence}"
    with store.database.read() as session:
        connection = session.connection()
        people = dict(connection.execute(text("SELECT id, document FROM profile")).all())
        for name, table in SQLModel.metadata.tables.items():
            if "profile_id" in table.columns:
                found = connection.execute(text(f"SELECT DISTINCT profile_id FROM {name}"))
                if strangers := set(found.scalars()) - set(people):
                    yield f"{name} holds rows of {len(strangers)} who are not there"
        for id_, document in people.items():
            yield from rows_of(connection, id_, profile_from_document(json.loads(document)))


def rows_of(connection, id_: str, profile: Profile) -> Iterator[str]:
    for table, rows in children_of(profile):
        name = table.__tablename__
        count = connection.scalar(
            text(f"SELECT count(*) FROM {name} WHERE profile_id = :id"), {"id": id_}
        )
        if count != len(rows):
            yield f"{profile.name}: {count} rows in {name} instead of {len(rows)}"
    counts = {
        name: connection.scalar(
            text(f"SELECT count(*) FROM {name} WHERE profile_id = :id"), {"id": id_}
        )
        for name in ("source", "source_key", "history")
    }
    if not counts["source"] == counts["source_key"] >= 1 or counts["history"] < 1:
        yield f"{profile.name}: {counts}"
