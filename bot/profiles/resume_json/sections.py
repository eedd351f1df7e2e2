"""The sections that all such résumés have, under the names that each gives to the same things."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import regex

from bot.profiles.contacts import emails_in, link_of
from bot.profiles.dates import Span, date_of, span_in, span_of
from bot.profiles.resume_json.tree import at, list_at, text_at
from bot.profiles.spoken import language_of_code
from bot.profiles.stated import Stated
from bot.profiles.tables.cells import account_link, phones_of
from storage.places import country_of_code
from storage.records import Certificate, Education, Job, Language, Link, Publication

_SITES: Final = {
    "github": "https://github.com/",
    "linkedin": "https://www.linkedin.com/in/",
    "twitter": "https://twitter.com/",
}
_STARTS: Final = ("startDate", "start", "from", "start_date", "started")
_ENDS: Final = ("endDate", "end", "to", "finishDate", "end_date", "ended", "until")
_WHOLE_SPANS: Final = ("period", "date", "dates", "years")
_SCHEMELESS: Final = regex.compile(r"[\w.-]+\.\w{2,}(?:/\S*)?")


@dataclass(slots=True, kw_only=True)
class Sections:
    """A résumé's lists of entries, each entry as it stands in the document."""

    basics: object
    summary: str | None = None
    work: list[object] = field(default_factory=list)
    education: list[object] = field(default_factory=list)
    skills: list[object] = field(default_factory=list)
    languages: list[object] = field(default_factory=list)
    profiles: list[object] = field(default_factory=list)
    publications: list[object] = field(default_factory=list)
    certificates: list[object] = field(default_factory=list)


def stated_in(sections: Sections) -> Stated:
    """Everything that the sections state."""
    basics = sections.basics
    city, country = _city_and_country(at(basics, "location"))
    return Stated(
        name=text_at(basics, "name", "fullName") or _full_name(basics),
        headline=text_at(basics, "headline", "label", "title"),
        place=text_at(basics, "location") if city is None and country is None else None,
        city=city,
        country=country,
        summary=sections.summary or text_at(basics, "summary", "brief", "about"),
        jobs=[job_of(each) for each in _shown(sections.work)],
        education=[education_of(each) for each in _shown(sections.education)],
        skills=[name for each in _shown(sections.skills) for name in skills_of(each)],
        languages=[language for each in _shown(sections.languages) if (language := spoken(each))],
        links=[
            *_links(basics, "url", "website", "URL"),
            *(link for each in _shown(sections.profiles) for link in profile_links(each)),
        ],
        publications=[publication_of(each) for each in _shown(sections.publications)],
        certificates=[certificate_of(each) for each in _shown(sections.certificates)],
        emails=[each for text in _texts(basics, "email", "emails") for each in emails_in(text)],
        phones=[
            each
            for text in _texts(basics, "phone", "phones", "phoneNumber")
            for each in phones_of(text)
        ],
    )


def job_of(entry: object) -> Job:
    """A job; one that begins and has no end goes on, as these formats have it.

    >>> job = job_of({"company": "Nordlys", "startDate": "2019-03"})
    >>> job.employer, job.from_date, job.is_current
    ('Nordlys', '2019-03', True)
    """
    span, ended = _span(entry)
    city, country = _city_and_country(at(entry, "location"))
    said = at(entry, "isCurrent") if isinstance(at(entry, "isCurrent"), bool) else None
    if said is None and isinstance(at(entry, "current"), bool):
        said = at(entry, "current")
    open_end = span.first is not None and not ended
    return Job(
        employer=text_at(entry, "company", "employer", "organization", "name", "entity"),
        title=text_at(entry, "position", "title", "role", "jobTitle"),
        from_date=span.first,
        to_date=span.last,
        is_current=span.last is None and (bool(said) if said is not None else
                                          span.is_current or open_end),
        place=", ".join(filter(None, (city, country))) or text_at(entry, "location"),
        summary="\n".join([
            *filter(None, [text_at(entry, "summary", "description")]),
            *_texts(entry, "highlights", "bullets"),
        ]),
    )  # fmt: skip


def education_of(entry: object) -> Education:
    span, _ = _span(entry)
    # A lone date of a school is when it was finished.
    first, last = span.first, span.last
    if first and not last and not span.is_current and _has_no_start(entry):
        first, last = None, first
    return Education(
        text="",
        school=text_at(entry, "institution", "school", "name", "university"),
        degree=text_at(entry, "degree", "studyType", "title"),
        area=text_at(entry, "area", "field", "fieldOfStudy", "major"),
        from_date=first,
        to_date=last,
    )


def skills_of(entry: object) -> list[str]:
    """The skill, or the group and what is in it.

    >>> skills_of({"name": "Web", "keywords": ["HTML", "CSS"]}), skills_of("Go")
    (['Web', 'HTML', 'CSS'], ['Go'])
    """
    if isinstance(entry, str):
        return [entry]
    name = text_at(entry, "name", "skill", "title")
    return [*([name] if name else []), *_texts(entry, "keywords", "skills")]


def spoken(entry: object) -> Language | None:
    if isinstance(entry, str):
        return Language(name=entry)
    name = text_at(entry, "language", "fullName", "name", "title")
    level = text_at(entry, "fluency", "level", "proficiency", "description")
    if level and level.isdecimal():  # stars of a template, which the words beside them explain
        level = text_at(entry, "description") or level
    return Language(name=language_of_code(name), level=level) if name else None


def profile_links(entry: object) -> list[Link]:
    """An account elsewhere: its address, or the name that it has at a known site."""
    network = text_at(entry, "network", "type", "label")
    if links := _links(entry, "url", "URL", "website", "link", label=network):
        return links
    site = _SITES.get((network or "").lower())
    user = text_at(entry, "username", "user")
    return account_link(user, site) if site and user else []


def publication_of(entry: object) -> Publication:
    if isinstance(entry, str):
        return Publication(title=entry)
    links = _links(entry, "url", "URL", "website", "link")
    return Publication(
        title=text_at(entry, "name", "title") or "",
        publisher=text_at(entry, "publisher"),
        date=date_of(text_at(entry, "releaseDate", "date", "publishingDate")),
        url=links[0].url if links else None,
    )


def certificate_of(entry: object) -> Certificate:
    if isinstance(entry, str):
        return Certificate(name=entry)
    return Certificate(
        name=text_at(entry, "name", "title") or "",
        issuer=text_at(entry, "issuer", "from", "authority"),
        date=date_of(text_at(entry, "date", "releaseDate", "startDate")),
    )


def _shown(entries: Iterable[object]) -> list[object]:
    """Without what the person has hidden."""
    return [
        each
        for each in entries
        if at(each, "visible") is not False and at(each, "hidden") is not True
    ]


def _texts(entry: object, *keys: str) -> list[str]:
    return [
        text
        for each in list_at(entry, *keys)
        if (text := text_at({"": each}, "") or text_at(each, "value", "email", "number", "address"))
    ]


def _links(entry: object, *keys: str, label: str | None = None) -> list[Link]:
    for key in keys:
        value = at(entry, key)
        if isinstance(value, dict):
            value = value.get("href") or value.get("url") or value.get("link")
        if isinstance(value, str) and (link := link_of(value)):
            return [Link(url=link.url, label=label)]
    return []


def _city_and_country(location: object) -> tuple[str | None, str | None]:
    city = text_at(location, "city", "municipality")
    country = text_at(location, "country", "countryCode")
    country = (country and country_of_code(country)) or country
    region = text_at(location, "region", "state")
    if city and region and region.lower() != city.lower():
        city = f"{city}, {region}"
    return city or region, country


def _full_name(basics: object) -> str:
    names = (text_at(basics, "firstName", "givenName"), text_at(basics, "lastName", "familyName"))
    return " ".join(filter(None, names))


def _span(entry: object) -> tuple[Span, bool]:
    """From when to when, and whether an end is stated, in whatever words."""
    for key in _WHOLE_SPANS:
        value = at(entry, key)
        if isinstance(value, dict):
            return _span(value)
        if isinstance(value, str) and (found := span_in(value)):
            return found[0], True
    last = text_at(entry, *_ENDS)
    return span_of(text_at(entry, *_STARTS), last), last is not None


def _has_no_start(entry: object) -> bool:
    return text_at(entry, *_STARTS) is None and text_at(at(entry, "date"), *_STARTS) is None
