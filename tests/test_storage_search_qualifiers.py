"""Who each qualifier finds, and what is said of them."""

from dataclasses import replace
from datetime import timedelta

import pytest

from storage.records import Contribution, Education, Profile, Skill
from storage.search.qualifiers import TABLE
from tests.search_fixtures import INES, MEI, NOW, TOMASZ, put

OLA = Profile(
    name="Ola Brandt",
    years_coding=3,
    education=(Education(text="Self-taught"),),
    skills=(Skill(name="rust", score=4),),
    contributions=(Contribution(repository="ola/kiln", topics=("golang", "compilers")),),
)


@pytest.fixture(scope="module")
def four(searchable):
    return searchable(INES, TOMASZ, MEI, OLA)


def found(store, query, now=NOW):
    return {hit.candidate.profile.name.split()[0] for hit in store.search(query, now=now).hits}


@pytest.mark.parametrize(
    ("query", "people"),
    [
        ("lang:go", {"Tomasz", "Ola"}),
        ("lang:golang", {"Tomasz", "Ola"}),
        ("lang:rust", {"Ola"}),
        ("-lang:go", {"Ines", "Mei"}),
        ("topic:mlir", {"Ines"}),
        ("topic:compiler", {"Ola"}),
        ("topic:(ssa or compilers)", {"Ines", "Ola"}),
        ("has:education", {"Ines", "Tomasz", "Ola"}),
        ("has:github", {"Tomasz"}),
        ("has:contributions -has:location", {"Ola"}),
        ("has:experience", {"Ines", "Tomasz", "Mei"}),
        ("has:years has:topics", {"Ines", "Ola"}),
        ("years:3..9", {"Ines", "Ola"}),
        ("years:9..9", {"Ines"}),
        ("-years:3..9", {"Tomasz", "Mei"}),
        ("skill:mlir=6..8", {"Ines"}),
        ("skill:mlir=6..10", {"Ines", "Tomasz"}),
        ("skill:golang=0..10", set()),
        ('location:(oslo or "new york")', {"Tomasz", "Mei"}),
        ('-location:(oslo or "new york")', {"Ines", "Ola"}),
        ("skill:(mlir and c++)", {"Ines"}),
        ("company:(metalworks or fjord) -skill:(c or rust)", {"Mei"}),
        ("added:2026-11..2026-12", {"Ines", "Tomasz", "Mei", "Ola"}),
        ("added:2026-10..2026-11", set()),
        ("changed:today", {"Ines", "Tomasz", "Mei", "Ola"}),
    ],
)
def test_a_qualifier_finds_whom_it_says(four, query, people):
    assert found(four, query) == people


def test_what_was_changed_is_told_from_what_was_added(store):
    put(store, OLA, NOW)
    later = NOW + timedelta(days=3)
    put(store, replace(OLA, years_coding=4), later)
    put(store, INES, NOW)
    assert found(store, "changed:today", later) == {"Ola"}
    assert found(store, "added:today", later) == set()
    first, last = store.search("sort:-changed", now=later).hits
    assert first.why == ("last changed Fri 4 Dec",)
    assert last.candidate.profile.name == "Ines Adeyemi"


def test_results_can_be_put_in_order_by_the_page_s_scores(four):
    page = four.search("skill:mlir sort:-score", now=NOW)
    assert [hit.candidate.profile.name for hit in page.hits] == ["Tomasz Łęcki", "Ines Adeyemi"]
    assert page.order == "Sorted by the page's scores of the skills asked for, highest first."
    page = four.search("lang:go sort:score", now=NOW)  # golang has no readable score: both last
    assert [hit.candidate.profile.name for hit in page.hits] == ["Ola Brandt", "Tomasz Łęcki"]


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("topic:compiler", "compilers is a topic of ola/kiln"),
        ("lang:go -has:location", "golang is a topic of ola/kiln"),
        ("lang:rust", "rust 4 on the page"),
        ("has:education -has:company", "education: Self-taught"),
        ("-has:company", "no company on the page"),
        ("-has:company -lang:c", "c is neither a skill nor a topic on the page"),
        ("years:1..3", "3 years of coding (asked: 1 to 3)"),
        ("skill:rust=3..5", "rust 4 on the page (asked: 3 to 5)"),
    ],
)
def test_each_reason_can_be_checked(four, query, why):
    (hit,) = four.search(query, now=NOW).hits
    assert hit.candidate.profile.name == "Ola Brandt"
    assert why in hit.why


def test_what_is_nice_to_have_comes_first_and_leaves_nobody_out(four):
    page = four.search("has:contributions nice:(lang:rust or location:oslo)", now=NOW)
    names = [hit.candidate.profile.name.split()[0] for hit in page.hits]
    assert names == ["Ola", "Tomasz", "Ines"]
    assert "rust 4 on the page" in page.hits[0].why
    assert "nice to have" in page.order
    assert page.phrase == "with contributions, first those who know rust or in oslo"


@pytest.mark.parametrize("key", TABLE)
def test_whoever_is_not_found_is_found_by_the_contrary(four, key):
    example = TABLE[key].example
    everybody = {"Ines", "Tomasz", "Mei", "Ola"}
    assert found(four, example) | found(four, f"-{example}") == everybody
    assert not found(four, example) & found(four, f"-{example}")


def test_nobody_found_says_what_the_pages_state(four):
    page = four.search("changed:2025", now=NOW)
    assert "Everybody here was last changed on Tue 1 Dec." in page.hints
    page = four.search("topic:compilr", now=NOW)
    assert [each.query for each in page.suggestions] == ["topic:compiler"]
    page = four.search("lang:zig", now=NOW)
    assert any("programming languages" in hint for hint in page.hints)
