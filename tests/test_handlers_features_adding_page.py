"""Adding people in the sandbox's page: attach, drop, form, menu of a message, Open and Undo."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.adding_fixtures import dated
from tests.edge_fixtures import Bot, utc_now
from tests.loading_fixtures import page as profile_page
from tests.page_fixtures import messages, overflow, say, visit

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
INES = dated("Ines Adeyemi", title="Compiler Engineer at Norrsken Labs")
DROP = """([selector, name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name, { type: "text/plain" }));
  for (const kind of ["dragover", "drop"]) {
    document.querySelector(selector).dispatchEvent(
      new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
  }
}"""


def text_file(name: str, text: str) -> dict:
    return {"name": name, "mimeType": "text/plain", "buffer": text.encode()}


def stored(bot: Bot, name: str) -> int:
    return len(bot.store.search(f'"{name}"', now=utc_now()).hits)


def to_the_bot(page: Page) -> None:
    page.get_by_role("button", name="Candidate Bot").click()


def attach(page: Page, *files: dict) -> None:
    page.locator("#composer input[type=file]").set_input_files(list(files))


def test_a_page_is_attached_opened_and_taken_back(make_page: Callable[..., Page], bot: Bot):
    page = visit(make_page(), bot.slack)
    to_the_bot(page)
    attach(page, text_file("profiles-dec.txt", INES), text_file("two.txt", profile_page("Bo Lind")))
    expect(page.locator("#composer")).to_contain_text("two.txt")
    page.get_by_role("button", name="Do not send two.txt").click()
    page.get_by_role("button", name="Send", exact=True).click()
    receipt = messages(page).last
    expect(receipt).to_contain_text("profiles-dec.txt: 1 person")
    expect(receipt).to_contain_text("Ines Adeyemi · Compiler Engineer at Norrsken Labs · Berlin")
    receipt.get_by_role("button", name="Open").click()
    expect(messages(page).last).to_contain_text("To share this card")
    receipt = messages(page).filter(has_text="profiles-dec.txt: 1 person").last
    receipt.get_by_role("button", name="Undo").click()
    expect(messages(page).filter(has_text="1 person no longer stored")).to_be_visible()
    assert bot.store.count() == 2


def test_a_broken_file_is_refused(make_page: Callable[..., Page], bot: Bot):
    page = visit(make_page(), bot.slack)
    to_the_bot(page)
    attach(page, text_file("saved-page.txt", "Find and Hire Top Developers"))
    page.get_by_role("button", name="Send", exact=True).click()
    expect(messages(page).last).to_contain_text("Not added: saved-page.txt")
    expect(messages(page).last).to_contain_text("Kept 30 days")


def test_a_file_is_dropped_and_added_from_the_message_s_menu(
    make_page: Callable[..., Page], bot: Bot
):
    page = visit(make_page(), bot.slack)
    page.evaluate(DROP, ["#composer", "ines.txt", INES])
    say(page, "somebody for the compiler team")
    shared = messages(page).filter(has_text="ines.txt").first
    shared.hover()
    shared.get_by_role("button", name="More for the message of Mira Lindgren").click()
    page.get_by_role("menuitem", name="Add as candidate").click()
    expect(messages(page).last).to_contain_text("ines.txt: 1 person")
    expect(messages(page).last).to_contain_text("Only visible to you")
    assert stored(bot, "Ines Adeyemi") == 1


def test_the_menu_works_by_keyboard(make_page: Callable[..., Page], bot: Bot):
    page = visit(make_page(), bot.slack)
    say(page, "Good morning")
    more = messages(page).first.get_by_role("button", name="More for the message")
    more.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("menuitem", name="Add as candidate")).to_be_focused()
    page.keyboard.press("Enter")
    expect(messages(page).last).to_contain_text("no file in this message")


def test_the_form_takes_a_file(make_page: Callable[..., Page], bot: Bot):
    page = visit(make_page(), bot.slack)
    say(page, "/candidate add")
    form = page.get_by_role("dialog", name="Add people")
    form.get_by_role("button", name="Add", exact=True).click()
    expect(form).to_contain_text("Please complete this required field.")
    form.locator("input[type=file]").set_input_files([text_file("ines.txt", INES)])
    expect(form).to_contain_text("ines.txt")
    form.get_by_role("button", name="Add", exact=True).click()
    expect(form).to_be_hidden()
    expect(messages(page).last).to_contain_text("ines.txt: 1 person")


def test_a_file_is_sent_in_a_thread_and_added_there(make_page: Callable[..., Page], bot: Bot):
    page = visit(make_page(), bot.slack)
    say(page, "New people")
    messages(page).first.hover()
    page.get_by_role("button", name="Reply in thread to Mira Lindgren").click()
    page.locator("#thread input[type=file]").set_input_files([text_file("ines.txt", INES)])
    reply = page.get_by_role("textbox", name="Reply in the thread")
    reply.fill("@candidate add this")
    reply.press("Enter")
    expect(page.locator("#thread")).to_contain_text("ines.txt: 1 person")


def test_a_phone_shows_receipt_and_form_without_sideways_scrolling(
    make_page: Callable[..., Page], bot: Bot, tmp_path: Path
):
    page = visit(make_page(**PHONE), bot.slack)
    page.get_by_role("button", name="Channels and people").click()
    to_the_bot(page)
    attach(page, text_file("a-file-with-a-rather-long-name-of-december.txt", INES))
    page.get_by_role("button", name="Send", exact=True).click()
    expect(messages(page).last).to_contain_text("1 person")
    assert overflow(page) <= 0
    say(page, "/candidate add")
    expect(page.get_by_role("dialog", name="Add people")).to_be_visible()
    assert overflow(page) <= 0
