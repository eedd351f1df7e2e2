"""XLSX: the visible sheets of a workbook; formulas are text and never worked out."""

import zipfile
from collections.abc import Iterator
from datetime import date, datetime
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final, cast

import regex

from bot.profiles.format import Reading, UnreadableProfile
from bot.profiles.tables.delimited import UNDERSTOOD
from bot.profiles.tables.people import reading_of
from bot.profiles.tables.rows import MOST_COLUMNS, SEARCHED, Record, Row, find_header, rows_of
from bot.profiles.zips import DAMAGE

if TYPE_CHECKING:
    from openpyxl.cell.read_only import EmptyCell, ReadOnlyCell
    from openpyxl.worksheet._read_only import ReadOnlyWorksheet

_LARGEST: Final = 256 * 1024 * 1024
"""Bytes of everything in the file once it is unpacked."""
_LARGEST_OF_STRINGS: Final = 64 * 1024 * 1024
"""Bytes of the table of texts, the one part that is held as a whole."""
_ASIDE: Final = regex.compile(r'"[^"]*"|\[[^\]]*\]|\\.')
"""What in a number's format is not its parts: quoted text, colours and locales, escapes."""
_MOST_SHEETS: Final = 50
_TOO_LARGE: Final = (
    "The workbook becomes too large when it is unpacked. Save the list of people alone as CSV and "
    "send that. Nothing was stored."
)
_DAMAGED: Final = (
    "The workbook is damaged or not complete. Save it again as .xlsx or as CSV and send that. "
    "Nothing was stored."
)


class Workbook:
    """A list of people as an Excel workbook, or several on sheets of one."""

    NAME: Final = "xlsx"
    VERSION: Final = 1

    def claims(self, name: str, content: bytes) -> float:  # noqa: ARG002 - the bytes decide
        if not content.startswith(b"PK\x03\x04"):
            return 0.0
        try:
            with zipfile.ZipFile(BytesIO(content)) as archive:
                names = set(archive.namelist())
        except DAMAGE:
            return 0.0
        return 0.9 if "xl/workbook.xml" in names and "[Content_Types].xml" in names else 0.0

    def read(self, content: bytes) -> Reading:
        # It takes longer to load than all other libraries together: only workbooks pay for it.
        from openpyxl import load_workbook  # noqa: PLC0415
        from openpyxl.worksheet._read_only import ReadOnlyWorksheet  # noqa: PLC0415

        _check_sizes(content)
        try:
            book = load_workbook(
                BytesIO(content), read_only=True, data_only=False, keep_links=False, keep_vba=False
            )
        except Exception as error:
            raise UnreadableProfile(_DAMAGED) from error
        try:
            sheets = [
                each
                for each in book.worksheets[:_MOST_SHEETS]
                if isinstance(each, ReadOnlyWorksheet) and each.sheet_state == "visible"
            ]
            listing = [each for each in sheets if _lists_people(each)]
            if not listing:
                raise UnreadableProfile(UNDERSTOOD)
            several = len(sheets) > 1

            def rows() -> Iterator[Row]:
                for sheet in listing:
                    yield from rows_of(_records(sheet), str(sheet.title) if several else "")

            return reading_of(rows, f"{self.NAME}/{self.VERSION}")
        finally:
            book.close()


def _check_sizes(content: bytes) -> None:
    """Refuses a bomb: no part gives more than its entry says, so the entries can be believed."""
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            sizes = {each.filename: each.file_size for each in archive.infolist()}
            locked = any(each.flag_bits & 1 for each in archive.infolist())
    except DAMAGE as error:
        raise UnreadableProfile(_DAMAGED) from error
    if locked:
        raise UnreadableProfile(
            "The workbook has a password. Save it without one and send it again. "
            "Nothing was stored."
        )
    if (
        sum(sizes.values()) > _LARGEST
        or sum(size for name, size in sizes.items() if "/worksheets/" not in name)
        > _LARGEST_OF_STRINGS
    ):
        raise UnreadableProfile(_TOO_LARGE)


def _lists_people(sheet: "ReadOnlyWorksheet") -> bool:
    first: list[list[str]] = []
    for _, cells in _records(sheet):
        first.append([*cells])
        if len(first) == SEARCHED:
            break
    return find_header(first) is not None


def _records(sheet: "ReadOnlyWorksheet") -> Iterator[Record]:
    """The rows, as wide as they are filled. What the sheet says of its own size is not believed."""
    sheet.reset_dimensions()
    # The stubs give a read-only sheet the cells of one that can be written.
    rows: Iterator[tuple[EmptyCell | ReadOnlyCell, ...]] = cast("Any", sheet).iter_rows(
        max_col=MOST_COLUMNS
    )
    for number, cells in enumerate(_texts(rows), start=1):
        while cells and not cells[-1]:
            cells.pop()
        yield number, cells


def _texts(rows: Iterator[tuple["EmptyCell | ReadOnlyCell", ...]]) -> Iterator[list[str]]:
    """The rows' texts. A sheet is parsed while it is read, so damage shows in between."""
    while True:
        try:
            row = next(rows, None)
            cells = None if row is None else [_text_of(each) for each in row]
        except Exception as error:
            raise UnreadableProfile(_DAMAGED) from error
        if cells is None:
            return
        yield cells


def _text_of(cell: "EmptyCell | ReadOnlyCell") -> str:
    """A cell as it is shown: whole numbers without a fraction, dates as precise as their format."""
    value = cell.value
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, date):
        return _date_text(value, str(getattr(cell, "number_format", "") or ""))
    return str(value)


def _date_text(value: date, shown_as: str) -> str:
    """A day that the format does not show is not stated: ``mmm yyyy`` is a month."""
    plain = _ASIDE.sub("", shown_as.lower())
    day = value.date() if isinstance(value, datetime) else value
    if "y" in plain and "d" not in plain:
        return f"{day:%Y-%m}" if "m" in plain else f"{day:%Y}"
    return day.isoformat()
