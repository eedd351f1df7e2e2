"""What ``make bench-peers`` asks: of whom, and as each engine needs it."""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from storage.folding import fold
from tests.campaign_people import COMPANIES, PLACES, SKILLS, TITLES

SEED, ASKED, WARM, TOP = 1, 100, 20, 10
COMMON: Final = ("works", "since", "university", "msc", "engineer", "labs", "systems")
"""Words that stand on a third of all pages, or on every one."""
_BETWEEN: Final = "\x1f"


class Person(NamedTuple):
    """Somebody as peers keep people: texts are folded, ``number`` counts from 1."""

    number: int
    name: str
    city: str
    company: str
    years: int
    skills: list[str]
    body: str


def people_of(path: Path) -> Iterator[Person]:
    """Everybody who is stored in a database of ours, so that all engines hold the same."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        rows = database.execute(
            "SELECT doc, name_order, city_text, company_text, years_coding,"
            " (SELECT group_concat(name, ?) FROM profile_skill WHERE profile_id = profile.id),"
            " profile_text.text FROM profile JOIN profile_text ON profile_text.rowid = doc"
            " ORDER BY doc",
            (_BETWEEN,),
        )
        for number, name, city, company, years, skills, body in rows:
            yield Person(number, name, city, company, years, skills.split(_BETWEEN), body)


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, as each engine needs it."""

    group: str
    """By which ``ONLY`` chooses: names, conditions, facets or words."""
    kind: str
    text: str
    """As it is typed after ``/candidate``."""
    words: tuple[str, ...] = ()
    any_word: bool = False
    edits: int = 0
    """Typing mistakes in one word."""
    skills: tuple[str, ...] = ()
    city: str = ""
    years: int = 0
    parts: tuple[tuple[str, str], ...] = ()
    """Conditions (qualifier, value), of each of which it is asked how many meet it too."""
    wanted: str = ""
    """The folded name of whom the first ten are to hold: at a million, many bear one name."""


@dataclass(slots=True)
class Found:
    """Numbers of people, the best first, and how many there are where all were counted."""

    best: list[int]
    count: int | None = None
    counts: tuple[int, ...] = ()
    """How many meet each of the parts."""
    names: list[str] = field(default_factory=list)
    """The folded names of the best, where the engine gives whole people."""


def questions(path: Path, people: int) -> Iterator[Asked]:
    """``ASKED + WARM`` questions of each kind about those who are there."""
    dice = random.Random(f"peers {SEED}")
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:

        def somebody(shortest: int) -> tuple[str, str]:
            while True:
                doc = dice.randrange(people) + 1
                of_doc = database.execute("SELECT name FROM profile WHERE doc = ?", (doc,))
                given, surname = of_doc.fetchone()[0].split()
                if len(surname) >= shortest:
                    return given, surname

        for _ in range(ASKED + WARM):
            yield from _names(dice, somebody(4), somebody(8), somebody(6))
            yield from _conditions(dice)
            yield from _words(dice)


def _names(
    dice: random.Random, one: tuple[str, str], long: tuple[str, str], apart: tuple[str, str]
) -> Iterator[Asked]:
    given, surname = one
    yield _named("name, reversed", f"{surname} {given}", one)
    at = dice.randrange(1, len(surname) - 1)
    yield _named("name, mistyped", f"{given} {_swapped(surname, at)}", one, edits=1)
    given, surname = long
    first, second = dice.randrange(1, 3), dice.randrange(4, len(surname) - 1)
    twice = _swapped(surname, first)[:second] + "x" + surname[second + 1 :]
    yield _named("name, two edits", f"{given} {twice}", long, edits=2)
    given, surname = apart
    yield _named("name, split", f"{given} {surname[:4]} {surname[4:]}", apart)


def _named(kind: str, text: str, person: tuple[str, str], edits: int = 0) -> Asked:
    words = tuple(fold(text).split())
    return Asked("names", kind, text, words=words, edits=edits, wanted=fold(" ".join(person)))


def _swapped(word: str, at: int) -> str:
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _conditions(dice: random.Random) -> Iterator[Asked]:
    one, two = dice.sample(SKILLS, 2)
    city, years = dice.choice(PLACES)[0], dice.randint(3, 20)
    yield Asked("conditions", "one skill", f"skill:{one}", skills=(one,))
    yield Asked(
        "conditions",
        "two skills, city, years",
        f'skill:{one} skill:{two} location:"{city}" years>={years}',
        skills=(one, two),
        city=fold(city),
        years=years,
    )
    yield Asked("conditions", "two skills", f"skill:{one} skill:{two}", skills=(one, two))
    others = [each for each in SKILLS if each != one]
    parts = [("skill", each) for each in dice.sample(others, 3)]
    parts += [("location", fold(each)) for each, _country in dice.sample(PLACES, 2)]
    parts += [("company", fold(each)) for each in dice.sample(COMPANIES, 2)]
    yield Asked(
        "facets",
        "counts of seven buttons",
        f"skill:{one} years>={years}",
        skills=(one,),
        years=years,
        parts=tuple(parts),
    )


def _words(dice: random.Random) -> Iterator[Asked]:
    common = tuple(dice.sample(COMMON, 2))
    yield Asked("words", "two very common words", " ".join(common), words=common)
    title = dice.choice([each for each in TITLES if " " in each])
    word = dice.choice([each for each in SKILLS if each.isalpha() and len(each) > 3])
    words = (*title.lower().split(), word)
    yield Asked("words", "three words, all", " ".join(words), words=words)
    yield Asked("words", "three words, any", " or ".join(words), words=words, any_word=True)


def by_kind(asked: Iterator[Asked], only: frozenset[str]) -> dict[str, list[Asked]]:
    """The questions of each kind, of the groups in ``only`` (of all when it is empty)."""
    kinds: dict[str, list[Asked]] = {}
    for each in asked:
        if not only or each.group in only:
            kinds.setdefault(each.kind, []).append(each)
    return kinds


def portions(people: Iterator[Person], size: int) -> Iterator[list[Person]]:
    """So many at a time."""
    while some := list(islice(people, size)):
        yield some
