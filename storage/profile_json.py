"""A Profile as a JSON document, and back, without loss.

The document's keys are what ``show --json`` prints: the names of the fields of
`storage.records.Profile`, with ``from`` and ``to`` for months and dates. What pages of
profiles never state (jobs, languages, links, contact details …) has a key only where
a document states it.
"""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final, TypeVar

from storage.records import (
    Certificate,
    Contribution,
    Declared,
    Education,
    Job,
    Language,
    Link,
    Location,
    Profile,
    Publication,
    Remark,
    Severity,
    Skill,
    StackOverflow,
)

Document = dict[str, Any]


def profile_to_document(profile: Profile) -> Document:
    """Everything the profile says, in values that JSON can hold."""
    location, overflow, declared = profile.location, profile.stackoverflow, profile.declared
    return {
        "name": profile.name,
        "headline": profile.headline,
        "title": profile.title,
        "company": profile.company,
        "location": location
        and {
            "text": location.text,
            "city": location.city,
            "country": location.country,
        },
        "stated_country": location and location.stated_country,
        "badges": list(profile.badges),
        "summary": profile.summary,
        "years_coding": profile.years_coding,
        "years_employed": profile.years_employed,
        "education": [_education_to_document(each) for each in profile.education],
        "stackoverflow": overflow
        and {
            "reputation": overflow.reputation,
            "reached": overflow.reached,
            "answers": overflow.answers,
            "questions": overflow.questions,
        },
        "skills": [{"name": skill.name, "score": skill.score} for skill in profile.skills],
        "declared": {
            "skills": declared.skills,
            "languages": declared.languages,
            "contributions": declared.contributions,
        },
        "contributions": [_contribution_to_document(each) for each in profile.contributions],
        "likely_login": profile.likely_login,
        **{
            name: [_stated(each) for each in entries]
            for name in _ENTRIES
            if (entries := getattr(profile, name))
        },
        **{name: list(texts) for name in _TEXTS if (texts := getattr(profile, name))},
        "remarks": [
            {"code": remark.code, "text": remark.text, "severity": remark.severity.value}
            for remark in profile.remarks
        ],
    }


def profile_from_document(document: Mapping[str, Any]) -> Profile:
    """The profile that `profile_to_document` wrote; keys it does not know are left aside."""
    location, overflow = document.get("location"), document.get("stackoverflow")
    return Profile(
        name=document["name"],
        headline=document.get("headline"),
        title=document.get("title"),
        company=document.get("company"),
        location=None
        if location is None
        else Location(
            text=location["text"],
            city=location.get("city"),
            country=location.get("country"),
            stated_country=document.get("stated_country"),
        ),
        badges=tuple(document.get("badges", ())),
        summary=document.get("summary"),
        years_coding=document.get("years_coding"),
        years_employed=document.get("years_employed"),
        education=tuple(_read(Education, entry) for entry in document.get("education", ())),
        stackoverflow=None
        if overflow is None
        else StackOverflow(
            reputation=overflow.get("reputation"),
            reached=overflow.get("reached"),
            answers=overflow.get("answers"),
            questions=overflow.get("questions"),
        ),
        skills=tuple(
            Skill(name=skill["name"], score=skill.get("score"))
            for skill in document.get("skills", ())
        ),
        declared=Declared(
            **{
                key: document.get("declared", {}).get(key)
                for key in ("skills", "languages", "contributions")
            }
        ),
        contributions=tuple(
            _contribution_from_document(each) for each in document.get("contributions", ())
        ),
        likely_login=document.get("likely_login"),
        jobs=_entries(Job, document, "jobs"),
        languages=_entries(Language, document, "languages"),
        links=_entries(Link, document, "links"),
        publications=_entries(Publication, document, "publications"),
        certificates=_entries(Certificate, document, "certificates"),
        emails=tuple(document.get("emails", ())),
        phones=tuple(document.get("phones", ())),
        remarks=tuple(
            Remark(code=each["code"], text=each["text"], severity=Severity(each["severity"]))
            for each in document.get("remarks", ())
        ),
    )


_ENTRIES: Final = ("jobs", "languages", "links", "publications", "certificates")
_TEXTS: Final = ("emails", "phones")
_SHORT: Final = {"from_date": "from", "to_date": "to"}
"""What a field is called in the document, where it is not its own name."""

Entry = TypeVar("Entry", Education, Job, Language, Link, Publication, Certificate)


def _stated(entry: Entry) -> Document:
    """What an entry states, without what it does not."""
    return {
        _SHORT.get(field.name, field.name): value
        for field in fields(entry)
        if (value := getattr(entry, field.name)) not in {None, False}
    }


def _education_to_document(education: Education) -> Document:
    return {"text": education.text, "school": education.school, **_stated(education)}


def _entries(kind: type[Entry], document: Mapping[str, Any], name: str) -> tuple[Entry, ...]:
    return tuple(_read(kind, each) for each in document.get(name, ()))


def _read(kind: type[Entry], document: Mapping[str, Any]) -> Entry:
    named = {field.name: _SHORT.get(field.name, field.name) for field in fields(kind)}
    return kind(**{field: document[key] for field, key in named.items() if key in document})


_COUNTS = ("commits", "pull_requests", "reviews", "pushes", "branches")


def _contribution_to_document(contribution: Contribution) -> Document:
    return {
        "repository": contribution.repository,
        "from": contribution.from_month,
        "to": contribution.to_month,
        "description": contribution.description,
        "role": contribution.role,
        **{count: getattr(contribution, count) for count in _COUNTS},
        "span": contribution.span,
        "summary": contribution.summary,
        "topics": list(contribution.topics),
        **({"other": dict(contribution.other)} if contribution.other else {}),
    }


def _contribution_from_document(document: Mapping[str, Any]) -> Contribution:
    return Contribution(
        repository=document["repository"],
        from_month=document.get("from"),
        to_month=document.get("to"),
        description=document.get("description"),
        role=document.get("role"),
        **{count: document.get(count) for count in _COUNTS},
        other=dict(document.get("other", {})),
        span=document.get("span"),
        summary=document.get("summary"),
        topics=tuple(document.get("topics", ())),
    )
