"""Migrations: one at a time, after a copy, all or nothing, and never backwards."""

import shutil
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import make_url, text
from sqlmodel import SQLModel

from storage.database import Database
from storage.dialects.dialect import DatabaseTrouble
from storage.dialects.sqlite import Sqlite
from storage.migrations import migrate
from storage.migrations.head import HEAD
from storage.models import MetaRow
from storage.store import Store

ROOT = Path(__file__).parent.parent

NEXT = '''
"""A revision of tomorrow."""
from alembic import op
import os, signal
import sqlalchemy as sa

revision = "tomorrow"
down_revision = "{head}"

def upgrade():
    op.add_column("meta", sa.Column("remark", sa.String(), nullable=True))
    {then}
'''


@pytest.fixture
def tomorrow(tmp_path):
    """Revisions with one more, whose last step is given."""

    def write(then: str = "pass") -> Path:
        scripts = tmp_path / "scripts"
        shutil.copytree(migrate.SCRIPTS, scripts, dirs_exist_ok=True)
        head = migrate.head_of(migrate.SCRIPTS)
        (scripts / "versions" / "tomorrow.py").write_text(NEXT.format(head=head, then=then))
        return scripts

    return write


def columns_of_meta(url: str) -> list[str]:
    with closing(sqlite3.connect(make_url(url).database)) as connection:
        return [row[1] for row in connection.execute("PRAGMA table_info(meta)")]


def revision_of(url: str) -> str:
    with closing(sqlite3.connect(make_url(url).database)) as connection:
        return connection.execute("SELECT version_num FROM alembic_version").fetchone()[0]


def copies(url: str) -> list[Path]:
    path = Path(make_url(url).database)
    return sorted(path.parent.glob(f"{path.name}.before-*"))


def test_a_new_database_has_exactly_the_tables_of_the_models(store_url):
    """When this fails, its message is the body of the revision that is missing."""
    database = Database.open(store_url)
    with database.read() as session:
        assert migrate.draft(session.connection(), Sqlite(make_url(store_url))) == ""
    database.close()


def test_narrow_tables_are_kept_by_their_key(store_url):
    """Alembic does not compare this."""
    Database.open(store_url).close()
    with closing(sqlite3.connect(make_url(store_url).database)) as connection:
        clustered = {
            name
            for name, sql in connection.execute("SELECT name, sql FROM sqlite_schema")
            if sql
            and "WITHOUT ROWID" in sql
            and not name.startswith(("profile_text", "contribution_text"))
        }
    assert clustered == {
        name
        for name, table in SQLModel.metadata.tables.items()
        if not table.dialect_options["sqlite"]["with_rowid"]
    }


def test_the_draft_of_a_revision_is_what_differs(store_url):
    database = Database.open(store_url)
    with database.write() as session:
        session.connection().execute(text("ALTER TABLE meta ADD COLUMN remark TEXT"))
    with database.read() as session:
        draft = migrate.draft(session.connection(), Sqlite(make_url(store_url)))
    database.close()
    assert "batch_op.drop_column('remark')" in draft


def test_opening_again_changes_nothing_and_copies_nothing(store_url):
    Database.open(store_url).close()
    before = Path(make_url(store_url).database).read_bytes()
    Database.open(store_url).close()
    assert Path(make_url(store_url).database).read_bytes() == before
    assert copies(store_url) == []


def test_a_copy_is_kept_before_an_existing_database_changes(store_url, tomorrow):
    database = Database.open(store_url)
    with database.write() as session:
        session.add(MetaRow(name="a", value="kept"))
    head = migrate.head_of(migrate.SCRIPTS)
    upgraded = Database.open(store_url, scripts=tomorrow())
    with upgraded.read() as session:
        assert session.get(MetaRow, "a").value == "kept"
    upgraded.close()
    database.close()
    (copy,) = copies(store_url)
    assert copy.name.endswith(f".before-{head}")
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert columns_of_meta(store_url) == ["name", "value", "remark"]
    assert columns_of_meta(f"sqlite:///{copy}") == ["name", "value"]
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT value FROM meta WHERE name = 'a'").fetchall() == [
            ("kept",)
        ]
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_a_copy_is_whole_though_the_log_is_not_in_the_file_yet(store_url, tomorrow):
    database = Database.open(store_url)  # stays open: what it writes is in the log alone
    with database.write() as session:
        session.add(MetaRow(name="a", value="x" * 50_000))
    Database.open(store_url, scripts=tomorrow()).close()
    (copy,) = copies(store_url)
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT length(value) FROM meta WHERE name = 'a'").fetchall() == [
            (50_000,)
        ]
    database.close()


def test_a_database_of_a_newer_program_is_refused_and_left_alone(store_url, tomorrow):
    Database.open(store_url, scripts=tomorrow()).close()
    before = Path(make_url(store_url).database).read_bytes()
    with pytest.raises(migrate.NewerDatabase, match=r"made by a newer program .* upgrade the bot"):
        Store.open(store_url)
    assert Path(make_url(store_url).database).read_bytes() == before


def test_a_migration_that_fails_leaves_the_old_schema(store_url, tomorrow):
    Database.open(store_url).close()
    with pytest.raises(ZeroDivisionError):
        Database.open(store_url, scripts=tomorrow("1 / 0"))
    assert columns_of_meta(store_url) == ["name", "value"]
    Database.open(store_url).close()


OPEN = """
import sys
from pathlib import Path
from storage.database import Database
url, scripts = sys.argv[1:]
database = Database.open(url, scripts=Path(scripts))
with database.write() as session:
    session.connection().exec_driver_sql("SELECT * FROM profile")
database.close()
"""


def opening(url: str, scripts: Path) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", OPEN, url, str(scripts)],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_kill_in_the_middle_leaves_the_old_schema(store_url, tomorrow):
    Database.open(store_url).close()
    killed = opening(store_url, tomorrow("os.kill(os.getpid(), signal.SIGKILL)"))
    assert killed.wait(300) == -9
    killed.stderr.close()
    database = Database.open(store_url)
    database.close()
    assert columns_of_meta(store_url) == ["name", "value"]
    assert revision_of(store_url) == migrate.head_of(migrate.SCRIPTS)
    Database.open(store_url, scripts=tomorrow()).close()
    assert columns_of_meta(store_url) == ["name", "value", "remark"]


def test_a_kill_while_a_database_is_made_leaves_one_that_can_be_made(store_url, tomorrow):
    killed = opening(store_url, tomorrow("os.kill(os.getpid(), signal.SIGKILL)"))
    assert killed.wait(300) == -9
    killed.stderr.close()
    Database.open(store_url).close()
    assert revision_of(store_url) == migrate.head_of(migrate.SCRIPTS)


def test_processes_that_open_a_new_database_at_once_all_find_it_made(store_url):
    processes = [opening(store_url, migrate.SCRIPTS) for _ in range(4)]
    assert [process.communicate(timeout=300)[1] for process in processes] == [""] * 4
    assert revision_of(store_url) == migrate.head_of(migrate.SCRIPTS)


def test_processes_that_migrate_at_once_migrate_once(store_url, tomorrow):
    Database.open(store_url).close()
    scripts = tomorrow()
    processes = [opening(store_url, scripts) for _ in range(3)]
    assert [process.communicate(timeout=300)[1] for process in processes] == [""] * 3
    assert columns_of_meta(store_url) == ["name", "value", "remark"]
    assert len(copies(store_url)) == 1


REBUILD = """
    with op.batch_alter_table("subscription", recreate="always") as batch:
        batch.add_column(sa.Column("remark", sa.String(), nullable=True))
"""


def test_rebuilding_a_table_keeps_the_rows_that_refer_to_it(store_url, tomorrow):
    """With foreign keys on, SQLite would delete the runs of every subscription."""
    Database.open(store_url).close()
    with closing(sqlite3.connect(make_url(store_url).database)) as connection:
        connection.execute(
            "INSERT INTO subscription (workspace, number, channel, weekdays, hour, minute,"
            " timezone, query, since, enabled, stopped, created_by, created_at, active_from)"
            " VALUES ('main', 1, 'C', '1', 9, 0, 'UTC', '', '2026-01-01', 1, 0, 'U', '2026-01-01',"
            " '2026-01-01')"
        )
        connection.execute(
            "INSERT INTO digest_run (id, workspace, subscription, slot, due_at, written_at, state,"
            " attempt, people, swept, alarms)"
            " VALUES ('r', 'main', 1, 's', '2026-01-01', '2026-01-01', 'ready', 0, 0, 0, 0)"
        )
        connection.commit()
    Database.open(store_url, scripts=tomorrow(REBUILD)).close()
    with closing(sqlite3.connect(make_url(store_url).database)) as connection:
        assert connection.execute("SELECT id FROM digest_run").fetchall() == [("r",)]
        assert connection.execute("SELECT remark FROM subscription").fetchall() == [(None,)]


def test_a_migration_that_would_orphan_rows_is_taken_back(store_url, tomorrow):
    Database.open(store_url).close()
    orphan = """op.execute(
        "INSERT INTO digest_run (id, workspace, subscription, slot, due_at, written_at, state,"
        " attempt, people, swept, alarms)"
        " VALUES ('r', 'main', 7, 's', '2026-01-01', '2026-01-01', 'ready', 0, 0, 0, 0)")"""
    with pytest.raises(DatabaseTrouble, match="The database was not changed"):
        Database.open(store_url, scripts=tomorrow(orphan))
    assert columns_of_meta(store_url) == ["name", "value"]


def test_the_revisions_are_installed_with_the_program():
    """They are found through the package, so a wheel has to carry them."""
    assert (migrate.SCRIPTS / "versions" / "__init__.py").is_file()
    assert migrate.head_of(migrate.SCRIPTS) == HEAD
