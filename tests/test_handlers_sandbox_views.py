"""Triggers, modals, forms, App Home and response URLs, with the limits Slack puts on them."""

import json
import urllib.error
import urllib.request
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from slack_sdk.errors import SlackApiError

from handlers.sandbox import cast
from handlers.sandbox.forms import complete, missing

Json = dict[str, Any]


def plain(text: str) -> Json:
    return {"type": "plain_text", "text": text}


def modal(title: str = "Edit", **fields: Any) -> Json:
    body = {"type": "section", "text": plain("hello")}
    return {"type": "modal", "title": plain(title), "blocks": [body], **fields}


def home(text: str) -> Json:
    return {"type": "home", "blocks": [{"type": "section", "text": plain(text)}]}


def code_of(call: Callable[[], Any]) -> str:
    with pytest.raises(SlackApiError) as caught:
        call()
    return str(caught.value.response["error"])


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def trigger(slack) -> str:
    return slack.workspace.new_trigger(slack.mira).id


# Triggers


def test_a_trigger_opens_one_modal(slack):
    client = slack.client()
    given = trigger(slack)
    view = client.views_open(trigger_id=given, view=modal())["view"]
    assert slack.modal(slack.mira).id == view["id"]
    assert code_of(lambda: client.views_open(trigger_id=given, view=modal())) == (
        "exchanged_trigger_id"
    )
    assert code_of(lambda: client.views_open(trigger_id="1.2.3", view=modal())) == (
        "invalid_trigger_id"
    )


@pytest.mark.parametrize(("age", "works"), [(3.0, True), (3.001, False)])
def test_a_trigger_lives_three_seconds(make_slack, clock, age, works):
    slack = make_slack(clock=clock)
    given = trigger(slack)
    clock.now += timedelta(seconds=age)
    open_it = lambda: slack.client().views_open(trigger_id=given, view=modal())  # noqa: E731
    if works:
        assert open_it()["ok"]
    else:
        assert code_of(open_it) == "expired_trigger_id"


def test_an_invalid_view_does_not_use_up_the_trigger(slack):
    given = trigger(slack)
    client = slack.client()
    long = modal("a title of more than twenty-four characters")
    assert code_of(lambda: client.views_open(trigger_id=given, view=long)) == "invalid_arguments"
    assert client.views_open(trigger_id=given, view=modal())["ok"]


# Modals


def test_three_modals_are_stacked_and_not_a_fourth(slack):
    client = slack.client()
    first = client.views_open(trigger_id=trigger(slack), view=modal("1"))["view"]
    client.views_push(trigger_id=trigger(slack), view=modal("2"))
    third = client.views_push(trigger_id=trigger(slack), view=modal("3"))["view"]
    assert third["root_view_id"] == first["id"]
    assert code_of(lambda: client.views_push(trigger_id=trigger(slack), view=modal("4"))) == (
        "push_limit_reached"
    )
    slack.close(slack.mira, slack.modal(slack.mira))
    assert slack.modal(slack.mira).body["title"]["text"] == "2"


def test_pushing_needs_a_modal_to_push_on(slack):
    client = slack.client()
    assert code_of(lambda: client.views_push(trigger_id=trigger(slack), view=modal())) == (
        "not_found"
    )


def test_a_view_is_updated_by_id_or_external_id_and_a_stale_hash_is_a_conflict(slack):
    client = slack.client()
    opened = client.views_open(trigger_id=trigger(slack), view=modal(external_id="edit-1"))["view"]
    updated = client.views_update(view_id=opened["id"], view=modal("Two"), hash=opened["hash"])
    assert updated["view"]["title"]["text"] == "Two"
    stale = lambda: client.views_update(  # noqa: E731
        view_id=opened["id"], view=modal("Three"), hash=opened["hash"]
    )
    assert code_of(stale) == "hash_conflict"
    assert code_of(lambda: client.views_update(view_id="V404", view=modal())) == "not_found"
    wrong = lambda: client.views_update(view_id=opened["id"], view=home("x"))  # noqa: E731
    assert code_of(wrong) == "invalid_arguments"


def test_an_external_id_is_unique_and_finds_its_view(slack):
    client = slack.client()
    client.views_open(trigger_id=trigger(slack), view=modal(external_id="edit"))
    again = lambda: client.views_push(  # noqa: E731
        trigger_id=trigger(slack), view=modal(external_id="edit")
    )
    assert code_of(again) == "duplicate_external_id"
    assert client.views_update(external_id="edit", view=modal("New", external_id="edit"))["ok"]


def test_a_person_cannot_touch_the_modal_of_another(slack):
    slack.client().views_open(trigger_id=trigger(slack), view=modal())
    view = slack.modal(slack.mira)
    assert slack.close(slack.jonas, view)["error"] == "not_found"
    assert slack.submit(slack.jonas, view)["error"] == "not_found"


# Forms


def text_block(block: str, **element: Any) -> Json:
    field = {"type": "plain_text_input", "action_id": "in", **element}
    return {"type": "input", "block_id": block, "label": plain("Name"), "element": field}


def test_an_empty_form_sends_its_initial_values():
    option = {"text": plain("A"), "value": "a"}
    menu = {"type": "static_select", "action_id": "pick", "options": [option]}
    blocks = [
        text_block("name", initial_value="Ines"),
        {"type": "actions", "block_id": "menu", "elements": [{**menu, "initial_option": option}]},
        {"type": "section", "block_id": "s", "accessory": {"type": "button", "action_id": "b"}},
        {
            "type": "input",
            "block_id": "boxes",
            "label": plain("Boxes"),
            "element": {"type": "checkboxes", "action_id": "box", "options": [option]},
        },
    ]
    assert complete(blocks, {}) == {
        "name": {"in": {"type": "plain_text_input", "value": "Ines"}},
        "menu": {"pick": {"type": "static_select", "selected_option": option}},
        "boxes": {"box": {"type": "checkboxes", "selected_options": []}},
    }


@pytest.mark.parametrize(
    ("element", "typed", "said"),
    [
        ({}, "", "Please complete this required field."),
        ({}, "Ines", None),
        ({"max_length": 3}, "Ines", "Please use at most 3 characters."),
        ({"min_length": 5}, "Ines", "Please use at least 5 characters."),
    ],
)
def test_a_form_is_checked_before_the_bot_hears_of_it(element, typed, said):
    block = text_block("name", **element)
    state = complete([block], {"name": {"in": {"value": typed}}})
    assert missing([block], state).get("name") == said
    assert "name" not in missing([{**block, "optional": True}], complete([block], {}))


# Home


def test_home_is_published_for_one_person(slack):
    client = slack.client()
    first = client.views_publish(user_id=slack.mira, view=home("one"))["view"]
    second = client.views_publish(user_id=slack.mira, view=home("two"))["view"]
    assert (first["id"], first["hash"] == second["hash"]) == (second["id"], False)
    assert slack.home(slack.mira).body["blocks"][0]["text"]["text"] == "two"
    assert slack.home(slack.jonas) is None
    stale = lambda: client.views_publish(  # noqa: E731
        user_id=slack.mira, view=home("three"), hash=first["hash"]
    )
    assert code_of(stale) == "hash_conflict"
    assert code_of(lambda: client.views_publish(user_id=slack.mira, view=modal())) == (
        "invalid_arguments"
    )
    assert code_of(lambda: client.views_publish(user_id="U404", view=home("x"))) == (
        "user_not_found"
    )


# response_url


def respond(slack, permit: Any, said: Any) -> tuple[int, str]:
    body = said if isinstance(said, bytes) else json.dumps(said).encode()
    request = urllib.request.Request(
        f"{slack.url}/respond/{permit if isinstance(permit, str) else permit.id}",
        data=body,
        headers={"Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.read().decode()


def test_a_response_url_works_five_times(slack):
    permit = slack.workspace.new_permit(slack.leads, slack.mira)
    for _ in range(5):
        assert respond(slack, permit, {"text": "hello"}) == (200, "ok")
    assert respond(slack, permit, {"text": "hello"}) == (404, "used_url")
    assert len(slack.ephemerals(slack.mira)) == 5


@pytest.mark.parametrize(("minutes", "works"), [(30.0, True), (30.01, False)])
def test_a_response_url_works_for_half_an_hour(make_slack, clock, minutes, works):
    slack = make_slack(clock=clock)
    permit = slack.workspace.new_permit(slack.hiring, slack.mira)
    clock.now += timedelta(minutes=minutes)
    expected = (200, "ok") if works else (404, "expired_url")
    assert respond(slack, permit, {"text": "hello"}) == expected


def test_a_response_is_private_unless_it_says_otherwise(slack):
    permit = slack.workspace.new_permit(slack.leads, slack.mira)
    respond(slack, permit, {"text": "private"})
    respond(slack, permit, {"text": "public", "response_type": "in_channel"})
    assert [m.text for m in slack.ephemerals(slack.mira)] == ["private"]
    assert [m.text for m in slack.messages(slack.leads)] == ["public"]


def test_a_response_replaces_or_deletes_the_message_of_the_button(slack):
    message = slack.workspace.say(
        slack.hiring, cast.BOT_USER, "old", bot_id=cast.BOT_ID, only_for=slack.mira
    )
    permit = slack.workspace.new_permit(slack.hiring, slack.mira, message_ts=message.ts)
    respond(slack, permit, {"text": "new", "replace_original": True})
    assert [m.text for m in slack.ephemerals(slack.mira)] == ["new"]
    respond(slack, permit, {"text": "more", "replace_original": False})
    assert [m.text for m in slack.ephemerals(slack.mira)] == ["new", "more"]
    respond(slack, permit, {"delete_original": True})
    assert [m.text for m in slack.ephemerals(slack.mira)] == ["more"]
    assert respond(slack, permit, {"delete_original": True}) == (200, "ok")


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (b"{", (400, "invalid_payload")),
        (b"[]", (400, "invalid_payload")),
        ({"text": ""}, (400, "no_text")),
        ({"text": "x", "blocks": [{"type": "poster"}]}, (400, "invalid_blocks")),
    ],
)
def test_a_response_is_checked_like_a_message(slack, said, answer):
    permit = slack.workspace.new_permit(slack.hiring, slack.mira)
    assert respond(slack, permit, said) == answer


def test_an_invented_response_url_is_refused(slack):
    assert respond(slack, "R404", {"text": "x"}) == (404, "invalid_url")
