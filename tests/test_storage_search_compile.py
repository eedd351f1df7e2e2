"""What questions find, in a real store."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storage.models import DigestItemRow, SubscriptionRow
from storage.records import Location, Profile, Skill
from storage.search.language import parse
from storage.search.tree import QueryError
from storage.store import Store

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent / "cases" / "ask.jsonl").read_text("utf-8").splitlines()
]
NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)


@pytest.fixture(scope="module")
def seeds(searchable, seed_profiles):
    return searchable(*(profile for profile, _document in seed_profiles))


def found(store: Store, query: str) -> set[str]:
    """First names of those found."""
    page = store.search(query, now=NOW)
    assert page.total == len(page.hits)
    again = store.search(page.query, now=NOW)
    assert (again.query, again.total, again.hits) == (page.query, page.total, page.hits)
    return {hit.candidate.profile.name.split()[0] for hit in page.hits}


@pytest.mark.parametrize(
    "case", [case for case in CASES if case["answer"] in ("results", "nothing")],
    ids=lambda case: case["q"],
)  # fmt: skip
def test_case(case, seeds):
    page = seeds.search(case["q"], now=NOW)
    names = [hit.candidate.profile.name for hit in page.hits]
    assert bool(names) == (case["answer"] == "results")
    if "names" in case:
        assert names == case["names"]
    assert set(case.get("includes", ())) <= set(names)
    assert sorted(case.get("set", names)) == sorted(names)
    said = " ".join([*page.hints, *(clause.text for clause in page.clauses)]).casefold()
    for words in case.get("says", ()):
        assert words in said or words == "nobody"


@pytest.mark.parametrize(
    ("query", "names"),
    [
        # words of names, places, companies, schools, repositories, roles, skills, text
        ("ines", {"Ines"}),
        ("lecki", {"Tomasz"}),
        ("malmö", {"Ines"}),
        ("malmo", {"Ines"}),
        ("fjord", {"Ines", "Tomasz"}),
        ("lund", {"Ines"}),
        ("loom", {"Ines", "Tomasz"}),
        ("ivory/loom", {"Ines"}),
        ("https://github.com/ivory/loom", {"Ines"}),
        ("tlecki", {"Tomasz"}),
        ("staff engineer", {"Tomasz"}),
        ("mlir", {"Ines", "Tomasz"}),
        ("register allocation", {"Ines"}),
        ("machine learning", {"Ines", "Tomasz"}),
        ("nobodyatall", set()),
        # other numbers and spellings of a word, not of a phrase
        ("backend", {"Ines"}),
        ("back-end", {"Ines"}),
        ("compilers", {"Ines"}),
        ('"register allocation"', {"Ines"}),
        ('"allocation register"', set()),
        ('"register allocations"', set()),
        ('"learning in c++"', {"Tomasz"}),
        ('"adeyemi compiler"', set()),
        # C is not C++ is not C#, and no prose is a short skill
        ("c", {"Tomasz"}),
        ("C", {"Tomasz"}),
        ("c++", {"Ines"}),
        ("c#", {"Mei"}),
        ("go", {"Tomasz"}),
        ("golang", {"Tomasz"}),
        ("in", None),
        ("skill:c", {"Tomasz"}),
        ('skill:"C language"', {"Tomasz"}),
        ("skill:cpp", {"Ines"}),
        ("skill:csharp", {"Mei"}),
        ("skill:learning", set()),
        ("skill:machine_learning", {"Ines"}),
        # scores
        ("skill:mlir>=8", {"Tomasz"}),
        ("skill:mlir<8", {"Ines"}),
        ("skill:mlir=7", {"Ines"}),
        ("skill:mlir<=10", {"Ines", "Tomasz"}),
        ("skill:mlir>10", set()),
        ("skill:go>=0", set()),
        # qualifiers
        ("location:sweden", {"Ines"}),
        ("location:sverige", {"Ines"}),
        ("location:brazil", set()),
        ("brazil", set()),
        ("location:oslo", {"Tomasz"}),
        ('location:"new york"', {"Mei"}),
        ("location:usa", {"Mei"}),
        ("location:malmö,sweden", {"Ines"}),
        ("location:malmö,norway", set()),
        ("company:norrsken", {"Ines"}),
        ("company:meta", set()),
        ("company:fjord", {"Tomasz"}),
        ('company:"systems fjord"', {"Tomasz"}),
        ("school:lund", {"Ines"}),
        ('school:"lund university"', {"Ines"}),
        ("school:politechnika", {"Tomasz"}),
        ("repo:loom", {"Ines"}),
        ("repo:ivory/loom", {"Ines"}),
        ("repo:github.com/ivory/spool", {"Ines"}),
        ("repo:ivory/", {"Ines"}),
        ("repo:ivory", {"Ines"}),
        ("repo:ivor", set()),
        ("repo:slow", {"Tomasz"}),
        ('repo:"go slow"', {"Tomasz"}),
        ("location:se", {"Ines"}),
        ("location:SE", {"Ines"}),
        ('location:"malmö, se"', {"Ines"}),
        ("location:br", set()),
        ("repo:go-slow", {"Tomasz"}),
        ("role:backend", {"Ines"}),
        ("role:back-end", {"Ines"}),
        ("role:eng", {"Ines", "Tomasz"}),
        ('role:"data scientist"', {"Mei"}),
        ("years>=9", {"Ines", "Tomasz"}),
        ("years<10", {"Ines"}),
        ("years:14", {"Tomasz"}),
        ("employed>2", {"Ines"}),
        ("added:2026-12-01", {"Ines", "Tomasz", "Mei"}),
        ("added<2026-12", set()),
        ("added>=today", {"Ines", "Tomasz", "Mei"}),
        ("added>today", set()),
        # and, or, not
        ("mlir -oslo", {"Ines"}),
        ("not skill:mlir", {"Mei"}),
        ("-years>=9", {"Mei"}),
        ("not (skill:mlir or skill:python)", set()),
        ("(skill:python or skill:c) -oslo", {"Mei"}),
        ("skill:mlir (malmö or oslo) years>10", {"Tomasz"}),
        ("engineers at Fjord", {"Tomasz", "Ines"}),
        ("", {"Ines", "Tomasz", "Mei"}),
        ("sort:name", {"Ines", "Tomasz", "Mei"}),
    ],
)
def test_a_question_finds(query, names, cast):
    if names is None:
        with pytest.raises(QueryError):
            cast.search(query, now=NOW)
    else:
        assert found(cast, query) == names


def test_pages_follow_each_other_and_the_total_is_exact(store, add):
    for number in range(23):
        add(Profile(name=f"Person {chr(65 + number)}", skills=(Skill(name="cuda", score=5),)))
    pages = [store.search("skill:cuda", limit=10, offset=offset, now=NOW) for offset in (0, 10, 20)]
    assert [len(page.hits) for page in pages] == [10, 10, 3]
    assert {page.total for page in pages} == {23}
    ids = [hit.candidate.id for page in pages for hit in page.hits]
    assert ids == sorted(ids)
    assert store.search("skill:cuda", offset=99, now=NOW).hits == ()


def test_another_workspace_is_never_searched(cast, store_url):
    other = Store.open(store_url, workspace="other")
    assert other.search("skill:mlir", now=NOW).total == 0
    assert other.search("", now=NOW).total == 0
    assert other.named("Ines").hits == ()
    assert other.known_examples(NOW).name == ""
    other.close()


def test_untold_leaves_out_who_was_added_before_or_told(store, add):
    old = add(Profile(name="Old Hand"), at=NOW - timedelta(days=30))
    told = add(Profile(name="Told Once"))
    new = add(Profile(name="New Face"))
    with store.database.write() as session:
        session.add(
            SubscriptionRow(
                workspace="main", number=3, channel="C1", weekdays="1", hour=9, minute=0,
                timezone="UTC", since=NOW - timedelta(days=7), created_by="U1",
                created_at=NOW, active_from=NOW,
            )
        )  # fmt: skip
        session.flush()
        session.add(DigestItemRow(workspace="main", subscription=3, profile_id=told, run_id="r"))
    ids = [hit.candidate.id for hit in store.search("", untold=3, now=NOW).hits]
    assert ids == [new]
    assert old not in ids


def test_an_updated_page_is_found_by_what_it_says_now(store, add):
    profile = Profile(name="Ada Byte", company="Ink", location=Location(text="Oslo", city="Oslo"))
    first = add(profile)
    assert add(replace(profile, title="Weaver", skills=(Skill(name="rust"),))) == first
    assert found(store, "weaver skill:rust") == {"Ada"}
    assert add(replace(profile, title="Binder")) == first
    assert found(store, "weaver or skill:rust") == set()


_PIECES = """cuda|c++|go|malmö|fjord|loom|-mlir|skill:mlir|years>8|or|machine|learning|new|york
|"back-end"|(mlir or c)|北京|sort:-added|role:eng|added>=7d|not|uk"""


@settings(max_examples=40)
@given(st.lists(st.sampled_from(_PIECES.split("|")), max_size=9).map(" ".join))
def test_any_question_has_an_answer(cast, text):
    try:
        parse(text)
    except QueryError:
        return
    page = cast.search(text, now=NOW)
    assert page.total == len(page.hits)
    assert not (page.total and page.clauses)


def test_fifty_long_words_are_not_too_much_for_the_database(cast):
    words = [f"w{chr(97 + number % 26)}{chr(97 + number // 26)}alongwords" for number in range(50)]
    assert cast.search(" ".join(words), now=NOW).total == 0
    assert cast.search(" or ".join(words), now=NOW).total == 0
