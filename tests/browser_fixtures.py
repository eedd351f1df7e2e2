"""A headless Chromium for tests of the sandbox's page.

``page`` is an empty tab of a desktop's size; ``make_page`` opens tabs of other kinds. At the end of
a test each tab must be without errors in the console and without violations of the page's content
security policy.

The browser is looked for in ``CHROMIUM``, then under the usual names; where there is none the tests
are skipped and say so.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

NAMES = ("/usr/bin/chromium", "chromium", "chromium-browser", "google-chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
NOTES_VIOLATIONS = """
    window.violations = [];
    document.addEventListener("securitypolicyviolation", (event) => {
        window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
    });
"""
PATIENCE_MS = 10_000


def chromium() -> str | None:
    """The path of an installed Chromium."""
    named = os.environ.get("CHROMIUM")
    found = (shutil.which(name) for name in ((named,) if named else NAMES))
    return next((path for path in found if path), None)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for each module of tests: while it runs, its thread can run no asyncio loop."""
    path = chromium()
    if path is None:
        pytest.skip(
            "NO CHROMIUM: the page of the sandbox is NOT tested. "
            "Install it (apt-get install chromium) or set CHROMIUM to its path."
        )
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield running
        running.close()


OFFLINE = "net::ERR_INTERNET_DISCONNECTED"
"""What Chromium says of each request while a test has taken it off the line."""


@pytest.fixture
def make_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open a tab in a context of its own; options are those of Playwright's ``new_context``."""
    opened: list[tuple[Page, list[str]]] = []

    def open_page(**options: Any) -> Page:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **options})
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        complaints: list[str] = []

        def note(message: ConsoleMessage) -> None:
            if OFFLINE not in message.text and message.type in {"error", "warning"}:
                complaints.append(message.text)

        page.on("console", note)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.add_init_script(NOTES_VIOLATIONS)
        opened.append((page, complaints))
        return page

    yield open_page
    found = []
    for page, complaints in opened:
        found += [*complaints, *page.evaluate("window.violations ?? []")]
        page.context.close()
    assert found == []


@pytest.fixture
def page(make_page: Callable[..., Page]) -> Page:
    return make_page()
