"""The sandbox's page in a browser, against the real server and a small bot over Socket Mode."""

import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from slack_bolt import App
from slack_bolt.adapter.socket_mode import SocketModeHandler

from tests.sandbox_fixtures import SlackServer

pytestmark = pytest.mark.browser

HOSTILE = "<script>window.hacked = 1</script> <img src=x onerror='window.hacked = 1'> & <b>bold</b>"
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


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
        elif action == "forget":
            respond(text="Forgotten.", replace_original=True)

    def submit(self, ack: Any, view: dict[str, Any]) -> None:
        values = view["state"]["values"]
        self.submitted.append(values)
        if values["when"]["text"]["value"] == "sometimes":
            ack(response_action="errors", errors={"when": "Write weekly monday 09:00."})
        else:
            ack()


@pytest.fixture
def bot(slack: SlackServer) -> Iterator[TinyBot]:
    tiny = TinyBot(slack)
    handler = SocketModeHandler(tiny.app, slack.workspace.app_token)
    handler.connect()
    slack.wait_for(lambda: slack.delivery.is_online)
    yield tiny
    handler.close()


@pytest.fixture
def opened(page: Page, slack: SlackServer, bot: TinyBot) -> Page:
    """The page as Mira sees it, in #hiring."""
    return visit(page, slack)


def visit(page: Page, slack: SlackServer, place: str = "") -> Page:
    page.goto(f"{slack.url}/{place}")
    expect(composer(page)).to_be_visible()
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


def test_a_typed_command_is_echoed_and_answered_to_its_author_alone(opened: Page):
    say(opened, "/candidate ines")
    expect(messages(opened)).to_have_count(2)
    echo, answer = messages(opened).nth(0), messages(opened).nth(1)
    expect(echo.locator("code")).to_have_text("/candidate ines")
    expect(echo).to_contain_text("Only visible to you")
    expect(answer).to_contain_text("Only visible to you")
    expect(answer.get_by_role("heading", name="Ines Adeyemi")).to_be_visible()
    link = answer.get_by_role("link", name="llvm/llvm-project")
    expect(link).to_have_attribute("href", "https://github.com/llvm/llvm-project")
    expect(link).to_have_attribute("rel", re.compile("noopener"))
    expect(answer.locator("strong", has_text="Norrsken Labs")).to_be_visible()
    expect(answer.locator("em", has_text="reviews")).to_be_visible()
    expect(answer.locator("code", has_text="clang")).to_be_visible()
    expect(answer.locator(".mention")).to_have_text("@Mira Lindgren")
    expect(answer.locator(".context-row time")).to_have_text("1 Dec 2025")
    assert composer(opened).input_value() == ""


def test_what_is_shown_to_one_person_is_not_shown_to_another(opened: Page, slack: SlackServer):
    say(opened, "/candidate ines")
    expect(messages(opened)).to_have_count(2)
    say(opened, "Shall we meet?")
    expect(messages(opened)).to_have_count(3)
    opened.get_by_text("Jonas Okoye").click()
    expect(messages(opened)).to_have_count(1)
    expect(messages(opened)).to_contain_text("Shall we meet?")
    opened.get_by_text("Mira Lindgren").first.click()
    expect(messages(opened)).to_have_count(3)


def test_a_double_click_presses_once(opened: Page, slack: SlackServer, bot: TinyBot):
    say(opened, "/candidate ines")
    opened.get_by_role("button", name="Share in channel").dblclick()
    expect(opened.get_by_text("Ines, shared")).to_be_visible()
    time.sleep(0.3)
    assert [body["actions"][0]["action_id"] for body in bot.pressed] == ["share"]
    assert [m.text for m in slack.messages(slack.hiring)] == ["Ines, shared"]


def test_a_button_that_asks_first_is_pressed_only_when_the_answer_is_yes(
    opened: Page, bot: TinyBot
):
    say(opened, "/candidate ines")
    opened.get_by_role("button", name="Forget").click()
    dialog = opened.get_by_role("dialog", name="Forget Ines?")
    expect(dialog).to_contain_text("This cannot be undone.")
    opened.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert bot.pressed == []
    opened.get_by_role("button", name="Forget").click()
    dialog.get_by_role("button", name="Forget her").click()
    expect(opened.get_by_text("Forgotten.")).to_be_visible()
    expect(opened.get_by_role("heading", name="Ines Adeyemi")).to_have_count(0)


def test_an_overflow_menu_is_used_by_keyboard(opened: Page, slack: SlackServer, bot: TinyBot):
    say(opened, "/candidate ines")
    opened.get_by_role("button", name="More actions").press("Enter")
    expect(opened.get_by_role("menuitem", name="History")).to_be_focused()
    opened.keyboard.press("ArrowDown")
    opened.keyboard.press("Enter")
    slack.wait_for(lambda: bot.pressed)
    assert bot.pressed[0]["actions"][0]["selected_option"]["value"] == "remove"


def test_a_press_nobody_answers_is_told(opened: Page, slack: SlackServer, bot: TinyBot):
    say(opened, "/candidate ines")
    expect(opened.get_by_role("button", name="Share in channel")).to_be_visible()
    slack.workspace.delete(slack.ephemerals(slack.mira)[-1])
    expect(opened.get_by_role("button", name="Share in channel")).to_have_count(0)


def test_errors_of_a_form_stand_beside_its_inputs_until_it_is_right(opened: Page, bot: TinyBot):
    say(opened, "/candidate form")
    form = opened.get_by_role("dialog", name="Subscribe")
    expect(form.get_by_label("When")).to_be_focused()
    form.get_by_role("button", name="Save").click()
    expect(form.locator("[data-block=when]")).to_contain_text("Please complete this required field")
    assert bot.submitted == []
    form.get_by_label("When").fill("sometimes")
    form.get_by_label("Channel").select_option(label="#hiring")
    form.get_by_label("Changed").check()
    form.get_by_label("When").press("Enter")
    expect(form.locator("[data-block=when]")).to_contain_text("Write weekly monday 09:00.")
    expect(form.get_by_label("When")).to_have_attribute("aria-invalid", "true")
    expect(form.get_by_label("Channel")).to_have_value("C0HIRING001")
    form.get_by_label("When").fill("weekly monday 09:00")
    form.get_by_role("button", name="Save").click()
    expect(form).to_have_count(0)
    last = bot.submitted[-1]
    assert last["when"]["text"]["value"] == "weekly monday 09:00"
    assert last["where"]["room"]["selected_conversation"] == "C0HIRING001"
    assert [chosen["value"] for chosen in last["kinds"]["some"]["selected_options"]] == ["changed"]


def test_modals_stack_and_escape_closes_the_top_one(opened: Page, slack: SlackServer):
    say(opened, "/candidate form")
    form = opened.get_by_role("dialog", name="Subscribe")
    form.get_by_label("When").fill("daily 08:00")
    form.get_by_role("button", name="Details").click()
    details = opened.get_by_role("dialog", name="Details")
    expect(details.get_by_role("button", name="Back")).to_be_visible()
    opened.keyboard.press("Escape")
    expect(details).to_have_count(0)
    expect(form.get_by_label("When")).to_have_value("daily 08:00")
    opened.keyboard.press("Escape")
    expect(form).to_have_count(0)
    slack.wait_for(lambda: slack.modal(slack.mira) is None)


def test_the_focus_stays_inside_a_modal(opened: Page):
    say(opened, "/candidate form")
    expect(opened.get_by_role("dialog", name="Subscribe")).to_be_visible()
    for _ in range(12):
        opened.keyboard.press("Tab")
        assert opened.evaluate(
            "document.activeElement === document.body || !!document.activeElement.closest('dialog')"
        )


def test_a_thread_opens_beside_the_channel_and_takes_replies(opened: Page, slack: SlackServer):
    say(opened, "@Candidate Bot who is Ines?")
    first = messages(opened).first
    expect(first.locator(".mention")).to_have_text("@Candidate Bot")
    first.get_by_role("button", name="1 reply").click()
    thread = opened.get_by_role("complementary", name="Thread")
    expect(thread.locator(".message")).to_have_count(2)
    expect(thread).to_contain_text("Here in the thread")
    thread.get_by_role("textbox", name="Reply in the thread").fill("Thank you")
    opened.keyboard.press("Enter")
    expect(thread.locator(".message")).to_have_count(3)
    expect(messages(opened)).to_have_count(1)
    expect(first.get_by_role("button", name="2 replies")).to_be_visible()
    opened.keyboard.press("Escape")
    expect(thread).to_be_hidden()


def test_a_thread_refuses_commands_and_says_what_works(opened: Page):
    say(opened, "Good morning")
    messages(opened).first.hover()
    opened.get_by_role("button", name="Reply in thread to Mira Lindgren").click()
    reply = opened.get_by_role("textbox", name="Reply in the thread")
    reply.fill("/candidate ines")
    reply.press("Enter")
    expect(opened.locator("#thread .composer-error")).to_contain_text("do not work in threads")
    expect(reply).to_have_value("/candidate ines")


def test_home_is_filled_by_the_bot_and_its_buttons_work(
    opened: Page, slack: SlackServer, bot: TinyBot
):
    opened.get_by_role("button", name="Candidate Bot").click()
    opened.get_by_role("tab", name="Home").click()
    expect(opened.locator("#home")).to_contain_text("2 people stored")
    opened.get_by_role("button", name="Refresh").click()
    slack.wait_for(lambda: bot.pressed)
    assert bot.pressed[0]["view"]["type"] == "home"
    opened.get_by_role("tab", name="Messages").click()
    say(opened, "hello")
    expect(opened.get_by_text("You said: hello")).to_be_visible()


def test_a_text_file_is_sent_with_the_message(opened: Page, slack: SlackServer, bot: TinyBot):
    opened.get_by_role("button", name="Candidate Bot").click()
    content = {"name": "ines.txt", "mimeType": "text/plain", "buffer": b"Ines Adeyemi"}
    opened.locator("#composer input[type=file]").set_input_files(content)
    expect(opened.locator("#composer")).to_contain_text("ines.txt")
    say(opened, "a profile")
    expect(messages(opened).first).to_contain_text("ines.txt")
    slack.wait_for(lambda: bot.files == ["ines.txt"])


def test_hostile_text_stays_text(opened: Page, slack: SlackServer):
    say(opened, HOSTILE)
    expect(messages(opened).first).to_contain_text(HOSTILE)
    say(opened, "/candidate hostile")
    expect(messages(opened)).to_have_count(3)
    expect(messages(opened).last).to_contain_text(HOSTILE)
    slack.workspace.say(
        slack.hiring,
        slack.jonas,
        "<javascript:window.hacked=1|press me> <https://ok.example/?a=1&amp;b=2|fine>",
    )
    expect(messages(opened).last.get_by_role("link")).to_have_count(1)
    expect(messages(opened).last.get_by_role("link")).to_have_attribute(
        "href", "https://ok.example/?a=1&b=2"
    )
    assert opened.evaluate("window.hacked") is None
    assert opened.locator("#messages script, #messages img:not(.avatar), #messages b").count() == 0


def test_a_hint_fills_the_composer(opened: Page):
    opened.get_by_role("button", name="/candidate chenggang").click()
    expect(composer(opened)).to_have_value("/candidate chenggang")
    expect(composer(opened)).to_be_focused()
    expect(composer(opened)).to_have_attribute("placeholder", "Type /candidate chenggang")


def test_a_slash_offers_the_command_and_the_arrow_brings_back_what_was_sent(opened: Page):
    composer(opened).press_sequentially("/c")
    expect(opened.get_by_role("option").first).to_contain_text("/candidate")
    composer(opened).press("Enter")
    expect(composer(opened)).to_have_value("/candidate ")
    composer(opened).press_sequentially("nobody")
    composer(opened).press("Shift+Enter")
    composer(opened).press("Backspace")
    composer(opened).press("Enter")
    expect(messages(opened)).to_have_count(2)
    composer(opened).press("ArrowUp")
    expect(composer(opened)).to_have_value("/candidate nobody")


def test_messages_elsewhere_are_counted_until_they_are_read(opened: Page, slack: SlackServer):
    slack.workspace.say(slack.general, slack.jonas, "Cake in the kitchen")
    general = opened.get_by_role("button", name="general")
    expect(general).to_contain_text("1 unread")
    general.click()
    expect(messages(opened)).to_contain_text("Cake in the kitchen")
    expect(opened.get_by_text("New", exact=True)).to_be_visible()
    expect(opened.get_by_role("button", name="general")).not_to_contain_text("unread")


def test_who_changes_chairs_sees_what_came_meanwhile(opened: Page):
    say(opened, "For Jonas")
    expect(messages(opened)).to_have_count(1)
    opened.get_by_role("button", name="general").click()
    opened.get_by_text("Jonas Okoye").click()
    expect(opened.get_by_role("button", name="hiring 1 unread")).to_be_visible()


def test_an_answer_that_does_not_come_is_told_as_slack_tells_it(page: Page, make_slack: Any):
    slack = make_slack(ack_within=0.2)
    visit(page, slack)
    say(page, "/candidate ines")
    expect(messages(page).last).to_contain_text("Slackbot")
    expect(messages(page).last).to_contain_text(re.compile("/candidate failed with the error “"))


def test_a_lost_line_is_dialled_again_and_nothing_is_missed(opened: Page, slack: SlackServer):
    opened.context.set_offline(True)
    opened.evaluate("document.body")  # the page itself lives on
    slack.workspace.say(slack.hiring, slack.jonas, "first")
    opened.context.set_offline(False)
    slack.workspace.say(slack.hiring, slack.jonas, "second")
    expect(messages(opened)).to_have_count(2)


def test_channels_are_walked_by_arrow_keys(opened: Page):
    opened.keyboard.press("Control+k")
    expect(opened.get_by_role("button", name="hiring", exact=True)).to_be_focused()
    opened.keyboard.press("ArrowUp")
    expect(opened.get_by_role("button", name="general")).to_be_focused()
    opened.keyboard.press("Enter")
    expect(opened.get_by_role("heading", name="general", exact=True)).to_be_visible()
    opened.keyboard.press("Alt+ArrowDown")
    expect(opened.get_by_role("heading", name="hiring", exact=True)).to_be_visible()


def test_new_messages_are_announced(opened: Page, slack: SlackServer):
    slack.workspace.say(slack.hiring, slack.jonas, "Good morning")
    expect(opened.locator("#announcer")).to_have_text("Jonas Okoye: Good morning")


def test_a_phone_shows_everything_without_sideways_scrolling(
    make_page: Callable[..., Page], slack: SlackServer, bot: TinyBot
):
    page = visit(make_page(**PHONE), slack)
    say(page, "/candidate ines")
    expect(messages(page)).to_have_count(2)
    say(page, "x" * 300)
    expect(messages(page)).to_have_count(3)
    assert overflow(page) <= 0
    page.get_by_role("button", name="Channels and people").click()
    expect(page.get_by_role("button", name="general")).to_be_visible()
    page.get_by_role("button", name="Candidate Bot").click()
    expect(page.get_by_role("button", name="general")).to_be_hidden()
    page.get_by_role("tab", name="Home").click()
    expect(page.locator("#home")).to_contain_text("2 people stored")
    assert overflow(page) <= 0
    page.get_by_role("tab", name="Messages").click()
    say(page, "/candidate form")
    expect(page.get_by_role("dialog", name="Subscribe")).to_be_visible()
    assert overflow(page) <= 0


CONTRAST = """() => {
  const luminance = (color) => {
    const parts = color.match(/[\\d.]+/g).slice(0, 3).map((part) => {
      const value = Number(part) / 255;
      return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };
  const behind = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if (!/, 0\\)$|transparent/.test(color)) return color;
    }
    return "rgb(255, 255, 255)";
  };
  const faint = [];
  for (const node of document.querySelectorAll("body *")) {
    const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
    if (!own || !node.checkVisibility({ opacityProperty: true }) || node.disabled) continue;
    const [a, b] = [luminance(getComputedStyle(node).color), luminance(behind(node))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) faint.push(`${node.className} ${node.textContent.slice(0, 30)} ${ratio}`);
  }
  return faint;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_has_contrast_in_both_colour_schemes(
    make_page: Callable[..., Page], slack: SlackServer, bot: TinyBot, scheme: str
):
    page = visit(make_page(color_scheme=scheme, reduced_motion="reduce"), slack)
    say(page, "/candidate ines")
    expect(messages(page)).to_have_count(2)
    slack.workspace.say(slack.general, slack.jonas, "one unread")
    expect(page.get_by_text("1 unread")).to_be_attached()
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(255, 255, 255)") is (scheme == "light")
    assert page.evaluate(CONTRAST) == []
    say(page, "/candidate form")
    page.get_by_role("dialog", name="Subscribe").get_by_role("button", name="Save").click()
    expect(page.locator("[data-block=when] .input-error")).not_to_be_empty()
    assert page.evaluate(CONTRAST) == []


def test_the_colours_can_be_chosen_and_are_remembered(opened: Page, slack: SlackServer):
    toggle = opened.locator("#theme")
    expect(toggle).to_have_attribute("aria-label", "Colours: system")
    toggle.click()
    toggle.click()
    expect(toggle).to_have_attribute("aria-label", "Colours: dark")
    opened.reload()
    expect(toggle).to_have_attribute("aria-label", "Colours: dark")
    assert opened.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(27, 29, 33)"


def test_the_address_leads_back_to_the_same_person_and_channel(opened: Page, slack: SlackServer):
    opened.get_by_text("Jonas Okoye").click()
    opened.get_by_role("button", name="general").click()
    expect(opened).to_have_url(re.compile(f"#{slack.jonas}/{slack.general}$"))
    opened.reload()
    expect(opened.get_by_role("heading", name="general", exact=True)).to_be_visible()
    expect(opened.get_by_role("radio", name="Jonas Okoye")).to_be_checked()


EVERY_BLOCK = [
    {"type": "header", "text": words("All of them", "plain_text")},
    {"type": "divider"},
    {"type": "section", "fields": [words("*Place*\nMalmö"), words("*Years*\n8")]},
    section("&gt; quoted\nthen ```a\n  b```\n:tada: :no-such-emoji: <!here> <#C0GENERAL01>"),
    section(
        "select",
        accessory={
            "type": "static_select",
            "action_id": "zone",
            "placeholder": words("Zone", "plain_text"),
            "options": [option("Berlin"), option("Lisbon")],
        },
    ),
    {
        "type": "actions",
        "elements": [
            {"type": "users_select", "action_id": "who"},
            {"type": "conversations_select", "action_id": "where"},
            {"type": "channels_select", "action_id": "room"},
            {"type": "datepicker", "action_id": "day", "initial_date": "2026-12-07"},
            {"type": "timepicker", "action_id": "hour", "initial_time": "09:00"},
            {
                "type": "radio_buttons",
                "action_id": "one",
                "options": [option("Daily"), option("Weekly")],
            },
            {"type": "checkboxes", "action_id": "some", "options": [option("New")]},
            {
                "type": "multi_static_select",
                "action_id": "many",
                "placeholder": words("Languages", "plain_text"),
                "options": [option("Rust"), option("Python")],
            },
        ],
    },
    {
        "type": "rich_text",
        "elements": [
            {
                "type": "rich_text_list",
                "style": "bullet",
                "elements": [
                    {
                        "type": "rich_text_section",
                        "elements": [{"type": "text", "text": "one", "style": {"bold": True}}],
                    }
                ],
            }
        ],
    },
    {
        "type": "table",
        "rows": [
            [{"type": "raw_text", "text": "Skill"}, {"type": "raw_text", "text": "Score"}],
            [{"type": "raw_text", "text": "mlir"}, {"type": "raw_text", "text": "9"}],
        ],
    },
    {"type": "markdown", "text": "## Title\n\n- **bold** [site](https://ok.example)\n\n> quote"},
    {"type": "image", "image_url": "https://away.example/x.png", "alt_text": "A chart"},
    {"type": "block_of_tomorrow"},
]


def test_every_block_is_drawn_and_its_fields_send_what_slack_would(
    opened: Page, slack: SlackServer, bot: TinyBot
):
    def with_ids(index: int, block: dict[str, Any]) -> dict[str, Any]:
        return {"block_id": f"b{index}", **block}

    blocks = [with_ids(index, block) for index, block in enumerate(EVERY_BLOCK)]
    slack.workspace.say(
        slack.hiring, slack.bot_user, "all", bot_id=slack.workspace.bot_id, blocks=blocks
    )
    row = messages(opened).last
    expect(row.locator(".block")).to_have_count(len(EVERY_BLOCK))
    expect(row.locator("blockquote").first).to_have_text("quoted")
    expect(row.locator("pre")).to_have_text("a\n  b")
    expect(row).to_contain_text("🎉 :no-such-emoji: @here")
    expect(row.get_by_role("columnheader", name="Score")).to_be_visible()
    expect(row.get_by_role("img", name="A chart")).to_be_visible()
    expect(row).to_contain_text("the sandbox does not know it")
    expect(row.locator(".markdown a")).to_have_attribute("href", "https://ok.example/")

    def last(action: str) -> dict[str, Any]:
        found = slack.wait_for(
            lambda: [b for b in bot.pressed if b["actions"][0]["action_id"] == action]
        )
        return dict(found[-1]["actions"][0])

    row.get_by_role("combobox", name="Zone").select_option("berlin")
    assert last("zone")["selected_option"]["value"] == "berlin"
    row.get_by_role("radio", name="Weekly").check()
    assert last("one")["selected_option"]["value"] == "weekly"
    row.get_by_role("checkbox", name="New").check()
    assert [chosen["value"] for chosen in last("some")["selected_options"]] == ["new"]
    row.locator("[data-action=who] select").select_option(slack.jonas)
    assert last("who")["selected_user"] == slack.jonas
    row.locator("[data-action=room] select").select_option(slack.general)
    assert last("room")["selected_channel"] == slack.general
    row.locator("[data-action=day]").fill("2026-12-14")
    assert last("day")["selected_date"] == "2026-12-14"
    row.locator("[data-action=many] summary").click()
    row.get_by_role("checkbox", name="Rust").check()
    assert [chosen["value"] for chosen in last("many")["selected_options"]] == ["rust"]
    state = bot.pressed[-1]["state"]["values"]["b5"]
    assert state["hour"]["selected_time"] == "09:00"
    assert state["day"]["selected_date"] == "2026-12-14"
