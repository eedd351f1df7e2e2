"""Block Kit as Slack enforces it: which blocks there are and how large they may be.

``check_message_blocks`` and ``check_view`` refuse what Slack refuses, with its
codes, and return the blocks with the identifiers Slack fills in.
"""

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

from handlers.sandbox.elements import (
    BUTTON,
    IMAGE,
    IMAGE_FIELDS,
    IN_ACTIONS,
    IN_CONTEXT,
    IN_INPUT,
    IN_SECTION,
    element,
    needs_source,
)
from handlers.sandbox.records import Json, Refused
from handlers.sandbox.shapes import (
    Check,
    anything,
    kind_of,
    listed,
    note,
    one_of,
    plain,
    shaped,
    string,
    switch,
    text,
    url,
)

MESSAGE_BLOCKS = 50
VIEW_BLOCKS = 100
MESSAGE_CHARACTERS = 13_200  # reported, not documented: over it Slack says msg_blocks_too_long
MARKDOWN_CHARACTERS = 12_000
VIEW_BYTES = 250_000

BLOCK_ID = {"block_id": string(most=255)}


def block(
    required: dict[str, Check],
    optional: dict[str, Check] | None = None,
    *,
    also: Callable[[Json, str, list[str]], None] | None = None,
) -> Check:
    return shaped(required, {**BLOCK_ID, **(optional or {})}, also=also)


def needs_text_or_fields(section: Json, at: str, problems: list[str]) -> None:
    if section.get("text") is None and section.get("fields") is None:
        note(problems, "must define either `text` or `fields`", at)


def rows_are_even(table: Json, at: str, problems: list[str]) -> None:
    rows = table.get("rows")
    if isinstance(rows, list) and len({len(r) for r in rows if isinstance(r, list)}) > 1:
        note(problems, "all rows must have the same number of cells", f"{at}/rows")


RICH_TEXT = block({"elements": listed(anything, most=1000, least=0)})
CELL = kind_of(
    {
        "raw_text": shaped({"text": string()}),
        "raw_number": shaped({"value": anything}, {"text": string()}),
        "rich_text": RICH_TEXT,
    }
)
ALIGNMENT = shaped({}, {"align": one_of("left", "center", "right"), "is_wrapped": switch})
CARD = block(
    {},
    {
        "hero_image": IMAGE,
        "icon": IMAGE,
        "title": text(most=150),
        "subtitle": text(most=150),
        "body": text(most=200),
        "actions": listed(BUTTON, most=5),
    },
)

BLOCKS: dict[str, Check] = {
    "section": block(
        {},
        {
            "text": text(most=3000),
            "fields": listed(text(most=2000), most=10),
            "accessory": element(IN_SECTION),
            "expand": switch,
        },
        also=needs_text_or_fields,
    ),
    "header": block({"text": plain(most=150)}),
    "divider": block({}),
    "context": block({"elements": listed(element(IN_CONTEXT), most=10)}),
    "actions": block({"elements": listed(element(IN_ACTIONS), most=25)}),
    "image": block(
        {"alt_text": string(most=2000)},
        {**IMAGE_FIELDS, "title": plain(most=2000)},
        also=needs_source,
    ),
    "input": block(
        {"label": plain(most=2000), "element": element(IN_INPUT)},
        {"hint": plain(most=2000), "optional": switch, "dispatch_action": switch},
    ),
    "rich_text": RICH_TEXT,
    "markdown": block({"text": string(most=MARKDOWN_CHARACTERS)}),
    "table": block(
        {"rows": listed(listed(CELL, most=20), most=100)},
        {"column_settings": listed(ALIGNMENT, most=20, least=0)},
        also=rows_are_even,
    ),
    "video": block(
        {
            "alt_text": string(),
            "title": plain(most=199),
            "thumbnail_url": url(),
            "video_url": url(),
        },
        {
            "author_name": string(most=49),
            "description": plain(most=199),
            "provider_icon_url": url(),
            "provider_name": string(),
            "title_url": url(),
        },
    ),
    "file": block({"external_id": string(), "source": one_of("remote")}),
    "alert": block(
        {"text": text()}, {"level": one_of("default", "info", "warning", "error", "success")}
    ),
    "card": CARD,
    "carousel": block({"elements": listed(kind_of({"card": CARD}), most=10)}),
}
MESSAGE_ONLY = frozenset({"table", "markdown", "card", "carousel", "file"})
HOLDERS = {  # where a block keeps the elements that a person can act on
    "section": ("accessory",),
    "input": ("element",),
    "actions": ("elements",),
    "card": ("actions",),
    "carousel": ("elements",),
}
IN_MESSAGE = frozenset(BLOCKS)
IN_VIEW = IN_MESSAGE - MESSAGE_ONLY


def check_message_blocks(blocks: Any, *, new_id: Callable[[str], str]) -> list[Json]:
    """The blocks of a message, with identifiers; ``[]`` for none. Refused as Slack would."""
    if blocks is None:
        return []
    if not isinstance(blocks, list):
        raise Refused("invalid_blocks_format")
    problems: list[str] = []
    check = listed(kind_of(BLOCKS, only=IN_MESSAGE), most=MESSAGE_BLOCKS, least=0)
    check(blocks, "/blocks", problems)
    check_unique(blocks, "/blocks", problems)
    markdown = sum(len(b["text"]) for b in blocks if is_kind(b, "markdown"))
    if not problems and markdown > MARKDOWN_CHARACTERS:
        raise Refused("msg_too_long")
    if problems:
        raise invalid("invalid_blocks", problems)
    if sum(is_kind(b, "table") for b in blocks) > 1:
        raise invalid("invalid_attachments", ["only_one_table_allowed"])
    if characters(blocks) > MESSAGE_CHARACTERS:
        raise Refused("msg_blocks_too_long")
    return with_identifiers(blocks, new_id=new_id)


VIEW_FIELDS: dict[str, Check] = {
    "blocks": listed(kind_of(BLOCKS, only=IN_VIEW), most=VIEW_BLOCKS, least=0),
    "private_metadata": string(most=3000, least=0),
    "callback_id": string(most=255, least=0),
    "external_id": string(most=255, least=0),
    "type": one_of("modal", "home"),
}


def inputs_need_submit(view: Json, at: str, problems: list[str]) -> None:
    blocks = view.get("blocks")
    for place, entry in enumerate(blocks if isinstance(blocks, list) else []):
        if is_kind(entry, "input") and view.get("submit") is None:
            note(
                problems,
                "must define `submit` to use an `input` block in modals",
                f"{at}/blocks/{place}/input",
            )


MODAL = shaped(
    {"type": VIEW_FIELDS["type"], "title": plain(most=24), "blocks": VIEW_FIELDS["blocks"]},
    {
        **VIEW_FIELDS,
        "submit": plain(most=24),
        "close": plain(most=24),
        "clear_on_close": switch,
        "notify_on_close": switch,
        "submit_disabled": switch,
    },
    also=inputs_need_submit,
)
HOME = shaped({"type": VIEW_FIELDS["type"], "blocks": VIEW_FIELDS["blocks"]}, VIEW_FIELDS)


def check_view(view: Any, *, kinds: tuple[str, ...], new_id: Callable[[str], str]) -> Json:
    """A modal or Home as the bot sent it, with identifiers. Refused as Slack would."""
    if not isinstance(view, dict):
        raise invalid("invalid_arguments", ["must provide an object [json-pointer:/view]"])
    if len(json.dumps(view).encode()) > VIEW_BYTES:
        raise Refused("view_too_large")
    problems: list[str] = []
    if view.get("type") not in kinds:
        note(problems, f"must be one of {', '.join(kinds)}", "/view/type")
    else:
        (MODAL if view["type"] == "modal" else HOME)(view, "/view", problems)
        check_unique(view.get("blocks"), "/view/blocks", problems)
    if problems:
        raise invalid("invalid_arguments", problems)
    return {**view, "blocks": with_identifiers(view["blocks"], new_id=new_id)}


def invalid(code: str, problems: list[str]) -> Refused:
    """A refusal that lists its problems in the two places where Slack puts them."""
    messages = [f"[ERROR] {problem}" for problem in problems]
    return Refused(code, errors=problems, response_metadata={"messages": messages})


def is_kind(entry: Any, kind: str) -> bool:
    return isinstance(entry, dict) and entry.get("type") == kind


def check_unique(blocks: Any, at: str, problems: list[str]) -> None:
    """No ``block_id`` and no ``action_id`` twice in one message or view."""
    seen: set[tuple[str, str]] = set()
    for name, value, place in identifiers(blocks, at):
        if (name, value) in seen:
            note(problems, f'`{name}` "{value}" already exists', place)
        seen.add((name, value))


def identifiers(blocks: Any, at: str) -> Iterator[tuple[str, str, str]]:
    for place, entry in enumerate(blocks if isinstance(blocks, list) else []):
        if not isinstance(entry, dict):
            continue
        if isinstance(entry.get("block_id"), str):
            yield "block_id", entry["block_id"], f"{at}/{place}/block_id"
        for where, part in elements_of(entry):
            if isinstance(part.get("action_id"), str):
                yield "action_id", part["action_id"], f"{at}/{place}/{where}/action_id"


def elements_of(entry: Json) -> Iterator[tuple[str, Json]]:
    """The elements of one block that a person can act on, with their place in it.

    >>> [place for place, _ in elements_of({"type": "actions", "elements": [{"type": "button"}]})]
    ['elements/0']
    """
    for name in HOLDERS.get(entry.get("type", ""), ()):
        held = entry.get(name)
        parts = enumerate(held) if isinstance(held, list) else [(None, held)]
        for place, part in parts:
            where = name if place is None else f"{name}/{place}"
            if not isinstance(part, dict):
                continue
            if part.get("type") == "card":
                yield from ((f"{where}/{inner}", found) for inner, found in elements_of(part))
            elif part.get("type") not in IN_CONTEXT:
                yield where, part


def with_identifiers(blocks: list[Json], *, new_id: Callable[[str], str]) -> list[Json]:
    """A copy in which every block has a ``block_id`` and every element an ``action_id``."""
    filled = copy.deepcopy(blocks)
    for entry in filled:
        entry.setdefault("block_id", new_id("b"))
        for _, part in elements_of(entry):
            part.setdefault("action_id", new_id("a"))
    return filled


def characters(value: Any) -> int:
    """How many characters of text are in it, at any depth."""
    if isinstance(value, list):
        return sum(characters(entry) for entry in value)
    if not isinstance(value, dict):
        return 0
    own = value.get("text")
    return (len(own) if isinstance(own, str) else 0) + sum(
        characters(entry) for entry in value.values()
    )
