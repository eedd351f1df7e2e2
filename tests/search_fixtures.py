"""Invented people to search among, in a store of their own."""

from collections.abc import Callable
from datetime import datetime

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
    location=Location(text="New York City, United States", city="New York City", country="United States"),
    years_employed=2,
    skills=(Skill(name="c#", score=8), Skill(name="python", score=10)),
)  # fmt: skip


@pytest.fixture
def add(store: Store, now: datetime) -> Add:
    """Adds a profile and gives its id."""

    def add_profile(profile: Profile, *, at: datetime = now) -> str:
        document = Document(
            name=f"{profile.name}.txt",
            text=repr(profile),
            added_by="terminal:tester",
            added_via="load",
            parser="test/1",
        )
        return store.add(profile, document, now=at).candidate_id

    return add_profile


@pytest.fixture
def cast(store: Store, add: Add) -> Store:
    """A store with three invented people: Ines Adeyemi, Tomasz Łęcki and Mei Zimmer."""
    for profile in (INES, TOMASZ, MEI):
        add(profile)
    return store
