"""Invented people to search among, in a store of their own."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import count

import pytest

from storage.records import (
    Contribution,
    Declared,
    Document,
    Education,
    Location,
    Profile,
    Skill,
)
from storage.store import Store

Add = Callable[..., str]

NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)

INES = Profile(
    name="Ines Adeyemi",
    headline="Compiler Engineer at Norrsken Labs",
    title="Compiler Engineer",
    company="Norrsken Labs",
    location=Location(text="Malmö, Sweden", city="Malmö", country="Sweden"),
    summary="Writes back-end passes. Earlier at Fjord Systems.",
    years_coding=9,
    years_employed=4,
    education=(Education(text="MSc", school="University of Lund"),),
    skills=(
        Skill(name="c++", score=10),
        Skill(name="mlir", score=7),
        Skill(name="machine-learning", score=10),
    ),
    declared=Declared(languages=7),
    contributions=(
        Contribution(
            repository="ivory/loom",
            from_month="2021-02",
            to_month="2021-06",
            role="Back-end Developer",
            topics=("mlir", "ssa"),
            summary="Ines added register allocation.",
        ),
        Contribution(repository="ivory/spool", to_month="2022-09", description="MLIR in the small"),
    ),
)
TOMASZ = Profile(
    name="Tomasz Łęcki",
    headline="Staff Engineer at Fjord Systems",
    title="Staff Engineer",
    company="Fjord Systems",
    location=Location(text="Oslo, Brazil", city="Oslo", stated_country="Brazil"),
    summary="Machine learning in C++; likes the loom.",
    years_coding=14,
    education=(Education(text="PhD", school="Politechnika Gdańska"),),
    skills=(
        Skill(name="c-language", score=6),
        Skill(name="mlir", score=10),
        Skill(name="golang", score=None),
    ),
    contributions=(Contribution(repository="tlecki/go-slow", from_month="2020-01"),),
    likely_login="tlecki",
)
MEI = Profile(
    name="Mei Zimmer",
    title="Data Scientist",
    company="Metalworks",
    location=Location(text="New York City, USA", city="New York City", country="USA"),
    years_employed=2,
    skills=(Skill(name="c#", score=8), Skill(name="python", score=10)),
)


@pytest.fixture(scope="module")
def searchable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Store]]:
    """Makes a store of these profiles; whoever reads only may share it within a module."""
    stores = []

    def make(*profiles: Profile) -> Store:
        numbers = count(1)
        path = tmp_path_factory.mktemp("search") / "candidates.db"
        stores.append(Store.open(f"sqlite:///{path}", new_id=lambda: f"{next(numbers):032x}"))
        for profile in profiles:
            put(stores[-1], profile, NOW)
        return stores[-1]

    yield make
    for each in stores:
        each.close()


@pytest.fixture(scope="module")
def cast(searchable: Callable[..., Store]) -> Store:
    """A store to read: Ines Adeyemi, Tomasz Łęcki and Mei Zimmer."""
    return searchable(INES, TOMASZ, MEI)


@pytest.fixture
def add(store: Store) -> Add:
    """Adds a profile to ``store`` and gives its id."""

    def add_profile(profile: Profile, *, at: datetime = NOW) -> str:
        return put(store, profile, at)

    return add_profile


def put(store: Store, profile: Profile, at: datetime) -> str:
    """Store a profile; its document is made up."""
    document = Document(
        name=f"{profile.name} {profile.company}.txt",
        text=repr(profile),
        added_by="terminal:tester",
        added_via="load",
        parser="test/1",
    )
    return store.add(profile, document, now=at).candidate_id
