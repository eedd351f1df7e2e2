"""The rows of ``bot.exporting.table`` as an Excel workbook, in which every cell is text."""

import io
from collections.abc import Iterator, Sequence
from typing import Final

from bot.exporting.table import COLUMNS, rows
from storage.records import Candidate

LONGEST: Final = 32_767
"""Characters that Excel takes in a cell."""


def xlsx_workbook(people: Sequence[Candidate]) -> bytes:
    """One sheet, a row a person under a row of headings."""
    from openpyxl import Workbook  # noqa: PLC0415 - no other command needs it at its start
    from openpyxl.cell import WriteOnlyCell  # noqa: PLC0415

    book = Workbook(write_only=True)
    sheet = book.create_sheet("Candidates")
    sheet.freeze_panes = "A2"
    for row in _all_rows(people):
        cells = []
        for text in row:
            cell = WriteOnlyCell(sheet, value=text[:LONGEST])
            cell.data_type = "s"  # openpyxl makes a formula of what begins with =
            cell.number_format = "@"
            cells.append(cell)
        sheet.append(cells)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def _all_rows(people: Sequence[Candidate]) -> Iterator[list[str]]:
    yield [heading for heading, _ in COLUMNS]
    yield from rows(people)
