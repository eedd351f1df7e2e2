"""The watched folder: files are taken when they have stopped growing, and nothing is lost."""

import pytest

from bot.settings import PROJECT
from handlers.intake import Inbox


@pytest.fixture
def folder(tmp_path):
    """A folder of its own: the store's file stands beside it, not in it."""
    path = tmp_path / "inbox"
    path.mkdir()
    return path


PAGE = PROJECT / "seeds" / "004_6325a03b96e54d5c.txt"


def test_a_file_is_loaded_once_it_has_stopped_growing(tmp_path, store, now):
    inbox = Inbox(tmp_path / "inbox", store, lambda: now)
    assert inbox.tick() == []
    text = PAGE.read_bytes()
    path = inbox.folder / "page.txt"
    path.write_bytes(text[:500])
    assert inbox.tick() == []
    path.write_bytes(text)
    assert inbox.tick() == []
    (report,) = inbox.tick()
    assert not report.refused
    assert store.count() == 1
    assert not path.exists()
    assert (inbox.folder / "done" / "page.txt").read_bytes() == text


def test_a_refused_file_lies_beside_the_reason(folder, store, now):
    inbox = Inbox(folder, store, lambda: now)
    (folder / "notes.txt").write_text("milk, bread")
    inbox.tick()
    (report,) = inbox.tick()
    assert report.refused
    assert (folder / "refused" / "notes.txt").read_text() == "milk, bread"
    reason = (folder / "refused" / "notes.txt.reason.txt").read_text()
    assert report.reason in reason
    assert "Nothing was stored." in reason


def test_a_second_file_of_the_same_name_does_not_replace_the_first(folder, store, now):
    inbox = Inbox(folder, store, lambda: now)
    for text in ("first", "second"):
        (folder / "notes.txt").write_text(text)
        inbox.tick()
        inbox.tick()
    kept = sorted(path.read_text() for path in (folder / "refused").glob("notes*.txt"))
    assert [text for text in kept if text in {"first", "second"}] == ["first", "second"]


def test_a_file_taken_again_after_a_kill_stores_nobody_twice(folder, store, now):
    """The process died between storing and moving: the next one finds the people unchanged."""
    inbox = Inbox(folder, store, lambda: now)
    for _ in range(2):
        (folder / "page.txt").write_bytes(PAGE.read_bytes())
        inbox.tick()
        inbox.tick()
    assert store.count() == 1


def test_unfinished_downloads_and_hidden_files_are_left_alone(folder, store, now):
    inbox = Inbox(folder, store, lambda: now)
    for name in ("page.txt.part", ".page.txt.swp", "page.txt~"):
        (folder / name).write_text("x")
    inbox.tick()
    assert inbox.tick() == []


def test_a_dangling_link_is_refused_and_moved(folder, store, now):
    inbox = Inbox(folder, store, lambda: now)
    (folder / "link.txt").symlink_to(folder / "nowhere")
    inbox.tick()
    (report,) = inbox.tick()
    assert "link" in report.reason
    assert (folder / "refused" / "link.txt").is_symlink()
