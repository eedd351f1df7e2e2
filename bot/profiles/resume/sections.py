"""The lines of a résumé by section."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import regex

from bot.profiles.resume.headings import Section, heading_of, is_doubtful
from bot.profiles.resume.lines import Line

_INLINE: Final = regex.compile(r"([^:：]{3,40})[:：]\s*(\S.*)")


@dataclass(slots=True)
class Part:
    """The lines below one heading; ``section`` is None for what stands before the first."""

    section: Section | None
    title: str = ""
    lines: list[Line] = field(default_factory=list)


def parts_of(lines: Sequence[Line]) -> list[Part]:
    """The opening, then one part a heading, in the document's order.

    >>> from bot.profiles.resume.lines import lines_of
    >>> text = "Ada\\nSKILLS\\nGo\\nLanguages: Dutch\\n\\nEducation\\nETH"
    >>> [(each.section, len(each.lines)) for each in parts_of(lines_of(text))]
    [(None, 1), (<Section.SKILLS: 'skills'>, 2), (<Section.EDUCATION: 'education'>, 1)]
    """
    looks = _looks(lines)
    parts = [Part(None)]
    for line in lines:
        if line.fresh and parts[-1].section is not None:
            parts.append(Part(None))
        section = _section(line, looks)
        if section is not None:
            parts.append(Part(section, line.plain))
            continue
        inline = _inline(line, parts[-1].section)
        if inline is not None:
            parts.append(inline)
        elif parts[-1].section is not None and _is_other_heading(line, looks):
            parts.append(Part(Section.OTHER, line.plain))
        else:
            parts[-1].lines.append(line)
    return parts


@dataclass(frozen=True, slots=True)
class _Looks:
    """How the headings of this document look, told by the sure ones."""

    size: float
    """The smallest size of a sure one where all are larger than the text, else 0."""
    upper: bool
    level: int
    bold: bool


def _looks(lines: Sequence[Line]) -> _Looks:
    sure = [line for line in lines if _is_sure(line)]
    sizes = sorted(each.size for each in lines if not each.bullet)
    usual = sizes[len(sizes) // 2] if sizes else 0.0
    size = min((each.size for each in sure), default=0.0)
    return _Looks(
        size=size if size > 1.08 * usual > 0 else 0.0,
        upper=bool(sure) and all(each.text.isupper() for each in sure),
        level=max((each.level for each in sure), default=0),
        bold=bool(sure) and all(each.bold for each in sure),
    )


def _is_sure(line: Line) -> bool:
    return (
        not line.bullet
        and len(line.parts) == 1
        and heading_of(line.text) is not None
        and not is_doubtful(line.text)
    )


def _section(line: Line, looks: _Looks) -> Section | None:
    if line.bullet or len(line.parts) != 1:
        return None
    section = heading_of(line.text)
    if section is None:
        return None
    if not is_doubtful(line.text):
        if looks.size and line.size < 0.9 * looks.size:
            return None
        return section
    alike = (
        (looks.size and line.size >= looks.size)
        or (looks.level and 0 < line.level <= looks.level)
        or (
            not looks.size
            and not looks.level
            and (line.text.isupper() if looks.upper else line.gap)
        )
    )
    return section if alike else None


def _inline(line: Line, within: Section | None) -> Part | None:
    """``Languages: English, German`` on a line of its own, outside a list of skills."""
    match = _INLINE.fullmatch(line.plain)
    if (
        match is None
        or line.bullet
        or within in {Section.SKILLS, Section.EXPERIENCE, Section.PROJECTS}
    ):
        return None
    section = heading_of(match[1])
    if section not in {Section.SKILLS, Section.LANGUAGES, Section.SUMMARY} or is_doubtful(match[1]):
        return None
    if within not in {
        None,
        Section.CONTACT,
        Section.SUMMARY,
        Section.OTHER,
        section,
        Section.LANGUAGES,
    }:
        return None
    return Part(section, match[1], [replace(line, text=match[2])])


def _is_other_heading(line: Line, looks: _Looks) -> bool:
    """A line that looks as this document's headings do, though its words are not known."""
    if (
        line.bullet
        or len(line.parts) != 1
        or len(line.text) > 45
        or regex.search(r"\d|[.,:;@|]", line.text)
    ):
        return False
    if looks.level:
        return 0 < line.level <= looks.level
    return (
        bool(looks.size)
        and line.size >= looks.size
        and line.gap
        and (line.text.isupper() or not looks.upper)
    )
