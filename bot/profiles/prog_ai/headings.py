"""The page's headings and one-line facts, in the order in which the page has them."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import regex

from bot.profiles.prog_ai.lines import Line
from bot.profiles.prog_ai.numbers import NUMBER, whole


class Kind(IntEnum):
    """What a line opens or states; the number is its place on the page."""

    SUMMARY = 1
    CODING = 2
    EMPLOYED = 3
    EDUCATION = 4
    STACKOVERFLOW = 5
    SKILLS = 6
    LANGUAGES = 7
    CONTRIBUTIONS = 8


@dataclass(frozen=True, slots=True)
class Heading:
    """``count`` is the number in the heading's brackets, or the years of a fact."""

    kind: Kind
    count: int | None = None


def heading_of(line: Line) -> Heading | None:
    """The heading or fact that this whole line is, or None."""
    text = line.text
    if len(text) > _LONGEST or text[0] not in _FIRST:
        return None
    for kind, pattern in _PATTERNS:
        if match := pattern.fullmatch(text):
            count = match.groupdict().get("count")
            if line.last and "(" in text and not text.endswith(")"):
                count = None
            return Heading(kind, whole(count.split(".")[0]) if count else None)
    if line.last and _CUT_COUNT.fullmatch(text):
        return next(
            (Heading(kind) for kind, start in _COUNTED.items() if text.startswith(start)), None
        )
    return None


def is_cut_heading(line: Line) -> bool:
    """The last line of the document is the beginning of a heading or fact and no more."""
    if not line.last:
        return False
    text = line.text
    return any(start.startswith(text) and text != start for start in _STARTS) or any(
        start.startswith(rest) and rest != start
        for start in (" years of coding experience", " year of coding experience",
                      " years of employment as a software developer",
                      " year of employment as a software developer")
        if (rest := text.lstrip("0123456789")) != text and len(rest) > 1
    )  # fmt: skip


_LONGEST: Final = 120
_FIRST: Final = frozenset("SEGPl0123456789")
"""What headings and facts begin with: nearly all other lines need no closer look."""
_COUNT: Final = rf"\s*(?:\(\s*(?P<count>{NUMBER})?\s*\+?\s*\)?)?\s*:?"
_YEARS: Final = r"(?:(?P<count>\d{1,3}(?:[.,]\d+)?)\+?|less than (?:a|one|1))\s+years?\s+of\s+"
_PATTERNS: Final = tuple(
    (kind, regex.compile(pattern))
    for kind, pattern in (
        (Kind.SUMMARY, r"(?:Summary|SUMMARY)\s*:?"),
        (Kind.CODING, _YEARS + r"coding\s+experience\.?"),
        (Kind.EMPLOYED, _YEARS + r"employment(?:\s+as\s+an?\s+[\w\s-]+)?\.?"),
        (Kind.EDUCATION, r"(?:Education|EDUCATION)\s*:?"),
        (Kind.STACKOVERFLOW, r"Stack\s?[Oo]verflow\s*:?"),
        (Kind.SKILLS, r"Git[Hh]ub\s+[Ss]kills" + _COUNT),
        (Kind.LANGUAGES, r"Programming\s+[Ll]anguages" + _COUNT),
        (Kind.CONTRIBUTIONS, r"Git[Hh]ub\s+[Cc]ontributions" + _COUNT),
    )
)
_COUNTED: Final = {
    Kind.SKILLS: "Github Skills",
    Kind.LANGUAGES: "Programming languages",
    Kind.CONTRIBUTIONS: "Github contributions",
}
_CUT_COUNT: Final = regex.compile(
    r"(?:Github Skills|Programming languages|Github contributions) \(\d*"
)
_STARTS: Final = (
    "Summary",
    "Stackoverflow",
    "Github Skills (",
    "Programming languages (",
    "Github contributions (",
    "Role in this project:",
    "Contributions summary:",
    "Contributions:",
)
