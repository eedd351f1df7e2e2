"""The tests' Slack: the sandbox on a free loopback port, and hands to use it.

``slack`` is a running workspace; ``make_slack`` starts one with other options.
What a test does goes over HTTP, as the page does it.
"""

import json
import time
import urllib.request
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest
from slack_sdk import WebClient

from handlers.sandbox import cast
from handlers.sandbox.blocks import elements_of
from handlers.sandbox.faults import Fault, Faults
from handlers.sandbox.records import Called, Message, View
from handlers.sandbox.server import Served, create_sandbox, environment, serve_in_thread
from handlers.sandbox.workspace import Workspace


class SlackServer:
    """A running workspace and what a test does with it."""

    mira, jonas, guest, stranger = cast.MIRA, cast.JONAS, cast.GUEST, cast.STRANGER
    general, hiring, leads, acme = cast.GENERAL, cast.HIRING, cast.LEADS, cast.ACME
    bot_user = cast.BOT_USER

    def __init__(self, served: Served) -> None:
        self.served = served
        self.url = served.url
        self.api_url = f"{served.url}/api/"
        self.workspace: Workspace = served.sandbox.workspace
        self.faults: Faults = served.sandbox.faults
        self.delivery = served.sandbox.delivery
        self.notices: list[str] = []
        self.workspace.listen(self._note)

    # For the bot

    @property
    def environment(self) -> dict[str, str]:
        return environment(self.workspace, self.url)

    def client(self, **options: Any) -> WebClient:
        """slack_sdk's client with the bot's token, which tries nothing twice."""
        options = {"token": self.workspace.bot_token, "retry_handlers": [], **options}
        return WebClient(base_url=self.api_url, **options)

    def deliver_to(self, url: str | None) -> None:
        """From now on, reach the bot by signed HTTP at this address."""
        self.delivery.deliver_to = url

    # What people do

    def say(self, user: str, channel: str, text: str, *, thread_ts: str | None = None) -> Any:
        """Type a message or a command; returns when the bot has acknowledged a command."""
        wish = {"user": user, "channel": channel, "text": text, "thread_ts": thread_ts}
        return self.post("say", wish)

    def share(
        self,
        user: str,
        channel: str,
        *files: tuple[str, str | bytes],
        text: str = "",
        thread_ts: str | None = None,
    ) -> Message:
        """Send a message with files, each a name and its content; returns the message."""
        told = [
            {
                "name": name,
                "base64": b64encode(each.encode() if isinstance(each, str) else each).decode(),
            }
            for name, each in files
        ]
        wish = {"user": user, "channel": channel, "files": told, "text": text}
        ts = self.post("share", {**wish, "thread_ts": thread_ts})["ts"]
        message = self.workspace.message(channel, ts)
        assert message is not None
        return message

    def upload(self, user: str, name: str, content: str) -> dict[str, Any]:
        """Put a file into a form that is open; returns what the form's state says of it."""
        found: dict[str, Any] = self.post(
            "upload", {"user": user, "name": name, "content": content}
        )["file"]
        return found

    def shortcut(self, user: str, message: Message, callback_id: str = "candidate.add") -> Any:
        """Choose the app's entry in the menu of a message."""
        where = {"channel": message.channel, "ts": message.ts}
        return self.post("shortcut", {"user": user, **where, "callback_id": callback_id})

    def click(self, user: str, where: Message | View, action: str, **chosen: Any) -> Any:
        """Press what has this ``action_id`` (or begins with it) in a message, modal or Home."""
        blocks = where.blocks if isinstance(where, Message) else where.body["blocks"]
        for block in blocks or []:
            for _, element in elements_of(block):
                if element["action_id"].startswith(action):
                    place = (
                        {"channel": where.channel, "ts": where.ts}
                        if isinstance(where, Message)
                        else {"view_id": where.id}
                    )
                    wish = {"block_id": block["block_id"], "action_id": element["action_id"]}
                    return self.post("click", {"user": user, **place, **wish, **chosen})
        raise AssertionError(f"nothing to press begins with {action!r}")

    def submit(self, user: str, view: View, values: dict[str, Any] | None = None) -> Any:
        state = {"values": values or {}}
        return self.post("submit", {"user": user, "view_id": view.id, "state": state})

    def close(self, user: str, view: View) -> Any:
        return self.post("close", {"user": user, "view_id": view.id})

    def open_home(self, user: str) -> Any:
        return self.post("home", {"user": user})

    def post(self, action: str, wish: dict[str, Any]) -> Any:
        """A request of the page: ``/sandbox/ACTION``."""
        request = urllib.request.Request(
            f"{self.url}/sandbox/{action}",
            data=json.dumps(wish).encode(),
            headers={"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=70) as answer:
            return json.load(answer)

    # What is to be seen

    def direct(self, user: str) -> str:
        """The channel of this person's direct message with the bot."""
        return self.workspace.open_direct_message(user).id

    def messages(self, channel: str) -> list[Message]:
        """What everyone in the channel sees, oldest first."""
        return self.workspace.messages(channel)

    def ephemerals(self, user: str) -> list[Message]:
        """What only this person was shown, oldest first."""
        return self.workspace.ephemerals(user)

    def modal(self, user: str) -> View | None:
        """The modal on top of this person's screen."""
        with self.workspace.lock:
            stack = self.workspace.stacks.get(user, [])
            return self.workspace.views[stack[-1]] if stack else None

    def home(self, user: str) -> View | None:
        return self.workspace.homes.get(user)

    def calls(self, method: str | None = None) -> list[Called]:
        """The Web API calls so far, oldest first."""
        return [c for c in list(self.workspace.calls) if method in {None, c.method}]

    def ack_seconds(self) -> list[float]:
        """How long each delivery took until it was acknowledged."""
        return [d.seconds for d in list(self.workspace.deliveries) if d.error is None]

    # Trouble

    def fail(self, method: str = "*", **fault: Any) -> Fault:
        """The next call of the method fails (see handlers/sandbox/faults.py)."""
        return self.faults.add(Fault(method=method, **fault))

    # Time

    def wait_for(self, condition: Callable[[], Any], *, within: float = 15.0) -> Any:
        """What ``condition`` returns once it is true; an AssertionError after ``within`` s."""
        until = time.monotonic() + within
        while not (found := condition()):
            assert time.monotonic() < until, f"not within {within} s; notices: {self.notices}"
            time.sleep(0.01)
        return found

    def _note(self, change: Any) -> None:
        if change.event["type"] == "notice":
            self.notices.append(change.event["text"])


@contextmanager
def running_slack(
    *, clock: Callable[[], datetime] | None = None, scopes: Any = None, **options: Any
) -> Iterator[SlackServer]:
    """A workspace while the block runs; options as of ``create_sandbox``.

    On the real clock Slack's three seconds are ten here: how fast a busy machine is, is
    not what tests are about.
    """
    options.setdefault("ack_within", 10.0)
    settings: dict[str, Any] = {}
    if clock is None:
        settings["trigger_life"] = timedelta(seconds=10)
    else:
        settings["clock"] = clock
    if scopes is not None:
        settings["scopes"] = scopes
    served = serve_in_thread(create_sandbox(Workspace(**settings), **options))
    try:
        yield SlackServer(served)
    finally:
        served.stop()


@pytest.fixture
def slack() -> Iterator[SlackServer]:
    with running_slack() as server:
        yield server


@pytest.fixture
def make_slack() -> Iterator[Callable[..., SlackServer]]:
    """Start a workspace with options of ``running_slack``; all are stopped at the end."""
    with ExitStack() as stack:
        yield lambda **options: stack.enter_context(running_slack(**options))
