"""Other ways to write the words of a name in Latin letters, or in Han characters.

===================  =========================================================================
apart, together      ``cheng gang`` and ``chenggang``, ``van der berg`` and ``vanderberg``
Mc, Mac; al, el      ``mcdonald``, ``macdonald``, ``mac donald``
letters of two       ``mueller`` for Müller, ``soerensen`` for Sørensen, and the other way
characters           traditional ones for simplified ones, and the other way
a particle more      ``rashid`` for Alrashid, ``connor`` for O'Connor
a particle less      ``van der berg`` or ``vanderberg`` for Berg
===================  =========================================================================
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from storage.search.folding import tokens
from storage.search.reading import simplified

Known = Callable[[str], bool]
"""Whether somebody has this word in the name."""

_PARTICLES: Final = """
    van von der den de del della di da do dos das du la le lo el al as bin ibn ben abu bint ter ten
    te zu zum zur af av o mac mc san st y e
"""
PARTICLES: Final = frozenset(_PARTICLES.split())
_BEFORE: Final = ("al", "el", "o", "mac", "mc", "de", "di", "da", "la", "le", "van", "von", "bin")
"""Particles that are also written as one with the name."""
_RUNS: Final = ("vander", "vanden", "vonder", "dela", "delos", "della", "abdel", "abdul")
_SAME: Final = (("mc", "mac"), ("mac", "mc"), ("al", "el"), ("el", "al"))
_TWO_LETTERS: Final = (("ae", "a"), ("oe", "o"), ("ue", "u"), ("aa", "a"))
_SPELT_OUT: Final = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"}
    | {"Ø": "Oe", "Å": "Aa"}
)
SHORTEST: Final = 4
"""Letters of a word that is looked for with a particle more or less, or as several words."""


@dataclass(frozen=True, slots=True)
class Wording:
    """``words`` instead of those typed; ``far`` when a particle was added or left out."""

    words: tuple[str, ...]
    far: bool = False


def wordings(text: str, words: tuple[str, ...], known: Known) -> Iterator[Wording]:
    """Other wordings of ``text``, whose folded words these are, all of whose words are known.

    >>> names = {"alrashid", "van", "der", "berg", "macdonald"}.__contains__
    >>> [each.words for each in wordings("rashid", ("rashid",), names)]
    [('alrashid',)]
    >>> [each.words for each in wordings("vanderberg", ("vanderberg",), names)]
    [('van', 'der', 'berg'), ('berg',)]
    >>> [each.words for each in wordings("mc donald", ("mc", "donald"), names)]
    [('macdonald',)]
    """
    seen = {words}
    for each in _all(text, words, known):
        if each.words and each.words not in seen and all(map(known, each.words)):
            seen.add(each.words)
            yield each


def is_particle(word: str) -> bool:
    """Whether it stands before names and alone says of nobody who they are."""
    return word in PARTICLES


def _all(text: str, words: tuple[str, ...], known: Known) -> Iterator[Wording]:
    spelt_out = text if text.isascii() else text.translate(_SPELT_OUT)
    bases = dict.fromkeys(
        (words, tuple(tokens(simplified(text))), tuple(tokens(spelt_out))),
    )
    for base in bases:
        for cut in dict.fromkeys([base, *_together(base), *_apart(base, known)]):
            yield Wording(tuple(_respelt(word, known) for word in cut))
            yield Wording(cut)
    for at, word in enumerate(words):
        for longer in (*_BEFORE, *_RUNS):
            if len(word) >= SHORTEST and known(longer + word):
                yield Wording((*words[:at], longer + word, *words[at + 1 :]), far=True)
    bare = tuple(_bare(word, known) for word in words if not is_particle(word))
    if any(len(word) >= SHORTEST for word in bare):
        yield Wording(bare, far=True)


def _together(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Some neighbours written together."""
    for start in range(len(words)):
        for end in range(start + 2, min(start + 4, len(words)) + 1):
            yield (*words[:start], "".join(words[start:end]), *words[end:])


def _apart(words: tuple[str, ...], known: Known) -> Iterator[tuple[str, ...]]:
    """One word cut into words that are known."""
    for at, word in enumerate(words):
        if len(word) < SHORTEST or not word.isalpha():
            continue
        for parts in _cuts(word, known, 4):
            yield (*words[:at], *parts, *words[at + 1 :])


def _cuts(word: str, known: Known, most: int) -> Iterator[tuple[str, ...]]:
    for cut in range(1 if word.isascii() is False else 2, len(word)):
        first, rest = word[:cut], word[cut:]
        if not known(first):
            continue
        if len(rest) > 1 and known(rest):
            yield first, rest
        if most > 2:
            yield from ((first, *parts) for parts in _cuts(rest, known, most - 1))


def _respelt(word: str, known: Known) -> str:
    """The word, or the spelling of it that somebody has."""
    spellings = [other + word[len(one) :] for one, other in _SAME if word.startswith(one)]
    spellings += [word.replace(two, one) for two, one in _TWO_LETTERS if two in word]
    if not word.isascii():
        spellings.append(simplified(word))
    return next((each for each in spellings if known(each)), word)


def _bare(word: str, known: Known) -> str:
    """The word without the particle that it begins with."""
    for particle in (*_RUNS, *_BEFORE):
        rest = word.removeprefix(particle)
        if rest != word and len(rest) >= SHORTEST and known(rest):
            return rest
    return word
