"""Which lines speak of which person, when one document holds several pages.

People are separated by the page's footer, or by a heading that cannot come
again on one page (a second ``Github Skills``, a ``Summary`` after the
contributions): the next person's part begins at the name above it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import regex

from bot.profiles.prog_ai.contributions import (
    is_contribution_text,
    looks_like_topics,
    starts_contribution,
)
from bot.profiles.prog_ai.headings import Heading, Kind, heading_of
from bot.profiles.prog_ai.lines import Line, is_footer
from bot.profiles.prog_ai.months import months_of
from bot.profiles.prog_ai.skills import split_score
from storage.places import is_place


@dataclass(frozen=True, slots=True)
class Part:
    """The lines of one person. ``closed``: the page's footer came after them."""

    lines: tuple[Line, ...]
    closed: bool

    @property
    def source(self) -> str:
        """The part of the document that speaks of this person, without the footer."""
        return "\n".join(line.source.rstrip() for line in self.lines)


def parts_of(lines: Sequence[Line]) -> list[Part]:
    """The document's parts, each with at least one line."""
    parts: list[Part] = []
    chunk: list[Line] = []
    for line in lines:
        if is_footer(line):
            parts += _people(chunk, closed=True)
            chunk = []
        else:
            chunk.append(line)
    return parts + _people(chunk, closed=False)


def is_location(text: str) -> bool:
    """A heading line that states a place: a comma and no `` at ``, or a place that is known."""
    if " at " in text or len(text) > _LONGEST_NAME or text.endswith("."):
        return False
    if "," not in text:
        return is_place(text)
    return not _JOB.search(text) or any(is_place(piece.strip()) for piece in text.split(","))


def may_be_name(text: str) -> bool:
    """Short, with letters, and neither an address nor a sentence."""
    return (
        0 < len(text) <= _LONGEST_NAME
        and len(text.split()) <= _MOST_WORDS
        and bool(_LETTER.search(text))
        and not _NO_NAME.search(text)
    )


_LONGEST_NAME: Final = 100
_MOST_WORDS: Final = 8
_LETTER: Final = regex.compile(r"\p{L}")
_NO_NAME: Final = regex.compile(r"https?:|www\.|[@<>{}=|\\/]|:$|\p{Ll}{4,}[.!?]\s|\p{Ll}{3,}[.!?]$")
_JOB: Final = regex.compile(
    r"\b(?:Engineer|Developer|Architect|Manager|Lead|Director|Scientist|Researcher|Founder|CTO|CEO"
    r"|VP|Head|Designer|Analyst|Consultant|Programmer|Student|Professor|Administrator|SRE|Intern)\b",
    regex.IGNORECASE,
)


def _people(chunk: list[Line], *, closed: bool) -> list[Part]:
    cuts = [0, *_restarts(chunk), len(chunk)]
    return [
        Part(tuple(chunk[start:end]), closed=closed or end < len(chunk))
        for start, end in pairwise(cuts)
        if start < end
    ]


def _restarts(lines: Sequence[Line]) -> list[int]:
    """Where in lines without a footer another person begins."""
    restarts: list[int] = []
    reached: Kind | None = None
    floor = 0
    for index, line in enumerate(lines):
        heading = heading_of(line)
        if heading is None or _is_description(lines, index, heading):
            continue
        if reached is not None and reached >= Kind.SKILLS and heading.kind <= reached:
            start = _name_above(lines, index, floor, reached)
            if start is None and heading.kind is Kind.SKILLS:
                start = index
            if start is None:
                continue
            restarts.append(start)
        reached, floor = heading.kind, index
    return restarts


def _is_description(lines: Sequence[Line], index: int, heading: Heading) -> bool:
    """Under the months of a contribution a line without a count is its description."""
    return index > 0 and heading.count is None and months_of(lines[index - 1].text) is not None


def _name_above(lines: Sequence[Line], heading: int, floor: int, section: Kind) -> int | None:
    """The index of the name of the person whose first heading stands at ``heading``."""
    taken = max(
        (
            index
            for index in range(floor, heading)
            if index == floor or _belongs_above(lines, index, section)
        ),
    )
    region = range(taken + 1, heading)
    if section is Kind.CONTRIBUTIONS and not months_of(lines[taken].text):
        while len(region) > 1 and looks_like_topics(lines[region[0]].text):
            region = region[1:]
    if not region:
        return None
    texts = [lines[index].text for index in region]
    return region[_name_within(texts)]


def _name_within(texts: list[str]) -> int:
    """The name among the last lines of one person and the name, headline, place of the next."""
    places = [index for index, text in enumerate(texts) if index and is_location(text)]
    jobs = [
        index
        for index, text in enumerate(texts)
        if index and " at " in text and len(text) <= _LONGEST_NAME
    ]
    if places:
        start = max(places[-1] - 2, 0)
    elif jobs:
        start = jobs[-1] - 1
    else:
        start = max(len(texts) - 2, 0)
    last = min(start + 2, len(texts))
    return next((index for index in range(start, last) if may_be_name(texts[index])), start)


def _belongs_above(lines: Sequence[Line], index: int, section: Kind) -> bool:
    """A line that can only be the earlier person's."""
    text = lines[index].text
    if section is Kind.CONTRIBUTIONS:
        return (
            starts_contribution(lines, index)
            or months_of(text) is not None
            or is_contribution_text(text)
            or lines[index - 1].text.rstrip(" :") == "Role in this project"
        )
    return section is Kind.SKILLS and " " not in text and split_score(text)[1] is not None
