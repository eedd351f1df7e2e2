"""The watched folder: files are taken when they have stopped growing, and nothing is lost."""

import os
from datetime import timedelta
from itertools import pairwise

import pytest
from structlog.testing import capture_logs

from bot.settings import PROJECT
from handlers.scheduled import intake
from handlers.scheduled.intake import Inbox, fitting
from tests.loading_fixtures import fail_at, mend, page, three_files


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
    assert reason.count("Nothing was stored.") == 1


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


def ticks(inbox, number=3):
    return [report for _ in range(number) for report in inbox.tick()]


def test_links_are_not_followed(folder, tmp_path, store, now):
    """Neither to a page elsewhere nor to a folder: the link itself is put with the refused."""
    (tmp_path / "elsewhere.txt").write_bytes(PAGE.read_bytes())
    (folder / "link.txt").symlink_to(tmp_path / "elsewhere.txt")
    (folder / "tree").symlink_to(tmp_path)
    reports = ticks(Inbox(folder, store, lambda: now))
    assert all("links are not followed" in report.reason for report in reports)
    assert store.count() == 0
    assert (folder / "refused" / "link.txt").is_symlink()
    assert (folder / "refused" / "tree").is_symlink()
    assert (tmp_path / "elsewhere.txt").exists()


def test_a_reason_is_not_written_through_a_link(folder, tmp_path, store, now):
    mine = tmp_path / "mine.txt"
    mine.write_text("mine")
    inbox = Inbox(folder, store, lambda: now)
    (folder / "a.txt.reason.txt").symlink_to(mine)
    ticks(inbox)
    (folder / "a.txt").write_text("milk")
    ticks(inbox)
    assert mine.read_text() == "mine"
    assert (folder / "refused" / "a-2.txt").read_text() == "milk"


@pytest.mark.parametrize(
    "name",
    [
        b"a" * 245 + b".txt",
        b"b" * 255,
        "\u00e9".encode() * 127,
        b".".join([b"c" * 100, b"d" * 150]),
        b"\xff\xfe.txt",
        b"new\nline.txt",
    ],
    ids=ascii,
)
@pytest.mark.parametrize("good", [True, False], ids=["good", "refused"])
def test_an_awkward_name_stops_nobody(folder, store, now, name, good):
    """Twice the same name, and a file behind it; what is moved keeps its bytes."""
    inbox = Inbox(folder, store, lambda: now)
    for number in range(2):
        text = page("Ada Example", title=f"Engineer {number}") if good else f"milk {number}"
        (folder / os.fsdecode(name)).write_text(text)
        (folder / f"zz {number}.txt").write_text(page("Bo Behind"))
        assert len(ticks(inbox)) == 2
    assert [path.name for path in folder.iterdir() if path.is_file()] == []
    place = folder / ("done" if good else "refused")
    kept = [path for path in place.iterdir() if not path.name.startswith("zz")]
    assert len(kept) == (2 if good else 4)
    if not good:
        pages = [path for path in kept if not path.name.endswith(".reason.txt")]
        assert sorted(path.read_text() for path in pages) == ["milk 0", "milk 1"]
        assert all(path.with_name(path.name + ".reason.txt").exists() for path in pages)


def test_a_shortened_name_ends_between_two_characters():
    short = fitting("\u00e9" * 127 + ".txt", "-2")
    assert short.endswith("\u00e9-2.txt")
    assert len(os.fsencode(short + ".reason.txt")) in {254, 255}
    assert fitting("a.tar.gz", "-2") == "a.tar-2.gz"
    assert fitting("plain", "") == "plain"


@pytest.mark.parametrize("blocked", ["done", "refused"])
def test_a_file_in_the_place_of_a_folder_is_told_once(folder, store, now, blocked):
    """What cannot be moved is set aside; the others go on, and it is taken once it can be."""
    times = [now]
    inbox = Inbox(folder, store, lambda: times[-1])
    (folder / blocked).write_text("x")
    (folder / "a.txt").write_text(page("Ada Example"))
    (folder / "b.txt").write_text("milk")
    with capture_logs() as logs:
        ticks(inbox, 4)
    stays, goes = ("a.txt", "b.txt") if blocked == "done" else ("b.txt", "a.txt")
    assert (folder / stays).exists()
    assert not (folder / goes).exists()
    assert [log["event"] for log in logs].count("inbox.blocked") == 1
    (folder / blocked).unlink()
    ticks(inbox)
    assert (folder / stays).exists()
    times.append(now + timedelta(minutes=2))
    ticks(inbox)
    assert (folder / blocked / stays).exists()
    assert store.count() == 1


def test_whatever_one_file_raises_the_next_ones_go_on(folder, store, now):
    """Tried again after a pause that doubles, or at once when it changes."""
    times = [now]

    class Awkward(Inbox):
        tried = 0

        def move(self, path, mark, report):
            if path.name == "a.txt":
                self.tried += 1
                raise RuntimeError
            super().move(path, mark, report)

    inbox = Awkward(folder, store, lambda: times[-1])
    (folder / "a.txt").write_text(page("Ada Example"))
    (folder / "b.txt").write_text(page("Bo Behind"))
    ticks(inbox)
    assert (folder / "done" / "b.txt").exists()
    assert inbox.tried == 1
    tried = []
    for minutes in (0.9, 1.1, 2, 3.2, 6):
        times.append(now + timedelta(minutes=minutes))
        ticks(inbox, 2)
        tried.append(inbox.tried)
    assert tried == [1, 2, 2, 3, 3]
    (folder / "a.txt").write_text(page("Ada Example", title="Lead"))
    ticks(inbox)
    assert inbox.tried == 4


def test_a_file_replaced_while_it_is_loaded_is_taken_too(folder, store, now):
    path = folder / "page.txt"
    path.write_text(page("First Version"))
    replaced = []

    def clock():
        """Asked between the first person's storing and the move."""
        if store.count() == 1 and not replaced:
            replaced.append(True)
            new = folder / ".new"
            new.write_text(page("Second Version"))
            new.rename(path)
        return now

    inbox = Inbox(folder, store, clock)
    ticks(inbox, 5)
    assert store.count() == 2
    assert [path.read_text() for path in (folder / "done").iterdir()] == [page("Second Version")]


def test_a_file_of_many_is_loaded_over_several_ticks_and_asks_the_clock_for_each(
    folder, store, now
):
    """So the watchdog hears it, digests go out in between, and nobody is stored twice."""
    asked = []

    def clock():
        """Each question takes a second."""
        asked.append(True)
        return now + timedelta(seconds=len(asked))

    (folder / "many.txt").write_text("".join(page(f"Person {n}") for n in range(20)))
    (folder / "other.txt").write_text(page("Other Person"))
    inbox = Inbox(folder, store, clock)
    counts, reports = [], []
    for _ in range(40):
        reports += inbox.tick()
        counts.append(store.count())
    assert max(b - a for a, b in pairwise(counts)) <= intake.SHARE.seconds
    assert store.count() == 21
    assert [len(report.people) for report in reports] == [20, 1]
    assert {person.outcome for report in reports for person in report.people} == {"stored"}


def test_a_failing_database_leaves_the_files_where_they_are(
    folder, tmp_path, store, store_url, now
):
    times = [now]
    inbox = Inbox(folder, store, lambda: times[-1])
    three_files(folder)
    fail_at(store_url, "Bo b", "database or disk is full")
    ticks(inbox)
    assert not (folder / "a.txt").exists()
    assert (folder / "b.txt").exists()
    assert not (folder / "refused").exists()
    mend(store_url)
    times.append(now + timedelta(minutes=2))
    ticks(inbox)
    assert store.count() == 6
    assert sorted(path.name for path in (folder / "done").iterdir()) == ["a.txt", "b.txt", "c.txt"]


@pytest.mark.parametrize("before", ["", "a", "ab", "abc"])
def test_a_shortened_name_never_ends_within_a_character(before):
    for letter in ("\u00e9", "\u674e", "\U0001f600"):
        short = fitting(before + letter * 127 + ".txt", "-2")
        assert short.removesuffix("-2.txt").removeprefix(before).strip(letter) == ""
        assert len(os.fsencode(short + ".reason.txt")) > 255 - 4
        assert len(os.fsencode(short + ".reason.txt")) <= 255


def test_a_file_taken_away_while_it_is_loaded_holds_up_nobody(folder, store, now):
    asked = []

    def clock():
        """Each question takes a second."""
        asked.append(True)
        return now + timedelta(seconds=len(asked))

    many = folder / "many.txt"
    many.write_text("".join(page(f"Person {n}") for n in range(60)))
    inbox = Inbox(folder, store, clock)
    while not store.count():
        assert inbox.tick() == []
    stored = store.count()
    assert stored < 60
    many.unlink()
    (folder / "other.txt").write_text(page("Other Person"))
    (report,) = [report for _ in range(3) for report in inbox.tick()]
    assert [person.name for person in report.people] == ["Other Person"]
    assert store.count() == stored + 1
