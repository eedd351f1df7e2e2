"""Questions that find somebody, offered where the asked one finds nobody."""

from collections.abc import Iterator
from typing import Final

import regex

from storage.places import is_place
from storage.search.folding import tokens
from storage.search.known import Known
from storage.search.language import parse
from storage.search.skills import skill_key
from storage.search.tree import (
    And,
    Leaf,
    Node,
    Not,
    Phrase,
    Qualified,
    QueryError,
    Question,
    Word,
    conjunction,
    disjunction,
)
from storage.search.values import Suggestion

MOST: Final = 3
MEANT: Final = "Did you mean"
LISTED: Final = "Most common here"
NAMED: Final = "Mentioned on their pages"
ANY: Final = "Any of these"

_YEARS: Final = regex.compile(
    r"(?<![\w:<>=-])(?P<number>\d{1,2})(?P<more>\s*\+)?\s*-?\s*(?:years?|yrs?)\b(?:\s+of\s+\w+)?",
    regex.IGNORECASE,
)
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
    for leaf in blamed:
        yield from ((each, MEANT) for each in _meant(known, leaf))
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
