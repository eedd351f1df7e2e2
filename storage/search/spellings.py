"""The words that names are made of, and the values of a kind: to be found by a likeness.

Typing mistakes are looked for among the words whose letters could be those of
the asked one. An edit adds a letter to the set of letters of a word, takes one
from it, does both, or (a swap) neither; so two sets more than two letters an
edit apart are of words that lie further apart. Nor is a word looked at that is longer or
shorter by more than the edits. What is left, some hundreds, is compared letter by letter.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import OSA
from sqlalchemy import select
from sqlmodel import col

from storage.models import FactValueRow
from storage.search.folding import tokens
from storage.search.memory import Changes
from storage.search.reader import Reader

_CHUNK: Final = 20_000
_MOST_ADDED: Final = 2_000
"""Words added since they were read up to which they stand beside the others."""
_EACH: Final = 70
"""Bytes of a word in memory, about."""


class Spellings:
    """Words, each once. What was stored when they were read, and what was added since."""

    def __init__(
        self, words: Iterable[str], added: Collection[str] = (), *, exact: bool = True
    ) -> None:
        """``exact``: each of the words is in use; else some may not be any more."""
        self.words = sorted(set(words))
        self.added = frozenset(added)
        self.exact = exact
        lengths = np.fromiter(map(len, self.words), np.int16, len(self.words))
        order = np.argsort(lengths, kind="stable").astype(np.int32)
        self._shortest_first, self._lengths = order, lengths[order]
        self._letters = _letters(self.words, lengths)[order]

    def with_more(self, more: Iterable[str]) -> "Spellings":
        """These and more words; from now on some may be out of use."""
        grown = object.__new__(Spellings)
        grown.__dict__ |= self.__dict__
        grown.added = self.added | {each for each in more if each not in self}
        grown.exact = False
        return grown

    def __contains__(self, word: str) -> bool:
        at = bisect_left(self.words, word)
        return (at < len(self.words) and self.words[at] == word) or word in self.added

    def begin(self, start: str) -> bool:
        """Whether some word begins so."""
        at = bisect_left(self.words, start)
        return (at < len(self.words) and self.words[at].startswith(start)) or any(
            each.startswith(start) for each in self.added
        )

    def near(self, word: str, edits: int) -> list[str]:
        """The words at most so many edits away, the same word among them."""
        if not edits:
            return [word] if word in self else []
        asked = _letters([word], np.array([len(word)], np.int16))[0]
        first, after = np.searchsorted(self._lengths, [len(word) - edits, len(word) + edits + 1])
        alike = np.bitwise_count(self._letters[first:after] ^ asked) <= 2 * edits
        some = [self.words[at] for at in np.sort(self._shortest_first[first:after][alike])]
        return [each for each, *_ in close([*some, *sorted(self.added)], word, edits)]

    @property
    def size(self) -> int:
        """About how many bytes they take."""
        arrays = (self._shortest_first, self._lengths, self._letters)
        return sum(each.nbytes for each in arrays) + _EACH * len(self.words)


def close(words: Sequence[str], word: str, edits: int) -> list[tuple[str, int]]:
    """(word, edits) for those at most so many edits away, nearest first."""
    found = process.extract(word, words, scorer=OSA.distance, score_cutoff=edits, limit=None)
    return [(each, int(distance)) for each, distance, _at in found]


def _letters(words: Sequence[str], lengths: NDArray[np.int16]) -> NDArray[np.uint64]:
    """The letters of each word as a set: one of 64 bits for each, two may share one."""
    found = [np.empty(0, np.uint64)]
    for start in range(0, len(words), _CHUNK):
        some = np.array(words[start : start + _CHUNK])
        codes = some.view(np.uint32).reshape(len(some), -1)
        bits = np.left_shift(np.uint64(1), (codes & np.uint32(63)).astype(np.uint64))
        there = np.arange(codes.shape[1]) < lengths[start : start + _CHUNK, None]
        found.append(np.bitwise_or.reduce(np.where(there, bits, np.uint64(0)), axis=1))
    return np.concatenate(found)


@dataclass(frozen=True, slots=True)
class Words:
    """The values of some kinds, as ``Spellings``."""

    kinds: tuple[str, ...]

    def load(self, reader: Reader) -> Spellings:
        """See ``memory.Asked``."""
        asked = select(col(FactValueRow.value)).where(col(FactValueRow.kind).in_(self.kinds))
        return Spellings(str(row[0]) for row in reader.rows(asked))

    def mend(self, held: Spellings, changes: Changes, reader: Reader) -> Spellings | None:  # noqa: ARG002
        """See ``memory.Asked``. What nobody bears any more stays until they are read anew."""
        grown = held.with_more(
            word
            for indexed in changes.indexed.values()
            for kind in self.kinds
            for word in indexed.values(kind)
        )
        return grown if len(grown.added) <= _MOST_ADDED else None

    def size(self, held: Spellings) -> int:
        """See ``memory.Asked``."""
        return held.size


@dataclass(frozen=True)
class Values:
    """The values of a kind, most people first."""

    all: list[str]
    before: "Values | None" = None
    """What they were when they were last cut into words: most of that need not be done again."""

    @cached_property
    def places(self) -> dict[str, int]:
        """Where each value stands."""
        return {value: at for at, value in enumerate(self.all)}

    @cached_property
    def words(self) -> list[str]:
        """The words of all values, each once."""
        return list(dict.fromkeys(word for each in self.tokens for word in each))

    @cached_property
    def tokens(self) -> list[list[str]]:
        """The words of each value."""
        before = self.before
        known = {} if before is None else dict(zip(before.all, before.tokens, strict=True))
        object.__setattr__(self, "before", None)
        return [known.get(each) or tokens(each) for each in self.all]


@dataclass(frozen=True, slots=True)
class MostListed:
    """The first ``limit`` values of a kind, most people first."""

    kind: str
    limit: int

    def load(self, reader: Reader) -> Values:
        """See ``memory.Asked``."""
        return Values(self._read(reader))

    def _read(self, reader: Reader) -> list[str]:
        asked = (
            select(col(FactValueRow.value))
            .where(col(FactValueRow.kind) == self.kind)
            .order_by(col(FactValueRow.people).desc(), col(FactValueRow.value))
            .limit(self.limit)
        )
        return [str(row[0]) for row in reader.rows(asked)]

    def mend(self, held: Values, changes: Changes, reader: Reader) -> Values | None:  # noqa: ARG002
        """See ``memory.Asked``. How many people have a value, and so the order, may differ."""
        values = self._read(reader)
        if values == held.all:
            return held
        return Values(values, held if "tokens" in vars(held) else held.before)

    def size(self, held: Values) -> int:
        """See ``memory.Asked``. With the words that may be made of them."""
        return 4 * _EACH * len(held.all)
