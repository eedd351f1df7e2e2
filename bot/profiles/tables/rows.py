"""Rows under a line of headers, wherever in a table that line stands."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Final

from bot.profiles.tables.headers import Column, Field, column_of
from storage.folding import fold

MOST_COLUMNS: Final = 300
LONGEST_CELL: Final = 50_000
"""Characters of a cell that are read."""
SEARCHED: Final = 40
"""Rows in which the line of headers is looked for: titles and notes stand above it."""

_NAMES: Final = (Field.NAME, Field.FIRST, Field.LAST)
_SAY_NOTHING: Final = frozenset({
    *_NAMES, Field.MIDDLE, Field.APPLICATION, Field.SENSITIVE, Field.ID,
})  # fmt: skip
_OF_THINGS_TOO: Final = frozenset({
    Field.LINK, Field.PLACE, Field.CITY, Field.REGION, Field.COUNTRY, Field.ADDRESS, Field.FROM,
    Field.TO, Field.DURATION, Field.SUMMARY, Field.TAGS, Field.JOB_PLACE, Field.JOB_SUMMARY,
})  # fmt: skip
_MERE_NAME: Final = frozenset({
    "name", "names", "naam", "namn", "navn", "nimi", "nev", "nom", "nome", "nombre", "nume", "ad",
    "imie", "名前", "이름", "名",
})  # fmt: skip
"""What companies, products and certificates are listed under, too."""

Record = tuple[int, Sequence[str]]
"""A row as it stands in the table: its number, counted from 1, and its cells."""


@dataclass(frozen=True, slots=True)
class Header:
    """The columns of a table, and where each field stands."""

    columns: tuple[Column, ...]
    places: Mapping[Field, tuple[int, ...]]
    sheet: str = ""

    def __contains__(self, field: Field) -> bool:
        return field in self.places


@dataclass(frozen=True, slots=True)
class Row:
    """A row of cells; ``number`` counts the table's rows from 1."""

    header: Header
    number: int
    cells: Sequence[str]

    def cells_of(self, field: Field) -> Iterator[tuple[Column, str]]:
        """The filled cells of a field with their columns, in order."""
        for place in self.header.places.get(field, ()):
            if place < len(self.cells) and (cell := self.cells[place].strip()):
                yield self.header.columns[place], cell

    def first(self, field: Field) -> str | None:
        return next((cell for _, cell in self.cells_of(field)), None)

    @property
    def place(self) -> str:
        sheet = self.header.sheet
        return f"sheet “{sheet}”, row {self.number}" if sheet else f"row {self.number}"


def header_of(cells: Sequence[str], sheet: str = "") -> Header | None:
    """The headers that a row states; None where it does not name people and something of them.

    >>> header = header_of(["Vorname", "Name", "E-Mail", "Geburtsdatum"])
    >>> [each.field.value for each in header.columns]
    ['first', 'last', 'email', 'sensitive']
    >>> header_of(["Name", "Shoe size"]), header_of(["Name", "Website", "City"])
    (None, None)
    """
    columns = [column_of(each.strip()) for each in cells[:MOST_COLUMNS]]
    if not _are_of_people(columns):
        return None
    columns = _as_meant(columns)
    places: dict[Field, list[int]] = {}
    for place, column in enumerate(columns):
        if column.field:
            places.setdefault(column.field, []).append(place)
    return Header(tuple(columns), {field: tuple(each) for field, each in places.items()}, sheet)


def known_in(cells: Sequence[str]) -> int:
    """How many cells are headers that are understood."""
    return sum(1 for each in cells[:MOST_COLUMNS] if column_of(each.strip()).field)


def find_header(rows: Sequence[Sequence[str]], sheet: str = "") -> tuple[int, Header] | None:
    """The row with the most headers that are understood, and its position among ``rows``."""
    found = [
        (known_in(cells), -position, header)
        for position, cells in enumerate(rows[:SEARCHED])
        if (header := header_of(cells, sheet))
    ]
    if not found:
        return None
    _, position, header = max(found, key=lambda each: each[:2])
    return -position, header


def rows_of(records: Iterable[Record], sheet: str = "") -> Iterator[Row]:
    """The rows below the headers; none where there are no headers. Empty rows are left out."""
    numbered = iter(records)
    start = list(islice(numbered, SEARCHED))
    found = find_header([cells for _, cells in start], sheet)
    if found is None:
        return
    position, header = found
    headers = [each.header for each in header.columns]
    for number, cells in chain(start[position + 1 :], numbered):
        kept = [each[:LONGEST_CELL] for each in cells[:MOST_COLUMNS]]
        if any(each.strip() for each in kept) and [each.strip() for each in kept] != headers:
            yield Row(header, number, kept)


def _are_of_people(columns: list[Column]) -> bool:
    """Whether the columns name people and state something of them, not of companies or products."""
    known = {each.field for each in columns if each.field}
    named = [each for each in columns if each.field in _NAMES]
    if not named or not known - _SAY_NOTHING:
        return False
    if len(named) > 1 or fold(named[0].header).strip(" :*") not in _MERE_NAME:
        return True
    return Field.THING not in known and bool(known - _SAY_NOTHING - _OF_THINGS_TOO)


def _as_meant(columns: list[Column]) -> list[Column]:
    """Headers that mean one thing alone and another beside others.

    ``Name`` beside ``Vorname`` is the family name, ``Nombre`` alone the whole one; what is called
    a position beside stages of an application, with no employer, is the one applied for; dates
    without a job are those of the school.
    """
    fields = {each.field for each in columns}
    meant: dict[Field, Field] = {}
    if Field.FIRST in fields and Field.NAME in fields and Field.LAST not in fields:
        meant[Field.NAME] = Field.LAST
    elif Field.NAME not in fields and not {Field.FIRST, Field.LAST} <= fields:
        meant |= {Field.FIRST: Field.NAME, Field.LAST: Field.NAME}
    if Field.APPLICATION in fields and Field.COMPANY not in fields:
        meant[Field.TITLE] = Field.APPLICATION
    if Field.SCHOOL in fields and not {Field.COMPANY, Field.TITLE} & fields:
        meant |= {Field.FROM: Field.SCHOOL_FROM, Field.TO: Field.SCHOOL_TO}
    return [_meant(each, meant) for each in columns]


def _meant(column: Column, meant: Mapping[Field, Field]) -> Column:
    """The column as the others beside it have it be; what is said to be current stays."""
    if column.field is None or (column.is_current and column.field is Field.TITLE):
        return column
    return replace(column, field=meant.get(column.field, column.field))
