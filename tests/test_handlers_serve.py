"""The program running in each mode, in a process of its own: it answers, drains and ends well."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.settings import Settings
from handlers.app import build_app
from handlers.edge.link import Link
from handlers.serve import (
    CannotListen,
    Life,
    listen_on,
    run,
    serve_http,
    serve_sandbox,
    serve_socket,
    signals,
)
from handlers.slack.verdict import CannotReachSlack
from storage.errors import BotError
from storage.store import Store
from tests.edge_fixtures import Bot, utc_now
from tests.sandbox_fixtures import SlackServer

PROJECT = Path(__file__).parent.parent


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


@contextmanager
def program(**environment: str) -> Iterator[subprocess.Popen[str]]:
    """``python -m bot run`` with these settings and none of the machine's."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in {"PATH", "HOME", "LANG"} or name.startswith("COVERAGE_")
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", "run"],
        cwd=PROJECT,
        env={**kept, **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def stopped(process: subprocess.Popen[str]) -> tuple[int, str]:
    """The exit status after SIGTERM, and what was written to stderr."""
    process.send_signal(signal.SIGTERM)
    _, told = process.communicate(timeout=40)
    return process.returncode, told


def is_ready(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


@pytest.mark.parametrize("mode", ["http", "socket"])
def test_it_answers_a_slack_compatible_server_and_ends_with_0(
    slack: SlackServer, tmp_path: Path, mode: str
):
    port = free_port()
    environment = {
        **slack.environment,
        "BOT_MODE": mode,
        "PORT": str(port),
        "DATABASE_URL": f"sqlite:///{tmp_path / 'c.db'}",
    }
    with program(**environment) as process:
        if mode == "http":
            slack.deliver_to(f"http://127.0.0.1:{port}/slack/events")
            slack.wait_for(lambda: is_ready(port), within=60)
        else:
            slack.wait_for(lambda: slack.delivery.sockets.is_open, within=60)
        slack.say(slack.mira, slack.hiring, "/candidate help")
        answer = slack.wait_for(
            lambda: [each for each in slack.ephemerals(slack.mira) if each.bot_id], within=20
        )[0]
        assert "Nobody is stored yet" in answer.text
        status, told = stopped(process)
    assert status == 0, told
    assert "python -m bot load" in told
    for name in ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "SLACK_SIGNING_SECRET"):
        assert slack.environment[name] not in told


def test_the_sandbox_loads_the_seeds_and_answers_on_one_port(tmp_path: Path):
    port = free_port()
    database = f"sqlite:///{tmp_path / 'c.db'}"
    with program(PORT=str(port), DATABASE_URL=database) as process:
        until = time.monotonic() + 60
        while not is_ready(port):
            assert time.monotonic() < until
            time.sleep(0.1)
        status, told = stopped(process)
    assert status == 0, told
    assert "/candidate chenggang" in told


def test_a_port_that_is_taken_is_said_with_another():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotListen, match=f"PORT={port + 1}"):
            listen_on("127.0.0.1", port)


def settings_for(slack: SlackServer, **changed: Any) -> Settings:
    values = {
        "bot_mode": "socket",
        "slack_bot_token": slack.workspace.bot_token,
        "slack_app_token": slack.workspace.app_token,
        "slack_api_url": slack.api_url,
        **changed,
    }
    return Settings(_env_file=None, **values)


def test_a_wrong_bot_token_is_a_sentence(slack: SlackServer, store: Store):
    with pytest.raises(CannotReachSlack, match="SLACK_BOT_TOKEN"):
        build_app(settings_for(slack, slack_bot_token="xoxb-wrong"), store, utc_now)


def test_no_network_is_a_sentence(slack: SlackServer, store: Store):
    nowhere = f"http://127.0.0.1:{free_port()}/api/"
    with pytest.raises(CannotReachSlack, match="cannot be reached"):
        build_app(settings_for(slack, slack_api_url=nowhere), store, utc_now)


def test_a_wrong_app_token_is_a_sentence(bot: Bot):
    with pytest.raises(CannotReachSlack, match="SLACK_APP_TOKEN"):
        Link(bot.edge, "xapp-wrong").open()


def test_a_silent_socket_is_replaced_and_a_lost_one_ends_the_program(bot: Bot):
    """Time is told to the link, so nothing waits."""
    told = [1000.0]
    link = Link(
        bot.edge,
        bot.slack.workspace.app_token,
        ping=600.0,
        monotonic=lambda: told[0],
    )
    bot.slack.deliver_to(None)
    link.open()
    try:
        bot.slack.wait_for(lambda: bot.slack.delivery.sockets.is_open)
        assert link.alive()
        first = link._handler.client.session_id()
        told[0] += 61
        assert not link.hears()
        assert link.alive()
        told[0] += 61
        assert link.alive()
        bot.slack.wait_for(lambda: link._handler.client.session_id() != first)
        bot.slack.fail("apps.connections.open", error="internal_error", times=100)
        link.stop_hearing()
        told[0] += 400
        assert not link.alive()
    finally:
        link.close()


def test_a_clock_that_is_set_back_does_not_make_a_silent_socket_look_alive(bot: Bot):
    told = [1000.0]
    link = Link(bot.edge, bot.slack.workspace.app_token, ping=600.0, monotonic=lambda: told[0])
    bot.slack.deliver_to(None)
    link.open()
    try:
        session = link._handler.client.current_session
        assert session is not None
        session.last_ping_pong_time = time.time() + 3600
        assert link.hears()
        told[0] += 61
        assert not link.hears()
    finally:
        link.close()


def test_a_start_that_fails_prints_its_sentence_and_no_log(tmp_path: Path):
    settings = {
        "SLACK_BOT_TOKEN": "xoxb-1",
        "SLACK_APP_TOKEN": "xapp-1",
        "SLACK_API_URL": f"http://127.0.0.1:{free_port()}/api/",
        "DATABASE_URL": f"sqlite:///{tmp_path / 'c.db'}",
    }
    with program(**settings) as process:
        _, told = process.communicate(timeout=60)
    assert process.returncode == 2
    assert told.startswith("Slack cannot be reached at ")
    assert told.count("\n") == 1


def test_ctrl_c_needs_no_word(tmp_path: Path):
    port = free_port()
    with program(PORT=str(port), DATABASE_URL=f"sqlite:///{tmp_path / 'c.db'}") as process:
        until = time.monotonic() + 60
        while not is_ready(port):
            assert time.monotonic() < until
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=40)
    assert process.returncode == 0
    assert told.startswith("Open http://localhost:")
    assert told.count("\n") == 1


def test_nobody_is_invited_once_it_is_told_to_stop():
    life, said = Life(), []
    life.stop.set()
    assert life.last(begun=lambda: said.append("Open it")) == 0
    assert said == []


def test_a_dead_part_ends_the_life_with_70():
    class Dead:
        def alive(self) -> bool:
            return False

    assert Life().last(Dead()) == 70


def test_a_signal_ends_the_life_with_0():
    life = Life()
    threading.Timer(0.05, life.stop.set).start()
    assert not life.is_ready()
    assert life.last() == 0


@pytest.mark.parametrize("mode", ["http", "socket", "sandbox"])
def test_each_mode_says_how_to_begin_and_stops_when_told(
    slack: SlackServer, seeded_store: Store, mode: str
):
    life, said = Life(), []
    serve = {"http": serve_http, "socket": serve_socket, "sandbox": serve_sandbox}[mode]
    settings = (
        Settings(_env_file=None, bot_mode="sandbox", port=free_port())
        if mode == "sandbox"
        else settings_for(
            slack, slack_signing_secret=slack.workspace.signing_secret, port=free_port()
        )
    )
    status: list[int] = []
    thread = threading.Thread(
        target=lambda: status.append(
            serve(settings, seeded_store, clock=utc_now, say=said.append, life=life)
        )
    )
    thread.start()
    slack.wait_for(life.is_ready, within=30)
    life.stop.set()
    thread.join(30)
    assert status == [0]
    assert ("chenggang" if mode == "sandbox" else "2 people are stored") in said[0]


def test_the_sandbox_never_listens_to_other_machines(seeded_store: Store):
    settings = Settings(_env_file=None, bot_mode="sandbox", host="0.0.0.0", port=free_port())
    with pytest.raises(BotError, match="only listens on this machine"):
        run(settings, seeded_store, clock=utc_now, say=print)


def test_the_second_signal_ends_the_program_at_once():
    life = Life()
    before = signal.getsignal(signal.SIGTERM)
    with signals(life):
        signal.raise_signal(signal.SIGTERM)
        assert life.stop.is_set()
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    assert signal.getsignal(signal.SIGTERM) is before
