"""The history of a person's record: newest first, not longer than can be read."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from handlers.views.card import Setting
from handlers.views.history import CHANGES, ENTRIES, history
from storage.records import Candidate, HistoryEntry
from storage.store import Store

NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
SETTING = Setting(now=NOW, zone=UTC)


@pytest.fixture
def chenggang(seeded_store: Store) -> Candidate:
    [hit] = seeded_store.named("chenggang").hits
    return hit.candidate


def entry(number: int, *changes: str, by: str = "U0MIRALINDG") -> HistoryEntry:
    return HistoryEntry(
        at=NOW - timedelta(days=number), by=by, source_id=None, changes=changes or ("stored",)
    )


def test_nothing_recorded_is_said(chenggang: Candidate):
    message = history(chenggang, [], SETTING)
    assert "Nothing" in message.plain
    assert "Chenggang Zhao" in message.plain


def test_each_entry_says_when_who_and_what(chenggang: Candidate):
    message = history(
        chenggang,
        [entry(0, "title: A → B", "2 skills more"), entry(1, by="terminal:ada")],
        SETTING,
    )
    title, first, second = (block["text"]["text"] for block in message.blocks[:3])
    assert "Chenggang Zhao" in title
    assert "<@U0MIRALINDG>" in first
    assert "• title: A → B\n• 2 skills more" in first
    assert "ada at the terminal" in second
    assert "more" not in second


def test_a_change_names_the_document_that_it_came_from(chenggang: Candidate):
    [source] = chenggang.sources
    came = replace(entry(0), source_id=source.id)
    first = history(chenggang, [came, entry(1)], SETTING).blocks[1]["text"]["text"]
    assert first.split("\n")[0].endswith(f" · {source.name}")


@pytest.mark.parametrize(("entries", "left_out"), [(ENTRIES, 0), (ENTRIES + 3, 3)])
def test_the_oldest_are_counted_not_told(chenggang: Candidate, entries: int, left_out: int):
    told = history(chenggang, [entry(n, f"change {n}") for n in range(entries)], SETTING).plain
    assert [n for n in range(entries) if f"• change {n}" in told.split("\n")] == list(
        range(ENTRIES)
    )
    assert (f"{left_out} earlier" in told) is (left_out > 0)


@pytest.mark.parametrize(("changes", "left_out"), [(CHANGES, 0), (CHANGES + 2, 2)])
def test_of_many_changes_the_first_are_told(chenggang: Candidate, changes: int, left_out: int):
    told = history(chenggang, [entry(0, *(f"change {n}" for n in range(changes)))], SETTING).plain
    assert told.count("• change") == CHANGES
    assert (f"and {left_out} more" in told) is (left_out > 0)
