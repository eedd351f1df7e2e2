"""Backups: whole while others write, proven before they count, private, and pruned only then."""

import gzip
import os
import stat
import subprocess
import threading
from datetime import timedelta
from pathlib import Path

import pytest

from storage.backups import BackupFailed, backups_in, checksum, look_into, made_at
from storage.files import UNFINISHED
from storage.store import Store
from storage.verifying import verify
from tests.keeping_fixtures import NOW, answers, change, file_of, open_filled, person


@pytest.fixture
def filled(store_url):
    store = open_filled(store_url)
    yield store
    store.close()


def test_a_backup_is_one_private_file_that_agrees_with_its_checksum(filled, tmp_path):
    folder = tmp_path / "deep" / "backups"
    made = filled.back_up(folder, keep=3, now=NOW)
    assert made.path == folder / "candidates-20261201T093000Z.db"
    assert (made.people, made.sources, made.size) == (12, 13, made.path.stat().st_size)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for path in folder.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path.name
    assert {path.name for path in folder.iterdir()} == {
        ".lock", made.path.name, f"{made.path.name}.sha256", "candidates.db.tombstones",
    }  # fmt: skip
    beside = made.path.with_name(made.path.name + ".sha256")
    assert beside.read_text().split() == [checksum(made.path), made.path.name]
    done = subprocess.run(
        ["sha256sum", "-c", beside.name], cwd=folder, capture_output=True, check=False
    )
    assert done.returncode == 0
    database, _ = look_into(made.path)
    assert verify(database).faults == ()
    database.close()
    assert checksum(made.path) == beside.read_text().split()[0], "looking changes nothing"


def test_backups_under_concurrent_writes_are_each_one_moment(filled, tmp_path, store_url):
    """Whoever is in a backup is whole in it; what was stored before it began is in it."""
    stop, number = threading.Event(), 1000

    def write():
        nonlocal number
        other = Store.open(store_url)
        while not stop.is_set():
            other.add(*person(number), now=NOW)
            number += 1
        other.close()

    writers = [threading.Thread(target=write)]
    for thread in writers:
        thread.start()
    try:
        for round_ in range(4):
            before = filled.count()
            made = filled.back_up(tmp_path / "b", keep=9, now=NOW + timedelta(minutes=round_))
            assert made.people >= before
            database, _ = look_into(made.path)
            assert verify(database).faults == ()
            database.close()
    finally:
        stop.set()
        for thread in writers:
            thread.join()
    assert number > 1004, "others wrote meanwhile"


def test_the_newest_are_kept_and_nothing_else_is_touched(filled, tmp_path):
    folder = tmp_path / "b"
    folder.mkdir()
    others = ["notes.txt", "other-20200101T000000Z.db", "candidates-old.db", "candidates.db"]
    for name in others:
        (folder / name).write_text("mine")
    made = [filled.back_up(folder, keep=2, now=NOW + timedelta(days=day)) for day in range(4)]
    assert backups_in(folder, "candidates") == [made[3].path, made[2].path]
    assert made[3].removed == (made[1].path,)
    assert len(list(folder.glob("*.sha256"))) == 2
    assert all((folder / name).read_text() == "mine" for name in others)
    assert filled.newest_backup(folder) == NOW + timedelta(days=3) == made_at(made[3].path)
    again = filled.back_up(folder, keep=2, now=NOW + timedelta(days=3))
    assert made_at(again.path) == NOW + timedelta(days=3, seconds=1), "no backup is overwritten"


def test_the_one_just_made_stays_when_the_clock_was_wrong(filled, tmp_path):
    filled.back_up(tmp_path / "b", keep=1, now=NOW + timedelta(days=400))
    made = filled.back_up(tmp_path / "b", keep=1, now=NOW)
    assert backups_in(tmp_path / "b", "candidates") == [made.path]


def test_the_list_of_the_forgotten_lies_beside_the_backups_and_is_kept_current(tmp_path, store_url):
    """By each backup; by forgetting and letting in, where the folder is known."""
    folder = tmp_path / "b"
    store = open_filled(store_url, backup_folder=folder)
    path, own = folder / "candidates.db.tombstones", file_of(store_url + ".tombstones")
    first, second, third = [hit.candidate.id for hit in store.search("Nadja", now=NOW).hits][:3]
    store.forget(first, by="U1", place="", now=NOW)
    assert not folder.exists(), "no backup was made yet"
    store.back_up(folder, keep=1, now=NOW)
    assert path.read_bytes() == own.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    receipt = store.forget(second, by="U1", place="", now=NOW)
    assert path.read_bytes() == own.read_bytes()
    store.lift_tombstone(receipt.reference, by="U1", reason="asked", now=NOW)
    assert path.read_bytes() == own.read_bytes()
    assert len(path.read_text().splitlines()) == 3
    store.back_up(tmp_path / "elsewhere", keep=1, now=NOW)
    store.forget(third, by="U1", place="", now=NOW)
    other = tmp_path / "elsewhere" / path.name
    assert len(other.read_text().splitlines()) == 2, "as of its newest backup: a lifting is a row"
    for day in range(3):
        store.back_up(tmp_path / "elsewhere", keep=1, now=NOW + timedelta(days=day))
    assert len(other.read_text().splitlines()) == 3
    done = subprocess.run("sha256sum -c *.sha256", shell=True, cwd=folder, check=False)
    assert done.returncode == 0
    store.close()


def test_forgetting_does_not_need_the_folder_of_backups(tmp_path, store_url):
    store = open_filled(store_url, backup_folder=tmp_path / "b")
    store.back_up(tmp_path / "b", keep=1, now=NOW)
    path = tmp_path / "b" / "candidates.db.tombstones"
    path.unlink()
    path.mkdir()
    who = next(hit.candidate.id for hit in store.search("Nadja", now=NOW).hits)
    assert store.forget(who, by="U1", place="", now=NOW)
    with pytest.raises(BackupFailed, match="BACKUP_FOLDER"):
        store.back_up(tmp_path / "b", keep=1, now=NOW)
    store.close()


def test_a_copy_that_is_not_sound_costs_no_older_backup(filled, tmp_path, store_url):
    good = filled.back_up(tmp_path / "b", keep=1, now=NOW)
    change(file_of(store_url), "UPDATE source SET text = 'changed' WHERE version = 2")
    with pytest.raises(BackupFailed, match=r"not sound.*older backups are kept.*bot verify"):
        filled.back_up(tmp_path / "b", keep=1, now=NOW + timedelta(days=1))
    assert backups_in(tmp_path / "b", "candidates") == [good.path]
    assert not list((tmp_path / "b").glob(f"*{UNFINISHED}"))


def test_a_folder_that_cannot_be_written_is_a_sentence(filled, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BackupFailed, match="BACKUP_FOLDER"):
        filled.back_up(tmp_path / "file" / "b", keep=1, now=NOW)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a small disk")
def test_a_full_disk_is_a_sentence_and_leaves_nothing(filled, tmp_path):
    """A file system of 200 kB: the backup does not fit."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", str(folder)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip("no file system may be mounted here")
    try:
        with pytest.raises(BackupFailed, match="No space left"):
            filled.back_up(folder, keep=1, now=NOW)
        assert [path.name for path in folder.iterdir()] == [".lock"]
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_two_at_once_do_not_get_into_each_others_way(filled, tmp_path):
    def another(step):
        if step == "check":
            with pytest.raises(BackupFailed, match="Another backup"):
                filled.back_up(tmp_path / "b", keep=1, now=NOW)

    filled.back_up(tmp_path / "b", keep=1, now=NOW, step=another)


def test_what_was_erased_is_not_in_a_later_backup(filled, tmp_path):
    """Free pages of the file do not come along."""
    someone = next(hit.candidate for hit in filled.search("Nadja", now=NOW).hits)
    name = someone.profile.name
    filled.remove(someone.id, now=NOW)
    made = filled.back_up(tmp_path / "b", keep=1, now=NOW)
    assert name.encode() not in made.path.read_bytes()
    assert name.casefold().encode() not in made.path.read_bytes()


def test_answers_come_from_a_backup_as_from_the_store(filled, tmp_path):
    made = filled.back_up(tmp_path / "b", keep=1, now=NOW)
    copy = tmp_path / "copy.db"
    copy.write_bytes(made.path.read_bytes())
    opened = Store.open(f"sqlite:///{copy}")
    assert answers(opened) == answers(filled)
    opened.close()


def test_a_database_of_before_this_release_is_backed_up_too(tmp_path):
    released = Path(__file__).parent / "cases" / "released" / "0001.db.gz"
    path = tmp_path / "old.db"
    path.write_bytes(gzip.decompress(released.read_bytes()))
    store = Store.open(f"sqlite:///{path}")
    assert store.back_up(tmp_path / "b", keep=1, now=NOW).people == 12
    store.close()
