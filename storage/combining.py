"""Combining: what several documents say of one person, as one profile. Pure: no database.

Of each lineage (the kind of document, and the id it was first filed under) the newest
document speaks. Among those that speak

- a single value (place, years, summary …) is the newest document's that states one; title,
  company and headline go together, since one document's title with another's company would
  be a job that nobody stated;
- lists are united without doubles, the newest document's wording first: skills by key, jobs
  by employer and overlapping dates, education by school and degree, contributions by
  repository and first month, links by address, and so on; what an older document states
  besides of the same entry fills what is not stated;
- declared counts hold only while the united list is the declaring document's own;
- title, company, place and years that differ are a CHECK remark that names the documents.

One document that speaks alone gives exactly its own profile. Corrections by hand
(``storage.correcting``) outrank all of them.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import partial
from typing import Any, Final, TypeVar

from storage.differing import code_of, differences
from storage.person_keys import key_of_address
from storage.places import parse_location
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
    Skill,
)
from storage.same_entry import is_same_company, is_same_job, is_same_school
from storage.search.folding import fold, tokens
from storage.search.skills import skill_key

_NEWEST: Final = ("summary", "years_coding", "years_employed", "stackoverflow", "likely_login")
"""Fields of which the newest document that states one is believed."""
CONTRADICTED: Final = "country-contradicts"
"""The remark that a page's country contradicts its city: see ``storage.records.Remark``."""
Entry = TypeVar("Entry", Education, Job, Language, Link, Publication, Certificate)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """A document as it speaks: what it says, what it is called to people, and since when."""

    profile: Profile
    kind: str
    """The format that read it, such as ``prog-ai``."""
    filed_under: str
    """The id of the person that it was first filed under."""
    name: str
    at: datetime
    version: int


def speaking(documents: Iterable[Spoken]) -> list[Spoken]:
    """The newest document of each lineage, the newest of all first."""
    newest: dict[tuple[str, str], Spoken] = {}
    for each in documents:
        lineage = (each.kind, each.filed_under)
        if lineage not in newest or newest[lineage].version < each.version:
            newest[lineage] = each
    return sorted(newest.values(), key=lambda each: (each.at, each.version, each.kind))[::-1]


def combine(speakers: Sequence[Spoken]) -> Profile:
    """The profile that these documents, the newest first, make together. At least one."""
    said = [each.profile for each in speakers]
    if len(said) == 1:
        return said[0]
    united = Profile(
        name=_name(said),
        **{field: _newest(said, field) for field in _NEWEST},
        **_work(said),
        location=_location(said),
        badges=_united(said, "badges", fold),
        skills=_skills(said),
        education=_merged(said, "education", is_same_school),
        jobs=_in_order(_merged(said, "jobs", is_same_job)),
        contributions=_contributions(said),
        languages=_merged(said, "languages", _alike(lambda each: fold(each.name))),
        links=_merged(said, "links", _alike(_address)),
        publications=_merged(said, "publications", _alike(lambda each: tokens(each.title))),
        certificates=_merged(said, "certificates", _alike(lambda each: tokens(each.name))),
        emails=_united(said, "emails", str.casefold),
        phones=_united(said, "phones", _digits),
        remarks=tuple(dict.fromkeys(remark for each in said for remark in each.remarks)),
    )
    return replace(
        united,
        declared=_declared(said, united),
        remarks=(*united.remarks, *differences(told_as(speakers))),
    )


def told_as(speakers: Sequence[Spoken]) -> list[tuple[Profile, str]]:
    """What each document says, and what it is called to people: ``cv.pdf (1 Dec 2026)``."""
    return [(each.profile, f"{each.name} ({each.at:%-d %b %Y})") for each in speakers]


def corrected(profile: Profile, corrections: Mapping[str, str]) -> Profile:
    """The profile with these facts, by field, instead of what documents say of them.

    An empty value is not stated. What was ruled is no contradiction any more; the headline
    goes with title and company, which it says, too.
    """
    values: dict[str, Any] = {field: _fact(field, value) for field, value in corrections.items()}
    if {"title", "company"} & corrections.keys():
        values["headline"] = None
    ruled = {code_of(field) for field in corrections}
    ruled |= {CONTRADICTED} if "location" in corrections else set()
    remarks = tuple(each for each in profile.remarks if each.code not in ruled)
    return replace(profile, **values, remarks=remarks)


def _fact(field: str, value: str) -> object:
    if not value:
        return None
    if field == "location":
        return parse_location(value)
    return int(value) if field.startswith("years_") else value


def _newest(said: Sequence[Profile], field: str) -> Any:
    return next((value for each in said if (value := getattr(each, field)) is not None), None)


def _name(said: Sequence[Profile]) -> str:
    """The newest name; one of several words before a single one, which may be a login."""
    return next((each.name for each in said if len(tokens(each.name)) > 1), said[0].name)


def _work(said: Sequence[Profile]) -> dict[str, Any]:
    """Title, company and headline of the newest document that states a job."""
    stating = [each for each in said if each.title or each.company]
    if not stating:
        return {"headline": next((each.headline for each in said if each.headline), None)}
    newest = stating[0]
    title = newest.title or next(
        (
            each.title
            for each in stating
            if each.title and is_same_company(each.company, newest.company)
        ),
        None,
    )
    return {"title": title, "company": newest.company, "headline": newest.headline}


def _location(said: Sequence[Profile]) -> Location | None:
    """The newest place; an older one that is more precise and in the same country before it."""
    stated = [each.location for each in said if each.location]
    if not stated:
        return None
    newest = stated[0]
    if newest.city:
        return newest
    precise = (each for each in stated if each.city and each.country == newest.country)
    return next(precise, newest)


def _united(said: Sequence[Profile], field: str, key: Callable[[str], str]) -> tuple[str, ...]:
    found: dict[str, str] = {}
    for each in said:
        for text in getattr(each, field):
            found.setdefault(key(text) or text, text)
    return tuple(found.values())


def _skills(said: Sequence[Profile]) -> tuple[Skill, ...]:
    """Each document's own list stays whole; an older one adds what is not there by its key."""
    found = list(said[0].skills)
    for each in said[1:]:
        known = {_skill(skill): place for place, skill in enumerate(found)}
        for skill in each.skills:
            place = known.get(_skill(skill))
            if place is None:
                found.append(skill)
            elif found[place].score is None:
                found[place] = replace(found[place], score=skill.score)
    return tuple(found)


def _skill(skill: Skill) -> str:
    return skill_key(skill.name) or fold(skill.name)


def _contributions(said: Sequence[Profile]) -> tuple[Contribution, ...]:
    found = list(said[0].contributions)
    for each in said[1:]:
        known = {_work_of(there) for there in found}
        repositories = {repository for repository, _ in known}
        found += [
            work
            for work in each.contributions
            if _work_of(work) not in known
            and (work.from_month or _work_of(work)[0] not in repositories)
        ]
    return tuple(found)


def _work_of(work: Contribution) -> tuple[str, str | None]:
    return work.repository.casefold(), work.from_month


def _merged(
    said: Sequence[Profile], field: str, is_same: Callable[[Entry, Entry], bool]
) -> tuple[Entry, ...]:
    """The newest document's entries, and of each older one those that are not there yet.

    An entry of one document stands for at most one of another: who did two degrees at one
    school has both.
    """
    found: list[Entry] = list(getattr(said[0], field))
    for each in said[1:]:
        free = list(range(len(found)))
        for entry in getattr(each, field):
            same = [place for place in free if is_same(found[place], entry)]
            if not same:
                found.append(entry)
                continue
            place = max(same, key=lambda each: _agreeing(found[each], entry))
            free.remove(place)
            found[place] = _filled(found[place], entry)
    return tuple(found)


def _agreeing(one: Entry, other: Entry) -> int:
    """How many fields say the same."""
    return sum(getattr(one, each.name) == getattr(other, each.name) for each in fields(one))


def _filled(newer: Entry, older: Entry) -> Entry:
    """The newer entry, with what only the older one states.

    Ends of a time go with its beginning: the older one's would make a time nobody stated.
    """
    missing = {
        field.name: getattr(older, field.name)
        for field in fields(newer)
        if getattr(newer, field.name) is None
    }
    dated = getattr(newer, "from_date", None) or getattr(newer, "to_date", None)
    if dated or getattr(newer, "is_current", False):
        missing.pop("from_date", None)
        missing.pop("to_date", None)
    elif getattr(older, "is_current", False):
        missing["is_current"] = True
    return replace(newer, **missing)


def _alike(key: Callable[[Entry], Hashable | list[str]]) -> Callable[[Entry, Entry], bool]:
    return partial(_same_by, key)


def _same_by(key: Callable[[Entry], Hashable | list[str]], one: Entry, other: Entry) -> bool:
    return key(one) == key(other)


def _address(link: Link) -> Hashable:
    return key_of_address(link.url) or link.url.casefold().rstrip("/")


def _digits(phone: str) -> str:
    return "".join(filter(str.isdigit, phone)).lstrip("0")


def _in_order(jobs: tuple[Job, ...]) -> tuple[Job, ...]:
    """The newest first, where each says when it began; else as the documents order them."""
    if not all(each.from_date for each in jobs):
        return jobs
    return tuple(
        sorted(jobs, key=lambda each: (each.is_current, each.to_date or "", each.from_date or ""))
    )[::-1]


def _declared(said: Sequence[Profile], united: Profile) -> Declared:
    """Counts of headings, as far as the united list is still the list below the heading."""
    counts: dict[str, int | None] = {}
    for field in ("skills", "languages", "contributions"):
        declaring = next((each for each in said if getattr(each.declared, field) is not None), None)
        own = declaring is not None and (
            field == "languages" or len(getattr(united, field)) == len(getattr(declaring, field))
        )
        counts[field] = getattr(declaring.declared, field) if declaring and own else None
    return Declared(**counts)
