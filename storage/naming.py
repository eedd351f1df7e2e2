"""Whether a text names somebody: all words of the name side by side, in any order.

A ``NameMark`` recognises a name without holding it: it is a keyed hash, for what
still has to be cleaned after the name itself is gone. A name of one word is
too common to be looked for and has an empty mark.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from storage.identity import name_key
from storage.keyring import keyed_hash_of
from storage.search.folding import tokens

LONGEST: Final = 40_000
"""Words of a text that are looked at."""


@dataclass(frozen=True, slots=True)
class NameMark:
    """``words`` is how many words the name has; 0 where it is not to be looked for."""

    digest: str
    words: int


def mark_of(key: str, name: str) -> NameMark:
    """The mark of a name."""
    words = len(tokens(name))
    return (
        NameMark("", 0)
        if words < 2
        else NameMark(keyed_hash_of(key, "name", name_key(name)), words)
    )


def is_marked(key: str, mark: NameMark, text: str) -> bool:
    """Whether the text holds the name that the mark was made of."""
    if not mark.words:
        return False
    return any(
        keyed_hash_of(key, "name", " ".join(sorted(window))) == mark.digest
        for window in _windows(tokens(text), mark.words)
    )


def is_named(text: str, names: Iterable[Sequence[str]]) -> bool:
    """Whether the text holds one of the names, each given as its folded words."""
    words = tokens(text)
    return any(
        sorted(window) == sorted(name)
        for name in names
        if name
        for window in _windows(words, len(name))
    )


def _windows(words: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    words = words[:LONGEST]
    for first in range(len(words) - size + 1):
        yield words[first : first + size]
