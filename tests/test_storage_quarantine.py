"""Refused files: kept for thirty days, given back as they were, never more than there is room."""

import os
from datetime import UTC, datetime, timedelta

from storage.quarantine import KEPT
from storage.store import Store

NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)


def keep(store: Store, ref: str, content: bytes, *, now: datetime = NOW, **more):
    store.keep_refused(
        ref,
        content,
        name="page.txt",
        reason="No person on it.",
        by="U0MIRA",
        via="slack",
        now=now,
        **more,
    )


def test_a_file_comes_back_as_it_was_sent(store: Store):
    content = bytes(range(256)) * 10
    keep(store, "7KQ2", content)
    (file,) = store.refused_files()
    assert (file.ref, file.name, file.by, file.size) == ("7KQ2", "page.txt", "U0MIRA", 2560)
    assert file.until == NOW + timedelta(days=30)
    assert store.refused_content("7KQ2") == content
    assert store.refused_content("NONE") is None


def test_kept_twice_is_kept_once(store: Store):
    keep(store, "7KQ2", b"one")
    keep(store, "7KQ2", b"two", now=NOW + timedelta(days=1))
    assert len(store.refused_files()) == 1
    assert store.refused_content("7KQ2") == b"one"


def test_after_thirty_days_it_is_gone(store: Store):
    keep(store, "OLD", b"one")
    keep(store, "NEW", b"two", now=NOW + timedelta(days=1))
    assert store.prune_refused(NOW + KEPT) == 1
    assert [file.ref for file in store.refused_files()] == ["NEW"]


def test_the_oldest_give_way_when_there_is_no_room(store: Store):
    for number in range(4):
        keep(store, f"R{number}", os.urandom(1000), now=NOW + timedelta(hours=number), room=2500)
    assert [file.ref for file in store.refused_files()] == ["R3", "R2"]


def test_one_that_came_now_is_kept_rather_than_others_of_this_moment(store: Store):
    keep(store, "A", os.urandom(1000), room=1500)
    keep(store, "B", os.urandom(1000), room=1500)
    assert [file.ref for file in store.refused_files()] == ["B"]
