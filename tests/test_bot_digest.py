"""What a digest says, and that it reads back as it was frozen."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.digest import (
    WEIGHT,
    Digest,
    Newcomer,
    compose,
    digest_from_payload,
    digest_to_payload,
    sign_of_life,
    split,
)
from handlers.views.digest import digest_message
from handlers.views.message import block_characters
from storage.errors import BotError
from storage.records import Contribution, Location
from tests.digest_people import add_person, subscribe

NOON = datetime(2026, 12, 4, 12, 0, tzinfo=UTC)


def test_a_digest_names_who_is_new_with_the_strongest_proof_and_skills(store, now):
    subscription = subscribe(store, now)
    id_ = add_person(store, 1, now, by="folder")
    [person] = compose(store, subscription, now).people
    assert person.id == id_
    assert (person.work, person.place) == ("Compiler Engineer at Norrsken Labs", "Malmö, Sweden")
    assert person.proof.repository == "norrsken/kernel1"
    assert person.proof.summary is None, "numbers and months only"
    assert person.skills == ("cuda", "llvm")
    assert (person.added_by, person.checks, person.why) == ("folder", 1, ())


def test_a_contradicted_country_is_not_told(store, now):
    subscription = subscribe(store, now)
    place = Location(text="Beijing, United States", city="Beijing", stated_country="United States")
    add_person(store, 1, now, location=place)
    [person] = compose(store, subscription, now).people
    assert (person.place, person.place_unclear) == ("Beijing", True)


def test_a_person_of_whom_little_is_known_is_told_all_the_same(store, now):
    subscription = subscribe(store, now)
    add_person(store, 1, now, title=None, company=None, location=None, skills=(),
               contributions=(), remarks=(), headline="Builds compilers")  # fmt: skip
    digest = compose(store, subscription, now)
    assert digest.people[0].work == "Builds compilers"
    assert "Builds compilers" in digest_message(digest, 0, now=now).plain


def test_a_digest_with_a_query_has_whom_it_matches_and_says_why(store, now):
    subscription = subscribe(store, now, query="skill:cuda")
    for number in range(6):
        add_person(store, number, now + timedelta(minutes=number))
    digest = compose(store, subscription, now + timedelta(minutes=10))
    assert (digest.total, digest.phrase) == (4, "with skill cuda")
    assert all("cuda" in " ".join(person.why) for person in digest.people)


def test_of_many_who_match_only_the_named_are_explained_and_all_are_told(store, now):
    subscription = subscribe(store, now, query="skill:llvm")
    ids = [add_person(store, number, now + timedelta(seconds=number)) for number in range(130)]
    beats = []
    digest = compose(store, subscription, now + timedelta(hours=1), lambda: beats.append(1))
    assert digest.total == 130
    assert all(person.why for person in digest.people)
    told = [id_ for part in digest.told for id_ in part]
    assert sorted(told) == sorted(ids)
    assert [len(part) for part in digest.told] == [10, 10, 10, 10, 90]
    assert beats, "whoever watches sees that it moves"


def test_a_query_that_can_no_longer_be_read_is_a_sentence(store, now):
    subscription = subscribe(store, now, query='skill:"')
    with pytest.raises(BotError):
        compose(store, subscription, now)


def test_the_first_digest_is_not_the_whole_store(store, now):
    for number in range(3):
        add_person(store, number, now - timedelta(days=30))
    recent = add_person(store, 9, now - timedelta(days=2))
    digest = compose(store, subscribe(store, now), now)
    assert [person.id for person in digest.people] == [recent]
    assert digest.first
    assert digest.since == now - timedelta(days=7)


def test_ten_stand_in_the_message_forty_in_the_thread_and_the_rest_is_counted_and_told(store, now):
    subscription = subscribe(store, now)
    ids = [add_person(store, number, now + timedelta(seconds=number)) for number in range(63)]
    digest = compose(store, subscription, now + timedelta(hours=1))
    assert [len(part) for part in digest.parts] == [10, 10, 10, 10, 10]
    assert (digest.total, len(digest.rest)) == (63, 13)
    assert [id_ for part in digest.told for id_ in part] == ids
    assert len(digest.told[-1]) == 23, "those counted belong to the message that counts them"
    last = digest_message(digest, 4, now=now).plain
    assert "13 more are not named here" in last
    listing = last.rpartition("/candidate ")[2].strip("` \n")
    assert store.search(listing, limit=1, now=now).total == 63, "the query lists them all"
    assert "40 more in the thread, and 13 counted there" in digest_message(digest, 0, now=now).plain


def test_the_query_that_lists_the_rest_keeps_the_digests_own(store, now):
    subscription = subscribe(store, now, query="skill:cuda or skill:llvm")
    for number in range(52):
        add_person(store, number, now + timedelta(seconds=number))
    digest = compose(store, subscription, now + timedelta(hours=1))
    assert store.search(digest.rest_query, limit=1, now=now).total == 52


def test_nobody_new_is_an_empty_digest(store, now):
    digest = compose(store, subscribe(store, now), now)
    assert (digest.total, digest.people) == (0, ())


def test_the_sign_of_life_says_when_somebody_was_last_added_and_names_nobody(store, now):
    subscription = subscribe(store, now)
    add_person(store, 1, now - timedelta(days=20))
    digest = sign_of_life(store, compose(store, subscription, now), 4)
    text = digest_message(digest, 0, now=now).plain
    assert "nobody new in its last 4 times" in text
    assert "Wed 11 Nov" in text
    assert "Ines" not in text
    assert digest_from_payload(digest_to_payload(digest)) == digest


def test_the_sign_of_life_of_an_empty_store_says_so(store, now):
    digest = sign_of_life(store, compose(store, subscribe(store, now), now), 4)
    assert "Nobody has been added yet." in digest_message(digest, 0, now=now).plain


TEXT = st.text(max_size=60)
NUMBER = st.none() | st.integers(0, 10**6)
NEWCOMERS = st.builds(
    Newcomer,
    id=st.text("abcdef0123456789", min_size=12, max_size=12),
    name=st.text(min_size=1, max_size=100),
    work=st.text(max_size=140),
    place=st.text(max_size=80),
    place_unclear=st.booleans(),
    proof=st.none()
    | st.builds(
        Contribution,
        repository=st.text(min_size=1, max_size=100),
        commits=NUMBER,
        reviews=NUMBER,
    ),
    skills=st.lists(st.text(max_size=40), max_size=4).map(tuple),
    why=st.lists(st.text("&<>*_`: ", max_size=120), max_size=3).map(tuple),
    added_at=st.just(NOON),
    added_by=st.sampled_from(("U0MIRALINDG", "folder", "terminal:root")),
    checks=st.integers(0, 9),
)  # fmt: skip


def digest_of(people, **changed):
    values = {
        "number": 1, "query": "", "phrase": "", "timezone": "Europe/Berlin", "since": NOON,
        "following": NOON, "first": False, "total": len(people), "parts": split(people),
        "rest_query": "added>=2026-12-01",
    }  # fmt: skip
    return Digest(**{**values, **changed})


@given(st.lists(NEWCOMERS, max_size=25))
def test_whatever_people_are_called_each_has_a_place_in_a_message_that_slack_takes(people):
    digest = digest_of(people)
    assert digest.people == tuple(people)
    for number, part in enumerate(digest.parts):
        assert len(part) <= 10
        message = digest_message(digest, number, now=NOON)
        sections = [block for block in message.blocks if block["type"] == "section"]
        assert len(sections) == len(part), "nobody was left out for want of room"
        assert len(message.blocks) <= 45
        assert sum(map(block_characters, message.blocks)) <= 9_000
        assert len(message.text) <= 4_000


@given(st.lists(NEWCOMERS, max_size=12))
def test_a_digest_reads_back_from_its_payload(people):
    digest = digest_of(people)
    assert digest_from_payload(digest_to_payload(digest)) == digest


def test_a_message_of_the_longest_people_takes_fewer_of_them():
    heavy = Newcomer(
        id="a" * 12, name="&" * 100, work="<" * 140, place="*" * 80, place_unclear=False,
        proof=None, skills=("_" * 40,) * 4, why=("`" * 120,) * 3, added_at=NOON,
        added_by="folder", checks=0,
    )  # fmt: skip
    parts = split([heavy] * 10)
    assert all(part for part in parts)
    assert all(sum(person.weight for person in part) <= WEIGHT for part in parts)
    assert len(parts) > 1
