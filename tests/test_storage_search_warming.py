"""What is asked most is asked beforehand, and whoever asks it then reads no list."""

from datetime import datetime
from typing import Any

import pytest

from storage.records import Document, Location, Profile, Skill
from storage.search.reader import Reader
from storage.store import Store


def add(store: Store, name: str, now: datetime, **fields: Any) -> None:
    page = Document(
        name=f"{name}.txt",
        text=f"{name} {fields}",
        added_by="folder",
        added_via="inbox",
        parser="prog-ai/1",
    )
    store.add(Profile(name=name, **fields), page, now=now)


@pytest.fixture
def people(store: Store, now: datetime) -> Store:
    oslo = Location(text="Oslo, Norway", city="Oslo", country="Norway")
    add(store, "Ada Okafor", now, skills=(Skill(name="c++"), Skill(name="zig")), location=oslo)
    add(store, "Bo Lind", now, skills=(Skill(name='odd "quoted" skill'),), location=oslo)
    return store


@pytest.mark.parametrize(
    "query", ["skill:c++", "c++", "zig", "location:oslo", "norway", "zig sort:-years", "zig oslo"]
)
def test_what_was_warmed_is_not_read_again(
    people: Store, now: datetime, monkeypatch: pytest.MonkeyPatch, query: str
):
    people.warm(go_on=lambda: True, now=now)
    read: list[Any] = []
    monkeypatch.setattr(Reader, "numbers", lambda _, statement, *__: read.append(statement))
    assert people.search(query, now=now).total
    assert not read


def test_it_asks_as_long_as_it_may(people: Store, now: datetime):
    everything = people.warm(go_on=lambda: True, now=now)
    assert everything > 10
    left = iter([True, True, False])
    assert people.warm(go_on=lambda: next(left), now=now) == 2


def test_an_empty_store_has_little_to_warm(store: Store, now: datetime):
    assert store.warm(go_on=lambda: True, now=now) > 0
    assert store.search("zig", now=now).total == 0


def test_nobody_is_noted_as_shown(people: Store, now: datetime):
    before = people.audited()
    people.warm(go_on=lambda: True, now=now)
    assert people.audited() == before
