"""CSV and its relatives: fields between commas, semicolons, tabs or bars, in any encoding."""

import csv
from collections import deque
from collections.abc import Iterator
from typing import Final

import regex

from bot.profiles.decoding import text_of
from bot.profiles.format import Reading, UnreadableProfile
from bot.profiles.tables.headers import column_of
from bot.profiles.tables.people import reading_of
from bot.profiles.tables.rows import SEARCHED, Row, find_header, known_in, rows_of

UNDERSTOOD: Final = (
    "This is a table without a column of names. Its first line must have headers such as "
    "“Name” (or “First name” and “Last name”), “Email”, “Phone”, “Title”, “Company”, “Location”, "
    "“Skills”, “LinkedIn” or “GitHub”. Nothing was stored."
)
_HEAD: Final = 64 * 1024
_DELIMITERS: Final = (",", ";", "\t", "|")
_LONGEST_RECORD: Final = 300
"""Lines that one quoted field may go over: beyond it the quote was never closed."""
_LINE: Final = regex.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")


class DelimitedTable:
    """A list of people as CSV, such as an applicant tracking system exports it."""

    NAME: Final = "csv"
    VERSION: Final = 1

    def claims(self, name: str, content: bytes) -> float:  # noqa: ARG002 - the bytes decide
        try:
            head = text_of(content[:_HEAD])
        except UnreadableProfile:
            return 0.0
        delimiter = _delimiter_of(head)
        if delimiter is None:
            return 0.35 if _is_nameless_table(head) else 0.0
        found = find_header(_first_rows(head, delimiter))
        known = known_in([each.header for each in found[1].columns]) if found else 0
        return min(0.95, 0.7 + 0.05 * known)

    def read(self, content: bytes) -> Reading:
        text = text_of(content)
        delimiter = _delimiter_of(text[:_HEAD])
        if delimiter is None:
            raise UnreadableProfile(UNDERSTOOD)

        def rows() -> Iterator[Row]:
            return rows_of(records_of(text, delimiter))

        return reading_of(rows, f"{self.NAME}/{self.VERSION}")


def _delimiter_of(head: str) -> str | None:
    """The one that finds the most headers; None where none finds people."""
    best, chosen = 0, None
    for delimiter in _DELIMITERS:
        if found := find_header(_first_rows(head, delimiter)):
            known = known_in([each.header for each in found[1].columns])
            if known > best:
                best, chosen = known, delimiter
    return chosen


def _is_nameless_table(head: str) -> bool:
    """Whether the first line has headers that are understood, and rows as wide stand below it."""
    for delimiter in _DELIMITERS:
        rows = [each for each in _first_rows(head, delimiter) if any(each)]
        if len(rows) < 2 or len(rows[0]) < 2 or len({len(each) for each in rows[:4]}) > 1:
            continue
        known = sum(1 for each in rows[0] if each.strip() and column_of(each.strip()).field)
        if known >= 2 and known * 2 >= len(rows[0]):
            return True
    return False


def _first_rows(head: str, delimiter: str) -> list[list[str]]:
    rows: list[list[str]] = []
    for _, cells in records_of(head, delimiter):
        rows.append(cells)
        if len(rows) == SEARCHED:
            break
    return rows


def records_of(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Numbered rows; a quote that is never closed costs its own row, not those after it."""
    lines = _Lines(text)
    reader = csv.reader(lines, delimiter=delimiter)
    number = 0
    while True:
        lines.taken.clear()
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error:
            cells = []
        number += 1
        if lines.never_closed or (not cells and lines.taken[0].strip("\r\n")):
            first = lines.give_back_all_but_the_first()
            cells = [each.strip('" ') for each in first.rstrip("\r\n").split(delimiter)]
        yield number, cells


class _Lines:
    """The lines of a text, some of which can be given back to be read anew."""

    def __init__(self, text: str) -> None:
        self._found = _LINE.finditer(text)
        self._again: deque[str] = deque()
        self._at_end = False
        self.taken: list[str] = []

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if len(self.taken) > _LONGEST_RECORD:
            raise csv.Error
        line = self._again.popleft() if self._again else next(self._found).group()
        if not line:
            self._at_end = True
            raise StopIteration
        self.taken.append(line)
        return line

    @property
    def never_closed(self) -> bool:
        """Whether the row taken last goes on to the end of the text inside a quote."""
        quotes = sum(line.count('"') for line in self.taken)
        return self._at_end and len(self.taken) > 1 and quotes % 2 == 1

    def give_back_all_but_the_first(self) -> str:
        first, *rest = self.taken
        self._again.extendleft(reversed(rest))
        self._at_end = False
        self.taken.clear()
        return first
