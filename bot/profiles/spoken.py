"""Spoken languages: whether a word names one, and how well somebody speaks it."""

from functools import cache
from typing import Final

import regex
from babel import Locale

from bot.profiles.dates import LOCALES
from bot.profiles.stated import short
from storage.folding import fold
from storage.records import Language

_LEVEL: Final = regex.compile(
    r"^(?P<name>[^(:\[]+?)\s*(?:[(\[]\s*(?P<inside>[^)\]]*)[)\]]?|(?:\s[-–—/]\s|[:：=])\s*(?P<after>.*)"
    r"|[ -](?P<code>[ABC][12](?:\+|\s*[-/]\s*[ABC][12])?))\s*$"
)
_CODES: Final = frozenset({*LOCALES, "no", "zh", "ja", "ko"})
_MORE: Final = ("mandarin", "cantonese", "farsi", "castellano", "flemish", "filipino", "moldovan",
                "putonghua", "hochdeutsch", "vlaams")  # fmt: skip


@cache
def _names() -> frozenset[str]:
    names = set(map(fold, _MORE))
    for each in (*LOCALES, "zh", "ja", "ko"):
        for code, name in Locale.parse(each).languages.items():
            if len(code) <= 3:
                names.add(fold(name))
    return frozenset(names)


def is_spoken(name: str) -> bool:
    """Whether this names a spoken language, in the languages of ``LOCALES`` (CLDR's names).

    >>> is_spoken("Deutsch"), is_spoken("Brazilian Portuguese"), is_spoken("Python")
    (True, True, False)
    """
    words = fold(name).split()
    return " ".join(words) in _names() or (
        1 < len(words) <= 3 and any(each in _names() for each in (words[0], words[-1]))
    )


def language_of(text: str) -> Language | None:
    """A language with its level; None where no spoken language is named.

    >>> language_of("English (fluent)"), language_of("German: B2").level, language_of("Go")
    (Language(name='English', level='fluent'), 'B2', None)
    """
    line = short(text, 100) or ""
    match = _LEVEL.match(line)
    name = match["name"].strip() if match else line
    level = (match["inside"] or match["after"] or match["code"]) if match else None
    if not is_spoken(name) and not (level and name.lower() in _CODES):
        words = name.split()
        if match or len(words) < 2:
            return None
        # “fluent English” and “English fluent” say the same
        for index, rest in ((0, words[1:]), (len(words) - 1, words[:-1])):
            if is_spoken(words[index]):
                return Language(name=words[index], level=" ".join(rest))
        return None
    return Language(name=name, level=short(level))


def language_of_code(text: str) -> str:
    """The English name of the language of an ISO 639 code; what is none stays as it is.

    >>> language_of_code("EN"), language_of_code("gl"), language_of_code("Deutsch")
    ('English', 'Galician', 'Deutsch')
    """
    if len(text) not in {2, 3} or not text.isascii():
        return text
    return str(Locale.parse("en").languages.get(text.lower(), text))
