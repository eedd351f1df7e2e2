"""What a new version of a page changed, in sentences for a recruiter."""

from calendar import month_abbr
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from storage.records import (
    Certificate,
    Contribution,
    Job,
    Language,
    Link,
    Profile,
    Publication,
    Skill,
)

_COUNTS: Final = (
    ("commits", "commits"),
    ("pull_requests", "PRs"),
    ("reviews", "reviews"),
    ("pushes", "pushes"),
    ("branches", "branches"),
)
_STATED: Final = (
    ("jobs", "jobs"),
    ("languages", "languages"),
    ("links", "links"),
    ("publications", "publications"),
    ("certificates", "certificates"),
)
_STACKOVERFLOW: Final = ("reputation", "reached", "answers", "questions")


def describe_changes(old: Profile, new: Profile) -> tuple[str, ...]:
    """Sentences such as ``title: Engineer → Staff Engineer`` or ``skills +mlir, +rust``.

    Empty when the two say the same.
    """
    return tuple(_changes(old, new))


def _changes(old: Profile, new: Profile) -> Iterator[str]:
    yield from _changed("name", old.name, new.name)
    yield from _changed("title", old.title, new.title)
    yield from _changed("company", old.company, new.company)
    if (old.title, old.company) == (new.title, new.company):
        yield from _changed("headline", old.headline, new.headline)
    yield from _changed(
        "location", old.location and old.location.text, new.location and new.location.text
    )
    yield from _changed("years coding", old.years_coding, new.years_coding)
    yield from _changed("years employed", old.years_employed, new.years_employed)
    yield from _rewritten("summary", old.summary, new.summary)
    yield from _skills(old.skills, new.skills)
    yield from _listed("skills", len(old.skills), old.declared.skills, new, len(new.skills))
    yield from _changed(
        "programming languages declared", old.declared.languages, new.declared.languages
    )
    yield from _contributions(old.contributions, new.contributions)
    yield from _listed(
        "contributions",
        len(old.contributions),
        old.declared.contributions,
        new,
        len(new.contributions),
    )
    yield from _members(
        "education", [each.text for each in old.education], [each.text for each in new.education]
    )
    yield from _members("badges", old.badges, new.badges)
    for number in _STACKOVERFLOW:
        yield from _changed(
            f"Stack Overflow {number}",
            old.stackoverflow and getattr(old.stackoverflow, number),
            new.stackoverflow and getattr(new.stackoverflow, number),
        )
    yield from _changed("likely login", old.likely_login, new.likely_login)
    for label, name in _STATED:
        yield from _members(label, map(_told, getattr(old, name)), map(_told, getattr(new, name)))
    # contact details are not told: a history is read by more people
    yield from _rewritten("e-mail", _joined(old.emails), _joined(new.emails))
    yield from _rewritten("phone", _joined(old.phones), _joined(new.phones))


def _joined(texts: Iterable[str]) -> str | None:
    return ", ".join(sorted(texts)) or None


def _told(entry: Job | Language | Link | Publication | Certificate) -> str:
    """An entry in a few words."""
    match entry:
        case Job():
            work = " at ".join(filter(None, (entry.title, entry.employer))) or "a job"
            ends = "–".join(dict.fromkeys(filter(None, (entry.from_date, entry.to_date))))
            return f"{work} ({ends})" if ends else work
        case Language() | Certificate():
            return entry.name
        case Publication():
            return entry.title
        case Link():
            return entry.url


def _changed(label: str, old: object, new: object) -> Iterator[str]:
    if old != new:
        yield f"{label}: {_stated(old)} → {_stated(new)}"


def _stated(value: object) -> str:
    return "not stated" if value is None else str(value)


def _rewritten(label: str, old: str | None, new: str | None) -> Iterator[str]:
    if old == new:
        return
    if old is None:
        yield f"{label} added"
    elif new is None:
        yield f"{label} no longer there"
    else:
        yield f"{label} rewritten"


def _members(label: str, old: Iterable[str], new: Iterable[str]) -> Iterator[str]:
    before, after = dict.fromkeys(old), dict.fromkeys(new)
    for sign, mine, others in (("+", after, before), ("−", before, after)):
        different = [f"{sign}{member}" for member in mine if member not in others]
        if different:
            yield f"{label} {', '.join(different)}"


def _skills(old: Sequence[Skill], new: Sequence[Skill]) -> Iterator[str]:
    before = {skill.name: skill.score for skill in old}
    after = {skill.name: skill.score for skill in new}
    yield from _members("skills", before, after)
    for name, score in after.items():
        if name in before:
            yield from _changed(f"skill {name}", before[name], score)


def _listed(
    what: str, old_listed: int, old_declared: int | None, new: Profile, new_listed: int
) -> Iterator[str]:
    declared: int | None = getattr(new.declared, what)
    if declared is not None and (old_listed, old_declared) != (new_listed, declared):
        yield f"now lists {new_listed} of {declared} {what}"


def _contributions(old: Sequence[Contribution], new: Sequence[Contribution]) -> Iterator[str]:
    pairs, gone, come = _paired(old, new)
    for label, sign, members in (("contributions", "+", come), ("contributions", "−", gone)):
        if members:
            yield f"{label} {', '.join(sign + _with_months(each) for each in members)}"
    for before, after in pairs:
        yield from _contribution(before, after)


def _contribution(old: Contribution, new: Contribution) -> Iterator[str]:
    where = new.repository
    yield from _changed(f"role in {where}", old.role, new.role)
    if (old.from_month, old.to_month) != (new.from_month, new.to_month):
        yield f"months in {where}: {_months(old)} → {_months(new)}"
    elif old.span != new.span:
        yield from _changed(f"span in {where}", old.span, new.span)
    for count, label in _COUNTS:
        yield from _changed(f"{label} in {where}", getattr(old, count), getattr(new, count))
    for label in dict.fromkeys([*old.other, *new.other]):
        yield from _changed(f"{label} in {where}", old.other.get(label), new.other.get(label))
    yield from _rewritten(f"description of {where}", old.description, new.description)
    yield from _rewritten(f"summary of {where}", old.summary, new.summary)
    yield from _members(f"topics of {where}", old.topics, new.topics)


_Pairs = tuple[list[tuple[Contribution, Contribution]], list[Contribution], list[Contribution]]


def _paired(old: Sequence[Contribution], new: Sequence[Contribution]) -> _Pairs:
    """Pair what speaks of the same work: first by repository and month, then by repository."""
    pairs: list[tuple[Contribution, Contribution]] = []
    gone, come = list(old), list(new)
    for exactly in (True, False):
        for after in list(come):
            for before in gone:
                if before.repository.casefold() == after.repository.casefold() and (
                    before.from_month == after.from_month or not exactly
                ):
                    pairs.append((before, after))
                    gone.remove(before)
                    come.remove(after)
                    break
    order = {id(each): position for position, each in enumerate(new)}
    pairs.sort(key=lambda pair: order[id(pair[1])])
    return pairs, gone, come


def _with_months(contribution: Contribution) -> str:
    months = _months(contribution)
    return (
        contribution.repository
        if months == "not stated"
        else (f"{contribution.repository} ({months})")
    )


def _months(contribution: Contribution) -> str:
    months = [_month(month) for month in (contribution.from_month, contribution.to_month) if month]
    return " – ".join(dict.fromkeys(months)) or "not stated"


def _month(month: str) -> str:
    year, number = month.split("-")
    return f"{month_abbr[int(number)]} {year}"
