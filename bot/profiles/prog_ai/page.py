"""The format: which documents are such pages, and what each of their parts says."""

from dataclasses import dataclass, field, replace
from typing import Final

import regex

from bot.profiles.decoding import text_of
from bot.profiles.format import PersonPage, Reading, Refusal, UnreadableProfile
from bot.profiles.prog_ai.badges import badges_and_summary
from bot.profiles.prog_ai.contributions import (
    Contributions,
    contributions_of,
    is_contribution_text,
)
from bot.profiles.prog_ai.education import (
    education_of,
    is_doubled_degree,
    looks_like_education,
)
from bot.profiles.prog_ai.headings import Kind, heading_of, is_cut_heading
from bot.profiles.prog_ai.identity import Identity, identity_of, likely_login
from bot.profiles.prog_ai.lines import Line, is_footer, lines_of
from bot.profiles.prog_ai.opening import may_be_name
from bot.profiles.prog_ai.people import Part, parts_of
from bot.profiles.prog_ai.remarks import Page, remarks_on, unplaced_remark
from bot.profiles.prog_ai.skills import skills_of
from bot.profiles.prog_ai.stackoverflow import is_stackoverflow, stackoverflow_of
from bot.profiles.sensitive import without_sensitive_lines
from storage.records import Declared, Profile

_HEAD: Final = 256 * 1024
_MOST_PEOPLE: Final = 5_000
_MOST_LINES: Final = 500_000
_LONGEST_LINE: Final = 100_000
_COPY: Final = "Copy from the name at the top down to the last contribution, and send it again."
SURE: Final = regex.compile(
    r"Git[Hh]ub Skills|Git[Hh]ub contributions|years? of coding experience"
    r"|Role in this project:|Contributions summary:|Find and Hire Top Dev|Sign-up on Prog,AI"
)


class ProgAiPage:
    """Text copied from profile pages of Prog,AI, one or several in a document."""

    NAME: Final = "prog-ai"
    VERSION: Final = 3

    def claims(self, name: str, content: bytes) -> float:  # noqa: ARG002 - the bytes decide
        try:
            text = text_of(content[:_HEAD])
        except UnreadableProfile:
            return 0.0
        lines = lines_of(text)
        seen = {heading.kind for line in lines if (heading := heading_of(line))}
        sure = {match.group() for match in SURE.finditer(text)}
        if any(is_footer(line) for line in lines):
            sure.add("footer")
        if any(is_doubled_degree(line.text) for line in lines):
            sure.add("education")
        return min(1.0, 0.25 * len(seen) + 0.3 * len(sure))

    def read(self, content: bytes) -> Reading:
        profiles: list[tuple[Profile, str]] = []
        refusals: list[Refusal] = []
        text = without_sensitive_lines(text_of(content))
        if text.count("\n") > _MOST_LINES:
            raise UnreadableProfile(
                f"The file has more than {_MOST_LINES:,} lines. Split it into smaller ones. "
                "Nothing was stored."
            )
        lines = lines_of(text)
        if any(len(line.text) > _LONGEST_LINE for line in lines):
            raise UnreadableProfile(
                f"The file has a line of more than {_LONGEST_LINE:,} characters, which no profile "
                f"page has. {_COPY} Nothing was stored."
            )
        parts = parts_of(lines)
        if not parts:
            raise UnreadableProfile(
                "No person on it: only Prog,AI's footer (“Find and Hire Top Developers”). "
                f"{_COPY} Nothing was stored."
            )
        if len(parts) > _MOST_PEOPLE:
            raise UnreadableProfile(
                f"The file holds more than {_MOST_PEOPLE:,} people. Split it into smaller ones. "
                "Nothing was stored."
            )
        for part in parts:
            profile = _profile(part)
            if isinstance(profile, Refusal):
                if part is parts[-1] and profiles and not _speaks_of_someone(part):
                    profiles[-1] = _with_text_left_aside(profiles[-1], part)
                else:
                    refusals.append(profile)
            else:
                profiles.append((profile, part.source))
        if not profiles:
            reasons = dict.fromkeys(refusal.reason for refusal in refusals)
            raise UnreadableProfile(" ".join([*list(reasons)[:3], "Nothing was stored."]))
        return Reading(
            pages=tuple(PersonPage(profile=profile, text=source) for profile, source in profiles),
            refusals=tuple(refusals),
            parser=f"{self.NAME}/{self.VERSION}",
        )


def _speaks_of_someone(part: Part) -> bool:
    return any(
        heading_of(line) or may_be_name(line.text) or is_contribution_text(line.text)
        for line in part.lines
    )


def _with_text_left_aside(read: tuple[Profile, str], part: Part) -> tuple[Profile, str]:
    """Lines after the last footer that name nobody, such as the site's own, are told, no more."""
    profile, source = read
    remark = unplaced_remark([line.text for line in part.lines])
    return replace(profile, remarks=(*profile.remarks, remark)), source


@dataclass(slots=True)
class _Sections:
    """The lines of one part by the heading they stand under."""

    opening: list[Line] = field(default_factory=list)
    rows: dict[Kind, list[Line]] = field(default_factory=dict)
    counts: dict[Kind, int | None] = field(default_factory=dict)
    cut: bool = False

    def texts(self, kind: Kind) -> list[str]:
        return [line.text for line in self.rows.get(kind, ())]


def _profile(part: Part) -> Profile | Refusal:
    """The profile of one part; it needs a name and at least one heading or fact."""
    sections = _sections(part)
    identity = identity_of(
        [line.text for line in sections.opening], next(iter(sections.counts), None)
    )
    if identity.name is None:
        heading = next(iter(part.lines)).text
        return Refusal(
            name="(no name)",
            reason=f"There is no name above “{_short(heading)}”. {_COPY}",
        )
    summary_rows = [*identity.summary, *sections.texts(Kind.SUMMARY)]
    if not sections.counts and not summary_rows and not identity.education:
        return Refusal(
            name=_short(identity.name),
            reason=(
                f"“{_short(identity.name)}” has no heading or fact of a profile page below it "
                f"(“Summary”, “Github Skills”, …). {_COPY}"
            ),
        )
    return _assembled(part, sections, identity, summary_rows)


def _assembled(
    part: Part, sections: _Sections, identity: Identity, summary_rows: list[str]
) -> Profile:
    education_rows = [*identity.education, *sections.texts(Kind.EDUCATION)]
    while summary_rows and looks_like_education(summary_rows[-1]):
        education_rows.insert(len(identity.education), summary_rows.pop())
    badges, summary, guessed = badges_and_summary(summary_rows, identity.name or "")
    education = tuple(entry for row in education_rows for entry in education_of(row))
    overflow, overflow_rest = stackoverflow_of(
        sections.texts(Kind.STACKOVERFLOW), stated=Kind.STACKOVERFLOW in sections.counts
    )
    skill_lines = sections.rows.get(Kind.SKILLS, [])
    skills = skills_of(
        (line.text for line in skill_lines), cut=bool(skill_lines) and skill_lines[-1].last
    )
    contributions: Contributions = contributions_of(
        sections.rows.get(Kind.CONTRIBUTIONS, []), sections.counts.get(Kind.CONTRIBUTIONS)
    )
    profile = Profile(
        name=identity.name or "",
        headline=identity.headline,
        title=identity.title,
        company=identity.company,
        location=identity.location,
        badges=badges,
        summary=summary,
        years_coding=sections.counts.get(Kind.CODING),
        years_employed=sections.counts.get(Kind.EMPLOYED),
        education=education,
        stackoverflow=overflow,
        skills=skills,
        declared=Declared(
            skills=sections.counts.get(Kind.SKILLS),
            languages=sections.counts.get(Kind.LANGUAGES),
            contributions=sections.counts.get(Kind.CONTRIBUTIONS),
        ),
        contributions=tuple(contributions.listed),
        likely_login=likely_login(
            identity.name or "", [each.repository for each in contributions.listed]
        ),
    )
    page = Page(
        profile=profile,
        languages=tuple(sections.texts(Kind.LANGUAGES)),
        guessed_badges=guessed,
        unplaced=(*identity.unplaced, *overflow_rest, *contributions.unplaced),
        headings=frozenset(sections.counts),
        last_line=part.lines[-1].text,
        closed=part.closed,
        broken_off=part.lines[-1].last,
        cut=sections.cut or contributions.cut,
    )
    return replace(profile, remarks=remarks_on(page))


def _sections(part: Part) -> _Sections:
    sections = _Sections()
    current: Kind | None = None
    for line in part.lines:
        if is_cut_heading(line) and sections.opening:
            sections.cut = True
            continue
        heading = None if current is Kind.CONTRIBUTIONS else heading_of(line)
        if heading is not None:
            kind = heading.kind
            if sections.counts.get(kind) is None:
                sections.counts[kind] = heading.count
            current = Kind.EDUCATION if kind in {Kind.CODING, Kind.EMPLOYED} else kind
        elif current is None:
            sections.opening.append(line)
        else:
            kind = current
            if kind in {Kind.SUMMARY, Kind.EDUCATION} and is_stackoverflow(line.text):
                kind = Kind.STACKOVERFLOW
            elif kind is Kind.STACKOVERFLOW and looks_like_education(line.text):
                kind = Kind.EDUCATION
            sections.rows.setdefault(kind, []).append(line)
    return sections


def _short(text: str, longest: int = 60) -> str:
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"
