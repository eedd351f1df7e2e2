"""The order of results: one formula, the same for every database.

Version 1
---------
::

    score(question) = Π strength(part)      over the parts that must all hold
    strength(a or b) = strength(a) + strength(b)
    strength(not a) = 1
    strength(part)  = 0                     where it does not match
    strength(part)  = kind · evidence · level · exactness

    kind      1     a skill, place, company, school, repository, role or person bears the name,
                    or a qualifier holds
              1/2   contributions carry the word
              1/4   only the page's text does
    evidence  1, 1.25, 1.375, 1.4375        for 0, 1, 2, 3 or more contributions that carry the
                                            word (name, role, description, topics or summary)
    level     1 + score / 200               for a listed skill: the page's scores are saturated,
                                            so ten points weigh less than one contribution
    exactness 1.01                          where the whole company is called so (Meta, not Meta AI)

So what is named outranks what contributions carry (at most .72), which outranks
text (.25). Higher first, equal ones by name and then by id, so the same question
gives the same order, in another store of the same people too. ``sort:`` goes
before the score. Badges, stars, followers, schools, names and places count only
as the match of a part that asks for them.
"""

from typing import Any, Final

from sqlalchemy import ColumnElement, Float, case, cast, func, literal, select
from sqlmodel import col

from storage.models import ContributionRow, ProfileRow, SkillRow
from storage.search import facts
from storage.search.qualifiers import SORTINGS
from storage.search.sought import Words
from storage.search.tree import Order

VERSION: Final = 1
NAMED: Final = 1.0
CARRIED: Final = 0.5
MENTIONED: Final = 0.25
EXACTLY: Final = 1.01
EVIDENCE: Final = (1.0, 1.25, 1.375, 1.4375)

Strength = ColumnElement[Any]


def carrying(forms: tuple[Words, ...]) -> ColumnElement[int]:
    """How many of a profile's contributions carry one of ``forms``."""
    usable = [form for form in forms if form]
    return (
        select(func.count())
        .select_from(ContributionRow)
        .where(
            col(ContributionRow.profile_id) == col(ProfileRow.id),
            facts.has_run(col(ContributionRow.text), usable),
        )
        .scalar_subquery()
    )


def evidence(forms: tuple[Words, ...]) -> Strength:
    """The factor for contributions that carry one of ``forms``."""
    if not any(forms):
        return literal(EVIDENCE[0], Float)
    count = carrying(forms)
    steps = {number: literal(factor, Float) for number, factor in enumerate(EVIDENCE[:-1])}
    return case(steps, value=count, else_=literal(EVIDENCE[-1], Float))


def level(key: str) -> Strength:
    """The factor for the page's own score of a skill; 1 where it has none."""
    score = (
        select(func.max(col(SkillRow.score)))
        .where(col(SkillRow.profile_id) == col(ProfileRow.id), col(SkillRow.key) == key)
        .scalar_subquery()
    )
    return 1.0 + func.coalesce(cast(score, Float), 0.0) / 200.0


def exactness(forms: tuple[Words, ...]) -> Strength:
    """The factor for a company of exactly this name."""
    names = [" ".join(form) for form in forms if form]
    exact = col(ProfileRow.company_text).in_(names)
    return case((exact, literal(EXACTLY, Float)), else_=literal(1.0, Float))


def order_by(orders: tuple[Order, ...], score: Strength) -> list[ColumnElement[Any]]:
    """What the rows are ordered by; what a profile does not state comes last either way."""
    columns = {sorting.key: sorting.columns for sorting in SORTINGS}
    terms: list[ColumnElement[Any]] = []
    for order in orders:
        for column in columns[order.key]():
            terms.append(column.is_(None))
            terms.append(column.desc() if order.descending else column.asc())
    names = (func.lower(col(ProfileRow.name)), col(ProfileRow.name), col(ProfileRow.id))
    return [*terms, score.desc(), *(name.asc() for name in names)]
