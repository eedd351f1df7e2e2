"""Nothing found: which part matched nobody, what dropping it gives, what was near."""

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from rapidfuzz.distance import OSA
from sqlalchemy import ColumnElement, distinct, func
from sqlmodel import Session, col, select

from storage.models import ContributionRow, EducationRow, ProfileRow, SkillRow
from storage.search import facts
from storage.search.compile import Context, Run, condition_of, joined, run_text
from storage.search.folding import tokens
from storage.search.skills import LANGUAGES, is_exact_only, skill_key
from storage.search.sought import place_names, repository_key, sought
from storage.search.tree import (
    Leaf,
    Node,
    Not,
    Phrase,
    Qualified,
    Question,
    Word,
    clauses,
    conjunction,
    leaves,
)
from storage.search.values import Clause

MOST_CLAUSES: Final = 10
MOST_HINTS: Final = 4
MOST_SUGGESTIONS: Final = 3
MOST_VALUES: Final = 20_000


class _Known:
    """The values of each kind that are stored, looked up when first needed."""

    def __init__(self, session: Session, where: Context) -> None:
        self._session = session
        self._where = where
        self._values: dict[str, list[str]] = {}

    @property
    def skills(self) -> list[str]:
        """Skill keys, most listed first."""
        return self._of("skill")

    def near(self, key: str, value: str) -> list[Qualified]:
        """The stored value of a kind that looks most like ``value``, if any does."""
        asked = {"skill": skill_key(value), "repo": repository_key(value).rsplit("/", 1)[-1]}
        near = _nearest(asked.get(key, " ".join(tokens(value))), self._of(key))
        return [Qualified(key, each) for each in near[:1]]

    def _of(self, key: str) -> list[str]:
        if key not in self._values:
            self._values[key] = list(self._session.exec(self._rows(key)))
        return self._values[key]

    def _rows(self, key: str) -> Any:
        columns: dict[str, Any] = {
            "skill": SkillRow.key,
            "location": ProfileRow.city_text,
            "company": ProfileRow.company_text,
            "school": EducationRow.school_text,
            "repo": ContributionRow.name_key,
        }
        column = columns[key]
        mine = facts.in_workspace(self._where.workspace)
        rows = select(column).select_from(ProfileRow).where(mine, column != "")
        if column.class_ is not ProfileRow:
            rows = rows.join(column.class_, column.class_.profile_id == col(ProfileRow.id))
        people = func.count(distinct(col(ProfileRow.id)))
        most = [func.max(SkillRow.score).desc()] if key == "skill" else []
        return rows.group_by(column).order_by(people.desc(), *most, column).limit(MOST_VALUES)


def explained(session: Session, where: Context, question: Question) -> dict[str, Any]:
    """``clauses``, ``hints`` and ``suggestions`` of a page without results."""
    parts = joined(clauses(question.where), where.names)[:MOST_CLAUSES]
    counted = tuple(_clause(session, where, parts, at) for at in range(len(parts)))
    blamed = [part for part, clause in zip(parts, counted, strict=True) if not clause.count]
    hints: dict[str, None] = {}
    suggestions: dict[str, int] = {}
    known = _Known(session, where)
    for leaf in islice(_asked(blamed or parts), MOST_CLAUSES):
        hints |= dict.fromkeys(_hints(session, where, known, leaf))
        for suggested in _suggestions(known, leaf):
            amount = _count(session, where, suggested)
            if amount:
                suggestions.setdefault(str(suggested), amount)
    return {
        "clauses": counted,
        "hints": tuple(hints)[:MOST_HINTS],
        "suggestions": tuple(suggestions.items())[:MOST_SUGGESTIONS],
    }


def _asked(parts: list[Node | Run]) -> Iterator[Leaf | Not]:
    """What the parts ask for, leaf by leaf; a run of words is one phrase."""
    for part in parts:
        if isinstance(part, tuple):
            yield Phrase(run_text(part))
        elif isinstance(part, Not):
            yield part
        else:
            yield from (leaf for leaf, positive in leaves(part) if positive)


def _clause(session: Session, where: Context, parts: list[Node | Run], at: int) -> Clause:
    part = parts[at]
    others = [each for other, each in enumerate(parts) if other != at]
    flat = [node for each in others for node in (each if isinstance(each, tuple) else (each,))]
    rest = conjunction(flat) if flat else None
    return Clause(
        text=run_text(part) if isinstance(part, tuple) else str(part),
        count=_count(session, where, part),
        without=_count(session, where, rest),
        rest="" if rest is None else str(rest),
    )


def _count(session: Session, where: Context, node: Node | Run | None) -> int:
    return _people(session, condition_of(node, where))


def _people(session: Session, condition: ColumnElement[bool]) -> int:
    return session.exec(select(func.count()).select_from(ProfileRow).where(condition)).one()


def _hints(session: Session, where: Context, known: _Known, leaf: Leaf | Not) -> Iterator[str]:
    match leaf:
        case Not(part):
            yield f"Everybody here matches {part}."
        case Qualified("skill", value):
            yield from _about_skill(session, where, known, skill_key(value), leaf)
        case Qualified("location", value):
            yield from _about_place(session, where, value)
        case Qualified("company", value):
            yield from _about_company(session, where, value)
        case Qualified("years" | "employed", _, ">" | ">=" | "="):
            yield from _about_years(session, where, leaf.key)
        case Word(text) | Phrase(text):
            wanted = sought(text)
            if wanted.exact_only:
                yield from _about_skill(session, where, known, wanted.key, leaf)
            yield from _about_place(session, where, text)


def _about_skill(
    session: Session, where: Context, known: _Known, key: str, leaf: Leaf
) -> Iterator[str]:
    if isinstance(leaf, Qualified) and leaf.comparison:
        best = session.exec(
            select(func.max(SkillRow.score), func.count(distinct(col(SkillRow.profile_id))))
            .join(ProfileRow, col(ProfileRow.id) == col(SkillRow.profile_id))
            .where(col(SkillRow.key) == key, facts.in_workspace(where.workspace))
        ).one()
        if best[1]:
            at = "with no readable score" if best[0] is None else f"at {best[0]} or less"
            yield f"{_amount(best[1])} {_verb(best[1], 'list')} {key}, {at}."
            return
    if near := _near_keys(known, key):
        yield f"Skills match exactly: {_series(near)} {_verb(len(near), 'do')} not count."
    if key in LANGUAGES:
        yield from _hidden_languages(session, where)


def _near_keys(known: _Known, key: str) -> list[str]:
    """Stored keys that a reader may take for the asked one."""
    letters = "".join(each for each in key if each.isalnum())
    words = set(tokens(key))
    near = []
    for other in known.skills:
        if is_exact_only(key):
            plain = "".join(each for each in other if each.isalnum())
            short = key == letters and len(plain) <= 3 and (letters in plain or len(plain) == 1)
            close = plain == letters or short
        else:
            close = bool(words & set(tokens(other)))
        if close and other != key:
            near.append(other)
    return [each.upper() if len(each) <= 3 else each for each in near[:3]]


def _hidden_languages(session: Session, where: Context) -> Iterator[str]:
    declared = col(ProfileRow.document)[("declared", "languages")].as_integer()
    hiding = list(
        session.exec(
            select(declared)
            .where(facts.in_workspace(where.workspace), declared > 0)
            .order_by(declared.desc())
        )
    )
    if not hiding:
        return
    everybody = _count(session, where, None)
    all_of = "Both" if everybody == 2 else "All"
    who = f"{all_of} pages" if len(hiding) == everybody > 1 else _amount(len(hiding), "page")
    counts = ", none shown"
    if len(hiding) <= 3:
        counts = f" ({_series([str(each) for each in hiding])} declared, none shown)"
    lack = "they lack it" if len(hiding) > 1 else "its person lacks it"
    hide = "hide their" if len(hiding) > 1 else "hides its"
    yield f"{who} {hide} languages{counts}, so this does not prove that {lack}."


def _about_place(session: Session, where: Context, text: str) -> Iterator[str]:
    """A country that pages state although their city contradicts it."""
    contradicted = (
        facts.in_workspace(where.workspace)
        & (col(ProfileRow.country_text) == "")
        & col(ProfileRow.stated_country_text).in_(sorted(place_names(text)))
    )
    amount = _people(session, contradicted)
    if amount:
        stated = session.exec(
            select(ProfileRow.document).where(contradicted).order_by(col(ProfileRow.id)).limit(1)
        ).one()
        country = stated.get("stated_country") or text
        city = (stated.get("location") or {}).get("city")
        by = f"the city ({city})" if city and amount == 1 else "the city"
        states = _verb(amount, "state")
        yield f"{_amount(amount, 'page')} {states} “{country}” but {by} contradicts it."


def _about_years(session: Session, where: Context, key: str) -> Iterator[str]:
    column = col(ProfileRow.years_coding if key == "years" else ProfileRow.years_employed)
    most = session.exec(select(func.max(column)).where(facts.in_workspace(where.workspace))).one()
    if most is not None:
        what = "of coding" if key == "years" else "employed"
        yield f"The most years {what} that a page states is {most}."


def _about_company(session: Session, where: Context, value: str) -> Iterator[str]:
    mentioned = facts.in_workspace(where.workspace) & facts.text_names(
        where.index, sought(value).forms
    )
    amount = _people(session, mentioned)
    if amount:
        names = session.exec(
            select(ProfileRow.name).where(mentioned).order_by(col(ProfileRow.id)).limit(3)
        ).all()
        more = f" and {amount - len(names):,} more" if amount > len(names) else ""
        yield (
            f"Nobody states {value} as the current company; "
            f"the text names it for {', '.join(names)}{more}."
        )


def _suggestions(known: _Known, leaf: Leaf | Not) -> Iterator[Node]:
    match leaf:
        case Qualified("skill", value):
            if leaf.comparison:
                yield Qualified("skill", value)
            yield from known.near("skill", value)
            yield from (Qualified("skill", each) for each in known.skills[:2])
        case Qualified("company", value):
            yield Phrase(value) if len(tokens(value)) > 1 else Word(value)
            yield from known.near("company", value)
        case Qualified("location" | "school" | "repo" as key, value):
            yield from known.near(key, value)
        case Word(text):
            for kind in ("skill", "location", "company", "repo"):
                yield from known.near(kind, text)


def _nearest(asked: str, known: list[str]) -> list[str]:
    """The known values within one or two edits, nearest first."""
    reach = 0 if len(asked) < 4 else 1 if len(asked) < 8 else 2
    near = [
        (distance, each)
        for each in known
        if each != asked and (distance := OSA.distance(asked, each, score_cutoff=reach)) <= reach
    ]
    return [each for _distance, each in sorted(near)]


def _amount(number: int, noun: str = "") -> str:
    if noun:
        return f"One {noun}" if number == 1 else f"{number:,} {noun}s"
    return "One person" if number == 1 else f"{number:,} people"


def _verb(number: int, verb: str) -> str:
    if number != 1:
        return verb
    return "does" if verb == "do" else f"{verb}s"


def _series(items: list[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"
