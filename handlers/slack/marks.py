"""Marks by which a message of ours is known again when Slack shows what a channel holds.

Slack's metadata is the mark; a server may show it as the text it was sent as, or not at all.
So the id of a block carries the same.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

LONGEST_BLOCK_ID: Final = 255


def payload_of(message: Mapping[str, Any], event: str) -> Mapping[str, Any]:
    """What the metadata of an event of this type says; empty without any.

    >>> payload_of({"metadata": '{"event_type": "x", "event_payload": {"run": "7"}}'}, "x")
    {'run': '7'}
    """
    metadata = _read(message.get("metadata"))
    if not isinstance(metadata, Mapping) or metadata.get("event_type") != event:
        return {}
    payload = _read(metadata.get("event_payload"))
    return payload if isinstance(payload, Mapping) else {}


def blocks_of(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The blocks of a message, also where they are shown as the text they were sent as."""
    blocks = _read(message.get("blocks"))
    shown = blocks if isinstance(blocks, list) else []
    return [each for each in shown if isinstance(each, Mapping)]


def marked(blocks: Sequence[dict[str, Any]], mark: str) -> list[dict[str, Any]]:
    """The blocks, the first one that has no id of its own with this one."""
    found: list[dict[str, Any]] = []
    rest = list(blocks)
    while rest:
        block = rest.pop(0)
        if "block_id" not in block:
            return [*found, {**block, "block_id": mark[:LONGEST_BLOCK_ID]}, *rest]
        found.append(block)
    return found


def is_marked(message: Mapping[str, Any], mark: str) -> bool:
    """Whether a block of the message carries the mark."""
    return any(block.get("block_id") == mark for block in blocks_of(message))


def _read(value: object) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return None
