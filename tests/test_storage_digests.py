"""The ledger of digests: subscriptions, slots, claims, whom was told, and what comes after."""

import json
import threading
from datetime import UTC, datetime, timedelta

import pytest

from storage.store import Store
from tests.digest_people import add_person, subscribe

LEASE = timedelta(minutes=3)
MINUTE = timedelta(minutes=1)


def ready(store, number, now, slot="2026-12-07"):
    """Write a slot, claim it."""
    store.write_slots(number, [(slot, now)], now=now)
    return store.claim_digest(now=now, lease=LEASE)


def frozen(store, run, *parts, payload="{}"):
    return store.freeze_digest(run, parts=parts, payload=payload)


def posted(store, run, now, *, ts="1.0", part=0):
    return store.digest_part_posted(
        run, part, channel="C0HIRING001", ts=ts, by="U0MIRALINDG", now=now, lease=LEASE
    )


# Subscriptions


def test_numbers_are_given_once_even_after_a_stop(store, now):
    first = subscribe(store, now)
    store.stop_subscription(first.number)
    second = subscribe(store, now)
    assert (first.number, second.number) == (1, 2)
    assert [each.number for each in store.subscriptions()] == [2]
    assert [each.number for each in store.subscriptions(stopped=True)] == [1, 2]


def test_the_same_subscription_twice_is_one(store, now):
    first, is_new = store.save_subscription(
        channel="C1", weekdays=(1,), hour=9, minute=0, timezone="UTC",
        since=now, created_by="U1", now=now,
    )  # fmt: skip
    second, again = store.save_subscription(
        channel="C1", weekdays=(1,), hour=9, minute=0, timezone="UTC",
        since=now, created_by="U2", now=now,
    )  # fmt: skip
    assert (is_new, again) == (True, False)
    assert first == second


def test_a_number_that_does_not_exist_changes_nothing(store, now):
    assert store.pause_subscription(9) is None
    assert store.resume_subscription(9, now=now) is None
    assert store.stop_subscription(9) is None
    assert store.subscription(9) is None


def default(store, now, **changed):
    values = {"channel": "#hiring", "weekdays": (1,), "hour": 9, "minute": 0, "timezone": "UTC",
              "since": now - timedelta(days=7), "now": now}  # fmt: skip
    return store.ensure_default(**{**values, **changed})


def test_the_default_digest_is_one_row_that_follows_the_settings(store, now):
    first = default(store, now)
    later = now + timedelta(days=3)
    second = default(store, later, hour=10, channel="#general", query="skill:cuda", since=later)
    assert (first.number, second.number, second.key) == (1, 1, "settings")
    assert (second.hour, second.channel, second.query) == (10, "#general", "skill:cuda")
    assert second.since == first.since, "people who came before the change are still news"
    assert second.active_from == later, "slots of the new schedule begin with it"
    assert default(store, later + MINUTE, hour=10).active_from == later


def test_a_pause_of_the_default_digest_survives_a_restart(store_url, now):
    with_pause = Store.open(store_url)
    default(with_pause, now)
    with_pause.pause_subscription(1)
    with_pause.close()
    again = Store.open(store_url)
    assert default(again, now, hour=11).enabled is False
    again.close()


def test_settings_without_a_channel_end_the_default_digest_until_there_is_one_again(store, now):
    assert default(store, now, channel=None) is None
    default(store, now)
    assert default(store, now, channel=None) is None
    assert store.subscriptions() == []
    assert default(store, now).stopped is False


# Slots


def test_a_slot_written_twice_is_written_once(store, now):
    subscribe(store, now)
    for _ in range(2):
        store.write_slots(1, [("2026-12-07", now)], now=now)
    assert store.claim_digest(now=now, lease=LEASE)
    assert store.claim_digest(now=now, lease=LEASE) is None
    assert store.last_slot(1, now=now) == "2026-12-07"


def test_of_several_missed_slots_only_the_last_is_sent(store, now):
    subscribe(store, now)
    store.write_slots(1, [("2026-11-23", now - 2 * MINUTE)], now=now)
    store.write_slots(1, [("2026-11-30", now - MINUTE), ("2026-12-07", now)], now=now)
    run = store.claim_digest(now=now, lease=LEASE)
    assert run.slot == "2026-12-07"
    assert store.digest_empty(run, now=now)
    assert store.claim_digest(now=now, lease=LEASE) is None


def test_a_slot_that_somebody_began_to_send_is_not_skipped(store, now):
    subscribe(store, now)
    run = ready(store, 1, now, "2026-11-30")
    store.release_digest(run, until=now + MINUTE)
    store.write_slots(1, [("2026-12-07", now + MINUTE)], now=now + MINUTE)
    slots = []
    while found := store.claim_digest(now=now + MINUTE, lease=LEASE):
        slots.append(found.slot)
        store.digest_empty(found, now=now + MINUTE)
    assert slots == ["2026-11-30", "2026-12-07"]


def test_a_pause_takes_back_what_nobody_began_to_send(store, now):
    subscribe(store, now)
    store.write_slots(1, [("2026-12-07", now)], now=now)
    store.pause_subscription(1)
    assert store.claim_digest(now=now, lease=LEASE) is None
    assert store.resume_subscription(1, now=now).active_from == now


def test_a_digest_asked_for_by_hand_is_on_its_way_once(store, now):
    subscribe(store, now)
    first, is_new = store.request_digest(1, now=now)
    second, again = store.request_digest(1, now=now + MINUTE)
    assert (is_new, again) == (True, False)
    assert first.id == second.id
    assert store.last_slot(1, now=now) is None, "it takes no date's place"
    assert store.oldest_due(now=now) == now


# Claims


def test_a_claim_is_nobody_elses_until_its_lease_has_run_out(store, now):
    subscribe(store, now)
    first = ready(store, 1, now)
    assert store.claim_digest(now=now + LEASE - MINUTE, lease=LEASE) is None
    second = store.claim_digest(now=now + LEASE, lease=LEASE)
    assert (first.attempt, second.attempt) == (1, 2)
    assert second.first_claim_at == now
    assert first.owner != second.owner
    for changed in (
        frozen(store, first, ["a"]),
        posted(store, first, now),
        store.digest_posted(first, now=now),
        store.digest_empty(first, now=now),
        store.digest_failed(first, "is_archived", now=now),
        store.release_digest(first, until=now),
    ):
        assert not changed, "a lost claim changes nothing"
    assert store.digest_empty(second, now=now)


def test_a_run_that_was_let_go_waits_as_long_as_slack_said(store, now):
    subscribe(store, now)
    run = ready(store, 1, now)
    assert store.release_digest(run, until=now + MINUTE)
    assert store.claim_digest(now=now + MINUTE / 2, lease=LEASE) is None
    assert store.claim_digest(now=now + MINUTE, lease=LEASE).attempt == 2


def test_one_run_of_a_subscription_is_claimed_at_a_time(store, now):
    subscribe(store, now)
    subscribe(store, now, hour=10)
    run = ready(store, 1, now, "2026-11-30")
    store.write_slots(1, [("2026-12-07", now)], now=now)
    store.write_slots(2, [("2026-12-07", now)], now=now)
    assert store.claim_digest(now=now, lease=LEASE).subscription.number == 2
    assert store.claim_digest(now=now, lease=LEASE) is None
    store.digest_empty(run, now=now)
    assert store.claim_digest(now=now, lease=LEASE).subscription.number == 1


def test_what_is_frozen_stays_and_is_told_of_once(store, now):
    subscription = subscribe(store, now)
    ids = [add_person(store, number, now + number * MINUTE) for number in range(4)]
    run = ready(store, 1, now)
    kept = frozen(store, run, ids[:1], ids[1:3], payload='{"said": 1}')
    assert (kept.payload, kept.people, [part.number for part in kept.parts]) == (
        '{"said": 1}', 3, [0, 1],
    )  # fmt: skip
    assert frozen(store, run, ids, payload="{}") is None, "frozen once"
    assert store.untold(subscription) == ids[3:]
    assert store.claim_digest(now=now + LEASE, lease=LEASE).payload == '{"said": 1}'


def test_nobody_is_frozen_into_two_digests(store, now):
    subscribe(store, now)
    someone = add_person(store, 1, now)
    run = ready(store, 1, now)
    frozen(store, run, [someone])
    posted(store, run, now)
    store.digest_posted(run, now=now)
    again = ready(store, 1, now, "2026-12-14")
    assert frozen(store, again, [someone]) is None


def test_a_run_is_posted_when_each_of_its_messages_is_recorded(store, now):
    subscribe(store, now)
    ids = [add_person(store, number, now) for number in range(2)]
    run = frozen(store, ready(store, 1, now), ids[:1], ids[1:])
    assert posted(store, run, now, ts="1.0")
    assert not posted(store, run, now, ts="1.5"), "recorded once"
    assert not store.digest_posted(run, now=now)
    assert posted(store, run, now + MINUTE, ts="2.0", part=1)
    assert store.claim_digest(now=now + LEASE, lease=LEASE) is None, "a message extends the lease"
    assert store.digest_posted(run, now=now)
    assert store.last_digest(1).people == 2
    assert store.posted("C0HIRING001", "1.0").candidate_ids == (ids[0],)
    assert store.posted("C0HIRING001", "2.0").candidate_ids == (ids[1],)


def test_a_failed_run_lets_go_of_those_whom_no_posted_message_tells_of(store, now):
    subscription = subscribe(store, now)
    ids = [add_person(store, number, now + number * MINUTE) for number in range(3)]
    run = frozen(store, ready(store, 1, now), ids[:1], ids[1:])
    posted(store, run, now)
    assert store.digest_failed(run, "is_archived", now=now)
    assert store.untold(subscription) == ids[1:]
    assert store.last_digest(1).error == "is_archived"


def test_two_that_claim_at_once_do_not_both_get_it(store, now):
    for _ in range(8):
        subscribe(store, now, channel=f"C{_}")
        store.write_slots(_ + 1, [("2026-12-07", now)], now=now)
    found = []

    def claim():
        while run := store.claim_digest(now=now, lease=LEASE):
            found.append(run.id)

    threads = [threading.Thread(target=claim) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == len(set(found)) == 8


# Afterwards


def test_a_failure_is_told_by_one_at_a_time_until_it_is_told(store, now):
    subscribe(store, now)
    store.digest_failed(ready(store, 1, now), "not_in_channel", now=now)
    run = store.claim_notice(now=now, lease=MINUTE)
    assert run.error == "not_in_channel"
    assert store.claim_notice(now=now, lease=MINUTE) is None
    assert store.claim_notice(now=now + MINUTE, lease=MINUTE).id == run.id
    store.notice_given(run.id, now=now)
    assert store.claim_notice(now=now + timedelta(days=1), lease=MINUTE) is None


def test_a_run_is_swept_after_ten_minutes_and_after_a_day(store, now):
    subscribe(store, now)
    run = frozen(store, ready(store, 1, now), [], payload="{}")
    posted(store, run, now)
    store.digest_posted(run, now=now)
    assert store.digests_to_sweep(now=now + 9 * MINUTE) == []
    for later in (10 * MINUTE, timedelta(days=1)):
        assert [each.id for each in store.digests_to_sweep(now=now + later)] == [run.id]
        store.digest_swept(run.id, now=now + later)
        assert store.digests_to_sweep(now=now + later) == []
    assert store.digest_run(run.id).payload is None, "what it said is no longer needed"
    assert store.digests_to_sweep(now=now + timedelta(days=9)) == []


def test_a_bot_that_was_away_for_days_sweeps_once(store, now):
    subscribe(store, now)
    run = frozen(store, ready(store, 1, now), [], payload="{}")
    posted(store, run, now)
    store.digest_posted(run, now=now)
    store.digest_swept(run.id, now=now + timedelta(days=2))
    assert store.digests_to_sweep(now=now + timedelta(days=3)) == []


def test_a_run_without_a_message_raises_an_alarm_after_ten_minutes_and_after_a_day(store, now):
    subscribe(store, now)
    store.write_slots(1, [("2026-12-07", now)], now=now)
    alarms = [
        len(store.digests_overdue(now=now + later))
        for later in (9 * MINUTE, 10 * MINUTE, 11 * MINUTE, timedelta(days=1), timedelta(days=2))
    ]
    assert alarms == [0, 1, 0, 1, 0]


def test_empty_slots_are_counted_up_to_the_latest_that_was_not(store, now):
    subscribe(store, now)
    assert store.empty_slots(1, now=now + timedelta(days=30)) == 0
    for day in (1, 2, 3):
        store.digest_empty(ready(store, 1, now + day * MINUTE, f"2026-12-0{day}"), now=now)
    assert store.empty_slots(1, now=now + timedelta(days=30)) == 3
    run = frozen(store, ready(store, 1, now + 4 * MINUTE, "2026-12-04"), [], payload="{}")
    posted(store, run, now)
    store.digest_posted(run, now=now)
    assert store.empty_slots(1, now=now + timedelta(days=30)) == 0


def test_news_are_people_added_since_the_subscription_began_to_count(store, now):
    before = now - timedelta(days=8)
    add_person(store, 1, before)
    inside = add_person(store, 2, now - timedelta(days=7))
    assert store.untold(subscribe(store, now)) == [inside]


def test_whoever_commits_late_is_still_news(store, now):
    """People are not stored in the order of their ids or times: no watermark is kept."""
    subscription = subscribe(store, now)
    first = add_person(store, 1, now)
    frozen(store, ready(store, 1, now), [first])
    late = add_person(store, 2, now - timedelta(days=3))
    assert store.untold(subscription) == [late]


def test_erasing_a_person_takes_them_out_of_a_digest_that_is_on_its_way(store, now):
    subscribe(store, now)
    gone, stays = add_person(store, 1, now), add_person(store, 2, now)
    payload = json.dumps({"parts": [[{"id": gone, "name": "x"}, {"id": stays, "name": "y"}]]})
    run = frozen(store, ready(store, 1, now), [gone, stays], payload=payload)
    store.remove(gone, now=now)
    left = store.digest_run(run.id)
    assert json.loads(left.payload) == {"parts": [[{"id": stays, "name": "y"}]]}
    assert gone not in left.payload


def test_the_oldest_digest_that_waits_is_known(store, now):
    subscribe(store, now)
    assert store.oldest_due(now=now) is None
    store.write_slots(1, [("2026-12-07", now)], now=now)
    assert store.oldest_due(now=now + MINUTE) == now


@pytest.mark.parametrize("moment", [datetime(2026, 12, 1, tzinfo=UTC)])
def test_a_subscription_reads_back_as_it_was_saved(store, moment):
    saved = subscribe(store, moment, weekdays=(5, 1), query="skill:cuda")
    assert saved.weekdays == (1, 5)
    assert store.subscription(saved.number) == saved


def test_dates_that_a_clock_ahead_of_ours_took_are_written_when_they_come(store, now):
    """Skipped, empty and posted ones alike; whoever was told stays told."""
    subscribe(store, now)
    person = add_person(store, 1, now)
    day, year = timedelta(days=1), timedelta(days=365)
    assert store.digest_empty(ready(store, 1, now, "2026-12-04"), now=now)
    dates = [("2026-12-05", now + day), ("2027-12-04", now + year)]
    store.write_slots(1, dates, now=now + year)
    run = store.claim_digest(now=now + year, lease=LEASE)
    frozen(store, run, [person])
    posted(store, run, now + year)
    assert store.digest_posted(run, now=now + year)
    assert store.last_slot(1, now=now) == "2026-12-04"
    assert store.last_digest(1, now=now).slot == "2026-12-04"
    for date, due in dates:
        store.write_slots(1, [(date, due)], now=due)
        if date == "2026-12-05":
            assert store.digest_empty(store.claim_digest(now=due, lease=LEASE), now=due)
            assert store.last_slot(1, now=due) == date
    assert store.untold(store.subscription(1)) == []


def test_a_claim_by_a_clock_ahead_of_ours_is_free_and_is_looked_for_in_the_past(store, now):
    subscribe(store, now)
    person = add_person(store, 1, now)
    run = ready(store, 1, now + timedelta(days=365))
    frozen(store, run, [person])
    again = store.claim_digest(now=now, lease=LEASE)
    assert (again.id, again.attempt, again.first_claim_at < now) == (run.id, 2, True)
    assert store.claim_digest(now=now, lease=LEASE) is None


def test_clocks_that_differ_a_little_take_no_claim_from_each_other(store, now):
    subscribe(store, now)
    assert ready(store, 1, now)
    assert store.claim_digest(now=now - 5 * MINUTE, lease=LEASE) is None
    store.write_slots(1, [("2026-12-07", now)], now=now - 5 * MINUTE)
    assert store.last_slot(1, now=now - 5 * MINUTE) == "2026-12-07"


def test_a_removed_person_is_no_longer_counted_in_what_was_frozen(store, now):
    subscribe(store, now)
    ids = [add_person(store, number, now) for number in range(2)]
    run = ready(store, 1, now)
    frozen(
        store, run, ids, payload=json.dumps({"total": 2, "parts": [[{"id": id_} for id_ in ids]]})
    )
    store.remove(ids[0], now=now)
    run = store.digest_run(run.id)
    assert (json.loads(run.payload)["total"], run.people) == (1, 1)


def test_a_workspace_that_is_gone_takes_what_it_was_told_with_it(store, now):
    """The sandbox begins anew: everybody is news again, the subscription stays."""
    subscription = subscribe(store, now)
    person = add_person(store, 1, now)
    run = ready(store, subscription.number, now)
    frozen(store, run, [person])
    posted(store, run, now)
    assert store.untold(subscription) == []
    store.forget_digests()
    assert store.untold(subscription) == [person]
    assert store.last_digest(subscription.number) is None
    assert store.subscriptions() == [subscription]
