"""Which digests are going to name the people of a receipt, and when."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.adding import coming_digests
from storage.records import Document, Profile, Skill
from storage.store import Store

NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
"""A Tuesday."""


@pytest.fixture
def two(store: Store) -> tuple[str, str]:
    """Ids of Ada, who lists cuda, and Bo, who lists nothing."""
    added = []
    for name, skills in (("Ada Oz", (Skill(name="cuda", score=9),)), ("Bo Oz", ())):
        document = Document(name="x", text=name, added_by="U1", added_via="slack", parser="p/1")
        added.append(store.add(Profile(name=name, skills=skills), document, now=NOW).candidate_id)
    return added[0], added[1]


def subscribe(store: Store, query: str = "", *, since: datetime = NOW - timedelta(days=7), **more):
    wish = {"channel": "C1", "weekdays": (1,), "hour": 9, "minute": 0, "timezone": "UTC", **more}
    made, _ = store.save_subscription(
        **wish, query=query, since=since, created_by="U1", now=NOW - timedelta(days=7)
    )
    return made


def test_a_digest_of_everyone_names_all_next_monday(store: Store, two: tuple[str, str]):
    subscribe(store)
    (coming,) = coming_digests(store, two, NOW)
    assert coming.candidate_ids == two
    assert coming.due_at == datetime(2026, 12, 7, 9, 0, tzinfo=UTC)


def test_a_digest_with_a_query_names_whom_it_finds(store: Store, two: tuple[str, str]):
    subscribe(store, "skill:cuda")
    (coming,) = coming_digests(store, two, NOW)
    assert coming.candidate_ids == two[:1]
    subscribe(store, "skill:cobol", channel="C2")
    assert len(coming_digests(store, two, NOW)) == 1


def test_a_digest_that_is_paused_or_stopped_names_nobody(store: Store, two: tuple[str, str]):
    store.pause_subscription(subscribe(store).number)
    store.stop_subscription(subscribe(store, channel="C2").number)
    assert coming_digests(store, two, NOW) == ()


def test_somebody_known_before_a_digest_began_is_no_news_to_it(store: Store, two: tuple[str, str]):
    subscribe(store, since=NOW + timedelta(hours=1))
    assert coming_digests(store, two, NOW) == ()


def test_a_digest_that_cannot_be_reckoned_with_stops_no_receipt(store: Store, two: tuple[str, str]):
    subscribe(store, timezone="Mars/Olympus")
    subscribe(store, channel="C2")
    assert [each.subscription.channel for each in coming_digests(store, two, NOW)] == ["C2"]


def test_without_anybody_new_nothing_is_asked(store: Store):
    subscribe(store)
    assert coming_digests(store, (), NOW) == ()
