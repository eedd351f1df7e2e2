"""A database of every released schema, brought up to date: nobody is lost, answers stay.

``cases/released`` holds one database a schema, as the program of its day wrote it
(invented people), and what that program answered.
"""

import gzip
import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import make_url

from storage.migrations import migrate
from storage.restoring import restore
from storage.store import Store
from tests.keeping_fixtures import others

RELEASED = Path(__file__).parent / "cases" / "released"
NOW = datetime(2026, 12, 1, 10, 0, tzinfo=UTC)


@pytest.fixture(params=sorted(RELEASED.glob("*.db.gz")), ids=lambda path: path.name[:4])
def released(request, tmp_path):
    """An old database, as a file, and its answers."""
    path = tmp_path / "old.db"
    path.write_bytes(gzip.decompress(request.param.read_bytes()))
    answers = request.param.with_name(request.param.name.replace(".db.gz", ".answers.json"))
    return f"sqlite:///{path}", json.loads(answers.read_text(encoding="utf-8"))


def test_old_data_gives_the_same_answers(released):
    url, answers = released
    store = Store.open(url)
    assert others(store, answers) == []
    assert store.count() == 12
    store.close()


def test_everything_else_is_carried_over(released):
    url, _ = released
    store = Store.open(url)
    asked = store.audited()
    assert [(entry.who, entry.action) for entry in asked] == [
        ("U0TOM", "ask"),
        ("U0MIRA", "share"),
        ("U0MIRA", "ask"),
    ]
    assert len(asked[2].candidate_ids) == 2
    assert store.verify_audit().fault is None
    store.audit(who="U0TOM", action="ask", place="C0HIRING", now=NOW)
    assert store.verify_audit().entries == 4
    (subscription,) = store.subscriptions()
    assert (subscription.number, subscription.channel) == (1, "C0HIRING")
    assert store.oldest_due(now=NOW) is not None
    assert store.posted("C0HIRING", "1764579600.000100") is not None
    store.close()


def test_going_back_is_the_copy_that_was_kept(released):
    """The program of that day reads the copy: its schema and its rows are untouched."""
    url, _ = released
    path = Path(str(make_url(url).database))
    with closing(sqlite3.connect(path)) as old:
        schema = old.execute("SELECT version_num FROM alembic_version").fetchone()[0]
        before = old.execute("SELECT id, name FROM profile ORDER BY id").fetchall()
    Store.open(url).close()
    assert schema != migrate.head_of()
    with closing(sqlite3.connect(path.with_name(f"old.db.before-{schema}"))) as copy:
        assert copy.execute("SELECT version_num FROM alembic_version").fetchone()[0] == schema
        assert copy.execute("SELECT id, name FROM profile ORDER BY id").fetchall() == before


def test_the_copy_that_was_kept_can_be_restored_and_brought_up_to_date_again(released):
    """Gone back and forward again: the same answers."""
    url, answers = released
    path = Path(str(make_url(url).database))
    Store.open(url).close()
    (copy,) = path.parent.glob("old.db.before-*")
    done = restore(url, copy, by="terminal:ada", now=NOW)
    assert (done.people, done.migrated_to) == (12, migrate.head_of())
    store = Store.open(url)
    assert others(store, answers) == []
    assert store.verify().faults == ()
    store.close()
