"""The block of numbers under ``Stackoverflow``: ``1reputation``, ``0reached``, …"""

from collections.abc import Iterable
from typing import Final

import regex

from bot.profiles.prog_ai.numbers import NUMBER, whole
from storage.records import StackOverflow

_LONGEST: Final = 400
_ITEM: Final = rf"{NUMBER}\s?[kKmM]?\+?\s*(?:reputation|reached|answers?|questions?)"
_ROW: Final = regex.compile(rf"(?:{_ITEM}[,;\s]*)+")
_VALUE: Final = regex.compile(
    rf"(?P<number>{NUMBER}\s?[kKmM]?)\+?\s*(?P<label>reputation|reached|answers?|questions?)"
)


def is_stackoverflow(row: str) -> bool:
    """The whole row is numbers with the labels of this block."""
    return len(row) <= _LONGEST and _ROW.fullmatch(row) is not None


def stackoverflow_of(
    rows: Iterable[str], *, stated: bool
) -> tuple[StackOverflow | None, tuple[str, ...]]:
    """The block, None when neither its heading (``stated``) nor a number is there; other rows."""
    values: dict[str, int] = {}
    rest = []
    for row in rows:
        if not is_stackoverflow(row):
            rest.append(row)
            continue
        for match in _VALUE.finditer(row):
            value = whole(match["number"])
            label = match["label"]
            label = label if label in {"reputation", "reached"} else label.rstrip("s") + "s"
            if value is not None:
                values.setdefault(label, value)
    if not stated and not values:
        return None, tuple(rest)
    return StackOverflow(**values), tuple(rest)
