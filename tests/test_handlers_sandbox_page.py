"""The sandbox's page in a browser: people, channels, messages, threads, the composer."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.page_fixtures import HOSTILE, TinyBot, composer, messages, say, visit
from tests.sandbox_fixtures import SlackServer

pytestmark = pytest.mark.browser


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


def test_what_is_shown_to_one_person_is_not_shown_to_another(opened: Page, office: SlackServer):
    say(opened, "/candidate ines")
    expect(messages(opened)).to_have_count(2)
    say(opened, "Shall we meet?")
    expect(messages(opened)).to_have_count(3)
    opened.get_by_text("Jonas Okoye").click()
    expect(messages(opened)).to_have_count(1)
    expect(messages(opened)).to_contain_text("Shall we meet?")
    opened.get_by_text("Mira Lindgren").first.click()
    expect(messages(opened)).to_have_count(3)


def test_a_thread_opens_beside_the_channel_and_takes_replies(opened: Page, office: SlackServer):
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


def test_a_text_file_is_sent_with_the_message(opened: Page, tiny_bot: TinyBot):
    opened.get_by_role("button", name="Candidate Bot").click()
    content = {"name": "ines.txt", "mimeType": "text/plain", "buffer": b"Ines Adeyemi"}
    opened.locator("#composer input[type=file]").set_input_files(content)
    expect(opened.locator("#composer")).to_contain_text("ines.txt")
    say(opened, "a profile")
    expect(messages(opened).first).to_contain_text("ines.txt")
    expect(messages(opened).get_by_text("You said: a profile")).to_be_visible()
    assert tiny_bot.files == ["ines.txt"]


def test_hostile_text_stays_text(opened: Page, office: SlackServer):
    say(opened, HOSTILE)
    expect(messages(opened).first).to_contain_text(HOSTILE)
    say(opened, "/candidate hostile")
    expect(messages(opened)).to_have_count(3)
    expect(messages(opened).last).to_contain_text(HOSTILE)
    office.workspace.say(
        office.hiring,
        office.jonas,
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


def test_names_are_offered_in_a_command_and_become_handles(opened: Page, office: SlackServer):
    composer(opened).press_sequentially("/candidate audit @jo")
    expect(opened.get_by_role("option")).to_have_text(["JOJonas Okoyejonas"])
    composer(opened).press("Enter")
    expect(composer(opened)).to_have_value("/candidate audit @jonas ")
    composer(opened).press("Enter")
    say(opened, "/candidate audit @Jonas Okoye")
    expect(messages(opened).locator(".typed")).to_have_text(["/candidate audit @jonas"] * 2)


@pytest.mark.parametrize("height", [800, 500])
def test_a_pasted_page_is_folded_and_its_answer_is_on_the_screen(
    make_page: Callable[..., Page], office: SlackServer, tiny_bot: TinyBot, height: int
):
    page = visit(make_page(viewport={"width": 390, "height": height}), office)
    page.goto(f"{office.url}/#{office.mira}/{office.direct(office.mira)}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Candidate Bot")
    say(page, "\n".join(f"line {number} of a page" for number in range(60)))
    answer = messages(page).filter(has_text="You said:")
    expect(answer).to_be_in_viewport()
    expect(page.locator("#jump")).to_be_hidden()
    [more, *_] = page.get_by_role("button", name="Show more").all()
    pasted = page.locator(".message-text").first
    assert pasted.bounding_box()["height"] < 230
    more.click()
    assert pasted.bounding_box()["height"] > 600
    expect(page.get_by_role("button", name="Show less")).to_have_count(1)


def test_messages_elsewhere_are_counted_until_they_are_read(opened: Page, office: SlackServer):
    office.workspace.say(office.general, office.jonas, "Cake in the kitchen")
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


def test_an_answer_that_does_not_come_is_told_as_slack_tells_it(
    page: Page, make_slack: Callable[..., SlackServer]
):
    visit(page, make_slack(ack_within=0.2))
    say(page, "/candidate ines")
    expect(messages(page).last).to_contain_text("Slackbot")
    expect(messages(page).last).to_contain_text(re.compile("/candidate failed with the error “"))


def test_a_lost_line_is_dialled_again_and_nothing_is_missed(opened: Page, office: SlackServer):
    opened.context.set_offline(True)
    opened.evaluate("document.body")  # the page itself lives on
    office.workspace.say(office.hiring, office.jonas, "first")
    opened.context.set_offline(False)
    office.workspace.say(office.hiring, office.jonas, "second")
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


def test_new_messages_are_announced(opened: Page, office: SlackServer):
    office.workspace.say(office.hiring, office.jonas, "Good morning")
    expect(opened.locator("#announcer")).to_have_text("Jonas Okoye: Good morning")


def test_the_address_leads_back_to_the_same_person_and_channel(opened: Page, office: SlackServer):
    opened.get_by_text("Jonas Okoye").click()
    opened.get_by_role("button", name="general").click()
    expect(opened).to_have_url(re.compile(f"#{office.jonas}/{office.general}$"))
    opened.reload()
    expect(opened.get_by_role("heading", name="general", exact=True)).to_be_visible()
    expect(opened.get_by_role("radio", name="Jonas Okoye")).to_be_checked()


def test_another_company_sees_no_apps_and_nothing_to_try_but_why(page: Page, office: SlackServer):
    visit(page, office)
    page.locator("label.person", has_text="Rafael Soto").click()
    expect(page.locator("#intro")).to_contain_text("works for another company")
    expect(page.get_by_role("heading", name="Apps")).to_have_count(0)
    expect(page.locator("#hints")).to_be_hidden()


def test_whose_clock_is_shown_is_said(opened: Page):
    expect(opened.locator(".people-zone")).to_contain_text("in Berlin time, as Mira reads them")
    opened.get_by_text("Jonas Okoye").click()
    expect(opened.locator(".people-zone")).to_contain_text("in New York time, as Jonas reads them")


def test_what_to_try_is_typed_to_the_bot_alone_without_the_command(opened: Page):
    expect(opened.locator(".hint").first).to_have_text("/candidate chenggang")
    opened.locator(".nav-item", has_text="Candidate Bot").click()
    opened.get_by_role("tab", name="Messages").click()
    expect(opened.locator(".hint").first).to_have_text("chenggang")
    expect(composer(opened)).to_have_attribute("placeholder", "Type chenggang")
