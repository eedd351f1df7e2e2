"""The manifest asks for what the handlers use, and for nothing else."""

import ast
import inspect

import pytest
from slack_sdk import WebClient

from bot.settings import PROJECT
from handlers.sandbox.cast import BOT_SCOPES, SHORTCUTS
from handlers.setup.manifest import (
    EVENTS,
    FREE_METHODS,
    SCOPES,
    NoAddress,
    manifest,
    request_url_of,
)
from handlers.views.add_form import ADD

EDGE = [
    path
    for path in (PROJECT / "handlers").rglob("*.py")
    if "sandbox" not in path.relative_to(PROJECT).parts
]
METHODS = {
    name
    for name, _ in inspect.getmembers(WebClient, inspect.isfunction)
    if "_" in name and not name.startswith("_")
}


def called() -> set[str]:
    """Web API methods that the handlers call, such as ``chat.postMessage``."""
    found = set()
    for path in EDGE:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in METHODS - {"api_call"}:
                found.add(node.attr.replace("_", "."))
    return found


def test_every_method_that_is_called_has_its_scope():
    covered = {need for needs in SCOPES.values() for need in needs} | set(FREE_METHODS)
    assert called() <= covered


def test_no_scope_is_asked_for_that_nothing_needs():
    used = called() | {f"event {event}" for event in EVENTS} | {"command /candidate"}
    for scope, needs in SCOPES.items():
        assert used & set(needs), scope
        assert set(needs) <= used, (scope, set(needs) - used)


def test_every_event_that_a_feature_listens_to_is_subscribed_and_no_other():
    listened = set()
    for path in EDGE:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and ast.unparse(node.func) == "edge.event"
            ):
                listened.add(ast.literal_eval(node.args[0]))
    assert {"message.im" if event == "message" else event for event in listened} == set(EVENTS)


def test_the_app_has_a_home_and_takes_direct_messages():
    features = manifest()["features"]
    assert features["app_home"]["home_tab_enabled"]
    assert not features["app_home"]["messages_tab_read_only_enabled"]
    assert manifest()["settings"]["interactivity"]["is_enabled"]


@pytest.mark.parametrize("url", [None, "", "http://bot.example.com", "bot.example.com"])
def test_http_mode_needs_an_address_that_slack_can_reach(url):
    with pytest.raises(NoAddress, match="--url https://"):
        request_url_of(url)


@pytest.mark.parametrize(
    "url",
    [
        "https://bot.example.com",
        "https://bot.example.com/",
        "https://bot.example.com/slack/events",
        "https://bot.example.com/slack/events/",
    ],
)
def test_the_address_is_completed_however_it_is_given(url):
    assert request_url_of(url) == "https://bot.example.com/slack/events"


def test_the_entry_in_a_message_s_menu_is_what_the_bot_listens_to():
    (shortcut,) = manifest()["features"]["shortcuts"]
    assert (shortcut["type"], shortcut["callback_id"]) == ("message", ADD)
    assert len(shortcut["name"]) <= 24
    assert [each["callback_id"] for each in SHORTCUTS] == [ADD]


def test_the_sandbox_grants_what_the_manifest_asks_for():
    assert set(SCOPES) <= BOT_SCOPES
