"""Rows become people: those with one candidate's id or e-mail and an agreeing name are one.

The rows are gone through twice, first to see which belong together and then to read them, so
that only people with open rows are held, however long the table is.
"""

from collections.abc import Callable, Iterator
from typing import Final

from bot.profiles.contacts import emails_in
from bot.profiles.format import PersonPage, Reading, Refusal, UnreadableProfile
from bot.profiles.stated import profile_of
from bot.profiles.tables.facts import (
    name_of,
    stated_in,
    states_something,
    text_of_rows,
)
from bot.profiles.tables.headers import Field
from bot.profiles.tables.rows import Row
from storage.folding import fold

MOST_ROWS: Final = 200_000
_MOST_ROWS_OF_ONE: Final = 500
_TELLING: Final = (
    Field.COMPANY, Field.TITLE, Field.SCHOOL, Field.DEGREE, Field.SKILLS, Field.LANGUAGES,
    Field.CERTIFICATES, Field.JOBS, Field.EDUCATION, Field.APPLICATION,
)  # fmt: skip
_NOBODY: Final = -1

Rows = Callable[[], Iterator[Row]]
"""The rows from the first on, each time it is called."""


def reading_of(rows: Rows, parser: str) -> Reading:
    """The people of a table. Raises UnreadableProfile when there is none."""
    entries = sorted(people_in(rows), key=lambda each: each[0])
    pages = tuple(each for _, each in entries if isinstance(each, PersonPage))
    refusals = tuple(each for _, each in entries if isinstance(each, Refusal))
    if not pages:
        reasons = dict.fromkeys(each.reason for each in refusals[:100])
        raise UnreadableProfile(
            " ".join([*list(reasons)[:3], "Nothing was stored."])
            if reasons
            else "There is a line of headers and no person below it. Nothing was stored."
        )
    return Reading(pages=pages, refusals=refusals, parser=parser)


def people_in(rows: Rows) -> Iterator[tuple[int, PersonPage | Refusal]]:
    """Each person when the last of their rows is read, and each row that gives none.

    Beside each stands the position of the first row, in which order they are shown.

    Raises UnreadableProfile when there are more than ``MOST_ROWS`` rows.
    """
    owners = _owners(rows())
    last = {owner: position for position, owner in enumerate(owners)}
    open_rows: dict[int, tuple[int, list[Row]]] = {}
    for position, (row, owner) in enumerate(zip(rows(), owners, strict=True)):
        if owner == _NOBODY:
            reason = f"{_capital(row.place)} names no person."
            yield position, Refusal(name=row.place, reason=reason)
            continue
        first, group = open_rows.setdefault(owner, (position, []))
        if len(group) < _MOST_ROWS_OF_ONE:
            group.append(row)
        if last[owner] == position:
            del open_rows[owner]
            yield first, _person(group)


def _person(rows: list[Row]) -> PersonPage | Refusal:
    place = _place_of(rows)
    name = next(filter(None, map(name_of, rows)), None)
    if name is None or not any(map(states_something, rows)):
        return Refusal(name=name or place, reason=f"{_capital(place)} states nothing but a name.")
    try:
        profile = profile_of(stated_in(name, rows))
    except UnreadableProfile as error:
        return Refusal(name=name, reason=f"{_capital(place)}: {error}")
    return PersonPage(profile=profile, text=text_of_rows(rows), place=place)


def _place_of(rows: list[Row]) -> str:
    if len(rows) == 1:
        return rows[0].place
    sheet = f"sheet “{rows[0].header.sheet}”, " if rows[0].header.sheet else ""
    numbers = [str(each.number) for each in rows]
    shown = numbers if len(numbers) <= 10 else [*numbers[:9], "…", numbers[-1]]
    return f"{sheet}rows {', '.join(shown)}"


class _Groups:
    """Which rows speak of one person, by what identifies them and an agreeing name."""

    def __init__(self) -> None:
        self._parents: list[int] = []
        self._known: dict[tuple[Field, str], list[tuple[frozenset[str], int]]] = {}

    def root(self, group: int) -> int:
        while self._parents[group] != group:
            self._parents[group] = self._parents[self._parents[group]]
            group = self._parents[group]
        return group

    def of(self, row: Row, name: str | None) -> int | None:
        """The row's group; None where it has no name and nothing that identifies a known one."""
        words = frozenset(fold(name or "").replace(".", " ").replace("-", " ").split())
        keys = list(_keys(row))
        groups = [
            group
            for key in keys
            for known, group in self._known.get(key, ())
            if not words or words <= known or known <= words
        ]
        if not groups and name is None:
            return None
        if not groups:
            self._parents.append(len(self._parents))
            groups = [len(self._parents) - 1]
        group = min(map(self.root, groups))
        for each in groups:
            self._parents[self.root(each)] = group
        if words:
            for key in keys:
                known = self._known.setdefault(key, [])
                if len(known) < 50 and (words, group) not in known:
                    known.append((words, group))
        return group


def _owners(rows: Iterator[Row]) -> list[int]:
    """The group of each row; ``_NOBODY`` for rows that name no person."""
    groups = _Groups()
    owners: list[int] = []
    for position, row in enumerate(rows):
        if position == MOST_ROWS:
            raise UnreadableProfile(
                f"The table has more than {MOST_ROWS:,} rows. Split it into smaller ones. "
                "Nothing was stored."
            )
        name = name_of(row)
        group = groups.of(row, name)
        if group is None and owners and owners[-1] != _NOBODY and _goes_on(row):
            group = owners[-1]
        owners.append(_NOBODY if group is None else group)
    return [each if each == _NOBODY else groups.root(each) for each in owners]


def _goes_on(row: Row) -> bool:
    """Whether a row without a name tells more of the person of the row above it."""
    named = any(row.first(each) for each in (Field.NAME, Field.FIRST, Field.LAST))
    return not named and not any(_keys(row)) and any(row.first(each) for each in _TELLING)


def _keys(row: Row) -> Iterator[tuple[Field, str]]:
    for _, cell in row.cells_of(Field.ID):
        yield Field.ID, cell
    for _, cell in row.cells_of(Field.EMAIL):
        for address in emails_in(cell):
            yield Field.EMAIL, address


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
