"""What a reader of a profile should know: what is missing, what contradicts itself.

The sentences follow those of a card: a contradiction is told in a few words
that can be checked on the page.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import regex

from bot.profiles.prog_ai.headings import Kind
from storage.records import Contribution, Profile, Remark, Severity
from storage.search.folding import fold, tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A profile, and what of its page did not fit into it."""

    profile: Profile
    languages: tuple[str, ...]
    guessed_badges: tuple[str, ...]
    unplaced: tuple[str, ...]
    headings: frozenset[Kind]
    last_line: str
    closed: bool
    """The footer, or another person's page, came after it."""
    broken_off: bool
    """The document ends with its last line, and without a line end."""
    cut: bool
    """Its last line is known to be a part of one."""


def remarks_on(page: Page) -> tuple[Remark, ...]:
    """Contradictions first, then what is incomplete, in the page's order."""
    return (*_contradictions(page.profile), *_gaps(page), *_oddities(page))


def unplaced_remark(lines: Sequence[str]) -> Remark:
    """Says which lines of a page went into no field."""
    shown = "; ".join(f"“{_short(line)}”" for line in lines[:3])
    more = len(lines) - 3
    return _note(
        "text-unplaced",
        f"Left aside, in no known place: {shown}{f' and {more} more lines' * (more > 0)}.",
    )


def _contradictions(profile: Profile) -> Iterator[Remark]:
    degrees = _degrees_differ(profile)
    if degrees:
        yield _check("degree-contradicts", degrees)
    location = profile.location
    if location and location.stated_country and location.country is None:
        yield _check("country-contradicts", f'heading says "{location.text}"')
    for contribution in profile.contributions:
        odd = _odd_span(contribution)
        if odd:
            yield _check("span-odd", odd)
        if _reversed(contribution):
            yield _check(
                "months-reversed",
                f"{contribution.repository} ends ({contribution.to_month}) before it begins "
                f"({contribution.from_month})",
            )
    other = _other_name(profile)
    if other:
        yield _check("name-in-summary", f'the summary speaks of "{other}"')


def _gaps(page: Page) -> Iterator[Remark]:
    profile, declared = page.profile, page.profile.declared
    listed = len(profile.skills)
    if declared.skills is not None and declared.skills != listed:
        yield _note("skills-incomplete", f"The page lists {listed} of {declared.skills} skills.")
    if page.languages:
        shown = ", ".join(page.languages[:20])
        yield _note("languages-listed", f"The page lists programming languages: {shown}.")
    elif declared.languages:
        yield _note(
            "languages-hidden",
            f"The page declares {declared.languages} programming "
            f"language{'s' * (declared.languages != 1)} and shows none: they are unknown.",
        )
    listed = len(profile.contributions)
    if declared.contributions is not None and declared.contributions != listed:
        yield _note(
            "contributions-incomplete",
            f"The page lists {listed} of {declared.contributions} contributions.",
        )
    if _is_cut(page):
        yield _note(
            "page-cut",
            f"The page ends at “{_short(page.last_line)}”: it seems cut off, and what follows is "
            "unknown.",
        )


def _oddities(page: Page) -> Iterator[Remark]:
    for skill in page.profile.skills:
        if skill.score is None:
            yield _note(
                "skill-unreadable",
                f"The skill “{_short(skill.name)}” is kept as it stands: "
                "its score cannot be told from its name.",
            )
    for badge in page.guessed_badges:
        yield _note("badge-guessed", f"“{badge}” was taken for a badge glued to the summary.")
    unplaced = page.unplaced
    if unplaced and unplaced[-1] == page.last_line and _is_cut(page):
        unplaced = unplaced[:-1]  # told by that remark
    if unplaced:
        yield unplaced_remark(unplaced)


_CONTEXT: Final = r"(?<!pursuing (?:a |his |her |their )?)(?<!towards? (?:a |his |her |their )?)"
_DOCTOR: Final = regex.compile(
    _CONTEXT + r"\b(?:Ph\.?\s?D\b\.?|[Dd]octorate\b|[Dd]octoral degree\b)"
    r"(?!\s*(?:candidate|student|dropout|track|program|work))"
)
_DOCTOR_ENTRY: Final = regex.compile(
    r"\b(?:ph\.?\s?d|doctor|doctorate|doctoral|dphil|dr)\b", regex.I
)
_MASTER: Final = regex.compile(
    r"\b(?:holds?|earned|completed|with|has|received)\s+an?\s+(?:\w+\s){0,2}(?:Master(?:'s|’s)?\b|MSc\b)"
)
_MASTER_ENTRY: Final = regex.compile(
    r"\b(?:master|m\.?\s?sc|m\.?\s?s|m\.?\s?eng|m\.?\s?tech|mba|m\.?\s?a|magister|diplom)", regex.I
)
_BACHELOR_ENTRY: Final = regex.compile(
    r"\b(?:bachelor|b\.?\s?sc|b\.?\s?s|b\.?\s?eng|b\.?\s?tech|b\.?\s?a)", regex.I
)
_LEAST_WORK: Final = 10
_TIMES: Final = 5


def _degrees_differ(profile: Profile) -> str | None:
    summary = profile.summary or ""
    entries = [entry.text for entry in profile.education]
    if not entries or any(_DOCTOR_ENTRY.search(entry) for entry in entries):
        return None
    if any(_MASTER_ENTRY.search(entry) for entry in entries):
        highest = "Master"
    elif any(_BACHELOR_ENTRY.search(entry) for entry in entries):
        highest = "Bachelor"
    else:
        return None
    if _DOCTOR.search(summary):
        return f"PhD in the summary, {highest} under education"
    if highest == "Bachelor" and _MASTER.search(summary):
        return "Master in the summary, Bachelor under education"
    return None


def _odd_span(contribution: Contribution) -> str | None:
    """Much reviewed or proposed, little committed, in a day: the span is the commits' only."""
    if contribution.span not in {"1 day", "a day", "0 days", "less than a day"}:
        return None
    around = (contribution.reviews or 0) + (contribution.pull_requests or 0)
    commits = contribution.commits
    if around < _LEAST_WORK or around < _TIMES * (commits or 1):
        return None
    work = "the commit" if commits == 1 else f"{commits} commits" if commits else "a part of it"
    return f'"{contribution.span}" may cover only {work}'


def _reversed(contribution: Contribution) -> bool:
    first, last = contribution.from_month, contribution.to_month
    return first is not None and last is not None and last < first


_SUBJECT: Final = regex.compile(
    r"(?P<name>\p{Lu}[\p{L}'’.-]+(?: \p{Lu}[\p{L}'’.-]+){1,2}) (?:is an?|has|holds|works as)\b"
)


def _other_name(profile: Profile) -> str | None:
    """The summary's subject when it shares no word with the name above."""
    match = _SUBJECT.match(profile.summary or "")
    if not match:
        return None
    subject = set(tokens(match["name"]))
    known = set(tokens(" ".join(filter(None, (profile.name, profile.headline)))))
    joined = fold(profile.name).replace(" ", "")
    if not profile.name.isascii() and not any("a" <= letter <= "z" for letter in joined):
        return None  # another script: nothing can be said without a romanisation
    if subject & known or any(word in joined for word in subject):
        return None
    return match["name"]


def _is_cut(page: Page) -> bool:
    """The page stops inside a section; its footer, or all that it declares, says it does not."""
    if page.cut:
        return True
    if page.closed:
        return False
    profile, declared = page.profile, page.profile.declared
    if _BARE_LABEL.search(page.last_line) or not page.headings & _LISTS:
        return True
    if Kind.CONTRIBUTIONS in page.headings:
        wanted = 1 if declared.contributions is None else declared.contributions
        return _ends_inside_contribution(page, more=wanted > len(profile.contributions))
    if len(profile.skills) < (1 if declared.skills is None else declared.skills):
        return Kind.LANGUAGES not in page.headings or declared.skills is not None
    return page.broken_off and profile.skills[-1:] != () and profile.skills[-1].score is None


def _ends_inside_contribution(page: Page, *, more: bool) -> bool:
    last = page.profile.contributions[-1] if page.profile.contributions else None
    if last is None:
        return more
    if last.topics:
        return False
    if page.broken_off and page.last_line.endswith(last.repository):
        return True
    if last.summary and page.last_line.endswith(last.summary[-20:]):
        return not regex.search(r"[.!?…”\")。]$", last.summary)
    return more


_BARE_LABEL: Final = regex.compile(r":$|\(\d*$")
_LISTS: Final = frozenset({Kind.SKILLS, Kind.LANGUAGES, Kind.CONTRIBUTIONS})
"""The sections at the end of a page: one that ends before them is cut off."""


def _check(code: str, text: str) -> Remark:
    return Remark(code=code, text=text, severity=Severity.CHECK)


def _note(code: str, text: str) -> Remark:
    return Remark(code=code, text=text)


def _short(text: str, longest: int = 60) -> str:
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"
