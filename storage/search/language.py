"""Text → question. The language is documented where it is defined: ``grammar.lark``.

Any text gives a ``Question`` or a ``QueryError`` whose sentence names the nearest
valid form; nothing else ever leaves ``parse``. The parser is LALR and builds the
tree as it goes, so time is linear and nesting costs no recursion.
"""

import re
from dataclasses import replace
from functools import cache
from importlib.resources import files
from itertools import takewhile
from typing import Any, Final
from unicodedata import normalize

import regex
from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedInput

from storage.search import conditions
from storage.search.folding import tokens
from storage.search.sortings import SORT_EXAMPLE
from storage.search.tree import (
    JOINERS,
    LITTLE,
    RESERVED,
    And,
    Nice,
    Node,
    Not,
    Order,
    Phrase,
    Qualified,
    QueryError,
    Question,
    Word,
    conjunction,
    disjunction,
    leaves,
)
from storage.search.unwrap import unwrap

LONGEST: Final = 1_000
"""Characters of a question."""
DEEPEST: Final = 20
"""Brackets within brackets."""
MOST_SIGNS: Final = 200
"""Words of a phrase; Han and kana count one by one."""
MOST_TERMS: Final = 50
"""Words, phrases and qualifiers together."""

LEADING: Final = ",;:!?'`*_~-&/\\"
TRAILING: Final = LEADING + "."
_KEY: Final = re.compile(r"[^\W\d_][\w-]*\s*[:<>=]")
"""By the library that reads the grammar: the other one takes numbers such as ㉘ for no letters."""
_PLAIN: Final = regex.compile(r"[^\s()\"<>=|]+")
_ADDRESS: Final = regex.compile(r"https?://(?:www\.)?", regex.IGNORECASE)
_SIGN: Final = regex.compile(r"[^\p{P}\p{Z}<>=|+~^`$]")
_SCORED: Final = regex.compile(r"(?P<value>.+):(?P<bound>\d+\.\.\d*|\.\.\d+|\d+\+)")
"""``skill:cuda:3..8``, which is kept as ``skill:cuda=3..8``."""
_PASSED: Final = regex.compile(
    rf"\"[^\"]*\"|(?<![^\s()|])(?P<little>{'|'.join(sorted(LITTLE))})(?![^\s()|\"])",
    regex.IGNORECASE,
)


def parse(text: str) -> Question:
    """The question that ``text`` asks. Raises QueryError with what to type instead.

    >>> str(parse("(CUDA OR onnx) AND NOT skill: “machine learning” sort:-years"))
    '(CUDA or onnx) -skill:"machine learning" sort:-years'
    """
    if len(text) > 4 * LONGEST:
        raise _too_long(len(text))
    text = unwrap(text)
    if len(text) > LONGEST:
        raise _too_long(len(text))
    _check_shape(text)
    try:
        found: Any = _parser().parse(text)
    except UnexpectedInput as error:
        raise QueryError(_explained(text, error)) from None
    question = replace(_ordered(found), passed=_passed_over(text))
    if question.where is None and not (question.orders or question.nice) and text:
        raise QueryError(_nothing_asked(text))
    if any(order.key == "score" for order in question.orders) and not question.skills:
        raise QueryError(
            "sort:score goes by the scores of the skills asked for: ask for one, "
            "such as skill:cuda sort:-score."
        )
    if len(text) > LONGEST // 3 and (printed := len(str(question))) > LONGEST:
        raise _too_long(printed)  # with its quotes and whole words it would not read back
    asked = [leaf for part in (question.where, question.nice) for leaf, _ in leaves(part)]
    for leaf in asked:
        if len(tokens(leaf.value if isinstance(leaf, Qualified) else leaf.text)) > MOST_SIGNS:
            raise QueryError(
                f"“{_short(str(leaf))}” has more than {MOST_SIGNS} words or characters in a row: "
                "write less of it."
            )
    if (count := len(asked)) > MOST_TERMS:
        raise QueryError(
            f"The question has {count} words and conditions; {MOST_TERMS} are the most. "
            "Leave out those that matter least."
        )
    return question


@cache
def _parser() -> Lark:
    grammar = files("storage.search").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(
        grammar, start="question", parser="lalr", transformer=_Build(), maybe_placeholders=False
    )


class _Build(Transformer[Token, Any]):
    """Each rule of the grammar as the node it means; None is something passed over.

    An ``Order`` or a ``Nice`` travels among the nodes until ``parse`` takes it out.
    """

    def question(self, items: list[Any]) -> Any:
        return items[0] if items else None

    def either(self, items: list[Any]) -> Any:
        parts, orders = _without_outer_orders(_kept(items))
        if len(parts) > 1 and any(_holds_order(part) for part in parts):
            raise QueryError(
                "sort: and nice: are for the whole result: write each once, at the end, such as "
                f"(cuda or onnx) {SORT_EXAMPLE}."
            )
        whole = [disjunction(parts), *orders] if parts else orders
        return conjunction(whole) if whole else None

    def both(self, items: list[Any]) -> Any:
        parts = _kept(items)
        return conjunction(parts) if parts else None

    def negation(self, items: list[Any]) -> Any:
        (part,) = items
        if part is None:
            return None
        if _holds_order(part):
            raise QueryError(
                "sort: and nice: cannot be excluded. For the other direction, write sort:-years."
            )
        return part.part if isinstance(part, Not) else Not(part)

    def group(self, items: list[Any]) -> Any:
        return items[0]

    def word(self, items: list[Token]) -> Any:
        return _word(str(items[0]))

    def phrase(self, items: list[Token]) -> Any:
        text = str(items[0]).strip('"').strip()
        return Phrase(text) if tokens(text) else None

    def value(self, items: list[Token]) -> str:
        return str(items[0]).strip('"').strip()

    def valued(self, items: list[Any]) -> Any:
        key, value = items
        scored = isinstance(value, Token) and _SCORED.fullmatch(value)
        if scored and conditions.takes_score(str(key)):
            return conditions.scored(str(key), scored["value"], "=", scored["bound"])
        return conditions.valued(str(key), str(value).strip('"').strip())

    def listed(self, items: list[Any]) -> Any:
        key, *values = items
        if not _kept(values):
            raise QueryError(conditions.lacks_value(str(key), ":"))
        if _holds_order(values[0]):
            raise QueryError(
                f"sort: and nice: cannot stand in a list: write them at the end, behind {key}:(…)."
            )
        return conditions.listed(str(key), values[0])

    def compared(self, items: list[Any]) -> Any:
        key, comparison, bound = items
        return conditions.compared(str(key), str(comparison), bound)

    def scored(self, items: list[Any]) -> Any:
        key, value, comparison, bound = items
        return conditions.scored(str(key), value, str(comparison), bound)


def _kept(items: list[Any]) -> list[Any]:
    return [item for item in items if item is not None]


def _without_outer_orders(parts: list[Any]) -> tuple[list[Any], list[Any]]:
    """The parts of an Or without the orders that stand before the first and behind the last."""
    if len(parts) < 2:
        return parts, []
    first, last = _flat(parts[0]), _flat(parts[-1])
    before = list(takewhile(_is_order, first))
    behind = list(takewhile(_is_order, reversed(last)))[::-1]
    if len(before) == len(first) or len(behind) == len(last):
        return parts, []  # nothing would be left to join
    ends = conjunction(first[len(before) :]), conjunction(last[: len(last) - len(behind)])
    return [ends[0], *parts[1:-1], ends[1]], [*before, *behind]


def _flat(part: Any) -> list[Any]:
    return list(part.parts) if isinstance(part, And) else [part]


def _is_order(part: Any) -> bool:
    return isinstance(part, Order | Nice)


def _passed_over(text: str) -> tuple[str, ...]:
    """The little words, and what holds no letter or digit and is no punctuation either."""
    found = [match["little"] for match in _PASSED.finditer(text)]
    outside = regex.sub(r'"[^"]*"', " ", text)
    signs = [word for word in outside.split() if not tokens(word) and _SIGN.search(word)]
    return tuple(dict.fromkeys(word for word in (*found, *signs) if word))


def _holds_order(part: Any) -> bool:
    return _is_order(part) or (isinstance(part, And) and any(map(_is_order, part.parts)))


def _word(text: str) -> Word | Phrase | None:
    """A word without the punctuation around it; None when nothing is left to search."""
    if text.casefold() in JOINERS:
        raise QueryError(_joins(text))
    while (bare := _ADDRESS.sub("", text)) != text:  # what is left may be an address anew
        text = normalize("NFC", bare)
    text = text.lstrip(LEADING).rstrip(TRAILING)
    if not tokens(text):
        return None
    plain = _PLAIN.fullmatch(text) and not (_KEY.match(text) or RESERVED.fullmatch(text))
    return Word(text) if plain else Phrase(text)


def _ordered(found: Any) -> Question:
    parts = list(found.parts) if isinstance(found, And) else _kept([found])
    orders = tuple(part for part in parts if isinstance(part, Order))
    nice = [part.part for part in parts if isinstance(part, Nice)]
    rest: list[Node] = [part for part in parts if not _is_order(part)]
    return Question(
        conjunction(rest) if rest else None, orders, disjunction(nice) if nice else None
    )


def _check_shape(text: str) -> None:
    """Quotes and brackets, told apart before the grammar so that each has its own sentence."""
    if text.count('"') % 2:
        words = text.rsplit('"', 1)[1].strip()
        example = f'"{words}"' if words else '"matrix core"'
        raise QueryError(f"A closing quote is missing. {example} finds these words side by side.")
    outside = regex.sub(r'"[^"]*"', lambda match: "." * len(match.group()), text)
    depth = 0
    for position, character in enumerate(outside):
        depth += (character == "(") - (character == ")")
        if depth < 0:
            raise QueryError(
                f"There is a “)” too many after “{_before(text, position)}”. "
                f"Write {_balanced(text, outside)}, or put the text in quotes."
            )
        if depth > DEEPEST:
            raise QueryError(f"More than {DEEPEST} brackets stand inside each other: use fewer.")
    if depth:
        start = outside.index("(")
        if not tokens(text[start:]):
            raise QueryError(
                "A bracket is open and empty: remove it, or write what it holds, such as "
                "(cuda or onnx)."
            )
        raise QueryError(
            f"A “)” is missing in “{_short(text[start:])}”. "
            f"Write {_short(text[start:])}{')' * depth}, or put the text in quotes."
        )
    if regex.search(r"\(\s*\)", outside):
        raise QueryError("Nothing stands between the brackets ( ). Write (cuda or onnx) beijing.")


def _balanced(text: str, outside: str) -> str:
    """The text without brackets that close nothing; an example when nothing readable is left."""
    kept, depth = [], 0
    for character, seen in zip(text, outside, strict=True):
        depth += (seen == "(") - (seen == ")")
        if depth < 0:
            depth = 0
        else:
            kept.append(character)
    rest = "".join(kept) + ")" * depth
    return _short(" ".join(rest.split())) if tokens(rest) else "(cuda or onnx) beijing"


def _explained(text: str, error: UnexpectedInput) -> str:
    """What the parser met, in a sentence."""
    token = getattr(error, "token", None)
    at_end = isinstance(token, Token) and token.type == "$END"
    position = len(text) if at_end else error.pos_in_stream or 0
    before, here = text[:position].rstrip(), text[position:]
    if scored := regex.search(r"[^\W\d_][\w-]*:\s*[^\s:<>=]+\s*[<>=]+$", before):
        return f"“{_short(scored.group())}” needs a number right behind it, such as skill:cuda>=9."
    if key := regex.search(r"([^\W\d_][\w-]*)\s*(:|:?\s*[<>=]+)$", before):
        return conditions.lacks_value(key.group(1), key.group(2))
    joiner = regex.search(
        r"(?<![^\s()|])(and|or|not)$|(?<![^\s(])-$|\|+$", before, regex.IGNORECASE
    )
    if joiner:
        return _joins(joiner.group())
    if stray := regex.match(r"(and|or|not)(?![^\s()|])|\|+", here, regex.IGNORECASE):
        return _joins(stray.group())
    if regex.match(r"[<>=]", here):
        return (
            f"“{_short(here)}” needs a word right before it, such as years>=8 or skill:cuda>=9. "
            f"To search for exactly what you typed, put it in quotes: {_literal(text)}."
        )
    return (
        f"I cannot read “{_short(here or text)}” here. To search for exactly what you typed, "
        f"put it in quotes: {_literal(text)}."
    )


def _joins(joiner: str) -> str:
    word = {"-": "not", "|": "or"}.get(joiner[:1], joiner.casefold())
    return (
        f"“{joiner}” needs something to exclude, such as not skill:triton. "
        if word == "not"
        else f"“{joiner}” joins two things, such as cuda {word} onnx. "
    ) + f'To search the word itself, put it in quotes: "{word}".'


def _nothing_asked(text: str) -> str:
    return (
        f"“{_short(text)}” has nothing to search for. "
        "Type a name, words, or a condition such as skill:cuda."
    )


def _too_long(length: int) -> QueryError:
    return QueryError(
        f"The question is {length:,} characters long; {LONGEST:,} are the most. "
        "Keep the words that matter most."
    )


def _before(text: str, position: int) -> str:
    return _short(text[:position][-30:].strip()) or "the beginning"


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"


def _literal(text: str) -> str:
    return '"' + _short(text.replace('"', "")) + '"'
