"""The lines of a page in reading order: rows, columns beside each other, wrapped paragraphs.

Words on one base line make a row, set apart by a tab where the space between them is wide. A page
has columns where a free strip runs through many rows and both sides stand for themselves: each
has a heading, or their rows do not share base lines. Dates at the right of a row and headings or
dates in its margin are no columns: there both sides lie on the same base lines.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import Final

import regex

from bot.profiles.pdf.words import Word
from bot.profiles.resume.entries import dated
from bot.profiles.resume.headings import heading_of
from bot.profiles.resume.lines import Line, has_bullet, joined, line_of
from bot.profiles.resume.pieces import is_place_text

WIDE: Final = 1.4
"""Sizes of the font from which on a space sets apart."""
FEWEST: Final = 6
"""Rows that each of two columns has at least."""
SHORTEST: Final = 16
"""Characters of a full line: what is shorter stands in a list."""
_LETTER: Final = regex.compile(r"\p{L}")


@dataclass(frozen=True, slots=True)
class Row:
    """Words side by side on one base line, with no wide space between them."""

    text: str
    left: float
    right: float
    base: float
    size: float
    bold: bool


@dataclass(frozen=True, slots=True)
class PageLines:
    """The main flow of a page, and the narrow column beside it (empty where there is none)."""

    main: list[Line]
    side: list[Line]
    strip: "Strip | None" = None


@dataclass(frozen=True, slots=True)
class Strip:
    """Where the columns part (points from the left), and whether the narrow one is the left."""

    x: float
    narrow_left: bool


@dataclass(frozen=True, slots=True)
class _Columns:
    above: list[Row]
    left: list[Row]
    right: list[Row]
    below: list[Row]
    strip: Strip


def lines_on(words: Sequence[Word], earlier: Strip | None = None) -> PageLines:
    """The lines of one page; ``earlier`` is the strip of the page before, which may go on."""
    rows = rows_of(words)
    columns = _columns(rows) or (earlier and _going_on(rows, earlier)) or None
    if columns is None:
        return PageLines(_lines(rows), [])
    narrow, wide = columns.left, columns.right
    if not columns.strip.narrow_left:
        narrow, wide = wide, narrow
    main = [*_lines(columns.above), *_begun(_lines(wide), earlier)]
    main += _begun(_lines(columns.below), None)
    return PageLines(main, _begun(_lines(narrow), earlier), columns.strip)


def _letters(rows: Sequence[Row]) -> int:
    return sum(len(each.text) for each in rows)


def _going_on(rows: Sequence[Row], earlier: Strip) -> _Columns | None:
    """The columns of the page before, as far down as the strip stays free."""
    end = next((n for n, row in enumerate(rows) if row.left < earlier.x < row.right), len(rows))
    left = [row for row in rows[:end] if row.right <= earlier.x]
    right = [row for row in rows[:end] if row.right > earlier.x]
    if not left or not right:
        return None
    return _Columns([], left, right, list(rows[end:]), earlier)


def _begun(lines: list[Line], earlier: Strip | None) -> list[Line]:
    """Lines that begin anew; those of a column that goes on from the page before do not."""
    if not lines or earlier is not None:
        return lines
    return [replace(lines[0], fresh=True), *lines[1:]]


def rows_of(words: Sequence[Word]) -> list[Row]:
    """From the top down, from left to right."""
    rows: list[Row] = []
    for line in _base_lines(words):
        group: list[Word] = []
        for word in sorted(line, key=lambda each: each.left):
            if group and word.left - group[-1].right > WIDE * min(word.size, group[-1].size):
                rows.append(_row(group))
                group = []
            if group and _doubled(group[-1], word):
                continue  # bold made by drawing twice
            group.append(word)
        if group:
            rows.append(_row(group))
    return rows


def _base_lines(words: Sequence[Word]) -> list[list[Word]]:
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda each: -each.base):
        if lines and lines[-1][0].base - word.base < 0.3 * min(lines[-1][0].size, word.size):
            lines[-1].append(word)
        else:
            lines.append([word])
    return lines


def _doubled(one: Word, other: Word) -> bool:
    return one.text == other.text and abs(one.left - other.left) < 0.2 * one.size


def _row(words: Sequence[Word]) -> Row:
    return Row(
        _text(words),
        words[0].left,
        max(each.right for each in words),
        words[0].base,
        max(each.size for each in words),
        sum(len(each.text) for each in words if each.bold) * 2 > sum(len(x.text) for x in words),
    )


def _text(words: Sequence[Word]) -> str:
    """The words; letters that were spaced out (``A D A  B Y T E``) are put together again."""
    singles = [each for each in words if len(each.text) == 1 and _LETTER.match(each.text)]
    gaps = [two.left - one.right for one, two in pairwise(words)]
    if len(words) < 5 or len(singles) < 0.8 * len(words):
        words = _label_apart(words)
        # PDFium parts a word where the pen was moved: no space is there, no word ends
        return "".join(
            word.text + (" " if gap > 0.08 * word.size or gap < -0.5 * word.size else "")
            for word, gap in zip(words, [*gaps, 0.0], strict=True)
        )
    usual = median(gaps)
    return "".join(
        word.text + (" " if gap > 1.5 * usual + 0.1 * word.size else "")
        for word, gap in zip(words, [*gaps, 0.0], strict=True)
    )


def _label_apart(words: Sequence[Word]) -> Sequence[Word]:
    """A bold beginning (``Languages:``, ``Engineer,``) set apart from a list behind it."""
    end = next((n for n, each in enumerate(words) if not each.bold), 0)
    behind = words[end:]
    if not end or end > 6 or not any("," in each.text or each.text in "|–—-•·" for each in behind):
        return words
    last = words[end - 1]
    return [*words[: end - 1], replace(last, text=f"{last.text}\t"), *behind]


def _columns(rows: Sequence[Row]) -> _Columns | None:
    """The columns beside each other; None without any."""
    if len(rows) < 2 * FEWEST:
        return None
    first, last = min(each.left for each in rows), max(each.right for each in rows)
    best: tuple[int, float, int, int] | None = None
    places = sorted({each.left for each in rows if first + 0.12 * (last - first) < each.left})
    for place in _distinct(places):
        x = place - 1.5
        if x > first + 0.88 * (last - first):
            break
        for start, end in _bands(rows, x):
            left = sum(1 for each in rows[start:end] if each.right <= x)
            fewer = min(left, end - start - left)
            if fewer >= FEWEST and (best is None or fewer > best[0]):
                best = (fewer, x, start, end)
    if best is None:
        return None
    _, x, start, end = best
    left_rows = [each for each in rows[start:end] if each.right <= x]
    right_rows = [each for each in rows[start:end] if each.right > x]
    if not _are_columns(left_rows, right_rows):
        return None
    narrow_left = _letters(left_rows) <= _letters(right_rows)
    return _Columns(
        list(rows[:start]), left_rows, right_rows, list(rows[end:]), Strip(x, narrow_left)
    )


def _distinct(places: Sequence[float]) -> list[float]:
    """Places at least two points from one another."""
    kept: list[float] = []
    for each in places:
        if not kept or each - kept[-1] > 2:
            kept.append(each)
    return kept


def _bands(rows: Sequence[Row], x: float) -> list[tuple[int, int]]:
    """Stretches of rows none of which lies over ``x``."""
    bands, start = [], 0
    for index, row in enumerate(rows):
        if row.left < x < row.right:
            bands.append((start, index))
            start = index + 1
    bands.append((start, len(rows)))
    return [(one, two) for one, two in bands if two - one >= 2 * FEWEST]


def _are_columns(left: Sequence[Row], right: Sequence[Row]) -> bool:
    headed = [sum(1 for each in side if heading_of(each.text)) for side in (left, right)]
    if min(headed) >= 1:
        return True
    fewer, more = sorted((left, right), key=len)
    shared = sum(1 for each in fewer if any(abs(each.base - two.base) < 1 for two in more))
    return shared < 0.5 * len(fewer)


def _lines(rows: Sequence[Row]) -> list[Line]:
    """Rows on one base line are one line; wrapped lines are joined."""
    lines: list[Line] = []
    above: list[Row] | None = None
    edge = max((each.right for each in rows), default=0.0)
    groups = _together(rows)
    leading = _leadings(groups, edge)
    margins = _margins(groups)
    for group in groups:
        step = above[0].base - group[0].base if above else 0.0
        usual = leading.get(round(group[0].size), 1.2 * group[0].size)
        look = Line(
            "",
            size=max(each.size for each in group),
            bold=group[0].bold,
            bullet=len(group) == 1 and _is_indented(group[0], margins),
            gap=step > 1.35 * usual,
        )
        line = line_of("\t".join(each.text for each in group), look)
        if line is None:
            continue
        near = lines and above and step < 1.12 * usual
        if near and _continues(lines[-1], above or [], group, line, edge):
            lines[-1] = joined(lines[-1], line)
        else:
            lines.append(line)
        above = group
    return lines


def _margins(groups: Sequence[Sequence[Row]]) -> list[float]:
    """Where rows that are not indented begin: most of all rows, and behind dates in a margin."""
    lefts = Counter(round(each[0].left) for each in groups)
    lefts += Counter(round(each[1].left) for each in groups if len(each) > 1)
    first = min(lefts, default=0)
    usual = {left for left, count in lefts.items() if left - first < 4 or count == 1}
    behind = {round(each[1].left) for each in groups if len(each) > 1}
    return sorted(usual | behind)


def _is_indented(row: Row, margins: Sequence[float]) -> bool:
    """Whether a row is set in as those of a list are, whose bullets may be drawn."""
    if not margins or any(abs(row.left - each) < 2 for each in margins):
        return False
    depth = row.left - max((each for each in margins if each < row.left), default=margins[0])
    return 0.7 * row.size < depth < 5 * row.size and heading_of(row.text) is None


def _leadings(groups: Sequence[Sequence[Row]], edge: float) -> dict[int, float]:
    """For each size the least usual distance of base lines: that below lines that are full."""
    full: dict[int, list[float]] = defaultdict(list)
    others: dict[int, list[float]] = defaultdict(list)
    left = min((each[0].left for each in groups), default=0.0)
    for one, two in pairwise(groups):
        if round(one[0].size) == round(two[0].size):
            is_full = one[-1].right - left > 0.75 * (edge - left)
            steps = full if is_full else others
            steps[round(two[0].size)].append(one[0].base - two[0].base)
    return {
        size: (each := sorted(full[size] or others[size]))[len(each) // 10]
        for size in (*others, *full)
    }


def _together(rows: Sequence[Row]) -> list[list[Row]]:
    groups: list[list[Row]] = []
    for row in rows:
        if groups and abs(groups[-1][0].base - row.base) < 0.3 * row.size:
            groups[-1].append(row)
        else:
            groups.append([row])
    return groups


def _continues(
    last: Line, above: Sequence[Row], below: Sequence[Row], line: Line, edge: float
) -> bool:
    """Whether ``below`` is the rest of a paragraph: its first word had no room above."""
    row, next_row = above[-1], below[0]
    marked = line.bullet and not (last.bullet and abs(next_row.left - above[0].left) < 2)
    if marked or has_bullet(next_row.text) or len(below) > 1 or heading_of(line.text):
        return False
    if row.text.endswith("\x02"):
        return True
    if len(above) > 1 and not last.bullet:
        return False
    if abs(row.size - next_row.size) > 0.15 * row.size or row.bold != next_row.bold:
        return False
    indent = next_row.left - above[0].left
    if last.bullet and abs(indent) > 2:
        return indent > 2
    return _had_no_room(row, next_row, line, edge)


def _had_no_room(row: Row, next_row: Row, line: Line, edge: float) -> bool:
    is_short = len(row.text) < SHORTEST and not row.text.endswith((",", "–", "-", "&", "/", ":"))
    if is_short or heading_of(row.text) or is_place_text(line.text):
        return False
    if line.text[0].islower() and row.right > 0.7 * edge:
        found = dated(line)
        return found is None or bool(found[1])
    word = next_row.text.split(" ")[0]
    width = (next_row.right - next_row.left) * (len(word) + 1) / max(len(next_row.text), 1)
    return row.right + width > edge and dated(line) is None
