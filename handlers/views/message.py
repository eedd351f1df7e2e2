"""A message in parts, composed once into blocks, readable text and a terminal's text.

``compose`` keeps Slack's limits whatever it is given (numbers from Slack's
reference; the totals are ours, since about 13,200 characters over all blocks
fail although each block is legal): 45 blocks and 9,000 characters a message,
3,000 a section or context line, 150 a header, 75 a button, ``text`` 4,000. What does not
fit is left out whole, from the end, and a last line says so.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from handlers.views.escaping import cut, one_line, plain_text
from handlers.views.text import Line, Piece, mrkdwn, plain, terminal, worded

MESSAGE_BLOCKS, MESSAGE_CHARACTERS = 45, 9_000
MODAL_BLOCKS, MODAL_CHARACTERS = 90, 40_000
SECTION, HEADER, BUTTON, VALUE, TEXT, TITLE = 3_000, 150, 75, 2_000, 4_000, 24

HINT = "`/candidate "

Block: TypeAlias = dict[str, Any]
ABOUT = "candidate."
"""The block_id of a section about a person begins so; their id follows."""
_ABOUT = re.compile(r'"(?:action_id": "[a-z_.]+|block_id": "candidate)\.([0-9a-hjkmnp-tv-z]{12})"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm:
    """Slack's own question before a button works; all literal."""

    title: str
    text: str
    confirm: str
    deny: str

    def element(self) -> Block:
        limits = (("title", 100), ("text", 300), ("confirm", 30), ("deny", 30))
        return {
            name: {
                "type": "plain_text",
                "text": cut(plain_text(one_line(getattr(self, name))), most),
                "emoji": False,
            }
            for name, most in limits
        } | {"style": "danger"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """``action`` is unique inside a message; ``value`` is an id or a query, no more."""

    text: str
    action: str
    value: str = ""
    style: str | None = None
    url: str | None = None
    confirm: Confirm | None = None

    def element(self) -> Block:
        if len(self.value) > VALUE:
            raise ValueError(f"the value of {self.action} has {len(self.value)} characters")
        label = cut(plain_text(one_line(self.text)), BUTTON)
        element: Block = {
            "type": "button",
            "text": {"type": "plain_text", "text": label, "emoji": False},
            "action_id": self.action,
        }
        if self.value:
            element["value"] = self.value
        if self.style:
            element["style"] = self.style
        if self.url:
            element["url"] = self.url
        if self.confirm:
            element["confirm"] = self.confirm.element()
        return element


@dataclass(frozen=True, slots=True)
class Header:
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """Lines of text, with one button at their side where there is one.

    ``about`` is the id of the person whom the lines name, once in a message: by it they
    are found again where no button tells, when the person is to be forgotten.
    """

    lines: Sequence[Line | str]
    button: Button | None = None
    about: str | None = None


@dataclass(frozen=True, slots=True)
class Context:
    lines: Sequence[Line | str]


@dataclass(frozen=True, slots=True)
class Actions:
    """Buttons; ``key`` tells two such rows of one message apart."""

    buttons: Sequence[Button]


@dataclass(frozen=True, slots=True)
class Divider:
    pass


Part: TypeAlias = Header | Section | Context | Actions | Divider


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """``text`` is escaped and stands beside the blocks; ``plain`` is the whole without markup.

    ``terminal`` says the same to a person at a terminal.
    """

    text: str
    blocks: tuple[Block, ...] = ()
    plain: str = field(default="")
    terminal: str = field(default="")

    def post(self) -> dict[str, Any]:
        """Keyword arguments for ``chat.postMessage`` and its relatives."""
        return {"text": self.text, "blocks": list(self.blocks)}


def compose(
    parts: Iterable[Part],
    *,
    text: str | None = None,
    blocks: int = MESSAGE_BLOCKS,
    characters: int = MESSAGE_CHARACTERS,
) -> Message:
    """The message of the parts, inside Slack's limits. ``text`` replaces the readable text."""
    parts = list(parts)
    at_terminal = _written(parts, terminal)
    parts = [part for part in parts if not _is_empty(part)]
    whole = _written(parts, plain)
    fitting = _fit([_block(part) for part in parts], blocks, characters)
    readable = cut(escape_lines(whole if text is None else text), TEXT)
    return Message(text=readable, blocks=tuple(fitting), plain=whole, terminal=at_terminal)


def sentence(text: str) -> Message:
    """A message of one paragraph of our own words or a BotError's."""
    return compose([Section([worded(each) for each in text.split("\n")])])


def below(note: Line, message: Message) -> Message:
    """The message with a line before it."""
    first = compose([Context([note])])
    return Message(
        text=cut(f"{first.text}\n{message.text}", TEXT),
        blocks=(*first.blocks, *message.blocks),
        plain=f"{first.plain}\n{message.plain}",
        terminal=f"{first.terminal}\n{message.terminal}",
    )


def with_last(note: str, message: Message, *, aside: bool = False) -> Message:
    """The message with some plain words at its end: at a terminal with ``aside``, else in Slack
    beside its last small line.
    """
    if aside:
        return replace(message, terminal=f"{message.terminal}\n{note}")
    return replace(message, blocks=_ending(message.blocks, note))


def _ending(blocks: tuple[Block, ...], note: str) -> tuple[Block, ...]:
    end = len(blocks)
    while end and blocks[end - 1]["type"] == "actions":
        end -= 1
    element = _mrkdwn_object(note)
    if end and blocks[end - 1]["type"] == "context":
        last = blocks[end - 1]
        return (
            *blocks[: end - 1],
            {**last, "elements": [*last["elements"], element]},
            *blocks[end:],
        )
    if len(blocks) >= MESSAGE_BLOCKS:
        return blocks
    return (*blocks[:end], {"type": "context", "elements": [element]}, *blocks[end:])


def typed_plainly(message: Message) -> Message:
    """The message for where no ``/candidate`` has to be typed: its hints leave that out.

    Only our own hints change: a backtick of a stored text never stands in markup.
    """
    return Message(
        text=message.text.replace(HINT, "`"),
        blocks=tuple(_plainly(block) for block in message.blocks),
        plain=message.plain.replace(HINT, "`"),
    )


def _plainly(value: Any) -> Any:
    if isinstance(value, dict):
        is_markup = value.get("type") == "mrkdwn"
        return {
            key: each.replace(HINT, "`") if is_markup and key == "text" else _plainly(each)
            for key, each in value.items()
        }
    return [_plainly(each) for each in value] if isinstance(value, list) else value


def people_in(message: Message) -> list[str]:
    """Ids of the people whom the message is about: a button's or a section's id ends with one."""
    return list(dict.fromkeys(_ABOUT.findall(json.dumps(message.blocks))))


def pieces(part: Line | str | Piece) -> Line:
    """A line of a part: a bare string is one literal piece."""
    return part if isinstance(part, tuple) else (part,)


def escape_lines(text: str) -> str:
    """The text beside blocks: it is read aloud and shown in notifications, not formatted."""
    return "\n".join(plain_text(one_line(each)) for each in text.split("\n"))


def block_characters(block: Block) -> int:
    """Characters of all texts in a block, as counted against the total."""
    total = 0
    for key, value in block.items():
        if key == "text" and isinstance(value, str):
            total += len(value)
        elif isinstance(value, dict):
            total += block_characters(value)
        elif isinstance(value, list):
            total += sum(block_characters(each) for each in value if isinstance(each, dict))
    return total


def _fit(blocks: list[Block], most: int, characters: int) -> list[Block]:
    total = sum(map(block_characters, blocks))
    if len(blocks) <= most and total <= characters:
        return blocks
    note: Block = {
        "type": "context",
        "elements": [_mrkdwn_object("There is more than one message can hold.")],
    }
    tail = [blocks[-1]] if blocks and blocks[-1]["type"] == "actions" else []
    room = characters - sum(map(block_characters, [note, *tail]))
    kept: list[Block] = []
    for block in blocks[: len(blocks) - len(tail)]:
        room -= block_characters(block)
        if room < 0 or len(kept) + len(tail) + 1 >= most:
            break
        kept.append(block)
    return [*kept, note, *tail]


def _is_empty(part: Part) -> bool:
    match part:
        case Header(text):
            return not one_line(text)
        case Section(lines) | Context(lines):
            return not any(plain(pieces(each)).strip() for each in lines)
        case Actions(buttons):
            return not buttons
        case Divider():
            return False


def _block(part: Part) -> Block:
    match part:
        case Header(text):
            label = cut(plain_text(one_line(text)), HEADER)
            return {
                "type": "header",
                "text": {"type": "plain_text", "text": label, "emoji": False},
            }
        case Section(lines, button, about):
            block: Block = {"type": "section", "text": _mrkdwn_object(_lines(lines))}
            if about is not None:
                block["block_id"] = f"{ABOUT}{about}"
            if button is not None:
                block["accessory"] = button.element()
            return block
        case Context(lines):
            return {"type": "context", "elements": [_mrkdwn_object(_lines(lines))]}
        case Actions(buttons):
            return {"type": "actions", "elements": [each.element() for each in buttons[:25]]}
        case Divider():
            return {"type": "divider"}


def _mrkdwn_object(text: str) -> Block:
    return {"type": "mrkdwn", "text": text, "verbatim": True}


def _lines(lines: Sequence[Line | str]) -> str:
    """Lines as mrkdwn in one text object; whole lines are left out when they do not fit."""
    written, room = [], SECTION
    for number, each in enumerate(lines):
        text = mrkdwn(pieces(each), room - 2)
        written.append(text)
        room -= len(text) + 1
        if room < 40 and number < len(lines) - 1:
            written.append("…")
            break
    return "\n".join(written)


def _written(parts: Sequence[Part], write: Callable[[Line], str]) -> str:
    return "\n".join(filter(None, (_part_written(part, write) for part in parts)))


def _part_written(part: Part, write: Callable[[Line], str]) -> str:
    match part:
        case Header(text):
            return one_line(text)
        case Section(lines) | Context(lines):
            return "\n".join(filter(None, (write(pieces(each)).rstrip() for each in lines)))
        case Actions() | Divider():
            return ""
