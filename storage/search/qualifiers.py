"""The qualifiers: one table. Help, "did you mean", English, reasons and SQL follow from it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import regex
from rapidfuzz.distance import OSA

from storage.search import facts, similar
from storage.search.dates import span
from storage.search.folding import tokens
from storage.search.lookup import Lookup, Mask
from storage.search.skills import skill_key
from storage.search.sought import repository_key, sought
from storage.search.tree import Order, Qualified, QueryError, quoted
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
    check: Callable[[Qualified], None]
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Sorting:
    """A key of ``sort:``; ``english`` and ``reverse`` say behind "sorted by" what the order is."""

    key: str
    english: str
    reverse: str
    column: str
    """The column of ``profile``."""


SORTINGS: Final = (
    Sorting(
        key="name",
        english="name",
        reverse="name, Z first",
        column="name_order",
    ),
    Sorting(
        key="years",
        english="years of coding, fewest first",
        reverse="years of coding, most first",
        column="years_coding",
    ),
    Sorting(
        key="employed",
        english="years employed, fewest first",
        reverse="years employed, most first",
        column="years_employed",
    ),
    Sorting(
        key="added",
        english="day added, earliest first",
        reverse="day added, latest first",
        column="added_at",
    ),
)
SORT_HELP: Final = (
    f"sorts by {', '.join(each.key for each in SORTINGS[:-1])} or {SORTINGS[-1].key}; "
    "with `-`, the highest or latest first"
)
SORT_EXAMPLE: Final = "sort:-years"

_LARGEST: Final = 999


def _text(part: Qualified) -> None:
    if part.comparison:
        raise QueryError(f"{part.key}: is followed by a name, such as {TABLE[part.key].example}.")
    if not tokens(part.value):
        raise QueryError(lacks_value(part.key, ":"))


def _skill(part: Qualified) -> None:
    if not part.value:
        raise QueryError(
            f"{part.key}{part.comparison}{part.bound} does not say which skill: "
            f"write skill:cuda{part.comparison}{part.bound}."
        )
    if not skill_key(part.value):
        raise QueryError(lacks_value(part.key, ":"))
    if part.comparison and not (regex.fullmatch(r"\d{1,2}", part.bound) and int(part.bound) <= 10):
        raise QueryError(
            f"“{part.bound}” is not a score: scores are whole numbers from 0 to 10, "
            f"such as skill:{quoted(part.value)}>=9."
        )


def _number(part: Qualified) -> None:
    if not regex.fullmatch(r"\d{1,3}", part.bound):
        raise QueryError(
            f"“{part.bound}” is not a number of years: {part.key} takes whole years from 0 "
            f"to {_LARGEST}, such as {TABLE[part.key].example}."
        )


def _date(part: Qualified) -> None:
    span(part.bound, None)


def _years(column: str) -> Callable[[Lookup, Qualified, datetime], Mask]:
    return lambda look, part, _now: facts.number(look, column, part.comparison, int(part.bound))


_ALL: Final = (
    Qualifier(
        key="skill",
        aliases=("skills", "has-skill"),
        example="skill:cuda>=9",
        help="has exactly this skill (C is not C++); `>=9` asks for a score of 9 or 10 on the page",
        check=_skill,
        english=lambda part: f"with skill {part.value}{score(part)}",
        unlike=lambda part: f"without skill {part.value}{score(part)}",
        does=lambda part: f"lists the skill {skill_name(part)}{score(part)}",
        lacks=lambda part: f"lacks the skill {skill_name(part)}{score(part)}",
        mask=lambda look, part, _now: facts.skill(
            look, skill_key(part.value), part.comparison, int(part.bound or 0)
        ),
        takes_number=True,
    ),
    Qualifier(
        key="location",
        aliases=("loc", "place", "city", "country", "in"),
        example="location:beijing",
        help="is in this city or country, under any of its names",
        check=_text,
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
        check=_text,
        english=lambda part: f"at {part.value}",
        unlike=lambda part: f"not at {part.value}",
        does=lambda part: f"works at {part.value}",
        lacks=lambda part: f"does not work at {part.value}",
        mask=lambda look, part, _now: facts.company(look, sought(part.value).forms),
    ),
    Qualifier(
        key="repo",
        aliases=("repository", "project"),
        example="repo:apache/tvm",
        help="contributed to this repository; its owner or a word of its name is enough",
        check=_text,
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
        help="studied there",
        check=_text,
        english=lambda part: f"who studied at {part.value}",
        unlike=lambda part: f"who did not study at {part.value}",
        does=lambda part: f"studied at {part.value}",
        lacks=lambda part: f"did not study at {part.value}",
        mask=lambda look, part, _now: facts.school(look, sought(part.value).forms),
    ),
    Qualifier(
        key="role",
        aliases=("title", "job"),
        example="role:ml",
        help="has this job title, or this role in a contribution",
        check=_text,
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
        check=_text,
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
        help="years of coding, as the page says",
        check=_number,
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
        check=_number,
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
        "7d (seven days)",
        check=_date,
        english=lambda part: f"added {when(part)}",
        unlike=lambda part: f"not added {when(part)}",
        does=lambda part: f"was added {when(part)}",
        lacks=lambda part: f"was not added {when(part)}",
        mask=lambda look, part, now: facts.added(look, part.comparison, *span(part.bound, now)),
        takes_text=False,
        takes_number=True,
    ),
)

TABLE: Final = {qualifier.key: qualifier for qualifier in _ALL}
"""By key, in the order in which help shows them; ``sort`` stands beside it in ``SORTINGS``."""
SORT: Final = "sort"
_SORT_ALIASES: Final = ("order", "orderby", "sort-by", "sortby")


def keys() -> list[str]:
    """Every qualifier's key, ``sort`` last."""
    return [*TABLE, SORT]


def valued(key: str, value: str) -> Qualified | Order:
    """``key:value`` read: numbers and dates compare as equal. Raises QueryError."""
    known = _canonical(key, f"{key}:{value}")
    if known == SORT:
        return _order(value)
    qualifier = TABLE[known]
    if not value:
        raise QueryError(lacks_value(key, ":"))
    part = Qualified(known, value) if qualifier.takes_text else Qualified(known, "", "=", value)
    qualifier.check(part)
    return part


def compared(key: str, comparison: str, bound: str) -> Qualified | Order:
    """``key>=bound`` read. Raises QueryError."""
    known = _canonical(key, f"{key}{comparison}{bound}")
    if known == SORT:
        raise QueryError(f"sort: is followed by what to sort by, such as {SORT_EXAMPLE}.")
    qualifier = TABLE[known]
    if not bound:
        raise QueryError(lacks_value(key, comparison))
    if comparison == "=" and qualifier.takes_text:
        return valued(key, bound)
    part = Qualified(known, "", comparison, bound)
    qualifier.check(part)
    return part


def scored(key: str, value: str, comparison: str, bound: str) -> Qualified | Order:
    """``key:value>=bound`` read, which only scores have. Raises QueryError."""
    known = _canonical(key, f"{key}:{value}{comparison}{bound}")
    if known == SORT or not (TABLE[known].takes_text and TABLE[known].takes_number):
        example = SORT_EXAMPLE if known == SORT else TABLE[known].example
        raise QueryError(f"Only a skill has a score to compare. Write {known} such as {example}.")
    part = Qualified(known, value, comparison, bound)
    TABLE[known].check(part)
    return part


def lacks_value(key: str, sign: str) -> str:
    """The sentence for a qualifier that ends too early."""
    known = _canonical(key, f"{key}{sign}")
    example = SORT_EXAMPLE if known == SORT else TABLE[known].example
    return f"{key}{sign.strip()} needs a value right behind it, such as {example}."


def nearest(key: str) -> str | None:
    """The key that was probably meant by an unknown one."""
    folded = key.casefold()
    names = {name: name for name in keys()}
    names |= {alias: each.key for each in TABLE.values() for alias in each.aliases}
    names |= dict.fromkeys(_SORT_ALIASES, SORT)
    if len(folded) >= 2:
        begun = [names[name] for name in names if name.startswith(folded)]
        if len(set(begun)) == 1:
            return begun[0]
    reach = 1 if len(folded) <= 4 else 2
    distance, name = min((OSA.distance(folded, name), name) for name in names if len(name) > 2)
    return names[name] if distance <= reach and len(folded) > 2 else None


def _canonical(key: str, literal: str) -> str:
    folded = key.casefold()
    if folded == SORT or folded in _SORT_ALIASES:
        return SORT
    for qualifier in TABLE.values():
        if folded == qualifier.key or folded in qualifier.aliases:
            return qualifier.key
    as_words = f'To search for exactly what you typed, put it in quotes: "{literal}".'
    if guess := nearest(key):
        rest = literal[len(key) :].lstrip()
        raise QueryError(f"I do not know “{key}”. Did you mean {guess}{rest}? {as_words}")
    if regex.fullmatch(r"\s*[<>=]+(?:10|[0-9])", literal[len(key) :]):
        raise QueryError(
            f"I do not know “{key}”. To ask for a skill's score, write "
            f"skill:{key}{literal[len(key) :]}. {as_words}"
        )
    raise QueryError(f"I do not know “{key}”. I know {', '.join(keys())}. {as_words}")


def _order(value: str) -> Order:
    key = value.removeprefix("-").casefold()
    sortings = {each.key for each in SORTINGS}
    if key in sortings:
        return Order(key, descending=value.startswith("-"))
    raise QueryError(
        f"I cannot sort by “{value}”. I can sort by {', '.join(sorted(sortings))}, "
        f"such as {SORT_EXAMPLE}."
    )
