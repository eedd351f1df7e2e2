"""The sandbox's page in a browser: blocks and what can be pressed, modals, Home."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.page_fixtures import (
    TinyBot,
    actions,
    button,
    messages,
    option,
    say,
    section,
    visit,
    words,
)
from tests.sandbox_fixtures import SlackServer

pytestmark = pytest.mark.browser


def test_a_double_click_presses_once(opened: Page, office: SlackServer, tiny_bot: TinyBot):
    say(opened, "/candidate ines")
    opened.get_by_role("button", name="Share in channel").dblclick()
    expect(messages(opened).get_by_text("Ines, shared")).to_be_visible()
    time.sleep(0.3)
    assert [body["actions"][0]["action_id"] for body in tiny_bot.pressed] == ["share"]
    assert [m.text for m in office.messages(office.hiring)] == ["Ines, shared"]


def test_a_button_that_asks_first_is_pressed_only_when_the_answer_is_yes(
    opened: Page, tiny_bot: TinyBot
):
    say(opened, "/candidate ines")
    opened.get_by_role("button", name="Forget").click()
    dialog = opened.get_by_role("dialog", name="Forget Ines?")
    expect(dialog).to_contain_text("This cannot be undone.")
    opened.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert tiny_bot.pressed == []
    opened.get_by_role("button", name="Forget").click()
    dialog.get_by_role("button", name="Forget her").click()
    expect(messages(opened).get_by_text("Forgotten.")).to_be_visible()
    expect(opened.get_by_role("heading", name="Ines Adeyemi")).to_have_count(0)


def test_an_overflow_menu_is_used_by_keyboard(opened: Page, office: SlackServer, tiny_bot: TinyBot):
    say(opened, "/candidate ines")
    opened.get_by_role("button", name="More actions").press("Enter")
    expect(opened.get_by_role("menuitem", name="History")).to_be_focused()
    opened.keyboard.press("ArrowDown")
    opened.keyboard.press("Enter")
    office.wait_for(lambda: tiny_bot.pressed)
    assert tiny_bot.pressed[0]["actions"][0]["selected_option"]["value"] == "remove"


def test_a_press_that_fails_is_told_once_and_the_button_works_again(
    page: Page, make_slack: Callable[..., SlackServer]
):
    deaf = make_slack(ack_within=0.2)
    visit(page, deaf)
    blocks = [{"block_id": "b", **actions(button("Try", "try"))}]
    deaf.workspace.say(
        deaf.hiring, deaf.bot_user, "press", bot_id=deaf.workspace.bot_id, blocks=blocks
    )
    pressed = page.get_by_role("button", name="Try", exact=True)
    pressed.click()
    expect(messages(page).last).to_contain_text("did not answer the press")
    expect(pressed).not_to_have_attribute("aria-busy", "true")
    deaf.workspace.delete(deaf.messages(deaf.hiring)[-1])
    expect(pressed).to_have_count(0)


def test_errors_of_a_form_stand_beside_its_inputs_until_it_is_right(
    opened: Page, tiny_bot: TinyBot
):
    say(opened, "/candidate form")
    form = opened.get_by_role("dialog", name="Subscribe")
    expect(form.get_by_label("When")).to_be_focused()
    form.get_by_role("button", name="Save").click()
    expect(form.locator("[data-block=when]")).to_contain_text("Please complete this required field")
    assert tiny_bot.submitted == []
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
    last = tiny_bot.submitted[-1]
    assert last["when"]["text"]["value"] == "weekly monday 09:00"
    assert last["where"]["room"]["selected_conversation"] == "C0HIRING001"
    assert [chosen["value"] for chosen in last["kinds"]["some"]["selected_options"]] == ["changed"]


def test_modals_stack_and_escape_closes_the_top_one(opened: Page, office: SlackServer):
    say(opened, "/candidate form")
    form = opened.get_by_role("dialog", name="Subscribe")
    form.get_by_label("When").fill("daily 08:00")
    form.get_by_role("button", name="Details").click()
    details = opened.get_by_role("dialog", name="Details")
    expect(details.get_by_role("button", name="Back")).to_be_visible()
    expect(details.locator(".dialog-body")).to_be_focused()  # the keys scroll what is only read
    opened.keyboard.press("Escape")
    expect(details).to_have_count(0)
    expect(form.get_by_label("When")).to_have_value("daily 08:00")
    opened.keyboard.press("Escape")
    expect(form).to_have_count(0)
    office.wait_for(lambda: office.modal(office.mira) is None)


@pytest.mark.parametrize("phone", [False, True])
def test_a_modal_to_read_opens_at_its_top_and_enter_does_nothing(
    make_page: Callable[..., Page], office: SlackServer, tiny_bot: TinyBot, phone: bool
):
    size = {"width": 390, "height": 844} if phone else {"width": 1280, "height": 800}
    page = visit(make_page(viewport=size), office)
    say(page, "/candidate read")
    body = page.get_by_role("dialog", name="Ines Adeyemi").locator(".dialog-body")
    expect(body).to_be_focused()
    assert body.evaluate("(it) => [it.scrollTop, it.scrollHeight > it.clientHeight]") == [0, True]
    for _ in range(3):
        page.keyboard.press("Enter")
    assert page.locator("dialog[open]").count() == 1
    assert tiny_bot.pressed == []


def test_a_dangerous_question_begins_at_no_and_what_is_done_stands_in_the_modal(
    opened: Page, office: SlackServer, tiny_bot: TinyBot
):
    say(opened, "/candidate read")
    modal = opened.get_by_role("dialog", name="Ines Adeyemi")
    mark = modal.get_by_role("button", name="Do not contact")
    mark.click()
    question = opened.get_by_role("dialog", name="Do not contact Ines?")
    expect(question.get_by_role("button", name="Cancel")).to_be_focused()
    opened.keyboard.press("Enter")
    expect(question).to_have_count(0)
    assert tiny_bot.pressed == []
    expect(mark).to_be_focused()
    mark.click()
    question.get_by_role("button", name="Mark").click()
    expect(modal).to_contain_text("Ines Adeyemi is now marked.")
    expect(modal.get_by_role("button", name="Do not contact")).to_have_count(0)
    opened.keyboard.press("Escape")
    expect(modal).to_have_count(0)


def test_the_focus_stays_inside_a_modal(opened: Page):
    say(opened, "/candidate form")
    expect(opened.get_by_role("dialog", name="Subscribe")).to_be_visible()
    for _ in range(12):
        opened.keyboard.press("Tab")
        assert opened.evaluate(
            "document.activeElement === document.body || !!document.activeElement.closest('dialog')"
        )


def test_home_is_filled_by_the_bot_and_its_buttons_work(
    opened: Page, office: SlackServer, tiny_bot: TinyBot
):
    opened.get_by_role("button", name="Candidate Bot").click()
    opened.get_by_role("tab", name="Home").click()
    expect(opened.locator("#home")).to_contain_text("2 people stored")
    opened.get_by_role("button", name="Refresh").click()
    office.wait_for(lambda: tiny_bot.pressed)
    assert tiny_bot.pressed[0]["view"]["type"] == "home"
    opened.get_by_role("tab", name="Messages").click()
    say(opened, "hello")
    expect(messages(opened).get_by_text("You said: hello")).to_be_visible()


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
    opened: Page, office: SlackServer, tiny_bot: TinyBot
):
    def with_ids(index: int, block: dict[str, Any]) -> dict[str, Any]:
        return {"block_id": f"b{index}", **block}

    blocks = [with_ids(index, block) for index, block in enumerate(EVERY_BLOCK)]
    office.workspace.say(
        office.hiring, office.bot_user, "all", bot_id=office.workspace.bot_id, blocks=blocks
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
        found = office.wait_for(
            lambda: [b for b in tiny_bot.pressed if b["actions"][0]["action_id"] == action]
        )
        return dict(found[-1]["actions"][0])

    row.get_by_role("combobox", name="Zone").select_option("berlin")
    assert last("zone")["selected_option"]["value"] == "berlin"
    row.get_by_role("radio", name="Weekly").check()
    assert last("one")["selected_option"]["value"] == "weekly"
    row.get_by_role("checkbox", name="New").check()
    assert [chosen["value"] for chosen in last("some")["selected_options"]] == ["new"]
    row.locator("[data-action=who] select").select_option(office.jonas)
    assert last("who")["selected_user"] == office.jonas
    row.locator("[data-action=room] select").select_option(office.general)
    assert last("room")["selected_channel"] == office.general
    row.locator("[data-action=day]").fill("2026-12-14")
    assert last("day")["selected_date"] == "2026-12-14"
    row.locator("[data-action=many] summary").click()
    row.get_by_role("checkbox", name="Rust").check()
    assert [chosen["value"] for chosen in last("many")["selected_options"]] == ["rust"]
    state = tiny_bot.pressed[-1]["state"]["values"]["b5"]
    assert state["hour"]["selected_time"] == "09:00"
    assert state["day"]["selected_date"] == "2026-12-14"
