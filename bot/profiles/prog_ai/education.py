"""Education lines: each phrase doubled, entries glued together, the school after `` at ``.

``Master, CS, Master, CS at University of XBachelor, CS, Bachelor, CS at Y`` is
two entries. The doubling says where a phrase ends, so a school may contain
`` at `` and digits; a phrase that is not doubled is split at its last `` at ``.
"""

from itertools import pairwise
from typing import Final

import regex

from storage.places import is_place
from storage.records import Education

_AT: Final = " at "
_LONGEST: Final = 4000
_DEGREE: Final = (
    r"(?:Bachelor|Master|Doctor|Ph\.?\s?D|Diplom|Associate|Licen[cs]|B\.?Sc|M\.?Sc|B\.?Eng|M\.?Eng"
    r"|B\.?Tech|M\.?Tech|MBA|Engineer's|High School|Magister|Postdoc|Certificate)"
)
_GLUED_DEGREE: Final = regex.compile(rf"(?<=[^\s(,/-])(?={_DEGREE}(?:[\s,'’.]|s\b))")
_DEGREE_START: Final = regex.compile(rf"{_DEGREE}\b")
_DEGREE_LINE: Final = regex.compile(rf"{_DEGREE}\b.*{_AT}.*[^.!?]")


def education_of(line: str) -> tuple[Education, ...]:
    """The entries of one line, at least one, in order; nothing of the line is lost."""
    if len(line) > _LONGEST:
        return (Education(text=line),)
    starts = [0]
    while (start := _next_start(line, starts[-1])) is not None:
        starts.append(start)
    starts.append(len(line))
    return tuple(_entry(line[start:end].strip()) for start, end in pairwise(starts))


def looks_like_education(line: str) -> bool:
    """A line outside the education's usual place that is certainly education."""
    if len(line) > _LONGEST:
        return False
    length = _phrase_length(line, 0)
    if length is None:
        return bool(_DEGREE_LINE.fullmatch(line))
    # Singapore, Singapore is a place.
    return 2 * length + 2 != len(line) or not is_place(line[:length])


def is_doubled_degree(line: str) -> bool:
    """A line that only such a page has: a doubled phrase with a school, or a doubled degree."""
    length = _phrase_length(line, 0) if len(line) <= _LONGEST else None
    if length is None:
        return False
    return line.startswith(_AT, 2 * length + 2) or bool(_DEGREE_START.match(line))


def _entry(text: str) -> Education:
    length = _phrase_length(text, 0)
    if length is not None:
        phrase, rest = text[:length], text[2 * length + 2 :]
    elif _AT in text:
        phrase, _, school = text.rpartition(_AT)
        rest = _AT + school
    else:
        return Education(text=text)
    school = rest.removeprefix(_AT).strip()
    if rest.strip() == "at":
        school = ""
    return Education(text=phrase.strip(), school=school or None)


def _phrase_length(text: str, start: int) -> int | None:
    """The length of a phrase that stands doubled at ``start`` and ends an entry's first part."""
    comma = text.find(", ", start + 1)
    while comma != -1:
        length = comma - start
        after = comma + 2 + length
        if after > len(text):
            return None
        if text.startswith(text[start:comma], comma + 2) and (
            after == len(text)
            or text.startswith(_AT, after)
            or text[after:] in {" at", " a", " "}
            or _is_glue(text, after)
        ):
            return length
        comma = text.find(", ", comma + 1)
    return None


def _next_start(text: str, start: int) -> int | None:
    """Where the next entry begins, glued to the one that begins at ``start``."""
    length = _phrase_length(text, start)
    begin = start + 1 if length is None else start + 2 * length + 2
    degree = next((match.start() for match in _GLUED_DEGREE.finditer(text, begin)), None)
    for position in range(begin, len(text)):
        if position == degree:
            return position
        if _is_glue(text, position) and _phrase_length(text, position) is not None:
            return position
    return None


def _is_glue(text: str, position: int) -> bool:
    """Two words meet here without anything between them."""
    before, after = text[position - 1], text[position]
    if before.isspace() or before in ",-–/(&'’\"“" or not after.isalnum():
        return False
    if after.isupper():
        return not before.isupper() or text[position + 1 : position + 2].islower()
    if after.isdigit():
        return before.isalpha()
    return not after.islower() and not before.isascii() | before.isdigit()
