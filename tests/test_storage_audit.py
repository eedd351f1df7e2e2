"""The audit only grows, and shows when somebody has changed it."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import make_url

from storage.records import AuditEntry, Document, Profile
from storage.store import Store

NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)


def file_of(url: str) -> str:
    return str(make_url(url).database)


def tamper(url: str, *statements: str) -> None:
    """Change the file as somebody would who can write to it and knows of the triggers."""
    with closing(sqlite3.connect(file_of(url))) as connection:
        connection.execute("DROP TRIGGER audit_keeps")
        connection.execute("DROP TRIGGER audit_stays")
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def three_entries(store: Store) -> None:
    store.audit(who="U1", action="ask", place="C1", text="cuda", now=NOW)
    store.audit(who="U2", action="open", place="D2", candidate_ids=["bo", "ada", "bo"], now=NOW)
    store.audit(who="U1", action="share", place="C1", candidate_ids=["ada"], now=NOW)


def test_the_audit_tells_who_did_what_newest_first(store):
    later = NOW + timedelta(minutes=1)
    store.audit(who="U1", action="ask", place="C1", text="cuda", now=NOW)
    store.audit(who="U2", action="card", place="D2", candidate_ids=["bo", "ada", "bo"], now=later)
    assert store.audited() == [
        AuditEntry(
            number=2, at=later, who="U2", action="card", place="D2", candidate_ids=("ada", "bo")
        ),
        AuditEntry(number=1, at=NOW, who="U1", action="ask", place="C1", text="cuda"),
    ]
    assert [entry.who for entry in store.audited(limit=1)] == ["U2"]


def test_the_audit_can_be_asked_by_person_by_candidate_by_kind_and_by_time(store):
    three_entries(store)
    store.audit(who="U3", action="ask", place="C1", now=NOW + timedelta(days=2))
    assert [entry.number for entry in store.audited(candidate_id="ada")] == [3, 2]
    assert [entry.number for entry in store.audited(who="U1")] == [3, 1]
    assert [entry.number for entry in store.audited(actions=["share", "open"])] == [3, 2]
    assert [entry.number for entry in store.audited(since=NOW + timedelta(days=1))] == [4]
    assert store.people_seen("U2", since=NOW, actions=["open"]) == 2
    assert store.people_seen("U2", since=NOW, actions=["ask"]) == 0
    assert store.people_seen("U2", since=NOW + timedelta(seconds=1), actions=["open"]) == 0


def test_an_untouched_audit_is_whole(store):
    assert store.verify_audit().fault is None
    three_entries(store)
    check = store.verify_audit()
    assert (check.entries, check.fault) == (3, None)
    store.audit(who="U1", action="ask", place="C1", now=NOW)
    assert store.verify_audit().head != check.head


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit SET who = 'U9' WHERE number = 2",
        "UPDATE audit SET text = 'something else' WHERE number = 1",
        "UPDATE audit SET text = '' WHERE number = 1",
        "UPDATE audit SET chain = 'x'",
        "DELETE FROM audit WHERE number = 2",
    ],
)
def test_the_database_refuses_to_change_the_audit(store, store_url, statement):
    three_entries(store)
    with (
        closing(sqlite3.connect(file_of(store_url))) as connection,
        pytest.raises(sqlite3.IntegrityError, match="the audit only grows"),
    ):
        connection.execute(statement)
    assert store.verify_audit().fault is None


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE audit SET who = 'U9' WHERE number = 2", "Entry 2"),
        ("UPDATE audit SET at = '2026-12-01 09:31:00.000000' WHERE number = 2", "Entry 2"),
        ("UPDATE audit SET text = 'something else' WHERE number = 1", "text of entry 1"),
        ("UPDATE audit SET text = '' WHERE number = 1", "text of entry 1"),
        ("UPDATE audit SET text = '', emptied_by = 3 WHERE number = 1", "text of entry 1"),
        ("DELETE FROM audit WHERE number = 2", "Entry 2 of the audit is missing"),
        ("DELETE FROM audit WHERE number = 1", "Entry 1 of the audit is missing"),
        ("UPDATE audit SET number = number + 10 WHERE number = 3", "Entry 3"),
    ],
)
def test_whoever_changes_the_file_breaks_the_chain(store, store_url, statement, told):
    three_entries(store)
    tamper(store_url, statement)
    assert told in (store.verify_audit().fault or "")


def test_erasing_a_person_empties_texts_and_leaves_the_chain_whole(store):
    added = store.add(
        Profile(name="Quetzal Zanzibar"),
        Document(name="a.txt", text="q", added_by="U1", added_via="load", parser="test/1"),
        now=NOW,
    )
    store.audit(
        who="U1",
        action="ask",
        place="C1",
        text="zanzibar",
        candidate_ids=[added.candidate_id],
        now=NOW,
    )
    store.remove(added.candidate_id, now=NOW, by="U2")
    newest, asked, added = store.audited()
    assert (added.action, added.who, added.candidate_ids) == ("add", "U1", ())
    assert (newest.action, newest.who) == ("remove", "U2")
    assert (asked.text, asked.candidate_ids) == ("", ())
    assert store.verify_audit().fault is None


def test_the_chain_is_the_same_for_two_processes_that_write_at_once(store_url):
    """Each entry is one transaction that writes, so the numbers have no gap."""
    stores = [Store.open(store_url) for _ in range(2)]
    with ThreadPoolExecutor(8) as pool:
        for done in [
            pool.submit(stores[number % 2].audit, who="U", action="ask", place="C", now=NOW)
            for number in range(40)
        ]:
            done.result()
    check = stores[0].verify_audit()
    assert (check.entries, check.fault) == (40, None)
    for each in stores:
        each.close()


def test_whoever_is_added_or_updated_is_audited_with_the_entry_s_place(store):
    """An unchanged page is neither."""
    for text, title in (("1", "Engineer"), ("1", "Engineer"), ("2", "Lead")):
        added = store.add(
            Profile(name="Quetzal Zanzibar", title=title),
            Document(name="a.txt", text=text, added_by="U1", added_via="load", parser="test/1"),
            now=NOW,
        )
    told = [(each.action, each.who, each.place, each.candidate_ids) for each in store.audited()]
    people = (added.candidate_id,)
    assert told == [("update", "U1", "load", people), ("add", "U1", "load", people)]


def test_older_entries_are_asked_for_by_number(store):
    for _ in range(5):
        store.audit(who="U1", action="ask", place="C1", now=NOW)
    assert [entry.number for entry in store.audited(before=4, limit=2)] == [3, 2]


def test_whoever_was_shown_more_than_so_many_different_people_is_named(store):
    seen = [f"p{number}" for number in range(6)]
    store.audit(who="U1", action="ask", place="C1", candidate_ids=seen[:4], now=NOW)
    store.audit(who="U1", action="open", place="C1", candidate_ids=seen[3:], now=NOW)
    store.audit(who="U2", action="open", place="C1", candidate_ids=seen[:5], now=NOW)
    store.audit(who="U3", action="digest", place="C1", candidate_ids=seen, now=NOW)
    shown = ["ask", "open"]
    assert store.bulk_readers(since=NOW, actions=shown, more_than=5) == {"U1": 6}
    assert store.bulk_readers(since=NOW, actions=shown, more_than=4) == {"U1": 6, "U2": 5}
    assert not store.bulk_readers(since=NOW + timedelta(1), actions=shown, more_than=1)
