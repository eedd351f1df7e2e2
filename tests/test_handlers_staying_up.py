"""The program through a month's troubles: Slack away, killed, old buttons, readable only here."""

import json
import signal
import socket
import time
import urllib.request
from datetime import UTC, datetime

import pytest

from bot.settings import Settings
from handlers.app import OUTDATED, build_app
from handlers.edge.link import Link
from handlers.sandbox.server import create_sandbox, serve_in_thread
from handlers.sandbox.workspace import Workspace
from handlers.serve import Life
from storage.records import Document, Profile, Skill
from storage.store import Store
from tests.edge_fixtures import utc_now
from tests.sandbox_fixtures import SlackServer
from tests.test_handlers_serve import free_port, is_ready, program, stopped


def wait_for(condition, *, within=30.0):
    until = time.monotonic() + within
    while not (found := condition()):
        assert time.monotonic() < until
        time.sleep(0.05)
    return found


def page(port, path):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
        return answer.read().decode()


def test_slack_going_away_and_coming_back_is_survived(store):
    """The same link, a new server at the same address: it reconnects by itself."""
    workspace = Workspace(clock=utc_now)
    slack = SlackServer(serve_in_thread(create_sandbox(workspace, ack_within=10.0)))
    port = slack.served.port
    settings = Settings(
        _env_file=None,
        bot_mode="socket",
        slack_bot_token=workspace.bot_token,
        slack_app_token=workspace.app_token,
        slack_api_url=slack.api_url,
    )
    edge = build_app(settings, store, utc_now)
    link = Link(edge, workspace.app_token, silent=2.0, lost=60.0, ping=0.3)
    try:
        link.open()
        wait_for(lambda: slack.delivery.sockets.is_open)
        slack.served.stop()
        wait_for(lambda: not link.hears())
        assert link.alive(), "not given up yet"
        back = serve_in_thread(create_sandbox(workspace, ack_within=10.0), port=port)
        slack = SlackServer(back)
        wait_for(lambda: link.alive() and link.hears() and slack.delivery.sockets.is_open)
        slack.say(slack.mira, slack.hiring, "/candidate help")
        wait_for(lambda: [each for each in slack.ephemerals(slack.mira) if each.bot_id])
    finally:
        link.close()
        edge.pool.drain(5)
        edge.telling.drain(5)
        slack.served.stop()


def test_slack_away_for_good_ends_the_life_with_70(store):
    """What a supervisor then starts anew."""
    slack = SlackServer(serve_in_thread(create_sandbox(Workspace(clock=utc_now))))
    settings = Settings(
        _env_file=None,
        bot_mode="socket",
        slack_bot_token=slack.workspace.bot_token,
        slack_app_token=slack.workspace.app_token,
        slack_api_url=slack.api_url,
    )
    edge = build_app(settings, store, utc_now)
    link = Link(edge, slack.workspace.app_token, silent=0.5, lost=2.0, ping=0.2)
    try:
        link.open()
        wait_for(lambda: slack.delivery.sockets.is_open)
        slack.served.stop()
        assert Life().last(link) == 70
    finally:
        link.close()
        edge.pool.drain(5)
        edge.telling.drain(5)


@pytest.mark.parametrize("mode", ["socket", "http"])
def test_the_first_click_after_a_kill_works(slack, seeded_store, store_url, mode):
    """kill -9, start again, press what was there before: Open, More, Share, Next, Withdraw."""
    for number in range(12):
        _add(seeded_store, number)
    seeded_store.close()
    port = free_port()
    environment = {
        **slack.environment, "BOT_MODE": mode, "PORT": str(port), "DATABASE_URL": store_url,
    }  # fmt: skip

    def begin():
        if mode == "http":
            slack.deliver_to(f"http://127.0.0.1:{port}/slack/events")
        wait_for(lambda: is_ready(port), within=60)

    def said(count):
        shown = [each for each in slack.ephemerals(slack.mira) if each.bot_id]
        return shown if len(shown) >= count else None

    with program(**environment) as process:
        begin()
        slack.say(slack.mira, slack.hiring, "/candidate skill:python")
        results = slack.wait_for(lambda: said(1), within=20)[0]
        slack.say(slack.mira, slack.hiring, "/candidate chenggang")
        card = slack.wait_for(lambda: said(2), within=20)[1]
        process.send_signal(signal.SIGKILL)
        process.wait()
    with program(**environment) as process:
        begin()
        slack.click(slack.mira, results, "candidate.open")
        slack.wait_for(lambda: said(3), within=20)
        before = results.text
        slack.click(slack.mira, results, "candidate.page")
        slack.wait_for(lambda: results.text != before, within=20)
        slack.click(slack.mira, card, "candidate.share")
        asked = slack.wait_for(lambda: said(4), within=20)[3]
        slack.click(slack.mira, asked, "candidate.confirm")
        shared = slack.wait_for(
            lambda: [each for each in slack.messages(slack.hiring) if each.bot_id], within=20
        )[0]
        assert "Chenggang" in json.dumps(shared.blocks)
        slack.click(slack.mira, card, "candidate.more")
        slack.wait_for(lambda: slack.modal(slack.mira), within=20)
        status, told = stopped(process)
    assert status == 0, told


def _add(store, number):
    store.add(
        Profile(name=f"Nadja Lindqvist{number}", skills=(Skill(name="Python", score=5),)),
        Document(
            name=f"n{number}.txt", text=f"text {number}", added_by="U1", added_via="load",
            parser="p/1",
        ),
        now=datetime.now(UTC),
    )  # fmt: skip


OLD = {
    "an action nobody knows": ("candidate.v0.open", "x", OUTDATED),
    "a person of another form": ("candidate.open", "profile:17", "no longer stored"),
    "more of nobody": ("candidate.more", "", "no longer stored"),
}


@pytest.mark.parametrize(("action", "value", "expected"), OLD.values(), ids=OLD.keys())
def test_a_button_of_last_year_says_what_to_do(bot, action, value, expected):
    told = press(bot, action, value)
    assert expected in told.text
    assert "Ask again" in told.text


@pytest.mark.parametrize("value", ["", "page=2", "-5 skill:cuda", "99999999999 skill:cuda"])
def test_a_page_button_of_another_form_never_fails(bot, value):
    card = bot.ask("chenggang")
    before = card.text
    _put_button(card, "candidate.page", value)
    bot.press(card, "candidate.page")
    bot.slack.wait_for(lambda: card.text != before or len(bot.slack.ephemerals(card.user)) > 1)
    bot.settle()
    shown = [each.text for each in bot.slack.ephemerals(bot.slack.mira)]
    assert not [text for text in shown if "went wrong" in text]


def press(bot, action, value):
    """Press a button that an earlier version of the bot had made; what is told then."""
    card = bot.ask("chenggang")
    _put_button(card, action, value)
    before = len(bot.slack.ephemerals(bot.slack.mira))
    bot.press(card, action)
    return bot.next_ephemeral(bot.slack.mira, before)


def _put_button(message, action, value):
    text = {"type": "plain_text", "text": "Old"}
    message.blocks = [
        {
            "type": "actions",
            "block_id": "old",
            "elements": [
                {"type": "button", "action_id": action, "text": text, "value": value or "-"}
            ],
        }
    ]


def test_socket_mode_shows_supervisors_how_it_fares(slack, store_url):
    """On PORT of this machine, without a token; and a taken port is a sentence."""
    Store.open(store_url).close()
    port = free_port()
    environment = {
        **slack.environment, "BOT_MODE": "socket", "PORT": str(port), "DATABASE_URL": store_url,
    }  # fmt: skip
    with program(**environment) as process:
        wait_for(lambda: is_ready(port), within=60)
        assert json.loads(page(port, "/healthz")) == {"ok": True}
        assert "candidate_socket_connected 1.0" in page(port, "/metrics")
        status, _ = stopped(process)
    assert status == 0
    with socket.create_server(("127.0.0.1", port)), program(**environment) as process:
        _, told = process.communicate(timeout=60)
        assert process.returncode == 2
        assert f"PORT={port + 1}" in told
