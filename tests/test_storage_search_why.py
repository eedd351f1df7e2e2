# ruff: noqa: E501 - a table of questions and sentences reads best in lines
"""Why people were found, and why nobody was."""

from datetime import UTC, datetime

import pytest

from storage.records import Profile, Skill

NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)


def why(store, query, name):
    hits = store.search(query, now=NOW).hits
    return next(hit.why for hit in hits if hit.candidate.profile.name.startswith(name))


@pytest.mark.parametrize(
    ("query", "name", "sentences"),
    [
        ("skill:mlir", "Ines", ("mlir 7 on the page", "named in ivory/spool, Sep 2022; ivory/loom, Jun 2021")),
        ("mlir", "Tomasz", ("mlir 10 on the page", "no listed contribution names it")),
        ("skill:mlir>=9", "Tomasz", ("mlir 10 on the page (asked: 9 or more)", "no listed contribution names it")),
        ("skill:c", "Tomasz", ("c 6 on the page (c-language)",)),
        ("go", "Tomasz", ("go on the page, its score unreadable (golang)",)),
        ("skill:mlir -skill:ssa", "Tomasz", ("mlir 10 on the page", "no listed contribution names it", "ssa is not listed")),
        ("location:sverige", "Ines", ("Sweden is the stated country",)),
        ("malmo", "Ines", ("Malmö is the stated city",)),
        ("company:norrsken", "Ines", ("company is Norrsken Labs",)),
        ("fjord", "Tomasz", ("company is Fjord Systems",)),
        ("fjord", "Ines", ("“fjord” in the summary",)),
        ("repo:loom", "Ines", ("contributed to ivory/loom, Jun 2021",)),
        ("repo:ivory/", "Ines", ("contributed to ivory/loom, Jun 2021", "contributed to ivory/spool, Sep 2022")),
        ("repo:go-slow", "Tomasz", ("contributed to tlecki/go-slow, Jan 2020",)),
        ("school:lund", "Ines", ("studied at University of Lund",)),
        ("role:backend", "Ines", ("role Back-end Developer in ivory/loom",)),
        ("role:staff", "Tomasz", ("title is Staff Engineer",)),
        ("years>=9", "Ines", ("9 years of coding (asked: 9 or more)",)),
        ("employed<3", "Mei", ("2 years employed (asked: fewer than 3)",)),
        ("added:2026", "Mei", ("added 2026-12-01",)),
        ("register allocation", "Ines", ("“register allocation” in the summary of ivory/loom, Jun 2021",)),
        ("allocation register", "Ines", ("“allocation” in the summary of ivory/loom, Jun 2021", "“register” in the summary of ivory/loom, Jun 2021")),
        ("machine learning", "Ines", ("machine-learning 10 on the page", "no listed contribution names it")),
        ("machine learning", "Tomasz", ("“machine learning” in the summary",)),
        ("new york", "Mei", ("New York City is the stated city",)),
        ("learning", "Ines", ("“learning” in skill machine-learning",)),
        ("tlecki", "Tomasz", ("login is probably tlecki",)),
        ("skill:python or skill:mlir", "Mei", ("python 10 on the page", "no listed contribution names it")),
        ("-oslo", "Mei", ()),
        ("", "Mei", ()),
    ],
)  # fmt: skip
def test_reasons_can_be_checked(query, name, sentences, cast):
    assert why(cast, query, name) == sentences


def test_everybody_found_by_what_they_have_gets_a_reason(cast):
    for query in ("cuda or mlir", "engineer", "c++ -oslo", "location:usa", "role:eng years>1"):
        for hit in cast.search(query, now=NOW).hits:
            assert hit.why, (query, hit.candidate.profile.name)


def nothing(store, query):
    page = store.search(query, now=NOW)
    assert page.total == 0
    return page


def test_each_part_says_what_it_finds_alone_and_what_dropping_it_gives(cast):
    page = nothing(cast, "skill:mlir location:oslo skill:python")
    assert [(each.text, each.count, each.without, each.rest) for each in page.clauses] == [
        ("skill:mlir", 2, 0, "location:oslo skill:python"),
        ("location:oslo", 1, 0, "skill:mlir skill:python"),
        ("skill:python", 1, 1, "skill:mlir location:oslo"),
    ]


def test_words_that_are_one_name_are_one_part(cast):
    page = nothing(cast, "united kingdom mlir")
    assert [each.text for each in page.clauses] == ["united kingdom", "mlir"]
    assert [each.without for each in page.clauses] == [2, 0]


def test_near_skills_are_named_as_not_counting(cast):
    assert "Skills match exactly: C++, C# and C do not count." in nothing(
        cast, "skill:r"
    ).hints or (nothing(cast, "skill:r").hints[0].startswith("Skills match exactly: "))
    assert nothing(cast, "skill:machine").hints == (
        "Skills match exactly: machine-learning does not count.",
    )


def test_hidden_languages_are_told_for_a_language(cast):
    said = "One page hides its languages (7 declared, none shown), so this does not prove that"
    assert any(hint.startswith(said) for hint in nothing(cast, "skill:haskell").hints)
    assert not any("hides" in hint for hint in nothing(cast, "skill:kubernetes").hints)


def test_a_contradicted_country_is_told(cast):
    hints = nothing(cast, "location:brazil").hints
    assert hints == ("One page states “Brazil” but the city (Oslo) contradicts it.",)
    assert nothing(cast, "brazil").hints == hints


def test_a_score_that_nobody_reaches_is_told(cast):
    page = nothing(cast, "skill:python>10")
    assert page.hints == ("One person lists python, at 10 or less.",)
    assert page.suggestions[0] == ("skill:python", 1)


def test_a_former_company_offers_those_whose_text_names_it(store, add):
    add(Profile(name="Bo Stone", summary="Once at Quarry Works."))
    page = nothing(store, "company:quarry")
    assert page.hints == (
        "Nobody states quarry as the current company; the text names it for Bo Stone.",
    )
    assert page.suggestions == (("quarry", 1),)


@pytest.mark.parametrize(
    ("query", "suggestion"),
    [
        ("skill:mlri", ("skill:mlir", 2)),
        ("pyhton", ("skill:python", 1)),
        ("company:norsken", None),
        ("location:mamlö", ("location:malmo", 1)),
        ("repo:spoool", ("repo:spool", 1)),
        ("skill:kubernetes", ("skill:mlir", 2)),
    ],
)
def test_the_nearest_known_value_is_offered(query, suggestion, cast):
    suggestions = nothing(cast, query).suggestions
    assert suggestions[0] == suggestion if suggestion else suggestions == ()


def test_years_beyond_everybody_say_what_the_most_is(cast):
    assert nothing(cast, "years>14").hints == (
        "The most years of coding that a page states is 14.",
    )


def test_a_part_that_excludes_everybody_says_so(cast):
    assert nothing(cast, "-added>=2026").hints == ("Everybody here matches added>=2026.",)


def test_narrower_questions_find_some_and_not_all(cast):
    page = cast.search("skill:mlir", now=NOW)
    assert page.narrow
    for query in page.narrow:
        assert 0 < cast.search(query, now=NOW).total < page.total


def test_the_examples_find_somebody(cast):
    examples = cast.known_examples(NOW)
    assert cast.named(examples.name).hits
    for query in (
        examples.words, examples.skill, examples.two_skills, examples.repository,
        examples.location, examples.company, examples.years,
    ):  # fmt: skip
        assert query
        assert cast.search(query, now=NOW).total


def test_the_examples_of_the_seeds_begin_with_chenggang(seeded_store):
    assert seeded_store.known_examples(NOW).name == "chenggang"


def test_an_empty_store_has_no_examples_and_explains_nothing(store):
    assert store.known_examples(NOW).skill == ""
    page = store.search("skill:cuda years>3 -x location:oslo company:x", now=NOW)
    assert page.total == 0
    assert {clause.count for clause in page.clauses} == {0}


def test_scores_without_a_number_do_not_break_the_explanation(store, add):
    add(Profile(name="Ada", skills=(Skill(name="rust"),)))
    assert nothing(store, "skill:rust>=1").hints == (
        "One person lists rust, with no readable score.",
    )
