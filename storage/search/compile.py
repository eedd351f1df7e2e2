"""Question → for whom it holds, and how strongly: see ``ranking`` for the formula.

Both are one array: the strength of a part is 0 where it does not match, and a
product, a sum or its absence say the rest.
"""

from collections.abc import Iterable
from datetime import datetime
from functools import reduce
from operator import add, mul
from typing import Final

import numpy as np
from sqlmodel import Session

from storage.dialects.dialect import TextIndex
from storage.search import facts, ranking
from storage.search.lookup import Lookup, Mask, Numbers
from storage.search.qualifiers import TABLE
from storage.search.skills import aliases, skill_key
from storage.search.sought import Sought, sought
from storage.search.tree import And, Node, Not, Or, Phrase, Qualified, Question, Word

LONGEST_RUN: Final = 3
"""Adjacent bare words that may be one name, such as ``machine learning`` or ``new york``."""

Run = tuple[Word, ...]


class Context:
    """What reading one question needs beside the question; what was worked out once is kept."""

    def __init__(self, look: Lookup, now: datetime, names: frozenset[str]) -> None:
        """``names`` are those runs of the question's words, joined by spaces, that name
        a skill or a place.
        """
        self.look = look
        self.now = now
        self.names = names
        self._kept: dict[Node | Run, Numbers] = {}

    @property
    def workspace(self) -> str:
        return self.look.workspace

    def matching(self, node: Node | Run | None) -> Mask:
        """Who answers a part of a question and may be shown; None is everybody."""
        visible = self.look.visible
        return visible if node is None else visible & (self.strength(node) > 0)

    def strength(self, node: Node | Run | None) -> Numbers:
        """How strongly each profile answers a part, 0 where it does not; None is 1 for all."""
        if node is None:
            return np.ones(self.look.size)
        if node not in self._kept:
            self._kept[node] = _strength(node, self)
        return self._kept[node]


def context(
    session: Session, index: TextIndex, workspace: str, question: Question, now: datetime
) -> Context:
    """Look up which adjacent words of the question are one name."""
    look = Lookup(session, index, workspace)
    texts = {" ".join(word.text for word in run) for run in _runs(question.where)}
    keys = {text: skill_key(text) for text in texts}
    known = look.known("skill", set(keys.values())) | set(aliases().values())
    names = {text for text, key in keys.items() if key in known or len(sought(text).places) > 1}
    return Context(look, now, frozenset(names))


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


def _strength(node: Node | Run, where: Context) -> Numbers:
    strength: Numbers
    match node:
        case And(parts):
            strength = _product(where.strength(part) for part in joined(parts, where.names))
        case Or(parts):
            strength = reduce(add, (where.strength(part) for part in parts))
        case Not(part):
            strength = np.where(where.strength(part) > 0, 0.0, ranking.NAMED)
        case Word(text):
            strength = _bare(sought(text), where)
        case Phrase(text):
            strength = _bare(sought(text, loose=False), where)
        case Qualified(key):
            held = TABLE[key].mask(where.look, node, where.now)
            strength = np.where(held, _qualified(node, where), 0.0)
        case _:
            wanted = sought(run_text(node))
            strength = np.where(
                facts.named_so(where.look, wanted),
                _named(wanted, where.look),
                _product(where.strength(word) for word in node),
            )
    return strength


def _qualified(part: Qualified, where: Context) -> Numbers | float:
    """The strength of a qualifier where it holds."""
    wanted = sought(part.value, loose=part.key != "skill") if part.value else None
    if part.key == "skill" and wanted is not None:
        return ranking.level(where.look, wanted.key) * ranking.evidence(
            where.look, wanted.skill_forms
        )
    if part.key == "company" and wanted is not None:
        return ranking.NAMED * ranking.exactness(where.look, wanted.forms)
    return ranking.NAMED


def _named(wanted: Sought, look: Lookup) -> Numbers:
    """The strength where the very name is borne."""
    forms = wanted.skill_forms if wanted.exact_only else (*wanted.forms, *wanted.skill_forms)
    named = ranking.level(look, wanted.key) * ranking.evidence(look, tuple(dict.fromkeys(forms)))
    return named if wanted.skill_alone else named * ranking.exactness(look, wanted.forms)


def _bare(wanted: Sought, where: Context) -> Numbers:
    """What bears the name, or else carries the words in contributions, or else in its text.

    Titles, companies, schools, roles and repositories stand in the searched
    text, so only what does not (skills, logins, other names of a place) is added.
    """
    look = where.look
    named_so, named = facts.named_so(look, wanted), _named(wanted, look)
    if wanted.exact_only:
        return named * named_so
    carried = ranking.evidence(look, wanted.forms)
    less = np.where(carried > ranking.EVIDENCE[0], ranking.CARRIED * carried, ranking.MENTIONED)
    return np.where(named_so, named, less * facts.text_names(look, wanted.forms))


def _product(factors: Iterable[Numbers]) -> Numbers:
    return reduce(mul, factors)
