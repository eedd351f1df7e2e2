"""What a message brings: its files, or the page that was pasted into it, or those of its thread.

A pasted page is told from a question by reading it: it is one when a person is
found on it.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from bot.profiles.reader import UnreadableProfile, read
from handlers.edge.boundary import Request
from handlers.edge.heard import SentFile, sent_files, without_mention
from handlers.features.receiving import Piece
from handlers.slack.verdict import (
    UNKNOWN_METHOD,
    LaterError,
    RefusedError,
    UncertainError,
    judged,
    listed,
)
from storage.errors import BotError
from storage.search.unwrap import unwrap, unwrap_page

LONG: Final = 1_000
"""Characters of a text that is no question any more."""
LINES: Final = 3
"""Lines from which on a text may be a page."""
EARLIER: Final = 100
"""How many messages of a thread are looked through for a file."""
_ADD: Final = re.compile(
    r"(?:please\s+)?add(?:\s+(?:this|that|it|them|these|those|him|her|here|the|as|a|an|new|please|"
    r"file|files|page|pages|profile|profiles|candidate|candidates|person|people))*\s*[.!:,]*",
    re.IGNORECASE,
)
NOTHING_HERE: Final = (
    "I see no file and no profile page to add: write `add this` in the thread of the message that "
    "has it, or together with the file. In our direct message, just send me the file or paste the "
    "page. Nothing was stored."
)
NOT_IN_MESSAGE: Final = (
    "There is no file in this message and no person on it, so nothing was added. Use the entry on "
    "a message with a file or a pasted profile page."
)
LOST: Final = (
    "I was restarted while I read what you sent, and now I find no file and no profile page in it. "
    "Send it again; if it was a question, ask it again."
)


class CannotAdd(BotError):
    """What was sent holds nobody that could be added; the sentence says what to do."""


def asks_to_add(text: str) -> bool:
    """``add``, ``add this``, ``please add them.`` and nothing else."""
    return _ADD.fullmatch(unwrap(text)) is not None


def may_be_page(text: str) -> bool:
    return len(text) > LONG or text.count("\n") >= LINES - 1


def require_something(request: Request, pieces: list[Piece], *, again: bool) -> None:
    """Raises CannotAdd with what to do where there is nothing to add."""
    if pieces:
        return
    if request.heard.kind == "shortcut":
        raise CannotAdd(NOT_IN_MESSAGE)
    raise CannotAdd(LOST if again else NOTHING_HERE)


def pieces_of(request: Request, *, again: bool) -> list[Piece]:
    """The files, or the pasted page, that this delivery speaks of; empty when there is none."""
    heard = request.heard
    if heard.kind == "view":
        return [Piece(file=file) for file in heard.files]
    text, files = heard.text, heard.files
    if again and not files:
        text, files = message_at(request)
    found = pieces_in(without_mention(text, request.edge.bot_user), files)
    if found or heard.kind == "shortcut" or not heard.place.thread:
        return found
    for message in earlier_in_thread(request):
        found = pieces_in(str(message.get("text") or ""), sent_files(message.get("files")))
        if found:
            return found
    return []


def pieces_in(text: str, files: tuple[SentFile, ...]) -> list[Piece]:
    """The files of a message; without any, its text where that is a page."""
    if files:
        return [Piece(file=file) for file in files]
    page = page_in(text)
    return [Piece(text=page)] if is_page(page) else []


def page_in(text: str) -> str:
    """The text as it was copied, without a first line that only says ``add this``."""
    first, _, rest = text.partition("\n")
    return unwrap_page(rest if asks_to_add(first) else text)


def is_page(text: str) -> bool:
    """Whether a person is found on it: that tells a pasted page from a question."""
    page = page_in(text)
    if not may_be_page(page):
        return False
    try:
        return bool(read("message", page.encode("utf-8", "replace")).profiles)
    except UnreadableProfile:
        return False


def message_at(request: Request) -> tuple[str, tuple[SentFile, ...]]:
    """The message of a task that is carried on, from Slack. Raises CannotAdd."""
    place, ts = request.place, request.heard.message_ts or ""
    for message in _thread(request, place.thread or ts, latest=ts):
        if message.get("ts") == ts:
            return str(message.get("text") or ""), sent_files(message.get("files"))
    return "", ()


def earlier_in_thread(request: Request) -> list[Mapping[str, Any]]:
    """The thread's first message, then those before this one, the latest first."""
    ts = request.heard.message_ts or ""
    there = _thread(request, request.place.thread or "", latest=ts)
    return [*there[:1], *(each for each in reversed(there[1:]) if each.get("ts") != ts)]


def _thread(request: Request, root: str, *, latest: str) -> list[Mapping[str, Any]]:
    try:
        with judged():
            found = request.edge.client.conversations_replies(
                channel=request.place.channel or "",
                ts=root,
                latest=latest,
                inclusive=True,
                limit=EARLIER,
            )
        return listed(found, "messages")
    except RefusedError as refused:
        if refused.code == UNKNOWN_METHOD:
            return [
                *_said_at(request, root),
                *(_said_at(request, latest) if latest != root else ()),
            ]
        raise CannotAdd(
            f"I cannot read this thread ({refused.code}). Type `/invite @"
            f"{request.edge.bot_name}` here, or send me the file in our direct message."
        ) from refused
    except (LaterError, UncertainError) as trouble:
        raise CannotAdd(
            "Slack did not show me the message. Nothing was added: try again in a minute."
        ) from trouble


def _said_at(request: Request, ts: str) -> list[Mapping[str, Any]]:
    """That message, where it stands in the channel: for a server that does not show threads."""
    try:
        with judged():
            found = request.edge.client.conversations_history(
                channel=request.place.channel or "", latest=ts, inclusive=True, limit=1
            )
        return [each for each in listed(found, "messages") if each.get("ts") == ts]
    except (LaterError, RefusedError, UncertainError) as trouble:
        raise CannotAdd(LOST) from trouble
