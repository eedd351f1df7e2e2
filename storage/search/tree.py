"""A question as a tree: frozen, comparable, and printed so that it reads back to itself."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import regex

from storage.errors import BotError
from storage.search.folding import tokens

_PLAIN_VALUE: Final = regex.compile(r"[^\s()\"<>=|]+")
_SCORED: Final = regex.compile(r":(?:\d+\.\.\d*|\.\.\d+|\d+\+)$")
"""A value that would be read as one with a score behind it: see ``language``."""
_LISTED: Final = regex.compile(r"[\p{L}\p{Nd}](?:[\p{L}\p{Nd}._/+#-]*[\p{L}\p{Nd}+#])?")
JOINERS: Final = frozenset({"and", "or", "not"})
LITTLE: Final = frozenset(
    ("a", "an", "the", "at", "by", "in", "is", "of", "on", "for", "from", "who", "with")
)
"""Words that are passed over unless they are quoted."""
RESERVED: Final = re.compile("|".join(sorted(JOINERS | LITTLE)), re.IGNORECASE)
"""By the library that reads the grammar: there ``İn`` is ``in`` and ``ıs`` is ``is``."""


class QueryError(BotError):
    """A question that cannot be read; the text says why and what to type instead."""


@dataclass(frozen=True, slots=True)
class Word:
    """A bare word, as typed."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words in quotes, as typed."""

    text: str

    def __str__(self) -> str:
        return f'"{self.text}"'


@dataclass(frozen=True, slots=True)
class Qualified:
    """``key:value``, ``key>=bound`` or ``key:value>=bound``; no comparison without a bound."""

    key: str
    value: str = ""
    comparison: str = ""
    bound: str = ""

    def __str__(self) -> str:
        if not self.value:
            return f"{self.key}{':' if self.comparison == '=' else self.comparison}{self.bound}"
        return f"{self.key}:{quoted(self.value)}{self.comparison}{self.bound}"


@dataclass(frozen=True, slots=True)
class Not:
    part: "Node"

    def __str__(self) -> str:
        bare = not isinstance(self.part, And | Or) or (
            isinstance(self.part, Or) and self.part.listed
        )
        return f"-{self.part}" if bare else f"-({self.part})"


@dataclass(frozen=True, slots=True)
class And:
    """Two parts or more, none of them an And."""

    parts: tuple["Node", ...]

    def __str__(self) -> str:
        return " ".join(
            f"({part})" if isinstance(part, Or) and not part.listed else str(part)
            for part in self.parts
        )


@dataclass(frozen=True, slots=True)
class Or:
    """Two parts or more, none of them an Or; values of one key are printed as a list."""

    parts: tuple["Node", ...]

    def __str__(self) -> str:
        return self.listed or " or ".join(str(part) for part in self.parts)

    @property
    def listed(self) -> str:
        """``key:(one or another)``; empty where the parts are not values of one key."""
        parts = [part for part in self.parts if isinstance(part, Qualified)]
        if len({part.key for part in parts}) != 1 or len(parts) < len(self.parts):
            return ""
        if any(part.comparison or not tokens(part.value) for part in parts):
            return ""
        return f"{parts[0].key}:({' or '.join(_in_list(part.value) for part in parts)})"


Leaf = Word | Phrase | Qualified
Node = Leaf | Not | And | Or


@dataclass(frozen=True, slots=True)
class Order:
    """``sort:name`` or, the other way round, ``sort:-name``."""

    key: str
    descending: bool = False

    def __str__(self) -> str:
        return f"sort:{'-' if self.descending else ''}{self.key}"


@dataclass(frozen=True, slots=True)
class Nice:
    """``nice:(skill:triton or skill:mlir)``: whoever has some of it comes first."""

    part: Node

    def __str__(self) -> str:
        return f"nice:({self.part})"


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked: ``where`` None means everybody. ``str`` gives the canonical text."""

    where: Node | None = None
    orders: tuple[Order, ...] = ()
    nice: Node | None = None
    """What is nice to have: it excludes nobody, and whoever has it comes before who has not."""
    passed: tuple[str, ...] = field(default=(), compare=False)
    """The little words that were passed over, as typed."""

    @property
    def skills(self) -> tuple[str, ...]:
        """The skills and languages asked for, as typed."""
        return tuple(
            leaf.value
            for leaf, positive in leaves(self.where)
            if positive and isinstance(leaf, Qualified) and leaf.key in ("skill", "lang")
        )

    def __str__(self) -> str:
        parts = [] if self.where is None else [str(self.where)]
        nice = [Nice(self.nice)] if self.nice is not None else []
        more = [*nice, *self.orders]
        if more and isinstance(self.where, Or) and not self.where.listed:
            parts = [f"({self.where})"]
        return " ".join([*parts, *map(str, more)])


def quoted(value: str) -> str:
    """``value`` as it can stand behind a colon."""
    plain = _PLAIN_VALUE.fullmatch(value) and not _SCORED.search(value)
    return value if plain else f'"{value}"'


def _in_list(value: str) -> str:
    """``value`` as it can stand between brackets, where words are read as words are."""
    return value if _LISTED.fullmatch(value) and not RESERVED.fullmatch(value) else f'"{value}"'


def conjunction(parts: list[Node]) -> Node:
    """All of ``parts``, flat; a single part is itself."""
    return _flat(And, parts)


def disjunction(parts: list[Node]) -> Node:
    """Any of ``parts``, flat; a single part is itself."""
    return _flat(Or, parts)


def _flat(kind: type[And] | type[Or], parts: list[Node]) -> Node:
    flat: list[Node] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, And | Or) and isinstance(part, kind) else [part])
    unique = tuple(dict.fromkeys(flat))
    return unique[0] if len(unique) == 1 else kind(unique)


def clauses(node: Node | None) -> tuple[Node, ...]:
    """The parts that must all hold."""
    if node is None:
        return ()
    return node.parts if isinstance(node, And) else (node,)


def leaves(node: Node | None, *, positive: bool = True) -> Iterator[tuple[Leaf, bool]]:
    """(leaf, whether it is asked for rather than excluded), from left to right."""
    match node:
        case None:
            return
        case Not(part):
            yield from leaves(part, positive=not positive)
        case And(parts) | Or(parts):
            for part in parts:
                yield from leaves(part, positive=positive)
        case _:
            yield node, positive


def alternatives(question: Question) -> Iterator[Leaf]:
    """What is asked for and not all of it needed: parts of an ``or``, and what is nice to have."""
    if question.nice is not None:
        yield from (leaf for leaf, asked in leaves(question.nice) if asked)
    nodes = [question.where]
    while nodes:
        match nodes.pop():
            case And(parts):
                nodes += parts
            case Or() as node:
                yield from (leaf for leaf, asked in leaves(node) if asked)
