"""A candidate as JSON Resume (jsonresume.org/schema, version 1.0.0), and the same profile back.

What the schema has a place for stands there, for other programs. The whole profile stands
beside it under ``meta.candidate_bot``, an extension that the schema allows. ``profile_in`` takes
that, so that what was exported is read back without loss, but only where the rest of the
document still says the same: what somebody changed in it by hand is news.

One person is an object, several are a list of such objects.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC
from functools import cache
from typing import Any, Final
from urllib.parse import quote, urlsplit

import regex
from pydantic import TypeAdapter, ValidationError

from bot.letter_words import so_many
from storage.places import country_code
from storage.profile_json import profile_from_document, profile_to_document
from storage.records import Candidate, Contribution, Education, Job, Link, Location, Profile

Resume = dict[str, Any]

SCHEMA: Final = "https://raw.githubusercontent.com/jsonresume/resume-schema/v1.0.0/schema.json"
EXTENSION: Final = "candidate_bot"
_VERSION: Final = 1
"""Of the extension; one that is not known is left aside."""
_BESIDE: Final = ("$schema", "meta")
"""What of a résumé does not speak of the person."""
_DATE: Final = regex.compile(r"[12]\d{3}(?:-[01]\d(?:-[0-3]\d)?)?")
_REPOSITORY: Final = regex.compile(r"[\w.-]+/[\w.-]+", regex.ASCII)
_IN_ADDRESSES: Final = "%:/?#[]@!$&'()*+,;=~"
_NETWORKS: Final = {"github.com": "GitHub", "linkedin.com": "LinkedIn", "gitlab.com": "GitLab"}
_COUNTS: Final = (
    ("commits", "commit", "commits"),
    ("pull_requests", "pull request", "pull requests"),
    ("reviews", "review", "reviews"),
    ("pushes", "push", "pushes"),
    ("branches", "branch", "branches"),
)


def json_resumes(people: Sequence[Candidate]) -> bytes:
    """UTF-8; an object for one person, else a list."""
    resumes = [resume_of(each) for each in people]
    document = resumes[0] if len(resumes) == 1 else resumes
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "replace")


def resume_of(candidate: Candidate) -> Resume:
    """The résumé of a candidate, with the whole profile beside it."""
    return {
        "$schema": SCHEMA,
        **_stated(candidate.profile),
        "meta": {
            "canonical": SCHEMA,
            "version": "v1.0.0",
            "lastModified": candidate.updated_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S"),
            EXTENSION: {
                "version": _VERSION,
                "profile": profile_to_document(candidate.profile),
            },
        },
    }


def profile_in(resume: Mapping[str, Any]) -> Profile | None:
    """The profile that an export put into a résumé.

    None where there is none, where it is damaged or of another version, and where the résumé
    says something else than it did: then its sections are to be read.
    """
    meta = resume.get("meta")
    extension = meta.get(EXTENSION) if isinstance(meta, Mapping) else None
    if not isinstance(extension, Mapping) or extension.get("version") != _VERSION:
        return None
    profile = _sound(extension.get("profile"))
    said = {key: value for key, value in resume.items() if key not in _BESIDE}
    return profile if profile is not None and _stated(profile) == said else None


def _sound(document: object) -> Profile | None:
    """The profile of a document from outside; None unless every value is what it should be."""
    if not isinstance(document, Mapping):
        return None
    try:
        profile = profile_from_document(document)
        checked = _profiles().validate_json(json.dumps(asdict(profile)), strict=True)
    except (ValidationError, AttributeError, KeyError, TypeError, ValueError, RecursionError):
        return None
    scores = [each.score for each in checked.skills if each.score is not None]
    in_range = all(0 <= score <= 10 for score in scores)
    return checked if in_range and checked.name.strip() else None


@cache
def _profiles() -> TypeAdapter[Profile]:
    return TypeAdapter(Profile)


def _stated(profile: Profile) -> Resume:
    """The sections of the schema that the profile has something for."""
    sections: Resume = _without_nothing(
        {
            "basics": _basics(profile),
            "work": [_job(each) for each in profile.jobs] or _present_job(profile),
            "education": [_education(each) for each in profile.education],
            "certificates": [
                {"name": each.name, "issuer": each.issuer, "date": _date(each.date)}
                for each in profile.certificates
            ],
            "publications": [
                {
                    "name": each.title,
                    "publisher": each.publisher,
                    "releaseDate": _date(each.date),
                    "url": each.url and _address(each.url),
                }
                for each in profile.publications
            ],
            "skills": [
                {
                    "name": each.name,
                    "level": None if each.score is None else f"{each.score} of 10",
                }
                for each in profile.skills
            ],
            "languages": [
                {"language": each.name, "fluency": each.level} for each in profile.languages
            ],
            "projects": [_project(each) for each in profile.contributions],
        }
    )
    return sections


def _basics(profile: Profile) -> Resume:
    works_at = " at ".join(filter(None, (profile.title, profile.company)))
    return {
        "name": profile.name,
        "label": profile.headline or works_at,
        "email": next(iter(profile.emails), None),
        "phone": next(iter(profile.phones), None),
        "summary": profile.summary,
        "location": _location(profile.location),
        "profiles": [_profile_elsewhere(each) for each in profile.links],
    }


def _location(location: Location | None) -> Resume | None:
    if location is None:
        return None
    code = country_code(location.country) if location.country else None
    place = {"city": location.city, "countryCode": code}
    return place if any(place.values()) else {"region": location.text}


def _profile_elsewhere(link: Link) -> Resume:
    host, path = _host_and_path(link.url)
    network = _NETWORKS.get(host)
    return {
        "network": link.label or network or host,
        "username": path.strip("/").rpartition("/")[2] if network else None,
        "url": _address(link.url),
    }


def _host_and_path(url: str) -> tuple[str, str]:
    try:
        parts = urlsplit(url)
    except ValueError:  # such as brackets around what is no IPv6 address
        return "", ""
    return (parts.hostname or "").removeprefix("www."), parts.path


def _job(job: Job) -> Resume:
    return {
        "name": job.employer,
        "position": job.title,
        "location": job.place,
        "startDate": _date(job.from_date),
        "endDate": _date(job.to_date),
        "summary": job.summary,
    }


def _present_job(profile: Profile) -> list[Resume]:
    return [{"name": profile.company, "position": profile.title}]


def _education(education: Education) -> Resume:
    stated = education.degree or (None if education.area else education.text)
    return {
        "institution": education.school,
        "area": education.area,
        "studyType": stated,
        "startDate": _date(education.from_date),
        "endDate": _date(education.to_date),
    }


def _project(work: Contribution) -> Resume:
    is_address = _REPOSITORY.fullmatch(work.repository)
    return {
        "name": work.repository,
        "description": work.description,
        "highlights": list(_highlights(work)),
        "keywords": list(work.topics),
        "startDate": _date(work.from_month),
        "endDate": _date(work.to_month),
        "url": f"https://github.com/{work.repository}" if is_address else None,
        "roles": [work.role] if work.role else None,
    }


def _highlights(work: Contribution) -> Iterator[str]:
    counts = [
        so_many(number, one, many)
        for name, one, many in _COUNTS
        if (number := getattr(work, name)) is not None
    ]
    if counts:
        yield ", ".join(counts)
    if work.summary:
        yield work.summary


def _date(stated: str | None) -> str | None:
    """A date as the schema wants it; None for any other."""
    return stated if stated and _DATE.fullmatch(stated) else None


def _address(url: str) -> str:
    """The address in ASCII, as a URI has to be."""
    return quote(url, safe=_IN_ADDRESSES, errors="replace")


def _without_nothing(value: Any) -> Any:
    """The same without what is not stated: the schema knows no null."""
    if isinstance(value, dict):
        kept = {key: _without_nothing(each) for key, each in value.items()}
        return {key: each for key, each in kept.items() if each not in (None, "", [], {})}
    if isinstance(value, list):
        kept_list = [_without_nothing(each) for each in value]
        return [each for each in kept_list if each not in (None, "", [], {})]
    return value
