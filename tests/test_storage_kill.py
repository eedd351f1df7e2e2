"""Whenever a process is killed while it adds people, each of them is there whole or not at all."""

import json
import random
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from sqlalchemy import make_url, text

from storage.store import Store

ROOT = Path(__file__).parent.parent
RANDOM_KILLS = 20

CAMPAIGN = '''
"""Forks a process for each kill; prints what the killed have acknowledged as JSON."""
import json, os, random, signal, sys, time
from datetime import UTC, datetime
from itertools import count

from sqlalchemy import event

from storage.records import Contribution, Document, Profile, Skill
from storage.store import Store

url, seed, random_kills = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
chance = random.Random(seed)


def add(store, number, version):
    profile = Profile(
        name=f"Person {number}",
        summary="words " * 200,
        skills=tuple(Skill(name=f"skill{each}") for each in range(5 + version)),
        contributions=tuple(Contribution(repository=f"a/{each}") for each in range(3 + version)),
    )
    document = Document(
        name=f"adeyemi-{number}.txt", text=f"{number} {version}" + "x" * 5000,
        added_by="U1", added_via="load", parser="p/1")
    return store.add(profile, document, now=datetime.now(UTC))


def child(pipe, number, last_statement):
    store = Store.open(url)
    statements = count(1)

    def at_statement(*_):
        if next(statements) == last_statement:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(store.database._writing, "before_cursor_execute", at_statement)
    for version in range(3 if last_statement else 1000):
        add(store, number, version)
        os.write(pipe, f"{number} {version}\\n".encode())
    os._exit(0)


def killed(number, *, last_statement=0):
    """What a process acknowledged before it was killed; and whether it was."""
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(ours)
            child(theirs, number, last_statement)
        finally:
            os._exit(1)
    os.close(theirs)
    with os.fdopen(ours) as said:
        lines = []
        if not last_statement:
            for _ in range(chance.randrange(1, 4)):
                began = time.monotonic()
                lines.append(said.readline())
            time.sleep(chance.random() * 1.5 * (time.monotonic() - began))
            os.kill(pid, signal.SIGKILL)
        lines += said.readlines()
    status = os.waitpid(pid, 0)[1]
    if not os.WIFSIGNALED(status):
        assert os.WEXITSTATUS(status) == 0, number
    return [list(map(int, line.split())) for line in lines], os.WIFSIGNALED(status)


acknowledged, steps, going = [], 0, True
while going:
    steps += 1
    said, going = killed(steps, last_statement=steps)
    acknowledged += said
for number in range(random_kills):
    said, _ = killed(10_000 + number)
    acknowledged += said
print(json.dumps({"acknowledged": acknowledged, "steps": steps}))
'''

WHOLE = """
SELECT p.name,
    json_array_length(p.document, '$.skills') - 4,
    json_array_length(p.document, '$.contributions') - 2,
    (SELECT count(*) FROM profile_skill c WHERE c.profile_id = p.id) - 4,
    (SELECT count(*) FROM profile_contribution c WHERE c.profile_id = p.id) - 2,
    (SELECT count(*) FROM source c WHERE c.profile_id = p.id),
    (SELECT count(*) FROM source_key c WHERE c.profile_id = p.id),
    (SELECT count(*) FROM history c WHERE c.profile_id = p.id)
FROM profile p JOIN profile_text t ON t.rowid = p.doc
"""


def test_after_a_kill_everyone_is_there_whole_or_not_at_all(store_url):
    """Killed before each statement of an addition and two updates, and at random moments.

    What a process said that it stored is stored.
    """
    Store.open(store_url).close()
    seed = random.SystemRandom().randrange(1_000_000)
    print("seed", seed)
    campaign = subprocess.run(
        [sys.executable, "-c", CAMPAIGN, store_url, str(seed), str(RANDOM_KILLS)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    report = json.loads(campaign.stdout)
    store = Store.open(store_url)
    with store.database.read() as session:
        people = [tuple(row) for row in session.connection().execute(text(WHOLE))]
        assert session.connection().exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
    assert len(people) == store.count()
    assert {name for name, *numbers in people if len(set(numbers)) > 1} == set()
    stored = {name: versions for name, versions, *_ in people}
    for number, version in report["acknowledged"]:
        assert stored[f"Person {number}"] >= version + 1
    assert report["steps"] > 30, "additions and updates were killed at each of their statements"
    assert len(report["acknowledged"]) > RANDOM_KILLS
    store.close()
    with closing(sqlite3.connect(make_url(store_url).database)) as connection:
        connection.execute("INSERT INTO profile_text(profile_text) VALUES ('integrity-check')")
