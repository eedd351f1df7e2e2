"""Which of several readings of a question is answered: names, words, text, typos, in this order."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.answers import CardAnswer, ChoiceAnswer, ErrorAnswer, NothingAnswer, ResultsAnswer
from bot.asking import LONGEST, ask
from handlers.features.candidate import answer, reply_as_json
from storage.records import Document, Location, Profile, Skill, StandingKind
from storage.store import Store

NOW = datetime(2026, 12, 1, 9, tzinfo=UTC)
PIECES = [
    "tomasz",
    "rust",
    "skill:",
    "skill:rust",
    "-",
    "or",
    "(",
    ")",
    '"',
    "help",
    "digest",
    "new",
    "years>=",
    "3",
    "<@U1|x>",
    "&lt;",
    "*",
    "\x00",
    "github.com/x",
    "why",
]


def add(store: Store, name: str, now: datetime, **fields: Any) -> None:
    page = Document(
        name=f"{name}.txt",
        text=f"{name} {fields}",
        added_by="folder",
        added_via="inbox",
        parser="prog-ai/1",
    )
    store.add(Profile(name=name, **fields), page, now=now)


@pytest.fixture
def people(store: Store, now: datetime) -> Store:
    berlin = Location(text="Berlin, Germany", city="Berlin", country="Germany")
    malmo = Location(text="Malmö, Sweden", city="Malmö", country="Sweden")
    add(store, "Tomasz Lindqvist", now, location=malmo, skills=(Skill(name="rust", score=9),))
    add(store, "Tomasz Nowak", now, location=berlin, company="Acme")
    add(store, "Rusty Adler", now, location=berlin, summary="Writes about tomatoes.")
    return store


def test_a_whole_name_beats_everything(people: Store, now: datetime):
    found = ask(people, "nowak tomasz", now=now)
    assert isinstance(found, CardAnswer)
    assert found.candidate.profile.name == "Tomasz Nowak"


def test_several_of_a_name_are_a_choice_that_tells_them_apart(people: Store, now: datetime):
    reply = answer(people, "tomasz", asker="terminal:t", now=now)
    assert isinstance(reply.answer, ChoiceAnswer)
    assert "Malmö, Sweden" in reply.message.plain
    assert "Acme" in reply.message.plain
    assert {each["name"] for each in reply_as_json(reply)["results"]} == {
        "Tomasz Lindqvist",
        "Tomasz Nowak",
    }


def test_a_name_with_another_term_is_a_search(people: Store, now: datetime):
    found = ask(people, "tomasz berlin", now=now)
    assert isinstance(found, ResultsAnswer)
    assert [hit.candidate.profile.name for hit in found.hits] == ["Tomasz Nowak"]


def test_a_skill_beats_the_beginning_of_a_name(people: Store, now: datetime):
    found = ask(people, "rust", now=now)
    assert isinstance(found, ResultsAnswer)
    assert [hit.candidate.profile.name for hit in found.hits] == ["Tomasz Lindqvist"]


def test_the_beginning_of_a_name_is_enough(people: Store, now: datetime):
    found = ask(people, "adl", now=now)
    assert isinstance(found, CardAnswer)


def test_text_beats_a_mistyped_name(people: Store, now: datetime):
    assert isinstance(ask(people, "tomatoes", now=now), ResultsAnswer)


def test_a_mistyped_name_says_what_it_was_taken_for(people: Store, now: datetime):
    reply = answer(people, "tomasz lindqist", asker="terminal:t", now=now)
    assert isinstance(reply.answer, CardAnswer)
    assert "I took that for" in reply.message.plain
    assert "Lindqvist" in reply.message.plain.splitlines()[0]


def test_quotes_always_search(people: Store, now: datetime):
    assert not isinstance(ask(people, '"tomasz nowak"', now=now), CardAnswer)


def test_a_question_too_long_is_told_how_long_it_may_be(people: Store, now: datetime):
    found = ask(people, "x" * (LONGEST + 1), now=now)
    assert isinstance(found, ErrorAnswer)
    assert "1,000" in found.text


def test_nothing_says_how_many_are_stored(people: Store, now: datetime):
    found = ask(people, "skill:cobol", now=now)
    assert isinstance(found, NothingAnswer)
    assert found.stored == 3


@settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    st.one_of(
        st.text(max_size=40),
        st.lists(
            st.sampled_from(PIECES),
            max_size=6,
        ).map(" ".join),
    )
)
def test_any_text_is_answered_with_a_sentence_for_people(people: Store, now: datetime, text: str):
    document = reply_as_json(answer(people, text, asker="terminal:t", now=now))
    assert document["answer"] in {"card", "results", "choice", "nothing", "help", "error", "done"}
    assert document["message"].strip()
    assert document["blocks"]
    assert set(document) == {"answer", "query", "total", "results", "message", "blocks"}


def test_an_initial_that_is_also_a_little_word_still_names(store: Store, now: datetime):
    add(store, "Anna van der Berg", now)
    add(store, "Bo Berg", now)
    found = ask(store, "A Berg", now=now)
    assert isinstance(found, CardAnswer)
    assert found.candidate.profile.name == "Anna van der Berg"


def test_a_han_name_read_aloud_is_a_card(store: Store, now: datetime):
    add(store, "王小明", now)
    found = ask(store, "wang xiaoming", now=now)
    assert isinstance(found, CardAnswer)
    assert found.taken_for is None


def test_an_id_alone_is_the_card_of_whom_it_means_also_after_a_merge(seeded_store):
    one, other = (hit.candidate.id for hit in seeded_store.search("", now=NOW).hits)
    found = ask(seeded_store, one, now=NOW)
    assert isinstance(found, CardAnswer)
    assert found.hit.candidate.id == one
    seeded_store.merge(one, other, by="U1", now=NOW)
    met = {ask(seeded_store, each, now=NOW).hit.candidate.id for each in (one, other)}
    assert len(met) == 1
    assert not isinstance(ask(seeded_store, "0" * 12, now=NOW), CardAnswer)


def test_the_id_of_somebody_hidden_shows_nobody(seeded_store):
    [hit, _] = seeded_store.search("", now=NOW).hits
    seeded_store.set_standing(hit.candidate.id, StandingKind.RESTRICTED, by="U1", now=NOW)
    assert not isinstance(ask(seeded_store, hit.candidate.id, now=NOW), CardAnswer)
