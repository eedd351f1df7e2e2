"""Documents are read apart: whatever a library does costs one refusal."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.profiles.apart import Readers, Worker, read
from bot.profiles.format import Refusal, UnreadableProfile
from bot.profiles.reader import read as read_here
from bot.profiles.worker import reading_from_document, reading_to_document

SEEDS = Path(__file__).parent.parent / "seeds"

FAULTS = "tests.worker_with_faults"


@pytest.fixture
def worker():
    made = Worker(FAULTS, patience=20)
    yield made
    made.stop()


def name_read(worker, text):
    [page] = worker.read("x", text.encode()).pages
    return page.profile.name


@pytest.mark.parametrize("fault", ["crash", "exit", "memory", "spin"])
def test_a_fault_costs_its_document_and_the_next_one_is_read(worker, fault):
    assert name_read(worker, "Ada Byte") == "Ada Byte"
    with pytest.raises(UnreadableProfile, match=r"^The file needs more memory or time .*stored\.$"):
        worker.read("x", fault.encode())
    assert name_read(worker, "Ada Byte") == "Ada Byte"


def test_a_document_that_takes_too_long_is_ended():
    worker = Worker(FAULTS, patience=6)
    with capture_logs() as logs, pytest.raises(UnreadableProfile, match="took too long to read"):
        worker.read("x", b"sleep")
    assert [each["late"] for each in logs] == [True]
    worker.stop()


def test_a_reader_that_fails_is_logged_by_its_error_and_nothing_of_the_document(worker):
    with capture_logs() as logs, pytest.raises(UnreadableProfile, match="reading it failed"):
        worker.read("x", b"raise")
    [told] = logs
    assert (told["event"], told["format"], told["error"]) == ("format_failed", "faulty", "KeyError")
    assert "Ada" not in str(logs)


def test_what_a_library_prints_is_no_answer(worker):
    assert name_read(worker, "print") == "print"


def test_a_worker_has_no_token(worker, monkeypatch):
    monkeypatch.setenv("SLACK_BOT_TOKEN", "x")
    assert "SLACK" not in name_read(worker, "environment")


def test_many_threads_share_a_few_workers():
    readers = Readers(2, module=FAULTS)
    names = [f"Person {'abcdefghij'[number]}" for number in range(10)]
    found = {}

    def work(name):
        [page] = readers.read("x", name.encode()).pages
        found[name] = page.profile.name

    threads = [threading.Thread(target=work, args=(name,)) for name in names]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert found == {name: name for name in names}
    readers.stop()


def test_a_reading_crosses_without_loss():
    for path in SEEDS.glob("*.txt"):
        reading = read_here(path.name, path.read_bytes())
        assert reading_from_document(reading_to_document(reading)) == reading
        assert read(path.name, path.read_bytes()) == reading
    refusal = Refusal(name="x", reason="y")
    assert reading_from_document(
        {"parser": "a/1", "pages": [], "refusals": [{"name": "x", "reason": "y"}]}
    ).refusals == (refusal,)


def test_a_worker_ends_with_whoever_started_it():
    worker = Worker(FAULTS)
    assert name_read(worker, "Ada Byte") == "Ada Byte"
    process = worker._process
    process.stdin.close()
    assert process.wait(20) == 0
    worker.stop()


def test_what_no_format_takes_is_refused_from_apart_as_here():
    with pytest.raises(UnreadableProfile) as there:
        read("x", b"nothing of anybody")
    with pytest.raises(UnreadableProfile) as here:
        read_here("x", b"nothing of anybody")
    assert str(there.value) == str(here.value)


def test_a_reader_that_was_started_reads_the_first_document():
    readers = Readers(1, module=FAULTS)
    readers.start()
    process = readers._all[0]._process
    assert process.poll() is None
    assert name_read(readers, "Ada Byte") == "Ada Byte"
    assert readers._all[0]._process is process
    readers.stop()


@pytest.mark.parametrize("heavy", ["openpyxl", "pypdfium2"])
def test_a_library_is_loaded_when_its_format_is_needed(heavy):
    asked = f"import sys, bot.profiles.reader; sys.exit({heavy!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", asked], check=False).returncode == 0
