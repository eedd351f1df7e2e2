"""The command line: what goes to stdout, what to stderr, and the exit status."""

import json
import logging
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.__main__ import app
from bot.settings import PROJECT, Settings
from bot.version import VERSION
from tests.loading_fixtures import fail_at, page, three_files

SEEDS = PROJECT / "seeds"


@pytest.fixture
def database(tmp_path, monkeypatch):
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setenv("BOT_MODE", "sandbox")
    path = tmp_path / "data" / "candidates.db"
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{path}")
    monkeypatch.setattr(logging.getLogger(), "handlers", [])  # of this runner's stderr, soon closed
    return path


def run(*arguments):
    return CliRunner().invoke(app, list(arguments))


def run_json(*arguments):
    done = run(*arguments)
    return done.exit_code, json.loads(done.stdout)


def test_load_reports_stored_then_unchanged(database):
    code, first = run_json("load", "--json", str(SEEDS))
    assert code == 0
    assert [file["reason"] for file in first["files"]] == [None, None]
    people = [person for file in first["files"] for person in file["profiles"]]
    assert [person["name"] for person in people] == ["Lei Wang", "Chenggang Zhao"]
    assert {person["outcome"] for person in people} == {"stored"}
    code, second = run_json("load", "--json", str(SEEDS))
    assert code == 0
    again = [person for file in second["files"] for person in file["profiles"]]
    assert {person["outcome"] for person in again} == {"unchanged"}
    assert [person["id"] for person in again] == [person["id"] for person in people]


def test_the_database_is_readable_by_its_owner_only(database):
    run("load", str(SEEDS))
    for path in database.parent.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path.name


def test_a_database_that_others_could_read_is_mended_and_said_once(database):
    run("load", str(SEEDS))
    database.chmod(0o644)
    first, second = run("ask", "wang"), run("ask", "wang")
    assert "could be read by other users (mode 644)" in first.stderr
    assert "could be read" not in second.stderr
    told, number = first.stdout.rsplit("Answer ", 1)
    assert second.stdout == f"{told}Answer {int(number) + 1}\n"
    assert stat.S_IMODE(database.stat().st_mode) == 0o600


def test_what_is_refused_costs_nothing_else(database, tmp_path):
    """Exit status 1, a sentence for each refusal, and the rest is stored all the same."""
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "a-empty.txt").write_bytes(b"")
    (folder / "b-binary.txt").write_bytes(bytes(range(256)) * 40)
    (folder / "c-link.txt").symlink_to(tmp_path / "nowhere")
    (folder / "d-good.txt").write_bytes((SEEDS / "004_6325a03b96e54d5c.txt").read_bytes())
    (folder / ".hidden").write_text("left out")
    code, report = run_json("load", "--json", str(folder), str(tmp_path / "missing.txt"))
    assert code == 1
    by_name = {Path(file["path"]).name: file for file in report["files"]}
    assert set(by_name) == {
        "a-empty.txt",
        "b-binary.txt",
        "c-link.txt",
        "d-good.txt",
        "missing.txt",
    }
    for name in ("a-empty.txt", "b-binary.txt", "c-link.txt", "missing.txt"):
        assert by_name[name]["profiles"] == []
        assert by_name[name]["reason"].endswith(".")
    assert by_name["d-good.txt"]["reason"] is None
    assert by_name["d-good.txt"]["profiles"][0]["outcome"] == "stored"


def test_a_hundred_megabytes_are_refused_without_being_read_whole(database, tmp_path):
    large = tmp_path / "large.txt"
    with large.open("wb") as file:
        file.truncate(100 * 1024 * 1024)
    code, report = run_json("load", "--json", str(large))
    assert code == 1
    assert "20 MB" in report["files"][0]["reason"]


def test_a_device_is_not_a_file(database):
    code, report = run_json("load", "--json", os.devnull)
    assert code == 1
    assert "not a file" in report["files"][0]["reason"]


@pytest.mark.parametrize("arguments", [("ask", "--json", "--", "x"), ("show", "--json", "x")])
def test_asking_never_creates_a_database(database, arguments):
    code, answer = run_json(*arguments)
    assert code == 2
    assert answer["answer"] == "error"
    assert "no database" in answer["message"]
    assert not database.exists()


def test_ask_prints_what_slack_would_show(database):
    run("load", str(SEEDS))
    done = run("ask", "--", "chenggang")
    assert done.exit_code == 0
    assert done.stdout.startswith("Chenggang Zhao\n")
    assert "triton-lang/triton" in done.stdout


def test_ask_as_json_is_one_document_with_the_agreed_keys(database):
    run("load", str(SEEDS))
    code, answer = run_json("ask", "--json", "--", "skill:cuda", "-skill:triton")
    assert code == 0
    assert list(answer) == ["answer", "query", "total", "results", "message", "blocks"]
    assert (answer["answer"], answer["total"]) == ("results", 1)
    assert list(answer["results"][0]) == ["id", "name", "headline", "location", "score", "why"]


def test_an_error_is_exit_status_two(database):
    run("load", str(SEEDS))
    code, answer = run_json("ask", "--json", "--", "skil:cuda")
    assert (code, answer["answer"]) == (2, "error")


def test_show_prints_the_whole_record_with_warnings_and_sources(database):
    run("load", str(SEEDS))
    code, record = run_json("show", "--json", "wang")
    assert code == 0
    assert record["newest_fact"] == "2022-11"
    assert record["sources"][0]["name"] == "000_9e2165598a480d86.txt"
    assert record["sources"][0]["read_at"].endswith("+00:00")
    assert any("United States" in sentence for sentence in record["warnings"])
    assert run_json("show", "--json", record["id"])[1] == record
    text = run("show", "wang").stdout
    assert "nothing on the page is dated after 2022-11" in text
    assert re.search(r"^Skills, .*\n  cuda 10, ", text, re.MULTILINE)
    one_line = " ".join(text.split())
    for warning in record["warnings"]:
        assert warning in one_line
    for contribution in record["contributions"]:
        for key in ("repository", "role", "summary", "description"):
            assert " ".join((contribution.get(key) or "").split()) in one_line
    assert record["sources"][0]["name"] in text
    assert record["summary"] in one_line
    assert not re.search(r"[a-z]_[a-z]+:|\+00:00", text)


def test_show_prints_what_only_resumes_state(database):
    resume = Path(__file__).parent / "cases" / "documents" / "json_resume_full.json"
    run("load", str(resume))
    text = run("show", "maeve").stdout
    assert "Senior Backend Engineer at Hollowbrook Payments · 2021-03 to now · Dublin" in text
    assert "English · Native" in text
    assert "maeve.gallagher@example.org" in text


def test_show_says_when_nobody_or_several_are_called_that(database, tmp_path):
    run("load", str(SEEDS))
    code, answer = run_json("show", "--json", "nobodyatall")
    assert (code, answer["answer"]) == (1, "nothing")
    twin = tmp_path / "twin.txt"
    text = (SEEDS / "000_9e2165598a480d86.txt").read_text(encoding="utf-8")
    twin.write_text(text.split("Github contributions")[0].replace("at Meta", "at Example Works"))
    run("load", str(twin))
    code, answer = run_json("show", "--json", "lei wang")
    assert (code, answer["answer"], answer["total"]) == (1, "choice", 2)


def test_digests_can_be_previewed_and_listed_without_tokens(database):
    run("load", str(SEEDS))
    preview = run("digest", "preview")
    assert preview.exit_code == 0
    assert "2 new candidates" in preview.stdout
    assert run("digest", "list").exit_code == 0
    assert run("digest", "weekly", "blursday", "09:00").exit_code == 2


def test_the_manifest_is_json_to_paste(database):
    code, socket = run_json("manifest")
    assert code == 0
    assert socket["settings"]["socket_mode_enabled"] is True
    _, http = run_json("manifest", "--http", "--url", "https://bot.example.com/")
    assert http["settings"]["socket_mode_enabled"] is False
    url = "https://bot.example.com/slack/events"
    assert http["features"]["slash_commands"][0]["url"] == url
    assert http["settings"]["interactivity"]["request_url"] == url


def test_the_doctor_says_what_to_do(database):
    done = run("doctor")
    assert done.exit_code == 0
    assert "none yet" in done.stdout
    run("load", str(SEEDS))
    database.chmod(0o644)
    done = run("doctor")
    assert done.exit_code == 1
    assert "chmod 600" in done.stdout


def test_the_doctor_does_not_call_a_channel_good_that_it_could_not_look_up(database, monkeypatch):
    monkeypatch.setenv("DIGEST_CHANNEL", "#no-such-channel")
    told = run("doctor").stdout
    (channel,) = [each for each in told.splitlines() if "#no-such-channel" in each]
    assert channel.startswith("note")
    assert "not checked: needs Slack" in channel


def test_a_half_filled_configuration_is_one_sentence(database, monkeypatch):
    monkeypatch.delenv("BOT_MODE")
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-1-abc")
    done = run("run")
    assert done.exit_code == 2
    assert "SLACK_APP_TOKEN" in done.stderr
    assert done.stdout == ""


def program(*arguments, database, **options):
    """As a program would call it: a real process, warnings on."""
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{database}"}
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "bot", *arguments],
        cwd=PROJECT,
        check=False,
        env=environment | options.pop("env", {}),
        **({"capture_output": True} | options),
    )


def test_stdout_holds_the_document_and_nothing_else(database):
    done = program("load", "--json", str(SEEDS), database=database)
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["files"]) == 2
    assert done.stderr == b""


@pytest.mark.parametrize(
    "locale",
    [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}],
    ids=["ascii", "C"],
)
def test_every_name_can_be_printed_and_asked_whatever_the_locale(database, tmp_path, locale):
    path = tmp_path / os.fsdecode(b"ines \xff.txt")
    path.write_text(page("In\u00e9s \u674e"))
    done = program("load", "--json", os.fsencode(path), database=database, env=locale)
    assert done.returncode == 0, done.stderr
    (file,) = json.loads(done.stdout)["files"]
    assert file["path"].endswith("ines \ufffd.txt")
    assert file["profiles"][0]["name"] == "In\u00e9s \u674e"
    done = program("ask", "--", "In\u00e9s".encode() + b" \xff", database=database, env=locale)
    assert b"Traceback" not in done.stderr
    assert "In\u00e9s" in done.stdout.decode()


def test_output_that_nobody_takes_is_a_sentence_and_status_one(database):
    """A full disk, a closed stdout: never a traceback. A pipe that ended is no trouble at all."""
    run("load", str(SEEDS))
    reading, writing = os.pipe()
    os.close(reading)
    with Path("/dev/full").open("wb") as full, os.fdopen(writing, "wb") as ended:
        for stdout in (full, ended):
            done = program("ask", "--", "wang", database=database, capture_output=False,
                           stdout=stdout, stderr=subprocess.PIPE)  # fmt: skip
            assert done.returncode == 1
            if stdout is ended:  # whoever read has enough, as head has
                assert done.stderr == b""
            else:
                assert done.stderr.startswith(b"The result could not be printed")
                assert done.stderr.count(b"\n") == 1
        done = program("--help", database=database, capture_output=False,
                       stdout=full, stderr=subprocess.PIPE)  # fmt: skip
        assert done.returncode == 1
        assert b"Traceback" not in done.stderr
    command = [sys.executable, "-m", "bot", "ask", "--", "wang"]
    closed = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", *command],
        cwd=PROJECT, capture_output=True, check=False,
        env={**os.environ, "DATABASE_URL": f"sqlite:///{database}"},
    )  # fmt: skip
    assert closed.returncode == 1
    assert b"stdout is closed" in closed.stderr


def test_an_empty_path_is_not_this_folder(database):
    done = run("load", "")
    assert done.exit_code == 2
    assert "empty" in done.stderr
    assert not database.exists()
    code, report = run_json("load", "--json", "", str(SEEDS))
    assert (code, report["files"]) == (2, [])


def test_a_load_that_the_database_ends_prints_its_report_all_the_same(database, tmp_path):
    run("load", str(SEEDS))
    paths = three_files(tmp_path)
    fail_at(f"sqlite:///{database}", "Bo b", "database or disk is full")
    code, report = run_json("load", "--json", *map(str, paths))
    assert code == 1
    people = [[person["name"] for person in file["profiles"]] for file in report["files"]]
    assert people == [["Ada a", "Bo a"], ["Ada b"], []]
    assert "make room" in report["files"][1]["reason"]
    assert report["files"][2]["reason"].startswith("Not tried")


def test_questions_do_not_wait_for_servers(database):
    """What only the commands that serve need is not imported by the others."""
    run("load", str(SEEDS))
    unneeded = {
        "uvicorn",
        "starlette",
        "handlers.serve",
        "handlers.setup.doctor",
        "alembic",
        "rich.progress",
    }
    script = f"""
import sys
from bot.__main__ import app
app(["ask", "wang"], standalone_mode=False)
print(sorted({unneeded!r} & set(sys.modules)))
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "DATABASE_URL": f"sqlite:///{database}"},
    )
    assert done.stdout.endswith("\n[]\n"), done.stdout + done.stderr


def test_the_version_is_told(database):
    done = program("--version", database=database)
    assert (done.returncode, done.stdout) == (0, f"candidate-bot {VERSION}\n".encode())


@pytest.mark.parametrize(
    "command", [each.name or each.callback.__name__ for each in app.registered_commands]
)
def test_every_help_page_is_words(database, command):
    """No types of Python, no braces, and nothing cut off in the list of commands."""
    told = run(command, "--help").stdout
    assert told.startswith("Usage: ")
    assert not re.search(r"<[a-z]+|[{}]|x>=|<=x", told), told
    (listed,) = [each for each in run("--help").stdout.splitlines() if f"  {command} " in each]
    assert listed.endswith(".")
    assert "..." not in listed


@pytest.mark.parametrize("port", ["0", "65536"])
def test_a_port_is_a_number_that_a_port_can_have(database, port):
    done = run("sandbox", "--port", port)
    assert done.exit_code == 2
    assert "from 1 to 65535" in done.stderr


def test_every_command_is_in_the_readme():
    readme = (PROJECT / "README.md").read_text(encoding="utf-8")
    for command in app.registered_commands:
        name = command.name or command.callback.__name__
        assert f"bot {name}" in readme or f"make {name}" in readme, name
