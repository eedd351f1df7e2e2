"""Sentences about what people do: whatever their titles say, with mistakes, and never guessed."""

from datetime import datetime
from typing import Any

import pytest

from bot.answers import CardAnswer, NothingAnswer, ResultsAnswer
from bot.asking import ask
from handlers.features.candidate import answer, shown_by
from storage.records import Document, Location, Profile, Skill
from storage.search.suggesting import MEANT, MOST_OF_IT, NEAR
from storage.search.tree import QueryError
from storage.store import Store

OSLO = Location(text="Oslo, Norway", city="Oslo", country="Norway")


def add(store: Store, name: str, now: datetime, *skills: str, **fields: Any) -> None:
    page = Document(
        name=f"{name}.txt",
        text=f"{name} {skills} {fields}",
        added_by="folder",
        added_via="inbox",
        parser="prog-ai/1",
    )
    listed = tuple(Skill(name=each, score=8) for each in skills)
    store.add(Profile(name=name, skills=listed, **fields), page, now=now)


@pytest.fixture
def people(store: Store, now: datetime) -> Store:
    add(store, "Ada Okafor", now, "c", "linux", title="Kernel Architect", location=OSLO)
    add(store, "Bo Lind", now, "c++", title="Engineer", location=OSLO)
    add(store, "Cy Marsh", now, "erlang", title="Senior Programmer")
    add(store, "Di Novak", now, "r", "statistics", title="Statistician", company="Quillworks")
    add(store, "R. Balan", now, "html", title="Designer")
    return store


def found(store: Store, text: str, now: datetime) -> list[str]:
    answer = ask(store, text, now=now)
    assert isinstance(answer, ResultsAnswer), answer
    return [hit.candidate.profile.name for hit in answer.hits]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("C programmers", ["Ada Okafor"]),
        ("c developers in norway", ["Ada Okafor"]),
        ("C++ experts", ["Bo Lind"]),
        ("senior erlang programmers", ["Cy Marsh"]),
        ("people who know R", ["Di Novak"]),
        ("r", ["Di Novak"]),
    ],
)
def test_a_skill_says_what_people_do_whatever_their_title_is(
    people: Store, now: datetime, text: str, names: list[str]
):
    assert found(people, text, now) == names


def test_a_name_of_one_letter_and_more_stays_a_name(people: Store, now: datetime):
    answer = ask(people, "R. Balan", now=now)
    assert isinstance(answer, CardAnswer)


def test_titles_give_way_where_nobody_has_all_and_it_is_said(people: Store, now: datetime):
    answer = ask(people, "senior c developers in oslo who know linux", now=now)
    assert isinstance(answer, ResultsAnswer)
    assert [hit.candidate.profile.name for hit in answer.hits] == ["Ada Okafor"]
    assert answer.query.startswith("skill:c location:oslo skill:linux nice:(role:senior")
    assert answer.notes[1].startswith(
        "Nobody here has all of it, so I moved to nice to have: `role:senior`"
    )


@pytest.mark.parametrize(
    "text",
    [
        "c developers at Zzyzx Labs",  # an employer whom nobody has is not left out
        "erlang developers in norway",  # a skill and a place do not give way
        "senior statistician at quillworks",  # and without a skill nothing does
    ],
)
def test_what_people_are_asked_for_does_not_give_way(people: Store, now: datetime, text: str):
    assert isinstance(ask(people, text, now=now), NothingAnswer)


def test_a_mistyped_word_is_read_and_said(people: Store, now: datetime):
    answer = ask(people, "statistcs", now=now)
    assert isinstance(answer, ResultsAnswer)
    assert answer.query == "skill:statistics"
    assert answer.notes == (
        "Nobody matches “statistcs”, so I took it for `/candidate skill:statistics`.",
    )


def test_a_mistyped_query_is_only_offered_another(people: Store, now: datetime):
    answer = ask(people, "skill:statistcs", now=now)
    assert isinstance(answer, NothingAnswer)
    assert [each.query for each in answer.suggestions] == ["skill:statistics"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("c or erlang programmers", ["Ada Okafor", "Cy Marsh"]),
        ("linux developers in norway or sweden", ["Ada Okafor"]),
    ],
)
def test_or_in_a_sentence_joins_what_stands_beside_it(
    people: Store, now: datetime, text: str, names: list[str]
):
    assert sorted(found(people, text, now)) == names


def test_more_signs_in_a_row_than_anybody_types_are_refused(people: Store, now: datetime):
    with pytest.raises(QueryError, match="in a row"):
        people.search("王" * 995, now=now)


@pytest.mark.parametrize(
    ("text", "query", "names"),
    [
        ("linux oslp", "linux oslo", ["Ada Okafor"]),
        ("who knows linux in oslp", "linux oslo", ["Ada Okafor"]),
        ("linxu oslp", "linux oslo", ["Ada Okafor"]),
    ],
)
def test_a_misspelt_word_beside_a_right_one_corrects_the_whole_question(
    people: Store, now: datetime, text: str, query: str, names: list[str]
):
    assert found(people, text, now) == names
    assert ask(people, text, now=now).query == query


def test_a_typed_query_is_offered_whole_and_the_part_alone_is_told_from_it(
    people: Store, now: datetime
):
    answer = ask(people, "skill:linxu location:oslo", now=now)
    assert isinstance(answer, NothingAnswer)
    offered = [(each.lead, each.query) for each in answer.suggestions]
    assert offered == [(MEANT, "skill:linux location:oslo"), (NEAR, "skill:linux")]


def test_no_correction_drops_the_words_beside_it(people: Store, now: datetime):
    answer = ask(people, "statistics oslp", now=now)
    assert isinstance(answer, NothingAnswer)
    assert (NEAR, "location:oslo") in [(each.lead, each.query) for each in answer.suggestions]


def test_where_leaving_out_one_part_is_not_enough_the_most_of_it_is_offered(
    people: Store, now: datetime
):
    answer = ask(people, "skill:linux location:oslo company:quillworks skill:erlang", now=now)
    assert isinstance(answer, NothingAnswer)
    (most, *_) = answer.suggestions
    assert (most.lead, most.query, most.count) == (MOST_OF_IT, "skill:linux location:oslo", 1)
    answer = ask(people, "skill:linux location:oslo company:quillworks", now=now)
    assert isinstance(answer, NothingAnswer)
    assert [(clause.text, clause.without) for clause in answer.clauses][-1] == (
        "company:quillworks",
        1,
    )
    assert not [each for each in answer.suggestions if each.lead == MOST_OF_IT]


def test_whose_name_reads_the_same_is_told_above_the_card_and_audited(store: Store, now: datetime):
    add(store, "Dmitry Sokolov", now)
    add(store, "Дмитрий Соколов", now, company="Quillworks")
    reply = answer(store, "dmitry sokolov", asker="terminal:tester", now=now)
    assert isinstance(reply.answer, CardAnswer)
    assert "Also here, read the same in Latin letters: `Дмитрий Соколов`" in reply.plain
    assert "Also here, read the same in Latin letters: .venv" in reply.terminal
    assert len(shown_by(reply)) == 2
