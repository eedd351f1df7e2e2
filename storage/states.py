"""What is noted of a person beside documents, as a value: so that a merge can be taken back.

Standings, who is in touch, the notice, retention, and which digests told of them: each row
stands under the table's name and the part of its key that is not the person.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from sqlalchemy import delete, insert, select
from sqlmodel import Session, SQLModel

from storage.models import (
    DigestItemRow,
    InTouchRow,
    NoticeRow,
    RetentionRow,
    StandingRow,
    UtcDateTime,
)

Row = dict[str, Any]
State = dict[str, dict[str, Row]]
"""Table → key without the person → columns without the person, instants as ISO texts."""
_TABLES: Final[Mapping[str, tuple[type[SQLModel], tuple[str, ...]]]] = {
    "standing": (StandingRow, ("kind",)),
    "in_touch": (InTouchRow, ("who",)),
    "notice": (NoticeRow, ()),
    "retention": (RetentionRow, ()),
    "digest_item": (DigestItemRow, ("workspace", "subscription")),
}


def state_of(session: Session, profile_id: str) -> State:
    """What is noted of the person of this id."""
    found: State = {}
    for name, (_, keys) in _TABLES.items():
        columns = SQLModel.metadata.tables[name].columns
        asked = select(*columns).where(columns.profile_id == profile_id)
        rows = [_written(dict(row)) for row in session.connection().execute(asked).mappings()]
        found[name] = {json.dumps([row[key] for key in keys]): row for row in rows}
    return found


def write_state(session: Session, profile_id: str, state: State) -> None:
    """Let this be what is noted of the person of this id."""
    connection = session.connection()
    for name, (table, _) in _TABLES.items():
        connection.execute(delete(table).where(_person(name) == profile_id))
        rows = [_read(name, row) | {"profile_id": profile_id} for row in state[name].values()]
        if rows:
            connection.execute(insert(table), rows)


def remove_state(session: Session, profile_id: str) -> None:
    """Take it away from a record that is merged; the ledger of digests stays as it is."""
    for name, (table, _) in _TABLES.items():
        if table is not DigestItemRow:
            session.connection().execute(delete(table).where(_person(name) == profile_id))


def together(states: Iterable[State]) -> State:
    """What holds for a person of whom all of these hold.

    Every standing of either, the longer touch, the earlier notice, the later contact; and
    a digest that told of either told of the person.
    """
    found: State = {name: {} for name in _TABLES}
    for state in states:
        for name, rows in state.items():
            for key, row in rows.items():
                known = found[name].get(key)
                found[name][key] = row if known is None else _stronger(name, known, row)
    return found


def settled(states: Mapping[str, State], live: State) -> dict[str, State]:
    """The records' own states, after what happened to the whole since they were merged.

    What was noted of the whole holds for each; what was taken back is taken back for each.
    """
    before = together(states.values())
    return {id_: _after(state, before, live) for id_, state in states.items()}


def _after(state: State, before: State, live: State) -> State:
    return {
        name: {key: row for key, row in rows.items() if key in live[name]}
        | {key: row for key, row in live[name].items() if before[name].get(key) != row}
        for name, rows in state.items()
    }


def _stronger(name: str, one: Row, other: Row) -> Row:
    match name:
        case "standing" | "notice":
            return min(one, other, key=lambda row: str(row["at"]))
        case "in_touch":
            return max(one, other, key=lambda row: str(row["until"]))
        case "retention":
            warned = (
                one["warned_at"]
                and other["warned_at"]
                and max(one["warned_at"], other["warned_at"])
            )
            contact = max(one["last_contact_at"] or "", other["last_contact_at"] or "") or None
            return {"last_contact_at": contact, "warned_at": warned}
        case _:
            return one


def _person(table: str) -> Any:
    return SQLModel.metadata.tables[table].columns.profile_id


def _written(row: Row) -> Row:
    del row["profile_id"]
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in row.items()
    }


def _read(table: str, row: Row) -> Row:
    columns = SQLModel.metadata.tables[table].columns
    return {
        name: datetime.fromisoformat(value)
        if value is not None and isinstance(columns[name].type, UtcDateTime)
        else value
        for name, value in row.items()
    }
