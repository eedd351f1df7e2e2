"""MAC, the CV format of Manfred (github.com/getmanfred/mac): several roles under one employer."""

from collections.abc import Iterator
from typing import Final

from bot.profiles.resume_json.reading import JsonFormat
from bot.profiles.resume_json.sections import Sections, stated_in
from bot.profiles.resume_json.tree import Entry, at, list_at, text_at
from bot.profiles.stated import Stated

_WRITTEN: Final = frozenset({"article", "post", "book", "paper", "publication", "whitepaper"})


def _fits(entry: Entry) -> bool:
    return isinstance(at(entry, "aboutMe", "profile"), dict)


def _stated(entry: Entry) -> Stated:
    about, knowledge = at(entry, "aboutMe"), at(entry, "knowledge")
    profile = at(about, "profile")
    location = at(profile, "location")
    has_parts = any(text_at(location, each) for each in ("municipality", "region", "country"))
    contact = at(profile, "contact") or at(entry, "careerPreferences", "contact")
    studies = list_at(knowledge, "studies")
    basics = {
        "name": " ".join(filter(None, (text_at(profile, "name"), text_at(profile, "surnames")))),
        "headline": at(profile, "title"),
        "summary": at(profile, "description"),
        "location": location if has_parts else at(location, "notes"),
        "email": list_at(contact, "contactMails"),
        "phone": list(_phones(contact)),
    }
    return stated_in(
        Sections(
            basics=basics,
            work=list(_roles(at(entry, "experience", "jobs"))),
            education=[_study(each) for each in studies if not _is_certification(each)],
            skills=[
                at(each, "skill") or each
                for kind in ("hardSkills", "softSkills")
                for each in list_at(knowledge, kind)
            ],
            languages=list_at(knowledge, "languages"),
            profiles=[*list_at(contact, "publicProfiles"), *list_at(about, "relevantLinks")],
            publications=[
                {**_details(each), "date": at(each, "publishingDate")}
                for each in list_at(at(entry, "experience"), "publicArtifacts")
                if text_at(each, "type") in _WRITTEN
            ],
            certificates=[_certificate(each) for each in studies if _is_certification(each)],
        )
    )


def _phones(contact: object) -> Iterator[str]:
    for each in list_at(contact, "phoneNumbers"):
        if isinstance(each, str):
            yield each
            continue
        code, number = text_at(each, "countryCode"), text_at(each, "number")
        if number:
            yield f"+{code.lstrip('+')} {number}" if code else number


def _roles(jobs: object) -> Iterator[Entry]:
    for job in list_at({"": jobs}, ""):
        for role in list_at(job, "roles"):
            yield {
                "company": text_at(at(job, "organization"), "name"),
                "position": text_at(role, "name"),
                "startDate": at(role, "startDate"),
                "finishDate": at(role, "finishDate"),
                "highlights": [
                    text
                    for each in list_at(role, "challenges")
                    if (text := text_at(each, "description"))
                ],
            }


def _is_certification(study: object) -> bool:
    return text_at(study, "studyType") == "certification"


def _study(study: object) -> Entry:
    return {
        "school": text_at(at(study, "institution"), "name"),
        "degree": text_at(study, "name"),
        "startDate": at(study, "startDate"),
        "finishDate": at(study, "finishDate"),
    }


def _certificate(study: object) -> Entry:
    return {
        "name": text_at(study, "name"),
        "issuer": text_at(at(study, "institution"), "name"),
        "date": at(study, "finishDate") or at(study, "startDate"),
    }


def _details(artifact: object) -> dict[str, object]:
    details = at(artifact, "details")
    return dict(details) if isinstance(details, dict) else {}


MANFRED: Final = JsonFormat(
    NAME="manfred", VERSION=1, keys=("aboutMe", "profile"), fits=_fits, stated_of=_stated
)
