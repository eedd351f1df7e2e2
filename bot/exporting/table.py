"""One row a person: what both CSV and a workbook hold; and CSV itself.

A cell that a spreadsheet would take for a formula (it begins with ``=``, ``+``, ``-``, ``@``,
a tab or a line break, also in their wide forms) has an apostrophe before it in CSV, where
there is no other way to say that it is text.
"""

import csv
import io
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import regex

from bot.letter_words import so_many
from storage.records import Candidate, Education, Job, Profile

Column: TypeAlias = tuple[str, Callable[[Candidate], object]]
FORMULA: Final = frozenset("=+-@\t\r\n＝＋－＠")
_NO_TEXT: Final = regex.compile(r"[\p{Cc}\p{Cs}--[\t\n\r]]", regex.VERSION1)
"""Control characters and halves of characters, which a spreadsheet takes for damage."""
_COUNTS: Final = ("commits", "pull_requests", "reviews")


def csv_table(people: Sequence[Candidate]) -> bytes:
    """UTF-8 with a byte order mark, so that Excel reads it as such; lines end in CR LF."""
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL)
    writer.writerow(heading for heading, _ in COLUMNS)
    for row in rows(people):
        writer.writerow(harmless(cell) for cell in row)
    return text.getvalue().encode("utf-8-sig", "replace")


def rows(people: Sequence[Candidate]) -> list[list[str]]:
    """The cells of each person, in the order of ``COLUMNS``; what is not stated is empty."""
    return [
        [_NO_TEXT.sub("", "" if (value := told(each)) is None else str(value))
         for _, told in COLUMNS]
        for each in people
    ]  # fmt: skip


def harmless(cell: str) -> str:
    """
    >>> harmless("=HYPERLINK(A1)"), harmless("-2"), harmless("C++")
    ("'=HYPERLINK(A1)", "'-2", 'C++')
    """
    return f"'{cell}" if cell[:1] in FORMULA else cell


def _of(told: Callable[[Profile], object]) -> Callable[[Candidate], object]:
    return lambda candidate: told(candidate.profile)


def _job(job: Job) -> str:
    work = " at ".join(filter(None, (job.title, job.employer)))
    return _dated(work, job.from_date, "now" if job.is_current else job.to_date)


def _education(each: Education) -> str:
    study = ", ".join(filter(None, (each.degree, each.area))) or each.text
    school = each.school if each.school and each.school not in study else None
    return _dated(", ".join(filter(None, (study, school))), each.from_date, each.to_date)


def _dated(text: str, *ends: str | None) -> str:
    span = "–".join(filter(None, ends))
    return f"{text} ({span})" if span else text


def _contributions(profile: Profile) -> str:
    told = []
    for each in profile.contributions:
        counts = [
            so_many(number, name[:-1].replace("_", " "), name.replace("_", " "))
            for name in _COUNTS
            if (number := getattr(each, name)) is not None
        ]
        told.append(f"{each.repository} ({', '.join(counts)})" if counts else each.repository)
    return "; ".join(told)


COLUMNS: Final[tuple[Column, ...]] = (
    ("Name", _of(lambda profile: profile.name)),
    ("Headline", _of(lambda profile: profile.headline)),
    ("Title", _of(lambda profile: profile.title)),
    ("Company", _of(lambda profile: profile.company)),
    ("Location", _of(lambda profile: profile.location and profile.location.text)),
    ("City", _of(lambda profile: profile.location and profile.location.city)),
    ("Country", _of(lambda profile: profile.location and profile.location.country)),
    ("Email", _of(lambda profile: "; ".join(profile.emails))),
    ("Phone", _of(lambda profile: "; ".join(profile.phones))),
    ("Skills", _of(lambda profile: "; ".join(skill.name for skill in profile.skills))),
    ("Spoken languages", _of(lambda profile: "; ".join(each.name for each in profile.languages))),
    ("Years of coding", _of(lambda profile: profile.years_coding)),
    ("Years employed", _of(lambda profile: profile.years_employed)),
    ("Jobs", _of(lambda profile: "; ".join(map(_job, profile.jobs)))),
    ("Education", _of(lambda profile: "; ".join(map(_education, profile.education)))),
    ("Contributions", _of(_contributions)),
    ("Links", _of(lambda profile: "; ".join(link.url for link in profile.links))),
    ("Publications", _of(lambda profile: "; ".join(each.title for each in profile.publications))),
    ("Certificates", _of(lambda profile: "; ".join(each.name for each in profile.certificates))),
    ("Summary", _of(lambda profile: profile.summary)),
    ("Newest fact", _of(lambda profile: profile.newest_fact)),
    ("Added", lambda candidate: candidate.added_at.date().isoformat()),
    ("Id", lambda candidate: candidate.id),
)
"""Headings as tools of recruiters have them, and what stands below."""
