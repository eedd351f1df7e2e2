"""Paragraphs of an RTF document as lines, with their bold letters and sizes.

Source: Rich Text Format Specification 1.9.1. RTF is a stream of control words in groups; what a
group sets ends with it. Groups of definitions, pictures, objects, fields' instructions, notes and
comments are passed over, as are deleted and hidden text; headers, footers and text boxes count.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

import regex
from striprtf.striprtf import charset_map

from bot.profiles.resume.lines import MOST, Line, line_of

LONGEST: Final = 5_000_000
"""Characters without pictures; a résumé has thousands."""

_TOKEN: Final = regex.compile(
    r"\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})?[ ]?|\\'(?P<hex>[0-9a-fA-F]{2})"
    r"|\\(?P<symbol>[^a-zA-Z'])|(?P<brace>[{}])|[\r\n\0]+|(?P<text>[^\\{}\r\n\0]+)"
)
_SILENT: Final = frozenset({
    "annotation", "atnauthor", "atndate", "atnid", "atnref", "bkmkend", "bkmkstart", "colortbl",
    "comment", "datafield", "datastore", "docvar", "fldinst", "fonttbl", "footnote", "generator",
    "info", "latentstyles", "listoverridetable", "listpicture", "listtable", "nonshppict",
    "objclass", "objdata", "passwordhash", "pgptbl", "pict", "private", "revtbl", "rxe", "sp",
    "rsidtbl", "stylesheet", "tc", "themedata", "userprops", "wgrffmtfilter", "xe", "xmlnstbl",
    "mmathPr", "ftnsep", "ftnsepc", "aftnsep", "aftnsepc", "template", "filetbl", "levelnumbers",
    "leveltext", "pnseclvl", "nesttableprops", "formfield", "colorschememapping", "defchp",
    "defpap",
})  # fmt: skip
"""Groups that say nothing of what a reader sees; others marked ``\\*`` are unknown, and silent."""
_STARRED: Final = frozenset({"shpinst", "shptxt", "shppict", "pn", "hlinkbase", "do", "dptxbxtext"})
_BULLETS: Final = frozenset({"listtext", "pntext"})
_HEADERS: Final = frozenset({"header", "headerf", "headerl", "headerr"})
_FOOTERS: Final = frozenset({"footer", "footerf", "footerl", "footerr"})
_ENDS: Final = frozenset({"par", "sect", "page", "column", "row", "nestrow"})
_CHARACTERS: Final = {
    "tab": "\t", "line": "\n", "cell": "\t", "nestcell": "\t", "emdash": "—", "endash": "–",
    "bullet": "•", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
    "emspace": " ", "enspace": " ", "qmspace": " ",
}  # fmt: skip
_SYMBOLS: Final = {"~": " ", "_": "-", "\\": "\\", "{": "{", "}": "}", "-": ""}
_FONT: Final = regex.compile(r"\\f(\d{1,5})\b[^{}]{0,200}?\\fcharset(\d{1,3})")
_BINARY: Final = regex.compile(r"\\bin(\d{1,9})[ ]?")
_DEEPEST: Final = 2_000


@dataclass(frozen=True, slots=True)
class _State:
    """What holds in a group."""

    silent: bool = False
    beside: str = ""
    """The group of a page's header or footer, which stands before the text of its section."""
    bullet: bool = False
    hidden: bool = False
    bold: bool = False
    size: float = 0.0
    font: str = ""
    skipped: int = 1
    """Characters that stand for one in Unicode, for readers that know none."""


@dataclass(slots=True)
class _Told:
    """What the paragraph says so far."""

    text: list[str] = field(default_factory=list)
    size: float = 0.0
    bold: int = 0
    letters: int = 0
    begins_bold: bool = False
    bullet: bool = False


class _Reader:
    """Reads tokens, and gives lines as paragraphs end."""

    def __init__(self, text: str) -> None:
        self._text = text
        page = regex.search(r"\\ansicpg(\d{3,5})", text[:2000])
        self._page = f"cp{page[1]}" if page else "mac_roman" if "\\mac" in text[:60] else "cp1252"
        self._fonts = {
            font: charset_map.get(int(charset), self._page)
            for font, charset in _FONT.findall(text[:200_000])
            if charset not in {"0", "1", "2"}
        }
        self._state = _State()
        self._stack: list[_State] = []
        self._told = _Told()
        self._bytes = bytearray()
        self._to_skip = 0
        self._starred = False
        self._gap = False
        self._footers: list[Line] = []

    def lines(self) -> Iterator[Line]:
        for token in _TOKEN.finditer(self._text):
            if token["hex"]:
                if self._to_skip:
                    self._to_skip -= 1
                else:
                    self._bytes.append(int(token["hex"], 16))
                continue
            self._flush()
            if token["brace"]:
                yield from self._brace(token["brace"])
            elif token["word"]:
                yield from self._word(token["word"], token["number"])
            elif token["symbol"]:
                self._symbol(token["symbol"])
                if token["symbol"] in "\r\n":
                    yield from self._end()
            elif token["text"]:
                text = token["text"]
                skipped = min(self._to_skip, len(text))
                self._to_skip -= skipped
                self._say(text[skipped:])
        self._flush()
        yield from self._end()
        for number, line in enumerate(dict.fromkeys(self._footers)):
            yield replace(line, fresh=number == 0)

    def _brace(self, brace: str) -> Iterator[Line]:
        self._to_skip = 0
        if brace == "{" and len(self._stack) < _DEEPEST:
            self._stack.append(self._state)
        elif brace == "}" and self._stack:
            if self._state.beside != self._stack[-1].beside:
                yield from self._end()
            self._state = self._stack.pop()
        self._starred = False

    def _symbol(self, symbol: str) -> None:
        if symbol == "*":
            self._starred = True
        else:
            self._say(_SYMBOLS.get(symbol, ""))

    def _word(self, word: str, number: str | None) -> Iterator[Line]:
        starred, self._starred = self._starred, False
        if word in _SILENT or (starred and word not in _STARRED):
            self._state = replace(self._state, silent=True)
        elif word in _BULLETS:
            self._told.bullet = True
            self._state = replace(self._state, silent=True)
        elif self._state.silent:
            return
        elif word in _HEADERS or word in _FOOTERS:
            yield from self._end()
            self._state = replace(self._state, beside=word)
        elif word in _ENDS:
            yield from self._end()
        elif word in _CHARACTERS:
            self._say(_CHARACTERS[word])
        elif word == "u" and number is not None:
            self._unicode(int(number))
        else:
            self._set(word, number)

    def _set(self, word: str, number: str | None) -> None:
        """A property of the text that follows; without a number it is switched on."""
        on = number != "0"
        if word == "plain":
            self._state = replace(self._state, bold=False, size=12.0, hidden=False)
        elif word == "b":
            self._state = replace(self._state, bold=on)
        elif word in {"v", "deleted"}:
            self._state = replace(self._state, hidden=on)
        elif word == "fs" and number:
            self._state = replace(self._state, size=min(abs(int(number)) / 2, 400.0))
        elif word == "f" and number:
            self._state = replace(self._state, font=number)
        elif word == "uc" and number:
            self._state = replace(self._state, skipped=min(abs(int(number)), 10))
        elif word == "ls" and number:
            self._told.bullet = True
        elif word == "pard":
            self._told.bullet = False

    def _unicode(self, number: int) -> None:
        """A character by its number, of 16 bits with a sign; pairs make one beyond them."""
        code = number + 0x10000 if number < 0 else number
        self._to_skip = self._state.skipped
        if code <= 0x10FFFF:
            self._say(chr(code))

    def _flush(self) -> None:
        if self._bytes:
            held, encoding = bytes(self._bytes), self._fonts.get(self._state.font, self._page)
            self._bytes.clear()
            try:
                self._say(held.decode(encoding, errors="replace"))
            except LookupError:
                self._say(held.decode("cp1252", errors="replace"))

    def _say(self, text: str) -> None:
        if not text or self._state.silent or self._state.hidden:
            return
        told = self._told
        letters = sum(map(str.isalnum, text))
        if letters and not told.letters:
            told.begins_bold = self._state.bold
        told.letters += letters
        told.bold += letters if self._state.bold else 0
        if letters:
            told.size = max(told.size, self._state.size)
        told.text.append(text)

    def _end(self) -> Iterator[Line]:
        """The paragraph's lines; a table's row ends like one, its cells set apart by tabs."""
        told, self._told = self._told, _Told()
        look = Line(
            "",
            size=told.size,
            bold=told.begins_bold and told.bold * 3 > told.letters,
            bullet=told.bullet,
            gap=self._gap,
        )
        text = "".join(told.text).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        self._gap = True
        for number, each in enumerate(text.split("\n")):
            line = line_of(each, look if number == 0 else replace(look, gap=False, bullet=False))
            if line is not None:
                self._gap = False
                if self._state.beside in _FOOTERS:
                    self._footers.append(line)
                else:
                    yield line


def lines_of_rtf(content: bytes) -> list[Line]:
    """The lines of a document, at most ``MOST``."""
    text = content.decode("latin-1")
    found = []
    for line in _Reader(_without_binary(text)[:LONGEST]).lines():
        found.append(line)
        if len(found) == MOST:
            break
    return found


def _without_binary(text: str) -> str:
    """Without raw bytes of pictures, in which any character may stand."""
    if "\\bin" not in text:
        return text
    kept, at = [], 0
    while match := _BINARY.search(text, at):
        kept.append(text[at : match.start()])
        at = match.end() + int(match[1])
    return "".join([*kept, text[at:]])
