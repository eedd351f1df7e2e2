"""What the rows of one person state, together."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import regex

from bot.profiles.contacts import emails_in
from bot.profiles.dates import Span, date_of, span_in, span_of
from bot.profiles.resume.pieces import is_title, split_at
from bot.profiles.sensitive import without_sensitive_lines
from bot.profiles.spoken import language_of
from bot.profiles.stated import Stated
from bot.profiles.tables.cells import (
    account_link,
    education_in,
    entries_of,
    is_salutation,
    items_of,
    jobs_in,
    links_of,
    person_named,
    phones_of,
    years_in,
)
from bot.profiles.tables.headers import Field
from bot.profiles.tables.rows import Row
from bot.profiles.topics import is_topic
from storage.folding import fold
from storage.places import country_of_code
from storage.records import Certificate, Education, Job, Link, Publication

_ACCOUNTS: Final = {
    Field.LINKEDIN: "https://www.linkedin.com/in/",
    Field.GITHUB: "https://github.com/",
    Field.TWITTER: "https://twitter.com/",
}
_WHOLE_LINK: Final = regex.compile(r"https?://\S+", regex.IGNORECASE)
_MERELY_LINKS: Final = regex.compile(r"[^a-z]*(?:web|url|link|social|site|home|profile)")
_HEADLINE_PART: Final = regex.compile(r"\s*[,|•·;]\s*|\s[–—-]\s")
_LONGEST_TITLE: Final = 5
"""Words; what is longer tells a story."""
_NO_TITLE: Final = regex.compile(
    r"(?i)\b(?:looking|seeking|searching|hiring|aspiring|former(?:ly)?|future|open to|ex|"
    r"retired|suche|ehemalig\w*|recherche|busco|cerco|an?|my|your|for|the)\b"
)
_OTHER_THAN_COMMA: Final = regex.compile(r"[;|\n]")
_PART: Final = regex.compile(r"[,\n;]")
_POSTAL_CODE: Final = regex.compile(r"^[A-Z]{0,2}-?\d{4,6}\s+|\s+\d{4,6}$")
_JOB_FIELDS: Final = (
    Field.COMPANY, Field.TITLE, Field.FROM, Field.TO, Field.DURATION, Field.JOB_PLACE,
    Field.JOB_SUMMARY,
)  # fmt: skip
_SCHOOL_FIELDS: Final = (
    Field.SCHOOL, Field.DEGREE, Field.AREA, Field.SCHOOL_FROM, Field.SCHOOL_TO,
)  # fmt: skip


def name_of(row: Row) -> str | None:
    """The person that a row names; None where it names nobody.

    A first name that already begins the last-name column's text is not said twice.
    """
    if full := person_named(row.first(Field.NAME)):
        return full
    first, last = row.first(Field.FIRST), row.first(Field.LAST)
    if first and last and fold(first) in fold(last).split():
        return person_named(last)
    parts = [first, row.first(Field.MIDDLE), last]
    return person_named(" ".join(filter(None, parts)))


def stated_in(name: str, rows: Sequence[Row]) -> Stated:
    """Everything that the rows state; of what a person has one of, the first row's."""
    jobs = [job for row in rows for job in _jobs(row)]
    held = next((each for each in jobs if each.is_current), None) or next(
        (each for each in jobs if each.to_date is None), None
    )
    skills, languages = _skills(rows), [*map(language_of, _items(rows, Field.LANGUAGES))]
    education = [each for row in rows for each in _education(row)]
    summary, headline = _first(rows, Field.SUMMARY), _first(rows, Field.HEADLINE)
    title, company = (held.title, held.employer) if held else title_in(headline)
    return Stated(
        name=name,
        headline=headline,
        title=title,
        company=company,
        place=next(filter(None, map(_place, rows)), None),
        summary=None if summary and _WHOLE_LINK.fullmatch(summary) else summary,
        years_employed=_years(rows),
        jobs=jobs,
        education=education,
        skills=[*skills, *_unspoken(rows)],
        languages=[each for each in languages if each],
        links=[each for row in rows for each in _links(row)],
        certificates=[
            Certificate(name=each)
            for cell in _cells(rows, Field.CERTIFICATES)
            for each in (entries_of(cell) if _OTHER_THAN_COMMA.search(cell) else items_of(cell))
        ],
        publications=[
            Publication(title=each)
            for cell in _cells(rows, Field.PUBLICATIONS)
            for each in entries_of(cell)
        ],
        emails=[each for cell in _cells(rows, Field.EMAIL) for each in emails_in(cell)],
        phones=[each for cell in _cells(rows, Field.PHONE) for each in phones_of(cell)],
    )


def title_in(headline: str | None) -> tuple[str | None, str | None]:
    """The title that a headline begins with, and at whom it is held where it says so.

    >>> title_in("Hotel Manager at Nordlys"), title_in("Software Engineer | Gardens")
    (('Hotel Manager', 'Nordlys'), ('Software Engineer', None))
    >>> title_in("Looking for a job as Software Engineer"), title_in("I make engineers laugh")
    ((None, None), (None, None))
    """
    title, company = split_at(headline or "") or (_HEADLINE_PART.split(headline or "")[0], None)
    words = title.split()
    if not 0 < len(words) <= _LONGEST_TITLE or _NO_TITLE.search(title) or not is_title(words[-1]):
        return None, None
    return title, company and _HEADLINE_PART.split(company)[0]


def text_of_rows(rows: Sequence[Row]) -> str:
    """``Header: value`` lines, a blank line between rows, without what must not matter."""
    return "\n\n".join(filter(None, map(_row_text, rows)))


def _row_text(row: Row) -> str:
    lines = []
    for column, cell in zip(row.header.columns, row.cells, strict=False):
        value = cell.strip().replace("\x00", "")
        if value and column.field is not Field.SENSITIVE:
            # Whether a header is of such a kind is known: only further lines are looked at.
            if "\n" in value or "\r" in value or not column.header:
                value = without_sensitive_lines(value)
            lines.append(f"{column.header}: {value}" if column.header else value)
    return "\n".join(lines).strip()


def states_something(row: Row) -> bool:
    """Whether the row says more than a name."""
    names = (Field.NAME, Field.FIRST, Field.MIDDLE, Field.LAST, Field.SENSITIVE)
    return any(
        cell.strip() and column.field not in names
        for column, cell in zip(row.header.columns, row.cells, strict=False)
    )


def _cells(rows: Iterable[Row], field: Field) -> Iterator[str]:
    return (cell for row in rows for _, cell in row.cells_of(field))


def _items(rows: Iterable[Row], field: Field) -> list[str]:
    return [item for cell in _cells(rows, field) for item in items_of(cell)]


def _first(rows: Iterable[Row], field: Field) -> str | None:
    return next(_cells(rows, field), None)


def _skills(rows: Sequence[Row]) -> list[str]:
    """Those of the skills' columns; of recruiters' own tags those that name a known topic."""
    tags = [
        each
        for each in _items(rows, Field.TAGS)
        if is_topic("-".join(each.lower().replace("_", " ").split()))
    ]
    return [*_items(rows, Field.SKILLS), *tags]


def _unspoken(rows: Sequence[Row]) -> list[str]:
    """What stands under “Languages” and is of a programmer's kind."""
    return [
        each
        for each in _items(rows, Field.LANGUAGES)
        if language_of(each) is None and is_topic(each.strip().lower())
    ]


def _years(rows: Sequence[Row]) -> int | None:
    """Of a column of years, or one of experience that holds nothing but a number."""
    for cell in (*_cells(rows, Field.YEARS), *_cells(rows, Field.JOBS)):
        if (years := years_in(cell)) is not None:
            return years
    return None


def _place(row: Row) -> str | None:
    if place := row.first(Field.PLACE):
        return place
    city, region, country = map(row.first, (Field.CITY, Field.REGION, Field.COUNTRY))
    if city or country:
        country = (country and country_of_code(country)) or country
        return ", ".join(filter(None, (city, region if city else None, country)))
    return _town_of(row.first(Field.ADDRESS))


def _town_of(address: str | None) -> str | None:
    """The parts of a postal address that are no street and no postal code."""
    if address is None:
        return None
    parts = [each.strip() for each in _PART.split(address)]
    named = [_POSTAL_CODE.sub("", each) for each in parts]
    kept = [each for each in named if each and not any(map(str.isdecimal, each))]
    return ", ".join(kept[-3:]) if kept else None


def _links(row: Row) -> Iterator[Link]:
    for field, site in _ACCOUNTS.items():
        for _, cell in row.cells_of(field):
            yield from account_link(cell, site)
    for column, cell in row.cells_of(Field.LINK):
        yield from links_of(cell, label=_label(column.header))
    for _, cell in row.cells_of(Field.SUMMARY):
        if _WHOLE_LINK.fullmatch(cell):
            yield from links_of(cell)


def _label(header: str) -> str | None:
    """A header that says more than that it holds addresses, such as ``Portfolio``."""
    return None if _MERELY_LINKS.match(fold(header)) else header


def _numbered(row: Row, fields: Sequence[Field]) -> dict[tuple[int, bool], dict[Field, str]]:
    """The cells of a job or school by the number of their columns, the current ones apart."""
    found: dict[tuple[int, bool], dict[Field, str]] = {}
    for field in fields:
        for column, cell in row.cells_of(field):
            found.setdefault((column.number, column.is_current), {}).setdefault(field, cell)
    return found


def _jobs(row: Row) -> Iterator[Job]:
    found = _numbered(row, _JOB_FIELDS)
    # “Current company” with a “Start date” beside it, where no other job is told of
    for number, is_current in [*found]:
        aside = found.get((number, False), {})
        if is_current and not {Field.COMPANY, Field.TITLE} & aside.keys():
            found[number, True] = found.pop((number, False), {}) | found[number, True]
        elif is_current and not {Field.COMPANY, Field.TITLE} <= found[number, True].keys():
            found[number, True] = _joined(found[number, True], aside)
            if not {Field.COMPANY, Field.TITLE} & aside.keys():
                del found[number, False]
    for (_, is_current), cells in sorted(found.items(), key=lambda each: (not each[0][1], each[0])):
        title = cells.get(Field.TITLE)
        if title and is_salutation(title):
            title = None
        if title or cells.get(Field.COMPANY):
            span = _span(cells)
            yield Job(
                employer=cells.get(Field.COMPANY),
                title=title,
                from_date=span.first,
                to_date=span.last,
                is_current=span.is_current or (is_current and span.last is None),
                place=cells.get(Field.JOB_PLACE),
                summary=cells.get(Field.JOB_SUMMARY),
            )
    for _, cell in row.cells_of(Field.JOBS):
        yield from jobs_in(cell)


def _joined(current: dict[Field, str], aside: dict[Field, str]) -> dict[Field, str]:
    """“Current company” and plain “Title” speak of one job, whose other half is moved over."""
    return {field: aside.pop(field) for field in _JOB_FIELDS if field in aside and
            field not in current} | current  # fmt: skip


def _span(cells: dict[Field, str]) -> Span:
    if Field.DURATION in cells and (found := span_in(cells[Field.DURATION])):
        return found[0]
    return span_of(cells.get(Field.FROM), cells.get(Field.TO))


def _education(row: Row) -> Iterator[Education]:
    for _, cells in sorted(_numbered(row, _SCHOOL_FIELDS).items()):
        school, degree, area = map(cells.get, (Field.SCHOOL, Field.DEGREE, Field.AREA))
        if school or degree or area:
            yield Education(
                text="",
                school=school,
                degree=degree,
                area=area,
                from_date=date_of(cells.get(Field.SCHOOL_FROM)),
                to_date=date_of(cells.get(Field.SCHOOL_TO)),
            )
    for _, cell in row.cells_of(Field.EDUCATION):
        yield from education_in(cell)
