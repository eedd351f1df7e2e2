"""Nothing found: which part matched nobody, what dropping it gives, what was near."""

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from storage.search.compile import Context, Run, joined, run_text
from storage.search.hints import hints
from storage.search.known import Known
from storage.search.suggesting import suggestions
from storage.search.tree import (
    Leaf,
    Node,
    Not,
    Phrase,
    Question,
    clauses,
    conjunction,
    leaves,
)
from storage.search.values import Clause

MOST_CLAUSES: Final = 10


def explained(where: Context, question: Question) -> dict[str, Any]:
    """``clauses``, ``hints`` and ``suggestions`` of a page without results."""
    known = Known(where)
    parts = joined(clauses(question.where), where.names)[:MOST_CLAUSES]
    counted = tuple(_clause(known, parts, at) for at in range(len(parts)))
    blamed = [part for part, clause in zip(parts, counted, strict=True) if not clause.count]
    asked = list(islice(_asked(blamed), MOST_CLAUSES))
    return {
        "clauses": counted,
        "hints": hints(known, question, asked),
        "suggestions": suggestions(known, question, asked),
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


def _clause(known: Known, parts: list[Node | Run], at: int) -> Clause:
    part = parts[at]
    others = [each for other, each in enumerate(parts) if other != at]
    flat = [node for each in others for node in (each if isinstance(each, tuple) else (each,))]
    rest = conjunction(flat) if flat else None
    return Clause(
        text=run_text(part) if isinstance(part, tuple) else str(part),
        count=known.count(part),
        without=known.count(rest),
        rest="" if rest is None else str(rest),
    )
