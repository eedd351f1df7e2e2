"""Socket Mode's connection: why it does not open, and what becomes of one that falls silent."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from slack_sdk.socket_mode.builtin.connection import ConnectionState
from structlog.testing import capture_logs

from handlers.app import build_app
from handlers.edge.link import LOST, SILENT, Link
from handlers.slack.verdict import CannotReachSlack
from tests.edge_fixtures import Bot, utc_now

A_LOOK = SILENT / 4 + 0.1
"""Seconds after which a silent connection is tried anew."""
NEVER = 3600.0
"""Seconds between pings: none is sent after the first two while a test runs."""


class Told:
    """A link whose time is told to it, so that nothing waits.

    Once its first two pings are answered it is truly silent: no answer comes that
    would make a told silence untrue, and the library sees no reason to reconnect.
    """

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.passed = 0.0
        self.link = Link(
            bot.edge,
            bot.slack.workspace.app_token,
            ping=NEVER,
            monotonic=lambda: 1000.0 + self.passed,
        )

    def after(self, seconds: float) -> bool:
        """Whether the link calls itself alive when so much more time has passed."""
        self.passed += seconds
        return self.link.alive()

    def is_silent(self) -> bool:
        """Whether the library has sent its second ping, and that was answered: the last one."""
        session = self.link._handler.client.current_session
        second = session._first_ping_time if session else None  # it does not count the one before
        return second is not None and session.last_ping_pong_time == second

    def opened(self) -> int:
        """How often Slack was asked for a connection."""
        return len(self.bot.slack.calls("apps.connections.open"))


@contextmanager
def open_link(bot: Bot) -> Iterator[Told]:
    bot.slack.deliver_to(None)
    told = Told(bot)
    told.link.open()
    try:
        bot.slack.wait_for(lambda: bot.slack.delivery.sockets.is_open)
        bot.slack.wait_for(told.is_silent)
        assert told.link.alive()
        yield told
    finally:
        told.link.stop_hearing()
        told.link.close()


def events(logs: Any, name: str) -> list[Any]:
    return [each for each in logs if each["event"] == name]


@pytest.mark.parametrize("code", ["invalid_auth", "not_allowed_token_type", "missing_scope"])
def test_a_refused_token_is_a_sentence_with_the_reason(bot: Bot, code: str):
    bot.slack.fail("apps.connections.open", error=code)
    with pytest.raises(CannotReachSlack, match=f"SLACK_APP_TOKEN.*{code}"):
        Told(bot).link.open()


@pytest.mark.parametrize(
    "fault", [{"mode": "drop"}, {"status": 503}, {"error": "internal_error"}], ids=str
)
def test_trouble_on_the_way_is_not_blamed_on_the_app_token(bot: Bot, fault: dict[str, Any]):
    bot.slack.fail("apps.connections.open", times=9, **fault)
    with pytest.raises(CannotReachSlack, match="cannot be opened") as refused:
        Told(bot).link.open()
    assert "SLACK_APP_TOKEN" not in str(refused.value)


@pytest.mark.parametrize(
    "fault", [{"mode": "drop"}, {"status": 503}, {"error": "internal_error"}], ids=str
)
def test_trouble_on_the_way_is_not_blamed_on_the_bot_token(bot: Bot, fault: dict[str, Any]):
    bot.slack.fail("auth.test", **fault)
    with pytest.raises(CannotReachSlack, match="cannot be reached") as refused:
        build_app(bot.edge.settings, bot.store, utc_now)
    assert "SLACK_BOT_TOKEN" not in str(refused.value)


def test_a_command_comes_by_the_socket(bot: Bot):
    with open_link(bot):
        assert "Chenggang" in bot.ask("chenggang").text
    assert [each.via for each in bot.slack.workspace.deliveries] == ["socket"]


def test_a_socket_that_is_heard_is_left_alone(bot: Bot):
    with open_link(bot) as told:
        assert told.link.hears()
        assert told.after(SILENT - 5)
        assert told.opened() == 1


def test_a_silent_socket_is_replaced_by_one_that_is_heard(bot: Bot):
    with open_link(bot) as told:
        assert told.after(SILENT + 1)
        bot.slack.wait_for(told.link.hears)
        assert told.opened() == 2
        assert told.after(0)
        assert "Chenggang" in bot.ask("chenggang").text


def test_when_no_new_socket_can_be_made_it_is_tried_again_but_not_at_every_look(bot: Bot):
    with capture_logs() as logs, open_link(bot) as told:
        bot.slack.fail("apps.connections.open", error="internal_error", times=2)
        assert told.after(SILENT + 1)
        bot.slack.wait_for(lambda: len(events(logs, "socket.not_reopened")) == 1)
        assert told.after(1)
        assert told.after(1)
        assert len(events(logs, "socket.silent")) == 1
        assert told.after(A_LOOK)
        bot.slack.wait_for(lambda: len(events(logs, "socket.not_reopened")) == 2)
        assert told.after(A_LOOK)
        bot.slack.wait_for(told.link.hears)
        assert len(events(logs, "socket.silent")) == 3


def test_a_link_that_stays_silent_is_lost(bot: Bot):
    with open_link(bot) as told:
        bot.slack.fail("apps.connections.open", error="internal_error", times=99)
        told.after(SILENT + 1)
        assert told.after(LOST - SILENT - 2)
        assert not told.after(2)


def test_a_link_that_was_told_to_stop_makes_no_new_connection(bot: Bot):
    with open_link(bot) as told, capture_logs() as logs:
        told.link.stop_hearing()
        assert not told.link.hears()
        assert told.after(SILENT + 1)
        assert told.after(A_LOOK)
        time.sleep(0.2)
        assert events(logs, "socket.silent") == []
        assert told.opened() == 1


def test_a_connection_that_is_being_made_while_the_link_stops_does_not_stay_open(bot: Bot):
    with open_link(bot) as told:
        bot.slack.fail("apps.connections.open", mode="slow", seconds=0.5)
        assert told.after(SILENT + 1)
        bot.slack.wait_for(lambda: told.opened() == 2)
        told.link.stop_hearing()
        told.link.close()
        assert not told.link.hears()
        bot.slack.wait_for(lambda: not bot.slack.delivery.sockets.is_open)
        time.sleep(0.2)
        assert not bot.slack.delivery.sockets.is_open


def test_a_connection_made_after_the_link_was_stopped_is_closed_at_once(bot: Bot):
    with open_link(bot) as told:
        told.link._connects = late(told.link, told.link._connects)
        told.link._handler.client.connect_to_new_endpoint(force=True)
        assert told.opened() == 2
        assert not told.link.hears()
        bot.slack.wait_for(lambda: not bot.slack.delivery.sockets.is_open)


def late(link: Link, connects: Callable[[], None]) -> Callable[[], None]:
    """A connection that is made when the link was just told to stop."""

    def connect() -> None:
        link.stop_hearing()
        connects()

    return connect


class Slow(ConnectionState):
    """Made so late that the library's reader begins the new socket with the old one's state."""

    def __init__(self) -> None:
        time.sleep(0.5)
        super().__init__()


def test_a_reader_that_was_quicker_than_the_new_connection_does_not_go_deaf(
    bot: Bot, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("slack_sdk.socket_mode.builtin.client.ConnectionState", Slow)
    with open_link(bot) as told:
        for _ in range(2):
            told.link._handler.client.connect_to_new_endpoint(force=True)
        assert "Chenggang" in bot.ask("chenggang").text
        closing = threading.Thread(target=told.link.close, daemon=True)
        closing.start()
        closing.join(10)
        assert not closing.is_alive()


def test_a_link_that_was_never_opened_hears_nothing(bot: Bot):
    link = Told(bot).link
    assert not link.hears()
    link.close()
