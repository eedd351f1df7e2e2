"""LinkedIn's own data export: the ZIP with its CSV files as one person, or its Profile.csv alone.

The files are ``Profile``, ``Positions``, ``Education``, ``Skills``, ``Languages``,
``Email Addresses``, ``PhoneNumbers``, ``Certifications`` and ``Publications``, headed in English
in whatever language the site is used. Messages, connections and what else the export holds speak
of other people and are not opened.
"""

import zipfile
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import PurePosixPath
from typing import Final

import regex

from bot.profiles.contacts import emails_in
from bot.profiles.dates import date_of, span_of
from bot.profiles.decoding import text_of
from bot.profiles.format import PersonPage, Reading, UnreadableProfile
from bot.profiles.sensitive import without_sensitive_lines
from bot.profiles.stated import Stated, profile_of
from bot.profiles.tables.cells import account_link, links_of, phones_of
from bot.profiles.tables.delimited import records_of
from bot.profiles.tables.headers import Field, column_of
from bot.profiles.zips import DAMAGE
from storage.folding import fold
from storage.records import Certificate, Education, Job, Language, Link, Publication

Table = list[Mapping[str, str]]
"""The rows of a file, each by its folded headers."""

_PROFILE: Final = "profile"
_FILES: Final = (
    _PROFILE, "profile summary", "positions", "education", "skills", "languages",
    "email addresses", "phonenumbers", "phone numbers", "certifications", "publications",
)  # fmt: skip
_HEADERS: Final = frozenset({"first name", "last name", "headline"})
_ITS_OWN_HEADERS: Final = frozenset({"geo location", "maiden name", "twitter handles", "industry"})
_LARGEST: Final = 8 * 1024 * 1024
"""Bytes of one file: a long career is a hundredth of it."""
_MOST_ROWS: Final = 5_000
_HEAD: Final = 64 * 1024
_BROKEN: Final = (
    "The ZIP of a LinkedIn export is damaged or has a password. Download it from LinkedIn again "
    "and send it as it is. Nothing was stored."
)


class LinkedInExport:
    """The data that a LinkedIn member downloads: one person."""

    NAME: Final = "linkedin-export"
    VERSION: Final = 1

    def claims(self, name: str, content: bytes) -> float:  # noqa: ARG002 - the bytes decide
        if content.startswith(b"PK\x03\x04"):
            try:
                with zipfile.ZipFile(BytesIO(content)) as archive:
                    names = set(_parts(archive))
            except DAMAGE:
                return 0.0
            return 0.95 if _PROFILE in names and len(names) > 1 else 0.0
        try:
            [first, *_] = [*_rows(text_of(content[:_HEAD])), {}]
        except UnreadableProfile:
            return 0.0
        known = first.keys() >= _HEADERS and len(first.keys() & _ITS_OWN_HEADERS) >= 2
        return 0.97 if known else 0.0

    def read(self, content: bytes) -> Reading:
        tables = (
            _tables(content)
            if content.startswith(b"PK\x03\x04")
            else {_PROFILE: [*_rows(text_of(content))]}
        )
        page = PersonPage(profile=profile_of(_stated(tables)), text=_text(tables))
        return Reading(pages=(page,), parser=f"{self.NAME}/{self.VERSION}")


def _parts(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """The files that are read, by their folded names without ``.csv``, in the export's order."""
    found: dict[str, zipfile.ZipInfo] = {}
    for each in archive.infolist()[:1_000]:
        path = PurePosixPath(each.filename)
        if path.suffix.lower() == ".csv" and (name := fold(path.stem)) in _FILES:
            found.setdefault(name, each)
    return found


def _tables(content: bytes) -> dict[str, Table]:
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            parts = _parts(archive)
            if any(each.file_size > _LARGEST for each in parts.values()):
                raise UnreadableProfile(
                    "A file in the LinkedIn export is too large to be one person's. "
                    "Nothing was stored."
                )
            return {
                name: [*_rows(text_of(archive.read(parts[name])))]
                for name in _FILES
                if name in parts
            }
    except DAMAGE as error:
        raise UnreadableProfile(_BROKEN) from error


def _rows(text: str) -> Iterator[Mapping[str, str]]:
    headers: list[str] = []
    for number, (_, cells) in enumerate(records_of(text, ",")):
        if number > _MOST_ROWS:
            return
        if not headers:
            headers = [fold(each).strip() for each in cells]
        elif any(each.strip() for each in cells):
            yield _row(headers, cells)


def _row(headers: list[str], cells: list[str]) -> dict[str, str]:
    return {header: cell.strip() for header, cell in zip(headers, cells, strict=False) if header}


def _stated(tables: Mapping[str, Table]) -> Stated:
    own = next(iter(tables.get(_PROFILE, ())), {})
    summary = next(iter(tables.get("profile summary", ())), {})
    return Stated(
        name=" ".join(filter(None, (own.get("first name"), own.get("last name")))),
        headline=own.get("headline"),
        place=own.get("geo location") or own.get("location"),
        summary=own.get("summary") or summary.get("profile summary"),
        jobs=[_job(each) for each in tables.get("positions", ())],
        education=[_education(each) for each in tables.get("education", ())],
        skills=[each.get("name", "") for each in tables.get("skills", ())],
        languages=[
            Language(name=each.get("name", ""), level=each.get("proficiency") or None)
            for each in tables.get("languages", ())
        ],
        links=[*_links(own)],
        publications=[_publication(each) for each in tables.get("publications", ())],
        certificates=[
            Certificate(
                name=each.get("name", ""),
                issuer=each.get("authority") or None,
                date=date_of(each.get("started on")),
            )
            for each in tables.get("certifications", ())
        ],
        emails=[
            address
            for each in tables.get("email addresses", ())
            for address in emails_in(each.get("email address", ""))
        ],
        phones=[
            number
            for name in ("phonenumbers", "phone numbers")
            for each in tables.get(name, ())
            for number in phones_of(each.get("number", ""))
        ],
    )


def _job(row: Mapping[str, str]) -> Job:
    """A position; one without an end is held now, as the site has it."""
    span = span_of(row.get("started on"), row.get("finished on"))
    return Job(
        employer=row.get("company name"),
        title=row.get("title"),
        from_date=span.first,
        to_date=span.last,
        is_current=span.first is not None and not row.get("finished on"),
        place=row.get("location"),
        summary=row.get("description"),
    )


def _education(row: Mapping[str, str]) -> Education:
    return Education(
        text="",
        school=row.get("school name"),
        degree=row.get("degree name"),
        area=row.get("field of study"),
        from_date=date_of(row.get("start date")),
        to_date=date_of(row.get("end date")),
    )


def _publication(row: Mapping[str, str]) -> Publication:
    links = links_of(row.get("url", ""))
    return Publication(
        title=row.get("name", ""),
        publisher=row.get("publisher") or None,
        date=date_of(row.get("published on")),
        url=links[0].url if links else None,
    )


def _links(own: Mapping[str, str]) -> Iterator[Link]:
    """``[PORTFOLIO:https://ada.example,OTHER:…]`` and ``[ada]``."""
    for each in regex.split(r"[\[\],\s]+", own.get("websites", "")):
        yield from links_of(regex.sub(r"^[A-Z_]+:(?!//)", "", each))
    for each in regex.split(r"[\[\],\s]+", own.get("twitter handles", "")):
        if each:
            yield from account_link(each, "https://twitter.com/")


def _text(tables: Mapping[str, Table]) -> str:
    """The files one after another, as ``Header: value`` lines without what must not matter."""
    paragraphs = [
        "\n".join(
            f"{header.capitalize()}: {cell}"
            for header, cell in row.items()
            if cell and column_of(header).field is not Field.SENSITIVE
        )
        for table in tables.values()
        for row in table
    ]
    return without_sensitive_lines("\n\n".join(filter(None, paragraphs))).replace("\x00", "")
