"""FRESH (fresh-resume-schema 0.x and 1.0): the résumés of HackMyResume."""

from typing import Final

from bot.profiles.resume_json.reading import JsonFormat
from bot.profiles.resume_json.sections import Sections, stated_in
from bot.profiles.resume_json.tree import Entry, at, list_at, text_at
from bot.profiles.stated import Stated

_PARTS: Final = ("info", "contact", "employment", "social")


def _fits(entry: Entry) -> bool:
    form = text_at(at(entry, "meta"), "format") or ""
    known = sum(1 for each in _PARTS if isinstance(at(entry, each), dict | list))
    return (form.upper().startswith("FRESH") or known >= 2) and not at(entry, "basics")


def _stated(entry: Entry) -> Stated:
    contact, info = at(entry, "contact"), at(entry, "info")
    basics = {
        "name": at(entry, "name"),
        "headline": at(info, "label"),
        "summary": at(info, "brief"),
        "location": at(entry, "location"),
        "email": _contacts(contact, "email"),
        "phone": _contacts(contact, "phone"),
        "website": at(contact, "website"),
    }
    return stated_in(
        Sections(
            basics=basics,
            work=list_at(at(entry, "employment"), "history"),
            education=list_at(at(entry, "education"), "history"),
            skills=_skills(at(entry, "skills")),
            languages=list_at(entry, "languages"),
            profiles=list_at(entry, "social"),
            publications=list_at(entry, "writing"),
            certificates=_certificates(entry),
        )
    )


def _contacts(contact: object, flavor: str) -> list[object]:
    others = [
        at(each, "value") for each in list_at(contact, "other") if at(each, "flavor") == flavor
    ]
    return [*list_at(contact, flavor), *others]


def _skills(skills: object) -> list[object]:
    if isinstance(skills, list):
        return skills
    return [*list_at(skills, "sets"), *list_at(skills, "list")]


def _certificates(entry: Entry) -> list[object]:
    return [
        each
        for each in list_at(entry, "recognition")
        if text_at(each, "flavor") in {"certification", "certificate", "license"}
    ]


FRESH: Final = JsonFormat(
    NAME="fresh", VERSION=1, keys=("name",), fits=_fits, stated_of=_stated, inside=("resumes",)
)
