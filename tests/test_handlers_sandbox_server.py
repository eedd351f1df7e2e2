"""The sandbox as a server: where it listens, by which clock, and what it says when it cannot."""

import socket
import urllib.request
from datetime import UTC, datetime

import pytest

from handlers.sandbox import server
from handlers.sandbox.server import CannotListen, create_sandbox, listen_on, serve_in_thread
from handlers.sandbox.workspace import Workspace
from storage.errors import BotError
from tests.sandbox_fixtures import SlackServer


def test_it_goes_by_the_clock_that_it_is_given():
    then = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
    served = serve_in_thread(create_sandbox(Workspace(), clock=lambda: then))
    try:
        slack = SlackServer(served)
        slack.client().chat_postMessage(channel=slack.hiring, text="hello")
        [message] = slack.messages(slack.hiring)
        assert message.ts.startswith(f"{int(then.timestamp())}.")
    finally:
        served.stop()
    assert not served.alive()


def test_it_says_so_when_its_page_is_not_there(slack: SlackServer, tmp_path, monkeypatch):
    monkeypatch.setattr(server, "PAGE", tmp_path)
    with urllib.request.urlopen(f"{slack.url}/", timeout=5) as answer:
        assert b"page is not here" in answer.read()


def test_a_port_that_is_taken_is_said_with_another():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotListen, match=f"PORT={port + 1}"):
            listen_on("localhost", port)


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "example.com", "::"])
def test_it_never_listens_to_other_machines(host: str):
    with pytest.raises(BotError, match="only listens on this machine"):
        listen_on(host, 0)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_it_is_reached_at_the_address_it_gives(host: str):
    if host == "::1":
        try:
            listen_on(host, 0).close()
        except CannotListen:
            pytest.skip("this machine has no ::1")
    served = serve_in_thread(
        create_sandbox(Workspace(), deliver_to="/slack/events"), host=host, port=0
    )
    try:
        assert served.alive()
        assert served.sandbox.delivery.deliver_to == f"{served.url}/slack/events"
        with urllib.request.urlopen(f"{served.url}/", timeout=5) as answer:
            assert answer.status == 200
    finally:
        served.stop()
