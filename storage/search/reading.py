"""Other ways to write a name: in Latin letters, as consonants, in simplified characters, in pieces.

Han characters are read in pinyin without tones (pypinyin), Hangul by the Revised
Romanisation and as its bearers write it, kana, Cyrillic, Greek and other alphabets by
anyascii. The surname comes first in Han and Hangul and has readings of its own
(``surname_readings.tsv``); names in Japanese characters are read by their surname alone,
as far as it is in the table. Scripts that leave vowels out (Arabic, Hebrew) or
write them as marks that anyascii drops (Devanagari and its kin) are compared by their
consonants: see ``skeleton``.
"""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Final

import regex
from anyascii import anyascii

from storage.search.folding import fold, tokens
from storage.search.tables import rows

Choices = tuple[str, ...]
"""Readings of one word, the likeliest first."""

_HAN: Final = regex.compile(r"[\p{Han}々]+")
_HANGUL: Final = regex.compile(r"\p{Hangul}+")
_KANA: Final = regex.compile(r"[\p{Hiragana}\p{Katakana}ー]+")
_BY_CONSONANTS: Final = regex.compile(
    r"[\p{Arabic}\p{Hebrew}\p{Devanagari}\p{Bengali}\p{Gujarati}\p{Gurmukhi}\p{Tamil}\p{Telugu}"
    r"\p{Kannada}\p{Malayalam}\p{M}\u200c\u200d]+"
)
_OTHERS: Final = regex.compile(
    r"(?:(?!\p{Latin}|\p{Han}|\p{Hangul}|\p{Hiragana}|\p{Katakana}|ー)\p{L}\p{M}*)+"
)
_JOINED: Final = regex.compile(r"[^\W_]+(?:'[^\W_]+)+")
_OPEN: Final = regex.compile(r"^[اأإآعאע]")
_ARTICLE: Final = regex.compile(r"^ال(?=\p{L}{3})")
_SMALL: Final = regex.compile(r"(\p{Hiragana}|\p{Katakana})([ゃゅょャュョ])")
_SILENT: Final = regex.compile(r"(?<!^)[aeiouwvyh'`]+")
_GREEK: Final = (("oy", "ou"), ("gg", "ng"), ("mp", "b"), ("ey", "ev"), ("ay", "av"))
_SPELT: Final = (("iy", "y"), ("kh", "h"), ("yy", "y"), ("ks", "x"), ("ay", "ai"), ("ey", "ei"))
_SERBIAN: Final = (("dj", "d"), ("zh", "z"), ("ch", "c"), ("sh", "s"))
"""How Cyrillic names are also spelt in Latin letters."""
_LONG: Final = (("ou", "o"), ("uu", "u"), ("oo", "o"))
MOST_READINGS: Final = 4


def is_han(word: str) -> bool:
    """Whether it is written in Han characters alone."""
    return bool(_HAN.fullmatch(word))


def read_aloud(text: str) -> str:
    """Names in other scripts in Latin letters, each word by its likeliest reading; else empty.

    >>> read_aloud("赵成钢"), read_aloud("曾毅"), read_aloud("欧阳娜"), read_aloud("김민수")
    ('zhao chenggang', 'zeng yi', 'ouyang na', 'kim minsu')
    >>> read_aloud("Юлия Щербакова"), read_aloud("Lei Wang")
    ('yuliya shcherbakova', '')
    """
    return " ".join(romanised(text))


def romanised(name: str) -> tuple[str, ...]:
    """The words of a name in Latin letters, surname first; empty when it is written in them.

    >>> romanised("王小明"), romanised("Lei Wang")
    (('wang', 'xiaoming'), ())
    """
    return tuple(choices[0] for choices in spoken(name))


def readings(name: str) -> tuple[str, ...]:
    """What words of a name may be read as besides.

    >>> readings("盖明"), readings("王小明")
    (('gai',), ())
    """
    first = set(romanised(name))
    others = (each for choices in spoken(name) for each in choices[1:])
    return tuple(dict.fromkeys(each for each in others if each not in first))


@lru_cache(maxsize=4096)
def spoken(name: str) -> tuple[Choices, ...]:
    """The words of a name that are in other scripts, each with its readings."""
    if name.isascii():
        return ()
    return tuple(tuple(dict.fromkeys(choices))[:MOST_READINGS] for choices in _spoken(name))


def skeletons(name: str) -> tuple[str, ...]:
    """The consonants of words in scripts that are compared by them.

    >>> skeletons("محمد الراشد"), skeletons("राहुल शर्मा"), skeletons("Rashid")
    (('md', 'rsd'), ('rl', 'srm'), ())
    """
    if name.isascii():
        return ()
    found = []
    for word in _BY_CONSONANTS.findall(name):
        opening = "a" if _OPEN.match(word) and not _ARTICLE.match(word) else ""
        nasal = _ARTICLE.sub("", word).replace("\u0902\u0939", "ng").replace("\u0902", "n")
        found.append(skeleton(opening + anyascii(nasal).lower().lstrip("'`")))
    return tuple(dict.fromkeys(each for each in found if each))


def skeleton(word: str) -> str:
    """The consonants of a Latin word, as scripts without vowels tell them apart.

    An opening vowel is ``a``; ``h``, ``v``, ``w`` and ``y`` count only at the beginning.

    >>> [skeleton(word) for word in ("muhammad", "mohamed", "omar", "youssef", "yosef")]
    ['md', 'md', 'amr', 'ysf', 'ysf']
    """
    word = regex.sub("^[aeiou]", "a", word)
    word = _SILENT.sub("", word.replace("ph", "f").translate(str.maketrans("qcpgb", "kkfjf")))
    return regex.sub(r"(.)\1+", r"\1", word)


def simplified(text: str) -> str:
    """Traditional characters of names as simplified ones.

    >>> simplified("趙成鋼")
    '赵成钢'
    """
    return text if text.isascii() else text.translate(_simplified())


def pieces(name: str) -> tuple[str, ...]:
    """What stands around the apostrophes of a name, folded, and its characters simplified.

    >>> pieces("Seán O'Brien"), pieces("Lei Wang"), pieces("趙磊")
    (('o', 'brien'), (), ('赵',))
    """
    if name.isascii() and "'" not in fold(name):
        return ()
    found = [match.group().split("'") for match in _JOINED.finditer(fold(name))]
    written = set(tokens(name))
    simpler = (each for each in tokens(simplified(name)) if each not in written)
    return tuple(dict.fromkeys([*(piece for each in found for piece in each), *simpler]))


def surname(han: str) -> str:
    """The surname that a name in Han characters or Hangul begins with."""
    table = _surnames()
    return next((han[:length] for length in (3, 2) if han[:length] in table), han[:1])


def _spoken(name: str) -> Iterator[Choices]:
    if han := "".join(_HAN.findall(name)):
        yield from _han(han)
    if hangul := "".join(_HANGUL.findall(name)):
        yield from _hangul(hangul)
    for word in _KANA.findall(name):
        yield _kana(word)
    for word in _OTHERS.findall(name):
        if not _BY_CONSONANTS.fullmatch(word):
            yield _spelt(word)


def _han(han: str) -> Iterator[Choices]:
    first = surname(han)
    yield _surnames().get(first) or (_pinyin(first),)
    rest = han[len(first) :]
    if rest and first not in _japanese():
        yield (_pinyin(rest),)


def _hangul(hangul: str) -> Iterator[Choices]:
    first = surname(hangul)
    rest = hangul[len(first) :]
    if first in _surnames() and rest:
        yield _surnames()[first]
    else:
        rest = hangul
    by_rule = [anyascii(each).lower() for each in rest]
    yield "".join(by_rule), "".join(_syllables().get(each, each) for each in by_rule)


def _kana(word: str) -> Choices:
    small = _SMALL.sub(lambda match: _contracted(match[1], match[2]), word.replace("ー", ""))
    latin = regex.sub(r"[っッ](\p{L})", _doubled, small)
    long = _letters(latin)
    return _replaced(long, _LONG), long


def _contracted(first: str, small: str) -> str:
    stem, vowel = anyascii(first).lower()[:-1], anyascii(small).lower()[-1]
    return stem + ("" if stem in {"sh", "ch", "j"} else "y") + vowel


def _doubled(match: regex.Match[str]) -> str:
    return anyascii(match[1]).lower()[:1] + match[1]


def _spelt(word: str) -> Choices:
    latin = _letters(word)
    if regex.search(r"\p{Greek}", word):
        return (_replaced(latin, _GREEK),)
    return latin, _replaced(latin, _SPELT), _replaced(latin, _SERBIAN)


def _replaced(word: str, spellings: Sequence[tuple[str, str]]) -> str:
    for one, other in spellings:
        word = word.replace(one, other)
    return word


def _letters(word: str) -> str:
    return "".join(regex.findall("[a-z]+", anyascii(word).lower()))


def _pinyin(han: str) -> str:
    # its table of phrases takes most of a second to import, and most questions hold no Han
    from pypinyin import Style, pinyin  # noqa: PLC0415

    return "".join(syllable[0] for syllable in pinyin(han, style=Style.NORMAL, v_to_u=False))


@cache
def _surnames() -> dict[str, Choices]:
    return {name: tuple(said.split()) for name, said, _kind in rows("surname_readings.tsv")}


@cache
def _japanese() -> frozenset[str]:
    return frozenset(
        name for name, _said, kind in rows("surname_readings.tsv") if kind == "japanese"
    )


@cache
def _simplified() -> dict[int, str]:
    return {ord(traditional): simpler for traditional, simpler in rows("han_variants.tsv")}


@cache
def _syllables() -> dict[str, str]:
    return dict(rows("korean_syllables.tsv"))
