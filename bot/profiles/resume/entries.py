"""The entries of a section: which lines belong to one job or one school.

Every dated line begins an entry, together with the lines above it that are its heading, as many
as stand above the section's first date (``Acme`` over ``Engineer, 2019 – 2021``), and those below
it that complete it. Lines without bullets and full stops that are short may be headings; bold ones
are. An entry that has nothing above its date while others have is another role at the same place.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import regex

from bot.profiles.dates import Span, span_in
from bot.profiles.resume.lines import Line

MOST_ABOVE: Final = 3
MOST_BELOW: Final = 2
_ENDS_LIKE_A_NAME: Final = regex.compile(
    r"\b(?:Inc|Ltd|Co|Corp|LLC|Pvt|S\.A|S\.r\.l|S\.p\.A|B\.V|e\.V|Jr|Sr|Univ|Dept|Sc|Eng|D|A|"
    r"S|St)\.$"
)
_ORPHANS: Final = regex.compile(r"[([]\s*[)\]]|^[\s,;:|/·•–—-]+|[\s,;:|/·•–—(-]+$")
_PROSE: Final = 14
"""Words of a line from which on it is prose."""


@dataclass(slots=True)
class Entry:
    """One entry: the lines of its heading without dates, its dates, and what follows."""

    heads: list[str]
    span: Span = field(default_factory=Span)
    body: list[Line] = field(default_factory=list)
    follows: bool = False
    """Nothing stood above its date, while lines stood above that of the entry before."""


def without(text: str, start: int, end: int) -> str:
    """A text without the date in it and what only held the date.

    >>> without("Engineer (2019 – 2021)", 10, 21), without("2019: Engineer", 0, 4)
    ('Engineer', 'Engineer')
    """
    rest = f"{text[:start].rstrip(' ')}\t{text[end:].lstrip(' ')}"
    rest = regex.sub(r"[([]\s*\t\s*[)\]]", "\t", rest)
    parts = [_ORPHANS.sub("", _ORPHANS.sub("", each)).strip() for each in rest.split("\t")]
    return "\t".join(part for part in parts if part)


def dated(line: Line) -> tuple[Span, str] | None:
    """The dates of a line that begins an entry, and the line without them; None for other lines.

    >>> dated(Line("Engineer\\tMar 2019 – Present"))[1]
    'Engineer'
    >>> dated(Line("In 2019 we built what you see."))
    """
    found = span_in(line.text)
    if found is None:
        return None
    span, start, end = found
    if not _may_be_date(line.text, start, end):
        return None
    rest = without(line.text, start, end)
    if again := span_in(rest):  # "09/2019 – 08/2021  2019" or a date in each of two columns
        rest = without(rest, *again[1:])
    words = len(rest.split())
    ended = rest.endswith((".", "!")) and not _ENDS_LIKE_A_NAME.search(rest)
    if ended and (span.last or span.is_current) and _at_an_edge(line.text, start, end):
        rest, ended = rest.rstrip(".! \t"), False  # "2019 – 2021 Engineer, Acme, Oslo."
    if words > _PROSE or (ended and (words > 5 or rest[:1].islower())):
        return None
    return span, rest


def _may_be_date(text: str, start: int, end: int) -> bool:
    """Whether the year stands for itself: not in ``ISO 2000``, ``Win2000`` or a sentence."""
    lone = regex.fullmatch(r"\d{4}", text[start:end].strip()) is not None
    if not lone:
        return True
    before, after = text[:start].rstrip(" "), text[end:].lstrip(" ")
    return not before or not after or before[-1] in "\t,;:|([–—-·•" or after[:1] in "\t,;:|)"


def _at_an_edge(text: str, start: int, end: int) -> bool:
    """Whether dates are the first or the last that a line says."""
    return not text[:start].strip() or not text[end:].strip(" .)")


def is_head(line: Line) -> bool:
    """Whether a line may belong to an entry's heading."""
    text = line.plain
    if line.bullet or len(text) > 120 or text.endswith((":", ";", ",")):
        return False
    if text[:1].islower() or len(text.split()) > _PROSE:
        return False
    return not text.endswith((".", "!", "?")) or _ENDS_LIKE_A_NAME.search(text) is not None


def entries_of(lines: Sequence[Line], complete: Callable[[Sequence[str]], bool]) -> list[Entry]:
    """The entries; ``complete`` says whether heading lines state all that an entry needs."""
    dates = {
        number: found
        for number, line in enumerate(lines)
        if not line.bullet and (found := dated(line)) is not None
    }
    if not dates:
        dates = {
            number: found
            for number, line in enumerate(lines)
            if line.bullet and (found := dated(line)) is not None and len(line.text) < 160
        }
    if not dates:
        return _undated(lines, complete)
    return _Sectioning(lines, dates, complete).entries()


class _Sectioning:
    def __init__(
        self,
        lines: Sequence[Line],
        dates: dict[int, tuple[Span, str]],
        complete: Callable[[Sequence[str]], bool],
    ) -> None:
        self._lines = lines
        self._dates = dates
        self._complete = complete
        self._most_above = 0
        self._bold_above = False
        self._most_below = MOST_BELOW

    def entries(self) -> list[Entry]:
        anchors = self._anchors()
        self._learn(anchors[0])
        starts: list[tuple[int, int, int]] = []
        end = 0
        for place, anchor in enumerate(anchors):
            above = self._above(anchor, end, first=place == 0)
            begins = min(above, default=anchor)
            following = anchors[place + 1] if place + 1 < len(anchors) else len(self._lines)
            below = self._below(anchor, above, following)
            if place == 0:
                self._most_below = below
            end = anchor + 1 + below
            starts.append((begins, anchor, end))
        return [
            self._entry(
                start, anchor, end, starts[place + 1][0] if place + 1 < len(starts) else None
            )
            for place, (start, anchor, end) in enumerate(starts)
        ]

    def _anchors(self) -> list[int]:
        """Dated lines, without those that only repeat or refine the date right above them."""
        anchors: list[int] = []
        for number in self._dates:
            bare = not self._dates[number][1]
            if anchors and bare and number == anchors[-1] + 1 and self._dates[anchors[-1]][1]:
                span, above = self._dates[number][0], self._dates[anchors[-1]][0]
                if (not above.last and not above.is_current) or span == above:
                    continue
            anchors.append(number)
        return anchors

    def _learn(self, first: int) -> None:
        above = 0
        while above < min(first, MOST_ABOVE) and is_head(self._lines[first - 1 - above]):
            above += 1
        self._most_above = above
        self._bold_above = above > 0 and self._lines[first - 1].bold

    def _above(self, anchor: int, end: int, *, first: bool) -> list[int]:
        """Numbers of the lines above the date that are its heading."""
        if not self._most_above and not first and self._stands_apart(anchor, end):
            return [anchor - 1]
        found: list[int] = []
        for number in range(anchor - 1, max(end, anchor - self._most_above) - 1, -1):
            line, below = self._lines[number], self._lines[number + 1]
            if not is_head(line) or number in self._dates:
                break
            if not first and self._bold_above and not found and not line.bold:
                break
            if below.gap and not first and not line.bold and line.size <= below.size:
                break
            found.append(number)
        return found

    def _stands_apart(self, anchor: int, end: int) -> bool:
        """A heading above a date that lacks something, in a section where others have none."""
        rest = self._dates[anchor][1]
        if anchor - 1 < end or not rest or self._complete([rest]):
            return False
        above = self._lines[anchor - 1]
        return is_head(above) and (above.gap or above.bold) and not self._lines[anchor].gap

    def _below(self, anchor: int, above: Sequence[int], following: int) -> int:
        """How many lines below the date complete the heading."""
        heads = [*(self._lines[each].text for each in reversed(above)), self._dates[anchor][1]]
        if self._most_above and not above:
            return 0  # another role at the place above
        count = 0
        while count < self._most_below and anchor + 1 + count < following:
            line = self._lines[anchor + 1 + count]
            near_next = following < len(self._lines) and (
                following - (anchor + 1 + count) <= self._most_above
            )
            if near_next or self._complete(heads) or not is_head(line):
                break
            heads.append(line.text)
            count += 1
        return count

    def _entry(self, start: int, anchor: int, end: int, following: int | None) -> Entry:
        span, rest = self._dates[anchor]
        heads = [each.text for each in self._lines[start:anchor]]
        heads += [rest] if rest else []
        heads += [each.text for each in self._lines[anchor + 1 : end]]
        return Entry(
            heads,
            span,
            list(self._lines[end : following if following is not None else len(self._lines)]),
            follows=start == anchor and self._most_above > 0,
        )


def _undated(lines: Sequence[Line], complete: Callable[[Sequence[str]], bool]) -> list[Entry]:
    """Entries without dates: each begins after a gap, or with a heading after bullets or prose."""
    entries: list[Entry] = []
    for line in lines:
        if not is_head(line):
            if entries:
                entries[-1].body.append(line)
            continue
        begun = entries and not entries[-1].body
        if (
            begun
            and not line.gap
            and len(entries[-1].heads) < MOST_ABOVE
            and not complete(entries[-1].heads)
        ):
            entries[-1].heads.append(line.text)
        elif entries and not line.gap and entries[-1].body and not line.bold:
            entries[-1].body.append(line)
        else:
            entries.append(Entry([line.text]))
    return entries
