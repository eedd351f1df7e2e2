"""Paragraphs of a Word document as lines, in the order in which they are read.

Text in headers, text boxes, content controls, smart tags, links and tables counts; what was
deleted or moved away with changes tracked, comments, hidden text, field codes and the older copy
of a drawing (``mc:Fallback``) do not. A table whose cells have one paragraph each is read row by
row, set apart by tabs; another is read cell by cell, each beginning afresh.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import regex
from lxml import etree

from bot.profiles.resume.lines import MOST, Line, line_of

_SKIPPED: Final = frozenset({
    "Fallback", "annotationRef", "bookmarkEnd", "bookmarkStart", "comment", "del", "delText",
    "endnoteReference", "fldData", "footnoteReference", "instrText", "moveFrom", "pPrChange",
    "proofErr", "rPrChange", "sectPr",
})  # fmt: skip
_LEVEL: Final = regex.compile(
    r"(?i)(?:heading|berschrift|titre|titolo|t[ií]tulo|kop|rubrik|title|head(?!er))"
)
_LIST: Final = regex.compile(r"(?i)list|bullet|aufz")
_DEEPEST: Final = 60


@dataclass(slots=True)
class _Run:
    """What a paragraph says: its text so far, its largest size (half points), its bold letters."""

    text: list[str]
    size: float = 0.0
    bold: int = 0
    letters: int = 0
    begins_bold: bool = False


def lines_in(root: etree._Element) -> list[Line]:
    """The lines of one part (the document, a header, a footer)."""
    lines: list[Line] = []
    for line in _lines(root, 0):
        if len(lines) == MOST:
            break
        lines.append(line)
    return lines


def _name(element: etree._Element) -> str:
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def _child(element: etree._Element, *names: str) -> etree._Element | None:
    found: etree._Element | None = element
    for name in names:
        found = (
            next((each for each in found if _name(each) == name), None)
            if found is not None
            else None
        )
    return found


def _value(element: etree._Element | None) -> str | None:
    if element is None:
        return None
    return next((str(v) for key, v in element.attrib.items() if str(key).endswith("}val")), "")


def _lines(element: etree._Element, depth: int) -> Iterator[Line]:
    if depth > _DEEPEST:
        return
    gap = False
    for child in element:
        name = _name(child)
        if name in _SKIPPED:
            continue
        if name == "p":
            found = list(_paragraph(child, depth))
            for number, line in enumerate(found):
                yield replace(line, gap=True) if gap and number == 0 else line
            gap = not found
        elif name == "tbl":
            yield from _table(child, depth + 1)
            gap = True
        else:
            yield from _lines(child, depth + 1)


def _paragraph(paragraph: etree._Element, depth: int) -> Iterator[Line]:
    """Its lines (a break begins another), then those of the text boxes anchored in it."""
    boxes: list[etree._Element] = []
    run = _Run([])
    _gather(paragraph, run, boxes, 0)
    properties = _child(paragraph, "pPr")
    style = _value(_child(properties, "pStyle")) or "" if properties is not None else ""
    listed = properties is not None and (
        _child(properties, "numPr") is not None
        and _value(_child(properties, "numPr", "numId")) != "0"
    )
    heading = _LEVEL.search(style) is not None
    look = Line(
        "",
        size=run.size / 2,
        bold=run.begins_bold and run.bold * 3 > run.letters,
        bullet=not heading and (listed or _LIST.search(style) is not None),
        gap=_has_space(properties),
        level=_level(style, properties) if heading else 0,
    )
    for number, text in enumerate("".join(run.text).split("\n")):
        line = line_of(text, look if number == 0 else replace(look, gap=False, bullet=False))
        if line is not None:
            yield line
    for box in boxes:
        for number, line in enumerate(_lines(box, depth + 1)):
            yield replace(line, fresh=True) if number == 0 else line


def _level(style: str, properties: etree._Element | None) -> int:
    digit = regex.search(r"\d", style)
    outline = _value(_child(properties, "outlineLvl")) if properties is not None else None
    if digit:
        return int(digit[0]) or 1
    return int(outline) + 1 if outline and outline.isdecimal() else 1


def _has_space(properties: etree._Element | None) -> bool:
    """Whether there is more than a little space above (6 points)."""
    spacing = _child(properties, "spacing") if properties is not None else None
    if spacing is None:
        return False
    before = next((v for k, v in spacing.attrib.items() if str(k).endswith("}before")), "0")
    return str(before).isdecimal() and int(before) >= 120


def _gather(element: etree._Element, run: _Run, boxes: list[etree._Element], depth: int) -> None:
    if depth > _DEEPEST:
        return
    for child in element:
        name = _name(child)
        if name in _SKIPPED or name == "pPr":
            continue
        if name == "txbxContent":
            boxes.append(child)
        elif name == "r":
            _take_run(child, run, boxes, depth)
        else:
            _gather(child, run, boxes, depth + 1)


_BREAKS: Final = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "ptab": "\t"}


def _take_run(element: etree._Element, run: _Run, boxes: list[etree._Element], depth: int) -> None:
    properties = _child(element, "rPr")
    if properties is not None and _is_on(_child(properties, "vanish")):
        return
    bold = properties is not None and _is_on(_child(properties, "b"))
    size = _value(_child(properties, "sz")) if properties is not None else None
    for child in element:
        name = _name(child)
        if name == "t":
            text = child.text or ""
            run.text.append(text.replace("\n", " "))
            letters = sum(map(str.isalnum, text))
            if not run.letters and letters:
                run.begins_bold = bold
            run.letters += letters
            run.bold += letters if bold else 0
            if size and letters:
                run.size = max(run.size, _number(size))
        elif name in _BREAKS:
            run.text.append(_BREAKS[name])
        elif name == "sym":
            run.text.append("•" if not run.text else " ")
        elif name not in _SKIPPED and name != "rPr":
            _gather(child, run, boxes, depth + 1)


def _number(text: str) -> float:
    try:
        return min(float(text), 400.0)
    except ValueError:
        return 0.0


def _is_on(element: etree._Element | None) -> bool:
    return element is not None and _value(element) not in {"0", "false", "off", "none"}


def _table(table: etree._Element, depth: int) -> Iterator[Line]:
    rows = [
        [list(_lines(cell, depth + 1)) for cell in _cells(row)]
        for row in table.iter("{*}tr")
        if _owner(row) is table
    ]
    if all(_is_simple(row) for row in rows):
        for row in rows:
            if line := _side_by_side(row):
                yield line
        return
    for row in rows:
        if _is_dated(row):
            yield from _behind_date(row)
            continue
        for cell in row:
            for number, line in enumerate(cell):
                yield replace(line, fresh=True) if number == 0 and len(row) > 1 else line


def _owner(row: etree._Element) -> etree._Element | None:
    owner = row.getparent()
    while owner is not None and _name(owner) != "tbl":
        owner = owner.getparent()
    return owner


def _cells(row: etree._Element) -> Iterator[etree._Element]:
    """Cells, also those inside content controls."""
    for child in row:
        if _name(child) == "tc":
            yield child
        elif _name(child) in {"sdt", "sdtContent", "customXml", "smartTag", "ins"}:
            yield from _cells(child)


def _is_simple(row: Sequence[Sequence[Line]]) -> bool:
    return all(len(cell) <= 1 for cell in row)


def _side_by_side(row: Sequence[Sequence[Line]]) -> Line | None:
    cells = [cell[0] for cell in row if cell]
    if not cells:
        return None
    return replace(cells[0], text="\t".join(each.text for each in cells))


def _is_dated(row: Sequence[Sequence[Line]]) -> bool:
    """A short cell, such as dates or a label, beside one with a longer text."""
    cells = [cell for cell in row if cell]
    return len(cells) == 2 and len(cells[0]) == 1 and len(cells[0][0].text) <= 40


def _behind_date(row: Sequence[Sequence[Line]]) -> Iterator[Line]:
    first, second = (cell for cell in row if cell)
    yield replace(second[0], text=f"{first[0].text}\t{second[0].text}", bullet=False)
    yield from second[1:]
