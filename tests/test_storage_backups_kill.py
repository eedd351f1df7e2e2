"""Killed at every file that a backup or a restore opens, renames or removes: nothing half done."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from storage.backups import backups_in, look_into
from storage.restoring import restore
from storage.store import Store
from storage.verifying import verify
from tests.keeping_fixtures import NOW, answers, fill, person

ROOT = Path(__file__).parent.parent

CAMPAIGN = '''
"""Forks a process for each kill; prints at which events of Python's audit they were."""
import json, os, shutil, signal, sys
from datetime import timedelta
from itertools import count
from pathlib import Path

import storage.restoring
from storage.store import Store
from tests.keeping_fixtures import NOW

what, template, work = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
WATCHED = {"open", "os.rename", "os.remove", "os.truncate", "shutil.copyfile", "sqlite3.connect"}


def child(folder, last):
    url = f"sqlite:///{folder / 'candidates.db'}"
    store = Store.open(url) if what == "backup" else None
    seen = count(1)

    def watch(event, arguments):
        ours = event in WATCHED and str(folder) in str(arguments)
        if event == "open" and not arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            return
        if ours and next(seen) == last:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)
    if store is not None:
        store.back_up(folder / "b", keep=2, now=NOW + timedelta(days=9))
    else:
        (file,) = (folder / "b").glob("*.db")
        storage.restoring.restore(url, file, by="terminal:ada", now=NOW)
    os._exit(0)


points = 0
while True:
    folder = work / f"{points + 1:03d}"
    shutil.copytree(template, folder)
    pid = os.fork()
    if pid == 0:
        try:
            child(folder, points + 1)
        finally:
            os._exit(1)
    status = os.waitpid(pid, 0)[1]
    if not os.WIFSIGNALED(status):
        assert os.WEXITSTATUS(status) == 0, points
        break
    points += 1
print(json.dumps({"points": points}))
'''


def killed(what, template, work):
    work.mkdir()
    campaign = subprocess.run(
        [sys.executable, "-c", CAMPAIGN, what, str(template), str(work)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(campaign.stdout)["points"], sorted(work.iterdir())


def url_in(folder):
    return f"sqlite:///{folder / 'candidates.db'}"


@pytest.fixture
def template(tmp_path):
    """A store of 12 people with one backup; then three more came."""
    folder = tmp_path / "template"
    folder.mkdir()
    store = Store.open(url_in(folder))
    fill(store)
    store.back_up(folder / "b", keep=9, now=NOW)
    before = answers(store)
    for number in (200, 201, 202):
        store.add(*person(number), now=NOW)
    after = answers(store)
    store.close()
    return folder, before, after


def test_a_backup_killed_anywhere_leaves_only_whole_backups(template, tmp_path):
    folder, _, after = template
    points, left = killed("backup", folder, tmp_path / "work")
    assert points >= 10
    print(points, "kills")
    for place in left:
        found = backups_in(place / "b", "candidates")
        assert 1 <= len(found) <= 2
        for backup in found:
            database, _ = look_into(backup)
            assert verify(database).faults == (), place.name
            database.close()
        store = Store.open(url_in(place))
        made = store.back_up(place / "b", keep=1, now=NOW)
        assert made.people == 15
        assert {each.name for each in (place / "b").iterdir()} == {
            made.path.name, f"{made.path.name}.sha256", "candidates.db.tombstones", ".lock",
        }  # fmt: skip
        assert answers(store) == after
        store.close()


def test_a_restore_killed_anywhere_leaves_the_database_of_before_or_the_new_one(template, tmp_path):
    folder, before, after = template
    points, left = killed("restore", folder, tmp_path / "work")
    assert points >= 20
    print(points, "kills")
    seen = {"before": 0, "after": 0}
    for place in left:
        store = Store.open(url_in(place), create=False)
        assert store.verify().faults == (), place.name
        said = answers(store)
        assert said in (before, after), place.name
        seen["before" if said == after else "after"] += 1
        store.close()
        if place not in left[::5]:
            continue
        (file,) = (place / "b").glob("*.db")
        restore(url_in(place), file, by="terminal:ada", now=NOW)
        store = Store.open(url_in(place))
        assert answers(store) == before
        store.close()
        assert not list(place.glob("*.restoring*"))
    assert seen["before"] > 10
    assert seen["after"] >= 1
