"""Journeys of ``tests.campaign_kill`` over the database and files: what is done and looked at."""

import gzip
import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bot.loading import load_files
from handlers.scheduled.intake import Inbox
from storage.backups import backups_in, look_into
from storage.migrations import migrate
from storage.records import StandingKind
from storage.restoring import restore
from storage.store import Store
from storage.verifying import verify
from tests.campaign_killing import Journey
from tests.campaign_sound import unsound
from tests.keeping_fixtures import answers, fill, others, person
from tests.loading_fixtures import page

ROOT = Path(__file__).parent.parent
RELEASED = ROOT / "tests/cases/released"
NOW = datetime(2026, 12, 1, 10, 0, tzinfo=UTC)
DATABASE = "candidates.db"


def opened(folder: Path) -> Store:
    return Store.open(f"sqlite:///{folder / DATABASE}")


def make_pages(folder: Path) -> None:
    """A file of two people, a newer page of a known one, and one that is no page."""
    files = folder / "files"
    files.mkdir()
    (files / "new.txt").write_text(page("Ines Adeyemi") + page("Bo Lindqvist"))
    (files / "known.txt").write_text(page("Ada Byte", title="Lead at Foo"))
    (files / "letter.txt").write_text("Dear all, nobody is on this page.\n")
    known = folder / "before" / "known.txt"
    known.parent.mkdir()
    known.write_text(page("Ada Byte"))
    store = opened(folder)
    load_from(store, known.parent)
    store.close()


def load_from(store: Store, folder: Path) -> list[Any]:
    paths = sorted(each for each in folder.iterdir() if each.is_file())
    return list(
        load_files(store, paths, added_by="terminal:x", added_via="load", clock=lambda: NOW)
    )


def load(folder: Path) -> None:
    store = opened(folder)
    load_from(store, folder / "files")
    store.checkpoint()
    store.close()


def sound(folder: Path) -> list[str]:
    return unsound(folder / DATABASE)


def names(folder: Path) -> list[str]:
    store = opened(folder)
    found = store.search("", limit=200, now=NOW)
    store.close()
    return sorted(
        f"{hit.candidate.profile.name}, {hit.candidate.profile.title}" for hit in found.hits
    )


EVERYONE = ["Ada Byte, Lead", "Bo Lindqvist, Engineer", "Ines Adeyemi, Engineer"]


def loaded(folder: Path) -> list[str]:
    found = names(folder)
    return [*sound(folder), *([] if found == EVERYONE else [f"stored are {found}"])]


def take(folder: Path) -> None:
    store = opened(folder)
    moments = iter(NOW + timedelta(milliseconds=each) for each in range(1_000_000))
    inbox = Inbox(folder / "files", store, lambda: next(moments))
    inbox.tick()
    inbox.tick()
    store.close()


def files_of(folder: Path) -> list[str]:
    files = folder / "files"
    return sorted(
        str(each.relative_to(files))
        for each in files.rglob("*")
        if each.is_file() and not each.name.endswith(".reason.txt")
    )


def nothing_lost(folder: Path) -> list[str]:
    left = sorted(Path(each).name for each in files_of(folder))
    expected = ["known.txt", "letter.txt", "new.txt"]
    refused = folder / "files/refused/letter.txt"
    lonely = refused.exists() and not refused.with_name("letter.txt.reason.txt").exists()
    return [
        *sound(folder),
        *([] if left == expected else [f"files are {left}"]),
        *(["a refused file lies there without its reason"] if lonely else []),
    ]


def taken(folder: Path) -> list[str]:
    left = files_of(folder)
    right = left == ["done/known.txt", "done/new.txt", "refused/letter.txt"]
    return [*nothing_lost(folder), *loaded(folder), *([] if right else [f"files are {left}"])]


def someone_known(folder: Path) -> None:
    """Three people, one of them in the audit, in a message, with a standing and in touch."""
    make_pages(folder)
    load(folder)
    store = opened(folder)
    (id_,) = [hit.candidate.id for hit in store.named("Ada Byte").hits]
    (folder / "id").write_text(id_)
    store.audit(who="U1", action="ask", place="C1", text="ada byte", candidate_ids=[id_], now=NOW)
    store.record_posted(channel="C1", ts="1.1", kind="card", by="U1", candidate_ids=[id_], now=NOW)
    store.set_standing(id_, StandingKind.DO_NOT_CONTACT, by="U1", reason="asked", now=NOW)
    store.take_up(id_, who="U1", now=NOW)
    store.close()


def remove(folder: Path) -> None:
    store = opened(folder)
    store.remove((folder / "id").read_text(), now=NOW, by="U1")
    store.checkpoint()
    store.close()


def all_or_nothing(folder: Path) -> list[str]:
    there = "Ada Byte, Lead" in names(folder)
    return [*sound(folder), *([] if there else traces(folder))]


def traces(folder: Path) -> list[str]:
    """Where the removed person is still to be read, once the log is in the file."""
    store = opened(folder)
    store.checkpoint()
    asked = [entry for entry in store.audited() if "byte" in entry.text]
    store.close()
    found = ["the audit still names the person"] if asked else []
    for path in (folder / DATABASE, folder / f"{DATABASE}-wal"):
        content = path.read_bytes() if path.exists() else b""
        if b"Ada Byte" in content or b"ada byte" in content:
            found.append(f"{path.name} still names the person")
    return found


def removed(folder: Path) -> list[str]:
    gone = names(folder) == EVERYONE[1:]
    return [*sound(folder), *traces(folder), *([] if gone else [f"stored are {names(folder)}"])]


def old_database(folder: Path) -> None:
    (folder / DATABASE).write_bytes(gzip.decompress((RELEASED / "0001.db.gz").read_bytes()))


def upgrade(folder: Path) -> None:
    opened(folder).close()


def old_or_new(folder: Path) -> list[str]:
    with closing(sqlite3.connect(folder / DATABASE)) as raw:
        (schema,) = raw.execute("SELECT version_num FROM alembic_version").fetchone()
        people = raw.execute("SELECT count(*) FROM profile").fetchone()[0]
        said = raw.execute("PRAGMA integrity_check").fetchone()[0]
        tables = {row[0] for row in raw.execute("SELECT name FROM sqlite_master")}
    right = schema == migrate.head_of() if "standing" in tables else schema == "0001"
    copy = folder / f"{DATABASE}.before-0001"
    wrong = (
        [] if right and people == 12 and said == "ok" else [f"{schema}, {people} people, {said}"]
    )
    return [*wrong, *(copy_faults(copy) if copy.exists() else [])]


def copy_faults(copy: Path) -> list[str]:
    with closing(sqlite3.connect(copy)) as raw:
        people = raw.execute("SELECT count(*) FROM profile").fetchone()[0]
        (schema,) = raw.execute("SELECT version_num FROM alembic_version").fetchone()
        said = raw.execute("PRAGMA integrity_check").fetchone()[0]
    right = (people, schema, said) == (12, "0001", "ok")
    return [] if right else [f"the copy: {people} people, schema {schema}, {said}"]


def upgraded(folder: Path) -> list[str]:
    answers = json.loads((RELEASED / "0001.answers.json").read_text(encoding="utf-8"))
    store = opened(folder)
    wrong = others(store, answers)
    store.close()
    copy = folder / f"{DATABASE}.before-0001"
    return [
        *old_or_new(folder),
        *sound(folder),
        *(["the answers are others"] if wrong else []),
        *([] if copy.exists() else ["no copy was kept"]),
    ]


def start(folder: Path) -> None:
    opened(folder).close()


def new_or_none(folder: Path) -> list[str]:
    return []  # the next start says whether what is there can be used


def started(folder: Path) -> list[str]:
    store = opened(folder)
    count = store.count()
    store.close()
    return [*sound(folder), *([] if count == 0 else ["people out of nowhere"])]


def fill_and_back_up(folder: Path) -> None:
    """Twelve people with a backup, then three more; the answers of then and of now."""
    store = opened(folder)
    fill(store)
    store.back_up(folder / "b", keep=9, now=NOW)
    before = answers(store)
    for number in (200, 201, 202):
        store.add(*person(number), now=NOW)
    (folder / "answers.json").write_text(json.dumps([before, answers(store)]))
    store.close()


def answered(folder: Path) -> tuple[Any, list[Any]]:
    """What is answered, and what was at the backup and after it."""
    store = Store.open(f"sqlite:///{folder / DATABASE}", create=False)
    found = answers(store)
    store.close()
    return found, json.loads((folder / "answers.json").read_text())


def back_up(folder: Path) -> None:
    store = opened(folder)
    already = len(backups_in(folder / "b", "candidates"))
    store.back_up(folder / "b", keep=2, now=NOW + timedelta(days=8 + already))
    store.close()


def whole_backups(folder: Path) -> list[str]:
    found, (_, after) = answered(folder)
    backups = backups_in(folder / "b", "candidates")
    wrong = [] if found == after else ["the answers are others"]
    wrong += [] if 1 <= len(backups) <= 2 else [f"there are {len(backups)} backups"]
    for backup in backups:
        database, _ = look_into(backup)
        wrong += [f"{backup.name}: {fault.sentence}" for fault in verify(database).faults]
        database.close()
    return wrong


def backed_up(folder: Path) -> list[str]:
    """Two backups, the newer one with everybody, and nothing else but what belongs to them."""
    backups = backups_in(folder / "b", "candidates")
    names_there = {each.name for each in (folder / "b").iterdir()}
    theirs = {name for each in backups for name in (each.name, f"{each.name}.sha256")}
    left = names_there - theirs - {f"{DATABASE}.tombstones", ".lock"}
    newest = Store.open(f"sqlite:///{max(backups)}", create=False)
    count = newest.count()
    newest.close()
    return [
        *whole_backups(folder),
        *([] if len(backups) == 2 and theirs <= names_there else [f"there are {names_there}"]),
        *([f"left are {left}"] if left else []),
        *([] if count == 15 else [f"the newest backup has {count} people"]),
    ]


def put_back(folder: Path) -> None:
    (file,) = (folder / "b").glob("*.db")
    restore(f"sqlite:///{folder / DATABASE}", file, by="terminal:ada", now=NOW)


def before_or_after(folder: Path) -> list[str]:
    found, known = answered(folder)
    return [*sound(folder), *([] if found in known else ["the answers are neither's"])]


def restored(folder: Path) -> list[str]:
    found, (before, _) = answered(folder)
    left = [each.name for each in folder.glob("*.restoring*")]
    return [
        *sound(folder),
        *([] if found == before else ["the answers are not the backup's"]),
        *([f"left are {left}"] if left else []),
    ]


JOURNEYS: dict[str, Journey] = {
    "first start": Journey(act=start, whole=new_or_none, done=started),
    "load": Journey(prepare=make_pages, act=load, whole=sound, done=loaded),
    "inbox": Journey(prepare=make_pages, act=take, whole=nothing_lost, done=taken),
    "remove": Journey(prepare=someone_known, act=remove, whole=all_or_nothing, done=removed),
    "migration": Journey(prepare=old_database, act=upgrade, whole=old_or_new, done=upgraded),
    "backup": Journey(prepare=fill_and_back_up, act=back_up, whole=whole_backups, done=backed_up),
    "restore": Journey(
        prepare=fill_and_back_up, act=put_back, whole=before_or_after, done=restored
    ),
}
"""Name → what is done and looked at."""
