"""The order of results: named, then carried by contributions, then text; the same every time."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from storage.records import Contribution, Education, Location, Profile, Skill, StackOverflow
from storage.search import ranking, stated


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
        "name": st.sampled_from(["Ada Byte", "Wei Chen", "Bob Dow", "Zoë Żak", "王磊"]),
    }
)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_PRESTIGE)
def test_prestige_and_names_change_no_score(store, add, now, prestige):
    profile = Profile(name="Plain", skills=(Skill(name="cuda", score=9),), summary="gpu kernels")
    ids = [add(replace(profile, **prestige)), add(profile)]
    for query in ("skill:cuda", "gpu", "cuda kernels"):
        hits = store.search(query, limit=99, now=now).hits
        scores = {hit.candidate.id: hit.score for hit in hits}
        assert scores[ids[0]] == scores[ids[1]]
        assert [hit.candidate.id for hit in hits if hit.candidate.id in ids] == sorted(ids)


def test_equal_scores_stand_by_id_every_time(store, add, now):
    for letter in "dBca":
        add(Profile(name=f"{letter} Same", skills=(Skill(name="cuda", score=5),)))
    page = store.search("cuda", now=now)
    ids = [hit.candidate.id for hit in page.hits]
    assert ids == sorted(ids)
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


def dated(month):
    return (Contribution(repository="x/y", from_month=month),)


def test_equals_stand_by_date_then_by_how_much_is_stated_and_are_told_so(store, add, now):
    """The unknown stands in the middle: no date is no fact about the work."""
    oslo = Location(text="Oslo", city="Oslo")
    add(Profile(name="Long Ago", location=oslo, contributions=dated("2015-02")))
    add(Profile(name="No Date", location=oslo))
    add(Profile(name="Of Late", location=oslo, contributions=dated("2026-08")))
    add(Profile(name="Says More", location=oslo, title="Engineer", company="Weaver"))
    page = store.search("location:oslo", now=now)
    assert [hit.candidate.profile.name for hit in page.hits] == [
        "Of Late", "Says More", "No Date", "Long Ago",
    ]  # fmt: skip
    assert [hit.why for hit in page.hits] == [
        ("city: Oslo", "latest dated work Aug 2026", "page states no title, no company, no years"),
        ("city: Oslo", "no dated work", "page states no years"),
        ("city: Oslo", "no dated work", "page states no title, no company, no years"),
        ("city: Oslo", "latest dated work Feb 2015", "page states no title, no company, no years"),
    ]
    assert (
        page.order == "All match equally well: the latest dated work first, then who states more."
    )


def test_of_alternatives_the_rarer_skill_counts_more_and_says_so(store, add, now):
    for number in range(8):
        add(Profile(name=f"Common {number}", skills=(Skill(name="git", score=9),)))
    add(Profile(name="Rare One", skills=(Skill(name="mlir", score=1),)))
    for query in ("skill:git or skill:mlir", "git or mlir", "nice:(mlir or git)"):
        page = store.search(query, now=now)
        assert page.hits[0].candidate.profile.name == "Rare One"
        assert "mlir 1 on the page (1 of 9 here list it)" in page.hits[0].why
    assert "9 on the page" in " ".join(store.search("skill:git", now=now).hits[0].why)
    assert "here list it" not in " ".join(store.search("skill:git", now=now).hits[0].why)


def test_a_name_that_is_written_so_outranks_one_that_is_read_so(store, add, now):
    add(Profile(name="王磊", skills=(Skill(name="cuda"),)))
    add(Profile(name="Lei Wang", skills=(Skill(name="cuda"),)))
    assert ranked(store, "wang skill:cuda", now) == ["Lei Wang", "王磊"]


_LIKE = Profile(
    name="Wang Lei",
    company="Meta AI",
    skills=(Skill(name="cuda", score=4), Skill(name="mlir", score=4)),
    contributions=tuple(
        Contribution(repository=f"x/r{n}", topics=("cuda",) if n < 2 else (), from_month="2024-01")
        for n in range(4)
    ),
)
_MORE = {
    "level": replace(_LIKE, skills=(Skill(name="cuda", score=5), Skill(name="mlir", score=4))),
    "evidence": replace(
        _LIKE,
        contributions=tuple(
            Contribution(repository=f"x/r{n}", topics=("cuda",), from_month="2024-01")
            for n in range(4)
        ),
    ),
    "exactness": replace(_LIKE, company="Meta"),
    "recency": replace(
        _LIKE,
        contributions=(
            *_LIKE.contributions[:3],
            replace(_LIKE.contributions[3], from_month="2026-11"),
        ),
    ),
    "completeness": replace(_LIKE, title="Somebody", years_coding=3),
}
_QUERIES = (
    "skill:cuda", "cuda meta", "cuda mlir", "skill:cuda or skill:mlir", "wang company:meta",
    "company:meta nice:(skill:cuda)", "meta wang cuda",
)  # fmt: skip


@pytest.mark.parametrize("factor", _MORE)
def test_raising_a_factor_never_lowers_a_rank(factor, store, add, now):
    """Stored second or first: the one who is the same with more of one factor is not behind."""
    for names in (("Wang Lei", "Wang Min"), ("Wang Fei", "Wang Jun")):
        less, more = (
            replace(profile, name=name)
            for profile, name in zip((_LIKE, _MORE[factor]), names, strict=True)
        )
        in_turn = (less, more) if names[0] == "Wang Lei" else (more, less)
        ids = {profile.name: add(profile) for profile in in_turn}
        for query in _QUERIES:
            hits = store.search(query, limit=99, now=now).hits
            scores = {hit.candidate.id: hit.score for hit in hits}
            assert scores[ids[more.name]] >= scores[ids[less.name]], (query, factor)


@given(
    st.integers(0, 10), st.integers(0, 3), st.integers(1, 1_000), st.integers(2, 1_000),
    st.sampled_from([1.0, stated.BETWEEN, stated.RECENTLY]), st.integers(0, 4),
)  # fmt: skip
def test_what_is_asked_for_outweighs_how_a_page_is_kept(
    points, carrying, held, people, date, amount
):
    """One point less, or one contribution less, is not made good by date and completeness."""
    rare = 1 + ranking.RAREST * ranking.rareness(held, people)
    assert ranking.FACTORS["rarity"][0] <= rare <= ranking.FACTORS["rarity"][1]
    kept = date * (1 + amount * stated.EACH)
    assert 1.0 <= kept <= stated.RECENTLY * (1 + 4 * stated.EACH)
    score = rare * (1 + points / 200) * ranking.EVIDENCE[carrying]
    if points:
        assert score > rare * (1 + (points - 1) / 200) * ranking.EVIDENCE[carrying] * kept
    if carrying:
        assert score > rare * (1 + points / 200) * ranking.EVIDENCE[carrying - 1] * kept


def test_no_alternative_alone_outranks_two_and_nothing_carried_passes_for_named():
    most = {name: bounds[1] for name, bounds in ranking.FACTORS.items()}
    kept = most["recency"] * most["completeness"]
    one = most["evidence"] * most["level"] * most["rarity"] * most["exactness"]
    assert one * kept < 2 * ranking.NAMED
    assert ranking.CARRIED * most["evidence"] * kept < ranking.NAMED


_MONTHS = st.one_of(
    st.none(),
    st.builds("{:04d}-{:02d}".format, st.integers(2015, 2027), st.integers(1, 12)),
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_MONTHS, st.sets(st.sampled_from(["title", "company", "location", "years_coding"])))
def test_factors_of_the_page_are_the_same_for_the_order_and_for_its_reasons(
    store, add, now, month, kept
):
    whole = {
        "title": "Engineer",
        "company": "Weaver",
        "location": Location(text="Oslo", city="Oslo"),
        "years_coding": 4,
    }
    profile = Profile(name="Ada", contributions=dated(month), **{key: whole[key] for key in kept})
    id_ = add(profile)
    kept_profile = store.candidate(id_).profile  # a page that is known already changes nothing
    with store._looking() as look:
        docs = np.array([doc for doc, _id, _name in look.with_id(id_)])
        assert stated.recency(look, docs, now).tolist() == [stated.recency_of(kept_profile, now)]
        assert stated.completeness(look, docs).tolist() == [stated.completeness_of(kept_profile)]


def test_the_documented_table_is_the_code():
    text = (Path(__file__).parent.parent / "docs" / "ranking.md").read_text("utf-8")
    assert f"version {ranking.VERSION}" in text
    rows = re.findall(r"^\| `(\w+)` \| ([\d.]+) \| ([\d.]+) \|", text, re.MULTILINE)
    told = {name: (float(least), float(most)) for name, least, most in rows}
    assert told == {name: pytest.approx(bounds) for name, bounds in ranking.FACTORS.items()}
    assert list(told) == list(ranking.FACTORS)


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
