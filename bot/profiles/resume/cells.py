"""The rows of a table in a résumé as lines: set apart side by side, or cell after cell.

Tables lay out résumés: a date or a label beside what happened, or columns of their own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.profiles.resume.lines import Line

Row = Sequence[Sequence[Line]]


def lines_of_rows(rows: Sequence[Row]) -> Iterator[Line]:
    """The lines of a table, each of whose rows has the lines of each cell.

    Cells of one line each stand side by side, set apart by tabs; a short cell is set before the
    first line of the one beside it; other cells are read one after the other, each afresh.

    >>> rows = [[[Line("2019")], [Line("Engineer"), Line("Nordlys")]]]
    >>> [each.text for each in lines_of_rows(rows)]
    ['2019\\tEngineer', 'Nordlys']
    """
    if all(len(cell) <= 1 for row in rows for cell in row):
        for row in rows:
            firsts = [cell[0] for cell in row if cell]
            if firsts:
                yield replace(firsts[0], text="\t".join(each.text for each in firsts))
        return
    for row in rows:
        cells = [cell for cell in row if cell]
        if len(cells) == 2 and len(cells[0]) == 1 and len(cells[0][0].text) <= 40:
            label, told = cells[0][0], cells[1]
            yield replace(told[0], text=f"{label.text}\t{told[0].text}", bullet=False)
            yield from told[1:]
            continue
        for cell in cells:
            for number, line in enumerate(cell):
                yield replace(line, fresh=True) if number == 0 and len(cells) > 1 else line
