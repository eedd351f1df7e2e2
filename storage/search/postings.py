"""What searches look up of a profile by value: its facts, one posting each.

==================  ==========================================================================
kind                value
==================  ==========================================================================
``skill``           exact key; ``weight`` is the page's score, the highest of several spellings
``company``         the current company's words (``index.column_words``)
``title``           the title's words
``role``            the words of a role in a listed contribution, or of a job's title
``employer``        the words of whom a listed job is or was with
``school``          the words of a school
``city`` ``country``  folded words of the place
``unclear``         folded words of a country that the city contradicts
``repo``            ``owner/name``, case-folded
``repo_name``       the part after the last slash
``repo_word``       a word of owner or name
``name`` ``login`` ``romanised`` ``reading`` ``piece`` ``skeleton``  see ``models.NameTokenRow``
``topic``           a topic of a listed repository, as skills are compared
``education``       ``stated``: some education, perhaps without a school's name
``languages``       how many languages the page declares (four digits) and does not show
==================  ==========================================================================

All of it follows from the profile alone, so it can be made anew at any time;
``VERSION`` says by which rules, and a store made by others is made anew.
"""

from collections.abc import Iterator
from typing import Final

from storage.records import Location, Profile
from storage.search.folding import tokens
from storage.search.index import column_words
from storage.search.name_words import name_words
from storage.search.skills import skill_key
from storage.search.sought import repository_words

VERSION: Final = 3
Fact = tuple[str, str, int | None]
"""(kind, value, weight)."""


def facts_of(profile: Profile) -> list[Fact]:
    """The facts of a profile, each kind and value once, without empty values."""
    found: dict[tuple[str, str], int | None] = {}
    for kind, value, weight in _facts(profile):
        known = found.get((kind, value))
        if value:
            found[kind, value] = weight if known is None else max(known, weight or 0)
    return [(kind, value, weight) for (kind, value), weight in found.items()]


def _facts(profile: Profile) -> Iterator[Fact]:
    location = profile.location or Location(text="")
    for skill in profile.skills:
        yield "skill", skill_key(skill.name), skill.score
    yield "company", column_words(profile.company), None
    yield "title", column_words(profile.title), None
    yield "city", " ".join(tokens(location.city or "")), None
    yield "country", " ".join(tokens(location.country or "")), None
    if not location.country:
        yield "unclear", " ".join(tokens(location.stated_country or "")), None
    for each in profile.contributions:
        key = each.repository.casefold()
        yield "repo", key, None
        yield "repo_name", key.rsplit("/", 1)[-1], None
        for word in repository_words(key):
            yield "repo_word", word, None
        yield "role", column_words(each.role), None
        for topic in each.topics:
            yield "topic", skill_key(topic), None
    for job in profile.jobs:
        yield "role", column_words(job.title), None
        yield "employer", column_words(job.employer), None
    for education in profile.education:
        yield "school", column_words(education.school), None
        yield "education", "stated", None
    for kind, word in name_words(profile):
        yield kind, word, None
    if profile.declared.languages:
        yield "languages", f"{profile.declared.languages:04d}", None
