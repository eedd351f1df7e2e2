"""Words: how folded text is cut, the same way when it is stored and when it is asked.

Neither engine's own tokeniser is used: the databases only split at spaces.
Folding itself is ``storage.folding``.
"""

import re
from typing import Final

import regex

from storage.folding import fold

__all__ = ["compounds", "fold", "tokens"]

_POSSESSIVE: Final = regex.compile(r"(?<=[^\W_])'s?(?![^\W_])")
_APOSTROPHE: Final = regex.compile(r"(?<=[^\W_])'(?=[^\W_])")
_TOKEN: Final = regex.compile(
    r"(?P<single>[\p{Han}\p{Hiragana}\p{Katakana}])"
    r"|(?:(?![\p{Han}\p{Hiragana}\p{Katakana}])[^\W_])+(?:\+\+|\#(?![^\W_]))?"
)
_ASCII_TOKEN: Final = re.compile(r"[A-Za-z0-9]+(?:\+\+|#(?![A-Za-z0-9]))?")
"""``_TOKEN`` for texts of ASCII letters alone, several times as fast: nearly all that is stored."""
_COMPOUND: Final = regex.compile(r"(?<![^\W_])[^\W_]+(?:-[^\W_]+)+")


def tokens(text: str) -> list[str]:
    """The folded words of ``text``, in order.

    Hyphens, slashes and dots separate; ``c++`` and ``c#`` stay whole so that
    neither reads as ``c``; Han and kana stand one by one, since nothing
    separates their words; ``Meta's`` is ``meta`` and ``O'Brien`` ``obrien``.

    >>> tokens("Meta's C++/LLVM back-end, 王磊")
    ['meta', 'c++', 'llvm', 'back', 'end', '王', '磊']
    """
    folded = fold(text)
    if "'" in folded:
        folded = _APOSTROPHE.sub("", _POSSESSIVE.sub(" ", folded))
    if folded.isascii():
        return _ASCII_TOKEN.findall(folded)
    words = (match.group() for match in _TOKEN.finditer(folded))
    return [word for word in words if word.rstrip("+#").isalnum()]


def compounds(text: str) -> list[str]:
    """The hyphenated words of ``text`` written together, so that ``backend`` finds ``Back-end``.

    >>> compounds("Back-end developer, C++/tf-idf")
    ['backend', 'tfidf']
    """
    folded = fold(text)
    if "-" not in folded:
        return []
    joined = (match.group().replace("-", "") for match in _COMPOUND.finditer(folded))
    return [word for word in joined if word.isalnum()]
