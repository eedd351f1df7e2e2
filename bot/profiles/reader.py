"""A document becomes profiles: the strongest claim reads it, inside limits and a fence."""

from typing import Final

import structlog

from bot.profiles.decoding import text_of
from bot.profiles.format import Format, Reading, Refusal, UnreadableProfile
from bot.profiles.prog_ai.page import ProgAiPage

__all__ = ["FORMATS", "MAXIMUM_BYTES", "Reading", "Refusal", "UnreadableProfile", "read"]

FORMATS: Final[tuple[Format, ...]] = (ProgAiPage(),)
"""All formats; of equal claims the earlier wins."""

MAXIMUM_BYTES: Final = 20 * 1024 * 1024
"""A page is a few kilobytes: this is room for thousands of them in one file."""

_HEAD: Final = 256 * 1024

_log = structlog.get_logger(__name__)


def read(name: str, content: bytes) -> Reading:
    """The profiles that ``content`` holds, at least one; ``name`` is a file name.

    Parts that gave none are in the reading's refusals. Raises UnreadableProfile,
    with the reason and what is accepted, when there is no profile at all.
    """
    if len(content) > MAXIMUM_BYTES:
        raise UnreadableProfile(
            f"The file is larger than {MAXIMUM_BYTES // 1024 // 1024} MB. "
            "Split it into smaller ones, or send the pages one by one. Nothing was stored."
        )
    if not content.strip():
        raise UnreadableProfile("The file is empty. Send the page's text. Nothing was stored.")
    head = content[:_HEAD]
    claim, strongest = max(
        ((each.claims(name, head), each) for each in FORMATS), key=lambda pair: pair[0]
    )
    if claim <= 0:
        raise UnreadableProfile(_unclaimed(content))
    try:
        return strongest.read(content)
    except UnreadableProfile:
        raise
    except Exception as error:
        # The traceback could quote the document: the error's type is enough to look for it.
        _log.warning("format_failed", format=strongest.NAME, error=type(error).__name__)
        raise UnreadableProfile(
            "The file looks like a page of profiles but could not be read. "
            "Copy it again from the name at the top down to the last contribution. "
            "Nothing was stored."
        ) from error


def _unclaimed(content: bytes) -> str:
    """Why no format took it; raises UnreadableProfile itself for what is no text."""
    start = text_of(content[:_HEAD]).lstrip().lower()
    if not start:
        return "The file is empty. Send the page's text. Nothing was stored."
    if start.startswith(("<!doctype html", "<html")):
        return (
            "This is a saved web page. Open it, copy from the name at the top down to the last "
            "contribution, and send that as text. Nothing was stored."
        )
    return (
        "No person on it: none of the headings of a Prog,AI profile page (“Summary”, "
        "“Github Skills”, “Github contributions”, …). Copy from the name at the top down to the "
        "last contribution, and send it again. Nothing was stored."
    )
