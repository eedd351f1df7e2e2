"""Pages of a listing, with Slack's opaque cursors."""

import base64
import operator
from collections.abc import Callable, Sequence
from typing import TypeVar

from handlers.sandbox.records import Refused

Item = TypeVar("Item")


def page(
    items: Sequence[Item],
    *,
    key: Callable[[Item], str],
    cursor: str,
    limit: int,
    newest_first: bool = False,
) -> tuple[list[Item], str]:
    """The page at ``cursor`` and the cursor of the next, ``""`` on the last page.

    ``items`` are in the order of their key (the other way round if
    ``newest_first``). The cursor holds the key of the first item of its page, so
    that what is posted or deleted in between moves nothing.
    """
    start = 0
    if cursor:
        first = decoded(cursor)
        reached = operator.le if newest_first else operator.ge
        start = next((n for n, item in enumerate(items) if reached(key(item), first)), len(items))
    part = list(items[start : start + limit])
    more = items[start + limit : start + limit + 1]
    return part, encoded(key(more[0])) if more else ""


def encoded(key: str) -> str:
    return base64.b64encode(f"next:{key}".encode()).decode()


def decoded(cursor: str) -> str:
    try:
        word, _, key = base64.b64decode(cursor, validate=True).decode().partition(":")
    except ValueError as error:
        raise Refused("invalid_cursor") from error
    if word != "next":
        raise Refused("invalid_cursor")
    return key
