"""The ledger: messages that name people, the audit, and each delivery once."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from storage.records import Document, Profile, StandingKind
from storage.store import Store


def post(store, now, *, ts="1700000000.000100", candidate_ids=("bo", "ada")):
    return store.record_posted(
        channel="C1", ts=ts, kind="card", by="U1", candidate_ids=candidate_ids, now=now
    )


def test_a_posted_message_is_found_by_its_place(store, now):
    message = post(store, now)
    assert store.posted("C1", "1700000000.000100") == message
    assert message.candidate_ids == ("ada", "bo")
    assert (message.kind, message.by, message.posted_at) == ("card", "U1", now)
    assert message.withdrawn_at is None
    assert store.posted("C2", "1700000000.000100") is None
    assert store.posted("C1", "1700000000.000200") is None


def test_a_message_recorded_again_stays_as_it_was(store, now):
    first = post(store, now)
    again = post(store, now + timedelta(hours=1), candidate_ids=["cy"])
    assert again == first


def test_a_message_may_name_nobody_and_nobody_twice(store, now):
    assert post(store, now, ts="1.1", candidate_ids=[]).candidate_ids == ()
    assert post(store, now, ts="1.2", candidate_ids=["ada", "ada"]).candidate_ids == ("ada",)


def test_a_message_is_withdrawn_once(store, now):
    message = post(store, now)
    assert store.withdraw(message.id, now=now + timedelta(hours=1))
    assert not store.withdraw(message.id, now=now + timedelta(hours=2))
    found = store.posted(message.channel, message.ts)
    assert found.withdrawn_at == now + timedelta(hours=1)
    assert not store.withdraw("nothing", now=now)


def test_of_several_who_withdraw_at_once_one_does(store, now):
    message = post(store, now)
    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda _: store.withdraw(message.id, now=now), range(16)))
    assert sorted(done) == [False] * 15 + [True]


@pytest.mark.parametrize("kind", [StandingKind.RESTRICTED, StandingKind.OBJECTED])
def test_a_message_that_names_somebody_who_was_hidden_meanwhile_is_to_be_cleaned(store, now, kind):
    page = Document(
        name="ada.txt", text="Ada", added_by="folder", added_via="inbox", parser="prog-ai/1"
    )
    ada = store.add(Profile(name="Ada Okafor"), page, now=now).candidate_id
    store.set_standing(ada, kind, by="U1", now=now)
    message = post(store, now, candidate_ids=[ada])
    claimed = store.claim_cleaning(now=now, lease=timedelta(minutes=2))
    assert (claimed.place, claimed.ts) == (message.channel, message.ts)


def test_a_message_that_names_somebody_who_may_be_shown_is_left(store, now):
    page = Document(
        name="ada.txt", text="Ada", added_by="folder", added_via="inbox", parser="prog-ai/1"
    )
    ada = store.add(Profile(name="Ada Okafor"), page, now=now).candidate_id
    store.set_standing(ada, StandingKind.DO_NOT_CONTACT, by="U1", now=now)
    post(store, now, candidate_ids=[ada])
    assert store.claim_cleaning(now=now, lease=timedelta(minutes=2)) is None


def test_the_messages_about_a_person_that_still_stand(store, now):
    first = post(store, now, ts="1.1", candidate_ids=["ada"])
    post(store, now, ts="1.2", candidate_ids=["bo"])
    third = post(store, now + timedelta(hours=1), ts="1.3", candidate_ids=["bo", "ada"])
    gone = post(store, now, ts="1.4", candidate_ids=["ada"])
    store.withdraw(gone.id, now=now)
    assert store.posted_about("ada") == [first, third]
    assert store.posted_about("nobody") == []


def test_a_delivery_is_claimed_by_one_only(store, now):
    with ThreadPoolExecutor(8) as pool:
        claims = list(pool.map(lambda _: store.first_delivery("Ev1", now=now), range(16)))
    assert sorted(claims) == [False] * 15 + [True]
    assert store.first_delivery("Ev2", now=now)


def test_a_claim_outlives_the_process(store, store_url, now):
    assert store.first_delivery("v0=abc", now=now)
    other = Store.open(store_url)
    assert not other.first_delivery("v0=abc", now=now)
    other.close()


def test_a_signature_is_used_once_however_late(store, now):
    assert store.first_delivery("v0=abc", now=now)
    assert not store.first_delivery("v0=abc", now=now + timedelta(minutes=9))


def test_an_event_whose_run_died_runs_again_on_the_retry(store, now):
    """Only what is recorded as done is never done again."""
    lease = timedelta(seconds=30)
    assert store.first_delivery("Ev1", now=now, unfinished_after=lease)
    soon = now + timedelta(seconds=5)
    assert not store.first_delivery("Ev1", now=soon, unfinished_after=lease)
    retry = now + timedelta(minutes=1)
    assert store.first_delivery("Ev1", now=retry, unfinished_after=lease)
    assert not store.delivery_was_done("Ev1")
    store.delivery_done("Ev1")
    assert store.delivery_was_done("Ev1")
    much_later = now + timedelta(hours=1)
    assert not store.first_delivery("Ev1", now=much_later, unfinished_after=lease)


def test_a_claim_given_back_can_be_made_again(store, now):
    assert store.first_delivery("Ev1", now=now)
    store.release_delivery("Ev1")
    assert store.first_delivery("Ev1", now=now)
    store.delivery_done("Ev1")
    store.release_delivery("Ev1")
    assert not store.first_delivery("Ev1", now=now)


def test_what_never_came_was_never_done(store):
    assert not store.delivery_was_done("Ev1")
    store.delivery_done("Ev1")
    assert not store.delivery_was_done("Ev1")


@pytest.mark.parametrize(("age", "forgotten"), [(9, 0), (11, 1)])
def test_old_deliveries_are_forgotten(store, now, age, forgotten):
    store.first_delivery("old", now=now - timedelta(minutes=age))
    store.first_delivery("new", now=now)
    assert store.forget_deliveries(now - timedelta(minutes=10)) == forgotten
    assert store.first_delivery("old", now=now) is bool(forgotten)
    assert not store.first_delivery("new", now=now)
