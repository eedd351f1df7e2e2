"""The pulse: what is due is called, failures stay alone, and a clock that stands still ends it."""

import threading
from datetime import UTC, datetime, timedelta

import pytest
from structlog.testing import capture_logs

from handlers.clock import STUCK, Clock, Pulse, build_clock
from handlers.scheduled.sending import posting_client
from handlers.scheduled.task import Scheduled
from tests.digest_people import add_person, subscribe

NOON = datetime(2026, 12, 7, 12, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)


class Times:
    """The wall clock and the monotonic one, set by hand."""

    def __init__(self):
        self.seconds = 0.0

    def now(self):
        return NOON + timedelta(seconds=self.seconds)

    def monotonic(self):
        return self.seconds


@pytest.fixture
def times():
    return Times()


def clock_of(times, *scheduled, **options):
    return Clock(Pulse(times.now, times.monotonic), scheduled, **options)


def test_each_function_is_called_at_most_once_in_its_time(times):
    calls = []
    clock = clock_of(
        times,
        Scheduled("often", 0 * SECOND, lambda: calls.append("often")),
        Scheduled("seldom", 60 * SECOND, lambda: calls.append("seldom")),
    )
    for _ in range(5):
        clock.tick()
        times.seconds += 15
    assert calls.count("often") == 5
    assert calls.count("seldom") == 2


def test_a_clock_that_is_set_back_holds_up_nothing(times):
    calls = []
    clock = clock_of(times, Scheduled("seldom", 60 * SECOND, lambda: calls.append(times.seconds)))
    times.seconds = 365 * 86_400
    clock.tick()
    times.seconds = 0
    clock.tick()
    clock.tick()
    assert calls == [365 * 86_400, 0]


def test_a_function_that_fails_is_logged_and_stops_no_other(times):
    calls = []
    clock = clock_of(
        times,
        Scheduled("broken", 0 * SECOND, lambda: 1 / 0),
        Scheduled("sound", 0 * SECOND, lambda: calls.append(1)),
    )
    with capture_logs() as said:
        clock.tick()
        clock.tick()
    assert calls == [1, 1]
    assert [line["function"] for line in said] == ["broken", "broken"]


def test_a_pulse_that_is_silent_for_three_periods_ends_the_program_with_70(times):
    deaths = []
    clock = clock_of(times, period=15 * SECOND, die=deaths.append)
    clock.tick()
    times.seconds += 45
    clock.watch()
    assert deaths == []
    times.seconds += 1
    with capture_logs() as said:
        clock.watch()
    assert deaths == [STUCK] == [70]
    assert said[0]["event"] == "the clock stands still"


def test_work_that_asks_for_the_time_shows_that_it_moves(times):
    deaths = []
    pulse = Pulse(times.now, times.monotonic)

    def long_work():
        for _ in range(10):
            times.seconds += 30
            pulse()
            clock.watch()

    clock = Clock(
        pulse,
        [Scheduled("work", 0 * SECOND, long_work)],
        period=15 * SECOND,
        die=deaths.append,
    )
    clock.tick()
    assert deaths == []


def test_a_started_clock_ticks_until_it_is_stopped_and_then_no_watchdog_bites():
    ticked, deaths = threading.Event(), []
    clock = Clock(
        Pulse(lambda: datetime.now(UTC)),
        [Scheduled("work", 0 * SECOND, ticked.set)],
        period=0.05 * SECOND,
        die=deaths.append,
    )
    clock.start()
    assert ticked.wait(5)
    clock.stop()
    ticked.clear()
    assert not ticked.wait(0.3)
    clock.watch()
    clock.stop()
    assert deaths == []


def test_a_watchdog_bites_while_a_function_hangs():
    hangs, bitten = threading.Event(), threading.Event()
    clock = Clock(
        Pulse(lambda: datetime.now(UTC)),
        [Scheduled("hangs", 0 * SECOND, lambda: hangs.wait(10))],
        period=0.05 * SECOND,
        die=lambda _: bitten.set(),
    )
    with capture_logs():
        clock.start()
        assert bitten.wait(5)
        hangs.set()
        clock.stop()


def test_what_is_not_begun_when_the_program_ends_is_left(times):
    calls = []

    def end():
        clock.stop()

    clock = clock_of(
        times,
        Scheduled("first", 0 * SECOND, end),
        Scheduled("second", 0 * SECOND, lambda: calls.append(1)),
    )
    clock.tick()
    assert calls == []


def test_the_programs_clock_sends_digests_sweeps_prunes_and_watches_the_inbox(
    store, slack, tmp_path
):
    now = NOON - timedelta(days=1)
    slack.workspace.clock = lambda: now
    client = posting_client(slack.workspace.bot_token, slack.api_url, 5)
    clock = build_clock(store, client, lambda: now, inbox=tmp_path / "inbox")
    assert [each.name for each in clock.scheduled] == [
        "digests", "failures", "alarms", "reading", "sweep", "forgetting", "retention", "duties",
        "checkpoint", "statistics", "deliveries", "quarantine", "inbox",
    ]  # fmt: skip
    subscribe(store, now)
    add_person(store, 1, now)
    store.first_delivery("old", now=now - timedelta(days=1))
    now = NOON
    with capture_logs() as said:
        clock.tick()
    assert not [line for line in said if line["log_level"] == "error"], said
    assert len(slack.messages(slack.hiring)) == 1
    assert (tmp_path / "inbox").is_dir()
    assert store.first_delivery("old", now=now), "forgotten"
