"""Folding: how text is made comparable, the same way when it is stored and when it is asked.

``fold`` is NFKC, case folding, marks off, and the letters that decomposition
leaves alone (``ł ø ı đ …``); ``ß`` falls to case folding. Marks are taken off
where they are accents (Latin, Greek, Cyrillic, vowel points of Hebrew and
Arabic) and kept where they are letters (Devanagari, the voicing of kana).

``tokens`` cuts folded text into words. Neither engine's own tokeniser is
used: the databases only split at spaces.
"""

import unicodedata
from typing import Final

import regex

_LETTERS: Final = str.maketrans(
    {
        "ł": "l",
        "ø": "o",
        "ı": "i",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "æ": "ae",
        "œ": "oe",
        "ħ": "h",
        "ŧ": "t",
        "ŋ": "n",
        "ĸ": "k",
        "ə": "e",
        "ƒ": "f",
        "’": "'",
        "‘": "'",
        "ʼ": "'",
        "ʻ": "'",
        "`": "'",
        "´": "'",
        "‐": "-",
        "‑": "-",
        "‒": "-",
        "–": "-",
        "—": "-",
        "−": "-",
    }
)

_ACCENTS: Final = regex.compile(
    r"[\u0300-\u036f\u0483-\u0487\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f"
    r"\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]|\p{Cf}"
)

_POSSESSIVE: Final = regex.compile(r"(?<=[^\W_])'s?(?![^\W_])")
_APOSTROPHE: Final = regex.compile(r"(?<=[^\W_])'(?=[^\W_])")
_TOKEN: Final = regex.compile(
    r"(?P<single>[\p{Han}\p{Hiragana}\p{Katakana}])"
    r"|(?:(?![\p{Han}\p{Hiragana}\p{Katakana}])[^\W_])+(?:\+\+|\#(?![^\W_]))?"
)


_COMPOUND: Final = regex.compile(r"(?<![^\W_])[^\W_]+(?:-[^\W_]+)+")


def fold(text: str) -> str:
    """``text`` without case, accents and typographic variants.

    >>> fold("Łukasz Sørensen-Straße")
    'lukasz sorensen-strasse'
    """
    for _ in range(4):
        folded = _fold_once(text)
        if folded == text:
            break
        text = folded
    return text


def _fold_once(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).casefold()
    text = unicodedata.normalize("NFD", text.translate(_LETTERS))
    return unicodedata.normalize("NFKC", _ACCENTS.sub("", text))


def tokens(text: str) -> list[str]:
    """The folded words of ``text``, in order.

    Hyphens, slashes and dots separate; ``c++`` and ``c#`` stay whole so that
    neither reads as ``c``; Han and kana stand one by one, since nothing
    separates their words; ``Meta's`` is ``meta`` and ``O'Brien`` ``obrien``.

    >>> tokens("Meta's C++/LLVM back-end, 王磊")
    ['meta', 'c++', 'llvm', 'back', 'end', '王', '磊']
    """
    folded = _APOSTROPHE.sub("", _POSSESSIVE.sub(" ", fold(text)))
    words = (match.group() for match in _TOKEN.finditer(folded))
    return [word for word in words if word.rstrip("+#").isalnum()]


def compounds(text: str) -> list[str]:
    """The hyphenated words of ``text`` written together, so that ``backend`` finds ``Back-end``.

    >>> compounds("Back-end developer, C++/tf-idf")
    ['backend', 'tfidf']
    """
    joined = (match.group().replace("-", "") for match in _COMPOUND.finditer(fold(text)))
    return [word for word in joined if word.isalnum()]
