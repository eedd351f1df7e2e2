"""Restore: the drill, and everything that could go wrong with one."""

import gzip
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from storage.backups import BadBackup
from storage.dialects.dialect import DatabaseTrouble
from storage.migrations import migrate
from storage.recognising import Forgotten
from storage.records import StandingKind
from storage.restoring import Before, restore
from storage.retention import NoticeState
from storage.store import Store
from tests.keeping_fixtures import NOW, answers, change, file_of, open_filled, overwrite, person

RELEASED = Path(__file__).parent / "cases" / "released" / "0001.db.gz"
LATER = NOW + timedelta(days=3)


@pytest.fixture
def backup(store_url, tmp_path):
    """A filled database, closed; a backup of it; and the answers of then."""
    store = open_filled(store_url)
    made = store.back_up(tmp_path / "b", keep=5, now=NOW)
    said = answers(store)
    store.close()
    return made.path, said


def back(store_url, file, **options):
    return restore(store_url, file, by="terminal:ada", now=LATER, **options)


def names_in(folder):
    return {path.name for path in folder.iterdir() if path.is_file()}


def test_the_drill(backup, store_url, tmp_path):
    """Fill, back up, lose the database, restore: the same answers, and the bot goes on."""
    file, said = backup
    path = file_of(store_url)
    overwrite(path, 0, b"\0" * 30_000)
    with pytest.raises(DatabaseTrouble):
        Store.open(store_url)
    done = back(store_url, file)
    assert (done.people, done.sources, done.forgotten, done.migrated_to) == (12, 13, 0, None)
    assert done.checksum_known
    assert not done.tombstones_read
    assert done.aside.read_bytes()[:100] == b"\0" * 100, "the damaged one is kept"
    assert stat.S_IMODE(done.aside.stat().st_mode) == stat.S_IMODE(path.stat().st_mode) == 0o600
    store = Store.open(store_url)
    assert answers(store) == said
    assert store.verify().faults == ()
    newest = store.audited()[0]
    assert (newest.action, newest.who, newest.at) == ("restore", "terminal:ada", LATER)
    store.add(*person(77), now=LATER)
    assert store.count() == 13
    store.close()
    assert not [name for name in names_in(tmp_path) if "restoring" in name]


def test_it_stays_a_database_with_a_write_ahead_log(backup, store_url):
    back(store_url, backup[0])
    with closing(sqlite3.connect(file_of(store_url))) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_what_was_only_in_the_log_of_before_is_kept_aside_and_not_mixed_in(
    backup, store_url, tmp_path
):
    file, said = backup
    script = (
        "import sys, os; from storage.store import Store; from tests.keeping_fixtures import *;"
        "store = Store.open(sys.argv[1]); [store.add(*person(n), now=NOW) for n in (500, 501)];"
        "os._exit(0)"
    )
    project = Path(__file__).parent.parent
    subprocess.run([sys.executable, "-c", script, store_url], cwd=project, check=True)
    assert file_of(store_url).with_name("candidates.db-wal").stat().st_size > 0
    done = back(store_url, file)
    store = Store.open(store_url)
    assert answers(store) == said
    store.close()
    aside = Store.open(f"sqlite:///{done.aside}")
    assert aside.count() == 14
    aside.close()


def test_on_a_new_machine_there_is_nothing_to_keep_aside(backup, tmp_path):
    url = f"sqlite:///{tmp_path / 'new' / 'people.db'}"
    done = back(url, backup[0])
    assert done.aside is None
    assert done.tombstones_read
    store = Store.open(url)
    assert answers(store) == backup[1]
    store.close()


def test_it_refuses_while_a_program_has_the_database_open(backup, store_url):
    store = Store.open(store_url)
    before = answers(store)
    with pytest.raises(DatabaseTrouble, match="Stop the bot"):
        back(store_url, backup[0])
    assert answers(store) == before
    store.close()
    back(store_url, backup[0])


def test_nobody_opens_the_database_meanwhile(backup, store_url):
    refused = []

    def open_it(step):
        with pytest.raises(DatabaseTrouble, match="wait until that has ended"):
            Store.open(store_url)
        refused.append(step)

    back(store_url, backup[0], step=open_it)
    assert refused[-2:] == ["replace", "done"]


def test_an_older_schema_is_brought_up_to_date(store_url, tmp_path):
    old = tmp_path / "old-20260101T000000Z.db"
    old.write_bytes(gzip.decompress(RELEASED.read_bytes()))
    before = old.read_bytes()
    done = back(store_url, old)
    assert (done.revision, done.migrated_to) == ("0001", migrate.head_of())
    assert not done.checksum_known
    store = Store.open(store_url)
    assert store.count() == 12
    assert store.verify().faults == ()
    store.close()
    assert old.read_bytes() == before, "a backup is only read"


def flip(path, at):
    content = path.read_bytes()
    overwrite(path, at, bytes([content[at] ^ 0x10]))


def test_a_flipped_bit_anywhere_is_refused_by_the_checksum(backup, store_url):
    file, _ = backup
    size = file.stat().st_size
    present = file_of(store_url).read_bytes()
    for at in range(17, size, size // 25):
        flip(file, at)
        with pytest.raises(BadBackup):
            back(store_url, file)
        flip(file, at)
    assert file_of(store_url).read_bytes() == present
    back(store_url, file)


def test_without_its_checksum_a_changed_document_is_still_noticed(backup, store_url):
    file, _ = backup
    file.with_name(file.name + ".sha256").unlink()
    change(file, "UPDATE source SET text = 'changed' WHERE version = 2")
    with pytest.raises(BadBackup, match=r"damaged.*Choose another backup"):
        back(store_url, file)


def test_a_half_or_foreign_or_newer_file_is_refused(backup, store_url, tmp_path):
    file, _ = backup
    present = file_of(store_url).read_bytes()
    half = tmp_path / "half.db"
    half.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    unfinished = tmp_path / "x.db.unfinished"
    unfinished.write_bytes(file.read_bytes())
    text = tmp_path / "text.db"
    text.write_text("hello" * 1000)
    empty = tmp_path / "empty.db"
    empty.write_bytes(b"")
    foreign = tmp_path / "foreign.db"
    change(foreign, "CREATE TABLE songs (title TEXT)")
    newer = tmp_path / "newer.db"
    newer.write_bytes(file.read_bytes())
    change(newer, "UPDATE alembic_version SET version_num = '9999'")
    for path, said in (
        (half, "damaged"),
        (unfinished, "not finished"),
        (text, "not a database of the bot"),
        (empty, "not a database of the bot"),
        (foreign, "not a database of the bot"),
        (newer, "newer program"),
        (tmp_path / "none.db", "There is no file"),
        (file_of(store_url), "the database itself"),
    ):
        with pytest.raises(BadBackup, match=said):
            back(store_url, path)
    assert file_of(store_url).read_bytes() == present


def test_search_rows_of_a_backup_that_are_wrong_are_made_anew(backup, store_url):
    file, said = backup
    file.with_name(file.name + ".sha256").unlink()
    change(file, "DELETE FROM profile_skill", "DELETE FROM profile_text WHERE rowid < 5")
    assert back(store_url, file).rebuilt == 12
    store = Store.open(store_url)
    assert answers(store) == said
    store.close()


def forgotten(store_url):
    """Somebody of the backup is forgotten afterwards; returns the reference."""
    store = Store.open(store_url)
    name = person(5)[0].name
    (who,) = [
        hit.candidate.id
        for hit in store.search(f'"{name}"', now=NOW).hits
        if hit.candidate.profile.name == name
    ]
    erasure = store.forget(who, by="U0ADMIN", place="terminal", now=NOW)
    assert store.count() == 11
    store.close()
    return erasure.reference


def test_who_was_forgotten_since_stays_forgotten(backup, store_url):
    """By the tombstones of the database that is replaced."""
    reference = forgotten(store_url)
    assert back(store_url, backup[0]).forgotten == 1
    store = Store.open(store_url)
    names = {hit.candidate.profile.name for hit in store.search("Nadja", now=NOW).hits}
    assert person(5)[0].name not in names
    assert store.count() == 11
    assert store.verify().faults == ()
    assert store.tombstone(reference) is not None, "and is refused from now on"
    profile, document = person(5)
    with pytest.raises(Forgotten):
        store.add(profile, document, now=NOW)
    store.close()


def test_who_was_forgotten_stays_so_when_the_database_is_lost_too(backup, store_url):
    """By the list beside it, of which the last line may be cut off."""
    forgotten(store_url)
    path = file_of(store_url)
    with path.with_name(path.name + ".tombstones").open("a") as beside:
        beside.write('{"id": "t2", "ke')
    overwrite(path, 0, b"\0" * 30_000)
    assert back(store_url, backup[0]).forgotten == 1
    store = Store.open(store_url)
    assert store.count() == 11
    store.close()


def test_on_another_machine_the_list_among_the_backups_tells_who_was_forgotten(
    backup, store_url, tmp_path
):
    """It is kept current by each later backup; what else lies there may be missing."""
    file, _ = backup
    forgotten(store_url)
    store = Store.open(store_url)
    store.back_up(file.parent, keep=5, now=LATER)
    store.close()
    there = tmp_path / "copied"
    there.mkdir()
    for each in (file, file.with_name("candidates.db.tombstones")):
        (there / each.name).write_bytes(each.read_bytes())
    url = f"sqlite:///{tmp_path / 'drill' / 'people.db'}"
    done = back(url, there / file.name)
    assert (done.forgotten, done.before) == (1, Before.NOTHING)
    assert done.lists == (there / "candidates.db.tombstones",)
    store = Store.open(url)
    assert store.count() == 11
    store.close()


def test_lists_beside_the_database_and_the_backup_are_taken_together(backup, store_url, tmp_path):
    file, _ = backup
    forgotten(store_url)
    listed = file_of(store_url + ".tombstones")
    store = Store.open(store_url)
    other = store.forget(id_of(store, 7), by="U1", place="", now=NOW)
    store.close()
    first, second = listed.read_text().splitlines()
    assert other.id in second
    url = f"sqlite:///{tmp_path / 'drill' / 'candidates.db'}"
    target = file_of(url + ".tombstones")
    target.parent.mkdir()
    target.write_text(first + "\n")
    file.with_name("candidates.db.tombstones").write_text(second + "\n")
    done = back(url, file)
    assert (done.forgotten, len(done.lists)) == (2, 2)


def test_who_was_let_in_again_is_not_erased(backup, store_url):
    reference = forgotten(store_url)
    store = Store.open(store_url)
    assert store.lift_tombstone(reference, by="U0ADMIN", reason="asked", now=NOW)
    store.close()
    assert back(store_url, backup[0]).forgotten == 0


def test_a_digest_of_before_is_not_posted_twice(store_url, tmp_path):
    """Slots since the backup do not count again; one that was due then is looked for first."""
    store = open_filled(store_url)
    subscription, _ = store.save_subscription(
        channel="C0HIRING", weekdays=(1, 2), hour=9, minute=0, timezone="UTC", since=NOW,
        created_by="U0MIRA", now=NOW - timedelta(days=7),
    )  # fmt: skip
    store.write_slots(subscription.number, [("2026-12-01", NOW - timedelta(minutes=5))], now=NOW)
    file = store.back_up(tmp_path / "b", keep=1, now=NOW).path
    store.close()
    back(store_url, file)
    store = Store.open(store_url)
    (kept,) = store.subscriptions()
    assert kept.active_from == LATER
    run = store.claim_digest(now=LATER, lease=timedelta(minutes=3))
    assert run.attempt == 2, "whoever claims it looks in the channel before posting"
    assert run.first_claim_at == NOW - timedelta(minutes=5)
    store.close()


def id_of(store, number):
    name = person(number)[0].name
    return next(
        each.candidate.id
        for each in store.search(f'"{name}"', now=NOW).hits
        if each.candidate.profile.name == name
    )


def standings(store, candidate_id):
    return {each.kind for each in store.candidate(candidate_id).standings}


def test_marks_that_were_set_since_are_set_again_and_lifted_ones_stay_lifted(store_url, tmp_path):
    store = open_filled(store_url)
    ids = [id_of(store, number) for number in range(7)]
    for each in ids[4:6]:
        store.set_standing(each, StandingKind.DO_NOT_CONTACT, by="U1", now=NOW)
    store.set_notice(ids[4], NoticeState.INFORMED, by="U1", now=NOW)
    store.set_notice(ids[5], NoticeState.INFORMED, by="U1", now=NOW)
    file = store.back_up(tmp_path / "b", keep=1, now=NOW).path
    since = NOW + timedelta(hours=1)
    store.set_standing(ids[0], StandingKind.RESTRICTED, by="U9", reason="asked", now=since)
    store.set_standing(ids[1], StandingKind.OBJECTED, by="U9", now=since)
    store.set_standing(ids[2], StandingKind.DO_NOT_CONTACT, by="U9", now=since)
    store.set_notice(ids[2], NoticeState.EXEMPT, by="U9", reason="knows", now=since)
    store.set_notice(ids[5], NoticeState.EXEMPT, by="U9", now=since)
    store.lift_standing(ids[4], StandingKind.DO_NOT_CONTACT)
    store.withdraw_notice(ids[4], NoticeState.INFORMED)
    new = store.add(*person(700), now=since).candidate_id
    store.set_standing(new, StandingKind.RESTRICTED, by="U9", now=since)
    store.close()
    done = back(store_url, file)
    assert done.before is Before.FOLLOWS
    assert done.marks.again == {"do_not_contact": 1, "restricted": 1, "objected": 1, "exempt": 2}
    assert done.marks.lifted == 2
    assert done.marks.nobody == ((person(700)[0].name, "restricted"),)
    store = Store.open(store_url)
    (kept,) = store.candidate(ids[0]).standings
    assert (kept.kind, kept.at, kept.by, kept.reason) == (
        StandingKind.RESTRICTED, since, "U9", "asked",
    )  # fmt: skip
    assert standings(store, ids[1]) == {StandingKind.OBJECTED}
    assert standings(store, ids[2]) == standings(store, ids[5]) == {StandingKind.DO_NOT_CONTACT}
    assert standings(store, ids[4]) == set()
    assert store.notice(ids[2], now=since).reason == "knows"
    assert store.notice(ids[4], now=since).state is NoticeState.DUE
    assert store.notice(ids[5], now=since).state is NoticeState.EXEMPT
    assert store.verify().faults == ()
    assert ids[0] not in [hit.candidate.id for hit in store.search("Nadja", now=NOW).hits]
    store.close()


def test_an_older_database_lifts_no_mark_of_a_newer_backup(store_url, tmp_path):
    """The wrong backup was put back first; the right one keeps its marks, and its liftings."""
    store = open_filled(store_url)
    ids = [id_of(store, number) for number in range(2)]
    store.set_standing(ids[1], StandingKind.RESTRICTED, by="U1", now=NOW)
    old = store.back_up(tmp_path / "b", keep=9, now=NOW).path
    store.audit(who="U1", action="restrict", place="", text="", now=NOW)
    store.set_standing(ids[0], StandingKind.RESTRICTED, by="U1", now=NOW)
    store.lift_standing(ids[1], StandingKind.RESTRICTED)
    newer = store.back_up(tmp_path / "b", keep=9, now=NOW + timedelta(days=1)).path
    store.close()
    overwrite(file_of(store_url), 0, b"\0" * 30_000)
    assert back(store_url, old).before is Before.UNREADABLE
    done = back(store_url, newer)
    assert (done.before, done.marks.again, done.marks.lifted) == (Before.OTHER, {}, 0)
    store = Store.open(store_url)
    assert standings(store, ids[0]) == {StandingKind.RESTRICTED}
    assert standings(store, ids[1]) == set()
    store.close()


def test_marks_and_the_forgotten_are_carried_over_together(store_url, tmp_path):
    store = open_filled(store_url)
    who = id_of(store, 4)
    file = store.back_up(tmp_path / "b", keep=1, now=NOW).path
    store.set_standing(who, StandingKind.DO_NOT_CONTACT, by="U9", now=LATER)
    store.forget(id_of(store, 5), by="U1", place="", now=LATER)
    store.close()
    done = back(store_url, file)
    assert (done.forgotten, done.marks.again) == (1, {"do_not_contact": 1})


def test_a_backup_before_anybody_asked_anything_is_known_by_its_key(store_url, tmp_path):
    """Nothing stands in its audit yet."""
    store = Store.open(store_url)
    who = store.add(*person(1), now=NOW).candidate_id
    file = store.back_up(tmp_path / "b", keep=1, now=NOW).path
    store.set_standing(who, StandingKind.RESTRICTED, by="U9", now=LATER)
    store.close()
    done = back(store_url, file)
    assert (done.before, done.marks.again) == (Before.FOLLOWS, {"restricted": 1})


def test_an_empty_database_that_was_begun_meanwhile_knows_nothing_of_the_backup(
    backup, store_url, tmp_path
):
    url = f"sqlite:///{tmp_path / 'new' / 'candidates.db'}"
    file_of(url).parent.mkdir()
    Store.open(url).close()
    done = back(url, backup[0])
    assert (done.before, done.marks.again, done.people) == (Before.OTHER, {}, 12)
