"""What the tests of the sandbox's page share: a workspace with a small bot, and hands for the page.

``opened`` is the page as Mira sees it in #hiring; ``office`` the workspace behind it; ``tiny_bot``
a bot that answers to a few words over Socket Mode.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from slack_bolt import App
from slack_bolt.adapter.socket_mode import SocketModeHandler

from tests.sandbox_fixtures import SlackServer, running_slack

HOSTILE = "<script>window.hacked = 1</script> <img src=x onerror='window.hacked = 1'> & <b>bold</b>"


def words(text: str, kind: str = "mrkdwn") -> dict[str, Any]:
    return {"type": kind, "text": text}


def section(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "section", "text": words(text), **more}


def button(text: str, action: str, **more: Any) -> dict[str, Any]:
    return {"type": "button", "text": words(text, "plain_text"), "action_id": action, **more}


def actions(*elements: dict[str, Any]) -> dict[str, Any]:
    return {"type": "actions", "elements": list(elements)}


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def option(name: str) -> dict[str, Any]:
    return {"text": words(name, "plain_text"), "value": name.lower()}


CARD = [
    {"type": "header", "text": words("Ines Adeyemi", "plain_text")},
    section(
        "Compiler Engineer at *Norrsken Labs* · Malmö\n"
        "• *<https://github.com/llvm/llvm-project|llvm/llvm-project>* · 12 commits\n"
        "   _reviews_ of `clang` &amp; ~gcc~",
        accessory={
            "type": "overflow",
            "action_id": "rest",
            "options": [option("History"), option("Remove")],
        },
    ),
    {
        "type": "context",
        "elements": [words("Added <!date^1764579600^{date_short}|3 Dec> by <@U0MIRALINDG>")],
    },
    actions(
        button("Share in channel", "share", style="primary"),
        button(
            "Forget",
            "forget",
            style="danger",
            confirm={
                "title": words("Forget Ines?", "plain_text"),
                "text": words("This *cannot* be undone.", "mrkdwn"),
                "confirm": words("Forget her", "plain_text"),
                "deny": words("Keep", "plain_text"),
                "style": "danger",
            },
        ),
    ),
]
FORM = {
    "type": "modal",
    "callback_id": "subscribe",
    "title": words("Subscribe", "plain_text"),
    "submit": words("Save", "plain_text"),
    "blocks": [
        {
            "type": "input",
            "block_id": "when",
            "label": words("When", "plain_text"),
            "element": {"type": "plain_text_input", "action_id": "text"},
        },
        {
            "type": "input",
            "block_id": "where",
            "label": words("Channel", "plain_text"),
            "element": {"type": "conversations_select", "action_id": "room"},
        },
        {
            "type": "input",
            "block_id": "kinds",
            "optional": True,
            "label": words("Kinds", "plain_text"),
            "element": {
                "type": "checkboxes",
                "action_id": "some",
                "options": [option("New"), option("Changed")],
            },
        },
        {**actions(button("Details", "details")), "block_id": "more"},
    ],
}
DETAILS = {
    "type": "modal",
    "title": words("Details", "plain_text"),
    "blocks": [section("Nothing more to say.")],
}


READING = {
    "type": "modal",
    "title": words("Ines Adeyemi", "plain_text"),
    "blocks": [
        *(section(f"Contribution {number}: " + "word " * 40) for number in range(20)),
        {
            **actions(
                button(
                    "Do not contact",
                    "mark",
                    confirm={
                        "title": words("Do not contact Ines?", "plain_text"),
                        "text": words("She is in no digest.", "plain_text"),
                        "confirm": words("Mark", "plain_text"),
                        "deny": words("Cancel", "plain_text"),
                        "style": "danger",
                    },
                )
            ),
            "block_id": "marks",
        },
    ],
}
MARKED = {
    "type": "modal",
    "title": words("Ines Adeyemi", "plain_text"),
    "blocks": [section("*Ines Adeyemi* is now marked.")],
}


class TinyBot:
    """A bot that answers to a few words, and remembers what reached it."""

    def __init__(self, slack: SlackServer) -> None:
        self.pressed: list[dict[str, Any]] = []
        self.submitted: list[dict[str, Any]] = []
        self.files: list[str] = []
        self.app = App(
            token=slack.workspace.bot_token,
            client=slack.client(),
            signing_secret=slack.workspace.signing_secret,
            token_verification_enabled=False,
        )
        self.app.command("/candidate")(self.command)
        self.app.event("app_mention")(self.mentioned)
        self.app.event("message")(self.told)
        self.app.event("app_home_opened")(self.home)
        self.app.action(re.compile(".*"))(self.press)
        self.app.view("subscribe")(self.submit)

    def command(self, ack: Any, respond: Any, body: dict[str, Any], client: Any) -> None:
        ack()
        asked = body["text"]
        if asked == "form":
            client.views_open(trigger_id=body["trigger_id"], view=FORM)
        elif asked == "read":
            client.views_open(trigger_id=body["trigger_id"], view=READING)
        elif asked == "hostile":
            respond(text="hostile", blocks=[section(escaped(HOSTILE))])
        elif asked == "ines":
            respond(text="Ines Adeyemi", blocks=CARD)
        else:
            respond(text=f"Nobody called {asked}")

    def mentioned(self, event: dict[str, Any], say: Any) -> None:
        say(text="Here in the thread", thread_ts=event.get("thread_ts") or event["ts"])

    def told(self, event: dict[str, Any], say: Any) -> None:
        self.files += [file["name"] for file in event.get("files", [])]
        say(text=f"You said: {event['text']}")

    def home(self, event: dict[str, Any], client: Any) -> None:
        blocks = [section("*2 people stored*"), actions(button("Refresh", "refresh"))]
        client.views_publish(user_id=event["user"], view={"type": "home", "blocks": blocks})

    def press(self, ack: Any, body: dict[str, Any], client: Any, respond: Any) -> None:
        ack()
        self.pressed.append(body)
        action = body["actions"][0]["action_id"]
        if action == "share":
            client.chat_postMessage(channel=body["channel"]["id"], text="Ines, shared")
        elif action == "details":
            client.views_push(trigger_id=body["trigger_id"], view=DETAILS)
        elif action == "mark":
            client.views_update(view_id=body["container"]["view_id"], view=MARKED)
        elif action == "forget":
            respond(text="Forgotten.", replace_original=True)

    def submit(self, ack: Any, view: dict[str, Any]) -> None:
        values = view["state"]["values"]
        self.submitted.append(values)
        if values["when"]["text"]["value"] == "sometimes":
            ack(response_action="errors", errors={"when": "Write weekly monday 09:00."})
        else:
            ack()


@pytest.fixture(scope="module")
def running_office() -> Iterator[tuple[SlackServer, TinyBot]]:
    """One workspace with its bot for a whole module: to start them takes longer than a test."""
    with running_slack() as slack:
        bot = TinyBot(slack)
        handler = SocketModeHandler(bot.app, slack.workspace.app_token)
        handler.connect()
        slack.wait_for(lambda: slack.delivery.is_online)
        yield slack, bot
        handler.close()


@pytest.fixture
def office(running_office: tuple[SlackServer, TinyBot]) -> Iterator[SlackServer]:
    """A workspace in which ``tiny_bot`` listens, empty at first."""
    slack, _ = running_office
    yield slack
    for person in (slack.mira, slack.jonas, slack.guest):
        while (modal := slack.modal(person)) is not None:
            slack.close(person, modal)
        for channel in slack.workspace.channels:
            for message in slack.workspace.messages(channel, viewer=person):
                slack.workspace.delete(message)
    slack.workspace.homes.clear()


@pytest.fixture
def tiny_bot(running_office: tuple[SlackServer, TinyBot]) -> Iterator[TinyBot]:
    _, bot = running_office
    yield bot
    for remembered in (bot.pressed, bot.submitted, bot.files):
        remembered.clear()


@pytest.fixture
def opened(page: Page, office: SlackServer, tiny_bot: TinyBot) -> Page:
    """The page as Mira sees it, in #hiring."""
    return visit(page, office)


def visit(page: Page, slack: SlackServer, place: str = "") -> Page:
    page.goto(f"{slack.url}/{place}")
    expect(page.locator("body[data-line=up]")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    return page


def composer(page: Page) -> Locator:
    return page.locator("#composer-text")


def say(page: Page, text: str) -> None:
    composer(page).fill(text)
    composer(page).press("Enter")


def messages(page: Page) -> Locator:
    return page.locator("#messages > .message")


def overflow(page: Page) -> int:
    """Pixels by which the page is wider than its window."""
    wide = "[...document.querySelectorAll('.scroller, .dialog-body, .home-scroller, html')]"
    return int(page.evaluate(f"Math.max(...{wide}.map((at) => at.scrollWidth - at.clientWidth))"))
