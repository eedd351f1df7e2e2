"""The Web API answers slack_sdk as Slack does: who may call, what is there, what is refused."""

import json
import urllib.request
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from slack_sdk.errors import SlackApiError

from handlers.sandbox import cast
from handlers.sandbox.records import Called, Channel, User
from handlers.sandbox.workspace import LOG_KEPT, Workspace


def code_of(call: Callable[[], Any]) -> str:
    with pytest.raises(SlackApiError) as caught:
        call()
    return str(caught.value.response["error"])


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **time: float) -> None:
        self.now += timedelta(**time)


@pytest.fixture
def clock() -> Clock:
    return Clock()


# Who may call


def test_a_token_is_asked_for_and_looked_at(slack):
    client = slack.client(token="xoxb-wrong")
    assert code_of(client.auth_test) == "invalid_auth"
    assert code_of(slack.client(token=None).auth_test) == "not_authed"
    ours = slack.workspace.tokens[slack.workspace.bot_token]
    ours.state = "revoked"
    assert code_of(slack.client().auth_test) == "token_revoked"
    ours.state = "inactive"
    assert code_of(slack.client().auth_test) == "account_inactive"


def test_each_kind_of_token_opens_its_own_methods(slack):
    bot, app = slack.client(), slack.client(token=slack.workspace.app_token)
    wrong = slack.workspace.bot_token
    assert code_of(lambda: bot.apps_connections_open(app_token=wrong)) == "not_allowed_token_type"
    assert code_of(app.auth_test) == "not_allowed_token_type"
    assert app.apps_connections_open(app_token=app.token)["url"].startswith("ws://127.0.0.1:")


def test_auth_test_names_the_bot_and_its_scopes(slack):
    who = slack.client().auth_test()
    assert (who["user_id"], who["bot_id"], who["team_id"]) == (
        cast.BOT_USER,
        cast.BOT_ID,
        cast.HOME.id,
    )
    assert "chat:write" in who.headers["x-oauth-scopes"].split(",")


def test_a_missing_scope_is_named(make_slack):
    slack = make_slack(scopes={"users:read"})
    with pytest.raises(SlackApiError) as caught:
        slack.client().chat_postMessage(channel=slack.hiring, text="hello")
    answer = caught.value.response
    assert (answer["error"], answer["needed"], answer["provided"]) == (
        "missing_scope",
        "chat:write",
        "users:read",
    )
    read = lambda: slack.client().conversations_history(channel=slack.hiring)  # noqa: E731
    assert code_of(read) == "missing_scope"


def test_an_unknown_method_is_refused_by_name(slack):
    with pytest.raises(SlackApiError) as caught:
        slack.client().api_call("chat.shout")
    assert caught.value.response["req_method"] == "chat.shout"
    assert caught.value.response["error"] == "unknown_method"


@pytest.mark.parametrize("form", ["json", "form", "query"])
def test_arguments_come_as_json_form_or_query(slack, form):
    blocks = [{"type": "divider"}]
    args: dict[str, Any] = {"channel": slack.hiring, "text": "hello", "blocks": blocks}
    headers = {"Authorization": f"Bearer {slack.workspace.bot_token}"}
    url, body = f"{slack.api_url}chat.postMessage", b""
    if form == "json":
        headers["Content-Type"] = "application/json; charset=utf-8"
        body = json.dumps(args).encode()
    else:
        text = urlencode({**args, "blocks": json.dumps(blocks), "token": slack.workspace.bot_token})
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        url, body = (f"{url}?{text}", b"") if form == "query" else (url, text.encode())
    request = urllib.request.Request(url, data=body, headers=headers)
    with urllib.request.urlopen(request) as answer:
        assert json.load(answer)["ok"]
    assert slack.messages(slack.hiring)[0].blocks[0]["type"] == "divider"


@pytest.mark.parametrize(
    ("kind", "body", "code"),
    [
        ("application/json", b"{", "invalid_json"),
        ("application/json", b"[]", "json_not_object"),
        ("text/plain", b"hello", "invalid_post_type"),
        ("application/x-www-form-urlencoded", b"\xff", "invalid_form_data"),
    ],
)
def test_a_body_that_cannot_be_read_is_refused(slack, kind, body, code):
    request = urllib.request.Request(
        f"{slack.api_url}api.test", data=body, headers={"Content-Type": kind}
    )
    with urllib.request.urlopen(request) as answer:
        assert json.load(answer) == {"ok": False, "error": code}


def test_api_test_echoes_and_fails_on_request(slack):
    client = slack.client(token=None)
    assert client.api_test(foo="bar")["args"] == {"foo": "bar"}
    assert code_of(lambda: client.api_test(error="my_error")) == "my_error"


def test_every_call_is_logged_without_its_token(slack):
    slack.client().auth_test()
    code_of(lambda: slack.client().users_info(user="U404"))
    assert [(c.method, c.error) for c in slack.calls()] == [
        ("auth.test", None),
        ("users.info", "user_not_found"),
    ]
    assert slack.workspace.bot_token not in str(slack.calls())


# Posting


def test_where_the_bot_may_post(slack):
    client = slack.client()

    def post(channel: str) -> Any:
        return client.chat_postMessage(channel=channel, text="hello")

    assert post(slack.hiring)["channel"] == slack.hiring
    assert post("#hiring")["channel"] == slack.hiring
    assert post(slack.mira)["channel"] == slack.direct(slack.mira)
    assert code_of(lambda: post("C404")) == "channel_not_found"
    assert code_of(lambda: post(slack.leads)) == "channel_not_found"
    slack.workspace.add_channel(
        Channel(id="C0RANDOM001", name="random", kind="public", members={slack.mira})
    )
    assert code_of(lambda: post("#random")) == "not_in_channel"
    slack.workspace.channels[slack.hiring].archived = True
    assert code_of(lambda: post(slack.hiring)) == "is_archived"


def test_a_missing_argument_is_named(slack):
    with pytest.raises(SlackApiError) as caught:
        slack.client().api_call("chat.postMessage", json={"text": "hello"})
    assert caught.value.response["error"] == "invalid_arguments"
    assert (
        "missing required field: channel"
        in caught.value.response["response_metadata"]["messages"][0]
    )


def test_timestamps_rise_even_when_the_clock_stands_still(make_slack, clock):
    slack = make_slack(clock=clock)
    client = slack.client()
    stamps = [client.chat_postMessage(channel=slack.hiring, text="x")["ts"] for _ in range(5)]
    assert stamps == sorted(set(stamps))
    assert stamps[0] == f"{int(clock.now.timestamp())}.000000"


def test_an_ephemeral_message_is_seen_by_one_person_and_by_no_method(slack):
    client = slack.client()
    ts = client.chat_postEphemeral(channel=slack.hiring, user=slack.mira, text="for you")[
        "message_ts"
    ]
    assert [m.text for m in slack.ephemerals(slack.mira)] == ["for you"]
    assert slack.ephemerals(slack.jonas) == []
    assert client.conversations_history(channel=slack.hiring)["messages"] == []
    update = lambda: client.chat_update(channel=slack.hiring, ts=ts, text="x")  # noqa: E731
    assert code_of(update) == "message_not_found"
    outside = lambda: client.chat_postEphemeral(  # noqa: E731
        channel=slack.hiring, user=slack.guest, text="x"
    )
    assert code_of(outside) == "user_not_in_channel"


def test_the_bot_changes_and_deletes_only_its_own_messages(slack):
    client = slack.client()
    theirs = slack.workspace.say(slack.hiring, slack.mira, "mine").ts
    assert code_of(lambda: client.chat_update(channel=slack.hiring, ts=theirs, text="x")) == (
        "cant_update_message"
    )
    assert code_of(lambda: client.chat_delete(channel=slack.hiring, ts=theirs)) == (
        "cant_delete_message"
    )
    ours = client.chat_postMessage(channel=slack.hiring, text="ours")["ts"]
    assert client.chat_delete(channel=slack.hiring, ts=ours)["ts"] == ours
    assert code_of(lambda: client.chat_delete(channel=slack.hiring, ts=ours)) == "message_not_found"


def test_a_permalink_leads_to_the_message_and_its_thread(slack):
    client = slack.client()
    parent = client.chat_postMessage(channel=slack.hiring, text="parent")["ts"]
    reply = client.chat_postMessage(channel=slack.hiring, text="reply", thread_ts=parent)["ts"]
    link = client.chat_getPermalink(channel=slack.hiring, message_ts=reply)["permalink"]
    assert link.startswith("https://northwind-labs.slack.com/archives/C0HIRING001/p")
    assert link.endswith(f"?thread_ts={parent}&cid=C0HIRING001")
    missing = lambda: client.chat_getPermalink(channel=slack.hiring, message_ts="1.2")  # noqa: E731
    assert code_of(missing) == "message_not_found"


@pytest.mark.parametrize(
    ("metadata", "code"),
    [
        ({"event_type": "x"}, "invalid_metadata_schema"),
        ({"event_type": "x", "event_payload": {"a": "b" * 9000}}, "metadata_too_large"),
        ("{", "invalid_metadata_format"),
    ],
)
def test_metadata_has_a_form_and_a_size(slack, metadata, code):
    client = slack.client()
    assert (
        code_of(
            lambda: client.api_call(
                "chat.postMessage",
                json={"channel": slack.hiring, "text": "x", "metadata": metadata},
            )
        )
        == code
    )


# Reading


def test_history_is_newest_first_in_pages_that_neither_posting_nor_deleting_shifts(slack):
    client = slack.client()
    stamps = [client.chat_postMessage(channel=slack.hiring, text=str(n))["ts"] for n in range(7)]
    first = client.conversations_history(channel=slack.hiring, limit=3)
    assert [m["text"] for m in first["messages"]] == ["6", "5", "4"]
    assert first["has_more"]
    client.chat_postMessage(channel=slack.hiring, text="new")
    client.chat_delete(channel=slack.hiring, ts=stamps[3])
    cursor = first["response_metadata"]["next_cursor"]
    second = client.conversations_history(channel=slack.hiring, limit=3, cursor=cursor)
    assert [m["text"] for m in second["messages"]] == ["2", "1", "0"]
    assert not second["has_more"]
    assert second["response_metadata"]["next_cursor"] == ""


def test_history_between_two_moments(slack):
    client = slack.client()
    one, two, three = (
        client.chat_postMessage(channel=slack.hiring, text=str(n))["ts"] for n in range(3)
    )

    def texts(**window: Any) -> list[str]:
        found = client.conversations_history(channel=slack.hiring, **window)["messages"]
        return [m["text"] for m in found]

    assert texts(oldest=one) == ["2", "1"]
    assert texts(oldest=one, inclusive=True) == ["2", "1", "0"]
    assert texts(latest=three) == ["1", "0"]
    assert texts(oldest=two, latest=two, inclusive=True, limit=1) == ["1"]
    assert texts(oldest="0") == ["2", "1", "0"]
    for window, code in [
        ({"oldest": "x"}, "invalid_ts_oldest"),
        ({"latest": "x"}, "invalid_ts_latest"),
        ({"limit": 0}, "invalid_limit"),
        ({"limit": 1000}, "invalid_limit"),
        ({"cursor": "?"}, "invalid_cursor"),
        ({"cursor": "b3RoZXI6MQ=="}, "invalid_cursor"),
    ]:
        assert code_of(lambda window=window: texts(**window)) == code


def test_metadata_is_shown_to_who_asks_for_it(slack):
    client = slack.client()
    run = {"event_type": "digest", "event_payload": {"run": "7"}}
    client.chat_postMessage(channel=slack.hiring, text="x", metadata=run)
    plain = client.conversations_history(channel=slack.hiring)["messages"][0]
    assert "metadata" not in plain
    full = client.conversations_history(channel=slack.hiring, include_all_metadata=True)
    assert full["messages"][0]["metadata"] == run


def test_a_thread_stays_out_of_history_unless_it_is_broadcast(slack):
    client = slack.client()
    parent = client.chat_postMessage(channel=slack.hiring, text="parent")["ts"]
    reply = client.chat_postMessage(channel=slack.hiring, text="reply", thread_ts=parent)["ts"]
    client.chat_postMessage(channel=slack.hiring, text="deeper", thread_ts=reply)
    client.chat_postMessage(
        channel=slack.hiring, text="loud", thread_ts=parent, reply_broadcast=True
    )
    history = client.conversations_history(channel=slack.hiring)["messages"]
    assert [m["text"] for m in history] == ["loud", "parent"]
    assert history[1]["reply_count"] == 3
    thread = client.conversations_replies(channel=slack.hiring, ts=parent)["messages"]
    assert [m["text"] for m in thread] == ["parent", "reply", "deeper", "loud"]
    assert code_of(lambda: client.conversations_replies(channel=slack.hiring, ts="1.2")) == (
        "thread_not_found"
    )
    nowhere = lambda: client.chat_postMessage(  # noqa: E731
        channel=slack.hiring, text="x", thread_ts="1.2"
    )
    assert code_of(nowhere) == "cannot_reply_to_message"


def test_history_of_a_channel_without_the_bot_is_closed(slack):
    client = slack.client()
    room = Channel(id="C0RANDOM001", name="random", kind="public", members={slack.mira})
    slack.workspace.add_channel(room)
    assert code_of(lambda: client.conversations_history(channel=room.id)) == "not_in_channel"
    assert code_of(lambda: client.conversations_history(channel=slack.leads)) == (
        "channel_not_found"
    )


def test_a_lagging_history_shows_a_message_late(make_slack, clock):
    slack = make_slack(clock=clock)
    slack.faults.history_lag = 30
    client = slack.client()
    client.chat_postMessage(channel=slack.hiring, text="x")
    assert client.conversations_history(channel=slack.hiring)["messages"] == []
    clock.forward(seconds=31)
    assert len(client.conversations_history(channel=slack.hiring)["messages"]) == 1


# Channels and people


def test_channels_say_what_they_are(slack):
    client = slack.client()
    assert client.conversations_info(channel=slack.acme)["channel"]["is_ext_shared"]
    assert client.conversations_info(channel=slack.hiring)["channel"]["is_member"]
    direct = client.conversations_info(channel=slack.direct(slack.mira))["channel"]
    assert (direct["is_im"], direct["user"]) == (True, slack.mira)
    assert code_of(lambda: client.conversations_info(channel=slack.leads)) == "channel_not_found"
    names = {c["name"] for c in client.conversations_list(limit=2)["channels"]}
    assert len(names) == 2
    mine = client.users_conversations(types="public_channel,private_channel,im")["channels"]
    assert {c.get("name") or c["user"] for c in mine} == {
        "general",
        "hiring",
        "acme-shared",
        slack.mira,
        slack.jonas,
        slack.guest,
    }
    assert code_of(lambda: client.conversations_list(types="secret")) == "invalid_types"


def test_members_of_a_channel(slack):
    members = slack.client().conversations_members(channel=slack.hiring)["members"]
    assert set(members) == {slack.mira, slack.jonas, slack.bot_user}


def test_joining_opens_a_public_channel(make_slack):
    slack = make_slack(scopes={*cast.BOT_SCOPES, "channels:join"})
    slack.workspace.channels[slack.hiring].members.discard(slack.bot_user)
    client = slack.client()
    assert client.conversations_join(channel=slack.hiring)["channel"]["is_member"]
    assert client.chat_postMessage(channel=slack.hiring, text="hello")["ok"]
    direct = slack.direct(slack.mira)
    assert code_of(lambda: client.conversations_join(channel=direct)) == (
        "method_not_supported_for_channel_type"
    )


def test_opening_a_direct_message(slack):
    client = slack.client()
    opened = client.conversations_open(users=slack.mira, return_im=True)["channel"]
    assert (opened["id"], opened["user"]) == (slack.direct(slack.mira), slack.mira)
    assert client.conversations_open(channel=opened["id"])["channel"] == {"id": opened["id"]}
    assert code_of(lambda: client.conversations_open(users="U404")) == "user_not_found"
    assert code_of(lambda: client.conversations_open(users=slack.bot_user)) == "cannot_dm_bot"


def test_people_have_zones_and_roles(slack):
    client = slack.client()
    mira = client.users_info(user=slack.mira)["user"]
    assert (mira["tz"], mira["is_restricted"], mira["is_bot"]) == ("Europe/Berlin", False, False)
    assert mira["tz_offset"] in {3600, 7200}
    assert "email" not in mira["profile"]
    assert client.users_info(user=slack.guest)["user"]["is_restricted"]
    stranger = client.users_info(user=slack.stranger)["user"]
    assert (stranger["team_id"], stranger["is_stranger"]) == (cast.PARTNER, True)
    assert code_of(lambda: client.users_info(user="U404")) == "user_not_found"
    slack.workspace.add_user(
        User(id="U0GONE", name="gone", real_name="Ida Gone", team=cast.HOME.id, deleted=True)
    )
    assert client.users_info(user="U0GONE")["user"]["deleted"]
    assert len(client.users_list()["members"]) == 6
    assert client.users_list(limit=4)["response_metadata"]["next_cursor"]


def test_the_email_is_for_who_may_read_it(make_slack):
    slack = make_slack(scopes={*cast.BOT_SCOPES, "users:read.email", "team:read"})
    client = slack.client()
    found = client.users_lookupByEmail(email="Mira@northwind.example")["user"]
    assert (found["id"], found["profile"]["email"]) == (slack.mira, "mira@northwind.example")
    assert code_of(lambda: client.users_lookupByEmail(email="x@example.com")) == "users_not_found"
    assert client.team_info()["team"]["name"] == "Northwind Labs"
    assert client.bots_info(bot=cast.BOT_ID)["bot"]["name"] == "Candidate Bot"
    assert code_of(lambda: client.bots_info(bot="B404")) == "bot_not_found"


# How often


def test_posting_more_than_once_a_second_in_a_channel_is_limited(make_slack, clock):
    slack = make_slack(clock=clock, rate_limits=True)
    client = slack.client()
    client.chat_postMessage(channel=slack.hiring, text="one")
    with pytest.raises(SlackApiError) as caught:
        client.chat_postMessage(channel=slack.hiring, text="two")
    assert caught.value.response.status_code == 429
    assert caught.value.response.headers["Retry-After"] == "1"
    client.chat_postMessage(channel=slack.general, text="elsewhere")
    clock.forward(seconds=1)
    client.chat_postMessage(channel=slack.hiring, text="two")
    assert [m.text for m in slack.messages(slack.hiring)] == ["one", "two"]


def test_a_method_has_as_many_calls_a_minute_as_its_tier(make_slack, clock):
    slack = make_slack(clock=clock, rate_limits=True)
    client = slack.client()
    for _ in range(50):
        client.conversations_history(channel=slack.hiring)
    clock.forward(seconds=20)
    with pytest.raises(SlackApiError) as caught:
        client.conversations_history(channel=slack.hiring)
    assert caught.value.response.headers["Retry-After"] == "40"
    clock.forward(seconds=40)
    assert client.conversations_history(channel=slack.hiring)["ok"]


def test_the_log_of_calls_does_not_grow_for_ever():
    workspace = Workspace()
    called = Called(method="auth.test", args={}, at=workspace.clock(), ok=True)
    for _ in range(LOG_KEPT + 5):
        workspace.note_call(called)
    assert len(workspace.calls) == LOG_KEPT


def test_user_groups_are_listed_with_their_handles_and_members(slack):
    client = slack.client()
    first, second = client.usergroups_list()["usergroups"]
    assert (first["id"], first["handle"]) == ("S0HIRELEADS", "hiring-leads")
    assert (second["id"], second["user_count"]) == ("S0RECRUITER", 2)
    assert "users" not in first
    assert client.usergroups_list(include_users=True)["usergroups"][0]["users"] == [slack.mira]
    members = client.usergroups_users_list(usergroup="S0RECRUITER")["users"]
    assert members == [slack.jonas, slack.mira]
    assert code_of(lambda: client.usergroups_users_list(usergroup="S0NONE")) == "no_such_subteam"


def test_user_groups_need_their_scope(make_slack):
    client = make_slack(scopes=cast.BOT_SCOPES - {"usergroups:read"}).client()
    assert code_of(client.usergroups_list) == "missing_scope"


def test_a_group_conversation_is_told_to_whoever_has_its_scope(make_slack):
    slack = make_slack(scopes={*cast.BOT_SCOPES, "mpim:read"})
    members = {slack.mira, slack.jonas, slack.bot_user}
    slack.workspace.add_channel(
        Channel(id="C0GROUP", name="mpdm-mira--jonas-1", kind="mpim", members=members)
    )
    shown = slack.client().conversations_info(channel="C0GROUP")["channel"]
    assert (shown["is_mpim"], shown["is_private"]) == (True, True)
    listed = slack.client().conversations_list(types="mpim")["channels"]
    assert [each["id"] for each in listed] == ["C0GROUP"]


def test_a_guest_of_one_channel_is_shown_as_slack_does(slack):
    slack.workspace.add_user(
        User(
            id="U0SINGLE",
            name="sol",
            real_name="Sol Guest",
            team=cast.HOME.id,
            is_single_channel_guest=True,
        )
    )
    shown = slack.client().users_info(user="U0SINGLE")["user"]
    assert (shown["is_restricted"], shown["is_ultra_restricted"]) == (True, True)
