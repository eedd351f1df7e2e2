"""Reactive Resume, versions 3 to 5: JSON Resume's basics beside sections of items.

Version 5 moved the summary beside the sections and calls things by other names; what the person
has hidden in the résumé is not read.
"""

from typing import Final

from bot.profiles.resume_json.reading import JsonFormat
from bot.profiles.resume_json.sections import Sections, stated_in
from bot.profiles.resume_json.tree import Entry, at, list_at, text_at
from bot.profiles.stated import Stated


def _fits(entry: Entry) -> bool:
    return isinstance(at(entry, "basics"), dict) and isinstance(at(entry, "sections"), dict)


def _stated(entry: Entry) -> Stated:
    basics, sections = at(entry, "basics"), at(entry, "sections")
    return stated_in(
        Sections(
            basics=basics,
            summary=_summary(at(entry, "summary")) or _summary(at(sections, "summary")),
            work=_items(sections, "experience", "work"),
            education=_items(sections, "education"),
            skills=_items(sections, "skills"),
            languages=_items(sections, "languages"),
            profiles=_items(sections, "profiles") or list_at(basics, "profiles"),
            publications=_items(sections, "publications"),
            certificates=_items(sections, "certifications"),
        )
    )


def _is_hidden(section: object) -> bool:
    return at(section, "visible") is False or at(section, "hidden") is True


def _summary(section: object) -> str | None:
    return None if _is_hidden(section) else text_at({"": section}, "")


def _items(sections: object, *keys: str) -> list[object]:
    for key in keys:
        section = at(sections, key)
        items = at(section, "items")
        if isinstance(items, list) and items and not _is_hidden(section):
            return items
    return []


REACTIVE_RESUME: Final = JsonFormat(
    NAME="reactive-resume",
    VERSION=1,
    keys=("basics", "sections"),
    fits=_fits,
    stated_of=_stated,
    inside=("data",),
)
