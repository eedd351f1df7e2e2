"""The order of results: named, then carried by contributions, then text; the same every time."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from storage.records import Contribution, Education, Profile, Skill, StackOverflow
from storage.search import ranking


def ranked(store, query, now):
    return [hit.candidate.profile.name for hit in store.search(query, now=now).hits]


def test_named_comes_before_carried_before_mentioned(store, add, now):
    add(Profile(name="Text Only", summary="Some weaver in prose."))
    carried = tuple(Contribution(repository=f"x/r{n}", summary="A weaver.") for n in range(5))
    add(Profile(name="Much Carried", contributions=carried))
    add(Profile(name="Once Carried", contributions=carried[:1]))
    add(Profile(name="Is Named", company="Weaver"))
    assert ranked(store, "weaver", now) == ["Is Named", "Much Carried", "Once Carried", "Text Only"]


def test_one_contribution_outweighs_the_score_of_the_page(store, add, now):
    add(Profile(name="High Score", skills=(Skill(name="cuda", score=10),)))
    add(
        Profile(
            name="Shown Work",
            skills=(Skill(name="cuda", score=1),),
            contributions=(Contribution(repository="x/y", topics=("cuda",)),),
        )
    )
    add(Profile(name="Low Score", skills=(Skill(name="cuda", score=2),)))
    add(Profile(name="No Score", skills=(Skill(name="cuda"),)))
    for query in ("skill:cuda", "cuda"):
        assert ranked(store, query, now) == ["Shown Work", "High Score", "Low Score", "No Score"]


def test_whoever_answers_more_of_an_or_comes_first(store, add, now):
    add(Profile(name="Only A", skills=(Skill(name="cuda", score=10),)))
    add(Profile(name="Both Ab", skills=(Skill(name="cuda", score=5), Skill(name="onnx", score=5))))
    assert ranked(store, "skill:cuda or skill:onnx", now) == ["Both Ab", "Only A"]


def test_words_that_are_one_skill_count_as_the_skill(store, add, now):
    add(Profile(name="In Prose", summary="She likes machine learning and learning machine tools."))
    add(Profile(name="As Skill", skills=(Skill(name="machine-learning"),)))
    assert ranked(store, "machine learning", now) == ["As Skill", "In Prose"]
    assert store.search("machine learning", now=now).hits[0].score >= ranking.NAMED


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("sort:name", ["ada", "Bo", "Cy"]),
        ("sort:-name", ["Cy", "Bo", "ada"]),
        ("sort:years", ["Cy", "ada", "Bo"]),
        ("sort:-years", ["ada", "Cy", "Bo"]),
        ("skill:go sort:-years", ["ada", "Bo"]),
        ("sort:-employed sort:-name", ["Bo", "Cy", "ada"]),
    ],
)
def test_an_asked_order_goes_first_and_the_unstated_last(query, names, store, add, now):
    go = (Skill(name="go"),)
    add(Profile(name="ada", years_coding=9, skills=go))
    add(Profile(name="Bo", years_employed=1, skills=go))
    add(Profile(name="Cy", years_coding=3))
    assert ranked(store, query, now) == names
    assert store.search(query, now=now).order.startswith("Sorted ")


_PRESTIGE = st.fixed_dictionaries(
    {
        "badges": st.sampled_from([(), ("Rockstar", "Top School")]),
        "stackoverflow": st.sampled_from([None, StackOverflow(reputation=99_999)]),
        "education": st.sampled_from([(), (Education(text="BSc", school="Ivy College"),)]),
        "name": st.sampled_from(["Ada Byte", "Wei Chen", "Bob Dow"]),
    }
)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_PRESTIGE)
def test_prestige_and_names_change_no_score(store, add, now, prestige):
    profile = Profile(name="Plain", skills=(Skill(name="cuda", score=9),), summary="gpu kernels")
    ids = [add(replace(profile, **prestige)), add(profile)]
    for query in ("skill:cuda", "gpu", "cuda kernels"):
        scores = {
            hit.candidate.id: hit.score for hit in store.search(query, limit=99, now=now).hits
        }
        assert scores[ids[0]] == scores[ids[1]]


def test_equal_scores_stand_by_name_every_time(store, add, now):
    for letter in "dBca":
        add(Profile(name=f"{letter} Same", skills=(Skill(name="cuda", score=5),)))
    page = store.search("cuda", now=now)
    assert [hit.candidate.profile.name[0] for hit in page.hits] == list("aBcd")
    assert page.order == "", "nothing is to be said of an order that only names make"


def test_the_whole_name_of_a_company_goes_first(store, add, now):
    add(Profile(name="Al", company="Meta AI"))
    add(Profile(name="Bo", company="Meta"))
    for query in ("company:meta", "meta"):
        assert ranked(store, query, now) == ["Bo", "Al"]


def test_the_order_is_told_as_it_is(store, add, now):
    cuda = (Skill(name="cuda", score=5),)
    add(Profile(name="Al", skills=cuda))
    add(Profile(name="Bo", skills=(Skill(name="cuda", score=9),)))
    assert store.search("skill:cuda", now=now).order == "Highest score on the page first."
    add(Profile(name="Cy", skills=cuda, contributions=(Contribution(repository="x/cuda"),)))
    assert (
        store.search("skill:cuda", now=now).order
        == "First: people whose contributions mention the skill."
    )
    add(Profile(name="Di", summary="Knows cuda."))
    assert (
        store.search("cuda", now=now).order
        == "First: a name, skill, place or company, then other text."
    )
    assert store.search("in cuda", now=now).order.endswith(" Not searched: “in”.")


def test_the_formula_stands_in_its_docstring():
    assert f"Version {ranking.VERSION}" in ranking.__doc__
    for factor in ranking.EVIDENCE[1:]:
        assert str(factor) in ranking.__doc__
    assert ranking.CARRIED * max(ranking.EVIDENCE) < ranking.NAMED
    assert ranking.MENTIONED < ranking.CARRIED


def test_an_address_that_names_nothing_finds_nobody_and_breaks_nothing(store, add, now):
    add(Profile(name="Ada Invented", company="Weaver"))
    for query in ("company:https://github.com//", "https://github.com//"):
        assert ranked(store, query, now) == []
    assert ranked(store, "company:https://github.com// or company:weaver", now) == ["Ada Invented"]


def test_ranks_that_only_the_points_of_the_page_tell_apart_are_one_band(store, add, now):
    work = Contribution(repository="zz/kernels", summary="Wrote cuda kernels.", commits=9)
    for number in range(4):
        skills = (Skill(name="cuda", score=7 + number),)
        add(Profile(name=f"Shown {number}", skills=skills, contributions=(work,)))
    for number in range(3):
        add(Profile(name=f"Listed {number}", skills=(Skill(name="cuda", score=number),)))
    first = store.search("cuda", limit=5, now=now)
    assert first.bands == ((1, 4),) * 4 + ((5, 7),)
    second = store.search("cuda", limit=5, offset=5, now=now)
    assert second.bands == ((5, 7),) * 2
    assert store.search("cuda", now=now).bands == (), "all are on one page"
    assert store.search("cuda sort:name", limit=5, now=now).bands == (), "ranked by something else"


@given(st.lists(st.floats(0.01, 1_000), min_size=1, max_size=60))
def test_bands_cover_every_rank_once_and_none_is_wider_than_noise(scores):
    found = ranking.bands(np.array(scores))
    ordered = sorted(scores, reverse=True)
    assert [rank for first, last in found for rank in range(first, last + 1)] == [
        *range(1, len(scores) + 1)
    ]
    for first, last in found:
        assert ordered[last - 1] >= ordered[first - 1] * (1 - ranking.NOISE)
        assert last == len(ordered) or ordered[last] < ordered[first - 1] * (1 - ranking.NOISE)
