"""Words of a letter in Markdown: numbers, months, lists, and stored texts made harmless."""

from collections.abc import Sequence
from typing import Final

import regex

from storage.search.dates import MONTHS

_MONTH: Final = regex.compile(r"\b(\d{4})-(0[1-9]|1[0-2])\b")


def with_months(text: str) -> str:
    """``2022-11`` → ``Nov 2022``, wherever it stands."""
    return _MONTH.sub(lambda found: f"{MONTHS[int(found[2]) - 1]} {found[1]}", text)


def so_many(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def listed(texts: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return " and ".join(filter(None, (", ".join(texts[:-1]), *texts[-1:])))


def plain(text: str) -> str:
    """A stored text on one line, in which Markdown finds nothing of its own."""
    return regex.sub(r"([\\`*\[<])", r"\\\1", " ".join(text.split()))
