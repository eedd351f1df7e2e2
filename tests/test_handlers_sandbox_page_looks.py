"""The sandbox's page in a browser: on a phone, in light and dark, for eyes that need contrast."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.page_fixtures import TinyBot, messages, overflow, say, visit
from tests.sandbox_fixtures import SlackServer

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def test_a_phone_shows_everything_without_sideways_scrolling(
    make_page: Callable[..., Page], office: SlackServer, tiny_bot: TinyBot
):
    page = visit(make_page(**PHONE), office)
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
    make_page: Callable[..., Page], office: SlackServer, tiny_bot: TinyBot, scheme: str
):
    page = visit(make_page(color_scheme=scheme, reduced_motion="reduce"), office)
    say(page, "/candidate ines")
    expect(messages(page)).to_have_count(2)
    office.workspace.say(office.general, office.jonas, "one unread")
    expect(page.get_by_text("1 unread")).to_be_attached()
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(255, 255, 255)") is (scheme == "light")
    assert page.evaluate(CONTRAST) == []
    say(page, "/candidate form")
    page.get_by_role("dialog", name="Subscribe").get_by_role("button", name="Save").click()
    expect(page.locator("[data-block=when] .input-error")).not_to_be_empty()
    assert page.evaluate(CONTRAST) == []


def test_the_colours_can_be_chosen_and_are_remembered(opened: Page, office: SlackServer):
    toggle = opened.locator("#theme")
    expect(toggle).to_have_attribute("aria-label", "Colours: system")
    toggle.click()
    toggle.click()
    expect(toggle).to_have_attribute("aria-label", "Colours: dark")
    opened.reload()
    expect(toggle).to_have_attribute("aria-label", "Colours: dark")
    assert opened.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(27, 29, 33)"
