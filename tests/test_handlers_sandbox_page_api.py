"""The page's protocol: what it is told, what it may ask, and who is kept out."""

import json
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slack_sdk import WebClient
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from handlers.sandbox import cast
from handlers.sandbox.composer import encode
from handlers.sandbox.guard import LARGEST, complaint_about, is_loopback
from handlers.sandbox.records import Channel, User
from handlers.sandbox.server import (
    CannotListen,
    NotLoopback,
    create_sandbox,
    environment,
    serve_in_thread,
)
from handlers.sandbox.workspace import Workspace

BLOCKS = [
    {
        "type": "actions",
        "block_id": "b",
        "elements": [
            {
                "type": "button",
                "action_id": "go",
                "text": {"type": "plain_text", "text": "Go"},
            }
        ],
    }
]


def get(slack, path: str) -> Any:
    with urllib.request.urlopen(f"{slack.url}{path}") as answer:
        return json.load(answer)


def ask(slack, path: str, *, body: bytes | None = None, **headers: str) -> tuple[int, Any]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(f"{slack.url}{path}", data=body, headers=named)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as refused:
        with refused:
            said = refused.read()
            kind = refused.headers.get_content_type()
            return refused.code, json.loads(said) if kind == "application/json" else said


@contextmanager
def stream(slack, user: str) -> Any:
    url = slack.url.replace("http", "ws", 1)
    with connect(f"{url}/sandbox/stream?user={user}", origin=slack.url) as socket:
        yield lambda: json.loads(socket.recv(timeout=3))


# What the page is told


def test_the_state_names_the_people_and_the_rooms_one_may_see(slack):
    state = get(slack, f"/sandbox/state?user={slack.mira}")
    assert state["team"] == {"id": cast.HOME.id, "name": "Northwind Labs"}
    assert state["bot"] == {"id": cast.BOT_USER, "name": "Candidate Bot", "online": False}
    assert {c["name"]: c["kind"] for c in state["channels"]} == {
        "general": "public",
        "hiring": "public",
        "hiring-leads": "private",
        "acme-shared": "shared",
        "Candidate Bot": "im",
    }
    kinds = {user["real_name"]: user["kind"] for user in state["users"]}
    assert kinds["Mira Lindgren"] == "member"
    assert kinds["Tessa Brandt"] == kinds["Rafael Soto"] == "guest"
    guest = get(slack, f"/sandbox/state?user={slack.guest}")
    assert {c["name"] for c in guest["channels"]} == {"general", "Candidate Bot"}
    assert get(slack, "/sandbox/state?user=U404")["error"] == "user_not_found"


def test_messages_of_a_channel_hold_what_only_i_was_shown(slack):
    slack.say(slack.mira, slack.hiring, "hello")
    slack.client().chat_postEphemeral(channel=slack.hiring, user=slack.mira, text="psst")

    def texts(user: str) -> list[str]:
        path = f"/sandbox/messages?user={user}&channel={slack.hiring}"
        return [m["text"] for m in get(slack, path)["messages"]]

    assert texts(slack.mira) == ["hello", "psst"]
    assert texts(slack.jonas) == ["hello"]
    closed = get(slack, f"/sandbox/messages?user={slack.guest}&channel={slack.leads}")
    assert closed["error"] == "channel_not_found"


def test_a_thread_is_read_by_its_parent(slack):
    parent = slack.say(slack.mira, slack.hiring, "parent")["ts"]
    slack.say(slack.jonas, slack.hiring, "reply", thread_ts=parent)
    path = f"/sandbox/messages?user={slack.mira}&channel={slack.hiring}"
    (shown,) = get(slack, path)["messages"]
    assert shown["reply_count"] == 1
    assert [m["text"] for m in get(slack, f"{path}&thread={parent}")["messages"]] == [
        "parent",
        "reply",
    ]
    lost = slack.say(slack.mira, slack.hiring, "x", thread_ts="1.2")
    assert lost["error"] == "thread_not_found"


def test_the_stream_brings_messages_changes_and_deletions(slack):
    client = slack.client()
    with stream(slack, slack.jonas) as receive:
        slack.say(slack.mira, slack.hiring, "hello")
        said = receive()
        assert (said["type"], said["channel"], said["message"]["text"]) == (
            "message",
            slack.hiring,
            "hello",
        )
        ts = client.chat_postMessage(channel=slack.hiring, text="one")["ts"]
        client.chat_update(channel=slack.hiring, ts=ts, text="two")
        client.chat_delete(channel=slack.hiring, ts=ts)
        kinds = [receive()["type"] for _ in range(3)]
        assert kinds == ["message", "changed", "deleted"]


def test_the_stream_keeps_private_things_private(slack):
    client = slack.client()
    with stream(slack, slack.guest) as receive:
        client.chat_postEphemeral(channel=slack.hiring, user=slack.mira, text="psst")
        slack.say(slack.mira, slack.leads, "between us")
        slack.say(slack.mira, slack.hiring, "not for guests")
        client.chat_postMessage(channel=slack.general, text="for all")
        assert receive()["message"]["text"] == "for all"


def test_the_stream_brings_modals_home_and_notices_to_their_person(slack):
    client = slack.client()
    view = {"type": "modal", "title": {"type": "plain_text", "text": "Edit"}, "blocks": []}
    with stream(slack, slack.mira) as receive:
        trigger = slack.workspace.new_trigger(slack.mira)
        client.views_open(trigger_id=trigger.id, view=view)
        opened = receive()
        assert (opened["action"], opened["view"]["title"]["text"]) == ("open", "Edit")
        slack.close(slack.mira, slack.modal(slack.mira))
        assert receive()["action"] == "close"
        client.views_publish(user_id=slack.mira, view={"type": "home", "blocks": []})
        assert receive()["type"] == "home"
        slack.say(slack.mira, slack.hiring, "/candidate x")
        kinds = [receive() for _ in range(4)]
        assert [k["type"] for k in kinds] == ["message", "busy", "busy", "notice"]
        assert kinds[0]["message"]["command"] == "/candidate x"
        assert kinds[3]["text"] == "/candidate failed with the error “dispatch_failed”"


def test_the_stream_of_nobody_is_closed(slack):
    with pytest.raises(InvalidStatus), stream(slack, "U404"):
        pass


def test_the_page_hears_when_the_bot_cannot_be_reached(slack):
    slack.deliver_to("http://127.0.0.1:9/slack/events")
    assert get(slack, f"/sandbox/state?user={slack.mira}")["bot"]["online"]
    with stream(slack, slack.jonas) as receive:
        slack.say(slack.mira, slack.leads, "/candidate x")
        assert receive() == {"type": "bot", "online": False}
    assert not get(slack, f"/sandbox/state?user={slack.mira}")["bot"]["online"]


def test_buttons_in_home_and_modals_are_pressed_in_their_view(slack):
    client = slack.client()
    client.views_publish(user_id=slack.mira, view={"type": "home", "blocks": BLOCKS})
    said = slack.click(
        slack.mira, slack.home(slack.mira), "go", state={"b": {"in": {"value": "x"}}}
    )
    assert (said["ok"], said["error"]) == (False, "dispatch_failed")
    assert slack.home(slack.mira).state == {"b": {"in": {"value": "x"}}}
    view = slack.home(slack.mira)
    assert slack.click(slack.mira, view, "go", view_id="V404")["error"] == "not_found"


def test_a_form_that_nobody_takes_stays_open(slack):
    view = {"type": "modal", "title": {"type": "plain_text", "text": "Edit"}, "blocks": BLOCKS}
    trigger = slack.workspace.new_trigger(slack.mira)
    slack.client().views_open(trigger_id=trigger.id, view=view)
    said = slack.submit(slack.mira, slack.modal(slack.mira))
    assert (said["error"], said["message"]) == (
        "dispatch_failed",
        "We had some trouble connecting. Try again?",
    )
    assert slack.modal(slack.mira) is not None
    slack.post("close", {"user": slack.mira, "view_id": slack.modal(slack.mira).id, "all": True})
    assert slack.modal(slack.mira) is None


def test_home_shows_what_was_published_until_the_bot_answers(slack):
    assert slack.open_home(slack.mira) == {"ok": True, "view": None}
    slack.client().views_publish(user_id=slack.mira, view={"type": "home", "blocks": []})
    assert slack.open_home(slack.mira)["view"]["type"] == "home"
    assert slack.post("home", {"user": "U404"})["error"] == "user_not_found"


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"user": cast.MIRA, "channel": cast.HIRING}, "invalid_arguments"),
        ({"user": cast.MIRA, "channel": cast.HIRING, "text": "  "}, "no_text"),
        ({"user": "U404", "channel": cast.HIRING, "text": "x"}, "user_not_found"),
        ({"user": cast.MIRA, "channel": "C404", "text": "x"}, "channel_not_found"),
        ({"user": cast.GUEST, "channel": cast.HIRING, "text": "x"}, "channel_not_found"),
        ({"user": cast.STRANGER, "channel": cast.HIRING, "text": "x"}, "channel_not_found"),
    ],
)
def test_what_cannot_be_said_is_refused_with_a_sentence(slack, wish, code):
    said = slack.post("say", wish)
    assert (said["ok"], said["error"]) == (False, code)
    assert said["message"]


def test_an_archived_channel_takes_no_words(slack):
    slack.workspace.channels[slack.hiring].archived = True
    assert slack.say(slack.mira, slack.hiring, "x")["error"] == "is_archived"


# What a person types


@pytest.mark.parametrize(
    ("typed", "received"),
    [
        ("who knows C++ & R?", "who knows C++ &amp; R?"),
        ("skill:cuda>=9 <b>", "skill:cuda&gt;=9 &lt;b&gt;"),
        ("@candidate hi", "<@U0CANDIDATE> hi"),
        ("@LyricZhao", "@LyricZhao"),
        ("in #hiring and #nowhere", "in <#C0HIRING001|hiring> and #nowhere"),
        ("<@U0CANDIDATE> hi", "<@U0CANDIDATE> hi"),
        ("<@U0NOBODY> <!channel>", "&lt;@U0NOBODY&gt; &lt;!channel&gt;"),
        ("ask ines@example.com", "ask <mailto:ines@example.com|ines@example.com>"),
        ("https://example.com/?a=1&b=2", "<https://example.com/?a=1&amp;b=2>"),
        ("github.com/LyricZhao", "<http://github.com/LyricZhao|github.com/LyricZhao>"),
        ("node.js, asp.net", "<http://node.js|node.js>, <http://asp.net|asp.net>"),
        ("repo:apache/tvm v1.2.3", "repo:apache/tvm v1.2.3"),
    ],
)
def test_typed_text_is_wrapped_as_slack_wraps_it(typed, received):
    assert encode(Workspace(), typed) == received


def test_a_command_carries_the_names_behind_ids():
    workspace = Workspace()
    said = encode(workspace, "@jonas", in_command=True)
    assert said == f"<@{cast.JONAS}|jonas>"


@given(st.text())
def test_any_text_is_escaped(typed):
    workspace = Workspace()
    received = encode(workspace, typed)
    for raw in ("<!channel>", "<script>"):
        assert raw not in encode(workspace, typed + raw)
    if not any(sign in typed for sign in "@#.<>&/"):
        assert received == typed


# Who is kept out


@pytest.mark.parametrize(
    ("host", "port", "good"),
    [
        ("localhost:3000", 3000, True),
        ("LOCALHOST:3000", 3000, True),
        ("127.0.0.1:3000", 3000, True),
        ("[::1]:3000", 3000, True),
        ("[::1]", 80, True),
        ("localhost", 80, True),
        ("localhost", None, True),
        ("localhost:3001", 3000, False),
        ("localhost", 3000, False),
        ("evil.example:3000", 3000, False),
        ("localhost.evil.example:3000", 3000, False),
        ("127.0.0.1.evil.example:3000", 3000, False),
        ("", 3000, False),
    ],
)
def test_only_loopbacks_names_with_our_port_are_hosts(host, port, good):
    assert is_loopback(host, port=port) is good


def test_a_foreign_host_is_refused_everywhere(slack):
    for path in ("/", "/sandbox/state", "/api/auth.test", "/page/x"):
        status, said = ask(slack, path, Host="evil.example")
        assert (status, said["error"]) == (403, "invalid_host")


def test_a_foreign_origin_is_refused_and_ours_is_not(slack):
    body = json.dumps({"user": slack.mira, "channel": slack.hiring, "text": "x"}).encode()
    kind = {"Content_Type": "application/json"}
    for origin in ("https://evil.example", "null", "http://localhost:1"):
        status, said = ask(slack, "/sandbox/say", body=body, Origin=origin, **kind)
        assert (status, said["error"]) == (403, "invalid_origin")
    status, said = ask(slack, "/sandbox/say", body=body, Sec_Fetch_Site="cross-site", **kind)
    assert status == 403
    assert slack.messages(slack.hiring) == []
    assert ask(slack, "/sandbox/say", body=body, Origin=slack.url, **kind)[0] == 200


def test_a_link_from_elsewhere_may_lead_to_the_page(slack):
    visit = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate"}
    assert ask(slack, "/", **visit)[0] == 200
    assert ask(slack, "/sandbox/state", **visit)[0] == 403


def test_only_json_is_taken(slack):
    assert ask(slack, "/sandbox/say", body=b"a=b", Content_Type="text/plain")[0] == 415
    assert ask(slack, "/sandbox/say", body=b"{", Content_Type="application/json")[0] == 400
    assert ask(slack, "/sandbox/say", body=b"[]", Content_Type="application/json")[0] == 400


@pytest.mark.parametrize("path", ["/sandbox/stream?user=U0MIRALINDG", "/link?ticket=x"])
def test_sockets_are_not_for_foreign_pages(slack, path):
    url = slack.url.replace("http", "ws", 1)
    with pytest.raises(InvalidStatus), connect(url + path, origin="https://evil.example"):
        pass


def test_answers_carry_a_strict_policy(slack):
    with urllib.request.urlopen(f"{slack.url}/") as answer:
        assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


# Serving


def test_it_listens_on_this_machine_only():
    with pytest.raises(NotLoopback, match=r"only listens on this machine, not on 0\.0\.0\.0"):
        serve_in_thread(create_sandbox(Workspace()), host="0.0.0.0")


def test_a_taken_port_is_said_with_what_to_do(slack):
    with pytest.raises(CannotListen, match=f"Port {slack.served.port} is not free"):
        serve_in_thread(create_sandbox(Workspace()), port=slack.served.port)


def test_the_environment_is_all_a_bot_needs(slack):
    assert environment(slack.workspace, slack.url) == {
        "SLACK_API_URL": f"{slack.url}/api/",
        "SLACK_BOT_TOKEN": "xoxb-sandbox-bot",
        "SLACK_APP_TOKEN": "xapp-1-sandbox-app",
        "SLACK_SIGNING_SECRET": "sandbox-signing-secret",
    }


def test_a_bot_can_be_served_beside_it_on_the_same_port(make_slack):
    seen: list[str] = []

    async def bot(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope["path"])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"I am the bot"})

    slack = make_slack(deliver_to="/slack/events")
    slack.say(slack.mira, slack.hiring, "/candidate x")
    assert slack.notices == ["/candidate failed with the error “http_service_error”"]
    slack.served.sandbox.bot = bot
    assert ask(slack, "/healthz") == (200, b"I am the bot")
    slack.say(slack.mira, slack.hiring, "/candidate x")
    assert [m.text for m in slack.ephemerals(slack.mira)] == ["I am the bot"]
    assert seen == ["/healthz", "/slack/events"]


def test_people_and_channels_can_be_added():
    workspace = Workspace()
    workspace.add_user(User(id="U0NEW", name="new", real_name="Ada New", team=cast.HOME.id))
    workspace.add_channel(Channel(id="C0NEW", name="new", kind="public", members={"U0NEW"}))
    assert workspace.place("#new").id == "C0NEW"
    assert workspace.open_direct_message("U0NEW").person == "U0NEW"
    workspace.say("C0NEW", "U0NEW", "hello")
    assert len(workspace.messages("C0NEW")) == 1


def test_a_sandbox_in_its_own_process_says_how_to_reach_it_and_ends_when_told():
    code = (
        "from handlers.serve import run_sandbox_alone as run\n"
        "exit(run(port=0, deliver_to=None, say=print))"
    )
    command = [sys.executable, "-u", "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = dict(process.stdout.readline().strip().split("=", 1) for _ in range(4))
        client = WebClient(token=said["SLACK_BOT_TOKEN"], base_url=said["SLACK_API_URL"])
        assert client.auth_test()["user_id"] == cast.BOT_USER
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) == 0
    assert sorted(said) == sorted(environment(Workspace(), ""))


def test_another_company_is_offered_nothing_to_try(slack):
    ours = get(slack, f"/sandbox/state?user={slack.mira}")
    theirs = get(slack, f"/sandbox/state?user={slack.stranger}")
    assert ours["hints"]
    assert ours["placeholder"]
    assert (theirs["hints"], theirs["placeholder"]) == ([], "")


@pytest.mark.parametrize("path", ["/api/auth.test", "/sandbox/say", "/respond/nobody"])
def test_what_is_nested_too_deeply_or_too_large_is_refused_and_not_an_error_of_ours(slack, path):
    def send(body: bytes) -> tuple[int, str]:
        status, said = ask(slack, path, body=body, Content_Type="application/json")
        return status, str(said)

    for deep in (b"[" * 60_000 + b"]" * 60_000, b'{"a":' * 200 + b"1" + b"}" * 200):
        status, said = send(deep)
        assert status in {200, 400}
        assert "invalid" in said
    assert "invalid" in send(b'{"user": "\\ud800"}')[1]
    status, said = send(b" " * (LARGEST + 1))
    assert (status, "request_too_large" in said) == (413, True)


def test_a_request_that_names_two_hosts_or_origins_is_refused():
    for name, values in (
        (b"host", (b"localhost:3000", b"evil.example:3000")),
        (b"origin", (b"http://localhost:3000", b"http://evil.example")),
    ):
        headers = [(b"host", b"localhost:3000")] if name == b"origin" else []
        headers += [(name, value) for value in values]
        scope = {
            "type": "http",
            "method": "GET",
            "path": "/sandbox/state",
            "server": ("127.0.0.1", 3000),
            "headers": headers,
        }
        found = complaint_about(scope)
        assert found is not None
        assert found[0] == "invalid_host"
