"""What disks and other programs do to a database: locks it, fills the disk, forbids writing, flips
bytes, loses the end of the log. And a clock that is wrong.

Of each is asked: no wrong answer, a sentence that says what to do, and all well afterwards.
"""

import os
import random
import resource
import sqlite3
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import structlog
from sqlalchemy import event

from bot.asking import ask
from handlers.features.candidate import hits_of
from handlers.scheduled.sending import posting_client, tick
from storage.errors import BotError
from storage.records import Document, RunState
from storage.store import Store
from tests.campaign_people import invented
from tests.campaign_sound import unsound
from tests.campaign_verdict import Verdict
from tests.sandbox_fixtures import running_slack

ROOT = Path(__file__).parent.parent
NOW = datetime(2026, 12, 1, 10, 0, tzinfo=UTC)
QUESTIONS = (
    "skill:cuda", "ada", "location:berlin", "years>=20", "skill:rust or skill:go", "login7x3",
    "company:lys", "python linux", "sort:name", "nobody-at-all",
)  # fmt: skip


def add(store: Store, number: int, seed: int = 7) -> None:
    """The person of this number, in one transaction."""
    profile = people(seed)[number]
    document = Document(
        name=f"{number}.txt", text=f"{profile.name} {number}" + "x" * 2_000, added_by="folder",
        added_via="inbox", parser="campaign/1", name_tells=False,
    )  # fmt: skip
    store.add(profile, document, now=NOW)


def people(seed: int, count: int = 2_000, kept: dict[int, list] = {}) -> list:  # noqa: B006
    if seed not in kept:
        kept[seed] = list(invented(seed, count))
    return kept[seed]


def answers(store: Store) -> dict[str, list[str]]:
    """What is answered to questions, and everybody as they are stored."""
    everybody = [hit.candidate.profile for hit in store.search("", limit=200, now=NOW).hits]
    return {"": [repr(each) for each in sorted(everybody, key=lambda each: each.name)]} | {
        each: [
            f"{hit.candidate.profile.name} {hit.candidate.profile.headline} {hit.why}"
            for hit in hits_of(ask(store, each, now=NOW))
        ]
        for each in QUESTIONS
    }


@contextmanager
def database(folder: Path, count: int) -> Iterator[tuple[Path, Store]]:
    path = folder / "candidates.db"
    store = Store.open(f"sqlite:///{path}")
    for number in range(count):
        add(store, number)
    try:
        yield path, store
    finally:
        store.close()


def locked(verdict: Verdict, folder: Path, dice: random.Random) -> None:
    """Another program holds the database: reading goes on, writing says so and works later."""
    whole = verdict.size >= 1_000
    held = 60.0 if whole else 1.5
    with database(folder, 5) as (path, store):
        if not whole:
            event.listen(
                store.database._writing,
                "checkout",
                lambda connection, *_: connection.execute("PRAGMA busy_timeout=300").close(),
            )
        right = answers(store)
        sentences: Counter[str] = Counter()
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            begun = time.monotonic()
            waited = 0.0
            while time.monotonic() < begun + held:
                verdict.expect(answers(store) == right, "locked: an answer changed")
                since = time.monotonic()
                try:
                    add(store, 50)
                    verdict.expect(False, "locked: a write went through")
                except BotError as trouble:
                    sentences[str(trouble).replace(str(path), "PATH")] += 1
                waited = max(waited, time.monotonic() - since)
            other.execute("ROLLBACK")
        add(store, 50)
        verdict.expect(store.count() == 6, "locked: the write did not work afterwards")
        verdict.expect(
            set(sentences) == {said for said in sentences if "busy" in said and "again" in said},
            f"locked: said {sentences}",
        )
    verdict.expect(not unsound(path), f"locked: {unsound(path)}")
    verdict.figures["locked"] = (
        f"{held:.0f} s, {sum(sentences.values())} writes refused with a sentence after "
        f"{waited:.1f} s at most, reading goes on"
    )


@contextmanager
def small_disk(folder: Path) -> Iterator[tuple[Path, Callable[[str], None]]]:
    """A disk of 3 MB, and what changes it; root's rights do not reach beyond a mount's."""
    disk = folder / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", disk], check=True)
    try:
        yield disk, lambda how: subprocess.run(["mount", "-o", f"remount,{how}", disk], check=True)
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


@contextmanager
def small_files(folder: Path) -> Iterator[tuple[Path, Callable[[str], None]]]:
    """For who may not mount: files of 2.5 MB at most, and a folder that only its owner writes."""
    disk = folder / "disk"
    disk.mkdir()
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]

    def change(how: str) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
        for path in (disk, *disk.iterdir()):
            path.chmod(path.stat().st_mode & 0o555 if how == "ro" else 0o700)

    resource.setrlimit(resource.RLIMIT_FSIZE, (2_500_000, hard))
    try:
        yield disk, change
    finally:
        change("rw")


def disks() -> tuple[str, Callable[[Path], Any]]:
    """What a small disk is made of here: mounting needs root, and not every container lets it."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            with small_disk(Path(folder)):
                return "tmpfs of 3 MB", small_disk
        except (OSError, subprocess.CalledProcessError):
            return "RLIMIT_FSIZE of 2.5 MB", small_files


def full(verdict: Verdict, folder: Path, dice: random.Random) -> None:
    """No room left: said so, what was stored is there, and with room it goes on."""
    how, made = disks()
    with made(folder) as (disk, change):
        with database(disk, 0) as (path, store):
            stored, sentence = 0, ""
            for number in range(2_000):
                try:
                    add(store, number)
                except BotError as trouble:
                    sentence = str(trouble)
                    break
                stored += 1
            verdict.expect("full" in sentence or "disk" in sentence, f"full: said {sentence!r}")
            verdict.expect(store.count() == stored, "full: not all that was stored is there")
            answers(store)
            change("size=64m")
            add(store, stored)
            verdict.expect(store.count() == stored + 1, "full: with room it did not go on")
        faults = unsound(path)
    verdict.expect(not faults, f"full: {faults}")
    verdict.figures["full"] = (
        f"{how} after {stored} people: “{sentence.replace(str(path), 'PATH')}”"
    )


def read_only(verdict: Verdict, folder: Path, dice: random.Random) -> None:
    """A file that may only be read: while the bot runs and when it starts; then it works again."""
    how, made = disks()
    if made is small_files and os.geteuid() == 0:
        verdict.figures["read-only"] = "not tried: root may write everywhere and mount nothing"
        return
    said: list[str] = []
    with made(folder) as (disk, change):
        with database(disk, 3) as (path, store):
            right = answers(store)
            store.checkpoint()
        change("ro")
        try:
            store = Store.open(f"sqlite:///{path}")
            try:
                verdict.expect(answers(store) == right, "read-only: an answer changed")
                add(store, 9)
                verdict.expect(False, "read-only: a write went through")
            finally:
                store.close()
        except BotError as trouble:
            said.append(str(trouble).replace(str(path), "PATH"))
        change("rw,size=64m")
        store = Store.open(f"sqlite:///{path}")
        add(store, 9)
        verdict.expect(store.count() == 4, "read-only: writing did not work afterwards")
        store.close()
        faults = unsound(path)
    verdict.expect(not faults, f"read-only: {faults}")
    verdict.expect(bool(said), "read-only: nothing was said")
    verdict.figures["read-only"] = f"{how.split()[0]}: “{' '.join(said)}”"


def flipped(verdict: Verdict, folder: Path, dice: random.Random) -> None:
    """A byte of the file, or 64 in a row, other than it was written.

    SQLite has no checksums, so a changed letter of a text is an answer that looks right.
    ``Check of content`` is what finds those.
    """
    with database(folder, 60) as (path, store):
        right = answers(store)
        store.checkpoint()
    before = path.read_bytes()
    came: Counter[str] = Counter()
    damaged = folder / "flipped" / "candidates.db"
    damaged.parent.mkdir()
    for number in range(max(20, verdict.size // 2)):
        content = bytearray(before)
        length = dice.choice((1, 64))
        at = dice.randrange(len(content) - length)
        content[at : at + length] = bytes(
            each ^ dice.randrange(1, 256) for each in content[at : at + length]
        )
        for ending in ("", "-wal", "-shm"):
            damaged.with_name(damaged.name + ending).unlink(missing_ok=True)
        damaged.write_bytes(content)
        try:
            store = Store.open(f"sqlite:///{damaged}")
            try:
                same = answers(store) == right
            finally:
                store.close()
            outcome = "no difference" if same else "another answer"
        except BotError as trouble:
            outcome = "a sentence"
            verdict.expect("." in str(trouble), f"flip {number} at {at}: said {trouble}")
        except Exception as error:  # noqa: BLE001 - looked for
            outcome = "another error"
            came[f"of these {type(error).__name__}"] += 1
        if outcome in {"another answer", "another error"}:
            outcome += ", found by a check of content" if content_faults(damaged) else ", unnoticed"
        came[outcome] += 1
    unnoticed = came["another answer, unnoticed"] + came["another error, unnoticed"]
    verdict.expect(not unnoticed, f"flipped: {dict(came)}")
    verdict.figures["flipped"] = ", ".join(
        f"{name}: {count}" for name, count in sorted(came.items())
    )


def content_faults(path: Path) -> bool:
    """What ``verify`` is for: whether rows, index and sources agree with one another."""
    try:
        return bool(unsound(path))
    except Exception:  # noqa: BLE001 - it cannot even be read to its end
        return True


def cut(verdict: Verdict, folder: Path, dice: random.Random) -> None:
    """The log ends somewhere: what was committed before that place is there, whole."""
    count = 40
    wal_of: list[int] = []
    path = folder / "candidates.db"
    store = Store.open(f"sqlite:///{path}")
    store.database._dialect._overdue_at = 1 << 40
    store.checkpoint()
    store.database._dialect._overdue_at = 1 << 40
    wal = Path(f"{path}-wal")
    with closing(sqlite3.connect(path)) as reader:  # keeps the log from being emptied
        reader.execute("PRAGMA wal_autocheckpoint=0")
        reader.execute("SELECT count(*) FROM profile").fetchone()
        for number in range(count):
            add(store, number)
            wal_of.append(wal.stat().st_size)
        image, log = path.read_bytes(), wal.read_bytes()
        store.close()
    cuts = max(30, verdict.size)
    trial = folder / "cut" / "candidates.db"
    trial.parent.mkdir()
    kept: Counter[int] = Counter()
    for _ in range(cuts):
        at = dice.choice(
            (dice.randrange(len(log) + 1), dice.choice(wal_of) + dice.randint(-24, 24))
        )
        at = min(len(log), max(0, at))
        for ending in ("", "-wal", "-shm"):
            trial.with_name(trial.name + ending).unlink(missing_ok=True)
        trial.write_bytes(image)
        Path(f"{trial}-wal").write_bytes(log[:at])
        expected = sum(size <= at for size in wal_of)
        try:
            faults = unsound(trial)
            store = Store.open(f"sqlite:///{trial}")
            found = store.count()
            add(store, 100)
            verdict.expect(store.count() == found + 1, f"cut at {at}: nothing can be added")
            store.close()
        except Exception as error:  # noqa: BLE001 - looked for
            verdict.expect(False, f"cut at {at}: {type(error).__name__}: {error}")
            continue
        kept[found - expected] += 1
        verdict.expect(not faults, f"cut at {at}: {faults}")
        verdict.expect(found == expected, f"cut at {at}: {found} people instead of {expected}")
    verdict.figures["cut"] = (
        f"{cuts} places in a log of {len(log):,} bytes, {dict(kept)} people off"
    )


def clock(verdict: Verdict, folder: Path, dice: random.Random) -> None:
    """A clock that jumps by an hour or a day, either way, between two ticks of the digests."""
    moment = NOW
    with running_slack() as slack, database(folder, 3) as (_, store):
        subscription, _ = store.save_subscription(
            channel=slack.hiring, weekdays=(1, 2, 3, 4, 5, 6, 7), hour=9, minute=0,
            timezone="Europe/Berlin", query="", since=NOW - timedelta(days=1),
            created_by=slack.mira, now=NOW,
        )  # fmt: skip
        client = posting_client(slack.workspace.bot_token, slack.api_url, 5)
        jumps = Counter()
        for number in range(max(20, verdict.size // 10)):
            jump = dice.choice((0, 0, 1, -1, 24, -24))
            moment += timedelta(hours=jump)
            jumps[jump] += jump != 0
            if number < 1_900 and dice.random() < 0.5:
                add(store, 10 + number)
            tick(store, client, lambda at=moment: at, pause=lambda _: None)
            moment += timedelta(hours=dice.randint(1, 20))
        moment += timedelta(days=4)
        tick(store, client, lambda: moment, pause=lambda _: None)
        runs = store._runs(limit=100_000)
        slots = Counter(run.slot for run in runs)
        posted = [run for run in runs if run.state is RunState.POSTED]
        said = [m for m in slack.messages(slack.hiring) if m.thread_ts in {None, m.ts}]
        untold = store.untold(subscription)
        verdict.expect(max(slots.values()) == 1, "clock: a slot twice")
        verdict.expect(
            len(said) == len(posted), f"clock: {len(said)} messages, {len(posted)} posted"
        )
        verdict.expect(not untold, f"clock: {len(untold)} people were never told of")
        with store.database.read() as session:
            told = session.connection().exec_driver_sql("SELECT count(*) FROM digest_item").scalar()
        verdict.expect(told == store.count(), f"clock: {told} told of {store.count()}")
    verdict.figures["clock"] = (
        f"{sum(jumps.values())} jumps, {len(said)} digests, each posted exactly once, "
        f"{told} people, each told of once"
    )


SCENES: dict[str, Callable[[Verdict, Path, random.Random], None]] = {
    "locked": locked,
    "full": full,
    "read-only": read_only,
    "flipped": flipped,
    "cut": cut,
    "clock": clock,
}


def run(size: int, seed: int) -> Verdict:
    """Each scene; ``size`` places at which the log is cut, half as many flips."""
    verdict = Verdict(part="database", seed=seed, size=size)
    begun = time.monotonic()
    structlog.configure(
        processors=[structlog.processors.KeyValueRenderer()],
        logger_factory=structlog.ReturnLoggerFactory(),
    )
    try:
        for name, scene in SCENES.items():
            with tempfile.TemporaryDirectory() as folder:
                try:
                    scene(verdict, Path(folder), random.Random(f"{seed} {name}"))
                except Exception as error:  # noqa: BLE001 - one scene stops no other
                    verdict.expect(False, f"{name}: {type(error).__name__}: {error}")
    finally:
        structlog.reset_defaults()
    verdict.seconds = time.monotonic() - begun
    return verdict
