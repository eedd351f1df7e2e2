"""The index is made true again beside a bot that goes on, and carried on after any kill."""

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import make_url, text

from bot.keeping import reindexed
from handlers.setup.doctor_keeping import about_index
from storage.changed import note_all_changed
from storage.records import Skill
from storage.reindexing import REACHED
from tests.people_fixtures import add

ROOT = Path(__file__).parent.parent
NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
PEOPLE = 14
QUERIES = ("skill:mlir", "compiler", "norrsken/zugvogel", "school:lund", "sort:name", "weaver")
SPOILT = (
    "DELETE FROM fact WHERE kind = 'skill' AND doc % 3 = 0",
    "UPDATE fact SET value = 'stale' WHERE kind = 'company' AND doc % 4 = 0",
    "INSERT INTO fact (kind, value, doc) VALUES ('skill', 'of-nobody', 999)",
    "DELETE FROM contribution_text WHERE rowid / 1000 % 5 = 0",
    "UPDATE profile_text SET text = 'stale words' WHERE rowid % 6 = 0",
    "INSERT INTO profile_text (rowid, text) VALUES (998, 'weaver of nobody')",
    "UPDATE profile SET name_order = '' WHERE doc % 7 = 0",
    "UPDATE fact_value SET people = people + 5 WHERE kind = 'skill'",
    "INSERT INTO fact_value (kind, value, people) VALUES ('zzz', 'nobody', 3)",
    "DELETE FROM profile_skill WHERE position = 0",
)

CAMPAIGN = '''
"""Forks a process for each kill, at later and later statements; each is carried on."""
import json, os, shutil, signal, sys
from itertools import count
from pathlib import Path

from sqlalchemy import event, make_url

from storage import reindexing
from storage.store import Store
from tests.test_storage_reindexing import answers

reindexing._BATCH, reindexing._VALUES = 4, 60
url, kept, before = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
path = Path(make_url(url).database)


def killed_at(last):
    store, statements = Store.open(url), count(1)

    def at_statement(*_):
        if next(statements) == last:
            os.kill(os.getpid(), signal.SIGKILL)

    for name in ("before_cursor_execute", "commit"):
        event.listen(store.database._writing, name, at_statement)
    store.reindex()


def looked_at():
    store = Store.open(url)
    resumed = store.reindex().resumed
    assert store.verify().faults == ()
    assert json.loads(json.dumps(answers(store))) == before
    os._exit(3 if resumed else 0)


def in_a_process(work, *said):
    pid = os.fork()
    if pid == 0:
        try:
            work(*said)
        except BaseException:
            import traceback
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


points, resumed, at, step, through = 0, 0, 1, 1, False
while not through:
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    shutil.copy(kept, path)
    path.chmod(0o600)
    through = in_a_process(killed_at, at) == 0
    if not through:
        in_a_process(killed_at, 5)
    ended = in_a_process(looked_at)
    assert ended in (0, 3), at
    points, resumed = points + 1, resumed + (ended == 3)
    at, step = at + step, min(step + 2, 24)
print(json.dumps({"points": points, "resumed": resumed}))
'''


@pytest.fixture
def spoilt(store, monkeypatch):
    """A store whose index was damaged in all ways, and what it answered before."""
    monkeypatch.setattr("storage.reindexing._BATCH", 4)
    monkeypatch.setattr("storage.reindexing._VALUES", 60)
    for number in range(PEOPLE):
        skills = (Skill(name="mlir", score=number % 11), Skill(name=f"skill{number}"))
        add(store, f"Person {number}", now=NOW, skills=skills, likely_login=None)
    store.before = answers(store)
    spoil(store)
    return store


def spoil(store):
    with store.database.write() as session:
        for statement in SPOILT:
            session.connection().execute(text(statement))
        note_all_changed(session.connection())


def answers(store):
    pages = [store.search(query, limit=99, now=NOW) for query in QUERIES]
    return [[(hit.candidate.id, hit.score) for hit in page.hits] for page in pages]


def test_what_differs_is_made_anew_and_what_agrees_is_left_alone(spoilt):
    assert answers(spoilt) != spoilt.before
    told = []
    done = spoilt.reindex(lambda *each: told.append(each))
    assert answers(spoilt) == spoilt.before
    assert spoilt.verify().faults == ()
    assert done.people == PEOPLE
    assert done.nobody == 2
    assert done.values
    assert told[-1] == (PEOPLE, PEOPLE)
    assert [each for each, _of in told] == sorted(each for each, _of in told)
    with spoilt._looking() as look:
        number = look.number
    again = spoilt.reindex()
    assert reindexed(again) == f"Compared {PEOPLE} people: all agree with the index."
    with spoilt._looking() as look:
        assert look.number == number, "nothing that is remembered was lost"


def test_doctor_says_whether_the_index_agrees(spoilt):
    ((well, sentence),) = about_index(spoilt)
    assert not well
    assert " of 14 people looked at not as their pages say" in sentence
    assert "1 of nobody" in sentence
    spoilt.reindex()
    assert [*about_index(spoilt)] == [
        (True, f"agrees with the rows ({PEOPLE} people looked at; verify looks at all).")
    ]
    with spoilt.database.write() as session:
        session.connection().execute(
            text(f"INSERT INTO meta (name, value) VALUES ('{REACHED}', 'values ')")
        )
    ((well, sentence),) = about_index(spoilt)
    assert "was broken off" in sentence
    assert spoilt.reindex().resumed


def test_who_is_added_changed_or_erased_meanwhile_is_as_they_are(spoilt):
    """Between the batches others write; a step never brings back what was there before."""
    erased = []

    def meanwhile(done, _of):
        if done == 4:
            add(spoilt, "New Person", now=NOW, skills=(Skill(name="mlir"),), likely_login=None)
            add(spoilt, "Person 3", now=NOW, text="Person 3 anew", skills=(), likely_login=None)
            erased.append(spoilt.named("person 12").hits[0].candidate.id)
            spoilt.remove(erased[0], now=NOW)

    spoilt.reindex(meanwhile)
    assert spoilt.verify().faults == ()
    found = spoilt.search("skill:mlir", limit=99, now=NOW).hits
    assert len(found) == PEOPLE - 1
    assert erased[0] not in {hit.candidate.id for hit in found}


def test_a_reader_sees_each_person_whole_at_every_step(spoilt):
    """Whom no step has come to yet is as before, whom one has been at as after: none is missing."""
    seen = []

    def look(_done, _of):
        seen.append(
            {hit.candidate.id for hit in spoilt.search("sort:name", limit=99, now=NOW).hits}
        )

    spoilt.reindex(look)
    assert {len(each) for each in seen} == {PEOPLE}


def test_an_index_of_words_that_is_damaged_as_a_whole_is_made_anew_at_once(spoilt):
    with spoilt.database.write() as session:
        session.connection().execute(
            text("UPDATE profile_text_data SET block = x'00' WHERE id > 9")
        )
    assert "damaged: all was made anew" in reindexed(spoilt.reindex())
    assert spoilt.verify().faults == ()
    assert answers(spoilt) == spoilt.before


def test_whenever_it_is_killed_the_next_one_carries_on_and_all_agrees(spoilt, store_url, tmp_path):
    """Killed at many points from the first statement to the last, and soon once more."""
    before = json.dumps(spoilt.before)
    spoilt.checkpoint()
    spoilt.close()
    kept = tmp_path / "kept.db"
    path = make_url(store_url).database
    with closing(sqlite3.connect(path)) as live, closing(sqlite3.connect(kept)) as copy:
        live.backup(copy)
    campaign = subprocess.run(
        [sys.executable, "-c", CAMPAIGN, store_url, str(kept), before],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert campaign.returncode == 0, campaign.stderr
    told = json.loads(campaign.stdout)
    assert told["points"] >= 20
    assert told["resumed"] >= 5
