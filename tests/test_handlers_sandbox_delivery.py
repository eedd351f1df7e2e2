"""What people do reaches a real Bolt app, by Socket Mode and by signed HTTP, as Slack brings it."""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener, urlopen

import pytest
from slack_bolt import App, BoltRequest
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk.signature import SignatureVerifier
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from handlers.sandbox import cast
from tests.sandbox_fixtures import SlackServer

Json = dict[str, Any]


def plain(text: str) -> Json:
    return {"type": "plain_text", "text": text}


def field(block: str = "name") -> Json:
    element = {"type": "plain_text_input", "action_id": "in"}
    return {"type": "input", "block_id": block, "label": plain("Name"), "element": element}


def modal(title: str, **fields: Any) -> Json:
    return {
        "type": "modal",
        "callback_id": "edit",
        "title": plain(title),
        "submit": plain("Save"),
        "blocks": [field()],
        **fields,
    }


BUTTONS = [
    {
        "type": "actions",
        "elements": [
            {"type": "button", "text": plain("More"), "action_id": "more", "value": "42"},
            {
                "type": "static_select",
                "action_id": "pick",
                "options": [{"text": plain("A"), "value": "a"}],
            },
        ],
    }
]


class TinyBot:
    """A Bolt app that notes what it hears."""

    def __init__(self, slack: SlackServer) -> None:
        self.heard: list[Json] = []
        self.answer: Json = {}
        logger = logging.getLogger("tiny-bot")
        logger.setLevel(logging.CRITICAL)
        self.app = App(
            client=slack.client(),
            signing_secret=slack.workspace.signing_secret,
            logger=logger,
        )
        self.app.command("/candidate")(self.command)
        self.app.action({"type": "block_actions", "action_id": "more"})(self.press)
        self.app.action("pick")(self.note)
        self.app.view("edit")(self.submit)
        self.app.view_closed("edit")(self.note)
        for event in ("app_mention", "message", "app_home_opened"):
            self.app.event(event)(self.note)

    def command(self, ack: Any, body: Json, respond: Any) -> None:
        self.heard.append(body)
        ack()
        respond(text=f"You said {body['text']}", blocks=BUTTONS, response_type="ephemeral")

    def press(self, ack: Any, body: Json, client: Any) -> None:
        self.heard.append(body)
        ack()
        client.views_open(trigger_id=body["trigger_id"], view=modal("Edit", notify_on_close=True))

    def submit(self, ack: Any, body: Json) -> None:
        self.heard.append(body)
        ack(**self.answer)

    def note(self, ack: Any, body: Json) -> None:
        ack()
        self.heard.append(body)


class BoltOverHttp(BaseHTTPRequestHandler):
    """Hands requests to ``server.bot``'s Bolt app."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        headers = {name: [value] for name, value in self.headers.items()}
        answer = self.server.bot.app.dispatch(BoltRequest(body=body, headers=headers))
        self.send_response(answer.status)
        for name, values in answer.headers.items():
            self.send_header(name, values[0])
        self.end_headers()
        self.wfile.write((answer.body or "").encode())

    def log_message(self, *args: Any) -> None:
        pass


@contextmanager
def http_server(handler: type[BaseHTTPRequestHandler], **about: Any) -> Iterator[str]:
    """A server for the bot's request URL while the block runs; its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    vars(server).update(about)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/slack/events"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def socket_mode(slack: SlackServer, bot: TinyBot, **options: Any) -> Iterator[SocketModeHandler]:
    handler = SocketModeHandler(
        bot.app, slack.workspace.app_token, web_client=slack.client(), **options
    )
    handler.connect()
    try:
        slack.wait_for(lambda: slack.delivery.sockets.is_open)
        yield handler
    finally:
        handler.close()


@pytest.fixture
def bot(slack) -> Iterator[TinyBot]:
    """By HTTP; a socket takes seconds to close, so one test below walks the whole way on it."""
    tiny = TinyBot(slack)
    with http_server(BoltOverHttp, bot=tiny) as url:
        slack.deliver_to(url)
        yield tiny


# What reaches the bot


def test_a_command_is_acknowledged_and_answered_to_its_author_alone(slack, bot):
    slack.say(slack.mira, slack.hiring, "/candidate skill:cuda>=9 in #hiring, ask @jonas")
    answer = slack.wait_for(lambda: slack.ephemerals(slack.mira))[0]
    said = f"skill:cuda&gt;=9 in <#{slack.hiring}|hiring>, ask <@{slack.jonas}|jonas>"
    assert answer.text == f"You said {said}"
    assert slack.ephemerals(slack.jonas) == []
    assert len(slack.ack_seconds()) == 1
    assert slack.notices == []


def test_a_commands_payload_has_slacks_fields(slack, bot):
    slack.say(slack.mira, slack.leads, "/candidate chenggang")
    (heard,) = slack.wait_for(lambda: bot.heard)
    assert set(heard) == {
        "token",
        "team_id",
        "team_domain",
        "channel_id",
        "channel_name",
        "user_id",
        "user_name",
        "command",
        "text",
        "api_app_id",
        "is_enterprise_install",
        "response_url",
        "trigger_id",
    }
    assert heard["channel_name"] == "privategroup"
    assert heard["is_enterprise_install"] == "false"


def test_a_press_opens_a_modal_whose_form_comes_back(slack, bot):
    slack.say(slack.mira, slack.hiring, "/candidate x")
    message = slack.wait_for(lambda: slack.ephemerals(slack.mira))[0]
    assert slack.click(slack.mira, message, "more") == {"ok": True}
    view = slack.wait_for(lambda: slack.modal(slack.mira))
    press = bot.heard[1]
    assert press["container"]["is_ephemeral"]
    assert "message" not in press
    assert press["actions"][0]["value"] == "42"
    assert slack.submit(slack.mira, view) == {
        "ok": True,
        "errors": {"name": "Please complete this required field."},
    }
    typed = {"name": {"in": {"type": "plain_text_input", "value": "Ines"}}}
    assert slack.submit(slack.mira, view, typed) == {"ok": True}
    assert slack.modal(slack.mira) is None
    sent = bot.heard[2]["view"]["state"]["values"]
    assert sent == {"name": {"in": {"type": "plain_text_input", "value": "Ines"}}}


def test_a_choice_in_a_channel_message_brings_the_message_along(slack, bot):
    message = slack.workspace.say(
        slack.hiring,
        cast.BOT_USER,
        "hello",
        bot_id=cast.BOT_ID,
        blocks=[{**BUTTONS[0], "block_id": "b"}],
    )
    chosen = {"selected_option": {"text": plain("A"), "value": "a"}}
    assert slack.click(slack.jonas, message, "pick", **chosen)["ok"]
    (heard,) = slack.wait_for(lambda: bot.heard)
    assert heard["message"]["ts"] == message.ts
    assert heard["actions"][0]["selected_option"]["value"] == "a"
    assert heard["channel"] == {"id": slack.hiring, "name": "hiring"}


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        ({"response_action": "errors", "errors": {"name": "Too short"}}, ["Edit"]),
        ({"response_action": "update", "view": modal("Done")}, ["Done"]),
        ({"response_action": "push", "view": modal("Next")}, ["Edit", "Next"]),
        ({"response_action": "clear"}, []),
        ({}, []),
    ],
    ids=["errors", "update", "push", "clear", "nothing"],
)
def test_the_acknowledgement_of_a_form_says_what_comes_next(slack, bot, answer, left):
    bot.answer = answer
    trigger = slack.workspace.new_trigger(slack.mira)
    slack.client().views_open(trigger_id=trigger.id, view=modal("Edit"))
    typed = {"name": {"in": {"type": "plain_text_input", "value": "Ines"}}}
    said = slack.submit(slack.mira, slack.modal(slack.mira), typed)
    assert said.get("errors") == answer.get("errors")
    stack = slack.workspace.stacks[slack.mira]
    assert [slack.workspace.views[v].body["title"]["text"] for v in stack] == left


def test_an_acknowledgement_that_slack_would_refuse_is_trouble(slack, bot):
    bot.answer = {"response_action": "update", "view": modal("A title that is much too long")}
    trigger = slack.workspace.new_trigger(slack.mira)
    slack.client().views_open(trigger_id=trigger.id, view=modal("Edit"))
    typed = {"name": {"in": {"type": "plain_text_input", "value": "Ines"}}}
    said = slack.submit(slack.mira, slack.modal(slack.mira), typed)
    assert (said["ok"], said["error"]) == (False, "invalid_arguments")
    bot.answer = {"response_action": "errors", "errors": {"nowhere": "x"}}
    said = slack.submit(slack.mira, slack.modal(slack.mira), typed)
    assert said["error"] == "invalid_errors"
    assert slack.notices == ["We had some trouble connecting. Try again?"] * 2


def test_closing_a_modal_is_told_to_a_bot_that_asked(slack, bot):
    trigger = slack.workspace.new_trigger(slack.mira)
    client = slack.client()
    client.views_open(trigger_id=trigger.id, view=modal("Edit", notify_on_close=True))
    slack.close(slack.mira, slack.modal(slack.mira))
    (heard,) = slack.wait_for(lambda: bot.heard)
    assert (heard["type"], heard["is_cleared"]) == ("view_closed", False)


def test_a_mention_in_a_channel_and_in_a_thread_is_an_event(slack, bot):
    slack.say(slack.mira, slack.hiring, "@candidate node.js?")
    slack.say(slack.mira, slack.hiring, "nobody is called")
    (heard,) = slack.wait_for(lambda: bot.heard)
    event = heard["event"]
    assert event["type"] == "app_mention"
    assert event["text"] == f"<@{slack.bot_user}> <http://node.js|node.js>?"
    slack.say(slack.jonas, slack.hiring, "@candidate and?", thread_ts=event["ts"])
    slack.wait_for(lambda: len(bot.heard) == 2)
    assert bot.heard[1]["event"]["thread_ts"] == event["ts"]
    assert bot.heard[0]["event_id"] != bot.heard[1]["event_id"]


def test_a_direct_message_and_an_opened_home_are_events(slack, bot):
    slack.say(slack.mira, slack.direct(slack.mira), "chenggang")
    (heard,) = slack.wait_for(lambda: bot.heard)
    assert (heard["event"]["type"], heard["event"]["channel_type"]) == ("message", "im")
    slack.open_home(slack.mira)
    slack.wait_for(lambda: len(bot.heard) == 2)
    assert (bot.heard[1]["event"]["type"], bot.heard[1]["event"]["tab"]) == (
        "app_home_opened",
        "home",
    )


def test_a_shared_file_can_be_fetched_with_the_token(slack, bot):
    wish = {"user": slack.mira, "channel": slack.direct(slack.mira)}
    slack.post("share", {**wish, "name": "page.txt", "content": "Ines Adeyemi"})
    (heard,) = slack.wait_for(lambda: bot.heard)
    (file,) = heard["event"]["files"]
    assert heard["event"]["subtype"] == "file_share"
    described = slack.client().files_info(file=file["id"])["file"]
    assert described["size"] == 12
    token = {"Authorization": f"Bearer {slack.workspace.bot_token}"}
    with urlopen(Request(file["url_private"], headers=token)) as answer:
        assert answer.read() == b"Ines Adeyemi"


def test_an_event_told_to_come_twice_comes_twice_with_the_same_id(slack, bot):
    slack.post("faults", {"duplicate_events": 1})
    slack.say(slack.mira, slack.hiring, "@candidate hi")
    slack.wait_for(lambda: len(bot.heard) == 2)
    assert bot.heard[0]["event_id"] == bot.heard[1]["event_id"]
    slack.say(slack.mira, slack.hiring, "@candidate hi")
    slack.wait_for(lambda: len(bot.heard) == 3)


def test_people_of_another_company_are_told_by_their_team(slack, bot):
    slack.say(slack.stranger, slack.acme, "/candidate x")
    slack.say(slack.stranger, slack.acme, "@candidate x")
    command, event = slack.wait_for(lambda: len(bot.heard) == 2 and bot.heard)
    assert command["team_id"] == cast.PARTNER
    assert (event["team_id"], event["event"]["user_team"]) == (cast.HOME.id, cast.PARTNER)
    assert event["is_ext_shared_channel"]
    blocks = [{**BUTTONS[0], "block_id": "b"}]
    message = slack.workspace.say(slack.acme, cast.BOT_USER, "x", blocks=blocks)
    slack.click(slack.stranger, message, "more")
    press = slack.wait_for(lambda: len(bot.heard) == 3 and bot.heard[2])
    assert (press["team"]["id"], press["user"]["team_id"]) == (cast.HOME.id, cast.PARTNER)


# What Slack itself says


def test_a_command_nobody_made_is_told_to_its_author(slack):
    slack.say(slack.mira, slack.hiring, "/dance")
    assert slack.notices == ["/dance is not a valid command."]


def test_without_a_bot_a_command_fails_at_once(slack):
    slack.say(slack.mira, slack.hiring, "/candidate x")
    assert slack.notices == ["/candidate failed with the error “dispatch_failed”"]
    assert slack.workspace.deliveries[0].error == "dispatch_failed"


def test_a_mention_where_the_bot_is_not_is_answered_by_slack(slack):
    slack.say(slack.mira, slack.leads, "@candidate hi")
    assert "not in #hiring-leads" in slack.notices[0]


def test_an_answer_that_slack_would_refuse_fails_the_command(slack):
    with scripted(slack, (200, {}, '{"text": "x", "blocks": [{"type": "poster"}]}', 0)):
        slack.say(slack.mira, slack.hiring, "/candidate x")
    assert slack.notices == ["/candidate failed with the error “invalid_blocks”"]


def test_a_file_is_for_who_holds_the_token(slack):
    wish = {"user": slack.mira, "channel": slack.hiring, "name": "page.txt", "content": "Ines"}
    slack.post("share", wish)
    (message,) = slack.messages(slack.hiring)
    token = {"Authorization": f"Bearer {slack.workspace.bot_token}"}
    address = message.files[0]["url_private"]
    with pytest.raises(HTTPError) as missing:
        urlopen(Request(address.replace(message.files[0]["id"], "F404"), headers=token))
    missing.value.close()
    assert missing.value.code == 404
    slack.workspace.tokens.clear()
    with pytest.raises(HTTPError) as sent_away:
        build_opener(NoRedirect).open(Request(address, headers=token))
    sent_away.value.close()
    assert sent_away.value.code == 302


def test_a_command_in_a_thread_does_not_exist(slack):
    parent = slack.workspace.say(slack.hiring, slack.mira, "parent")
    said = slack.say(slack.mira, slack.hiring, "/candidate x", thread_ts=parent.ts)
    assert (said["ok"], said["error"]) == (False, "not_in_thread")


class Script(BaseHTTPRequestHandler):
    """Answers with the next of ``server.script``: status, headers, body, seconds to wait."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.requests.append((dict(self.headers), body))
        script = self.server.script
        status, headers, text, seconds = script.pop(0) if script else (200, {}, "", 0)
        time.sleep(seconds)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *args: Any) -> None:
        pass


class NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *args: Any) -> None:
        return None


@contextmanager
def scripted(slack: SlackServer, *script: Any) -> Iterator[list[Any]]:
    requests: list[Any] = []
    with http_server(Script, script=list(script), requests=requests) as url:
        slack.deliver_to(url)
        yield requests


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        ((500, {}, "", 0), "http_service_error"),
        ((404, {}, "", 0), "http_client_error"),
        ((200, {}, "", 0.6), "operation_timeout"),
    ],
)
def test_a_bot_that_does_not_acknowledge_is_named_to_the_author(make_slack, answer, word):
    slack = make_slack(ack_within=0.3)
    with scripted(slack, answer):
        slack.say(slack.mira, slack.hiring, "/candidate x")
    assert slack.notices == [f"/candidate failed with the error “{word}”"]


def test_a_press_that_is_not_acknowledged_says_so(make_slack):
    slack = make_slack(ack_within=0.3)
    blocks = [{**BUTTONS[0], "block_id": "b"}]
    message = slack.workspace.say(slack.hiring, cast.BOT_USER, "x", blocks=blocks)
    with scripted(slack, (500, {}, "", 0)):
        said = slack.click(slack.mira, message, "more")
    assert (said["ok"], said["error"]) == (False, "http_service_error")
    wrong = {"user": slack.mira, "channel": slack.hiring, "ts": message.ts, "action_id": "nope"}
    assert slack.post("click", wrong)["error"] == "action_not_found"
    assert slack.post("click", {**wrong, "ts": "1.2"})["error"] == "message_not_found"


@pytest.mark.parametrize(
    ("body", "shown"), [("plain words", "plain words"), ('{"text": "as JSON"}', "as JSON")]
)
def test_an_answer_in_the_acknowledgement_is_private(slack, body, shown):
    with scripted(slack, (200, {}, body, 0)):
        slack.say(slack.mira, slack.hiring, "/candidate x")
    assert [m.text for m in slack.ephemerals(slack.mira)] == [shown]


def test_an_event_is_tried_again_at_once_and_twice_later(make_slack):
    slack = make_slack(retry_scale=0.0005)
    failing = (500, {}, "", 0)
    with scripted(slack, failing, failing, failing) as requests:
        slack.say(slack.mira, slack.hiring, "@candidate hi")
        slack.wait_for(lambda: len(slack.workspace.deliveries) == 4)
    tries = [headers.get("X-Slack-Retry-Num") for headers, _ in requests]
    assert tries == [None, "1", "2", "3"]
    assert len({body for _, body in requests}) == 1
    assert [d.error is None for d in slack.workspace.deliveries] == [False, False, False, True]


def test_a_bot_may_say_that_it_wants_no_retry(make_slack):
    slack = make_slack(retry_scale=0)
    with scripted(slack, (500, {"X-Slack-No-Retry": "1"}, "", 0)) as requests:
        slack.say(slack.mira, slack.hiring, "@candidate hi")
        slack.wait_for(lambda: slack.workspace.deliveries)
        time.sleep(0.1)
        assert len(requests) == 1


def test_requests_are_signed_with_the_time(slack):
    with scripted(slack) as requests:
        slack.say(slack.mira, slack.hiring, "/candidate x")
    headers, body = requests[0]
    sent = {name.lower(): value for name, value in headers.items()}
    assert abs(int(sent["x-slack-request-timestamp"]) - time.time()) < 5
    verifier = SignatureVerifier(slack.workspace.signing_secret)
    assert verifier.is_valid_request(body, sent)
    assert not verifier.is_valid_request(body + b"x", sent)


# Sockets


def socket_url(slack: SlackServer) -> str:
    client = slack.client(token=slack.workspace.app_token)
    return str(client.apps_connections_open(app_token=client.token)["url"])


def test_a_ticket_opens_one_socket(slack):
    url = socket_url(slack)
    with connect(url) as socket:
        assert '"type":"hello"' in socket.recv().replace(" ", "")
    with pytest.raises(InvalidStatus):
        connect(url)


def test_the_eleventh_socket_is_sent_away(slack):
    with ExitStack() as stack:
        for _ in range(10):
            stack.enter_context(connect(socket_url(slack)))
        slack.wait_for(lambda: len(slack.delivery.sockets) == 10)
        extra = stack.enter_context(connect(socket_url(slack)))
        assert "too_many_websockets" in extra.recv()
        with pytest.raises(ConnectionClosed):
            extra.recv(timeout=2)


def test_a_socket_that_says_nothing_times_out(make_slack):
    slack = make_slack(ack_within=0.2)
    with connect(socket_url(slack)) as socket:
        socket.recv()
        slack.post("faults", {"silent_sockets": True})
        slack.say(slack.mira, slack.hiring, "/candidate x")
        assert slack.notices == ["/candidate failed with the error “operation_timeout”"]
        slack.post("faults", {"clear": True})
        slack.say(slack.mira, slack.hiring, "/candidate x")
        assert '"slash_commands"' in socket.recv()
        socket.send("not JSON")


def test_everything_also_comes_by_socket(slack):
    tiny = TinyBot(slack)
    with socket_mode(slack, tiny):
        slack.say(slack.mira, slack.hiring, "/candidate a&b")
        message = slack.wait_for(lambda: slack.ephemerals(slack.mira))[0]
        assert message.text == "You said a&amp;b"
        slack.click(slack.mira, message, "more")
        view = slack.wait_for(lambda: slack.modal(slack.mira))
        tiny.answer = {"response_action": "errors", "errors": {"name": "Too short"}}
        typed = {"name": {"in": {"type": "plain_text_input", "value": "Ines"}}}
        assert slack.submit(slack.mira, view, typed)["errors"] == {"name": "Too short"}
        slack.say(slack.mira, slack.hiring, "@candidate hi")
        slack.wait_for(lambda: len(tiny.heard) == 4)
        slack.say(slack.mira, slack.direct(slack.mira), "hi")
        slack.wait_for(lambda: len(tiny.heard) == 5)
    assert {d.via for d in slack.workspace.deliveries} == {"socket"}
    assert len(slack.ack_seconds()) == 5
    assert tiny.heard[0]["is_enterprise_install"] == "false"


@pytest.mark.parametrize("mode", ["refresh", "drop"])
def test_a_bot_comes_back_after_its_socket_was_closed(slack, mode):
    tiny = TinyBot(slack)
    with socket_mode(slack, tiny, ping_interval=0.2):
        slack.post("reconnect", {"mode": mode})
        slack.wait_for(lambda: slack.delivery.sockets.is_open, within=10)
        slack.say(slack.mira, slack.hiring, "/candidate x")
        assert slack.wait_for(lambda: slack.ephemerals(slack.mira))
