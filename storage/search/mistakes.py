"""Typing mistakes in names: how many a word may hold, and which words it may stand for."""

from collections.abc import Mapping, Sequence
from typing import Final

from rapidfuzz import process
from rapidfuzz.distance import OSA

MOST_NEAR: Final = 200
MOST_WORDS: Final = 12
"""Words of a name among which those asked for are looked for: more are no name."""
SHORTEST_MISTAKE: Final = 3
"""Letters of a word that is taken for a mistake only beside another that is right."""


def edits_allowed(word: str) -> int:
    """How many typing mistakes a word of this length may hold."""
    if len(word) < 4 or not word.isalpha():
        return 0
    return 1 if len(word) < 8 else 2


def near_words(word: str, known: Sequence[str], *, short: bool = False) -> dict[str, int]:
    """The known words that ``word`` may be a mistake for, with their edits; itself among them.

    ``short`` allows one edit in a word of three letters too.
    """
    short = short and len(word) == SHORTEST_MISTAKE and word.isalpha()
    allowed = 1 if short else edits_allowed(word)
    if not allowed:
        return dict.fromkeys((each for each in known if each == word), 0)
    found = process.extract(word, known, scorer=OSA.distance, score_cutoff=allowed, limit=MOST_NEAR)
    return {
        each: int(distance)
        for each, distance, _index in found
        if len(each) > SHORTEST_MISTAKE - short and (len(word) > 5 or each[0] == word[0])
    }


def short_ones_have_company(words: Sequence[str], order: Sequence[str]) -> bool:
    """Whether a mistaken word of three letters stands beside one that is right."""
    pairs = list(zip(words, order, strict=True))
    mistaken = any(word != each and len(word) <= SHORTEST_MISTAKE for word, each in pairs)
    return not mistaken or any(word == each for word, each in pairs)


def assigned(
    choices: Sequence[Mapping[str, int]], present: Sequence[str]
) -> tuple[int, tuple[str, ...]] | None:
    """A word of its own out of ``present`` for each of the choices, with the fewest edits in all.

    ``choices`` map words to edits. None when some choice has no word left.

    >>> assigned([{"lei": 1, "wei": 0}, {"wei": 0}], ["lei", "wei"])
    (1, ('lei', 'wei'))
    """
    if not choices:
        return 0, ()
    best = None
    usable = [each for each in present if any(each in choice for choice in choices)]
    for at, each in enumerate(present := usable[:MOST_WORDS]):
        if each not in choices[0]:
            continue
        rest = assigned(choices[1:], [*present[:at], *present[at + 1 :]])
        if rest is not None:
            found = (choices[0][each] + rest[0], (each, *rest[1]))
            best = found if best is None else min(best, found)
    return best
