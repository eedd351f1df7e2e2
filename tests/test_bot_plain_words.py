"""Plain words become a query that is shown; what nobody's page knows is named."""

from contextlib import suppress
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.answers import CardAnswer, NothingAnswer, ResultsAnswer
from bot.asking import ask
from bot.days_said import says_days
from bot.plain_words import MOST_WORDS, read
from bot.years_said import years_in
from handlers.features.candidate import answer
from storage.records import Contribution, Education, Location, Profile, Skill
from storage.search.language import parse
from storage.search.tree import QueryError
from tests.search_fixtures import INES, MEI, NOW, TOMASZ

SENA = Profile(
    name="Sena Okoye",
    title="Senior Engineer",
    company="Quillworks",
    location=Location(text="Beijing, China", city="Beijing", country="China"),
    summary="Mentors apprentices.",
    years_coding=7,
    education=(Education(text="BSc", school="University of Lund"),),
    skills=(Skill(name="cuda", score=9), Skill(name="machine-learning", score=8)),
    contributions=(Contribution(repository="kiln-lang/triton", topics=("gpu",)),),
)
WEN = Profile(
    name="Wen Aldar",
    title="Engineer",
    company="Meta",
    location=Location(text="Beijing, China", city="Beijing", country="China"),
    years_coding=2,
    skills=(Skill(name="cuda", score=7), Skill(name="go", score=7)),
    contributions=(Contribution(repository="kiln-lang/triton"),),
)


@pytest.fixture(scope="module")
def five(searchable):
    return searchable(INES, TOMASZ, MEI, SENA, WEN)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        (
            "senior cuda engineers in Beijing who worked on triton, not at Meta",
            "role:senior skill:cuda location:beijing repo:triton -company:meta nice:(role:engineer)",  # noqa: E501
        ),
        ("engineers in beijing with 5+ years", "role:engineer location:beijing years>=5"),
        ("people in oslo with more than three years", "location:oslo years>3"),
        ("cuda in beijing, 3-8 years of experience", "skill:cuda location:beijing years:3..8"),
        ("engineers coding since 2020", "role:engineer years>=6"),
        ("engineers added since 2026", "role:engineer added>=2026"),
        ("who studied at Lund and knows cuda", "school:lund skill:cuda"),
        ("engineers from the University of Lund", 'role:engineer school:"university of lund"'),
        ("machine learning in Beijing", "skill:machine-learning location:beijing"),
        ("who knows golang at facebook", "skill:go company:facebook"),
        ("anybody in malmö or oslo who knows mlir", "location:(malmö or oslo) skill:mlir"),
        ("engineers in the nordics or the apac", "role:engineer location:(nordics or apac)"),
        ("anybody in the apac region", "location:apac"),
        ("engineers not at Meta or Quillworks", "role:engineer -company:(meta or quillworks)"),
        ("engineers without cuda and with mlir", "-skill:cuda skill:mlir nice:(role:engineer)"),
        ("engineers without cuda, at least 10 years", "role:engineer -skill:cuda years>=10"),
        ("contributed to kiln-lang/triton from Beijing", "repo:kiln-lang/triton location:beijing"),
        ("who mentors apprentices in Beijing", "mentors apprentices location:beijing"),
    ],
)
def test_a_sentence_becomes_the_query_that_it_says(five, text, query):
    assert reading(five, text).query == query


def reading(store, text):
    found = read(text, lambda *asked: store.vocabulary(*asked, now=NOW), now=NOW)
    assert found is not None
    return found


def test_the_query_is_shown_and_can_be_typed(five):
    text = "senior cuda engineers in Beijing who worked on triton, not at Meta"
    reply = answer(five, text, asker="terminal:tester", now=NOW)
    assert isinstance(reply.answer, ResultsAnswer)
    assert [hit.candidate.profile.name for hit in reply.answer.hits] == ["Sena Okoye"]
    query = reply.answer.query
    assert f"not meant): `/candidate {query}`" in reply.plain
    again = answer(five, query, asker="terminal:tester", now=NOW).answer
    assert isinstance(again, ResultsAnswer)
    assert again.query == query
    assert again.hits == reply.answer.hits


def test_what_nobody_has_is_left_out_and_named(five):
    found = ask(five, "cobol wizards in Beijing who worked on triton with cuda", now=NOW)
    assert isinstance(found, ResultsAnswer)
    assert found.query == "location:beijing repo:triton skill:cuda"
    assert found.notes[1] == "Left out, since nobody's page has it: “cobol” and “wizards”."


def test_a_text_of_which_most_is_unknown_is_not_read_so(five):
    found = ask(five, "basket weavers from atlantis with a snorkel near Beijing", now=NOW)
    assert isinstance(found, NothingAnswer)
    assert not found.notes


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("cuda beijing", "cuda beijing"),
        ("engineers at Quillworks", "engineers Quillworks"),
        ("cuda or mlir", "cuda or mlir"),
        ("skill:cuda in beijing", "skill:cuda beijing"),
        ('"matrix core" in beijing or oslo', '"matrix core" beijing or oslo'),
    ],
)
def test_what_is_a_query_or_is_borne_as_it_stands_stays_so(five, text, query):
    assert ask(five, text, now=NOW).query == query


def test_a_name_stays_a_name(five):
    assert isinstance(ask(five, "Sena Okoye", now=NOW), CardAnswer)


def test_nobody_is_told_by_its_conditions(five):
    found = ask(five, "cuda engineers in Oslo with 5+ years", now=NOW)
    assert isinstance(found, NothingAnswer)
    assert [clause.text for clause in found.clauses] == ["skill:cuda", "location:oslo", "years>=5"]
    assert "`/candidate skill:cuda location:oslo years>=5 nice:(role:engineer)`" in found.notes[0]


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("5+ years", ["years>=5"]),
        ("5 years", ["years>=5"]),
        ("at least five yrs of professional experience", ["years>=5"]),
        ("over 10 years' experience", ["years>10"]),
        ("less than 3 years", ["years<3"]),
        ("up to 8 years", ["years<=8"]),
        ("between two and six years", ["years:2..6"]),
        ("3–8 years", ["years:3..8"]),
        ("a 10-year-old code base", ["years>=10"]),
        ("version 5 of yearning", []),
    ],
)
def test_years_are_read_as_people_say_them(text, years):
    assert [str(each) for each in years_in(text)] == years


WORDS = st.sampled_from(
    ["cuda", "in", "Beijing", "not", "or", "and", "at", "Meta", "5+ years", "since 2020", "who",
     "wizards", "C++", "c#", "node.js", "-x", "(", ")", ",", "“", "a/b", "...", "\0", "@", "with",
     "engineers", "#", "😀", "|", "without", "1 to 0 years", "http://x.y", "new york", "new",
     "added since monday", "this week", "changed", "last month", "3", "two", "former", "ex-Meta",
     "previously at", "emea", "in 2026-99"]
)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.one_of(st.lists(WORDS, max_size=12).map(" ".join), st.text(max_size=40)))
def test_whatever_is_said_becomes_a_query_that_reads_back_or_none(five, text):
    found = read(text, lambda *asked: five.vocabulary(*asked, now=NOW), now=NOW)
    if found is not None:
        assert str(parse(found.query)) == found.query


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=50
)
@given(st.lists(WORDS, min_size=1, max_size=8).map(" ".join))
def test_whatever_is_said_is_answered_and_its_question_reads_back(five, text):
    found = None
    with suppress(QueryError):
        found = ask(five, text, now=NOW)
    if isinstance(found, ResultsAnswer):
        assert str(parse(found.query)) == found.query
        assert five.search(found.query, now=NOW).total == found.total


def test_a_long_text_is_no_sentence(five):
    assert read("cuda " * (MOST_WORDS + 1), lambda *_: pytest.fail("looked up"), now=NOW) is None


def test_a_year_in_the_future_is_no_years(five):
    early = datetime(2019, 1, 1, tzinfo=UTC)
    found = read("cuda since 2020", lambda *asked: five.vocabulary(*asked, now=early), now=early)
    assert found is not None
    assert found.query == "skill:cuda years>=0"


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("new cuda people this week", "skill:cuda added>=7d"),
        ("new cuda people", "added>=7d skill:cuda"),
        ("cuda people added since monday", "skill:cuda added>=2026-11-30"),
        ("cuda people added on friday", "skill:cuda added:2026-11-27"),
        ("cuda people added in the last 30 days", "skill:cuda added>=30d"),
        ("who was added two weeks ago with cuda", "added>=14d skill:cuda"),
        ("cuda people changed last month", "skill:cuda changed:2026-11"),
        ("cuda people updated yesterday", "skill:cuda changed:yesterday"),
        ("new people in beijing since november", "location:beijing added>=2026-11"),
        ("new people in beijing since december 2025", "location:beijing added>=2025-12"),
        ("cuda people added this year", "skill:cuda added:2026"),
        ("engineers added since 2026-10", "role:engineer added>=2026-10"),
    ],
)
def test_days_are_those_on_which_people_were_added_or_changed(five, text, query):
    assert reading(five, text).query == query


def test_days_are_answered_by_the_record_even_where_nobody_is_so_new(five):
    found = ask(five, "new cuda people this week", now=NOW)
    assert isinstance(found, ResultsAnswer)
    assert "`/candidate skill:cuda added>=7d`" in found.notes[0]
    later = datetime(2027, 1, 20, tzinfo=UTC)
    assert isinstance(ask(five, "new cuda people this week", now=later), NothingAnswer)


@pytest.mark.parametrize(
    "text", ["engineers in new york", "new york", "the new compiler pass", "a new compiler pass"]
)
def test_new_is_no_day_behind_a_place_or_an_article(text):
    assert not says_days(text)


@pytest.mark.parametrize(
    ("text", "query", "number"),
    [
        ("3 engineers in beijing", "role:engineer location:beijing", "3"),
        ("two cuda people in beijing", "skill:cuda location:beijing", "two"),
        ("show me the top 5 cuda engineers", "skill:cuda nice:(role:engineer)", "5"),
        ("I need a couple of cuda people", "skill:cuda", "couple of"),
        ("5 years of cuda", "years>=5 skill:cuda", ""),
    ],
)
def test_a_number_in_front_is_how_many(five, text, query, number):
    found = reading(five, text)
    assert (found.query, found.number) == (query, number)


def test_how_many_is_told_and_leaves_nobody_out(five):
    found = ask(five, "1 cuda engineers in Beijing", now=NOW)
    assert isinstance(found, ResultsAnswer)
    assert found.total == 2
    assert found.notes[1] == "“1” is how many you want, and no word to look for."


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("former meta people", '"meta" -company:meta'),
        ("ex-Meta engineers in beijing", '"Meta" -company:meta role:engineer location:beijing'),
        ("previously at meta with cuda", '"meta" -company:meta skill:cuda'),
        ("used to work at meta or quillworks", None),
        ("who was at Meta before", '"Meta" -company:meta'),
        ("cuda people not formerly at meta", 'skill:cuda -("meta" -company:meta)'),
    ],
)
def test_where_somebody_was_before_is_asked_of_the_page_and_it_is_said(five, text, query):
    found = reading(five, text)
    assert query in (found.query, None)
    assert found.notes[1].startswith("Pages do not say where people worked before: I looked for “")


def test_whom_an_excluded_pair_leaves_is_told_by_what_is_there(five):
    page = five.search('skill:cuda -("meta" -company:meta)', now=NOW)
    reasons = {hit.candidate.profile.name: hit.why for hit in page.hits}
    assert "company is Meta" in reasons["Wen Aldar"]
    assert 'nothing on the page matches "meta"' in reasons["Sena Okoye"]
