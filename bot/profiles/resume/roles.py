"""Jobs told by the looks of their lines: employers largest, titles below them, then the text.

LinkedIn's own PDFs are made so in every language, and many résumés in which several roles follow
each other below the name of one employer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from bot.profiles.dates import Span, span_in
from bot.profiles.resume.lines import Line
from bot.profiles.resume.pieces import is_place_text
from storage.records import Job


def roles_of(lines: Sequence[Line]) -> list[Job]:
    """The jobs, where looks tell employers from titles and both from text; else none."""
    sizes = _sizes(lines)
    if sizes is None:
        return []
    employer_size, title_size = sizes
    found: list[_Role] = []
    employer: list[str] = []
    above = ""
    for line in lines:
        kind = _kind(line, employer_size, title_size)
        role = found[-1] if found else None
        if kind == "employer":
            if above != kind:
                employer = []
            employer.append(line.plain)
        elif kind == "title" and above == kind and role is not None:
            role.title = f"{role.title} {line.plain}"
        elif kind == "title":
            found.append(_Role(employer, line.plain))
        elif role is not None and role.employer is employer:
            role.take(line)
        above = kind
    return [each.job for each in found if each.span is not None]


def _kind(line: Line, employer_size: float, title_size: float) -> str:
    if line.bullet or _weight(line) < title_size - 0.2:
        return "text"
    return "employer" if _weight(line) >= employer_size - 0.2 else "title"


@dataclass(slots=True)
class _Role:
    employer: list[str]
    title: str
    span: Span | None = None
    place: str | None = None
    body: list[str] = field(default_factory=list)

    def take(self, line: Line) -> None:
        """A line of text below the title: the dates first, then the place, then what was done."""
        if self.span is None:
            found = span_in(line.plain)
            self.span = found[0] if found else None
        elif self.place is None and not self.body and is_place_text(line.plain):
            self.place = line.plain
        else:
            self.body.append(line.plain)

    @property
    def job(self) -> Job:
        span = self.span or Span()
        return Job(
            employer=" ".join(self.employer),
            title=self.title,
            from_date=span.first,
            to_date=span.last,
            is_current=span.is_current,
            place=self.place,
            summary="\n".join(self.body) or None,
        )


def _sizes(lines: Sequence[Line]) -> tuple[float, float] | None:
    """The weights of employers and titles: a title stands right above the first date.

    A date right below an employer is that of all roles there.
    """
    employer = max((_weight(each) for each in lines if not each.bullet), default=0.0)
    for above, line in pairwise(lines):
        if not line.bullet and _weight(above) < employer - 0.2 and span_in(line.text):
            title = _weight(above)
            return (employer, title) if employer > title > _weight(line) else None
    return None


def _weight(line: Line) -> float:
    """The size of a line in points, a bold one's half a point larger."""
    return line.size + (0.5 if line.bold else 0.0)


def roles_under_employers(lines: Sequence[Line]) -> list[Job]:
    """The jobs of a section where somebody held several roles below one employer's name.

    Empty where nobody is named with two roles, or where the looks leave something out.
    """
    jobs = roles_of(lines)
    sizes = _sizes(lines)
    if sizes is None or not any(one.employer == two.employer for one, two in pairwise(jobs)):
        return []
    kinds = [_kind(each, *sizes) for each in lines]
    bare = any(one == two == "employer" for one, two in pairwise(kinds))
    return [] if bare or kinds.count("title") != len(jobs) else jobs
