"""What searches remember is never told once it is not true, whoever changed it.

A hundred and fifty invented people are asked about by a store that remembers, while another
store or another process changes them. It must answer as one does that was opened just now.
"""

import random
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

import pytest
from sqlalchemy import text

from storage.forgetting import Files
from storage.recognising import Forgotten
from storage.records import Document, Location, Profile, Skill, StandingKind
from storage.search.lookup import Lookup
from storage.search.memory import Memory
from storage.search.reader import Reader
from storage.store import Store
from tests.campaign_load import questions
from tests.campaign_people import invented, populate

ROOT = Path(__file__).parent.parent
SEED, PEOPLE = 5, 150
NOW = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
ADDED = Profile(
    name="Quirin Aaltonen",
    title="Compiler Engineer",
    company="Fjordlys Labs",
    location=Location(text="Tromsø, Norway", city="Tromsø", country="Norway"),
    summary="Quetzal passes in cuda.",
    years_coding=31,
    skills=(Skill(name="cuda", score=9), Skill(name="quetzal", score=3)),
    likely_login="quirin-a",
)
OF_THE_ADDED = (
    "quirin", "quirin aaltonen", "aaltnoen", "quirin-a", "quirinaaltonen", "q aal", "skill:cuda",
    "skill:cuda>=9", "skill:quetzal", "quetzal", "quezal", "cuda", "tromso", "location:norway",
    "location:tromsoe", "compiler engineer", "role:comp", "company:fjordlys", "years>30",
    "sort:-added", "sort:name", "sort:-name sort:years", "sort:-years", "added>=2026-12", "-cuda",
    "zzyzx quux", "skill:nope", "skill:cuda location:tromso", "added>2027", "company:quetzal", "",
)  # fmt: skip


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("invented") / "people.db"
    populate(path, seed=SEED, count=PEOPLE)
    return path


@pytest.fixture
def path(people: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(people, tmp_path))


@pytest.fixture
def warm(path: Path) -> Iterator[Store]:
    """A store that has been asked everything once."""
    store = Store.open(f"sqlite:///{path}")
    told(store, asked(0))
    yield store
    store.close()


@pytest.fixture
def other(path: Path) -> Iterator[Store]:
    store = Store.open(f"sqlite:///{path}")
    yield store
    store.close()


def asked(seed: int) -> list[str]:
    """What is asked after each change: the same questions about the added, and some others."""
    dice = random.Random(seed)
    some = list(islice(questions(seed, PEOPLE), 12))
    names = [each.name for each in invented(SEED, PEOPLE)]
    return [*OF_THE_ADDED, *dice.sample(names, 6), *some]


def told(store: Store, queries: list[str]) -> list[object]:
    """All that the answers say."""
    said: list[object] = []
    for query in queries:
        named = store.named(query)
        page = store.search(query, limit=7, offset=len(query) % 3, now=NOW)
        said.append((query, named, page))
    return said


def told_afresh(path: Path, queries: list[str]) -> list[object]:
    store = Store.open(f"sqlite:///{path}")
    try:
        return told(store, queries)
    finally:
        store.close()


def add(
    store: Store, profile: Profile = ADDED, page: str = "quirin", *, now: datetime = NOW
) -> str:
    document = Document(
        name="quirin.txt", text=f"page {page}", added_by="U1", added_via="slack", parser="p/1"
    )
    return store.add(profile, document, now=now).candidate_id


def taken_back(store: Store) -> None:
    store.begin_intake("i", by="U1", channel="D1", task={}, now=NOW)
    document = Document(name="m", text="again", added_by="U1", added_via="slack", parser="p/1")
    store.add_to_intake("i", replace(ADDED, title="SRE"), document, daily_cap=300, now=NOW)
    store.undo_intake("i", by="U1", admin=False, now=NOW)


def somebody(store: Store) -> str:
    return store.search("skill:cuda sort:name", now=NOW).hits[0].candidate.id


def hidden_when_old(store: Store) -> None:
    assert store.hide_expired(months=3, now=NOW + timedelta(days=5))


CHANGES: dict[str, Callable[[Store], object]] = {
    "somebody is added": add,
    "the same one with another page": lambda store: (
        add(store), add(store, replace(ADDED, name="Quirin Aaltonen", title="SRE", years_coding=2,
        skills=(Skill(name="cuda", score=1),)), "newer")
    ),
    "several are added": lambda store: [
        add(store, replace(ADDED, name=f"Quirin {name}"), name)
        for name in ("Aaltonen", "Åberg", "Zu", "Aaltonén", "aaltonen", "王磊")
    ],
    "somebody is forgotten": lambda store: store.forget(
        somebody(store), by="U1", place="C1", now=NOW
    ),
    "somebody is forgotten and another one added": lambda store: (
        store.forget(add(store), by="U1", place="C1", now=NOW),
        add(store, replace(ADDED, name="Bea Quist", likely_login="bq", title="SRE", company="Alm",
            summary="Other."), "other"),
    ),
    "somebody's time is over": lambda store: store.expire(somebody(store), files=Files(), now=NOW),
    "somebody objects": lambda store: store.set_standing(
        somebody(store), StandingKind.OBJECTED, by="U1", now=NOW
    ),
    "somebody objects and takes it back": lambda store: [
        (
            store.set_standing(each, StandingKind.RESTRICTED, by="U1", now=NOW),
            store.lift_standing(each, StandingKind.RESTRICTED),
        )
        for each in [somebody(store)]
    ],
    "retention hides": hidden_when_old,
    "retention shows again": lambda store: (
        hidden_when_old(store), store.hide_expired(months=0, now=NOW)
    ),
    "an addition is taken back": taken_back,
    "the index is made anew": lambda store: store.rebuild(),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_the_next_question_sees_a_change_by_another_store(path, warm, other, change):
    change(other)
    queries = asked(1)
    assert told(warm, queries) == told_afresh(path, queries)


def test_one_change_after_another_is_seen_by_all(path, warm, other):
    told(other, asked(0))
    for seed, change in enumerate(random.Random(3).sample(list(CHANGES.values()), len(CHANGES))):
        with suppress(Forgotten):  # one of the changes before
            change(warm if seed % 2 else other)
        queries = random.Random(seed).sample(asked(seed), 12)
        expected = told_afresh(path, queries)
        assert told(warm, queries) == expected
        assert told(other, queries) == expected


def test_a_change_by_another_process_is_seen(path, warm):
    program = (
        "import sys; from storage.store import Store\n"
        "from tests.test_storage_search_memory import add\n"
        "store = Store.open(sys.argv[1]); add(store); store.close()"
    )
    subprocess.run([sys.executable, "-c", program, f"sqlite:///{path}"], cwd=ROOT, check=True)
    queries = asked(1)
    assert told(warm, queries) == told_afresh(path, queries)
    assert [hit.candidate.profile.name for hit in warm.named("quirin-a").hits] == [ADDED.name]


def test_a_question_sees_one_moment_though_others_have_seen_a_later_one(warm, other):
    database = warm.database
    with database.read() as session:
        look = Lookup(session, database.text_index, "main", database.memory)
        before = int(look.visible.sum())
        add(other)
        assert warm.search("", now=NOW).total == before + 1
        assert "quirin" in _names(warm)
        assert len(look.order.docs) == before
        assert not look.having("city", ["tromso"]).any()
        assert "quirin" not in look.names
        again = Lookup(session, database.text_index, "main", database.memory)
        assert int(again.visible.sum()) == before
        assert not again.named(["quirin"]).docs.size
    assert warm.search("", now=NOW).total == before + 1


def test_a_question_is_not_mended_with_what_changed_after_it_began(warm, other, monkeypatch):
    database, indexed_now = warm.database, Memory._indexed_now
    elsewhere = replace(ADDED.location, text="Bergen, Norway", city="Bergen")
    moved: list[int] = []

    def others_see_a_change_first(memory, last, view):
        if not moved:
            moved.append(view.number)
            add(other, replace(ADDED, location=elsewhere), "newer")
            assert warm.search("location:tromso", now=NOW).total == 0
        return indexed_now(memory, last, view)

    assert warm.search("location:tromso", now=NOW).total == 0
    add(other)
    monkeypatch.setattr(Memory, "_indexed_now", others_see_a_change_first)
    with database.read() as session:
        look = Lookup(session, database.text_index, "main", database.memory)
        assert look.having("city", ["tromso"]).sum() == 1
    assert moved
    assert warm.search("location:tromso", now=NOW).total == 0
    assert warm.search("location:bergen", now=NOW).total == 1


def test_loading_one_list_holds_up_no_other(warm):
    class Slow:
        def __init__(self, number: int) -> None:
            self.number = number

        def __hash__(self) -> int:
            return self.number

        def load(self, reader: Reader) -> int:
            both_load.wait(20)
            return self.number

        def size(self, held: int) -> int:
            return 1

    both_load = threading.Barrier(2)
    database, seen = warm.database, []

    def ask(number: int) -> None:
        with database.read() as session:
            look = Lookup(session, database.text_index, "main", database.memory)
            seen.append(look._view.get(Slow(number)))

    threads = [threading.Thread(target=ask, args=[number]) for number in (1, 2)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(seen) == [1, 2]


def _names(store: Store) -> object:
    database = store.database
    with database.read() as session:
        return Lookup(session, database.text_index, "main", database.memory).names


def test_of_a_forgotten_person_nothing_stays_in_memory(warm, other):
    gone = add(warm)
    told(warm, list(OF_THE_ADDED))
    assert "aaltonen" in _names(warm)
    other.forget(gone, by="U1", place="C1", now=NOW)
    warm.search("years>=0", now=NOW)
    held = repr([entry.value for entry in warm.database.memory._entries.values()])
    assert "aaltonen" not in held
    assert "aaltonen" not in _names(warm)


def test_memory_is_bounded_and_answers_stay_the_same(path, warm):
    queries = asked(1)
    expected = told_afresh(path, queries)
    for most in (0, 20_000, 100_000):
        warm.database.memory = Memory(most_bytes=most)
        assert told(warm, queries) == expected
        assert warm.database.memory.bytes <= most


def test_when_more_changed_than_is_mended_it_is_read_anew(path, warm, other):
    warm.database.memory = Memory(most_patched=4)
    queries = asked(1)
    for number in range(2):
        told(warm, queries)
        for name in NAMES[: number + 2]:
            add(other, replace(ADDED, name=f"Quirin {name}{number * 'a'}"), f"{name} {number}")
        assert told(warm, queries) == told_afresh(path, queries)


NAMES = ("bea", "cil", "dor", "eva", "fox", "gil")


def test_many_threads_ask_while_people_are_added(warm, other):
    counts: list[list[int]] = [[] for _ in range(6)]
    stop = threading.Event()

    def ask(seen: list[int]) -> None:
        while not stop.is_set():
            page = warm.search("skill:quetzal sort:name", limit=100, now=NOW)
            assert page.total == len(page.hits)
            names = [hit.candidate.profile.name for hit in page.hits]
            assert names == sorted(names)
            assert all(warm.named(name).hits for name in names[-1:])
            seen.append(page.total)

    threads = [threading.Thread(target=ask, args=(seen,)) for seen in counts]
    for thread in threads:
        thread.start()
    for number in range(30):
        add(
            other,
            replace(ADDED, name=f"Quirin {NAMES[number % 5]}{NAMES[number // 5]}"),
            str(number),
        )
    stop.set()
    for thread in threads:
        thread.join()
    assert warm.search("skill:quetzal", now=NOW).total == 30
    for seen in counts:
        assert seen
        assert seen == sorted(seen)


def test_a_process_that_was_away_for_long_begins_anew(path, warm, other):
    with other.database.write() as session:
        session.connection().execute(text("INSERT INTO search_change VALUES (20000, 1)"))
    add(other)
    queries = asked(1)
    assert told(warm, queries) == told_afresh(path, queries)
