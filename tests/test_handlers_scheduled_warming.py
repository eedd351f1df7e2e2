"""Warming begins with the program, ends when that ends, and never keeps it from running."""

import threading
from datetime import datetime

from structlog.testing import capture_logs

from handlers.scheduled.warming import Warming
from storage.store import Store


def test_it_ends_by_itself(seeded_store: Store, now: datetime):
    with capture_logs() as logs:
        warming = Warming(seeded_store, lambda: now)
        warming._thread.join(20)
        assert not warming._thread.is_alive()
        warming.stop()
    [done] = [each for each in logs if each["event"] == "warming.done"]
    assert done["questions"] > 10


def test_it_is_stopped_between_two_questions(seeded_store: Store, now: datetime, monkeypatch):
    asking, go_on = threading.Event(), threading.Event()

    def search(*_, **__):
        asking.set()
        assert go_on.wait(20)

    monkeypatch.setattr(type(seeded_store), "search", search)
    with capture_logs() as logs:
        warming = Warming(seeded_store, lambda: now)
        assert asking.wait(20)
        warming._stop.set()
        go_on.set()
        warming.stop()
    assert [each["questions"] for each in logs] == [1]


def test_a_failure_is_written_down_and_no_more(store: Store, now: datetime, monkeypatch):
    def fail(*_, **__):
        raise OSError("the disk is gone")

    monkeypatch.setattr(type(store), "warm", fail)
    with capture_logs() as logs:
        Warming(store, lambda: now).stop()
    assert [each["event"] for each in logs] == ["warming.failed"]
    assert "disk" not in str(logs[0])
