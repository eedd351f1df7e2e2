"""What the bot can answer: values without Slack, one class a kind of answer.

``query`` is the question as understood: for a search it can be edited and asked again.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from bot.comparing import Comparison
from storage.records import Candidate
from storage.search.values import Clause, Examples, Hit, Suggestion


@dataclass(frozen=True, slots=True, kw_only=True)
class CardAnswer:
    """The question names one person. ``taken_for`` is set when a typo had to be read."""

    query: str
    hit: Hit
    taken_for: str | None = None
    note: str = ""
    """Something to know before the card, in a sentence."""
    also: tuple[Hit, ...] = ()
    """Others, whose names in another script read as this one."""

    @property
    def candidate(self) -> Candidate:
        return self.hit.candidate


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceAnswer:
    """The question names several people equally well."""

    query: str
    hits: tuple[Hit, ...]
    taken_for: str | None = None
    also: tuple[Hit, ...] = ()
    """As of ``CardAnswer``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultsAnswer:
    """People a search found: one page of them, each with why."""

    query: str
    phrase: str
    total: int
    offset: int
    limit: int
    hits: tuple[Hit, ...]
    order: str = ""
    narrow: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """What became of plain words, in sentences; what can be typed stands in backticks."""
    about: tuple[str, ...] = ()
    """Ids of people whom reasons name beside those found."""
    bands: tuple[tuple[int, int], ...] = ()
    refine: tuple[Suggestion, ...] = ()
    broader: tuple[str, str] | None = None
    """Of a refined question the condition that refined it, and the question without it."""
    since: datetime | None = None
    """For people listed because they are new: since when."""

    @property
    def next_offset(self) -> int | None:
        after = self.offset + self.limit
        return after if after < self.total else None

    @property
    def previous_offset(self) -> int | None:
        return max(0, self.offset - self.limit) if self.offset else None


@dataclass(frozen=True, slots=True, kw_only=True)
class NothingAnswer:
    """Nobody: which part matched nobody, and what dropping it gives."""

    query: str
    asked: str
    sentence: str = ""
    """That nobody was found, in a sentence."""
    stored: int = 0
    clauses: tuple[Clause, ...] = ()
    hints: tuple[str, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    about: tuple[str, ...] = ()
    """Ids of people whom hints name."""
    did_you_mean: str | None = None
    """A command that this may be a mistyping of."""
    usage: tuple[str, str] | None = None
    """How the command is written that the first word is, and what it does."""
    notes: tuple[str, ...] = ()
    """As of ``ResultsAnswer``."""
    advice: str = ""
    """What to do instead, where that is better told than which part found nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpAnswer:
    """Help on everything (topic ``""``), or on one topic.

    ``stored`` people can be found; ``entries`` are what to type and what it does. Of commands
    ``groups`` are the same by what they are for, and ``coming`` those not built yet.
    """

    topic: str
    stored: int
    examples: Examples
    entries: tuple[tuple[str, str], ...] = ()
    groups: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()
    coming: tuple[str, ...] = ()

    @property
    def query(self) -> str:
        return f"help {self.topic}".strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorAnswer:
    """The question cannot be understood; ``text`` says what to write instead."""

    query: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DoneAnswer:
    """Something was done or is told: ``text`` is one sentence a line."""

    query: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonAnswer:
    """People side by side; ``hits`` are the same people, in the order in which they were named."""

    query: str
    hits: tuple[Hit, ...]
    comparison: Comparison


Answer: TypeAlias = (
    CardAnswer
    | ChoiceAnswer
    | ResultsAnswer
    | NothingAnswer
    | HelpAnswer
    | ErrorAnswer
    | DoneAnswer
    | ComparisonAnswer
)
