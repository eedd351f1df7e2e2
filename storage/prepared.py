"""Statements that read, put together once.

SQLAlchemy spends 0.1 to 0.2 ms on each execution of a statement that SQLite answers in 0.01 to
0.04, and a question asks a dozen. A ``Prepared`` keeps the text that SQLAlchemy made and hands it
to the driver.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Dialect, SelectBase

MOST_KEPT: Final = 100
"""Texts of one statement: it has one for each length of the lists that it is given."""

Value = str | int | Sequence[str] | Sequence[int]
"""What a parameter may be: nothing that a driver would have to be told how to write."""


@dataclass(frozen=True, slots=True)
class _Made:
    """A statement's text, where each parameter comes from, and how columns are read."""

    text: str
    parameters: tuple[Callable[[Mapping[str, Value]], Any], ...]
    readers: tuple[tuple[int, Callable[[Any], Any]], ...]


class Prepared:
    """A statement whose parameters are texts, whole numbers, or lists of them.

    Safe to share between threads and databases. What the driver raises is not wrapped.
    """

    def __init__(self, statement: SelectBase) -> None:
        """Nothing is put together yet: the dialect is not known."""
        self._statement = statement
        self._made: dict[tuple[Any, ...], _Made] = {}

    def rows(self, connection: Connection, values: Mapping[str, Value]) -> list[tuple[Any, ...]]:
        """All rows that the statement gives; a parameter that ``expanding`` takes is a list."""
        lengths = [None if isinstance(each, str | int) else len(each) for each in values.values()]
        shape = (connection.dialect.name, *values, *lengths)
        made = self._made.get(shape)
        if made is None:
            if len(self._made) >= MOST_KEPT:
                self._made.clear()
            made = self._made[shape] = self._make(connection.dialect, values)
        cursor = connection.connection.cursor()
        try:
            cursor.execute(made.text, [value(values) for value in made.parameters])
            rows = list(cursor.fetchall())
        finally:
            cursor.close()
        return _read(rows, made.readers) if made.readers else rows

    def _make(self, dialect: Dialect, values: Mapping[str, Value]) -> _Made:
        state = self._statement.compile(dialect=dialect).construct_expanded_state(dict(values))
        places: dict[str, Callable[[Mapping[str, Value]], Any]] = {
            name: _given(name) for name in values
        }
        for name, expanded in state.parameter_expansion.items():
            places |= {each: _given(name, at) for at, each in enumerate(expanded)}
        constants = state.parameters
        readers = (
            (at, column.type.dialect_impl(dialect).result_processor(dialect, None))
            for at, column in enumerate(self._statement.selected_columns)
        )
        return _Made(
            text=state.statement,
            parameters=tuple(
                places.get(name) or _constant(constants[name]) for name in state.positiontup or ()
            ),
            readers=tuple((at, reader) for at, reader in readers if reader is not None),
        )


def _given(name: str, at: int | None = None) -> Callable[[Mapping[str, Value]], Any]:
    """The value given under a name, or one of the list given there."""
    if at is None:
        return lambda values: values[name]
    return lambda values: values[name][at]  # type: ignore[index]  # a list, or it had no expansion


def _constant(value: Any) -> Callable[[Mapping[str, Value]], Any]:
    return lambda _: value


def _read(
    rows: list[Any], readers: Sequence[tuple[int, Callable[[Any], Any]]]
) -> list[tuple[Any, ...]]:
    found = [list(row) for row in rows]
    for at, reader in readers:
        for row in found:
            row[at] = reader(row[at])
    return [tuple(row) for row in found]
