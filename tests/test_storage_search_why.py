# ruff: noqa: E501 - a table of questions and sentences reads best in lines
"""Why people were found, and why nobody was."""

from datetime import UTC, datetime

import pytest

from storage.records import Profile, Skill
from storage.search.suggesting import ANY, LISTED, MEANT, NAMED
from storage.search.values import Suggestion

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
        ("-location:oslo", "Ines", ("place as stated: Malmö, Sweden",)),
        ("-company:x -years>20 -school:y", "Mei", ("company is Metalworks", "years of coding not stated", "y is not among the schools")),
        ("-repo:loom -role:staff -added<2020", "Mei", ("no listed contribution to loom", "no title or role of staff", "added 2026-12-01")),
        ("sort:years", "Ines", ("9 years of coding",)),
        ("sort:-added sort:name", "Ines", ("added 2026-12-01", "name is Ines Adeyemi")),
        ("repo:ivory", "Ines", ("contributed to ivory/loom, Jun 2021", "contributed to ivory/spool, Sep 2022")),
        ("repo:slow", "Tomasz", ("contributed to tlecki/go-slow, Jan 2020",)),
        ("location:se", "Ines", ("Sweden is the stated country",)),
        ("@ivory", "Ines", ("“ivory” in the name of ivory/spool, Sep 2022", "“ivory” in the name of ivory/loom, Jun 2021")),
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
        ("-oslo", "Mei", ("nothing here matches oslo",)),
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
    assert nothing(cast, "skill:r skill:machine").hints[0].count("Skills match exactly") == 1
    assert not any("exactly" in hint for hint in nothing(cast, "xq").hints)
    assert nothing(cast, "skill:machine").hints == (
        "Skills match exactly: machine-learning does not count.",
    )


def test_hidden_languages_are_told_for_a_language(cast):
    said = (
        "One page hides its languages (7 declared, none shown), so this does not prove its person"
    )
    assert any(hint.startswith(said) for hint in nothing(cast, "skill:haskell").hints)
    assert not any("hides" in hint for hint in nothing(cast, "skill:kubernetes").hints)


def test_a_contradicted_country_is_told(cast):
    hints = nothing(cast, "location:brazil").hints
    assert hints == ("One page states “Brazil” but the city (Oslo) contradicts it.",)
    assert nothing(cast, "brazil").hints == hints


def test_a_score_that_nobody_reaches_is_told(cast):
    page = nothing(cast, "skill:python>10")
    assert page.hints == ("One person lists python, at 10.",)
    assert page.suggestions == (Suggestion("skill:python", 1, MEANT),)


def test_a_former_company_offers_those_whose_text_names_it(store, add):
    add(Profile(name="Bo Stone", summary="Once at Quarry Works."))
    page = nothing(store, "company:quarry")
    assert page.hints == (
        "Nobody states quarry as the current company; the text names it for Bo Stone.",
    )
    assert page.suggestions == (Suggestion("quarry", 1, NAMED),)


@pytest.mark.parametrize(
    ("query", "suggestion"),
    [
        ("skill:mlri", ("skill:mlir", 2, MEANT)),
        ("pyhton", ("skill:python", 1, MEANT)),
        ("company:norsken", ("company:norrsken", 1, MEANT)),
        ("location:mamlö", ("location:malmo", 1, MEANT)),
        ("location:swedn", ("location:sweden", 1, MEANT)),
        ("school:polytechnika", ("school:politechnika", 1, MEANT)),
        ("repo:spoool", ("repo:spool", 1, MEANT)),
        ("skill:kubernetes", ("skill:mlir", 2, LISTED)),
        ("company:nowhere", ('company:"fjord systems"', 1, LISTED)),
        ("skill:mlir,python", ("skill:mlir or skill:python", 3, MEANT)),
        ("skill:mlir,c++", ("skill:mlir skill:c++", 1, MEANT)),
        ("9+ years", ("years>=9", 2, MEANT)),
        ("ines tomasz", ("ines or tomasz", 2, ANY)),
    ],
)
def test_a_question_that_finds_somebody_is_offered(query, suggestion, cast):
    assert nothing(cast, query).suggestions[0] == Suggestion(*suggestion)


def test_what_is_listed_most_is_left_out_where_something_nearer_is(cast):
    assert {each.lead for each in nothing(cast, "skill:mlri").suggestions} == {MEANT}


def test_several_words_behind_a_colon_are_told_to_need_quotes(cast):
    said = 'A value of several words needs quotes: location:"los angeles".'
    assert said in nothing(cast, "location:los angeles").hints


def test_short_words_are_told_to_match_skills_only(cast):
    assert nothing(cast, "xq").hints[0].startswith("Words of one or two letters or digits")
    assert nothing(cast, "in xq").hints[-1] == "Passed over: “in”."


def test_a_city_with_another_country_is_told_for_its_own(cast):
    (said,) = nothing(cast, "location:norway").hints
    assert said == (
        "One page states a city there with another country (“Oslo, Brazil”), "
        "so the country is unclear."
    )
    assert nothing(cast, 'location:"Oslo, Brazil"').hints == (
        "One page states “Brazil” but the city (Oslo) contradicts it.",
    )


def test_years_beyond_everybody_say_what_the_most_is(cast):
    assert nothing(cast, "years>14").hints == (
        "The most years of coding that a page states is 14.",
    )


def test_years_and_days_below_everybody_say_where_they_begin(cast):
    assert nothing(cast, "years<5").hints == (
        "The fewest years of coding that a page states is 9.",
    )
    assert nothing(cast, "years=3").hints == ("The years of coding that pages state are 9 to 14.",)
    assert nothing(cast, "added<2020").hints == ("Everybody here was added on 2026-12-01.",)


def test_a_part_that_excludes_everybody_says_so(cast):
    assert nothing(cast, "mlir -added>=2026").hints == ("Everybody here was added since 2026.",)
    page = nothing(cast, "-added>=2026")
    assert page.nobody == "Nobody: everybody here was added since 2026."
    assert page.hints == ()
    assert not nothing(cast, "mei -skill:python").hints, "not everybody has it"


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
