"""What the running program is made of: how it begins, lives, drains and says what is wrong."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.settings import PROJECT, Settings
from handlers import serve
from handlers.edge.door import create_door
from handlers.edge.pool import Pool
from handlers.sandbox.workspace import Workspace
from handlers.serve import (
    CannotBegin,
    CannotListen,
    Later,
    Life,
    WebServer,
    drain,
    how_to_begin,
    listen_on,
    run,
    sandboxed,
)
from storage.store import Store
from tests.edge_fixtures import Bot, running_bot, utc_now
from tests.sandbox_fixtures import SlackServer


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def settings_for(slack: SlackServer, mode: str, **changed: Any) -> Settings:
    values = {
        "bot_mode": mode,
        "slack_bot_token": slack.workspace.bot_token,
        "slack_app_token": slack.workspace.app_token,
        "slack_signing_secret": slack.workspace.signing_secret,
        "slack_api_url": slack.api_url,
        "port": free_port(),
    }
    return Settings(_env_file=None, **(values | changed))


def status_of(url: str) -> int:
    """The status of a GET; 0 when nobody listens."""
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code
    except OSError:
        return 0


@contextmanager
def web_server(app: Any) -> Iterator[tuple[WebServer, str]]:
    with socket.create_server(("127.0.0.1", 0)) as bound:
        server = WebServer(app, bound)
        try:
            yield server, f"http://127.0.0.1:{bound.getsockname()[1]}"
        finally:
            server.stop()


class Counted:
    """A part that dies after so many looks at it."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    def alive(self) -> bool:
        self.looks -= 1
        return self.looks >= 0


def test_a_life_goes_on_while_its_parts_live_and_names_the_one_that_died():
    life, part = Life(), Counted(1)
    with capture_logs() as logs:
        assert life.last(part) == 70
    assert part.looks == -1
    assert [each["parts"] for each in logs] == [["Counted"]]
    assert life.is_ready()


@pytest.mark.parametrize("mode", ["http", "socket", "sandbox"])
def test_a_program_that_runs_the_bot_in_a_thread_is_answered_until_its_end(
    slack: SlackServer, store: Store, mode: str, monkeypatch: pytest.MonkeyPatch
):
    """`run` itself, in each mode; what stands in for a signal is the end of its life."""
    life, said, status = Life(), [], []
    monkeypatch.setattr(serve, "Life", lambda: life)
    settings = (
        Settings(_env_file=None, bot_mode="sandbox", port=free_port())
        if mode == "sandbox"
        else settings_for(slack, mode)
    )
    before = signal.getsignal(signal.SIGTERM)
    thread = threading.Thread(
        target=lambda: status.append(run(settings, store, clock=utc_now, say=said.append))
    )
    thread.start()
    slack.wait_for(life.is_ready, within=30)
    assert signal.getsignal(signal.SIGTERM) is before
    url = f"http://127.0.0.1:{settings.port}/readyz"
    assert status_of(url) == 200
    assert slack.delivery.sockets.is_open is (mode == "socket")
    life.stop.set()
    thread.join(30)
    assert status == [0]
    assert status_of(url) == 0
    slack.wait_for(lambda: not slack.delivery.sockets.is_open)
    assert ("help" if mode == "sandbox" else "Nobody is stored yet") in said[0]


def test_the_sandbox_tells_its_admin_of_alarms_where_the_settings_name_nobody():
    workspace = Workspace(clock=utc_now)
    bare = Settings(_env_file=None, bot_mode="sandbox")
    assert sandboxed(bare, workspace, "http://x").admin_users == ("U0MIRALINDG",)
    for named in ({"admin_users": ("U0JONASOKOY",)}, {"viewer_groups": ("@readers",)}):
        settings = Settings(_env_file=None, bot_mode="sandbox", **named)
        assert sandboxed(settings, workspace, "http://x").admin_users == settings.admin_users


@pytest.mark.parametrize("mode", ["http", "socket"])
def test_a_schedule_that_is_none_ends_the_start_with_a_sentence(
    slack: SlackServer, store: Store, mode: str
):
    settings = settings_for(slack, mode, digest_channel="#hiring", digest_schedule="blursday")
    with pytest.raises(CannotBegin, match="DIGEST_SCHEDULE"):
        run(settings, store, clock=utc_now, say=print)
    assert status_of(f"http://127.0.0.1:{settings.port}/readyz") == 0
    assert not slack.delivery.sockets.is_open


@pytest.mark.parametrize("people", [1, 2])
def test_the_start_says_how_many_people_there_are(seeded_store: Store, people: int):
    if people == 1:
        [person] = [hit.candidate for hit in seeded_store.named("chenggang").hits]
        seeded_store.remove(person.id, now=utc_now())
    assert ("1 person is" if people == 1 else "2 people are") in how_to_begin(seeded_store)


def test_work_that_does_not_finish_in_time_is_written_down(
    seeded_store: Store, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(serve, "DRAIN", 0.1)
    free = threading.Event()

    def wait() -> None:
        free.wait(30)

    with running_bot(seeded_store, clock=utc_now, pool=Pool(workers=1)) as bot:
        assert bot.edge.pool.take(wait)
        with capture_logs() as logs:
            drain(bot.edge)
        assert [each["work"] for each in logs if each["event"] == "serve.unfinished"] == [1]
        assert not bot.edge.pool.take(wait)
        free.set()


def test_work_that_finishes_is_not_complained_about(bot: Bot):
    with capture_logs() as logs:
        bot.edge.pool.take(lambda: time.sleep(0.1))
        drain(bot.edge)
    assert bot.edge.pool.unfinished == 0
    assert logs == []


def test_while_the_bot_is_being_made_its_place_answers_come_again(bot: Bot):
    place = Later()
    with web_server(place) as (server, url):
        assert status_of(f"{url}/readyz") == 503
        place.app = create_door(bot.edge)
        assert status_of(f"{url}/readyz") == 200
        assert server.alive()
    assert not server.alive()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_web_server_that_does_not_start_is_a_sentence():
    bound = socket.create_server(("127.0.0.1", 0))
    bound.close()
    with pytest.raises(CannotListen, match="did not start"):
        WebServer(Later(), bound)


def test_an_address_that_is_not_ours_is_said():
    with pytest.raises(CannotListen, match="HOST"):
        listen_on("203.0.113.7", free_port())


def test_it_listens_to_the_sixth_version_too():
    try:
        bound = listen_on("::1", 0)
    except CannotListen:
        pytest.skip("this machine has no ::1")
    with bound, socket.create_connection(("::1", bound.getsockname()[1]), timeout=5):
        assert bound.family is socket.AF_INET6


def test_a_port_that_is_roots_is_said_with_those_that_are_free():
    """Root may use every port: then the test asks as nobody."""
    lowest = Path("/proc/sys/net/ipv4/ip_unprivileged_port_start")
    if lowest.exists() and int(lowest.read_text()) <= 7:
        pytest.skip("every port is free to everybody here")
    us = os.geteuid()
    if us == 0:
        os.seteuid(65534)
    try:
        with pytest.raises(CannotListen, match="1024"):
            listen_on("127.0.0.1", 7)
    finally:
        os.seteuid(us)


@contextmanager
def sandbox_alone(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """``python -m bot sandbox`` in a process of its own, and the workspace's address."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", "sandbox", "--port", str(port), *arguments],
        cwd=PROJECT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        until = time.monotonic() + 60
        while status_of(f"{url}/") != 200:
            assert time.monotonic() < until
            assert process.poll() is None
            time.sleep(0.1)
        yield process, url
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("told_by", [signal.SIGTERM, signal.SIGINT])
def test_the_sandbox_alone_says_what_a_bot_must_set_and_ends_with_0(told_by: signal.Signals):
    with sandbox_alone() as (process, url):
        # beside no bot, what would go to it is answered by nobody
        assert status_of(f"{url}/readyz") == 503
        process.send_signal(told_by)
        _, said = process.communicate(timeout=20)
    assert process.returncode == 0, said
    for line in (
        f"SLACK_API_URL={url}/api/",
        "SLACK_BOT_TOKEN=xoxb-",
        "SLACK_APP_TOKEN=xapp-",
        "SLACK_SIGNING_SECRET=",
        "--deliver-to",
    ):
        assert line in said
    assert "Traceback" not in said


def test_the_sandbox_alone_delivers_where_it_is_told():
    delivered: list[bytes] = []

    class Listening(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            delivered.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Listening) as listening:
        thread = threading.Thread(target=listening.serve_forever, daemon=True)
        thread.start()
        address = f"http://127.0.0.1:{listening.server_port}/slack/events"
        with sandbox_alone("--deliver-to", address) as (_, url):
            wish = {
                "user": SlackServer.mira,
                "channel": SlackServer.hiring,
                "text": "/candidate wang",
            }
            request = urllib.request.Request(
                f"{url}/sandbox/say",
                data=json.dumps(wish).encode(),
                headers={"Content-Type": "application/json"},
            )
            with urllib.request.urlopen(request, timeout=20) as answer:
                assert answer.status == 200
        listening.shutdown()
        thread.join()
    assert [b"command=%2Fcandidate" in each and b"text=wang" in each for each in delivered] == [
        True
    ]
