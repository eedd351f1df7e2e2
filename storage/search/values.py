"""What a search hands out. Sentences are plain text: whoever shows them escapes them."""

from dataclasses import dataclass
from enum import IntEnum

from storage.records import Candidate


class NameTier(IntEnum):
    """How well a text names somebody, lower is better: see ``storage.search.names``."""

    EXACT = 0
    TOKENS = 1
    WRITTEN = 2
    READ = 3
    PREFIX = 4
    INITIALS = 5
    NICKNAME = 6
    ALOUD = 7
    TYPO = 8
    NONE = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A person found. ``why`` are sentences that can be checked against the page."""

    candidate: Candidate
    score: float | None
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A part of a query that found nobody: it alone matches ``count``, the rest ``without``."""

    text: str
    count: int
    without: int
    rest: str
    """The query without this part."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A question that finds ``count`` people; ``lead`` says what it is to the asked one."""

    query: str
    count: int
    lead: str = "Most listed here"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchPage:
    """One page of results, or the reasons why there is none."""

    query: str
    """As understood: it can be edited, and reads back to itself."""
    phrase: str
    """The same in English, such as ``with skill cuda``."""
    nobody: str = ""
    """The sentence for a question that finds nobody."""
    total: int
    offset: int
    limit: int
    hits: tuple[Hit, ...] = ()
    clauses: tuple[Clause, ...] = ()
    hints: tuple[str, ...] = ()
    order: str = ""
    narrow: tuple[str, ...] = ()
    bands: tuple[tuple[int, int], ...] = ()
    """For each hit of a result longer than a page the first and last rank that are as good."""
    refine: tuple[Suggestion, ...] = ()
    """Of a result longer than a page: conditions that fewer meet, each as the whole question."""
    suggestions: tuple[Suggestion, ...] = ()
    about: tuple[str, ...] = ()
    """Ids of people whom reasons or hints name beside the hits: those of ``similar:``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameMatches:
    """The people of the best tier.

    ``taken_for`` is the name that a nickname, another script or a typo was read as.
    """

    tier: NameTier
    hits: tuple[Hit, ...] = ()
    taken_for: str | None = None
    also: tuple[Hit, ...] = ()
    """Others, whose names in another script read as the one that was asked for exactly."""

    @staticmethod
    def of_nobody() -> "NameMatches":
        """Nobody is named."""
        return NameMatches(tier=NameTier.NONE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Examples:
    """Questions that find somebody among those loaded; empty strings where nothing fits."""

    name: str = ""
    words: str = ""
    skill: str = ""
    two_skills: str = ""
    repository: str = ""
    location: str = ""
    company: str = ""
    years: str = ""
