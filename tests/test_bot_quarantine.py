"""``python -m bot refused``: an admin sees what was refused, and can have the file."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.quarantine import NoSuchFile, NotSaved, listed, shown
from storage.store import Store

NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)


@pytest.fixture
def kept(store: Store) -> Store:
    store.keep_refused(
        "7KQ2MX",
        b"no page",
        name="saved\npage.txt",
        reason="No person on it.",
        by="U0MIRA",
        via="slack",
        now=NOW,
    )
    return store


def test_the_list_says_what_who_why_and_until_when(kept: Store):
    said = listed(kept)
    for part in ("7KQ2MX", "saved page.txt", "7 bytes", "U0MIRA", "2026-12-31", "No person on it."):
        assert part in said


def test_nothing_kept_says_so(store: Store):
    assert listed(store) == "No refused file is kept."


def test_one_is_shown_and_saved_in_whatever_case_it_is_typed(kept: Store, tmp_path: Path):
    assert "--save PATH" in shown(kept, "7kq2mx")
    shown(kept, "7kq2mx ", save=tmp_path / "page.txt")
    assert (tmp_path / "page.txt").read_bytes() == b"no page"


def test_a_file_that_exists_is_not_written_over(kept: Store, tmp_path: Path):
    (tmp_path / "page.txt").write_text("mine")
    with pytest.raises(NotSaved, match="exists already"):
        shown(kept, "7KQ2MX", save=tmp_path / "page.txt")
    with pytest.raises(NotSaved, match="could not be written"):
        shown(kept, "7KQ2MX", save=tmp_path / "no" / "page.txt")
    assert (tmp_path / "page.txt").read_text() == "mine"


def test_an_unknown_reference_says_what_to_do(kept: Store):
    with pytest.raises(NoSuchFile, match="30 days"):
        shown(kept, "NONE")
