"""Looking up who has what, as masks over all profiles.

A mask has one entry a profile, at the profile's ``doc``: True or False, or a
number. The databases only give documents by value; what is asked about them is
worked out here, the same for each database.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Executable, Select, SelectBase, String, cast, func, select
from sqlalchemy import exists as exists_in
from sqlalchemy.orm import Mapped
from sqlmodel import Session, col

from storage.dialects.dialect import TextIndex
from storage.models import DigestItemRow, FactRow, FactValueRow, ProfileRow, SubscriptionRow
from storage.records import Use
from storage.uses import without

Mask = NDArray[np.bool_]
Numbers = NDArray[np.float64]

_AT_ONCE: Final = 500
_WALK: Final = 2_000


class Lookup:
    """Over one session, for one question: what was looked up once is not looked up again."""

    def __init__(self, session: Session, index: TextIndex, workspace: str) -> None:
        """Stand over a session; nothing is read yet."""
        self.session = session
        self.workspace = workspace
        self._index = index
        self._size: int | None = None
        self._visible: Mask | None = None

    @property
    def size(self) -> int:
        """The length of every mask."""
        if self._size is None:
            self._size = int(self._scalar(select(func.coalesce(func.max(col(ProfileRow.doc)), 0))))
            self._size += 1
        return self._size

    @property
    def visible(self) -> Mask:
        """Who is stored for this workspace and may be shown."""
        if self._visible is None:
            self._visible = self._mask(
                select(col(ProfileRow.doc)).where(
                    col(ProfileRow.workspace) == self.workspace, without(Use.SEARCH)
                )
            )
        return self._visible

    def nobody(self) -> Mask:
        return np.zeros(self.size, dtype=np.bool_)

    def having(self, kind: str, values: Collection[str]) -> Mask:
        """Whoever has one of these values."""
        mask = self.nobody()
        wanted = sorted(values)
        for start in range(0, len(wanted), _AT_ONCE):
            some = wanted[start : start + _AT_ONCE]
            mask |= self._mask(_of_kind(kind).where(col(FactRow.value).in_(some)))
        return mask

    def beginning(self, kind: str, start: str) -> Mask:
        """Whoever has a value that begins so; with an empty beginning, any value."""
        asked = _of_kind(kind)
        return self._mask(asked.where(begins(col(FactRow.value), start)) if start else asked)

    def like(self, kind: str, condition: ColumnElement[bool]) -> Mask:
        """Whoever has a value for which the condition on ``FactValueRow.value`` holds."""
        rows = self._rows(
            select(col(FactValueRow.value)).where(col(FactValueRow.kind) == kind, condition)
        )
        return self.having(kind, [row[0] for row in rows])

    def weights(self, kind: str, value: str) -> Numbers:
        """What each profile's posting of a value weighs: 0 without one or without a number."""
        weights = np.zeros(self.size, dtype=np.float64)
        docs, found = self._numbers(
            select(col(FactRow.doc), func.coalesce(col(FactRow.weight), 0)).where(
                col(FactRow.kind) == kind, col(FactRow.value) == value
            )
        )
        weights[docs] = found
        return weights

    def weighing(self, kind: str, value: str, test: ColumnElement[bool]) -> Mask:
        """Whoever has a posting of the value whose weight passes the test; none without one."""
        return self._mask(_of_kind(kind).where(col(FactRow.value) == value, test))

    def text(self, phrases: Sequence[str]) -> Mask:
        """Whose searched text holds one of the phrases."""
        return self._mask(self._index.having(phrases)) if phrases else self.nobody()

    def carrying(self, phrases: Sequence[str]) -> NDArray[np.int64]:
        """How many contributions of each profile hold one of the phrases."""
        counts = np.zeros(self.size, dtype=np.int64)
        if phrases:
            found = self._docs(self._index.contributions_having(phrases))
            np.add.at(counts, found[found < self.size], 1)
        return counts

    def number(self, column: Mapped[Any], test: ColumnElement[bool]) -> Mask:
        """Whose number is stated and passes the test."""
        return self._mask(self._mine().where(column.is_not(None), test))

    def added(self, test: ColumnElement[bool]) -> Mask:
        return self._mask(self._mine().where(test))

    def untold(self, subscription: int) -> Mask:
        """Added after the subscription's ``since``, in none of its digests, free to be told of."""
        since = (
            select(col(SubscriptionRow.since))
            .where(
                col(SubscriptionRow.workspace) == self.workspace,
                col(SubscriptionRow.number) == subscription,
            )
            .scalar_subquery()
        )
        told = exists_in().where(
            col(DigestItemRow.workspace) == self.workspace,
            col(DigestItemRow.subscription) == subscription,
            col(DigestItemRow.profile_id) == col(ProfileRow.id),
        )
        return self._mask(
            self._mine().where(col(ProfileRow.added_at) > since, ~told, without(Use.DIGEST))
        )

    def about_as_long(self, kinds: Sequence[str], shortest: int, longest: int) -> list[str]:
        """The values of some kinds that have so many characters."""
        length = func.length(col(FactValueRow.value))
        rows = self._rows(
            select(col(FactValueRow.value)).where(
                col(FactValueRow.kind).in_(kinds), length >= shortest, length <= longest
            )
        )
        return list(dict.fromkeys(str(row[0]) for row in rows))

    def shown(self, kind: str) -> list[tuple[str, int]]:
        """(value, profile) of a kind, for those who may be shown."""
        rows = self._rows(
            select(col(FactRow.value), col(FactRow.doc)).where(col(FactRow.kind) == kind)
        )
        return [(str(value), int(doc)) for value, doc in rows if self.visible[doc]]

    def scores(self, key: str) -> list[int]:
        """The readable scores of a skill, of those who may be shown."""
        rows = self._rows(
            select(col(FactRow.weight), col(FactRow.doc)).where(
                col(FactRow.kind) == "skill",
                col(FactRow.value) == key,
                col(FactRow.weight).is_not(None),
            )
        )
        return [int(weight) for weight, doc in rows if self.visible[doc]]

    def known(self, kind: str, values: Collection[str]) -> frozenset[str]:
        """Which of the values somebody has."""
        asked = select(col(FactValueRow.value)).where(
            col(FactValueRow.kind) == kind, col(FactValueRow.value).in_(sorted(values))
        )
        return frozenset(str(row[0]) for row in self._rows(asked)) if values else frozenset()

    def values(self, kind: str, *, limit: int) -> list[str]:
        """The values of a kind, most people first."""
        return [
            str(row[0])
            for row in self._rows(
                select(col(FactValueRow.value))
                .where(col(FactValueRow.kind) == kind)
                .order_by(col(FactValueRow.people).desc(), col(FactValueRow.value))
                .limit(limit)
            )
        ]

    def column(self, column: Mapped[Any], docs: NDArray[np.int64]) -> dict[int, Any]:
        """A column of these profiles, by ``doc``; what is not stated is left out."""
        if len(docs) > _AT_ONCE * 4:
            wanted = set(docs.tolist())
            rows = self._rows(
                select(col(ProfileRow.doc), column).where(
                    col(ProfileRow.workspace) == self.workspace, column.is_not(None)
                )
            )
            return {doc: value for doc, value in rows if doc in wanted}
        return {
            doc: value
            for some in _portions(docs.tolist())
            for doc, value in self._rows(
                select(col(ProfileRow.doc), column).where(
                    col(ProfileRow.doc).in_(some), column.is_not(None)
                )
            )
        }

    def ids(self, docs: Sequence[int]) -> list[str]:
        """The ids of these profiles, in this order."""
        found = {
            doc: str(id_)
            for some in _portions(docs)
            for doc, id_ in self._rows(
                select(col(ProfileRow.doc), col(ProfileRow.id)).where(col(ProfileRow.doc).in_(some))
            )
        }
        return [found[doc] for doc in docs if doc in found]

    def first_by_name(self, among: Mask, count: int) -> list[int]:
        """The first ``count`` profiles of a mask, by name and then id."""
        docs = np.flatnonzero(among)
        order = (col(ProfileRow.name_order), col(ProfileRow.name), col(ProfileRow.id))
        if len(docs) <= _WALK:
            rows = [
                row
                for some in _portions(docs.tolist())
                for row in self._rows(
                    select(*order, col(ProfileRow.doc)).where(col(ProfileRow.doc).in_(some))
                )
            ]
            return [int(row[-1]) for row in sorted(map(tuple, rows))[:count]]
        walk = self.session.connection().execution_options(yield_per=_AT_ONCE)
        found: list[int] = []
        with walk.execute(self._mine().order_by(*order)) as result:
            for row in result:
                doc = int(row[0])
                if doc < self.size and among[doc]:
                    found.append(doc)
                    if len(found) == count:
                        break
        return found

    def _mine(self) -> Select[int]:
        return select(col(ProfileRow.doc)).where(col(ProfileRow.workspace) == self.workspace)

    def _mask(self, statement: SelectBase) -> Mask:
        mask = self.nobody()
        found = self._docs(statement)
        mask[found[found < self.size]] = True
        return mask

    def _docs(self, statement: SelectBase) -> NDArray[np.int64]:
        return self._numbers(statement)[0]

    def _numbers(self, statement: SelectBase) -> list[NDArray[np.int64]]:
        """The columns of whole numbers that a statement gives.

        They come as one text a column: a hundred thousand rows cost a tenth of what they
        would one by one.
        """
        rows = statement.subquery()
        texts = self._rows(
            select(*(func.aggregate_strings(cast(each, String), ",") for each in rows.c))
        )[0]
        return [np.fromstring(text or "", dtype=np.int64, sep=",") for text in texts]

    def _rows(self, statement: Executable) -> list[Any]:
        return list(self.session.connection().execute(statement).all())

    def _scalar(self, statement: Executable) -> Any:
        return self.session.connection().execute(statement).scalar_one()


def begins(column: Mapped[str], start: str) -> ColumnElement[bool]:
    """Whether a value begins so, as a range that an index can answer."""
    return (column >= start) & ((column == start) | (column < start[:-1] + chr(ord(start[-1]) + 1)))


def _of_kind(kind: str) -> Select[int]:
    return select(col(FactRow.doc)).where(col(FactRow.kind) == kind)


def _portions(docs: Sequence[int]) -> Iterable[Sequence[int]]:
    return (docs[start : start + _AT_ONCE] for start in range(0, len(docs), _AT_ONCE))
