"""Questions that find somebody, offered where the asked one finds nobody."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice, product
from typing import Final

import regex

from storage.places import is_place
from storage.search.compile import Run, joined
from storage.search.folding import tokens
from storage.search.known import Known
from storage.search.language import parse
from storage.search.skills import skill_key
from storage.search.tree import (
    RESERVED,
    And,
    Leaf,
    Node,
    Not,
    Or,
    Phrase,
    Qualified,
    QueryError,
    Question,
    Word,
    clauses,
    conjunction,
    disjunction,
)
from storage.search.values import Suggestion

MOST: Final = 3
MEANT: Final = "Did you mean"
NEAR: Final = "Like a part of it"
MOST_OF_IT: Final = "The most of it that somebody has"
LISTED: Final = "Most common here"
NAMED: Final = "Mentioned on their pages"
ANY: Final = "Any of these"

_YEARS: Final = regex.compile(
    r"(?<![\w:<>=-])(?P<number>\d{1,2})(?P<more>\s*\+)?\s*-?\s*(?:years?|yrs?)\b(?:\s+of\s+\w+)?",
    regex.IGNORECASE,
)
MOST_CORRECTED: Final = 12
"""Corrections of the whole question that are tried."""
MOST_PARTS: Final = 6
"""Parts of a question of which as many as possible are kept."""

_BARE_KINDS: Final = ("skill", "location", "company", "repo", "school")

Offer = tuple[Node, str]


def suggestions(
    known: Known, question: Question, blamed: list[Leaf | Not]
) -> tuple[Suggestion, ...]:
    """At most three, each found by somebody; ``blamed`` are the leaves that matched nobody.

    What is listed most is offered only where nothing nearer is.
    """
    found: dict[str, Suggestion] = {}
    for node, lead in _offers(known, question, blamed):
        if lead == LISTED and any(each.lead != LISTED for each in found.values()):
            break
        text = str(node)
        if text not in found and text != str(question.where) and (amount := known.count(node)):
            found[text] = Suggestion(text, amount, lead)
        if len(found) == MOST:
            break
    return tuple(found.values())


def joined_value(key: Qualified, words: list[Word]) -> Qualified | None:
    """``location:new york`` meant with quotes: the value with the words behind it."""
    for length in range(len(words), 0, -1):
        text = " ".join([key.value, *(word.text for word in words[:length])])
        if key.key == "location" and is_place(text):
            return Qualified("location", text)
    return None


def run_ons(node: Node | None) -> Iterator[tuple[Qualified, list[Word]]]:
    """Values of qualifiers with up to three bare words right behind them."""
    if not isinstance(node, And):
        return
    for at, part in enumerate(node.parts):
        if isinstance(part, Qualified) and part.value and not part.comparison:
            words: list[Word] = []
            for each in node.parts[at + 1 : at + 4]:
                if not isinstance(each, Word):
                    break
                words.append(each)
            if words:
                yield part, words


def _offers(known: Known, question: Question, blamed: list[Leaf | Not]) -> Iterator[Offer]:
    yield from _years(question)
    for part, words in run_ons(question.where):
        if whole := joined_value(part, words):
            yield whole, MEANT
    near = {leaf: list(_meant(known, leaf)) for leaf in blamed}
    yield from ((each, MEANT) for each in _corrected(question.where, near))
    alone = isinstance(question.where, Word | Phrase | Qualified)
    for each in near.values():
        yield from ((node, MEANT if alone else NEAR) for node in each)
    yield from ((each, MOST_OF_IT) for each in _kept(known, question.where))
    yield from _either(known, question)
    kinds = []
    for leaf in blamed:
        if isinstance(leaf, Qualified):
            kinds.append(leaf.key)
            if leaf.key == "company":
                several = len(tokens(leaf.value)) > 1
                yield Phrase(leaf.value) if several else Word(leaf.value), NAMED
    for key in dict.fromkeys(kinds):
        yield from ((each, LISTED) for each in _listed(known, key))
    if not kinds and blamed and all(isinstance(leaf, Word | Phrase) for leaf in blamed):
        yield from ((each, LISTED) for key in ("skill", "location") for each in _listed(known, key))


def years_meant(question: Question) -> bool:
    """Whether the question may hold years in words, such as ``8 years``."""
    return _YEARS.search(str(question)) is not None


def _years(question: Question) -> Iterator[Offer]:
    """``8 years`` as a condition."""
    text = str(question)
    if match := _YEARS.search(text):
        meant = f"{text[: match.start()]} years>={int(match['number'])} {text[match.end() :]}"
        try:
            read = parse(meant)
        except QueryError:
            return
        if read.where is not None:
            yield read.where, MEANT


def _meant(known: Known, leaf: Leaf | Not) -> Iterator[Node]:
    match leaf:
        case Qualified("skill", value):
            if leaf.comparison:
                yield Qualified("skill", value)
            parts = [part for part in regex.split(r"[,;/]", value) if skill_key(part)]
            if len(parts) > 1 and any(skill_key(part) in known.skills.places for part in parts):
                each: list[Node] = [Qualified("skill", part) for part in parts]
                yield conjunction(each)
                yield disjunction(each)
            yield from known.near("skill", value)
        case Qualified("lang", value):
            yield Qualified("skill", value)
        case Qualified("location" | "school" | "repo" | "company" | "role" | "topic" as key, value):
            yield from known.near(key, value)
        case Word(text):
            for kind in _BARE_KINDS:
                yield from known.near(kind, text)


def _corrected(where: Node | None, near: Mapping[Leaf | Not, Sequence[Node]]) -> Iterator[Node]:
    """The whole question with each part that matched nobody as what it is like.

    A bare word stays one: ``cuda beijng`` is ``cuda beijing``.
    """
    if not isinstance(where, And) or not near or not all(near.values()):
        return
    for choice in islice(product(*near.values()), MOST_CORRECTED):
        meant = {
            leaf: _bare(node) if isinstance(leaf, Word) else node
            for leaf, node in zip(near, choice, strict=True)
        }
        yield conjunction([_replaced(part, meant) for part in where.parts])


def _bare(node: Node) -> Node:
    if not isinstance(node, Qualified) or node.comparison:
        return node
    alone = len(tokens(node.value)) == 1 and not RESERVED.fullmatch(node.value)
    return Word(node.value) if alone and node.value.isalpha() else Phrase(node.value)


def _replaced(node: Node, meant: Mapping[Leaf | Not, Node]) -> Node:
    match node:
        case And(parts):
            return conjunction([_replaced(part, meant) for part in parts])
        case Or(parts):
            return disjunction([_replaced(part, meant) for part in parts])
        case Not(part):
            return Not(_replaced(part, meant))
        case _:
            return meant.get(node, node)


def _kept(known: Known, where: Node | None) -> Iterator[Node]:
    """Where leaving out one part is not enough: as many parts as some people have together."""
    parts = joined(clauses(where), known.where.names)
    if not 2 < len(parts) <= MOST_PARTS:
        return
    for length in range(len(parts) - 1, 0, -1):
        kept = [
            conjunction([node for part in some for node in _flat(part)])
            for some in combinations(parts, length)
        ]
        found = [each for each in kept if known.count(each)]
        if found and length == len(parts) - 1:
            return  # that is told of each part
        if found:
            yield from sorted(found, key=known.count, reverse=True)
            return


def _flat(part: Node | Run) -> tuple[Node, ...]:
    return part if isinstance(part, tuple) else (part,)


def _either(known: Known, question: Question) -> Iterator[Offer]:
    """Words that all match somebody and nobody all of them: two halves with ``or`` between."""
    where = question.where
    if not isinstance(where, And):
        return
    if not all(isinstance(part, Word | Phrase) for part in where.parts):
        return
    best: tuple[int, Node] | None = None
    for at in range(1, min(len(where.parts), 6)):
        halves = [conjunction(list(half)) for half in (where.parts[:at], where.parts[at:])]
        counts = [known.count(half) for half in halves]
        if all(counts) and (best is None or sum(counts) < best[0]):
            best = sum(counts), disjunction(halves)
    if best is not None:
        yield best[1], ANY


def _listed(known: Known, key: str) -> Iterator[Qualified]:
    """The most common values of a kind, as conditions."""
    if key in ("skill", "topic", "location", "company", "school", "repo", "role"):
        yield from (Qualified(key, value) for value in known.values(key).all[:2])
