"""In the browser: a shared card and a digest change in the channel when somebody is forgotten."""

import os
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from handlers.scheduled.sending import posting_client, tick
from tests.edge_fixtures import running_bot, utc_now
from tests.page_fixtures import messages, say, visit
from tests.people_fixtures import add

pytestmark = pytest.mark.browser


def picture(page: Page, name: str) -> None:
    """Keep a picture where ``PICTURES`` says, for people to look at."""
    if folder := os.environ.get("PICTURES"):
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


def test_a_shared_card_and_a_digest_change_in_the_channel(store, page: Page):
    now = utc_now() - timedelta(hours=1)
    add(store, now=now)
    add(store, "Bo Quist", now=now, contributions=(), likely_login="bo", headline="Chef")
    with running_bot(store, clock=utc_now, admin_users=("U0MIRALINDG",)) as bot:
        subscription, _ = store.save_subscription(
            channel=bot.slack.hiring, weekdays=(1,), hour=0, minute=0, timezone="UTC",
            since=now - timedelta(days=7), created_by=bot.slack.mira, now=utc_now(),
        )  # fmt: skip
        store.request_digest(subscription.number, now=utc_now())
        slack = posting_client(bot.slack.workspace.bot_token, bot.slack.api_url, 3)
        tick(store, slack, utc_now, pause=lambda _: None)
        visit(page, bot.slack)
        say(page, "/candidate quetzal adeyemi")
        page.get_by_role("button", name="Share in channel").click()
        page.get_by_role("button", name="Share", exact=True).click()
        expect(page.get_by_text("Shared by")).to_be_visible()
        picture(page, "before")
        say(page, "/candidate forget quetzal adeyemi")
        page.get_by_role("button", name="Forget", exact=True).last.click()
        picture(page, "asked")
        page.get_by_role("dialog").get_by_role("button", name="Forget", exact=True).click()
        expect(page.get_by_text("Forgotten.", exact=False).first).to_be_visible()
        expect(page.get_by_text("This record was removed.").first).to_be_visible()
        expect(page.get_by_text("Somebody was removed from this message.")).to_be_visible()
        expect(page.get_by_text("Shared by")).to_have_count(0)
        picture(page, "after")
        page.get_by_text("1 new candidate").first.scroll_into_view_if_needed()
        picture(page, "digest-after")
        standing = " ".join(
            message.inner_text().lower()
            for message in messages(page).all()
            if "only visible to you" not in message.inner_text().lower()
        )
        assert "bo quist" in standing
        everyone = [m for m in bot.slack.messages(bot.slack.hiring) if m.bot_id]
        assert len(everyone) == 2
        assert not any("quetzal" in f"{m.text}{m.blocks}".lower() for m in everyone)
