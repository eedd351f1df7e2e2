"""What a process remembers of what searches read, and never longer than it is true.

A ``Memory`` belongs to an opened database and holds answers to what is ``Asked``
of it (who has a skill, in which texts a phrase stands, the order of names), as
arrays. Each was true at a number of ``storage.changed``. A question reads that
number as the first thing in its transaction and so knows, whatever process
wrote, which profiles changed since: an answer is asked anew for those only, when
it is next needed. After an erasure everything is dropped.

A question that began before a change that others have seen already asks the
database itself and leaves no trace here. Answers are shared by all threads and
are never written to; the least recently used ones go when all together are
larger than ``MOST_BYTES``.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Protocol, TypeVar, cast

from sqlalchemy import bindparam, func, select
from sqlmodel import col

from storage.changed import EVERYBODY, KEPT
from storage.models import ProfileRow, SearchChangeRow
from storage.prepared import Prepared
from storage.profiles_read import ProfilesRead
from storage.search.reader import Indexed, Reader

MOST_BYTES: Final = 256 * 1024 * 1024
MOST_PATCHED: Final = 200
"""Changed profiles up to which an answer is mended; for more it is asked for anew."""
_EACH: Final = 400
"""Bytes an answer costs beside its arrays."""

_LOCKS: Final = 64
"""Whoever asks for another answer than the one being loaded hardly ever waits for it."""

T = TypeVar("T")

_MOMENT: Final = Prepared(
    select(
        select(func.coalesce(func.max(col(SearchChangeRow.number)), 0)).scalar_subquery(),
        select(func.coalesce(func.max(col(ProfileRow.doc)), 0)).scalar_subquery(),
    )
)
_SINCE: Final = Prepared(
    select(col(SearchChangeRow.doc))
    .where(col(SearchChangeRow.number) > bindparam("since"))
    .order_by(col(SearchChangeRow.number))
)


class Changes:
    """The profiles that changed between an answer and a question."""

    def __init__(self, docs: Sequence[int], read: Callable[[], dict[int, Indexed]]) -> None:
        """``read`` gives what is indexed of them now; it is asked for when that is needed."""
        self.docs = docs
        self._read = read

    @cached_property
    def indexed(self) -> dict[int, Indexed]:
        """What is indexed of each now."""
        return self._read()


class Asked(Protocol[T]):
    """Something to be read, comparable and hashable: the same question is the same answer."""

    def load(self, reader: Reader, /) -> T:
        """The whole answer."""

    def mend(self, held: T, changes: Changes, reader: Reader, /) -> T | None:
        """The answer when nothing else changed since ``held``; None: better load it."""

    def size(self, held: T, /) -> int:
        """About how many bytes an answer takes."""


@dataclass(frozen=True, slots=True)
class _Entry:
    number: int
    value: Any
    size: int


class Memory:
    """See the module. Safe to share between threads."""

    def __init__(self, *, most_bytes: int = MOST_BYTES, most_patched: int = MOST_PATCHED) -> None:
        """Nothing is remembered yet."""
        self._most_bytes = most_bytes
        self._most_patched = most_patched
        self._lock = threading.Lock()
        self._loading = tuple(threading.RLock() for _ in range(_LOCKS))
        self._entries: OrderedDict[Asked[Any], _Entry] = OrderedDict()
        self._changes: list[int] = []
        """The profiles that changed at each number after ``_base``, up to ``_newest``."""
        self._base = self._newest = -1
        self._indexed: dict[int, tuple[int, Indexed]] = {}
        """What is indexed of profiles that changed, and at which number it was read."""
        self.bytes = 0
        self.profiles = ProfilesRead()
        """Documents that were read lately."""

    def view(self, reader: Reader) -> "View":
        """What a question that begins now may use. To be called first in its transaction."""
        number, last = reader.rows(_MOMENT)[0]
        with self._lock:
            if number > self._newest:
                self._follow(reader, number)
        return View(self, reader, number, last + 1)

    def get(self, asked: Asked[T], view: "View") -> T:
        """The answer as ``view`` sees it."""
        held = self._held(asked)
        if held is not None and held.number == view.number:
            return cast("T", held.value)
        if held is not None and held.number > view.number:
            return asked.load(view.reader)
        with self._loading[hash(asked) % _LOCKS]:  # one loads, and the others find it
            held = self._held(asked)
            if held is not None and held.number == view.number:
                return cast("T", held.value)
            value = self._mended(asked, held, view) if held is not None else None
            if value is None:
                value = asked.load(view.reader)
            self._keep(asked, value, view.number)
            return value

    def _mended(self, asked: Asked[T], held: _Entry, view: "View") -> T | None:
        with self._lock:
            if held.number < self._base or view.number != self._newest:
                return None
            new = self._changes[held.number - self._base :]
        last = {doc: number for number, doc in enumerate(new, held.number + 1)}
        if len(last) > self._most_patched:
            return None
        changes = Changes(sorted(last), lambda: self._indexed_now(last, view))
        return asked.mend(held.value, changes, view.reader)

    def _indexed_now(self, last: dict[int, int], view: "View") -> dict[int, Indexed]:
        """What is indexed of profiles that changed last at these numbers: read once for all.

        What a question that began later has read is not for this one.
        """
        with self._lock:
            kept = {doc: self._indexed[doc] for doc in last if doc in self._indexed}
        found = {
            doc: indexed
            for doc, (number, indexed) in kept.items()
            if last[doc] <= number <= view.number
        }
        fresh = view.reader.indexed([doc for doc in last if doc not in found])
        with self._lock:
            if view.number >= self._base:
                if len(self._indexed) + len(fresh) > 2 * self._most_patched:
                    self._indexed = {}
                self._indexed |= {doc: (view.number, indexed) for doc, indexed in fresh.items()}
        return found | fresh

    def _follow(self, reader: Reader, number: int) -> None:
        """Learn what changed up to ``number``; drop all when that cannot be known. Locked."""
        new: list[int] = []
        if self._newest >= 0 and number - self._newest < KEPT:
            new = [int(row[0]) for row in reader.rows(_SINCE, {"since": self._newest})]
        if len(new) != number - self._newest or EVERYBODY in new:
            self._entries.clear()
            self._indexed = {}
            self.bytes = 0
            self.profiles.clear()
            self._changes, self._base = [], number
        else:
            self._changes += new
            if len(self._changes) > 2 * KEPT:
                del self._changes[:KEPT]
                self._base += KEPT
        self._newest = number

    def _held(self, asked: Asked[Any]) -> _Entry | None:
        with self._lock:
            held = self._entries.get(asked)
            if held is not None:
                self._entries.move_to_end(asked)
            return held

    def _keep(self, asked: Asked[Any], value: Any, number: int) -> None:
        with self._lock:
            before = self._entries.get(asked)
            if number < self._base or (before is not None and before.number > number):
                return
            entry = _Entry(number, value, _EACH + asked.size(value))
            self.bytes += entry.size - (before.size if before is not None else 0)
            self._entries[asked] = entry
            while self.bytes > self._most_bytes:
                _, oldest = self._entries.popitem(last=False)
                self.bytes -= oldest.size


class View:
    """The memory as one question may use it: all of one moment."""

    def __init__(self, memory: Memory, reader: Reader, number: int, length: int) -> None:
        self._memory = memory
        self.reader = reader
        self.number = number
        self.length = length
        """One more than the highest ``doc``: how long a mask is."""

    def get(self, asked: Asked[T]) -> T:
        """The answer, remembered or read."""
        return self._memory.get(asked, self)
