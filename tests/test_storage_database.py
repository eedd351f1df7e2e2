"""The database under the store: who may read it, who may write, and what it says in trouble."""

import os
import sqlite3
import stat
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import insert, make_url, text
from sqlmodel import Session, select

from storage.database import Database, NoDatabase
from storage.dialects.dialect import DatabaseTrouble
from storage.dialects.sqlite import WAL_OVERDUE, Sqlite, sqlite_is_affected
from storage.keyring import HASH_KEY
from storage.models import MetaRow

ROOT = Path(__file__).parent.parent


@pytest.fixture
def database(store_url):
    opened = Database.open(store_url)
    yield opened
    opened.close()


def path_of(url: str) -> Path:
    return Path(make_url(url).database)


def remember(session: Session, name: str, value: str = "x") -> None:
    session.add(MetaRow(name=name, value=value))


def names(database: Database) -> set[str]:
    with database.read() as session:
        return set(session.exec(select(MetaRow.name).where(MetaRow.name != HASH_KEY)))


def test_what_is_written_is_there_afterwards(database):
    with database.write() as session:
        remember(session, "a")
    assert names(database) == {"a"}


def test_an_exception_takes_everything_back(database):
    def fail_late() -> None:
        with database.write() as session:
            remember(session, "a")
            session.flush()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_late()
    assert names(database) == set()


def test_a_reader_cannot_write(database):
    with pytest.raises(DatabaseTrouble, match="may only be read"), database.read() as session:
        session.connection().execute(insert(MetaRow).values(name="a", value="x"))
    assert names(database) == set()


def test_a_reader_sees_one_moment(database):
    with database.read() as session:
        assert list(session.exec(select(MetaRow.name).where(MetaRow.name != HASH_KEY))) == []
        with database.write() as writing:
            remember(writing, "a")
        assert list(session.exec(select(MetaRow.name).where(MetaRow.name != HASH_KEY))) == []
    assert names(database) == {"a"}


def test_a_write_inside_a_write_is_a_mistake_and_not_a_deadlock(database):
    with (
        database.write(),
        pytest.raises(RuntimeError, match="inside another"),
        database.write(),
    ):
        pass


def test_after_trouble_the_next_writer_gets_its_turn(database):
    for _ in range(5):
        with pytest.raises(ZeroDivisionError), database.write():
            raise ZeroDivisionError
    with database.write() as session:
        remember(session, "a")
    assert names(database) == {"a"}


@pytest.mark.parametrize("writing", [False, True])
def test_each_connection_follows_the_rules(store_url, database, writing):
    engine = Sqlite(make_url(store_url), version=(3, 40, 1)).engine(writing=writing)
    expected = {
        "journal_mode": "wal",
        "synchronous": 2,
        "busy_timeout": 30_000,
        "foreign_keys": 1,
        "trusted_schema": 0,
        "cell_size_check": 1,
        "journal_size_limit": 64 * 1024 * 1024,
        "wal_autocheckpoint": 0,
        "secure_delete": 1,
        "query_only": 0 if writing else 1,
    }
    with engine.connect() as connection:
        found = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in expected
        }
    engine.dispose()
    assert found == expected


def test_a_sound_sqlite_checkpoints_by_itself(store_url, database):
    sound = Sqlite(make_url(store_url), version=(3, 51, 3))
    engine = sound.engine(writing=True)
    with engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA wal_autocheckpoint").scalar_one() == 1000
    engine.dispose()
    assert sound.warnings() == ()
    assert not sound.overdue()


@pytest.mark.parametrize(
    ("version", "affected"),
    [
        ((3, 6, 23), False),
        ((3, 7, 0), True),
        ((3, 40, 1), True),
        ((3, 44, 5), True),
        ((3, 44, 6), False),
        ((3, 45, 0), True),
        ((3, 50, 6), True),
        ((3, 50, 7), False),
        ((3, 51, 2), True),
        ((3, 51, 3), False),
        ((3, 52, 0), False),
        ((4, 0, 0), False),
    ],
)
def test_versions_with_the_wal_reset_bug_are_known(version, affected):
    assert sqlite_is_affected(version) is affected


def test_an_operator_is_told_of_an_affected_version(store_url):
    (sentence,) = Sqlite(make_url(store_url), version=(3, 40, 1)).warnings()
    assert "3.40.1" in sentence
    assert "3.51.3" in sentence


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_only_its_owner_can_read_the_database_whatever_the_umask(tmp_path, umask):
    folder = tmp_path / "new" / "data"
    before = os.umask(umask)
    try:
        database = Database.open(f"sqlite:///{folder / 'people.db'}")
        with database.write() as session:
            remember(session, "a")
        files = sorted(folder.iterdir())
        assert {"people.db", "people.db-wal", "people.db-shm"} <= {file.name for file in files}
        assert {mode(file) for file in files} == {0o600}
        assert mode(folder) == 0o700
    finally:
        os.umask(before)
    database.close()


def test_a_database_that_others_could_read_is_closed_to_them(tmp_path):
    url = f"sqlite:///{tmp_path / 'people.db'}"
    Database.open(url).close()
    (tmp_path / "people.db").chmod(0o644)
    Database.open(url).close()
    assert mode(tmp_path / "people.db") == 0o600


def test_a_folder_that_exists_keeps_its_mode(tmp_path):
    tmp_path.chmod(0o755)
    Database.open(f"sqlite:///{tmp_path / 'people.db'}").close()
    assert mode(tmp_path) == 0o755


def test_asking_never_makes_a_database(tmp_path):
    with pytest.raises(NoDatabase, match="load a profile first"):
        Database.open(f"sqlite:///{tmp_path / 'sub' / 'people.db'}", create=False)
    assert list(tmp_path.iterdir()) == []


def test_a_database_that_is_there_opens_without_making_one(store_url, database):
    again = Database.open(store_url, create=False)
    assert names(again) == set()
    again.close()


@pytest.mark.parametrize(
    "url",
    ["sqlite://", "sqlite:///:memory:", "sqlite:///file:x?uri=true", "oracle://x/y", "people.db"],
)
def test_an_address_that_cannot_be_used_says_what_can(url):
    with pytest.raises(DatabaseTrouble, match=r"sqlite:///data/candidates\.db"):
        Database.open(url)


def test_a_file_that_is_no_database_is_left_alone(tmp_path):
    file = tmp_path / "people.db"
    file.write_bytes(b"Dear diary, " * 1000)
    with pytest.raises(DatabaseTrouble, match="is not a database: set DATABASE_URL"):
        Database.open(f"sqlite:///{file}")
    assert file.read_bytes() == b"Dear diary, " * 1000


def test_the_database_of_another_program_is_left_alone(tmp_path):
    with closing(sqlite3.connect(tmp_path / "people.db")) as other:
        other.execute("CREATE TABLE songs (title)")
    with pytest.raises(DatabaseTrouble, match="tables of another program"):
        Database.open(f"sqlite:///{tmp_path / 'people.db'}")
    with closing(sqlite3.connect(tmp_path / "people.db")) as other:
        assert other.execute("SELECT name FROM sqlite_schema").fetchall() == [("songs",)]


def test_a_folder_where_a_file_should_be_says_so(tmp_path):
    with pytest.raises(DatabaseTrouble, match="cannot be opened"):
        Database.open(f"sqlite:///{tmp_path}")


def test_a_path_through_a_file_says_so(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(DatabaseTrouble, match=r"cannot be opened .*set DATABASE_URL"):
        Database.open(f"sqlite:///{tmp_path / 'file' / 'people.db'}")


def test_a_full_disk_says_so_and_keeps_what_was_stored(database):
    with database.write() as session:
        remember(session, "before")

    def fill_the_disk() -> None:
        with database.write() as session:
            pages = session.connection().exec_driver_sql("PRAGMA page_count").scalar_one()
            session.connection().exec_driver_sql(f"PRAGMA max_page_count={pages}")
            remember(session, "after", "x" * 1_000_000)

    with pytest.raises(DatabaseTrouble, match="is full: make room"):
        fill_the_disk()
    assert names(database) == {"before"}


def test_a_locked_database_says_so(store_url, database):
    dialect = Sqlite(make_url(store_url))
    with (
        database.write(),
        closing(sqlite3.connect(path_of(store_url), timeout=0)) as other,
        pytest.raises(sqlite3.OperationalError) as raised,
    ):
        other.execute("BEGIN IMMEDIATE")
    assert "busy: another program" in str(dialect.trouble(raised.value))


def test_what_is_no_trouble_of_the_database_stays_a_bug(store_url, database):
    assert Sqlite(make_url(store_url)).trouble(ValueError("x")) is None
    with pytest.raises(Exception, match="no such table"), database.read() as session:
        session.connection().execute(text("SELECT * FROM nowhere"))


def test_a_checkpoint_moves_the_log_into_the_file(store_url, database):
    with database.write() as session:
        remember(session, "a", "x" * 100_000)
    before = path_of(store_url).stat().st_size
    assert database.checkpoint()
    assert path_of(store_url).stat().st_size > before


def test_one_checkpointer_at_a_time_across_processes(store_url, database):
    with database.write() as session:
        remember(session, "a")
    with Sqlite(make_url(store_url)).exclusive():
        assert not database.checkpoint()
    assert database.checkpoint()


def test_the_log_does_not_grow_without_end(store_url, database):
    """Where no connection checkpoints by itself, whoever writes much sees to it."""
    for number in range(60):
        with database.write() as session:
            remember(session, str(number), "x" * 1_000_000)
    log = Path(f"{path_of(store_url)}-wal")
    assert log.stat().st_size < 3 * WAL_OVERDUE


def test_a_log_that_a_reader_holds_is_not_tried_at_every_write(store_url, database):
    dialect = Sqlite(make_url(store_url), version=(3, 40, 1))
    with database.read() as session:
        session.exec(select(MetaRow.name)).all()
        for number in range(12):
            with database.write() as writing:
                remember(writing, str(number), "x" * 1_000_000)
        assert dialect.overdue()
        assert not dialect.tidy()
        assert not dialect.overdue()
    assert dialect.tidy()
    assert Path(f"{path_of(store_url)}-wal").stat().st_size == 0


def test_threads_may_read_and_write_at_once(database):
    def work(thread: int) -> int:
        for number in range(25):
            with database.write() as session:
                remember(session, f"{thread}-{number}")
            with database.read() as session:
                session.exec(select(MetaRow.name)).all()
        return thread

    with ThreadPoolExecutor(12) as pool:
        assert sorted(pool.map(work, range(12))) == list(range(12))
    assert len(names(database)) == 12 * 25


WRITER = """
import sys
from sqlmodel import Session
from storage.database import Database
from storage.models import MetaRow
url, process = sys.argv[1:]
database = Database.open(url)
for number in range(100):
    with database.write() as session:
        row = session.get(MetaRow, "count")
        if row is None:
            row = MetaRow(name="count", value="0")
        row.value = str(int(row.value) + 1)
        session.add(row)
    if number % 10 == 0:
        database.checkpoint()
database.close()
"""


def test_processes_lose_no_update_and_meet_no_lock_error(store_url):
    """Each adds one to a shared number, a hundred times, with checkpoints in between."""
    writers = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", WRITER, store_url, str(number)],
            cwd=ROOT,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(4)
    ]
    errors = [writer.communicate(timeout=300)[1] for writer in writers]
    assert errors == [""] * 4
    database = Database.open(store_url)
    with database.read() as session:
        assert session.get(MetaRow, "count").value == "400"
        assert session.connection().exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
    database.close()


def test_a_reader_is_not_kept_waiting_by_a_writer(database):
    began, go = threading.Event(), threading.Event()

    def write() -> None:
        with database.write() as session:
            remember(session, "a")
            session.flush()
            began.set()
            go.wait(10)

    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(write)
        assert began.wait(10)
        assert names(database) == set()
        go.set()
        future.result()
    assert names(database) == {"a"}


def test_how_rows_are_spread_is_noted_while_others_read(seeded_store, now):
    before = [hit.candidate.id for hit in seeded_store.named("lei wang").hits]
    seeded_store.measure()
    with seeded_store.database.read() as session:
        measured = session.connection().exec_driver_sql("SELECT DISTINCT tbl FROM sqlite_stat1")
        assert {"profile", "name_token", "profile_skill"} <= {row[0] for row in measured}
    assert [hit.candidate.id for hit in seeded_store.named("lei wang").hits] == before


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE profile SET document = '{' || substr(document, 3)",
        "UPDATE profile SET document = CAST(x'7bff7d' AS TEXT)",
        "UPDATE profile SET updated_at = '0:00.00002026-12-01'",
    ],
)
def test_rows_that_are_no_longer_what_was_written_are_a_damaged_database(seeded_store, damage):
    """Neither a traceback nor an error that quotes what is stored."""
    (hit,) = seeded_store.named("lei wang").hits
    with seeded_store.database.write() as session:
        session.connection().exec_driver_sql(damage)
    with pytest.raises(DatabaseTrouble, match=r"damaged.*go back to a copy"):
        seeded_store.candidate(hit.candidate.id)
