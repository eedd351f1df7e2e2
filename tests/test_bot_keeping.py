"""backup, restore, verify and doctor on the command line: what is said, and the exit status."""

import gzip
import json
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest
from typer.testing import CliRunner

from bot.__main__ import app
from bot.settings import PROJECT, Settings
from storage.records import StandingKind
from storage.store import Store
from tests.keeping_fixtures import NOW, change, open_filled, overwrite, person

HOLDING = """
import sys
from storage.store import Store
store = Store.open(sys.argv[1])
print(1, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def database(tmp_path, monkeypatch):
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setenv("BOT_MODE", "sandbox")
    path = tmp_path / "candidates.db"
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{path}")
    store = open_filled(f"sqlite:///{path}")
    store.close()
    return path


def run(*arguments, **options):
    return CliRunner().invoke(app, list(arguments), **options)


def test_backup_says_where_and_what_is_in_it(database, tmp_path):
    done = run("backup")
    assert done.exit_code == 0
    path, rest = done.stdout.strip().split("\n")
    assert path.startswith(str(tmp_path / "backups" / "candidates-"))
    assert rest.startswith("12 people, 13 documents, 0.")
    done = run("backup", "--keep", "1", str(tmp_path / "elsewhere"))
    assert done.stdout.startswith(str(tmp_path / "elsewhere"))


def test_backup_of_nothing_is_a_sentence(tmp_path, database, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'none.db'}")
    done = run("backup")
    assert done.exit_code == 2
    assert "no database" in done.stderr


def test_restore_asks_first_and_says_what_it_did(database):
    file = run("backup").stdout.split("\n")[0]
    store = Store.open(f"sqlite:///{database}")
    store.add(*person(99), now=datetime.now(UTC))
    store.close()
    done = run("restore", file, input="n\n")
    assert done.exit_code == 1
    assert "Nothing was changed" in done.stderr
    done = run("restore", file, input="y\n")
    assert done.exit_code == 0
    assert "12 people, 13 documents" in done.stdout
    assert "checksum agreed" in done.stdout
    assert f"{database}.replaced-" in done.stdout
    store = Store.open(f"sqlite:///{database}")
    assert store.count() == 12
    store.close()


def test_restore_of_a_bad_file_changes_nothing(database, tmp_path):
    (tmp_path / "bad.db").write_text("x" * 5000)
    before = database.read_bytes()
    done = run("restore", "--yes", str(tmp_path / "bad.db"))
    assert done.exit_code == 2
    assert "Choose another" in done.stderr
    assert database.read_bytes() == before


def test_restore_refuses_while_another_process_has_it_open(database):
    file = run("backup").stdout.split("\n")[0]
    holding = subprocess.Popen(
        [
            sys.executable, "-c",
            HOLDING,
            f"sqlite:///{database}",
        ],
        cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    try:
        holding.stdout.readline()
        done = run("restore", "--yes", file)
        assert done.exit_code == 2
        assert "Stop the bot" in done.stderr
    finally:
        holding.communicate(b"")
    assert run("restore", "--yes", file).exit_code == 0


def test_verify_in_words_and_as_json(database):
    done = run("verify")
    assert done.exit_code == 0
    assert "12 people, 13 documents" in done.stdout
    assert "All agree" in done.stdout
    change(database, "DELETE FROM profile_skill", "UPDATE source SET text = 'x' WHERE version = 2")
    done = run("verify")
    assert done.exit_code == 1
    assert "bot verify --repair" in done.stdout
    assert "indqvist" not in done.stdout
    done = run("verify", "--json", "--repair")
    assert done.exit_code == 1
    report = json.loads(done.stdout)
    assert report["rebuilt"] == 12
    assert [(fault["kind"], fault["mendable"]) for fault in report["faults"]] == [("source", False)]


def test_verify_of_a_file_that_is_no_database_is_one_document(database):
    database.write_text("x" * 5000)
    done = run("verify", "--json")
    assert done.exit_code == 2
    assert json.loads(done.stdout)["sound"] is False


@pytest.mark.parametrize(
    ("age", "said"), [(None, "yet"), (timedelta(hours=3), "1 in"), (timedelta(days=5), "5 days")]
)
def test_doctor_knows_how_old_the_newest_backup_is(database, tmp_path, monkeypatch, age, said):
    monkeypatch.setenv("BACKUP_FOLDER", str(tmp_path / "b"))
    if age is not None:
        store = Store.open(f"sqlite:///{database}")
        store.back_up(tmp_path / "b", keep=1, now=datetime.now(UTC) - age)
        store.close()
    done = run("doctor")
    (line,) = [line for line in done.stdout.splitlines() if " backup " in line]
    assert said in line
    assert line.startswith("ok" if said == "1 in" else "note")


def test_a_backup_does_not_depend_on_the_folder_it_is_started_from(database, tmp_path):
    environment = {**os.environ, "BACKUP_FOLDER": str(tmp_path / "b")}
    done = subprocess.run(
        [sys.executable, "-m", "bot", "backup"],
        cwd=PROJECT, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(tmp_path / "b"))


def test_restore_says_which_marks_were_set_again_and_when_it_cannot_know(database):
    file = run("backup").stdout.split("\n")[0]
    store = Store.open(f"sqlite:///{database}")
    first, second = [hit.candidate.id for hit in store.search("Nadja", now=NOW).hits][:2]
    now = datetime.now(UTC)
    store.set_standing(first, StandingKind.DO_NOT_CONTACT, by="U1", now=now)
    store.set_standing(second, StandingKind.RESTRICTED, by="U1", now=now)
    store.close()
    said = run("restore", "--yes", file).stdout
    assert "2 marks set since the backup were set again: 1 do not contact, 1 restricted.\n" in said
    assert "are gone" not in said
    overwrite(database, 0, b"\0" * 30_000)
    said = run("restore", "--yes", file).stdout
    assert "Marks (do not contact, restricted, objected, told) set after 20" in said
    assert "UTC are gone: set them again before you start the bot." in said


def test_restore_on_another_machine_never_claims_that_nobody_was_forgotten(
    database, tmp_path, monkeypatch
):
    """Forgetting at the terminal keeps the list among the backups current."""
    file = run("backup").stdout.split("\n")[0]
    assert "Nobody in it was forgotten since." in run("restore", "--yes", file).stdout
    listed = tmp_path / "backups" / "candidates.db.tombstones"
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'first' / 'candidates.db'}")
    said = run("restore", "--yes", file).stdout
    assert "The list of forgotten people names nobody in it." in said
    assert str(listed) in said
    assert "Nobody in it" not in said
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{database}")
    store = Store.open(f"sqlite:///{database}")
    who = next(hit.candidate.id for hit in store.search("Nadja", now=NOW).hits)
    store.close()
    done = run("forget", who, "--yes", who)
    assert done.exit_code == 0, done.output
    assert len(listed.read_text().splitlines()) == 1
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'second' / 'candidates.db'}")
    assert (
        "1 person forgotten since the backup: erased again." in run("restore", "--yes", file).stdout
    )
    listed.unlink()
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'third' / 'candidates.db'}")
    said = run("restore", "--yes", file).stdout
    assert "No list of forgotten people lies beside" in said
    assert "is in it again. Put candidates.db.tombstones there and restore once more." in said
    assert "Nobody in it" not in said


def test_restore_asks_with_what_is_lost(database, tmp_path, monkeypatch):
    store = Store.open(f"sqlite:///{database}")
    at = datetime(2026, 12, 1, 4, 32, tzinfo=UTC)
    file = store.back_up(tmp_path / "b", keep=1, now=at).path
    store.add(*person(98), now=at)
    store.close()
    asked = "The backup is of 2026-12-01 04:32 UTC with 12 people; the present database "
    before = file.read_bytes(), sorted(each.name for each in file.parent.iterdir())
    done = run("restore", str(file), input="n\n")
    assert done.exit_code == 1
    assert f"{asked}has 13.\nPut {file} in the place of {database}?" in done.stderr
    overwrite(database, 0, b"\0" * 30_000)
    done = run("restore", str(file), input="n\n")
    assert f"{asked}cannot be read." in done.stderr
    target = tmp_path / "new" / "candidates.db"
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{target}")
    done = run("restore", str(file), input="n\n")
    assert f"there is no database yet. Put {file} at {target}?" in done.stderr
    assert not target.parent.exists(), "asking makes nothing"
    done = run("restore", str(file), input="y\n")
    assert f"There was no database before. It is now {target}.\n" in done.stdout
    assert (file.read_bytes(), sorted(each.name for each in file.parent.iterdir())) == before


def test_restore_of_a_renamed_backup_of_an_older_release_asks_too(database, tmp_path):
    old = tmp_path / "saved.db"
    released = PROJECT / "tests" / "cases" / "released" / "0001.db.gz"
    old.write_bytes(gzip.decompress(released.read_bytes()))
    done = run("restore", str(old), input="n\n")
    assert done.exit_code == 1, done.stderr
    assert "The backup is of 20" in done.stderr
    (tmp_path / "bad.db").write_text("x" * 5000)
    done = run("restore", str(tmp_path / "bad.db"), input="y\n")
    assert done.exit_code == 2
    assert "[y/N]" not in done.stderr


def test_asking_does_not_write_the_log_of_a_file_into_it(database, tmp_path):
    copy = tmp_path / "copy.db"
    copy.write_bytes(database.read_bytes())
    log = tmp_path / "copy.db-wal"
    log.write_bytes(b"a log")
    done = run("restore", str(copy), input="n\n")
    assert done.exit_code == 1
    assert "UTC; the present database has 12." in done.stderr
    assert (copy.read_bytes(), log.read_bytes()) == (database.read_bytes(), b"a log")
