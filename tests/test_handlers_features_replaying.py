"""An answer is asked again as of then: the same, or what made it another one."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from bot.settings import Settings
from handlers.access.people import Asker, Place
from handlers.access.rights import Role
from handlers.features.candidate import answer
from handlers.features.replaying import NotReplayed, as_json, as_text, replayed
from storage.records import Skill, StandingKind
from storage.search.ranking import VERSION
from tests.people_fixtures import add

NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
LATER = NOW + timedelta(days=40)
SETTINGS = Settings(_env_file=None)


@pytest.fixture
def filled(store):
    for number, name in enumerate(("Quetzal Adeyemi", "Bo Invented", "Cy Invented")):
        add(store, name, now=NOW, skills=(Skill(name="mlir", score=9 - number),), likely_login=None)
    return store


def asked(store, text, *, at=NOW, **said):
    said = {"asker": "terminal:ada", **said}
    return answer(store, text, now=at, settings=SETTINGS, **said)


def replay(store, number):
    found = replayed(store, number, settings=SETTINGS)
    return found, as_text(found, now=LATER)


@pytest.mark.parametrize(
    "question",
    [
        "skill:mlir", "quetzal", "invented", "compare quetzal, bo invented", "similar quetzal",
        "new", "everyone", "added:7d", "skill:cobol", "again",
    ],
)  # fmt: skip
def test_what_did_not_change_is_the_same_weeks_later(question, filled):
    if question == "again":
        asked(filled, "skill:mlir")
    number = asked(filled, question).number
    found, told = replay(filled, number)
    assert found.same, told
    assert "Nothing changed of the people stored since then." in told


def test_an_answer_says_its_number_where_it_does_not_clutter(filled):
    listed = asked(filled, "skill:mlir")
    assert listed.terminal.endswith(f"\nAnswer {listed.number}")
    slack = Place(kind="command", channel="C1")
    listed = asked(filled, "skill:mlir", asker="U0MIRALINDG", place=slack)
    last = [block for block in listed.message.blocks if block["type"] == "context"][-1]
    assert last["elements"][-1]["text"] == f"Answer {listed.number}"
    card = asked(filled, "quetzal", asker="U0MIRALINDG", place=slack)
    assert f"Answer {card.number}" not in str(card.message.blocks)
    assert replay(filled, card.number)[0].same


def test_days_and_the_asker_are_those_of_then(filled):
    """40 days later nobody was added in the last week; in Auckland the day is another one."""
    asker = Asker(id="U0MIRALINDG", timezone="Pacific/Auckland", role=Role.RECRUITER)
    number = asked(filled, "added:2026-12-01", asker=asker).number
    found, told = replay(filled, number)
    assert found.same
    assert "(Pacific/Auckland)" in told
    assert "Tue 1 Dec 2026 22:30" in told


def test_a_page_is_replayed_as_that_page(store):
    for number in range(13):
        add(store, f"Person {chr(65 + number)}", now=NOW, likely_login=None)
    number = asked(store, "skill:mlir", offset=10).number
    found, told = replay(store, number)
    assert found.same
    assert len(found.now) == 3
    assert "from place 11" in told
    assert "of 13 as then" in told


def test_whoever_came_changed_or_is_hidden_since_is_the_reason(filled):
    number = asked(filled, "skill:mlir").number
    bo = filled.named("bo invented").hits[0].candidate.id
    add(filled, "Di Invented", now=LATER, skills=(Skill(name="mlir", score=10),), likely_login=None)
    add(filled, "Cy Invented", now=LATER, text="Cy, a new page", skills=(), likely_login=None)
    filled.set_standing(bo, StandingKind.OBJECTED, by="U1", now=LATER)
    found, told = replay(filled, number)
    assert not found.same
    assert "3 found then, 2 now." in told
    assert "Di Invented (not on it then)" in told
    assert "Bo Invented" not in told, "no search may show them"
    assert "somebody who is hidden from searches now (then 2)" in told
    assert "Cy Invented (then 3)" in told
    assert "1 added, 1 changed" in told
    assert as_json(found)["same"] is False


def test_of_who_was_erased_nothing_is_said_and_the_question_is_gone(filled):
    number = asked(filled, "skill:mlir").number
    quetzal = filled.named("quetzal").hits[0].candidate.id
    filled.remove(quetzal, now=LATER)
    with pytest.raises(NotReplayed, match="is gone: somebody whom it was about was erased"):
        replay(filled, number)
    assert quetzal not in filled.past_answer(number).shown.values()


def test_an_older_formula_is_named(filled):
    number = asked(filled, "skill:mlir").number
    with filled.database.write() as session:
        session.connection().execute(text("UPDATE answer SET ranking = 2"))
        session.connection().execute(
            text("UPDATE audit_subject SET position = 2 - position WHERE position IS NOT NULL")
        )
    found, told = replay(filled, number)
    assert not found.same
    assert f"The formula was version 2 then, and is version {VERSION} now." in told
    assert "1  Quetzal Adeyemi (then 3)" in told


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("help", "cannot be asked again"),
        ("audit", "is no answer to a question"),
        (f"job: Requirements: mlir. {'We look for somebody. ' * 8}", "cannot be asked again"),
    ],
)
def test_what_cannot_be_asked_again_says_so(question, why, filled):
    number = asked(filled, question).number
    before = filled.newest_entry()
    with pytest.raises(NotReplayed, match=why):
        replay(filled, number)
    assert filled.newest_entry() == before


def test_a_number_that_no_entry_has_says_so(filled):
    with pytest.raises(NotReplayed, match="There is no answer 999"):
        replay(filled, 999)
