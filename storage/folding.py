"""Folding: how text is made comparable, the same way when it is stored and when it is asked.

``fold`` is NFKC, case folding, marks off, and the letters that decomposition
leaves alone (``ł ø ı đ …``); ``ß`` falls to case folding. Marks are taken off
where they are accents (Latin, Greek, Cyrillic, vowel points of Hebrew and
Arabic) and kept where they are letters (Devanagari, the voicing of kana).
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


def fold(text: str) -> str:
    """``text`` without case, accents and typographic variants.

    >>> fold("Łukasz Sørensen-Straße")
    'lukasz sorensen-strasse'
    """
    if text.isascii():  # most of what is stored: nothing below but these two changes it
        return text.lower().replace("`", "'")
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
