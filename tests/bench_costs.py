"""What a write, a page, a load and the process itself cost: the rest of ``make bench-peers``.

Each takes the path of a database of many people, leaves it as it was, and gives lines. Times are
milliseconds of a processor, median and 99th percentile; of writes they are what one waits.
"""

import os
import random
import shutil
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from sqlalchemy import insert
from sqlmodel import Session, SQLModel, col, select

from storage.candidates import load_candidates
from storage.models import ContributionRow, EducationRow, NameTokenRow, ProfileRow, SkillRow
from storage.profile_rows import Row
from storage.records import Document, Profile
from storage.store import Store
from tests.bench_engines import Tantivy
from tests.bench_questions import SEED, people_of
from tests.campaign_people import SKILLS, invented, populate, rows_of

Rows = defaultdict[type[SQLModel], list[Row]]
NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
TIMES, WRITES, LOADED, ROWS_OF = 50, 200, 5_000, 1_000
FAR = 10_000
"""Where the 1,001st page of ten begins."""
_READER = "import sys; from tests.bench_costs import ask_on; ask_on(sys.argv[1])"
_RESIDENT = "import sys; from tests.bench_costs import resident; print(resident(sys.argv[1]))"


def pages(path: Path) -> Iterator[str]:
    """Page 1,001 beside page 1, to whole candidates with their reasons."""
    store = Store.open(f"sqlite:///{path}")
    first, far = [], []
    for _ in range(TIMES):
        first.append(seconds(lambda: store.search("years>=1", now=NOW)))
        far.append(seconds(lambda: store.search("years>=1", offset=FAR, now=NOW)))
    total = store.search("years>=1", now=NOW).total
    store.close()
    yield f"page 1,001 of {total:,}: {ms(far)} ms, page 1 {ms(first)}, {ratio(far, first)}"


def hydrating(path: Path) -> Iterator[str]:
    """A page of ten people as values, beside the objects of an ORM session."""
    store, dice = Store.open(f"sqlite:///{path}"), random.Random(SEED)
    with store.database.read() as session:
        last = session.exec(select(ProfileRow.doc).order_by(col(ProfileRow.doc).desc())).first()
    ours, objects = [], []
    for _ in range(TIMES):
        docs = [dice.randrange(last or 0) + 1 for _ in range(10)]
        with store.database.read() as session:
            ids = list(session.exec(select(ProfileRow.id).where(col(ProfileRow.doc).in_(docs))))
            _objects(session, ids)  # both find the pages in memory
            session.expunge_all()
            ours.append(seconds(partial(load_candidates, session, "main", ids)))
            objects.append(seconds(partial(_objects, session, ids)))
    store.close()
    yield f"ten people: {ms(ours)} ms, as ORM objects {ms(objects)}, {ratio(ours, objects)}"


def _objects(session: Session, ids: Sequence[str]) -> None:
    session.exec(select(ProfileRow).where(col(ProfileRow.id).in_(ids))).all()
    for table in (NameTokenRow, SkillRow, ContributionRow, EducationRow):
        session.exec(select(table).where(col(table.profile_id).in_(ids))).all()


def upserting(path: Path) -> Iterator[str]:
    """One profile updated while two others read, beside an ``fdatasync`` of 4 KiB."""
    with TemporaryDirectory(dir=path.parent) as folder:
        copy = Path(folder) / "copy.db"
        shutil.copyfile(path, copy)
        store, synced, took, log = Store.open(f"sqlite:///{copy}"), [], [], 0
        people = list(islice(invented(SEED, WRITES), WRITES))
        for person in people:  # stored as ``Store.add`` would have, so that the next is an update
            store.add(person, document(person, "before"), now=NOW)
        with readers(copy, 2), (Path(folder) / "synced").open("wb") as file:
            for number, person in enumerate(people):
                newer = replace(person, summary=f"Writes {number} things.")
                later = document(person, "after")
                took.append(waited(partial(store.add, newer, later, now=NOW)))
                file.write(b"x" * 4096)
                file.flush()
                synced.append(waited(lambda: os.fdatasync(file.fileno())))
                log = max(log, Path(f"{copy}-wal").stat().st_size)
        store.close()
    yield f"an update under two readers: {ms(took)} ms, an fdatasync {ms(synced)}"
    yield f"to its median: {median(took) / median(synced):.1f}×, {at99(took) / median(synced):.0f}×"
    yield f"the log at most {log / 2**20:.1f} MiB"


def document(person: Profile, words: str) -> Document:
    text = f"{person.name} {person.likely_login} {words}"
    return Document(
        name=f"{person.likely_login}.txt", text=text, added_by="U1", added_via="load", parser="b/1"
    )


@contextmanager
def readers(path: Path, count: int) -> Iterator[None]:
    running = [
        subprocess.Popen([sys.executable, "-c", _READER, str(path)], stdout=subprocess.PIPE)
        for _ in range(count)
    ]
    try:
        for each in running:
            assert each.stdout is not None
            each.stdout.readline()  # it has asked once
        yield
    finally:
        for each in running:
            each.kill()
            each.wait()
            assert each.stdout is not None
            each.stdout.close()


def ask_on(path: str) -> None:
    """Ask one question after another until killed; a line when the first is answered."""
    store, dice = Store.open(f"sqlite:///{path}"), random.Random(SEED)
    while True:
        store.search(f"skill:{dice.choice(SKILLS)} years>={dice.randint(1, 20)}", now=NOW)
        print("asked", flush=True)
        time.sleep(0.01)


def loading(path: Path) -> Iterator[str]:
    """Rows written many at a time, beside ``session.add``; a whole build beside tantivy's."""
    some: Rows = defaultdict(list)
    for number, person in enumerate(invented(SEED, ROWS_OF), 1):
        rows_of(some, person, number, f"{number:032x}", "00" * 32, NOW)
    amount = sum(map(len, some.values()))
    with TemporaryDirectory(dir=path.parent) as folder:
        took = {}
        for how, write in (("many at a time", _insert), ("session.add", _add)):
            store = Store.open(f"sqlite:///{folder}/{how}.db")
            with store.database.write() as session:
                took[how] = seconds(partial(write, session, some))
            store.close()
        built = Path(folder) / "built.db"
        ours = seconds(lambda: populate(built, seed=SEED, count=LOADED))
        tantivy = Tantivy()
        theirs = seconds(lambda: tantivy.build(Path(folder) / "peer", people_of(built)))
        made = seconds(lambda: list(invented(SEED, LOADED)))
        size = built.stat().st_size
        single = Store.open(f"sqlite:///{folder}/single.db")
        one = [
            seconds(partial(single.add, person, document(person, ""), now=NOW))
            for person in invented(SEED, WRITES)
        ]
        single.close()
    many, added = took["many at a time"], took["session.add"]
    rates = f"{amount / many:,.0f}, session.add {amount / added:,.0f}"
    yield f"rows a second: {rates}, {added / many:.1f}×"
    yield (
        f"{LOADED:,} people built in {ours - made:.1f} s (inventing them {made:.1f} s aside), "
        f"tantivy {theirs:.1f} s: {(ours - made) / theirs:.1f}×; {size / LOADED / 1000:.1f} kB each"
    )
    yield f"one person stored as the program does: {ms(one)} ms"


def _insert(session: Session, some: Rows) -> None:
    for table, rows in some.items():
        session.connection().execute(insert(table), rows)


def _add(session: Session, some: Rows) -> None:
    for table, rows in some.items():
        for row in rows:
            session.add(table(**row))
    session.flush()


def memory(path: Path) -> Iterator[str]:
    """What a process that has asked a few hundred questions holds in memory."""
    command = [sys.executable, "-c", _RESIDENT, str(path)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    yield f"resident memory: {said.strip()}"


def resident(path: str) -> str:
    """Ask names, conditions and words, and say how much memory is held."""
    store, dice = Store.open(f"sqlite:///{path}"), random.Random(SEED)
    for person in islice(invented(SEED, 100), 100):
        one, two = dice.sample(SKILLS, 2)
        given, surname = person.name.split()
        for text in (f"skill:{one} skill:{two} years>=3", f"{one} {two}", "senior engineer"):
            store.search(text, now=NOW)
        for text in (f"{surname} {given}", f"{given} {surname[0] + surname[2] + surname[1]}"):
            store.named(text)
    held = status("VmRSS"), status("VmHWM")
    store.close()
    return f"{held[0] / 1024:.0f} MiB, at most {held[1] / 1024:.0f} MiB"


def status(name: str) -> int:
    """A number of kibibytes that Linux says of this process."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))


def seconds(work: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    """Of the processor, unless another clock is given."""
    begun = clock()
    work()
    return clock() - begun


def waited(work: Callable[[], object]) -> float:
    """As time goes by: what a disk takes counts too."""
    return seconds(work, time.perf_counter)


def at99(took: Sequence[float]) -> float:
    return sorted(took)[int(0.99 * len(took))]


def ms(took: Sequence[float]) -> str:
    """Median and 99th percentile."""
    return f"{1000 * median(took):.2f} / {1000 * at99(took):.2f}"


def ratio(took: Sequence[float], other: Sequence[float]) -> str:
    return f"{median(took) / median(other):.2f}×"


COSTS: dict[str, Callable[[Path], Iterator[str]]] = {
    "pages": pages,
    "hydrating": hydrating,
    "upserting": upserting,
    "loading": loading,
    "memory": memory,
}
