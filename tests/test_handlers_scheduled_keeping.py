"""The backup of each day, and alarms where keeping fails."""

import sqlite3
from contextlib import closing
from datetime import timedelta

import pytest
from structlog.testing import capture_logs

from handlers.clock import Clock, Pulse, build_clock
from handlers.scheduled.intake import Inbox
from handlers.scheduled.keeping import Checkpoints, Daily, tell_failing
from handlers.scheduled.sending import posting_client
from handlers.scheduled.task import Scheduled
from storage.backups import backups_in
from tests.keeping_fixtures import NOW, change, file_of, open_filled, person

HOUR = timedelta(hours=1)


class Times:
    def __init__(self):
        self.now = NOW

    def __call__(self):
        return self.now


@pytest.fixture
def times():
    return Times()


@pytest.fixture
def store(store_url):
    store = open_filled(store_url)
    yield store
    store.close()


@pytest.fixture
def daily(store, tmp_path, times):
    return Daily(store, tmp_path / "b", keep=3, clock=times)


def ticked(daily):
    with capture_logs() as said:
        daily.tick()
        daily.join()
    return [line["key"] for line in said if line["event"] == "alarm"]


def made(daily):
    return len(backups_in(daily._folder, "candidates"))


def test_one_a_day_also_over_restarts_and_the_oldest_go(daily, store, tmp_path, times):
    assert ticked(daily) == []
    assert made(daily) == 1
    times.now += 23 * HOUR
    ticked(daily)
    ticked(Daily(store, tmp_path / "b", keep=3, clock=times))
    assert made(daily) == 1, "a new process makes no other one"
    for _ in range(4):
        times.now += 25 * HOUR
        ticked(daily)
    assert made(daily) == 3


def test_a_clock_that_was_a_year_ahead_does_not_stop_backups(daily, times):
    times.now += timedelta(days=365)
    ticked(daily)
    times.now = NOW
    ticked(daily)
    assert made(daily) == 2


def test_a_backup_that_fails_is_told_once_a_day_and_tried_again_each_hour(
    daily, store, store_url, times
):
    change(file_of(store_url), "UPDATE source SET text = 'changed' WHERE version = 2")
    assert ticked(daily) == ["backup:2026-12-01"]
    assert ticked(daily) == [], "not at once"
    times.now += HOUR + timedelta(seconds=1)
    change(file_of(store_url), "UPDATE source SET version = version")
    assert ticked(daily) == [], "the store has it to be told already"
    assert [alarm.key for alarm in store.untold_alarms()] == ["backup:2026-12-01"]
    assert made(daily) == 0


def test_another_process_at_it_is_no_failure(daily, store, tmp_path):
    def meanwhile(step):
        if step == "check":
            assert ticked(daily) == []

    store.back_up(tmp_path / "b", keep=1, now=NOW, step=meanwhile)


def test_the_programs_clock_makes_backups_where_a_folder_is_set(store, slack, tmp_path, times):
    client = posting_client(slack.workspace.bot_token, slack.api_url, 5)
    clock = build_clock(store, client, times, backups=tmp_path / "b")
    clock.tick()
    slack.wait_for(lambda: backups_in(tmp_path / "b", "candidates"), within=20)
    assert "backup" not in {each.name for each in build_clock(store, client, times).scheduled}


def test_a_log_that_cannot_be_emptied_for_an_hour_is_told(store, store_url, times):
    housekeeping = Checkpoints(store, times)
    with closing(sqlite3.connect(file_of(store_url), isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM profile").fetchone()
        store.add(*person(300), now=NOW)
        with capture_logs() as said:
            housekeeping.tick()
            times.now += 59 * timedelta(minutes=1)
            housekeeping.tick()
            assert not said
            times.now += timedelta(minutes=1)
            housekeeping.tick()
        assert [line["key"] for line in said] == ["checkpoint:2026-12-01"]
    with capture_logs() as said:
        housekeeping.tick()
    assert not said


def test_a_function_that_fails_for_an_hour_is_told(store, times):
    def fails():
        raise ZeroDivisionError

    pulse = Pulse(times)
    clock = Clock(
        pulse,
        [Scheduled("sweep", timedelta(0), fails)],
        failing=lambda name, since: tell_failing(store, name, since=since, now=pulse()),
    )
    with capture_logs() as said:
        clock.tick()
        times.now += HOUR - timedelta(seconds=1)
        clock.tick()
        assert [line for line in said if line["event"] == "alarm"] == []
        times.now += timedelta(seconds=1)
        clock.tick()
    assert [line["key"] for line in said if line["event"] == "alarm"] == ["clock:sweep:2026-12-01"]


def test_a_file_that_is_put_off_again_and_again_is_told(store, tmp_path, times):
    inbox = Inbox(tmp_path, store, times)
    mark = (7, 1, 1)
    with capture_logs() as said:
        for _ in range(6):
            inbox.set_aside(tmp_path / "x.txt", mark, ValueError())
        assert not [line for line in said if line["event"] == "alarm"]
        inbox.set_aside(tmp_path / "x.txt", mark, ValueError())
    assert [line["key"] for line in said if line["event"] == "alarm"] == ["inbox:7:2026-12-01"]
