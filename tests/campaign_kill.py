"""SIGKILL before each step of what the program does with files and the database, one after another.

A step is a statement that SQLite runs, or a file that is opened to be written, made, renamed or
removed: whatever Python's audit hooks and SQLite's trace tell of, so that work which is added
later has its steps without being asked. For each step the work begins from the same state, is
killed, what is left is looked at, the work is done again as the next start does it, and looked
at once more.

``JOURNEYS`` is the table: a new one is a line.
"""

import argparse
import gzip
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import structlog

from bot.asking import ask
from bot.loading import load_files
from handlers.features.candidate import hits_of
from handlers.scheduled.intake import Inbox
from storage.migrations import migrate
from storage.records import StandingKind
from storage.store import Store
from tests.campaign_sound import unsound
from tests.campaign_verdict import Verdict
from tests.loading_fixtures import page

ROOT = Path(__file__).parent.parent
RELEASED = ROOT / "tests/cases/released"
NOW = datetime(2026, 12, 1, 10, 0, tzinfo=UTC)
DATABASE = "candidates.db"
WRITING = frozenset({"os.rename", "os.remove", "os.mkdir", "os.link", "os.truncate", "os.rmdir"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Journey:
    """Work that may be killed. All functions get the folder that holds the database."""

    prepare: Callable[[Path], object]
    act: Callable[[Path], object]
    """Killed at a step; done again, it has to bring about the same as when nothing was killed."""
    whole: Callable[[Path], list[str]]
    """What is half done right after the kill."""
    done: Callable[[Path], list[str]]
    """What is not as it has to be when the work was done again."""


# The journeys


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
    found = {
        query: [hit.candidate.id for hit in hits_of(ask(store, query, now=NOW))]
        for query in answers
    }
    store.close()
    copy = folder / f"{DATABASE}.before-0001"
    return [
        *old_or_new(folder),
        *sound(folder),
        *([] if found == answers else ["the answers are others"]),
        *([] if copy.exists() else ["no copy was kept"]),
    ]


def nothing(_: Path) -> None:
    """No state before: the very first start."""


def start(folder: Path) -> None:
    opened(folder).close()


def new_or_none(folder: Path) -> list[str]:
    return []  # the next start says whether what is there can be used


def started(folder: Path) -> list[str]:
    store = opened(folder)
    count = store.count()
    store.close()
    return [*sound(folder), *([] if count == 0 else ["people out of nowhere"])]


JOURNEYS: dict[str, Journey] = {
    "first start": Journey(prepare=nothing, act=start, whole=new_or_none, done=started),
    "load": Journey(prepare=make_pages, act=load, whole=sound, done=loaded),
    "inbox": Journey(prepare=make_pages, act=take, whole=nothing_lost, done=taken),
    "remove": Journey(prepare=someone_known, act=remove, whole=all_or_nothing, done=removed),
    "migration": Journey(prepare=old_database, act=upgrade, whole=old_or_new, done=upgraded),
}
"""Name → what is done and looked at. Adding, forgetting and backups have tests of their own."""


# The killing


def watch(last: int) -> Callable[[], int]:
    """Count steps from here on and die before number ``last`` (0: never); returns the counter."""
    steps = 0

    def step(_: object = None) -> None:
        nonlocal steps
        steps += 1
        if steps == last:
            os.kill(os.getpid(), signal.SIGKILL)

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event in WRITING or (event == "open" and writes(args)):
            step()

    def connect(*args: Any, **options: Any) -> sqlite3.Connection:
        connection = connected(*args, **options)
        connection.set_trace_callback(step)
        return connection

    connected = sqlite3.connect
    sqlite3.connect = sqlite3.dbapi2.connect = connect
    sys.addaudithook(hook)
    return lambda: steps


def writes(args: tuple[Any, ...]) -> bool:
    _, mode, flags = args
    wanted = isinstance(mode, str) and set(mode) & set("wxa+")
    return bool(wanted) or (mode is None and bool(int(flags) & (os.O_WRONLY | os.O_RDWR)))


def in_child(work: Callable[[Path], object], folder: Path, last: int) -> tuple[int, int]:
    """(signal that ended it or 0, steps); an exception of the work is raised here."""
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(ours)
            counted = watch(last)
            work(folder)
            os.write(theirs, str(counted()).encode())
            os._exit(0)
        except BaseException as error:  # noqa: BLE001 - told to the parent
            os.write(theirs, f"{type(error).__name__}: {error}".encode()[:2_000])
        finally:
            os._exit(1)
    os.close(theirs)
    with os.fdopen(ours, "rb") as pipe:
        said = pipe.read().decode(errors="replace")
    status = os.waitpid(pid, 0)[1]
    if os.WIFSIGNALED(status):
        return os.WTERMSIG(status), 0
    if os.WEXITSTATUS(status):
        raise RuntimeError(said)
    return 0, int(said)


def kill_at_all(journey: Journey, folder: Path, most: int, dice: random.Random) -> dict[str, Any]:
    """Kill at ``most`` steps (0: at each) and look; what was wrong, by step."""
    pristine = folder / "pristine"
    pristine.mkdir()
    journey.prepare(pristine)
    trial = folder / "trial"
    shutil.copytree(pristine, trial)
    _, steps = in_child(journey.act, trial, 0)
    wrong = [f"without a kill: {each}" for each in journey.done(trial)]
    points = range(1, steps + 1)
    chosen = sorted(dice.sample(points, most)) if 0 < most < steps else list(points)
    kills = 0
    for point in chosen:
        shutil.rmtree(trial)
        shutil.copytree(pristine, trial)
        killed, _ = in_child(journey.act, trial, point)
        kills += killed == signal.SIGKILL
        try:
            wrong += [f"step {point}: {each}" for each in journey.whole(trial)]
            in_child(journey.act, trial, 0)
            wrong += [f"step {point}, done again: {each}" for each in journey.done(trial)]
        except Exception as error:  # noqa: BLE001 - the next start must not fail
            wrong.append(f"step {point}: the next start: {type(error).__name__}: {error}")
    return {"steps": steps, "kills": kills, "wrong": wrong[:20]}


def run(size: int, seed: int) -> Verdict:
    """Each journey in a process of its own, killed at ``size`` steps (0: at each)."""
    verdict = Verdict(part="kills", seed=seed, size=size)
    begun = time.monotonic()
    total = 0
    for name in JOURNEYS:
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "tests.campaign_kill",
                name,
                "--size",
                str(size),
                "--seed",
                str(seed),
            ],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        verdict.expect(done.returncode == 0, f"{name}: ended with {done.returncode}")
        said = json.loads(done.stdout or "{}")
        verdict.wrong += [f"{name}, {each}" for each in said.get("wrong", [])]
        verdict.figures[name] = f"{said.get('kills')} kills of {said.get('steps')} steps"
        total += said.get("kills", 0)
    verdict.figures["kills"] = total
    verdict.seconds = time.monotonic() - begun
    return verdict


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("journey", choices=JOURNEYS)
    parser.add_argument("--size", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    wish = parser.parse_args()
    structlog.configure(
        processors=[structlog.processors.KeyValueRenderer()],
        logger_factory=structlog.ReturnLoggerFactory(),
    )
    memory = Path("/dev/shm")  # a killed process loses nothing that it has written
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        dice = random.Random(f"{wish.seed} {wish.journey}")
        came = kill_at_all(JOURNEYS[wish.journey], Path(folder), wish.size, dice)
    print(json.dumps(came))


if __name__ == "__main__":
    main()
