"""The format: résumés as plain text or Markdown, also pasted into a message.

A pasted page is told from a question, a job description or minutes by this claim, so it is
conservative: a name at the top, two of the usual headings, and a dated job or study.
"""

from collections.abc import Sequence
from typing import Final

from bot.profiles.decoding import text_of
from bot.profiles.format import Reading, UnreadableProfile
from bot.profiles.prog_ai.page import SURE
from bot.profiles.resume.headings import Section, heading_of
from bot.profiles.resume.lines import Line
from bot.profiles.resume.markdown import lines_of_text
from bot.profiles.resume.reading import CORE, found_in, page_of, text_of_lines, why_none

LONGEST: Final = 100_000
"""Bytes of a text that may be one person's résumé."""


_NOT_ON_PAGES: Final = frozenset({Section.EXPERIENCE, Section.SKILLS})
"""Headings that a Prog,AI page does not have: such a text is refused here, with the reason."""


class TextResume:
    """A résumé of one person as plain text or Markdown."""

    NAME: Final = "text"
    VERSION: Final = 1

    def claims(self, name: str, content: bytes) -> float:  # noqa: ARG002 - the bytes decide
        if len(content) > LONGEST:
            return 0.0
        try:
            text = text_of(content)
        except UnreadableProfile:
            return 0.0
        if SURE.search(text) or text.lstrip()[:1] in {"<", "{", "["} or text.startswith("BEGIN:"):
            return 0.0
        lines = lines_of_text(text)
        if not _has_headings(lines):
            return 0.0
        found = found_in(lines)
        if found.entries > 0 and why_none(found, text_of_lines(lines)) is None:
            return 0.7
        return 0.55 if found.sections & _NOT_ON_PAGES else 0.0

    def read(self, content: bytes) -> Reading:
        lines = lines_of_text(text_of(content))
        return Reading(pages=(page_of(lines),), parser=f"{self.NAME}/{self.VERSION}")


def _has_headings(lines: Sequence[Line]) -> bool:
    sections = {heading_of(line.plain) for line in lines if not line.bullet}
    return bool(sections & CORE) and len(sections - {None, Section.OTHER}) >= 2
