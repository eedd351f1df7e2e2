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
        ("skill:mlir", "Ines", ("mlir 7 on the page", "mentioned in ivory/spool, Sep 2022; ivory/loom, Jun 2021")),
        ("mlir", "Tomasz", ("mlir 10 on the page", "no contribution on the page mentions it")),
        ("skill:mlir>=9", "Tomasz", ("mlir 10 on the page (asked: 9 or more)", "no contribution on the page mentions it")),
        ("skill:c", "Tomasz", ("c 6 on the page (c-language)",)),
        ("go", "Tomasz", ("go on the page, without a readable score (golang)",)),
        ("skill:mlir -skill:ssa", "Tomasz", ("mlir 10 on the page", "no contribution on the page mentions it", "ssa is not listed as a skill")),
        ("-location:oslo", "Ines", ("place on the page: Malmö, Sweden", "latest dated work Sep 2022", "page states all basics")),
        ("-company:x -years>20 -school:y", "Mei", ("company is Metalworks", "years of coding not on the page", "y is not among the schools on the page", "no dated work", "page states no years")),
        ("-repo:loom -role:staff -added<2020", "Mei", ("no contribution to loom on the page", "no title or role of staff", "added Tue 1 Dec")),
        ("sort:years", "Ines", ("9 years of coding",)),
        ("sort:-added sort:name", "Ines", ("added Tue 1 Dec",)),
        ("repo:ivory", "Ines", ("contributed to ivory/loom, Jun 2021", "contributed to ivory/spool, Sep 2022")),
        ("repo:slow", "Tomasz", ("contributed to tlecki/go-slow, Jan 2020",)),
        ("location:se", "Ines", ("country: Sweden",)),
        ("@ivory", "Ines", ("“ivory” in the name of ivory/spool, Sep 2022", "“ivory” in the name of ivory/loom, Jun 2021")),
        ("location:sverige", "Ines", ("country: Sweden",)),
        ("malmo", "Ines", ("city: Malmö",)),
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
        ("added:2026", "Mei", ("added Tue 1 Dec", "no dated work", "page states no years")),
        ("register allocation", "Ines", ("“register allocation” in the summary of ivory/loom, Jun 2021",)),
        ("allocation register", "Ines", ("“allocation” in the summary of ivory/loom, Jun 2021", "“register” in the summary of ivory/loom, Jun 2021")),
        ("machine learning", "Ines", ("machine-learning 10 on the page", "no contribution on the page mentions it")),
        ("machine learning", "Tomasz", ("“machine learning” in the summary",)),
        ("new york", "Mei", ("city: New York City",)),
        ("learning", "Ines", ("“learning” in skill machine-learning",)),
        ("tlecki", "Tomasz", ("probably tlecki on GitHub",)),
        ("skill:python or skill:mlir", "Mei", ("python 10 on the page (1 of 3 here list it)", "no contribution on the page mentions it")),
        ("-oslo", "Mei", ("nothing on the page matches oslo", "no dated work", "page states no years")),
        ("", "Mei", ("no dated work", "page states no years")),
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
    assert "Only this exact skill counts: C++, C# and C are other skills." in nothing(
        cast, "skill:r"
    ).hints or (nothing(cast, "skill:r").hints[0].startswith("Only this exact skill counts: "))
    assert (
        nothing(cast, "skill:r skill:machine").hints[0].count("Only this exact skill counts") == 1
    )
    assert not any("exactly" in hint for hint in nothing(cast, "xq").hints)
    assert nothing(cast, "skill:machine").hints == (
        "Only this exact skill counts: machine-learning is another skill.",
    )


def test_hidden_languages_are_told_for_a_language(cast):
    said = "One page counts programming languages (7) but names none: it may be among them."
    assert any(hint.startswith(said) for hint in nothing(cast, "skill:haskell").hints)
    assert not any("hides" in hint for hint in nothing(cast, "skill:kubernetes").hints)


def test_a_contradicted_country_is_told(cast):
    hints = nothing(cast, "location:brazil").hints
    assert hints == (
        "One page says “Brazil”, but the city (Oslo) is elsewhere, so I do not count it.",
    )
    assert nothing(cast, "brazil").hints == hints


def test_a_score_that_nobody_reaches_is_told(cast):
    page = nothing(cast, "skill:python>10")
    assert page.hints == ("One person lists python with score 10.",)
    assert page.suggestions == (Suggestion("skill:python", 1, MEANT),)


def test_a_former_company_offers_those_whose_text_names_it(store, add):
    add(Profile(name="Bo Stone", summary="Once at Quarry Works."))
    page = nothing(store, "company:quarry")
    assert page.hints == (
        "Nobody gives quarry as the current company, but it is mentioned on the page of Bo Stone.",
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
        ("skill:mlir,python", ("skill:(mlir or python)", 3, MEANT)),
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
    said = 'Did you mean `location:"los angeles"`? Put several words in quotes.'
    assert said in nothing(cast, "location:los angeles").hints


def test_short_words_are_told_to_match_skills_only(cast):
    assert nothing(cast, "xq").hints[0].startswith("I look for words of one or two characters")
    assert nothing(cast, "in xq").hints[-1] == "Not searched: “in”."


def test_a_city_with_another_country_is_told_for_its_own(cast):
    (said,) = nothing(cast, "location:norway").hints
    assert said == (
        "One page names a city there but another country (“Oslo, Brazil”), so I do not count it."
    )
    assert nothing(cast, 'location:"Oslo, Brazil"').hints == (
        "One page says “Brazil”, but the city (Oslo) is elsewhere, so I do not count it.",
    )


def test_years_beyond_everybody_say_what_the_most_is(cast):
    assert nothing(cast, "years>14").hints == ("The most years of coding on any page: 14.",)


def test_years_and_days_below_everybody_say_where_they_begin(cast):
    assert nothing(cast, "years<5").hints == ("The fewest years of coding on any page: 9.",)
    assert nothing(cast, "years=3").hints == ("The years of coding on the pages: 9 to 14.",)
    assert nothing(cast, "added<2020").hints == ("Everybody here was added on Tue 1 Dec.",)


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


def test_a_longer_result_can_be_refined_by_what_some_of_its_people_have(cast):
    assert not cast.search("skill:mlir", now=NOW).refine, "all of it is on one page"
    page = cast.search("skill:mlir", limit=1, now=NOW)
    for each in page.refine:
        assert each.query == f"skill:mlir {each.lead}"
        assert 1 < cast.search(each.query, now=NOW).total == each.count < page.total


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
        "One person lists rust without a readable score.",
    )
