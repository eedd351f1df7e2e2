"""The counts of a contribution: ``ML EngineerContributions:1 review, 43 commits in 7 months``."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import regex

from bot.profiles.prog_ai.numbers import NUMBER, whole


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Numbers as stated, None where not; ``span`` in the page's words; ``role`` as glued before."""

    role: str | None = None
    commits: int | None = None
    pull_requests: int | None = None
    reviews: int | None = None
    pushes: int | None = None
    branches: int | None = None
    other: Mapping[str, int] = field(default_factory=dict)
    span: str | None = None


def cut_counts_of(text: str) -> Counts:
    """The counts of a line that the document ends in: without a label that is only begun.

    >>> cut_counts_of("Contributions:37 commits, 32 pus").other
    {}
    """
    counts = counts_of(text.removesuffix(" i")) or Counts()
    kept = {
        label: count
        for label, count in counts.other.items()
        if not any(known.startswith(label.removesuffix("s")) for known in _FIELDS)
    }
    span = counts.span if counts.span and not _CUT_SPAN.search(counts.span) else None
    return replace(counts, other=kept, span=span)


def counts_of(text: str) -> Counts | None:
    """The counts that a whole line states, None when it is no such line.

    >>> counts_of("ML EngineerContributions:1,234 commits, 2 releases in 1 day").other
    {'releases': 2}
    """
    opening = _OPENING.search(text) if len(text) <= _LONGEST else None
    if opening is None or text[: opening.start()].endswith(" "):
        return None
    tail = text[opening.end() :].strip().rstrip(".")
    span = None
    if found := _last(_SPAN, tail):
        tail, span = tail[: found.start()], tail[found.end() :].strip() or None
    items = _items(tail)
    if items is None:
        return None
    numbers: dict[str, int] = {}
    other: dict[str, int] = {}
    for label, value in items:
        if label in _FIELDS:
            numbers.setdefault(_FIELDS[label], value)
        else:
            other.setdefault(_plural(label), value)
    return Counts(role=_role(text[: opening.start()]), other=other, span=span, **numbers)


def _items(text: str) -> list[tuple[str, int]] | None:
    """Labels and numbers, None when the text is something else than a list of them."""
    items = []
    position = 0
    while match := _ITEM.match(text, position):
        label = " ".join(match["label"].lower().split())
        value = whole(match["number"])
        if value is None or label.count(" ") > _LABEL_SPACES:
            return None
        items.append((label, value))
        position = match.end()
    return items if _REST.fullmatch(text, position) else None


def _last(pattern: regex.Pattern[str], text: str) -> regex.Match[str] | None:
    found = None
    for found in pattern.finditer(text):  # noqa: B007 - the last one is wanted
        pass
    return found


_OPENING: Final = regex.compile(r"Contributions\s*:")
_SPAN: Final = regex.compile(r"(?:^|(?<=\s))in(?:\s+|$)")
_CUT_SPAN: Final = regex.compile(
    r"(?:^|\s)\d+$|(?!(?:days?|weeks?|months?|years?|hours?)$)\b\p{L}+$"
    r"|(?<!\d)(?!1\D)\d+ (?:day|week|month|year)$"
)
"""A span that ends in a number, in a part of a unit, or in ``7 month``."""
_ITEM: Final = regex.compile(
    rf"[,;\s]*(?:and\s+)?(?P<number>{NUMBER}\s?(?:[kKmM](?![A-Za-z]))?)\+?\s*"
    r"(?P<label>[A-Za-z]+(?:[ -]+(?!and\b)[A-Za-z]+)*)"
)
_REST: Final = regex.compile(rf"[,;\s]*(?:and\s*)?(?:{NUMBER})?\s*")
_LABEL_SPACES: Final = 2
_LONGEST: Final = 1_000
_FIELDS: Final = {
    "commit": "commits",
    "commits": "commits",
    "pr": "pull_requests",
    "prs": "pull_requests",
    "pull request": "pull_requests",
    "pull requests": "pull_requests",
    "review": "reviews",
    "reviews": "reviews",
    "push": "pushes",
    "pushes": "pushes",
    "branch": "branches",
    "branches": "branches",
}
_HISSING: Final = ("s", "x", "z", "ch", "sh")


def _plural(label: str) -> str:
    """One key for ``1 release`` and ``2 releases``."""
    if label.endswith("s"):
        return label
    if label.endswith("y") and label[-2:-1] not in {*"aeiou"}:
        return label[:-1] + "ies"
    return label + ("es" if label.endswith(_HISSING) else "s")


def _role(text: str | None) -> str | None:
    """The role glued before the counts; one that stands there twice is one."""
    role = (text or "").strip()
    half = len(role) // 2
    if role and len(role) % 2 == 0 and role[:half] == role[half:]:
        role = role[:half]
    return role or None
