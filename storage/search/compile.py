"""Question → for whom it holds, and how strongly: see ``ranking`` for the formula.

For whom is a mask over all profiles; how strongly is worked out only for those
who match the whole question, as a product, a sum or an absence of its parts.
"""

from collections.abc import Iterable
from datetime import datetime
from functools import reduce
from operator import add, mul
from typing import Final

import numpy as np

from storage.search import facts, ranking, similar, stated
from storage.search.evidence import EVIDENCE
from storage.search.lookup import Docs, Lookup, Mask, Numbers
from storage.search.qualifiers import TABLE
from storage.search.skills import aliases, skill_key
from storage.search.sought import Sought, Words, sought
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
        self._masks: dict[Node | Run, Mask] = {}

    @property
    def workspace(self) -> str:
        return self.look.workspace

    def matching(self, node: Node | Run | None) -> Mask:
        """Who answers a part of a question and may be shown; None is everybody."""
        visible = self.look.visible
        return visible if node is None else visible & self.mask(node)

    def mask(self, node: Node | Run) -> Mask:
        """Who answers a part of a question."""
        if node not in self._masks:
            self._masks[node] = _mask(node, self)
        return self._masks[node]

    def asked(self, question: Question, docs: Docs) -> Numbers:
        """How well these profiles, who match, answer the whole question."""
        strength = self.strength(question.where, docs)
        if question.nice is None:
            return strength
        return strength * (1.0 + self.strength(question.nice, docs))

    def score(self, asked: Numbers, docs: Docs) -> Numbers:
        """The scores of these profiles, who answer so well."""
        whole = stated.recency(self.look, docs, self.now) * stated.completeness(self.look, docs)
        return asked * whole

    def strength(self, node: Node | Run | None, docs: Docs) -> Numbers:
        """How strongly these profiles answer a part, 0 where one does not; None is 1 for all."""
        return np.ones(len(docs)) if node is None else _strength(node, docs, self)


def context(look: Lookup, question: Question, now: datetime) -> Context:
    """Look up which adjacent words of the question are one name."""
    runs = [run for part in (question.where, question.nice) for run in _runs(part)]
    texts = {" ".join(word.text for word in run) for run in runs}
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


def _mask(node: Node | Run, where: Context) -> Mask:  # noqa: PLR0911 - one a kind of node
    look = where.look
    match node:
        case And(parts):
            return look.all(where.mask(part) for part in joined(parts, where.names))
        case Or(parts):
            return look.any(where.mask(part) for part in parts)
        case Not(part):
            return ~where.mask(part)
        case Word(text):
            return _bare_mask(sought(text), look)
        case Phrase(text):
            return _bare_mask(sought(text, loose=False), look)
        case Qualified(key):
            return TABLE[key].mask(look, node, where.now)
        case _:
            named = facts.named_so(look, sought(run_text(node)))
            return look.any((named, look.all(where.mask(word) for word in node)))


def _bare_mask(wanted: Sought, look: Lookup) -> Mask:
    """What bears the name, or else carries the words in its text.

    Titles, companies, schools, roles and repositories stand in the searched
    text, so only what does not (skills, logins, other names of a place) is added.
    """
    named = facts.named_so(look, wanted)
    if wanted.exact_only:
        return named
    return look.any((named, facts.text_names(look, wanted.forms)))


def _strength(node: Node | Run, docs: Docs, where: Context) -> Numbers:  # noqa: PLR0911 - one a kind of node
    look = where.look
    match node:
        case And(parts):
            return _product(where.strength(part, docs) for part in joined(parts, where.names))
        case Or(parts):
            return reduce(add, (where.strength(part, docs) for part in parts))
        case Not():
            return np.where(where.mask(node)[docs], ranking.NAMED, 0.0)
        case Word(text):
            return np.where(where.mask(node)[docs], _bare(sought(text), docs, look), 0.0)
        case Phrase(text):
            wanted = sought(text, loose=False)
            return np.where(where.mask(node)[docs], _bare(wanted, docs, look), 0.0)
        case Qualified():
            return np.where(where.mask(node)[docs], _qualified(node, docs, look), 0.0)
        case _:
            wanted = sought(run_text(node))
            return np.where(
                facts.named_so(look, wanted)[docs],
                _named(wanted, docs, look),
                _product(where.strength(word, docs) for word in node),
            )


def _qualified(part: Qualified, docs: Docs, look: Lookup) -> Numbers | float:
    """The strength of a qualifier where it holds."""
    wanted = sought(part.value, loose=part.key not in ("skill", "lang")) if part.value else None
    if part.key in ("skill", "lang") and wanted is not None:
        return _skill(wanted, wanted.skill_forms, docs, look)
    if part.key == "similar":
        return ranking.NAMED + similar.likeness(look, part.value, docs)
    if part.key == "company" and wanted is not None:
        return ranking.NAMED * ranking.exactness(look, wanted.company_forms, docs)
    return ranking.NAMED


def _named(wanted: Sought, docs: Docs, look: Lookup) -> Numbers:
    """The strength where the very name is borne."""
    forms = wanted.skill_forms if wanted.exact_only else (*wanted.forms, *wanted.skill_forms)
    named = _skill(wanted, tuple(dict.fromkeys(forms)), docs, look)
    if wanted.skill_alone:
        return named
    return named * ranking.exactness(look, wanted.company_forms, docs, wanted.typed)


def _skill(wanted: Sought, forms: tuple[Words, ...], docs: Docs, look: Lookup) -> Numbers:
    """What contributions that carry one of ``forms``, the page's points and rarity come to."""
    listed = ranking.level(look, wanted.key, docs) * ranking.rarity(look, wanted.key, docs)
    return listed * ranking.evidence(look, forms, docs)


def _bare(wanted: Sought, docs: Docs, look: Lookup) -> Numbers:
    """The strength of words that match: as a name, or else in contributions or other text."""
    named = _named(wanted, docs, look)
    if wanted.exact_only:
        return named
    carried = ranking.evidence(look, wanted.forms, docs)
    less = np.where(carried > EVIDENCE[0], ranking.CARRIED * carried, ranking.MENTIONED)
    return np.where(facts.named_so(look, wanted)[docs], named, less)


def _product(factors: Iterable[Numbers]) -> Numbers:
    return reduce(mul, factors)
