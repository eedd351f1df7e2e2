"""The qualifiers: one table. Help, "did you mean", English, reasons and SQL follow from it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from storage.search import checks, facts, similar
from storage.search.dates import span
from storage.search.holdings import HOLDINGS, holding
from storage.search.lookup import Lookup, Mask
from storage.search.skills import skill_key
from storage.search.sortings import NICE, SORT
from storage.search.sought import repository_key, sought
from storage.search.tree import Qualified
from storage.search.wording import place, score, skill_name, when, years


@dataclass(frozen=True, slots=True, kw_only=True)
class Qualifier:
    """One kind of fact that can be asked for.

    ``check`` raises QueryError for what can never be meant; ``english`` is what
    the condition reads as behind "people"; ``mask`` is for whom it holds.
    """

    key: str
    example: str
    help: str
    check: Callable[[Qualified, str], None]
    english: Callable[[Qualified], str]
    unlike: Callable[[Qualified], str]
    """The English of the contrary."""
    does: Callable[[Qualified], str]
    """The same as what one person does, behind "nobody here"."""
    lacks: Callable[[Qualified], str]
    """The contrary as what one person does."""
    mask: Callable[[Lookup, Qualified, datetime], Mask]
    aliases: tuple[str, ...] = ()
    takes_text: bool = True
    takes_number: bool = False


def _years(column: str) -> Callable[[Lookup, Qualified, datetime], Mask]:
    return lambda look, part, _now: facts.number(look, column, part.comparison, part.bound)


def _moment(column: str) -> Callable[[Lookup, Qualified, datetime], Mask]:
    return lambda look, part, now: facts.moment(
        look, column, part.comparison, *span(part.bound, now)
    )


def _said(part: Qualified) -> str:
    return HOLDINGS[holding(part.value)].said


_ALL: Final = (
    Qualifier(
        key="skill",
        aliases=("skills", "has-skill"),
        example="skill:cuda>=9",
        help="has exactly this skill (C is not C++); `>=9` asks for a score of 9 or 10 on the "
        "page, `=3..8` for one from 3 to 8",
        check=checks.skill,
        english=lambda part: f"with skill {part.value}{score(part)}",
        unlike=lambda part: f"without skill {part.value}{score(part)}",
        does=lambda part: f"lists the skill {skill_name(part)}{score(part)}",
        lacks=lambda part: f"lacks the skill {skill_name(part)}{score(part)}",
        mask=lambda look, part, _now: facts.skill(
            look, skill_key(part.value), part.comparison, part.bound
        ),
        takes_number=True,
    ),
    Qualifier(
        key="lang",
        aliases=("language", "languages"),
        example="lang:rust",
        help="knows this programming language: it is a skill on the page, or a topic of a "
        "repository contributed to",
        check=checks.language,
        english=lambda part: f"who know {part.value}",
        unlike=lambda part: f"who do not know {part.value}",
        does=lambda part: f"knows {part.value}",
        lacks=lambda part: f"does not know {part.value}",
        mask=lambda look, part, _now: facts.language(look, skill_key(part.value)),
    ),
    Qualifier(
        key="topic",
        aliases=("topics", "tag"),
        example="topic:compiler",
        help="contributed to a repository of exactly this topic",
        check=checks.topic,
        english=lambda part: f"who contributed to a repository about {part.value}",
        unlike=lambda part: f"who contributed to no repository about {part.value}",
        does=lambda part: f"contributed to a repository about {part.value}",
        lacks=lambda part: f"contributed to no repository about {part.value}",
        mask=lambda look, part, _now: facts.topic(look, skill_key(part.value)),
    ),
    Qualifier(
        key="location",
        aliases=("loc", "place", "city", "country", "in"),
        example="location:beijing",
        help="is in this city, country or region (`europe`, `bay area`), under any of its names",
        check=checks.text,
        english=lambda part: f"in {place(part)}",
        unlike=lambda part: f"not in {place(part)}",
        does=lambda part: f"is in {place(part)}",
        lacks=lambda part: f"is not in {place(part)}",
        mask=lambda look, part, _now: facts.location(look, part.value),
    ),
    Qualifier(
        key="company",
        aliases=("employer", "org", "at"),
        example="company:deepseek",
        help="works there now",
        check=checks.text,
        english=lambda part: f"at {part.value}",
        unlike=lambda part: f"not at {part.value}",
        does=lambda part: f"works at {part.value}",
        lacks=lambda part: f"does not work at {part.value}",
        mask=lambda look, part, _now: facts.company(look, sought(part.value).company_forms),
    ),
    Qualifier(
        key="repo",
        aliases=("repository", "project"),
        example="repo:apache/tvm",
        help="contributed to this repository; its owner or a word of its name is enough",
        check=checks.text,
        english=lambda part: f"who contributed to {part.value}",
        unlike=lambda part: f"who did not contribute to {part.value}",
        does=lambda part: f"contributed to {part.value}",
        lacks=lambda part: f"did not contribute to {part.value}",
        mask=lambda look, part, _now: facts.repository(
            look, repository_key(part.value), words=True
        ),
    ),
    Qualifier(
        key="school",
        aliases=("university", "education", "studied"),
        example="school:tsinghua",
        help="studied there; abbreviations and other names of a school count",
        check=checks.text,
        english=lambda part: f"who studied at {part.value}",
        unlike=lambda part: f"who did not study at {part.value}",
        does=lambda part: f"studied at {part.value}",
        lacks=lambda part: f"did not study at {part.value}",
        mask=lambda look, part, _now: facts.school(
            look, sought(part.value).school_forms, sought(part.value).schools
        ),
    ),
    Qualifier(
        key="role",
        aliases=("title", "job"),
        example="role:ml",
        help="has this job title, or this role in a contribution",
        check=checks.text,
        english=lambda part: f"with a role or title of {part.value}",
        unlike=lambda part: f"without a role or title of {part.value}",
        does=lambda part: f"has a role or title of {part.value}",
        lacks=lambda part: f"has no role or title of {part.value}",
        mask=lambda look, part, _now: facts.role(look, sought(part.value).forms, prefix=True),
    ),
    Qualifier(
        key="similar",
        aliases=("like", "resembles"),
        example="similar:chenggang",
        help="lists most of the telling skills of this person, who is left out",
        check=checks.text,
        english=lambda part: f"similar to {part.value}",
        unlike=lambda part: f"not similar to {part.value}",
        does=lambda part: f"is similar to {part.value}",
        lacks=lambda part: f"is not similar to {part.value}",
        mask=lambda look, part, _now: similar.similar(look, part.value),
    ),
    Qualifier(
        key="years",
        aliases=("coding", "experience", "year"),
        example="years>=8",
        help="years of coding, as the page says; also `years:8`, and `years:3..8` for 3 to 8",
        check=checks.number,
        english=lambda part: f"with {years(part, 'coding')}",
        unlike=lambda part: f"without {years(part, 'coding')}",
        does=lambda part: f"has {years(part, 'coding')}",
        lacks=lambda part: f"does not have {years(part, 'coding')}",
        mask=_years("years_coding"),
        takes_text=False,
        takes_number=True,
    ),
    Qualifier(
        key="employed",
        aliases=("employment", "years-employed"),
        example="employed>=2",
        help="years employed as a developer, as the page says",
        check=checks.number,
        english=lambda part: f"with {years(part, 'employed')}",
        unlike=lambda part: f"without {years(part, 'employed')}",
        does=lambda part: f"has {years(part, 'employed')}",
        lacks=lambda part: f"does not have {years(part, 'employed')}",
        mask=_years("years_employed"),
        takes_text=False,
        takes_number=True,
    ),
    Qualifier(
        key="added",
        aliases=("since", "ingested"),
        example="added>=2026-11-01",
        help="added since that day (in your time zone); also a month or year, today, yesterday, "
        "7d (seven days), and `added:2026-01..2026-03` for a stretch",
        check=checks.date,
        english=lambda part: f"added {when(part)}",
        unlike=lambda part: f"not added {when(part)}",
        does=lambda part: f"was added {when(part)}",
        lacks=lambda part: f"was not added {when(part)}",
        mask=_moment("added_at"),
        takes_text=False,
        takes_number=True,
    ),
    Qualifier(
        key="changed",
        aliases=("updated", "modified"),
        example="changed>=7d",
        help="last changed, or was added, since that day; days as in `added`",
        check=checks.date,
        english=lambda part: f"last changed {when(part)}",
        unlike=lambda part: f"not last changed {when(part)}",
        does=lambda part: f"was last changed {when(part)}",
        lacks=lambda part: f"was not last changed {when(part)}",
        mask=_moment("updated_at"),
        takes_text=False,
        takes_number=True,
    ),
    Qualifier(
        key="has",
        aliases=("states",),
        example="has:education",
        help=f"states this on the page: {', '.join([*HOLDINGS][:-1])} or {[*HOLDINGS][-1]}",
        check=checks.holding,
        english=lambda part: f"with {_said(part)}",
        unlike=lambda part: f"without {_said(part)}",
        does=lambda part: f"states {_said(part)}",
        lacks=lambda part: f"does not state {_said(part)}",
        mask=lambda look, part, _now: HOLDINGS[holding(part.value)].mask(look),
    ),
)

TABLE: Final = {qualifier.key: qualifier for qualifier in _ALL}
"""By key, in the order in which help shows them; ``sort`` stands beside it in ``SORTINGS``."""


def keys() -> list[str]:
    """Every qualifier's key, and those that only put in order last."""
    return [*TABLE, NICE, SORT]
