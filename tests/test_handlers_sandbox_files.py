"""Files, forms with files and message shortcuts in the sandbox have Slack's shapes and codes."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.error import HTTPError
from urllib.parse import parse_qs
from urllib.request import Request, urlopen

import pytest
from slack_sdk.errors import SlackApiError

from handlers.sandbox.files import delete_file
from tests.sandbox_fixtures import SlackServer

Heard = list[dict[str, Any]]


@pytest.fixture
def heard(slack: SlackServer) -> Iterator[Heard]:
    """The payloads that reach a bot which acknowledges all."""
    payloads: Heard = []

    class Listener(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            form = parse_qs(body)
            payloads.append(json.loads(form["payload"][0] if "payload" in form else body))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Listener)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    slack.deliver_to(f"http://127.0.0.1:{server.server_port}/slack/events")
    yield payloads
    server.shutdown()
    thread.join()
    server.server_close()


def code(slack: SlackServer, file_id: str) -> str:
    with pytest.raises(SlackApiError) as caught:
        slack.client().files_info(file=file_id)
    return str(caught.value.response["error"])


def read(slack: SlackServer, file: dict[str, Any]) -> bytes:
    token = {"Authorization": f"Bearer {slack.workspace.bot_token}"}
    with urlopen(Request(file["url_private_download"], headers=token), timeout=10) as answer:
        return answer.read()


def test_several_files_come_in_one_message_with_their_bytes(slack: SlackServer):
    message = slack.share(slack.mira, slack.hiring, ("a.txt", b"\x00\xff"), ("b.md", "two"))
    assert [file["name"] for file in message.files] == ["a.txt", "b.md"]
    assert read(slack, message.files[0]) == b"\x00\xff"
    described = slack.client().files_info(file=message.files[1]["id"])["file"]
    assert (described["filetype"], described["size"], described["mode"]) == (
        "markdown",
        3,
        "hosted",
    )
    assert described["channels"] == [slack.hiring]


def test_a_file_where_the_bot_is_not_is_not_found(slack: SlackServer):
    message = slack.share(slack.mira, slack.leads, ("a.txt", "x"))
    assert code(slack, message.files[0]["id"]) == "file_not_found"
    with pytest.raises(HTTPError, match="404"):
        read(slack, message.files[0])
    assert code(slack, "F404") == "file_not_found"


def test_a_deleted_file_has_its_own_code(slack: SlackServer):
    message = slack.share(slack.mira, slack.hiring, ("a.txt", "x"))
    file_id = message.files[0]["id"]
    delete_file(slack.workspace, file_id)
    assert code(slack, file_id) == "file_deleted"
    assert message.files[0]["mode"] == "tombstone"


def test_a_hostile_name_makes_a_harmless_address(slack: SlackServer):
    message = slack.share(slack.mira, slack.hiring, ("../../a b?#\u202e%.txt", "x"))
    assert message.files[0]["name"] == "../../a b?#\u202e%.txt"
    assert read(slack, message.files[0]) == b"x"


def test_of_another_company_s_file_an_event_tells_the_id_alone(slack: SlackServer, heard: Heard):
    slack.share(slack.stranger, slack.acme, ("a.txt", "x"), text="@candidate add this")
    payload = slack.wait_for(lambda: heard and heard[0])
    (file,) = payload["event"]["files"]
    assert file["file_access"] == "check_file_info"
    assert "name" not in file
    assert slack.client().files_info(file=file["id"])["file"]["name"] == "a.txt"


def test_a_long_text_becomes_a_snippet(slack: SlackServer):
    slack.say(slack.mira, slack.hiring, "x" * 12_001)
    (file,) = slack.messages(slack.hiring)[-1].files
    assert (file["mode"], file["name"], file["filetype"]) == ("snippet", "Untitled", "text")


def test_a_shortcut_brings_the_whole_message(slack: SlackServer, heard: Heard):
    message = slack.share(slack.jonas, slack.hiring, ("a.txt", "x"), text="look")
    slack.shortcut(slack.mira, message)
    payload = slack.wait_for(lambda: heard and heard[0])
    assert payload["type"] == "message_action"
    assert payload["callback_id"] == "candidate.add"
    assert payload["user"]["id"] == slack.mira
    assert payload["channel"]["id"] == slack.hiring
    assert payload["message_ts"] == payload["message"]["ts"] == message.ts
    assert payload["message"]["user"] == slack.jonas
    assert payload["message"]["files"][0]["name"] == "a.txt"
    assert payload["trigger_id"]
    assert payload["response_url"].startswith(slack.url)


def test_a_shortcut_that_the_app_has_not_is_refused(slack: SlackServer):
    message = slack.share(slack.jonas, slack.hiring, ("a.txt", "x"))
    assert slack.shortcut(slack.mira, message, "other")["error"] == "action_not_found"


FORM = {
    "type": "modal",
    "callback_id": "form",
    "title": {"type": "plain_text", "text": "Files"},
    "submit": {"type": "plain_text", "text": "Send"},
    "blocks": [
        {
            "type": "input",
            "block_id": "files",
            "label": {"type": "plain_text", "text": "Files"},
            "element": {
                "type": "file_input",
                "action_id": "files",
                "filetypes": ["txt"],
                "max_files": 1,
            },
        }
    ],
}


def test_a_form_brings_its_files_described(slack: SlackServer, heard: Heard):
    trigger = slack.workspace.new_trigger(slack.mira)
    slack.client().views_open(trigger_id=trigger.id, view=FORM)
    view = slack.modal(slack.mira)
    files = [slack.upload(slack.mira, name, "x") for name in ("a.txt", "b.txt", "c.png")]

    def submit(*chosen: dict[str, Any]) -> dict[str, Any]:
        answer: dict[str, Any] = slack.submit(
            slack.mira, view, {"files": {"files": {"files": list(chosen)}}}
        )
        return answer

    assert "required" in submit()["errors"]["files"]
    assert "at most 1" in submit(files[0], files[1])["errors"]["files"]
    assert "kinds" in submit(files[2])["errors"]["files"]
    assert "required" in submit({"id": "F404"})["errors"]["files"]
    assert submit(files[0]) == {"ok": True}
    payload = slack.wait_for(lambda: heard and heard[0])
    (file,) = payload["view"]["state"]["values"]["files"]["files"]["files"]
    assert (file["name"], file["size"]) == ("a.txt", 1)
    assert slack.client().files_info(file=file["id"])["ok"]


@pytest.mark.parametrize("broken", ["!", "YQ=", "YQ"])
def test_what_is_no_base_64_is_refused(slack: SlackServer, broken: str):
    wish = {"user": slack.mira, "channel": slack.hiring, "name": "a.txt", "base64": broken}
    assert slack.post("share", wish)["error"] == "invalid_arguments"


def test_the_bot_is_told_the_address_it_calls_whatever_name_the_page_was_opened_under(
    slack: SlackServer,
):
    message = slack.share(slack.mira, slack.hiring, ("a.txt", "hello"))
    kept = message.files[0]
    kept["url_private"] = kept["url_private"].replace("127.0.0.1", "localhost")
    told = slack.client().files_info(file=kept["id"])["file"]
    assert told["url_private"] == told["url_private_download"]
    assert told["url_private"].startswith(slack.client().base_url.removesuffix("/api/"))
    assert read(slack, told) == b"hello"
