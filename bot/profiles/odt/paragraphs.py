"""Paragraphs of an OpenDocument text as lines, in the order in which they are read.

Source: OpenDocument 1.3, part 3. Text in frames, lists, sections, tables, headers and footers
counts; deletions kept by tracked changes, comments, notes, indexes and hidden text do not.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import regex
from lxml import etree

from bot.profiles.resume.cells import lines_of_rows
from bot.profiles.resume.lines import Line, line_of

_SKIPPED: Final = frozenset({
    "alphabetical-index", "annotation", "annotation-end", "bibliography", "desc", "event-listeners",
    "forms", "hidden-paragraph", "hidden-text", "illustration-index", "image",
    "note", "object", "object-ole", "ruby-text", "script", "sequence-decls", "settings",
    "table-of-content", "title", "tracked-changes", "user-index", "variable-decls",
})  # fmt: skip
_BOXES: Final = frozenset({"frame", "text-box", "custom-shape", "g", "rect"})
_NUMBER: Final = regex.compile(r"\d+(?:\.\d+)?")
_HEADING: Final = regex.compile(r"(?i)heading|title|titel|berschrift|titre|titolo|t[ií]tulo")
_DEEPEST: Final = 60
_MOST_BLANKS: Final = 20


@dataclass(frozen=True, slots=True)
class Style:
    """How a style's text looks; None is left to its parent."""

    parent: str = ""
    shown: str = ""
    bold: bool | None = None
    size: float | None = None
    hidden: bool | None = None


@dataclass(slots=True)
class _Told:
    """What a paragraph says so far: its text, its largest size, its bold letters, its boxes."""

    text: list[str] = field(default_factory=list)
    size: float = 0.0
    bold: int = 0
    letters: int = 0
    begins_bold: bool = False
    boxes: list[etree._Element] = field(default_factory=list)


def name_of(element: etree._Element) -> str:
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: etree._Element, name: str) -> str | None:
    ending = f"}}{name}"
    return next((str(v) for k, v in element.attrib.items() if str(k).endswith(ending)), None)


def styles_in(roots: list[etree._Element]) -> dict[str, Style]:
    """The styles that documents declare, by their names."""
    found: dict[str, Style] = {}
    for root in roots:
        for element in root.iter():
            if name_of(element) == "style" and (name := attribute(element, "name")):
                found[name] = _style(element)
    return found


def _style(element: etree._Element) -> Style:
    looks = next((each for each in element if name_of(each) == "text-properties"), None)
    weight = size = display = None
    if looks is not None:
        weight = attribute(looks, "font-weight")
        size = attribute(looks, "font-size")
        display = attribute(looks, "display")
    number = _NUMBER.match(size) if size and not size.endswith("%") else None
    return Style(
        parent=attribute(element, "parent-style-name") or "",
        shown=attribute(element, "display-name") or attribute(element, "name") or "",
        bold=None if weight is None else weight in {"bold", "600", "700", "800", "900"},
        size=min(float(number[0]), 400.0) if number else None,
        hidden=None if display is None else display == "none",
    )


class Paragraphs:
    """Lines of a part, with the styles of its document."""

    def __init__(self, styles: Mapping[str, Style]) -> None:
        self._styles = styles

    def lines(
        self, element: etree._Element, depth: int = 0, *, listed: bool = False
    ) -> Iterator[Line]:
        if depth > _DEEPEST:
            return
        gap = False
        for child in element:
            name = name_of(child)
            if not name or name in _SKIPPED:
                continue
            if name in {"p", "h"}:
                found = list(self._paragraph(child, depth, listed=listed and name == "p"))
                for number, line in enumerate(found):
                    yield replace(line, gap=True) if gap and number == 0 else line
                gap = not found
            elif name == "table":
                yield from lines_of_rows(list(self._rows(child, depth + 1)))
                gap = True
            else:
                inner = listed or name == "list-item"
                for number, line in enumerate(self.lines(child, depth + 1, listed=inner)):
                    yield replace(line, fresh=True) if number == 0 and name in _BOXES else line

    def _rows(self, table: etree._Element, depth: int) -> Iterator[list[list[Line]]]:
        for child in table:
            name = name_of(child)
            if name == "table-row":
                yield [
                    list(self.lines(cell, depth + 1))
                    for cell in child
                    if name_of(cell) == "table-cell"
                ]
            elif name in {"table-rows", "table-header-rows", "table-row-group"}:
                yield from self._rows(child, depth + 1)

    def _paragraph(self, element: etree._Element, depth: int, *, listed: bool) -> Iterator[Line]:
        """Its lines (a break begins another), then those of the boxes anchored in it."""
        told = _Told()
        name = attribute(element, "style-name") or ""
        self._gather(element, name, told, 0)
        level = self._level(element, name)
        look = Line(
            "",
            size=told.size,
            bold=told.begins_bold and told.bold * 3 > told.letters,
            bullet=listed and not level,
            level=level,
        )
        for number, text in enumerate("".join(told.text).split("\n")):
            line = line_of(text, look if number == 0 else replace(look, bullet=False))
            if line is not None:
                yield line
        for box in told.boxes:
            for number, line in enumerate(self.lines(box, depth + 1)):
                yield replace(line, fresh=True) if number == 0 else line

    def _level(self, element: etree._Element, name: str) -> int:
        """The depth of a heading: marked as one, or in a style that is called so."""
        if name_of(element) == "h":
            stated = attribute(element, "outline-level") or "1"
            return int(stated) if stated.isdecimal() and len(stated) == 1 else 1
        shown = " ".join(
            f"{each} {self._styles.get(each, Style()).shown}" for each in self._chain(name)
        )
        return 1 if _HEADING.search(shown) else 0

    def _chain(self, name: str) -> Iterator[str]:
        for _ in range(20):
            if not name:
                return
            yield name
            name = self._styles[name].parent if name in self._styles else ""

    def _looks(self, *names: str) -> tuple[bool, float, bool]:
        """Bold, size in points and hidden: the innermost style that says so."""
        bold = size = hidden = None
        for name in names:
            for each in self._chain(name):
                style = self._styles.get(each, Style())
                bold = style.bold if bold is None else bold
                size = style.size if size is None else size
                hidden = style.hidden if hidden is None else hidden
        return bool(bold), size or 0.0, bool(hidden)

    def _gather(
        self, element: etree._Element, name: str, told: _Told, depth: int, inner: str = ""
    ) -> None:
        if depth > _DEEPEST:
            return
        bold, size, hidden = self._looks(inner, name)
        if hidden:
            return
        _say(element.text, told, bold=bold, size=size)
        for child in element:
            kind = name_of(child)
            if kind == "tab":
                told.text.append("\t")
            elif kind == "line-break":
                told.text.append("\n")
            elif kind == "s":
                count = attribute(child, "c") or "1"
                told.text.append(" " * min(int(count) if count.isdecimal() else 1, _MOST_BLANKS))
            elif kind in _BOXES:
                told.boxes.append(child)
            elif kind and kind not in _SKIPPED:
                style = attribute(child, "style-name") if kind == "span" else None
                self._gather(child, name, told, depth + 1, style or inner)
            _say(child.tail, told, bold=bold, size=size)


def _say(text: str | None, told: _Told, *, bold: bool, size: float) -> None:
    if not text:
        return
    letters = sum(map(str.isalnum, text))
    if letters and not told.letters:
        told.begins_bold = bold
    told.letters += letters
    told.bold += letters if bold else 0
    if letters:
        told.size = max(told.size, size)
    told.text.append(regex.sub(r"[\t\r\n ]+", " ", text))
