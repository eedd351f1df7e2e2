"""Question → SQL: a condition, a score and an order over ``profile``."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import add, mul
from typing import Any, Final

from sqlalchemy import ColumnElement, Float, and_, case, literal, not_, or_, true
from sqlmodel import Session, col, select

from storage.dialects.dialect import TextIndex
from storage.models import SkillRow
from storage.search import facts, ranking
from storage.search.qualifiers import TABLE
from storage.search.skills import aliases, skill_key
from storage.search.sought import Sought, sought
from storage.search.tree import And, Node, Not, Or, Phrase, Qualified, Question, Word

LONGEST_RUN: Final = 3
"""Adjacent bare words that may be one name, such as ``machine learning`` or ``new york``."""

Run = tuple[Word, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What reading a question needs beside the question."""

    index: TextIndex
    workspace: str
    now: datetime
    names: frozenset[str]
    """Those runs of the question's words, joined by spaces, that name a skill or a place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compiled:
    condition: facts.Condition
    score: ranking.Strength
    order: Sequence[ColumnElement[Any]]


def context(
    session: Session, index: TextIndex, workspace: str, question: Question, now: datetime
) -> Context:
    """Look up which adjacent words of the question are one name."""
    texts = {" ".join(word.text for word in run) for run in _runs(question.where)}
    keys = {text: skill_key(text) for text in texts}
    listed = select(SkillRow.key).where(col(SkillRow.key).in_(set(keys.values()))).distinct()
    stored = set(session.exec(listed)) if keys else set()
    known = stored | set(aliases().values())
    names = {text for text, key in keys.items() if key in known or len(sought(text).places) > 1}
    return Context(index=index, workspace=workspace, now=now, names=frozenset(names))


def compiled(question: Question, where: Context) -> Compiled:
    """The whole question in SQL."""
    condition = true() if question.where is None else _condition(question.where, where)
    score = literal(1.0, Float) if question.where is None else _strength(question.where, where)
    return Compiled(
        condition=and_(facts.visible(where.workspace), condition),
        score=score,
        order=ranking.order_by(question.orders, score),
    )


def condition_of(node: Node | Run | None, where: Context) -> facts.Condition:
    """One part of a question in SQL; None is everybody."""
    everybody = facts.visible(where.workspace)
    return everybody if node is None else and_(everybody, _condition(node, where))


def joined(parts: Iterable[Node], names: frozenset[str]) -> list[Node | Run]:
    """Parts of an And, with adjacent words that are one name put together, longest first."""
    rest = list(parts)
    found: list[Node | Run] = []
    while rest:
        for length in range(LONGEST_RUN, 1, -1):
            run = tuple(part for part in rest[:length] if isinstance(part, Word))
            if len(run) == length and " ".join(word.text for word in run) in names:
                found.append(run)
                del rest[:length]
                break
        else:
            found.append(rest.pop(0))
    return found


def run_text(run: Run) -> str:
    """The words of a run as one text."""
    return " ".join(word.text for word in run)


def _runs(node: Node | None) -> list[Run]:
    match node:
        case And(parts):
            runs = [run for part in parts for run in _runs(part)]
            for start in range(len(parts)):
                for length in range(2, LONGEST_RUN + 1):
                    run = tuple(p for p in parts[start : start + length] if isinstance(p, Word))
                    if len(run) == length:
                        runs.append(run)
            return runs
        case Or(parts):
            return [run for part in parts for run in _runs(part)]
        case Not(part):
            return _runs(part)
        case _:
            return []


def _condition(node: Node | Run, where: Context) -> facts.Condition:
    match node:
        case And(parts):
            condition = and_(*(_condition(part, where) for part in joined(parts, where.names)))
        case Or(parts):
            condition = or_(*(_condition(part, where) for part in parts))
        case Not(part):
            condition = not_(_condition(part, where))
        case Word(text):
            condition = _bare(sought(text), where)
        case Phrase(text):
            condition = _bare(sought(text, loose=False), where)
        case Qualified(key):
            condition = TABLE[key].condition(node, where.now)
        case _:
            condition = or_(
                facts.named_so(where.index, sought(run_text(node))),
                and_(*(_condition(word, where) for word in node)),
            )
    return condition


def _bare(wanted: Sought, where: Context) -> facts.Condition:
    """What bears the name or carries the words.

    Titles, companies, schools, roles and repositories stand in the searched
    text, so only what does not (skills, logins, other names of a place) is added.
    """
    if wanted.exact_only:
        return facts.named_so(where.index, wanted)
    return or_(
        facts.text_names(where.index, wanted.forms),
        facts.skill(wanted.key),
        facts.name(wanted.typed),
        *([facts.place(wanted.text)] if len(wanted.places) > 1 else ()),
    )


def _strength(node: Node | Run, where: Context) -> ranking.Strength:
    match node:
        case And(parts):
            strength = _product(_strength(part, where) for part in joined(parts, where.names))
        case Or(parts):
            strength = _sum(
                case((_condition(part, where), _strength(part, where)), else_=literal(0.0, Float))
                for part in parts
            )
        case Word(text):
            strength = _bare_strength(sought(text), where)
        case Phrase(text):
            strength = _bare_strength(sought(text, loose=False), where)
        case Qualified("skill", value):
            wanted = sought(value, loose=False)
            strength = ranking.level(wanted.key) * ranking.evidence(wanted.skill_forms)
        case Qualified("company", value):
            strength = ranking.NAMED * ranking.exactness(sought(value).forms)
        case Not() | Qualified():
            strength = literal(ranking.NAMED, Float)
        case _:
            wanted = sought(run_text(node))
            strength = case(
                (facts.named_so(where.index, wanted), _named_strength(wanted)),
                else_=_product(_strength(word, where) for word in node),
            )
    return strength


def _named_strength(wanted: Sought) -> ranking.Strength:
    forms = wanted.skill_forms if wanted.exact_only else (*wanted.forms, *wanted.skill_forms)
    named = ranking.level(wanted.key) * ranking.evidence(tuple(dict.fromkeys(forms)))
    return named if wanted.skill_alone else named * ranking.exactness(wanted.forms)


def _bare_strength(wanted: Sought, where: Context) -> ranking.Strength:
    named = _named_strength(wanted)
    if wanted.exact_only:
        return named
    carried = ranking.CARRIED * ranking.evidence(wanted.forms)
    return case(
        (facts.named_so(where.index, wanted), named),
        (ranking.carrying(wanted.forms) > 0, carried),
        else_=literal(ranking.MENTIONED, Float),
    )


def _product(factors: Iterable[ranking.Strength]) -> ranking.Strength:
    return reduce(mul, factors)


def _sum(terms: Iterable[ranking.Strength]) -> ranking.Strength:
    return reduce(add, terms)
