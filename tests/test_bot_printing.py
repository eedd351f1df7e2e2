"""What is printed, and what happens when nobody takes it: a real process, its streams closed."""

import json
import os
import pty
import subprocess
import sys

import pytest
import typer
from typer.testing import CliRunner

from bot.__main__ import answered, app
from bot.settings import PROJECT, Settings
from tests.loading_fixtures import fail_at, page, three_files

SEEDS = PROJECT / "seeds"
LEI = SEEDS / "000_9e2165598a480d86.txt"


@pytest.fixture
def database(tmp_path, monkeypatch):
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setenv("BOT_MODE", "sandbox")
    path = tmp_path / "data" / "candidates.db"
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{path}")
    return path


def run(*arguments):
    return CliRunner().invoke(app, list(arguments))


def shell(line, *arguments, **streams):
    """The program as ``line`` of a shell runs it, where ``"$@"`` stands for it."""
    return subprocess.run(
        ["sh", "-c", line, "sh", sys.executable, "-W", "error", "-m", "bot", *arguments],
        cwd=PROJECT,
        check=False,
        text=True,
        **({"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams),
    )


@pytest.fixture
def twin(tmp_path):
    """A page of somebody else who is called Lei Wang."""
    path = tmp_path / "twin.txt"
    text = LEI.read_text(encoding="utf-8")
    path.write_text(text.split("Github contributions")[0].replace("at Meta", "at Example Works"))
    return path


def test_a_load_is_told_file_by_file_and_summed_up(database, tmp_path, twin):
    first = run("load", str(SEEDS))
    assert f"{LEI}\n  Lei Wang: stored\n" in first.stdout
    assert first.stdout.endswith("2 stored\n")
    (tmp_path / "empty.txt").touch()
    again = run("load", str(LEI), str(twin), str(tmp_path / "empty.txt"))
    assert again.exit_code == 1
    lines = again.stdout.splitlines()
    assert lines[1] == "  Lei Wang: unchanged"
    assert "possible twin" in lines[3]
    assert lines[4] == str(tmp_path / "empty.txt")
    assert lines[5].startswith("  refused: ")
    assert lines[6] == "1 stored, 1 unchanged, 1 refused"


def test_what_changed_is_told(database, tmp_path):
    path = tmp_path / "ada.txt"
    path.write_text(page("Ada Invented"))
    run("load", str(path))
    path.write_text(page("Ada Invented", title="Engineer at Bar"))
    lines = run("load", str(path)).stdout.splitlines()
    assert lines[1].startswith("  Ada Invented: updated: ")
    assert "Foo → Bar" in lines[1]
    assert lines[2] == "1 updated"
    document = json.loads(run("load", "--json", str(path)).stdout)
    assert document["files"][0]["profiles"][0]["changes"] == []


def test_whom_the_database_did_not_take_is_told_once(database, tmp_path):
    run("load", str(SEEDS))
    paths = three_files(tmp_path)
    fail_at(f"sqlite:///{database}", "Bo b", "database or disk is full")
    lines = run("load", *map(str, paths)).stdout.splitlines()
    assert "  Ada b: stored" in lines
    assert not [line for line in lines if "Bo b" in line]
    assert len([line for line in lines if line.startswith("  refused: ")]) == 2


def test_a_twin_is_in_the_document_too(database, twin):
    run("load", str(SEEDS))
    document = json.loads(run("load", "--json", str(twin)).stdout)
    [person] = document["files"][0]["profiles"]
    assert person["outcome"] == "stored"
    [other] = person["possible_twins"]
    assert f"Id {other}\n" in run("show", other).stdout
    assert other != person["id"]


def test_a_folder_without_files_is_told(database, tmp_path):
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / ".hidden").write_text("left out")
    done = run("load", str(tmp_path / "none"))
    assert done.exit_code == 1
    assert "No files" in done.stdout


def test_several_of_a_name_are_listed_with_their_ids(database, twin):
    run("load", str(SEEDS), str(twin))
    done = run("show", "lei", "wang")
    assert done.exit_code == 1
    assert "2 people" in done.stderr
    rows = [line.split(" · ") for line in done.stdout.splitlines()]
    assert [row[1] for row in rows] == ["Lei Wang", "Lei Wang"]
    for row in rows:
        assert run("show", row[0]).exit_code == 0


def test_nobody_of_a_name_is_told_with_what_to_try(database):
    run("load", str(SEEDS))
    done = run("show", "nobodyatall")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "ask -- nobodyatall" in done.stderr


def test_a_terminal_sees_a_bar_and_a_pipe_does_not(database):
    ours, theirs = pty.openpty()
    try:
        done = shell(
            'exec "$@"',
            "load",
            "--json",
            str(SEEDS),
            stderr=theirs,
            env={**os.environ, "TERM": "xterm"},
        )
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 65_536):
                shown += part
        except OSError:  # what a pseudo-terminal says at its end
            pass
    finally:
        os.close(ours)
    assert done.returncode == 0
    assert len(json.loads(done.stdout)["files"]) == 2
    assert b"Reading" in shown
    assert b"2/2" in shown
    assert shell('exec "$@"', "load", "--json", str(SEEDS)).stderr == ""


@pytest.mark.parametrize("stderr", ["2>&-", "2>/dev/full"])
def test_who_does_not_hear_what_is_said_beside_the_result_loses_nothing(database, stderr):
    run("load", str(SEEDS))
    done = shell(f'exec "$@" {stderr}', "show", "nobodyatall")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    done = shell(f'exec "$@" {stderr}', "ask", "--", "chenggang")
    assert done.returncode == 0
    assert done.stdout.startswith("Chenggang Zhao\n")
    done = shell(f'exec "$@" {stderr}', "load", str(SEEDS))
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "2 unchanged")


@pytest.mark.parametrize("streams", [">&- 2>&-", ">/dev/full 2>/dev/full", ">&- 2>/dev/full"])
def test_with_nobody_to_tell_there_is_still_a_status(database, streams):
    run("load", str(SEEDS))
    done = shell(f'exec "$@" {streams}', "ask", "--", "chenggang")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")


def test_an_interrupted_command_ends_with_130():
    with pytest.raises(typer.Exit) as ended, answered():
        raise KeyboardInterrupt
    assert ended.value.exit_code == 130


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be somebody without a name")
def test_a_user_without_a_name_can_load_all_the_same(database, monkeypatch):
    """As in a container that runs under a number."""
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.delenv(name, raising=False)
    os.setresuid(54_321, -1, -1)
    try:
        assert run("load", str(LEI)).exit_code == 0
    finally:
        os.setresuid(0, -1, -1)
    record = json.loads(run("show", "--json", "wang").stdout)
    assert record["added_by"] == "terminal:unknown"
