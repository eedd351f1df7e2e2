"""JSON Resume (jsonresume.org/schema, 0.0.0 to 1.x), whose schema accepts nearly anything."""

from typing import Final

from bot.profiles.resume_json.reading import JsonFormat
from bot.profiles.resume_json.sections import Sections, stated_in
from bot.profiles.resume_json.tree import Entry, at, list_at
from bot.profiles.stated import Stated


def _fits(entry: Entry) -> bool:
    return isinstance(at(entry, "basics"), dict) and not isinstance(at(entry, "sections"), dict)


def _stated(entry: Entry) -> Stated:
    basics = at(entry, "basics")
    return stated_in(
        Sections(
            basics=basics,
            work=list_at(entry, "work", "experience"),
            education=list_at(entry, "education"),
            skills=list_at(entry, "skills"),
            languages=list_at(entry, "languages"),
            profiles=list_at(basics, "profiles"),
            publications=list_at(entry, "publications"),
            certificates=list_at(entry, "certificates", "certifications"),
        )
    )


JSON_RESUME: Final = JsonFormat(
    NAME="json-resume",
    VERSION=1,
    keys=("basics",),
    fits=_fits,
    stated_of=_stated,
    inside=("resumes", "resume", "candidates"),
)
