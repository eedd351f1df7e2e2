"""A message of ours without one of the people that it named."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from handlers.views.digest import candidates
from handlers.views.escaping import cut
from handlers.views.message import ABOUT, TEXT, Message, sentence

REMOVED: Final = "This record was removed."
HIDDEN: Final = "This record is no longer shown."
NOT_TO_CONTACT: Final = "Whoever this was about is marked “do not contact” now."
ONE_LESS: Final = "Somebody was removed from this message."
_COUNTED: Final = re.compile(r"([\d,]+) new candidates?")
_BOLD: Final = re.compile(r"\*([^*\n]+)\*")


def whole(instead: str = REMOVED) -> Message:
    """What stands in the place of a message that named nobody else."""
    return sentence(instead)


def without(
    message: Mapping[str, Any],
    person_id: str,
    is_named: Callable[[str], bool],
    instead: str = REMOVED,
) -> Message | None:
    """The message as Slack gave it, without this person; None when it does not name them.

    Blocks go that carry the person's id in a button or name them; when no block about
    somebody else is left, ``instead`` stands in the place of all. Metadata stays.
    """
    blocks: Sequence[Mapping[str, Any]] = message.get("blocks") or ()
    text = str(message.get("text") or "")
    theirs = [_speaks_of(block, person_id, is_named) for block in blocks]
    if not any(theirs) and not is_named(text) and (blocks or not person_id):
        return None
    rest = [block for block, their in zip(blocks, theirs, strict=True) if not their]
    names = [name for block in rest if (name := _name_in(block))]
    if not names:
        return whole(instead)
    counted = [_counting_one_less(block) for block in rest]
    note = {
        "type": "context",
        "elements": [{"type": "mrkdwn", "text": ONE_LESS, "verbatim": True}],
    }
    if not any(ONE_LESS in json.dumps(block) for block in counted):
        counted.insert(_below_the_heading(counted), note)
    heading = _one_less(text) if _COUNTED.match(text) else "Candidates"
    told = cut(f"{heading.partition(':')[0]}: {', '.join(names)}", TEXT)
    if is_named(told) or any(map(is_named, _texts(counted))):
        return whole(instead)
    return Message(text=told, blocks=tuple(map(dict, counted)))


def _speaks_of(block: Mapping[str, Any], person_id: str, is_named: Callable[[str], bool]) -> bool:
    return person_id in json.dumps(block) or any(map(is_named, _texts([block])))


def _below_the_heading(blocks: Sequence[Mapping[str, Any]]) -> int:
    """Where the first block is that is no heading and no line beneath one."""
    found = (at for at, each in enumerate(blocks) if each.get("type") not in {"header", "context"})
    return next(found, len(blocks))


def _name_in(block: Mapping[str, Any]) -> str | None:
    """Whom a section about a person or with a button is about: its first bold words."""
    about = str(block.get("block_id") or "").startswith(ABOUT) or block.get("accessory")
    if block.get("type") != "section" or not about:
        return None
    found = _BOLD.search(str((block.get("text") or {}).get("text") or ""))
    return found[1] if found else "somebody"


def _counting_one_less(block: Mapping[str, Any]) -> Mapping[str, Any]:
    text = block.get("text") or {}
    if block.get("type") != "header" or not _COUNTED.match(str(text.get("text"))):
        return block
    return {**block, "text": {**text, "text": _one_less(str(text["text"]))}}


def _one_less(text: str) -> str:
    return _COUNTED.sub(
        lambda found: candidates(max(0, int(found[1].replace(",", "")) - 1), "new "), text, count=1
    )


def _texts(value: Any) -> list[str]:
    """All texts in blocks."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [text for key in value if key != "type" for text in _texts(value[key])]
    if isinstance(value, Sequence):
        return [text for each in value for text in _texts(each)]
    return []
