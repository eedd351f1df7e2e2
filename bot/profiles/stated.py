"""A profile from what the fields of a structured document state, or the parts of a résumé.

Whatever a reader found goes in as it stands; here it is cleaned once for all formats: blanks,
lengths, empty and doubled entries, sensitive lines, a current job as title and company, the
account that a link tells of. Nothing is made up: what is not stated stays None.
"""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final, TypeVar

import regex

from bot.profiles.contacts import github_login
from bot.profiles.format import UnreadableProfile
from bot.profiles.sensitive import is_sensitive, without_sensitive_lines
from storage.places import parse_location
from storage.records import (
    Certificate,
    Education,
    Job,
    Language,
    Link,
    Location,
    Profile,
    Publication,
    Remark,
    Skill,
)

SHORT: Final = 300
"""Characters of a name, a title, a place …"""
LONG: Final = 20_000
"""Characters of a summary."""
MOST: Final = 500
"""Entries of a kind."""

_BLANKS: Final = regex.compile(r"[\s\p{Cf}]+")
_NOT_IN_NAMES: Final = regex.compile(r"[@/\\<>{}\[\]|#*=_:;!?\d]|https?|www\.")
_MANY_LINES: Final = regex.compile(r"\n{3,}")
_LETTER: Final = regex.compile(r"\p{L}")
_PLACEHOLDER: Final = regex.compile(
    r"(?:your|my|full|first|last|candidate|applicant)?\s*(?:full )?(?:names?|surname)"
    r"|(?:your )?first\s?name,? (?:your )?last\s?name|name surname|vor-? ?(?:und )?nachname"
    r"|ihr name|dein name|vorname,? (?:und )?nachname|(?:votre )?pr[ée]nom (?:et )?nom|votre nom"
    r"|(?:tu |su )?nombre(?: y)? apellidos?|tu nombre|(?:il tuo )?nome(?: e)? cognome"
    r"|seu nome|nome(?: e)? sobrenome|imi[ęe] i nazwisko|jouw naam|ditt namn",
    regex.IGNORECASE,
)
"""What stands in an unfilled template where the name belongs."""
_Z = TypeVar("_Z", bound=Hashable)


@dataclass(slots=True, kw_only=True)
class Stated:
    """What a document states of one person, not yet cleaned; fields as of ``Profile``."""

    name: str
    headline: str | None = None
    title: str | None = None
    company: str | None = None
    place: str | None = None
    """As one text; or ``city`` and ``country``."""
    city: str | None = None
    country: str | None = None
    summary: str | None = None
    years_employed: int | None = None
    jobs: list[Job] = field(default_factory=list)
    education: list[Education] = field(default_factory=list)
    skills: list[str] = field(default_factory=list)
    languages: list[Language] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    publications: list[Publication] = field(default_factory=list)
    certificates: list[Certificate] = field(default_factory=list)
    emails: list[str] = field(default_factory=list)
    phones: list[str] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)


def profile_of(stated: Stated) -> Profile:
    """The profile. Raises UnreadableProfile when the name is no person's name.

    >>> profile = profile_of(Stated(name=" Ada  Byte", jobs=[
    ...     Job(employer="Nordlys", title="Engineer", from_date="2020", is_current=True)]))
    >>> profile.name, profile.title, profile.company
    ('Ada Byte', 'Engineer', 'Nordlys')
    """
    name = short(stated.name)
    if not is_name(name):
        raise UnreadableProfile(
            "The document states nobody's name. Put the person's full name in it, and send it "
            "again. Nothing was stored."
        )
    jobs = by_date([cleaned_job(each) for each in stated.jobs])
    title, company = short(stated.title), short(stated.company)
    if title is None and company is None:
        current = next((each for each in jobs if each.is_current), None)
        title, company = (current.title, current.employer) if current else (None, None)
    links = once(each for each in stated.links if len(each.url) <= SHORT * 4)
    logins = [login for each in links if (login := github_login(each.url))]
    return Profile(
        name=name or "",
        headline=short(stated.headline),
        title=title,
        company=company,
        location=place_of(stated.place, stated.city, stated.country),
        summary=long(stated.summary),
        years_employed=stated.years_employed,
        education=once(map(cleaned_education, stated.education)),
        skills=_skills(stated.skills),
        likely_login=logins[0] if logins else None,
        jobs=once(jobs),
        languages=once(
            Language(name=short(each.name) or "", level=short(each.level))
            for each in stated.languages
        ),
        links=links,
        publications=once(
            replace(each, title=short(each.title) or "", publisher=short(each.publisher))
            for each in stated.publications
        ),
        certificates=once(
            replace(each, name=short(each.name) or "", issuer=short(each.issuer))
            for each in stated.certificates
        ),
        emails=once(each.strip().lower() for each in stated.emails),
        phones=once(each.strip() for each in stated.phones),
        remarks=tuple(stated.remarks),
    )


def is_name(text: str | None) -> bool:
    """Whether this may be a person's name: some letters, and nothing that no name has.

    >>> [is_name(each) for each in ("Ada Byte", "赵成钢", "ada@example.org", "Your Name", "")]
    [True, True, False, False, False]
    """
    if not text or len(text) > 100 or len(text.split()) > 8:
        return False
    if _PLACEHOLDER.fullmatch(text.strip()):
        return False
    return len(_LETTER.findall(text)) >= 2 and not _NOT_IN_NAMES.search(text)


def short(text: str | None, most: int = SHORT) -> str | None:
    """One line without needless blanks; None when nothing is left.

    >>> short("  Ada \\n Byte "), short(" "), short(None)
    ('Ada Byte', None, None)
    """
    line = text or ""
    if not line.isascii() or not line.isprintable() or "  " in line:
        line = _BLANKS.sub(" ", line)
    return line.strip()[:most].rstrip() or None


def long(text: str | None) -> str | None:
    """Paragraphs without sensitive lines; None when nothing is left."""
    lines = [_BLANKS.sub(" ", each).strip() for each in (text or "").splitlines()]
    kept = without_sensitive_lines("\n".join(lines)).strip()
    return _MANY_LINES.sub("\n\n", kept)[:LONG] or None


@lru_cache(maxsize=1024)
def place_of(place: str | None, city: str | None, country: str | None) -> Location | None:
    """A place from a text, or from its parts; a stated country is checked against the city."""
    text = short(place) or short(", ".join(filter(None, (short(city), short(country)))))
    if text is None or not _LETTER.search(text):
        return None
    return parse_location(text)


def by_date(jobs: list[Job]) -> list[Job]:
    """The newest first where all are dated, else as the document has them."""
    if not all(each.from_date for each in jobs):
        return jobs
    return sorted(
        jobs,
        key=lambda each: (each.is_current, each.to_date or "", each.from_date or ""),
        reverse=True,
    )


def cleaned_job(job: Job) -> Job:
    return replace(
        job,
        employer=short(job.employer),
        title=short(job.title),
        place=short(job.place),
        summary=long(job.summary),
    )


def cleaned_education(education: Education) -> Education:
    text = short(education.text) or short(
        ", ".join(filter(None, (education.degree, education.area, education.school)))
    )
    return replace(
        education,
        text=text or "",
        school=short(education.school),
        area=short(education.area),
        degree=short(education.degree),
    )


def once(entries: Iterable[_Z]) -> tuple[_Z, ...]:
    """Each entry that states something once, in order, at most ``MOST``."""
    return tuple(each for each in dict.fromkeys(entries) if _says(each))[:MOST]


def _says(entry: object) -> bool:
    match entry:
        case str():
            return bool(entry)
        case Job():
            return bool(entry.employer or entry.title or entry.summary)
        case Education():
            return bool(entry.text)
        case Language() | Certificate():
            return bool(entry.name)
        case Publication():
            return bool(entry.title)
        case _:
            return True


def _skills(names: Iterable[str]) -> tuple[Skill, ...]:
    """In the document's wording; a name once, however it is written."""
    found: dict[str, Skill] = {}
    for name in names:
        text = short(name, 100)
        if text and not is_sensitive(text):
            found.setdefault(text.casefold(), Skill(name=text))
    return tuple(found.values())[:MOST]
