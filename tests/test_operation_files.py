"""Dockerfile, compose.yaml and the systemd unit, as far as a machine without them can tell."""

import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import yaml

from bot.settings import PROJECT, Settings
from tests.sandbox_fixtures import SlackServer
from tests.test_handlers_serve import free_port, is_ready, program, stopped

NOBODY = 65534
SETTINGS = {name.upper() for name in Settings.model_fields}


def instructions():
    """(instruction, its text) of the Dockerfile, continued lines joined."""
    lines = (PROJECT / "Dockerfile").read_text().splitlines()
    text = "\n".join(line for line in lines if not line.startswith("#")).replace("\\\n", " ")
    return [tuple(line.split(" ", 1)) for line in text.splitlines() if line.strip()]


def last_stage():
    found = instructions()
    begin = max(number for number, (name, _) in enumerate(found) if name == "FROM")
    return dict(found[begin:]), found[begin:]


def test_every_base_image_has_a_version():
    bases = [text for name, text in instructions() if name == "FROM"]
    assert len(bases) == 3
    for base in bases:
        assert re.fullmatch(r"[a-z]+:[a-z0-9.-]+( AS [a-z]+)?", base), base
        assert "latest" not in base


def test_the_image_runs_without_root_and_ends_on_sigterm():
    stage, all_ = last_stage()
    assert stage["USER"] == "10001:10001"
    names = [name for name, _ in all_]
    assert "RUN" not in names[names.index("USER") :]
    assert stage["STOPSIGNAL"] == "SIGTERM"
    assert stage["VOLUME"] == "/app/data"
    assert "chmod 777" not in str(all_)


def test_the_image_starts_what_make_run_starts():
    stage, _ = last_stage()
    command = json.loads(stage["ENTRYPOINT"]) + json.loads(stage["CMD"])
    assert command[1:] == ["-m", "bot", "run"]
    makefile = (PROJECT / "Makefile").read_text()
    assert "$(PYTHON) -m bot run" in makefile
    unit = (PROJECT / "candidate-bot.service").read_text()
    assert re.search(r"^ExecStart=\S+/python -m bot run$", unit, re.MULTILINE)


def test_the_image_holds_what_the_program_needs_and_no_secret():
    rules = (PROJECT / ".dockerignore").read_text().splitlines()
    kept = {rule[1:] for rule in rules if rule.startswith("!")}
    assert rules[1] == "*"
    assert {"bot", "handlers", "storage", "requirements.txt"} <= kept
    assert not {".env", "data", "tests", ".git"} & kept
    assert all((PROJECT / each).exists() for each in kept)


def test_shell_lines_stop_at_the_first_failure_and_leave_no_lists():
    for name, text in instructions():
        if name == "RUN" and "apt-get update" in text:
            assert "rm -rf /var/lib/apt/lists" in text
        if name == "RUN" and "apt-get install" in text:
            assert "--no-install-recommends" in text
        if name == "RUN" and ";" in re.sub(r"'[^']*'|\"[^\"]*\"", "", text):
            assert ["/bin/sh", "-euc"] in [json.loads(t) for n, t in instructions() if n == "SHELL"]
        assert name != "ADD"


def test_packages_are_installed_by_their_hashes():
    (line,) = [text for name, text in instructions() if "pip install" in text]
    assert "--require-hashes" in line


def test_the_image_with_an_affected_sqlite_is_not_built():
    _, all_ = last_stage()
    assert any("sqlite_version_info >= (3, 51, 3)" in text for _, text in all_)


def test_the_health_check_knows_a_bot_that_runs(slack: SlackServer, tmp_path):
    stage, _ = last_stage()
    command = json.loads(stage["HEALTHCHECK"].split(" CMD ")[1])
    port = free_port()

    def status():
        command_here = [sys.executable, *command[1:]]
        return subprocess.run(
            command_here, env={"PORT": str(port)}, capture_output=True, check=False
        ).returncode

    assert status() != 0
    environment = {
        **slack.environment, "BOT_MODE": "http", "PORT": str(port),
        "DATABASE_URL": f"sqlite:///{tmp_path / 'c.db'}",
    }  # fmt: skip
    with program(**environment) as process:
        slack.wait_for(lambda: is_ready(port), within=60)
        assert status() == 0
        assert stopped(process)[0] == 0


def test_compose_gives_one_volume_and_nothing_else_to_write():
    compose = yaml.safe_load((PROJECT / "compose.yaml").read_text())
    (bot,) = compose["services"].values()
    assert compose["volumes"] == {"data": None}
    assert bot["volumes"] == ["data:/app/data"]
    assert bot["read_only"] is True
    assert bot["cap_drop"] == ["ALL"]
    assert bot["security_opt"] == ["no-new-privileges:true"]
    assert bot["restart"] == "unless-stopped"
    assert "ports" not in bot, "in Socket Mode nothing listens outside"
    assert "privileged" not in bot
    assert set(bot["environment"]) <= SETTINGS


def unit():
    text = (PROJECT / "candidate-bot.service").read_text()
    return [tuple(line.split("=", 1)) for line in text.splitlines() if re.match("[A-Z]", line)]


def test_the_unit_sets_only_what_the_program_reads():
    for name, value in unit():
        if name == "Environment":
            assert value.split("=")[0] in SETTINGS | {"PYTHONDONTWRITEBYTECODE"}


def test_the_unit_restarts_watches_and_shuts_in():
    said = dict(unit())
    assert (said["Type"], said["Restart"]) == ("notify", "on-failure")
    assert int(said["WatchdogSec"]) > 2 * 15, "twice the clock's period at least"
    assert int(said["TimeoutStopSec"]) > 20, "work that was taken is finished"
    assert said["ProtectSystem"] == "strict"
    assert said["StateDirectory"] == "candidate-bot"
    assert said["NoNewPrivileges"] == "yes"
    assert said["CapabilityBoundingSet"] == ""
    assert "/var/lib/candidate-bot/" in (PROJECT / "candidate-bot.service").read_text()


OPERATION = (PROJECT / "docs" / "operation.md").read_text(encoding="utf-8")


def shell_blocks(heading):
    """The shell lines below a heading of operation.md, up to the next of its rank or above."""
    rank = heading.split(" ")[0]
    part = OPERATION.split(f"\n{heading}\n")[1]
    part = re.split(rf"^#{{2,{len(rank)}}} ", part, maxsplit=1, flags=re.MULTILINE)[0]
    return re.findall(r"^```sh\n(.*?)^```", part, re.DOTALL | re.MULTILINE)


def test_the_wrapper_runs_a_command_as_the_unit_does_and_leaves_its_words_alone(tmp_path):
    (wrapper,) = [each for each in shell_blocks("### systemd") if each.startswith("#!/bin/sh")]
    (tmp_path / "candidate-bot").write_text(wrapper)
    (tmp_path / "systemd-run").write_text("#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
    for each in tmp_path.iterdir():
        each.chmod(0o755)
    typed = ["forget", "lei  wang", "--reason", "it's $HOME"]
    done = subprocess.run(
        [str(tmp_path / "candidate-bot"), *typed],
        cwd="/", env={"PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    given = done.stdout.splitlines()
    assert given[-len(typed) :] == typed
    assert given[-len(typed) - 3 : -len(typed)] == [
        "/opt/candidate-bot/.venv/bin/python",
        "-m",
        "bot",
    ]
    said = unit()
    assert ("ExecStart", f"{given[-len(typed) - 3]} -m bot run") in said
    passed = {given[number + 1] for number, each in enumerate(given) if each == "-E"}
    assert passed == {value for name, value in said if name == "Environment"}
    properties = {given[number + 1] for number, each in enumerate(given) if each == "-p"}
    assert properties == {
        f"{name}={dict(said)[name]}"
        for name in ("User", "Group", "UMask", "WorkingDirectory", "EnvironmentFile")
    }


@pytest.mark.parametrize("heading", ["## Backup", "## Restore", "## Upgrade", "## Going back"])
def test_commands_of_a_running_bot_name_its_database(heading):
    for block in shell_blocks(heading):
        assert ".venv/bin/python" not in block
        subprocess.run(["sh", "-n"], input=block, text=True, check=True)


def test_going_back_moves_all_of_the_newer_database_away_and_nothing_without_a_copy(tmp_path):
    (block,) = shell_blocks("## Going back")
    script = (
        block.split("sh -ec '")[1].split("'\n")[0].replace("/var/lib/candidate-bot", str(tmp_path))
    )
    for name in ("candidates.db", "candidates.db-wal", "candidates.db.tombstones"):
        (tmp_path / name).write_text("newer")
    assert subprocess.run(["sh", "-ec", script], check=False).returncode != 0
    assert (tmp_path / "candidates.db").read_text() == "newer"
    (tmp_path / "candidates.db.before-0001").write_text("older")
    for status in (0, 1):  # typed again, it stops before it touches anything
        done = subprocess.run(["sh", "-ec", script], capture_output=True, check=False)
        assert done.returncode == status
    assert (tmp_path / "candidates.db").read_text() == "older"
    assert (tmp_path / "candidates.db.tombstones").exists()
    assert sorted(each.name for each in (tmp_path / "newer").iterdir()) == [
        "candidates.db", "candidates.db-wal",
    ]  # fmt: skip
    assert (tmp_path / "newer" / "candidates.db").read_text() == "newer"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_systemd_takes_the_unit_and_finds_it_shut_in(tmp_path):
    text = (PROJECT / "candidate-bot.service").read_text()
    path = tmp_path / "candidate-bot.service"
    path.write_text(re.sub("ExecStart=[^ ]+", f"ExecStart={sys.executable}", text))
    done = subprocess.run(
        ["systemd-analyze", "verify", str(path)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=20", str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-500:]


SHUT_IN = """
mount --make-rprivate /
mount --bind {data} {data}
mount -o remount,bind,ro /
exec setpriv --reuid={uid} --regid={uid} --clear-groups --no-new-privs \
  --bounding-set=-all --inh-caps=-all {command}
"""


def heard(systemd):
    """All that the bot has told systemd since it was last asked."""
    systemd.setblocking(False)
    said = []
    with suppress(BlockingIOError):
        while True:
            said.append(systemd.recv(100))
    return said


def shut_in(data, *arguments):
    """A command that may write to ``data`` and to no other file, as nobody."""
    command = shlex.join([sys.executable, *arguments])
    script = SHUT_IN.format(data=shlex.quote(str(data)), uid=NOBODY, command=command)
    return ["unshare", "--mount", "sh", "-ec", script]


@contextmanager
def folder_of_nobody():
    folder = Path(tempfile.mkdtemp(prefix="candidate-"))
    os.chown(folder, NOBODY, NOBODY)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def can_be_shut_in():
    if os.geteuid() != 0 or not (shutil.which("unshare") and shutil.which("setpriv")):
        return False
    with folder_of_nobody() as data:
        probe = "import os, sys; assert os.getuid() and not os.access(sys.argv[1], os.W_OK)"
        command = shut_in(data, "-c", probe, str(PROJECT))
        return subprocess.run(command, capture_output=True, check=False).returncode == 0


def test_it_lives_with_one_folder_to_write_and_talks_to_systemd(slack: SlackServer):
    """Read-only root, no rights, a user without a name: start, answer, back up, stop."""
    if not can_be_shut_in():
        pytest.skip("no namespaces may be made here")
    with folder_of_nobody() as data, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(data / "notify"))
        os.chown(data / "notify", NOBODY, NOBODY)
        systemd.settimeout(60)
        port = free_port()
        environment = {
            **slack.environment,
            "PATH": os.environ["PATH"],
            "BOT_MODE": "socket",
            "PORT": str(port),
            "DATABASE_URL": f"sqlite:///{data / 'candidates.db'}",
            "BACKUP_FOLDER": str(data / "backups"),
            "NOTIFY_SOCKET": str(data / "notify"),
            "WATCHDOG_USEC": "3000000",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        process = subprocess.Popen(
            shut_in(data, "-m", "bot", "run"),
            cwd=PROJECT, env=environment, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        try:
            assert systemd.recv(100) == b"READY=1"
            assert systemd.recv(100) == b"WATCHDOG=1"
            assert is_ready(port)
            slack.say(slack.mira, slack.hiring, "/candidate help")
            slack.wait_for(
                lambda: [each for each in slack.ephemerals(slack.mira) if each.bot_id], within=20
            )
            made = slack.wait_for(lambda: list((data / "backups").glob("*.db")), within=20)
            assert len(made) == 1, "the backup of this day"
            del environment["NOTIFY_SOCKET"]
            time.sleep(1.1)
            done = subprocess.run(
                shut_in(data, "-m", "bot", "backup", "--keep", "1"),
                cwd=PROJECT, env=environment, capture_output=True, text=True, check=False,
            )  # fmt: skip
            assert done.returncode == 0, done.stderr
            refused = subprocess.run(
                shut_in(data, "-m", "bot", "restore", "--yes", done.stdout.splitlines()[0]),
                cwd=PROJECT, env=environment, capture_output=True, text=True, check=False,
            )  # fmt: skip
            assert refused.returncode == 2
            assert "Stop the bot" in refused.stderr
            heard(systemd)  # ten messages that nobody has read are as many as the kernel keeps
            status, told = stopped(process)
        finally:
            process.kill()
            process.communicate()
        assert status == 0, told
        assert b"STOPPING=1" in heard(systemd)
        owners = {path.stat().st_uid for path in data.rglob("*")}
        assert owners == {NOBODY}
