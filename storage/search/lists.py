"""Who has what: the lists of profiles that a ``Memory`` holds, each one statement.

A list is of documents in order, perhaps with a number beside each. Each kind of
list is read by a statement and mended, when some profiles changed, by the same
test of what is indexed of those alone.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Select, and_, bindparam, func, literal, or_, select
from sqlalchemy.orm import Mapped
from sqlmodel import col

from storage.models import FactRow, FactValueRow, ProfileRow
from storage.prepared import Prepared
from storage.records import Use
from storage.search.columns import ours
from storage.search.memory import Changes
from storage.search.reader import Indexed, Reader, as_texts
from storage.search.sought import REPOSITORY_SEPARATORS, Words
from storage.uses import without

Docs = NDArray[np.int32] | NDArray[np.int64]
Small = NDArray[np.int16]
Mask = NDArray[np.bool_]

AT_ONCE: Final = 500
"""Values in one statement, which has a limit on them."""
_SPARSE: Final = 50
_SPACED: Final = str.maketrans(REPOSITORY_SEPARATORS, " " * len(REPOSITORY_SEPARATORS))
"""So many times fewer documents are looked up one by one."""


@dataclass(slots=True)
class Listed:
    """Documents in ascending order, each once, and a number for each where the list has any.

    The mask of a long list is kept with it.
    """

    docs: Docs
    numbers: Small
    _mask: Mask | None = None

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        mask = int(self.docs[-1]) if self._is_long else 0
        return self.docs.nbytes + self.numbers.nbytes + mask

    def mask(self, length: int) -> Mask:
        """The documents as a mask of this length, not to be written to."""
        kept = self._mask
        if kept is not None and len(kept) == length:
            return kept
        mask = np.zeros(length, dtype=np.bool_)
        mask[self.docs] = True
        mask.flags.writeable = False
        if self._is_long:
            self._mask = mask
        return mask

    @property
    def _is_long(self) -> bool:
        return len(self.docs) > 0 and len(self.docs) * _SPARSE > int(self.docs[-1])

    def at(self, docs: NDArray[Any]) -> Small:
        """The numbers of these documents, which ascend, too; 0 where one is not on the list."""
        if not len(self.docs) or not len(docs):
            return np.zeros(len(docs), np.int16)
        if len(docs) * _SPARSE < len(self.docs):
            places = np.minimum(np.searchsorted(self.docs, docs), len(self.docs) - 1)
            there = self.docs[places] == docs
            return np.where(there, self.numbers[places], np.int16(0))
        whole = np.zeros(max(int(self.docs[-1]), int(docs[-1])) + 1, np.int16)
        whole[self.docs] = self.numbers
        found: Small = whole[docs]
        return found


NONE: Final = Listed(np.empty(0, np.int32), np.empty(0, np.int16))


class Statement(ABC):
    """A list that a statement gives for everybody."""

    @abstractmethod
    def statements(self, reader: Reader) -> list[Select[Any]]:
        """One column of documents, perhaps one of numbers."""

    @abstractmethod
    def mend(self, held: Listed, changes: Changes, reader: Reader) -> Listed | None:
        """See ``memory.Asked``."""

    def load(self, reader: Reader) -> Listed:
        """See ``memory.Asked``."""
        return _read(reader, self.statements(reader))

    def size(self, held: Listed) -> int:
        """See ``memory.Asked``."""
        return held.size


class List(Statement):
    """Who is on it, by a statement for everybody and by a test of one: they say the same."""

    @abstractmethod
    def number(self, indexed: Indexed) -> int | None:
        """The number of a profile on the list (any, if it has none); None when it is not on it."""

    def mend(self, held: Listed, changes: Changes, reader: Reader) -> Listed | None:  # noqa: ARG002
        """See ``memory.Asked``."""
        tested = {doc: self.number(indexed) for doc, indexed in changes.indexed.items()}
        fresh = {doc: number for doc, number in sorted(tested.items()) if number is not None}
        return _with(held, changes.docs, fresh)


_HAVING: Final = Prepared(
    as_texts(
        select(col(FactRow.doc)).where(
            col(FactRow.kind).in_(bindparam("kinds", expanding=True)),
            col(FactRow.value).in_(bindparam("values", expanding=True)),
        )
    )
)


@dataclass(frozen=True, slots=True)
class Having(List):
    """Who has one of these values of one of these kinds."""

    kinds: tuple[str, ...]
    values: tuple[str, ...]

    def load(self, reader: Reader) -> Listed:
        """See ``memory.Asked``. Most ask for a word or two: by a statement that is made once."""
        if len(self.values) > AT_ONCE:
            return _read(reader, self.statements(reader))
        (docs,) = reader.numbers(_HAVING, {"kinds": self.kinds, "values": self.values})
        return Listed(np.unique(docs).astype(np.int32), NONE.numbers)

    def statements(self, reader: Reader) -> list[Select[Any]]:  # noqa: ARG002
        """See ``List``."""
        return [
            _facts(self.kinds).where(col(FactRow.value).in_(self.values[start : start + AT_ONCE]))
            for start in range(0, len(self.values), AT_ONCE)
        ]

    def number(self, indexed: Indexed) -> int | None:
        """See ``List``."""
        return _is(
            any(value in indexed.values(kind) for kind in self.kinds for value in self.values)
        )


@dataclass(frozen=True, slots=True)
class Scored(List):
    """Who has a skill, with the page's score; -1 where it cannot be read."""

    key: str

    def statements(self, reader: Reader) -> list[Select[Any]]:  # noqa: ARG002
        """See ``List``."""
        score = func.coalesce(col(FactRow.weight), -1)
        return [_facts(("skill",)).add_columns(score).where(col(FactRow.value) == self.key)]

    def number(self, indexed: Indexed) -> int | None:
        """See ``List``."""
        if self.key not in indexed.values("skill"):
            return None
        score = indexed.facts["skill"][self.key]
        return -1 if score is None else score


@dataclass(frozen=True, slots=True)
class Beginning(List):
    """Who has a value of one of these kinds that begins so; with an empty beginning, any value."""

    kinds: tuple[str, ...]
    start: str

    def statements(self, reader: Reader) -> list[Select[Any]]:  # noqa: ARG002
        """See ``List``. A range, which an index can answer."""
        asked, start = _facts(self.kinds), self.start
        if not start:
            return [asked]
        after = start[:-1] + chr(ord(start[-1]) + 1)
        return [asked.where(col(FactRow.value) >= start, col(FactRow.value) < after)]

    def number(self, indexed: Indexed) -> int | None:
        """See ``List``."""
        return _is(
            any(
                value.startswith(self.start)
                for kind in self.kinds
                for value in indexed.values(kind)
            )
        )


class Like(List):
    """Who has a value of a kind that passes a test: in SQL, and the same in Python."""

    kind: str

    @abstractmethod
    def condition(self, value: Mapped[str]) -> ColumnElement[bool]:
        """The test as SQL."""

    @abstractmethod
    def passes(self, value: str) -> bool:
        """The test."""

    def statements(self, reader: Reader) -> list[Select[Any]]:
        """See ``List``. The values are few beside those who have them."""
        asked = select(col(FactValueRow.value)).where(
            col(FactValueRow.kind) == self.kind, self.condition(col(FactValueRow.value))
        )
        values = sorted(str(row[0]) for row in reader.rows(asked))
        return Having((self.kind,), tuple(values)).statements(reader)

    def number(self, indexed: Indexed) -> int | None:
        """See ``List``."""
        return _is(any(map(self.passes, indexed.values(self.kind))))


@dataclass(frozen=True, slots=True)
class Worded(Like):
    """Who has a value that holds all words of one of ``forms``, in any order.

    With ``prefix`` a word may be the beginning of one.
    """

    kind: str
    forms: tuple[Words, ...]
    prefix: bool = False

    def condition(self, value: Mapped[str]) -> ColumnElement[bool]:
        """See ``Like``. Values are tokens between spaces."""
        spaced = literal(" ") + value + literal(" ")
        end = "%" if self.prefix else " %"
        return or_(
            *(and_(*(spaced.like(f"% {word}{end}") for word in form)) for form in self.forms)
        )

    def passes(self, value: str) -> bool:
        """See ``Like``."""
        spaced, end = f" {value} ", "" if self.prefix else " "
        return any(all(f" {word}{end}" in spaced for word in form) for form in self.forms)


@dataclass(frozen=True, slots=True)
class Run(Like):
    """Who has a value in which these words stand side by side."""

    kind: str
    words: Words

    def condition(self, value: Mapped[str]) -> ColumnElement[bool]:
        """See ``Like``."""
        return (literal(" ") + value + literal(" ")).like(f"% {' '.join(self.words)} %")

    def passes(self, value: str) -> bool:
        """See ``Like``."""
        return f" {' '.join(self.words)} " in f" {value} "


@dataclass(frozen=True, slots=True)
class RepositoryRun(Like):
    """Who contributed to a repository in whose ``owner/name`` these words stand side by side."""

    words: Words
    kind: str = "repo"

    def condition(self, value: Mapped[str]) -> ColumnElement[bool]:
        """See ``Like``."""
        spaced: ColumnElement[Any] = literal("/") + value + literal("/")
        for separator in REPOSITORY_SEPARATORS:
            spaced = func.replace(spaced, separator, " ")
        return spaced.contains(f" {' '.join(self.words)} ", autoescape=True)

    def passes(self, value: str) -> bool:
        """See ``Like``."""
        spaced = f"/{value}/".translate(_SPACED)
        return f" {' '.join(self.words)} " in spaced


@dataclass(frozen=True, slots=True)
class Holding(List):
    """Whose searched text holds a phrase."""

    phrase: str

    def statements(self, reader: Reader) -> list[Select[Any]]:
        """See ``List``."""
        return [reader.index.having([self.phrase])]

    def number(self, indexed: Indexed) -> int | None:
        """See ``List``."""
        return _is(f" {self.phrase} " in f" {indexed.text} ")


@dataclass(frozen=True, slots=True)
class Carrying(List):
    """In how many contributions of each profile one of the phrases stands."""

    phrases: tuple[str, ...]

    def statements(self, reader: Reader) -> list[Select[Any]]:
        """See ``List``."""
        each = reader.index.contributions_having(self.phrases).subquery()
        doc = each.c[0]
        return [select(doc, func.count()).group_by(doc)]

    def number(self, indexed: Indexed) -> int | None:
        """See ``List``."""
        amount = sum(
            any(f" {phrase} " in f" {text} " for phrase in self.phrases)
            for text in indexed.contributions
        )
        return amount or None


@dataclass(frozen=True, slots=True)
class Visible(Statement):
    """Who is stored for this workspace and may be shown."""

    workspace: str

    def statements(self, reader: Reader) -> list[Select[Any]]:  # noqa: ARG002
        """See ``List``."""
        return [self._shown(None)]

    def mend(self, held: Listed, changes: Changes, reader: Reader) -> Listed | None:
        """See ``memory.Asked``. It does not follow from what is indexed."""
        rows = reader.rows(self._shown(changes.docs))
        return _with(held, changes.docs, dict.fromkeys(sorted(int(row[0]) for row in rows), 1))

    def _shown(self, docs: Sequence[int] | None) -> Select[Any]:
        there = ours(self.workspace, docs)
        return select(col(ProfileRow.doc)).where(*there, without(Use.SEARCH))


def _is(on_the_list: bool) -> int | None:
    return 1 if on_the_list else None


def _with(held: Listed, changed: Sequence[int], fresh: dict[int, int]) -> Listed:
    """A list on which of the changed documents only the fresh ones stand, with their numbers."""
    wanted = np.array(changed, np.int32)
    places = np.searchsorted(held.docs, wanted)
    there = places < len(held.docs)
    there[there] = held.docs[places[there]] == wanted[there]
    if not there.any() and not fresh:
        return held
    stay = np.ones(len(held.docs), dtype=np.bool_)
    stay[places[there]] = False
    docs = np.concatenate([held.docs[stay], np.array([*fresh], np.int32)])
    order = np.argsort(docs)
    if len(held.docs) and not len(held.numbers):
        return Listed(docs[order], NONE.numbers)
    numbers = np.concatenate([held.numbers[stay], np.array([*fresh.values()], np.int16)])
    return Listed(docs[order], numbers[order])


def _facts(kinds: tuple[str, ...]) -> Select[Any]:
    of_kind = col(FactRow.kind).in_(kinds) if len(kinds) > 1 else col(FactRow.kind) == kinds[0]
    return select(col(FactRow.doc)).where(of_kind)


def _read(reader: Reader, statements: Sequence[Select[Any]]) -> Listed:
    found = [reader.numbers(statement) for statement in statements]
    docs = np.concatenate([columns[0] for columns in found]) if found else NONE.docs
    docs, first = np.unique(docs, return_index=True)
    numbers = NONE.numbers
    if found and len(found[0]) > 1:
        numbers = np.concatenate([columns[1] for columns in found])[first].astype(np.int16)
    return Listed(docs.astype(np.int32), numbers)
