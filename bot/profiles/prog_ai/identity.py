"""The lines above the first heading: name, headline, place; and the login a name suggests."""

from dataclasses import dataclass
from typing import Final

import regex
from anyascii import anyascii

from bot.profiles.prog_ai.badges import opens_badges
from bot.profiles.prog_ai.education import looks_like_education
from bot.profiles.prog_ai.headings import Kind
from bot.profiles.prog_ai.opening import is_location, name_among
from storage.places import is_place, parse_location
from storage.records import Location
from storage.search.folding import fold

_AT: Final = " at "
_PROSE: Final = 160
_SHORTEST_TOKEN: Final = 3
_WORD: Final = regex.compile(r"[^\W\d_]+")
_SYLLABLE: Final = regex.compile(r"[A-Z][a-z]+")
"""``anyascii`` begins each Han character's reading with a capital."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """What the opening lines say; ``unplaced`` are those that say none of it."""

    name: str | None = None
    headline: str | None = None
    title: str | None = None
    company: str | None = None
    location: Location | None = None
    summary: tuple[str, ...] = ()
    education: tuple[str, ...] = ()
    unplaced: tuple[str, ...] = ()


def identity_of(lines: list[str], heading: Kind | None = None) -> Identity:
    """Name first, then headline and place in either order, each optional.

    ``lines`` are those above the page's first heading, which is ``heading``.

    Badges, prose and education that stand here because their heading is
    missing are handed on as such.
    """
    at = name_among(lines, heading)
    if at is None:
        return Identity(unplaced=tuple(lines))
    unplaced, rest = lines[:at], lines[at + 1 :]
    name = lines[at]
    prose = next(
        (index for index, line in enumerate(rest) if opens_badges(line) or _is_prose(line)),
        len(rest),
    )
    rest, summary = rest[:prose], rest[prose:]
    education = tuple(line for line in rest if looks_like_education(line))
    rest = [line for line in rest if line not in education]

    place = _place_among(rest)
    location = parse_location(rest.pop(place)) if place is not None else None
    headline = rest.pop(0) if rest else None
    title, company = split_headline(headline)
    return Identity(
        name=name,
        headline=headline,
        title=title,
        company=company,
        location=location,
        summary=tuple(summary),
        education=education,
        unplaced=(*unplaced, *rest),
    )


def split_headline(headline: str | None) -> tuple[str | None, str | None]:
    """Title and company: what stands before and after the first `` at ``."""
    if headline is None:
        return None, None
    title, at, company = headline.partition(_AT)
    if not at:
        title = headline.removesuffix(" at")
    return title.strip() or None, company.strip() or None


def likely_login(name: str, repositories: list[str]) -> str | None:
    """The repository owner that contains the most of the person's name tokens, if any does.

    ``LyricZhao`` for Zhao. Tokens of fewer than three letters say nothing.
    """
    romanised = {syllable.lower() for syllable in _SYLLABLE.findall(anyascii(name))}
    tokens = {
        token
        for token in (*_WORD.findall(fold(name)), *romanised)
        if len(token) >= _SHORTEST_TOKEN and token.isascii()
    }
    owners = dict.fromkeys(repository.partition("/")[0] for repository in repositories)
    best = max(
        owners,
        key=lambda owner: sum(len(token) for token in tokens if token in owner.lower()),
        default=None,
    )
    if best is None or not any(token in best.lower() for token in tokens):
        return None
    return best


def _place_among(lines: list[str]) -> int | None:
    places = [index for index, line in enumerate(lines) if is_location(line)]
    certain = [
        index
        for index in places
        if any(is_place(piece.strip()) for piece in lines[index].split(","))
    ]
    return max(certain or places, default=None)


def _is_prose(line: str) -> bool:
    return len(line) > _PROSE or (len(line.split()) > 8 and line.endswith("."))
