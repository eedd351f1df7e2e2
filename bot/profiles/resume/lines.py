"""A line of a résumé, as every format gives it, and what its looks say."""

from dataclasses import dataclass, replace
from typing import Final
from unicodedata import normalize

import regex

BULLETS: Final = "•●▪▫■□◦‣⁃∙·○◆◇❖➢➤►▸▶→✓✔☑★*⦁\uf0b7\uf0a7\uf0d8\uf076\uf0fc"
_BULLET: Final = regex.compile(rf"\s*(?:[{regex.escape(BULLETS)}]|[-–—+](?=\s)|o(?=\s{{2,}}))\s*")
_DROPPED: Final = regex.compile(
    r"[\p{Co}\p{Cn}\x00\x01\x03-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd\ufeff\u200b-\u200f\u2060]"
)
_INNER_HYPHEN: Final = regex.compile(r"[\x02\xad](?!$)(?=\s*\S)")
_TWO_HYPHENS: Final = regex.compile(r"[\x02\xad-]+\u2010|\u2010[\x02\xad-]+")
_COLUMNS: Final = regex.compile(r"\t+| {4,}")
_SPACES: Final = regex.compile(r"[^\S\t\n]+")
LONGEST: Final = 4_000
"""Characters of a line; what is longer is cut."""
MOST: Final = 20_000
"""Lines of a document."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line in reading order; a tab stands between what is set apart on it.

    ``size`` is the font's (points; 0 where unknown), ``gap`` says that a blank line or more than
    the usual space precedes it, ``fresh`` that another column or text box begins with it,
    ``level`` is the depth of a heading that the format itself marks (0 for none).
    """

    text: str
    size: float = 0.0
    bold: bool = False
    bullet: bool = False
    gap: bool = False
    fresh: bool = False
    level: int = 0

    @property
    def parts(self) -> tuple[str, ...]:
        """What is set apart on the line."""
        return tuple(part for each in self.text.split("\t") if (part := each.strip()))

    @property
    def plain(self) -> str:
        """The line's text, set apart by blanks."""
        return " ".join(self.parts)


def clean(text: str) -> str:
    """Compatibility characters as the usual ones, without controls and glyphs of icon fonts.

    >>> clean("e\\ufb03cient\\ue0a2 \\x00work")
    'efficient work'
    """
    text = _INNER_HYPHEN.sub("-", _TWO_HYPHENS.sub("-", text))
    return _SPACES.sub(" ", _DROPPED.sub("", normalize("NFKC", text))).strip(" ")


def has_bullet(text: str) -> bool:
    """Whether a line begins with a bullet."""
    return _BULLET.match(text) is not None


def line_of(text: str, line: Line | None = None) -> Line | None:
    """A cleaned line, its bullet noted and taken off; None when nothing is left.

    >>> line_of("  •\\tBuilt   engines").text, line_of("  \\uf0e0 ")
    ('Built engines', None)
    """
    bullet = _BULLET.match(text)
    if bullet and bullet.end() < len(text):
        text = text[bullet.end() :]
    cleaned = clean(text[:LONGEST]).strip()
    if not regex.search(r"[\p{L}\d]", cleaned):
        return None
    return replace(
        line or Line(""), text=cleaned, bullet=bool(bullet) or bool(line and line.bullet)
    )


def lines_of(text: str) -> list[Line]:
    """The lines of a text; the wrapped ones of a bullet are joined to it.

    >>> lines = lines_of("Ada\\n\\n- built\\n  engines\\nA    B")
    >>> [(each.text, each.bullet, each.gap) for each in lines]
    [('Ada', False, False), ('built engines', True, True), ('A\\tB', False, False)]
    """
    lines: list[Line] = []
    gap, indent = False, -1
    for raw in text.splitlines()[:MOST]:
        spaced = raw.expandtabs(4)
        depth = len(spaced) - len(spaced.lstrip())
        line = line_of(_COLUMNS.sub("\t", raw.strip()), Line("", gap=gap))
        if line is None:
            gap = gap or not raw.strip()
            continue
        if lines and lines[-1].bullet and not line.bullet and not gap and depth > indent >= 0:
            lines[-1] = joined(lines[-1], line)
        else:
            lines.append(line)
            indent = depth if line.bullet else -1
        gap = False
    return lines


def joined(first: Line, second: Line) -> Line:
    """Two lines of one paragraph as one."""
    return replace(first, text=join(first.text, second.text)[:LONGEST])


def join(first: str, second: str) -> str:
    """A line and the one that it is wrapped into; U+0002 is PDFium's mark of a hyphen at the end.

    >>> join("develop\\x02", "ment"), join("state\\x02", "Of"), join("the", "end")
    ('development', 'state-Of', 'the end')
    """
    if first.endswith(("\x02", "\xad")):
        return first[:-1] + ("" if second[:1].islower() else "-") + second
    return f"{first} {second}"
