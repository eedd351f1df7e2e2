"""Facts that a reader found on a document, held against the ones that its label says are there.

A person is a mapping in the shape of ``tests/cases/documents/labels.jsonl``: single values, lists
of values, and lists of entries (``jobs``, ``education``) whose values count one by one. A fact is
*right* when the label states it, *wrong* when it is read and the label does not state it; what the
label lists under ``may`` is neither. Text agrees after NFKC, case and blanks; see ``agree`` for
the rest.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from babel import Locale

from storage.records import Job, Profile

Person = Mapping[str, Any]

SINGLE = ("name", "title", "company", "city", "country")
LISTS = ("emails", "phones", "links", "skills", "publications", "certificates")
ENTRIES = ("jobs", "education")
TONGUES = ("en", "de", "fr", "es", "it", "nl", "pt", "cs", "zh")
"""The languages whose names of countries are the same country."""
JOINING = frozenset({"in", "of", "en", "de", "im", "em", "di", "the", "der", "des"})
"""What a degree and its subject may be joined by."""


@dataclass(slots=True)
class Tally:
    """Counts of facts; ``lost`` and ``wrong`` are told as ``field: value``."""

    right: int = 0
    lost: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    invented: list[str] = field(default_factory=list)
    """Names of people beyond the labelled ones."""

    @property
    def present(self) -> int:
        return self.right + len(self.lost)

    def add(self, other: "Tally") -> None:
        self.right += other.right
        self.lost += other.lost
        self.wrong += other.wrong
        self.invented += other.invented


def as_person(profile: Profile) -> dict[str, Any]:
    """What a reader made of a person, in the shape of a label."""
    place = profile.location
    return {
        "name": profile.name,
        "title": profile.title,
        "company": profile.company,
        "city": place and place.city,
        "country": place and (place.stated_country or place.country),
        "emails": list(profile.emails),
        "phones": list(profile.phones),
        "links": [each.url for each in profile.links],
        "skills": [each.name for each in profile.skills],
        "publications": [each.title for each in profile.publications],
        "certificates": [each.name for each in profile.certificates],
        "languages": [[each.name, each.level] for each in profile.languages],
        "jobs": [_job(each) for each in profile.jobs],
        "education": [
            {
                "school": each.school,
                "degree": " ".join(filter(None, (each.degree, each.area))),
                "from": each.from_date,
                "to": each.to_date,
            }
            for each in profile.education
        ],
    }


def _job(job: Job) -> dict[str, Any]:
    return {
        "employer": job.employer,
        "title": job.title,
        "from": job.from_date,
        "to": job.to_date,
        "current": job.is_current,
    }


def compare(labelled: Sequence[Person], read: Sequence[Person]) -> Tally:
    """All people of one document: pairs by name or e-mail first, the rest in their order."""
    total = Tally()
    left = list(read)
    pairs: list[tuple[Person, Person | None]] = []
    for person in labelled:
        theirs = next((each for each in left if _same_person(person, each)), None)
        if theirs is not None:
            left.remove(theirs)
        pairs.append((person, theirs))
    for person, theirs in pairs:
        total.add(_person(person, theirs or (left.pop(0) if left else {})))
    total.invented += [str(each.get("name")) for each in left]
    return total


def _same_person(one: Person, other: Person) -> bool:
    return agree("name", one["name"], other["name"]) or any(
        agree("emails", mine, theirs)
        for mine in one.get("emails", ())
        for theirs in other.get("emails", ())
    )


def _person(label: Person, read: Person) -> Tally:
    tally = Tally()
    for name in SINGLE:
        _values(name, _some(label.get(name)), _some(read.get(name)), tally)
    for name in LISTS:
        _values(name, label.get(name, ()), read.get(name, ()), tally)
    known = [_language(each) for each in label.get("languages", ())]
    _entries("languages", known, [_language(each) for each in read.get("languages", ())], tally)
    for name in ENTRIES:
        _entries(name, label.get(name, ()), read.get(name, ()), tally)
    tally.wrong = [each for each in tally.wrong if not _tolerated(each, label)]
    return tally


def _language(stated: Sequence[str | None]) -> dict[str, str | None]:
    return {"language": stated[0], "level": stated[1] if len(stated) > 1 else None}


def _some(value: str | bool | None) -> list[str]:
    return [str(value)] if value else []


def _values(name: str, stated: Sequence[str], read: Sequence[str], tally: Tally) -> None:
    left = list(read)
    for value in stated:
        theirs = next((each for each in left if agree(name, value, each)), None)
        if theirs is None:
            tally.lost.append(f"{name}: {value}")
        else:
            left.remove(theirs)
            tally.right += 1
    tally.wrong += [f"{name}: {each}" for each in left]


def _entries(name: str, stated: Sequence[Person], read: Sequence[Person], tally: Tally) -> None:
    """Each stated entry beside the one read that agrees in the most facts, the best pair first."""
    best = sorted(
        ((_agreeing(a, b), -i, -j) for i, a in enumerate(stated) for j, b in enumerate(read)),
        reverse=True,
    )
    pairs: dict[int, int] = {}
    for agreeing, i, j in best:
        if agreeing and -i not in pairs and -j not in pairs.values():
            pairs[-i] = -j
    for i, entry in enumerate(stated):
        _entry(name, entry, read[pairs[i]] if i in pairs else {}, tally)
    for j, entry in enumerate(read):
        if j not in pairs.values():
            _entry(name, {}, entry, tally)


def _agreeing(one: Person, other: Person) -> int:
    return sum(agree(key, str(one[key]), str(other[key])) for key in one if other.get(key))


def _entry(name: str, stated: Person, read: Person, tally: Tally) -> None:
    for key in {**stated, **read}:
        _values(f"{name}.{key}", _some(stated.get(key)), _some(read.get(key)), tally)


def _tolerated(wrong: str, label: Person) -> bool:
    """What the label lets pass, and today's job as title and company, or these as a job."""
    name, _, value = wrong.partition(": ")
    key = name.rpartition(".")[2]
    if any(agree("may", each, value) for each in label.get("may", ())):
        return True
    if key == "current":
        return "current" in label.get("may", ()) or not label.get("jobs")
    if key in ("title", "company", "employer"):
        now = [each for each in label.get("jobs", ()) if "to" not in each]
        stated = [label.get("title"), label.get("company")]
        stated += [each.get(part) for each in now for part in ("title", "employer")]
        return any(agree("may", each, value) for each in stated if each)
    return False


def agree(name: str, one: str, other: str) -> bool:
    """Whether two values say the same in the field ``name`` (or ``jobs.title``, …).

    >>> agree("phones", "+49 (0)89 5550 0144", "+498955500144")
    True
    >>> agree("links", "https://www.example.org/me/", "example.org/me")
    True
    >>> agree("country", "Deutschland", "Germany")
    True
    >>> agree("education.degree", "MSc in Chemistry", "MSc Chemistry")
    True
    >>> agree("jobs.from", "2019", "2019-04")
    False
    """
    match name.rpartition(".")[2]:
        case "phones":
            return _digits(one) == _digits(other)
        case "links":
            return _address(one) == _address(other)
        case "country":
            return _country(one) == _country(other)
        case "degree":
            return _words(one) == _words(other)
    return folded(one) == folded(other)


def folded(text: str) -> str:
    """NFKC, without case, all blanks alike, typographic hyphens and apostrophes made plain."""
    plain = unicodedata.normalize("NFKC", text).translate(
        str.maketrans({"’": "'", "\u2010": "-", "\u2011": "-", "\u00ad": None})
    )
    return " ".join(plain.casefold().split())


def _digits(phone: str) -> str:
    return re.sub(r"\D", "", phone.replace("(0)", "")).lstrip("0")


def _address(url: str) -> str:
    return re.sub(r"^(?:https?://)?(?:www\.)?", "", folded(url)).rstrip("/")


def _words(text: str) -> list[str]:
    return sorted(set(re.findall(r"[\w.'+#-]+", folded(text))) - JOINING)


def _country(name: str) -> str:
    return _countries().get(folded(name), folded(name))


@cache
def _countries() -> dict[str, str]:
    return dict(_country_names())


def _country_names() -> Iterator[tuple[str, str]]:
    for tongue in TONGUES:
        for code, name in Locale(tongue).territories.items():
            if len(code) == 2 and code.isalpha():
                yield folded(name), code
                yield folded(code), code
