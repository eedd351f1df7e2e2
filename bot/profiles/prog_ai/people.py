"""Which lines speak of which person, when one document holds several pages.

People are separated by the page's footer, or by a heading that cannot come
again on one page (a second ``Github Skills``, a ``Summary`` after the
contributions): the next person's part begins at the name above it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from bot.profiles.prog_ai.badges import opens_badges
from bot.profiles.prog_ai.contributions import (
    is_contribution_text,
    looks_like_topics,
    repository_of,
    starts_contribution,
)
from bot.profiles.prog_ai.headings import Heading, Kind, heading_of
from bot.profiles.prog_ai.lines import Line, is_footer
from bot.profiles.prog_ai.months import months_of
from bot.profiles.prog_ai.opening import LONGEST_NAME, are_topics, is_location, may_be_name
from bot.profiles.prog_ai.skills import split_score


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
        if reached is None:
            reached = _section_without_top(lines[:index])
        if reached is not None and reached >= Kind.SKILLS and heading.kind <= reached:
            start = _name_above(lines, index, floor, reached)
            if start is None and _opens_page(lines, index, heading, reached):
                start = index
            if start is None:
                continue
            restarts.append(start)
        reached, floor = heading.kind, index
    return restarts


def _section_without_top(opening: Sequence[Line]) -> Kind | None:
    """The section that the lines above a document's first heading end, its page's top missing."""
    if any(_belongs_above(opening, index, Kind.CONTRIBUTIONS) for index in range(len(opening))):
        return Kind.CONTRIBUTIONS
    leading = [_belongs_above(opening, index, Kind.SKILLS) for index in range(len(opening))][:2]
    return Kind.SKILLS if len(leading) > 1 and all(leading) else None


def _opens_page(lines: Sequence[Line], index: int, heading: Heading, reached: Kind) -> bool:
    """A heading without a name above it that still cannot be the earlier person's."""
    if heading.kind is Kind.SKILLS:
        return True
    counted = reached is Kind.CONTRIBUTIONS and heading.kind >= Kind.SKILLS and heading.count
    return (
        bool(counted or heading.kind in {Kind.SUMMARY, Kind.CODING, Kind.EMPLOYED})
        and repository_of(lines[index - 1].text) is None
        and not any(is_contribution_text(line.text) for line in lines[index + 1 : index + 2])
    )


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
        if len(region) == 1 and are_topics(lines[region[0]].text):
            return None
    if not region:
        return None
    texts = [lines[index].text for index in region]
    return region[_name_within(texts)]


def _name_within(texts: list[str]) -> int:
    """The name among the last lines of one person and the name, headline, place of the next."""
    badge = next((index for index, text in enumerate(texts) if opens_badges(text)), len(texts))
    if badge == 0:
        return 0
    texts = texts[:badge]
    places = [index for index, text in enumerate(texts) if index and is_location(text)]
    jobs = [
        index
        for index, text in enumerate(texts)
        if index and " at " in text and len(text) <= LONGEST_NAME
    ]
    if places:
        start = max(places[-1] - 2, 0)
    elif jobs:
        start = jobs[-1] - 1
    else:
        start = max(len(texts) - 2, 0)
        if not any(may_be_name(text) for text in texts[start:]):
            return 0
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
            or (index > 0 and lines[index - 1].text.rstrip(" :") == "Role in this project")
        )
    return section is Kind.SKILLS and " " not in text and split_score(text)[1] is not None
