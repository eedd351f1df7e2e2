"""JSON Resume (jsonresume.org/schema, 0.0.0 to 1.x), whose schema accepts nearly anything."""

from typing import Final

from bot.exporting.resume import profile_in
from bot.profiles.resume_json.reading import JsonFormat
from bot.profiles.resume_json.sections import Sections, stated_in
from bot.profiles.resume_json.tree import Entry, at, list_at
from bot.profiles.sensitive import is_sensitive, without_sensitive_lines
from bot.profiles.stated import Stated, is_name
from storage.records import Profile


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


def _exported(entry: Entry) -> Profile | None:
    """The profile of an export of ours, where it holds nothing that would not be read elsewhere."""
    profile = profile_in(entry)
    if profile is None or not is_name(profile.name):
        return None
    texts = [profile.summary, *(job.summary for job in profile.jobs)]
    clean = all(without_sensitive_lines(text) == text for text in texts if text)
    return (
        profile if clean and not any(is_sensitive(each.name) for each in profile.skills) else None
    )


JSON_RESUME: Final = JsonFormat(
    NAME="json-resume",
    VERSION=1,
    keys=("basics",),
    fits=_fits,
    stated_of=_stated,
    exported=_exported,
    inside=("resumes", "resume", "candidates"),
)
