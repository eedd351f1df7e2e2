"""A statement put together once gives what SQLAlchemy gives, and a question asks few of them."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import bindparam, event, select
from sqlmodel import col

from bot.asking import ask
from storage.dialects.dialect import DatabaseTrouble
from storage.models import ProfileRow
from storage.prepared import MOST_KEPT, Prepared
from storage.records import Document, Profile
from storage.store import Store

ADDED_SINCE = (
    select(col(ProfileRow.name), col(ProfileRow.added_at))
    .where(
        col(ProfileRow.id).in_(bindparam("ids", expanding=True)),
        col(ProfileRow.workspace) == bindparam("workspace"),
        col(ProfileRow.doc) > 0,
    )
    .order_by(col(ProfileRow.doc))
    .limit(5)
)


def both(store: Store, prepared: Prepared, ids: list[str]) -> tuple[list[Any], list[Any]]:
    values = {"ids": ids, "workspace": store.workspace}
    with store.database.read() as session:
        connection = session.connection()
        ours = prepared.rows(connection, values)
        return ours, [tuple(row) for row in connection.execute(ADDED_SINCE, values)]


def ids_of(store: Store) -> list[str]:
    return [hit.candidate.id for hit in store.search("sort:name", now=datetime.now(UTC)).hits]


def test_lists_of_any_length_give_the_same_rows_as_sqlalchemy(seeded_store: Store):
    prepared, ids = Prepared(ADDED_SINCE), ids_of(seeded_store)
    for some in (ids, ids[:1], [], ["nobody", *ids], ids):
        ours, theirs = both(seeded_store, prepared, some)
        assert ours == theirs
        assert len(ours) == len({*some} & {*ids})
    assert all(at.tzinfo is UTC for _name, at in both(seeded_store, prepared, ids)[0])


def test_few_of_its_texts_are_kept(seeded_store: Store):
    prepared = Prepared(ADDED_SINCE)
    for length in range(2 * MOST_KEPT):
        both(seeded_store, prepared, ["nobody"] * length)
    assert len(prepared._made) <= MOST_KEPT


def test_what_the_driver_raises_becomes_a_sentence_as_what_sqlalchemy_raises_does(store: Store):
    def read_a_damaged_page() -> None:
        with store.database.read():
            raise store.database._dialect.driver_error("database disk image is malformed")

    with pytest.raises(DatabaseTrouble, match="is damaged"):
        read_a_damaged_page()


@contextmanager
def statements_of(store: Store) -> Iterator[list[str]]:
    """What readers ask meanwhile, beginnings of transactions included; settings left out."""
    seen: list[str] = []
    connections: list[Any] = []

    def watch(connection: Any, *_: object) -> None:
        connections.append(connection)
        connection.set_trace_callback(seen.append)

    event.listen(store.database._reading, "checkout", watch)
    try:
        yield seen
    finally:
        event.remove(store.database._reading, "checkout", watch)
        for each in connections:
            each.set_trace_callback(None)


@pytest.mark.parametrize(
    ("question", "most"),
    [("chenggang zhao", 8), ("LyricZhao", 8), ("skill:cuda", 8), ("cuda beijing", 9), ("help", 3)],
)
def test_a_question_asked_again_is_one_transaction_of_few_statements(
    seeded_store: Store, question: str, most: int
):
    now = datetime.now(UTC)
    ask(seeded_store, question, now=now)
    with statements_of(seeded_store) as seen:
        ask(seeded_store, question, now=now)
    begun = [each for each in seen if each.startswith("BEGIN")]
    assert len(begun) == 1, seen
    assert len(seen) <= most, "\n".join(seen)


def in_another_thread(work: Callable[[], object]) -> None:
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def test_what_is_asked_at_one_moment_does_not_see_who_is_added_meanwhile(seeded_store: Store):
    store, now = seeded_store, datetime.now(UTC)
    seen: list[int] = []

    def add() -> None:
        store.add(
            Profile(name="Quirin Aaltonen"),
            Document(name="q.txt", text="Quirin", added_by="t", added_via="t", parser="t/1"),
            now=now + timedelta(seconds=1),
        )
        seen.append(store.count())

    with store.at_one_moment():
        before = store.count()
        in_another_thread(add)
        with store.at_one_moment():
            assert store.count() == before
        assert not store.named("quirin").hits
    assert seen == [before + 1], "other threads see it at once"
    assert store.count() == before + 1
    assert store.named("quirin").hits
