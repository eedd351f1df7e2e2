"""Badges before the summary, and the summary they are glued to.

On the page each badge is an emoji and a label. Copied, the emoji stands at the
end of the line before: ``🤩`` / ``Rockstar🎓`` / ``Top SchoolLei Wang is …``.
The last label ends where a known label ends, else where the person's name or
a capital letter follows without a space.
"""

from typing import Final

import regex

KNOWN: Final = ("Rockstar", "Top School")

_EMOJI: Final = regex.compile(
    r"(?:(?![©®™‼⁉#*0-9])[\p{Emoji_Presentation}\p{Extended_Pictographic}\p{Regional_Indicator}]"
    r"[\ufe0f\u200d\p{Emoji_Modifier}]*|:[a-z0-9_+'-]{2,40}:)+\s*"
)
_KNOWN: Final = regex.compile("|".join(map(regex.escape, KNOWN)))
_EDGE: Final = regex.compile(r"(?<=[\p{Ll}\p{N})!])(?=\p{Lu})")
_CAMEL: Final = regex.compile(
    r"GitHub|LinkedIn|YouTube|JavaScript|TypeScript|OpenAI|DevOps|MLOps|StackOverflow|DeepMind"
)
_SENTENCE: Final = regex.compile(r"[.!?。](?:\s|$)|,\s")
_WORDS: Final = 5
_MOST_ROWS: Final = 40
_LONGEST: Final = 100


def opens_badges(line: str) -> bool:
    """A line that begins the badges, should the ``Summary`` heading be missing."""
    match = _EMOJI.match(line)
    if match and (match.end() == len(line) or _KNOWN.match(line, match.end())):
        return True
    known = _KNOWN.match(line)
    return bool(known) and _is_glued_or_alone(line, known.end() if known else 0)


def badges_and_summary(
    rows: list[str], name: str
) -> tuple[tuple[str, ...], str | None, tuple[str, ...]]:
    """Badges in order, the summary or None, and those badges whose end had to be guessed."""
    badges: list[str] = []
    guessed: list[str] = []
    rest, below = list(rows[:_MOST_ROWS]), rows[_MOST_ROWS:]
    expected = False
    while rest:
        row = rest[0]
        if (
            any(known.startswith(row) and known != row for known in KNOWN)
            and len(rest) + len(below) == 1
        ):
            break  # a page cut off inside a known label: no badge, and no summary either
        emoji = _EMOJI.match(row)
        if emoji:
            # A space after an emoji is prose: there only a known label counts.
            row, expected = row[emoji.end() :], not emoji.group()[-1].isspace()
            if not row:
                rest.pop(0)
                continue
        label, sure = _label(row, name, expected=expected, alone=len(rest) > 1)
        if label is None:
            break
        badges.append(label)
        if not sure:
            guessed.append(label)
        expected = False
        remainder = row[len(label) :].strip()
        if remainder:
            rest[0] = remainder
        else:
            rest.pop(0)
    summary = " ".join([*rest, *below]).strip()
    if any(known.startswith(summary) for known in KNOWN):
        summary = ""
    return tuple(badges), summary or None, tuple(guessed)


def _label(row: str, name: str, *, expected: bool, alone: bool) -> tuple[str | None, bool]:
    """The badge that ``row`` begins with, and whether its end is certain."""
    known = _KNOWN.match(row)
    if known and _is_glued_or_alone(row, known.end()):
        return known.group(), True
    if not expected:
        return None, False
    row = row[:_LONGEST]
    following = _EMOJI.search(row)
    if following and _is_short(row[: following.start()]):
        return row[: following.start()].strip(), True
    for end in (*_glued_name(row, name), *_edges(row)):
        if _is_short(row[:end]):
            return row[:end], False
    if _is_short(row) and (alone or len(row) <= 40):
        return row, False
    return None, False


def _is_glued_or_alone(row: str, end: int) -> bool:
    if end == len(row):
        return True
    following = row[end]
    caseless = following.isalpha() and not following.islower()
    return caseless or following.isdigit() or _EMOJI.match(row, end) is not None


def _glued_name(row: str, name: str) -> list[int]:
    """Where a word of the person's name follows something without a space."""
    return sorted(
        match.start()
        for word in name.split()
        if len(word) > 1
        for match in regex.finditer(rf"(?<=\S){regex.escape(word)}", row)
    )


def _edges(row: str) -> list[int]:
    """Where a capital follows a small letter, save inside names that are written so."""
    inside = {
        match.start() + offset
        for match in _CAMEL.finditer(row)
        for offset in range(1, len(match.group()))
    }
    return [match.start() for match in _EDGE.finditer(row) if match.start() not in inside]


def _is_short(label: str) -> bool:
    return bool(label.strip()) and len(label.split()) <= _WORDS and not _SENTENCE.search(label)
