"""The text that is searched: a profile's words, normalised here so that engines only split.

``index_text`` gives tokens separated by spaces, made of letters and digits
alone (``c++`` becomes ``cplusplus``), with ``BREAK`` between fields so that no
phrase runs from one into the next. What must not be found is not in it:
badges, contact details and links, a country that the city contradicts, and
skills whose keys are exact (``c``, ``go``, ``c++``), which are found in their
own table only.
"""

from collections.abc import Iterator
from typing import Final

from storage.records import Contribution, Location, Profile
from storage.search.folding import compounds, tokens
from storage.search.skills import is_exact_only, skill_key

BREAK: Final = "xfieldbreakx"


def encode(token: str) -> str:
    """A token as the index writes it: letters and digits only.

    >>> [encode(token) for token in ("c++", "c#", "cuda")]
    ['cplusplus', 'csharp', 'cuda']
    """
    if token == BREAK:
        return BREAK + "x"
    return token.replace("+", "plus").replace("#", "sharp")


def encoded(text: str) -> str:
    """The words of a field as the index writes them, separated by spaces.

    Hyphenated words follow once more, written together: see ``folding.compounds``.
    """
    words = [encode(token) for token in tokens(text)]
    for joined in compounds(text):
        words += [BREAK, encode(joined)]
    return " ".join(words)


def column_words(text: str | None) -> str:
    """The words of a fact as its own column keeps them, hyphenated ones written together too."""
    return " ".join([*tokens(text or ""), *compounds(text or "")])


def contribution_fields(contribution: Contribution) -> Iterator[tuple[str, str]]:
    """(what it is called in a reason, text) for each searched field of a contribution."""
    yield "name", contribution.repository
    if contribution.role:
        yield "role", contribution.role
    if contribution.description:
        yield "description", contribution.description
    for topic in contribution.topics:
        yield "topics", topic
    if contribution.summary:
        yield "summary", contribution.summary


def place_text(location: Location | None) -> str:
    """The place to be found by: without a country that the city contradicts."""
    if location is None:
        return ""
    place = ", ".join(part for part in (location.city, location.country) if part)
    return place or ("" if location.stated_country else location.text)


def profile_fields(profile: Profile) -> Iterator[tuple[str, str]]:
    """(what it is called in a reason, text) for each searched field outside contributions."""
    yield "name", profile.name
    for label, text in (("title", profile.title), ("company", profile.company)):
        if text:
            yield label, text
    if profile.headline and not (profile.title or profile.company):
        yield "headline", profile.headline
    if place := place_text(profile.location):
        yield "location", place
    yield from _job_fields(profile)
    for education in profile.education:
        yield "education", education.text
        if education.school:
            yield "school", education.school
    skills = (each.name for each in profile.skills)
    yield from (("skills", name) for name in skills if not is_exact_only(skill_key(name)))
    if profile.summary:
        yield "summary", profile.summary
    yield from (("languages", each.name) for each in profile.languages)
    yield from (("publication", each.title) for each in profile.publications)
    yield from (("certificate", each.name) for each in profile.certificates)


def _job_fields(profile: Profile) -> Iterator[tuple[str, str]]:
    for job in profile.jobs:
        fields = (("job", job.title), ("employer", job.employer), ("job", job.summary))
        yield from ((label, text) for label, text in fields if text)


def contribution_text(contribution: Contribution) -> str:
    """The searched words of one contribution, for the index of contributions."""
    fields = (encoded(text) for _label, text in contribution_fields(contribution))
    return f" {BREAK} ".join(field for field in fields if field)


def contribution_texts(profile: Profile) -> list[str]:
    """The searched words of each contribution, in the profile's order."""
    return [contribution_text(each) for each in profile.contributions]


def index_text(profile: Profile) -> str:
    """The searched words of a profile, for the text index: see the module's docstring."""
    return index_texts(profile)[0]


def index_texts(profile: Profile) -> tuple[str, list[str]]:
    """The searched words of a profile, and those of each of its contributions alone."""
    contributions = contribution_texts(profile)
    fields = [encoded(text) for _label, text in profile_fields(profile)] + contributions
    return f" {BREAK} ".join(field for field in fields if field), contributions
