"""Bytes become text: marks of order, Unicode, and the older encodings by plausibility.

A byte sequence valid in one old encoding is often valid in others, so each is
tried and the text whose characters keep plausible company wins: Latin letters
stand among Latin letters and mostly alone as accented ones, Cyrillic words are
not upper case inside, Han characters are common ones.
"""

import codecs
from functools import lru_cache
from itertools import pairwise
from typing import Final

import regex

from bot.profiles.format import UnreadableProfile

LEGACY: Final = (
    "cp1252",
    "gb18030",
    "big5",
    "shift_jis",
    "euc_jp",
    "euc_kr",
    "cp1251",
    "koi8_r",
)

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_KINDS: Final = (
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a ZIP archive or an Office document"),
    (b"\xd0\xcf\x11\xe0", "an old Office document"),
    (b"{\\rtf", "an RTF document"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"RIFF", "a picture or a recording"),
    (b"\x1f\x8b", "a compressed file"),
    (b"7z\xbc\xaf", "a compressed file"),
    (b"Rar!", "a compressed file"),
    (b"BZh", "a compressed file"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"SQLite format 3", "a database"),
)

_SAMPLE: Final = 64 * 1024
_ONCE: Final = 1024 * 1024
_CONTROL: Final = regex.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_STRAY: Final = 0.02
"""The share of control characters up to which a text is a text with accidents."""

_PASTE: Final = "Copy the page's text, save it as a text file (UTF-8) and send that."


def text_of(content: bytes) -> str:
    """The text in ``content``, without its byte order mark; stray NULs are taken out.

    A character cut off at the very end is left out. Raises UnreadableProfile
    for what is no text.
    """
    for signature, kind in _KINDS:
        if content.startswith(signature):
            raise UnreadableProfile(f"This is {kind}, not text. {_PASTE}")
    text = _decoded_once(content) if len(content) <= _ONCE else _decoded(content)
    sample = text[:_SAMPLE]
    if sample and len(_CONTROL.findall(sample)) > max(_STRAY * len(sample), 4):
        raise UnreadableProfile(f"This is binary data, not text. {_PASTE}")
    return text.replace("\x00", "")


@lru_cache(maxsize=2)
def _decoded_once(content: bytes) -> str:
    """Every kind is asked about every document, and each wants its text."""
    return _decoded(content)


def forget() -> None:
    """Keep nothing of the documents that were read last."""
    _decoded_once.cache_clear()


def _decoded(content: bytes) -> str:
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return _whole(content[len(mark) :], encoding)
    if wide := _wide(content):
        return _whole(content, wide)
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(content)
    except UnicodeDecodeError:
        pass
    damaged = content.decode("utf-8", errors="replace")
    wrong = damaged.count("\ufffd")
    right = sum(1 for character in damaged[: _SAMPLE * 4] if character > "\x7f") - wrong
    if right > 2 * wrong:
        return damaged
    return _legacy(content) or damaged


def _whole(content: bytes, encoding: str) -> str:
    """Decoded up to a character that is cut off at the end; damage inside is marked."""
    return codecs.getincrementaldecoder(encoding)(errors="replace").decode(content)


def _wide(content: bytes) -> str | None:
    """UTF-16 without a mark: ASCII in it leaves every other byte zero."""
    sample = content[:4096]
    if len(sample) < 8:
        return None
    half = len(sample) // 2
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if odd > 0.4 * half and even < 0.1 * half:
        return "utf-16-le"
    if even > 0.4 * half and odd < 0.1 * half:
        return "utf-16-be"
    return None


def _legacy(content: bytes) -> str | None:
    best, chosen = -1.0, None
    for encoding in LEGACY:
        try:
            sample = codecs.getincrementaldecoder(encoding)().decode(content[:_SAMPLE])
        except UnicodeDecodeError:
            continue
        score = _plausibility(sample)
        if encoding in {"gb18030", "big5"} and _HIRAGANA.search(sample):
            score -= 0.2  # Chinese encodings have kana, Chinese texts do not
        if score > best:
            best, chosen = score, encoding
    return _whole(content, chosen) if chosen else None


_WORD: Final = regex.compile(r"[^\W\d_]+")
_HIRAGANA: Final = regex.compile(r"\p{Hiragana}")
_HAN: Final = regex.compile(r"\p{Han}")
_FAMILIES: Final = (
    regex.compile(r"\p{Latin}+"),
    regex.compile(r"\p{Cyrillic}+"),
    regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}ー々]+"),
    regex.compile(r"\p{Hangul}+"),
)
_TYPOGRAPHY: Final = frozenset("’‘“”–—…•·®©™€£«»°§¿¡  、。，：；！？（）《》「」『』【】・")


def _plausibility(text: str) -> float:
    """The share of characters beyond ASCII that keep plausible company."""
    beyond = [character for character in text if character > "\x7f"]
    if not beyond:
        return 1.0
    good = float(sum(1 for character in beyond if character in _TYPOGRAPHY))
    for match in _WORD.finditer(text):
        word = match.group()
        if not word.isascii():
            good += _word_plausibility(word)
    return good / len(beyond)


def _word_plausibility(word: str) -> float:
    foreign = sum(1 for character in word if character > "\x7f")
    family = next((each for each in _FAMILIES if each.fullmatch(word)), None)
    if family is None:
        return 0.2 * foreign
    if family is _FAMILIES[2]:
        return sum(_han_plausibility(character) for character in word)
    if family is _FAMILIES[3]:
        return foreign
    # Inside a word a capital after a small letter is odd, as is a run of accented letters.
    odd = sum(1 for left, right in pairwise(word) if left.islower() and right.isupper())
    if family is _FAMILIES[0]:
        odd += 2 * sum(1 for left, right in pairwise(word) if left > "\x7f" and right > "\x7f")
    elif len(word) > 3 and word.isupper():
        odd += len(word) // 2
    return max(0.0, foreign - odd)


def _han_plausibility(character: str) -> float:
    if not _HAN.match(character):
        return 1.0
    for encoding, first, last in (("gb2312", 0xB0, 0xD7), ("big5", 0xA4, 0xC6)):
        try:
            lead = character.encode(encoding)[0]
        except UnicodeEncodeError:
            continue
        # Both standards keep the common characters in their first level.
        if first <= lead <= last:
            return 0.95
    return 0.3
