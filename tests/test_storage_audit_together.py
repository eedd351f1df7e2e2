"""Entries that come at once share a commit; each ends as if it had come alone."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from threading import Thread

from storage.records import Document, Profile
from storage.store import Store

NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
PATIENCE = 20


def wait_for(condition: Callable[[], object]) -> None:
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.005)


def added(store: Store, name: str) -> str:
    page = Document(name="a.txt", text=name, added_by="U1", added_via="load", parser="test/1")
    return store.add(Profile(name=name), page, now=NOW).candidate_id


def begun(store: Store, text: str, *people: str, failed: list[str] | None = None) -> Thread:
    """A thread that writes an entry and waits for it, or for its turn."""

    def write() -> None:
        try:
            store.audit(
                who="U1", action="ask", place="C1", text=text, candidate_ids=people, now=NOW
            )
        except UnicodeEncodeError:
            assert failed is not None
            failed.append(text)

    together = store._together
    first = not together._turn.locked()
    thread = Thread(target=write)
    thread.start()
    if first:
        wait_for(lambda: together._turn.locked() and not together._waiting)
    else:
        wait_for(lambda: not thread.is_alive() or text in [e.item.text for e in together._waiting])
    return thread


def test_an_entry_that_cannot_be_stored_fails_alone(store):
    failed: list[str] = []
    with store.database.write():
        threads = [begun(store, text, failed=failed) for text in ("a", "b", "\ud800", "c")]
    for each in threads:
        each.join(PATIENCE)
    assert failed == ["\ud800"]
    assert [entry.text for entry in store.audited()] == ["c", "b", "a"]
    assert store.verify_audit().fault is None


def test_only_entries_about_somebody_erased_lose_their_text(store):
    gone, kept = added(store, "Quetzal Zanzibar"), added(store, "Bo Lind")
    store.forget(gone, by="U9", place="C1", now=NOW)
    before = len(store.audited())
    with store.database.write():
        threads = [begun(store, "first")]
        threads += [begun(store, f"about {each}", each, kept) for each in (kept, gone, "nobody")]
    for each in threads:
        each.join(PATIENCE)
    entries = store.audited()[:-before]
    assert [entry.text for entry in reversed(entries)] == [
        "first", f"about {kept}", "", "about nobody"
    ]  # fmt: skip
    assert not any(gone in entry.candidate_ids for entry in entries)
    assert sum(kept in entry.candidate_ids for entry in entries) == 3
    assert store.verify_audit().fault is None
