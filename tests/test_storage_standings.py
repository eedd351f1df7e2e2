"""What a standing keeps from happening, and who is in touch with whom."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.digest import compose
from storage.records import Document, Profile, Skill, StandingKind, Use
from storage.standings import IN_TOUCH_FOR
from storage.store import Store
from storage.uses import FORBIDS, allows, is_hidden

NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
HIDING = [kind for kind, uses in FORBIDS.items() if Use.SEARCH in uses]


def add(store: Store, name: str) -> str:
    profile = Profile(name=name, skills=(Skill(name="cuda", score=8),), company="Norrsken")
    document = Document(name="", text=name, added_by="U1", added_via="load", parser="test/1")
    return store.add(profile, document, now=NOW).candidate_id


def found(store: Store, query: str) -> list[str]:
    return [hit.candidate.id for hit in store.search(query, now=NOW).hits]


def test_every_standing_is_in_the_table():
    assert set(FORBIDS) == set(StandingKind)


@pytest.mark.parametrize("kind", HIDING)
def test_a_person_who_must_not_be_searched_is_in_no_answer(store, kind):
    ines, bo = add(store, "Ines Adeyemi"), add(store, "Bo Lindqvist")
    assert store.set_standing(ines, kind, by="U9", reason="asked", now=NOW)
    assert found(store, "skill:cuda") == [bo]
    assert found(store, "") == [bo]
    assert found(store, "ines") == []
    assert found(store, "not company:foo") == [bo]
    assert store.named("ines adeyemi").hits == ()
    assert store.named("ines adeyemy").hits == ()
    assert store.count() == 1
    assert store.search("skill:cuda", now=NOW).total == 1
    kept = store.candidate(ines)
    assert is_hidden(kept)
    assert [standing.kind for standing in kept.standings] == [kind]
    assert store.lift_standing(ines, kind)
    assert sorted(found(store, "skill:cuda")) == sorted([ines, bo])


def test_who_is_not_to_be_contacted_is_found_and_in_no_digest(store):
    ines = add(store, "Ines Adeyemi")
    subscription, _ = store.save_subscription(
        channel="C1",
        weekdays=(1,),
        hour=9,
        minute=0,
        timezone="UTC",
        since=NOW - timedelta(days=7),
        created_by="U1",
        now=NOW,
    )
    assert store.untold_matches("", 1, now=NOW) == [ines]
    assert store.untold(subscription) == [ines]
    store.set_standing(ines, StandingKind.DO_NOT_CONTACT, by="U9", now=NOW)
    assert store.untold_matches("", 1, now=NOW) == []
    assert store.untold(subscription) == []  # what a digest without a question asks
    assert found(store, "ines") == [ines]
    standings = store.candidate(ines).standings
    assert {use for use in Use if allows(standings, use)} == {Use.SEARCH}


@pytest.mark.parametrize("kind", FORBIDS)
def test_a_digest_of_everybody_names_nobody_whose_standing_forbids_it(store, kind):
    ines, bo = add(store, "Ines Adeyemi"), add(store, "Bo Lindqvist")
    subscription, _ = store.save_subscription(
        channel="C1",
        weekdays=(1,),
        hour=9,
        minute=0,
        timezone="UTC",
        since=NOW - timedelta(days=7),
        created_by="U1",
        now=NOW,
    )
    store.set_standing(ines, kind, by="U9", now=NOW)
    digest = compose(store, subscription, NOW)
    assert [person.id for person in digest.people] == [bo]
    store.lift_standing(ines, kind)
    assert compose(store, subscription, NOW).total == 2


def test_a_standing_is_set_once_and_lifted_once(store):
    ines = add(store, "Ines Adeyemi")
    kind = StandingKind.DO_NOT_CONTACT
    assert store.set_standing(ines, kind, by="U9", now=NOW)
    assert not store.set_standing(ines, kind, by="U8", now=NOW)
    assert [standing.by for standing in store.candidate(ines).standings] == ["U9"]
    assert not store.set_standing("nobody", kind, by="U9", now=NOW)
    assert store.lift_standing(ines, kind)
    assert not store.lift_standing(ines, kind)


def test_lifting_one_standing_leaves_the_other(store):
    ines = add(store, "Ines Adeyemi")
    store.set_standing(ines, StandingKind.DO_NOT_CONTACT, by="U9", now=NOW)
    store.set_standing(ines, StandingKind.RESTRICTED, by="U9", now=NOW)
    store.lift_standing(ines, StandingKind.RESTRICTED)
    assert found(store, "ines") == [ines]
    assert not allows(store.candidate(ines).standings, Use.SHARE)


def test_taking_up_says_since_when_and_lasts_a_while(store):
    ines = add(store, "Ines Adeyemi")
    touch = store.take_up(ines, who="U1", now=NOW)
    later = NOW + timedelta(days=3)
    again = store.take_up(ines, who="U1", now=later)
    assert (touch.since, touch.until) == (NOW, NOW + IN_TOUCH_FOR)
    assert (again.since, again.until) == (NOW, later + IN_TOUCH_FOR)
    store.take_up(ines, who="U2", now=later)
    assert [each.who for each in store.candidate(ines).in_touch] == ["U1", "U2"]
    assert store.let_go(ines, who="U1")
    assert not store.let_go(ines, who="U1")
    assert [each.who for each in store.candidate(ines).in_touch] == ["U2"]
    assert store.take_up("nobody", who="U1", now=NOW) is None


def test_after_its_end_taking_up_begins_anew(store):
    ines = add(store, "Ines Adeyemi")
    store.take_up(ines, who="U1", now=NOW)
    much_later = NOW + IN_TOUCH_FOR + timedelta(days=1)
    assert store.take_up(ines, who="U1", now=much_later).since == much_later


def test_erasing_takes_standings_and_touches_along(store):
    ines = add(store, "Ines Adeyemi")
    store.set_standing(ines, StandingKind.DO_NOT_CONTACT, by="U9", now=NOW)
    store.take_up(ines, who="U1", now=NOW)
    store.remove(ines, now=NOW)
    assert add(store, "Ines Adeyemi") != ines
