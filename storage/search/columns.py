"""What results are compared and sorted by: numbers by profile, and the order of names.

Held by a ``Memory`` as whole arrays with one entry a document.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, func, select, tuple_
from sqlmodel import col

from storage.models import ProfileRow
from storage.search.memory import Changes
from storage.search.reader import Reader

Numbers = NDArray[np.float64]
Ranks = NDArray[np.int32]

MOST_INSERTED: Final = 20
"""Changed profiles up to which each is put in its place in the order of names."""
_INSTANTS: Final = ("added_at", "updated_at")
_MONTH: Final = "newest_fact"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


def as_number(instant: datetime) -> int:
    """An instant as microseconds since 1970, which a float too holds exactly."""
    return (instant - _EPOCH) // _MICROSECOND


def as_instant(number: float) -> datetime:
    """The instant of such a number."""
    return _EPOCH + int(number) * _MICROSECOND


def ours(workspace: str, docs: Sequence[int] | None) -> tuple[ColumnElement[bool], ...]:
    """Of this workspace, and, when they are given, one of ``docs``.

    The workspace of some few is compared as the value of an expression: compared as a column
    SQLite would go through an index of all of it.
    """
    if docs is None:
        return (col(ProfileRow.workspace) == workspace,)
    return (col(ProfileRow.doc).in_(docs), col(ProfileRow.workspace).concat("") == workspace)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of ``profile`` in this workspace as numbers by document; NaN where not stated.

    Instants are microseconds, a month is the number of months since the year 0.
    """

    workspace: str
    name: str

    def load(self, reader: Reader) -> Numbers:
        """See ``memory.Asked``."""
        return self._filled(np.empty(0), reader, None)

    def mend(self, held: Numbers, changes: Changes, reader: Reader) -> Numbers | None:
        """See ``memory.Asked``."""
        emptied = held.copy()
        emptied[[doc for doc in changes.docs if doc < len(held)]] = np.nan
        return self._filled(emptied, reader, changes.docs)

    def size(self, held: Numbers) -> int:
        """See ``memory.Asked``."""
        return held.nbytes

    def _filled(self, held: Numbers, reader: Reader, docs: Sequence[int] | None) -> Numbers:
        """What is held, with what these profiles state, or all of them."""
        column = col(getattr(ProfileRow, self.name))
        value = func.replace(column, "-", "") if self.name == _MONTH else column
        asked = select(col(ProfileRow.doc), value).where(
            column.is_not(None), *ours(self.workspace, docs)
        )
        if self.name not in _INSTANTS:
            places, values = reader.numbers(asked)
            values = values // 100 * 12 + values % 100 if self.name == _MONTH else values
        else:
            rows = reader.rows(asked)
            places = np.array([row[0] for row in rows], np.int64)
            values = np.array([as_number(row[1]) for row in rows], np.int64)
        numbers = np.full(max(len(held), int(places.max(initial=-1)) + 1), np.nan)
        numbers[: len(held)] = held
        numbers[places] = values
        return numbers


@dataclass(frozen=True, slots=True)
class Ids:
    """By document of this workspace: the beginning of the id as a number, so ids can be compared.

    Of hexadecimal ids 60 bits. Of ids that begin alike the one stored first stands first.
    """

    workspace: str

    def load(self, reader: Reader) -> NDArray[np.int64]:
        """See ``memory.Asked``."""
        return self._filled(np.empty(0, np.int64), reader, None)

    def mend(
        self, held: NDArray[np.int64], changes: Changes, reader: Reader
    ) -> NDArray[np.int64] | None:
        """See ``memory.Asked``."""
        return self._filled(held, reader, changes.docs)

    def size(self, held: NDArray[np.int64]) -> int:
        """See ``memory.Asked``."""
        return held.nbytes

    def _filled(
        self, held: NDArray[np.int64], reader: Reader, docs: Sequence[int] | None
    ) -> NDArray[np.int64]:
        rows = reader.rows(
            select(col(ProfileRow.doc), col(ProfileRow.id)).where(*ours(self.workspace, docs))
        )
        places = np.array([row[0] for row in rows], np.int64)
        length = max(len(held), int(places.max(initial=-1)) + 1)
        filled = np.full(length, np.iinfo(np.int64).max, np.int64)
        filled[: len(held)] = held
        filled[places] = np.array([_beginning(row[1]) for row in rows], np.int64)
        return filled


def _beginning(id_: str) -> int:
    try:
        return int(id_[:15].ljust(15, "0"), 16)
    except ValueError:  # an id that another program made
        return int.from_bytes(id_.encode()[:7].ljust(7, b"\0"), "big")


@dataclass(frozen=True, slots=True)
class Order:
    """Everybody in the order of names."""

    docs: NDArray[np.int32]
    """First to last."""
    hashes: NDArray[np.int64]
    """A hash of each ``name_order``: neighbours with the same are of one name."""
    ranks: Ranks
    """By document: the place in the order. The highest number for whoever has none."""
    names: Ranks
    """By document: the same, with people of one name at one place."""


@dataclass(frozen=True, slots=True)
class ByName:
    """The order of this workspace's people by name, and then by id."""

    workspace: str

    def load(self, reader: Reader) -> Order:
        """See ``memory.Asked``."""
        rows = reader.rows(
            select(col(ProfileRow.doc), col(ProfileRow.name_order))
            .where(col(ProfileRow.workspace) == self.workspace)
            .order_by(*_ORDER)
        )
        return _order(
            np.array([row[0] for row in rows], np.int32),
            np.array([hash(row[1]) for row in rows], np.int64),
        )

    def mend(self, held: Order, changes: Changes, reader: Reader) -> Order | None:
        """See ``memory.Asked``. Each stands behind the last unchanged one before it."""
        changed = changes.docs
        if len(changed) > MOST_INSERTED:
            return None
        away = np.isin(held.docs, np.array(changed, np.int32))
        docs, hashes = held.docs[~away], held.hashes[~away]
        rows = reader.rows(
            select(col(ProfileRow.doc), *_ORDER).where(*ours(self.workspace, changed))
        )
        rows.sort(key=lambda row: tuple(row[1:]))
        place = np.full(int(docs.max(initial=0)) + 1, -1, np.int64)
        place[docs] = np.arange(len(docs))
        places = [self._before(reader, row, place, len(changed)) for row in rows]
        return _order(
            np.insert(docs, places, [row[0] for row in rows]).astype(np.int32),
            np.insert(hashes, places, [hash(row[1]) for row in rows]),
        )

    def size(self, held: Order) -> int:
        """See ``memory.Asked``."""
        return held.docs.nbytes + held.hashes.nbytes + held.ranks.nbytes + held.names.nbytes

    def _before(self, reader: Reader, row: Any, place: NDArray[np.int64], changed: int) -> int:
        """How many unchanged people stand before one."""
        before = reader.rows(
            select(col(ProfileRow.doc))
            .where(col(ProfileRow.workspace) == self.workspace, tuple_(*_ORDER) < tuple_(*row[1:]))
            .order_by(*(each.desc() for each in _ORDER))
            .limit(changed + 1)
        )
        known = (place[doc] for (doc,) in before if doc < len(place) and place[doc] >= 0)
        return int(next(known, -1)) + 1


_ORDER: Final = (col(ProfileRow.name_order), col(ProfileRow.name), col(ProfileRow.id))


def _order(docs: NDArray[np.int32], hashes: NDArray[np.int64]) -> Order:
    length = int(docs.max(initial=0)) + 1
    ranks = np.full(length, np.iinfo(np.int32).max, np.int32)
    names = ranks.copy()
    ranks[docs] = np.arange(len(docs), dtype=np.int32)
    if len(docs):
        begins = np.concatenate([[0], hashes[1:] != hashes[:-1]])
        names[docs] = np.cumsum(begins).astype(np.int32)
    return Order(docs, hashes, ranks, names)
