"""Conditions as they are typed: a key, known or nearly so, and what stands behind it."""

from typing import cast

import regex
from rapidfuzz.distance import OSA

from storage.search import checks, ranges
from storage.search.qualifiers import TABLE, keys
from storage.search.sortings import (
    NICE,
    NICE_ALIASES,
    NICE_EXAMPLE,
    SORT,
    SORT_ALIASES,
    SORT_EXAMPLE,
    SORTINGS,
)
from storage.search.tree import (
    And,
    Nice,
    Node,
    Not,
    Or,
    Order,
    Phrase,
    Qualified,
    QueryError,
    Word,
    conjunction,
    disjunction,
)


def valued(key: str, value: str) -> Qualified | Order:
    """``key:value`` read: numbers and dates compare as equal. Raises QueryError."""
    known = _canonical(key, f"{key}:{value}")
    if known == SORT:
        return _order(value)
    if known == NICE:
        raise QueryError(_nice_needs_brackets(key))
    qualifier = TABLE[known]
    if not value:
        raise QueryError(lacks_value(key, ":"))
    if qualifier.takes_text:
        part = Qualified(known, value)
    else:
        part = Qualified(known, "", *_read(known, "=", value))
    qualifier.check(part, qualifier.example)
    return part


def listed(key: str, inside: Node) -> Node | Nice:
    """``key:(a or b)`` read: each word and phrase is a value of the key. Raises QueryError.

    Behind ``nice`` the brackets hold conditions, not values.
    """
    known = _canonical(key, f"{key}:({inside})")
    return Nice(inside) if known == NICE else _values(key, known, inside)


def _values(key: str, known: str, inside: Node) -> Node:
    match inside:
        case Word(text) | Phrase(text) if known != SORT:
            return cast("Node", valued(key, text))
        case Not(part) if known != SORT:
            return Not(_values(key, known, part))
        case And(parts) if known != SORT:
            return conjunction([_values(key, known, part) for part in parts])
        case Or(parts) if known != SORT:
            return disjunction([_values(key, known, part) for part in parts])
    example = SORT_EXAMPLE if known == SORT else f"{key}:(one or another)"
    if known == SORT:
        raise QueryError(f"sort: takes one thing to sort by, such as {example}.")
    raise QueryError(
        f"Behind {key}: the brackets hold values only, such as {example}, so {inside} "
        "cannot stand there."
    )


def _read(known: str, comparison: str, bound: str) -> tuple[str, str]:
    return ranges.read(comparison, bound, numbers=TABLE[known].check is not checks.date)


def compared(key: str, comparison: str, bound: str) -> Qualified | Order:
    """``key>=bound`` read. Raises QueryError."""
    known = _canonical(key, f"{key}{comparison}{bound}")
    if known == SORT:
        raise QueryError(f"sort: is followed by what to sort by, such as {SORT_EXAMPLE}.")
    if known == NICE:
        raise QueryError(_nice_needs_brackets(key))
    qualifier = TABLE[known]
    if not bound:
        raise QueryError(lacks_value(key, comparison))
    if comparison == "=" and qualifier.takes_text:
        return valued(key, bound)
    part = Qualified(known, "", *_read(known, comparison, bound))
    qualifier.check(part, qualifier.example)
    return part


def scored(key: str, value: str, comparison: str, bound: str) -> Qualified | Order:
    """``key:value>=bound`` read, which only scores have. Raises QueryError."""
    known = _canonical(key, f"{key}:{value}{comparison}{bound}")
    if not takes_score(known):
        example = _example(known)
        raise QueryError(f"Only a skill has a score to compare. Write {known} such as {example}.")
    part = Qualified(known, value, *_read(known, comparison, bound))
    TABLE[known].check(part, TABLE[known].example)
    return part


def lacks_value(key: str, sign: str) -> str:
    """The sentence for a qualifier that ends too early."""
    known = _canonical(key, f"{key}{sign}")
    example = _example(known)
    return f"{key}{sign.strip()} needs a value right behind it, such as {example}."


def _example(known: str) -> str:
    return {SORT: SORT_EXAMPLE, NICE: NICE_EXAMPLE}.get(known) or TABLE[known].example


def _nice_needs_brackets(key: str) -> str:
    return f"Behind {key}: stand conditions in brackets, such as {NICE_EXAMPLE}."


def nearest(key: str) -> str | None:
    """The key that was probably meant by an unknown one."""
    folded = key.casefold()
    names = {name: name for name in keys()}
    names |= {alias: each.key for each in TABLE.values() for alias in each.aliases}
    names |= dict.fromkeys(SORT_ALIASES, SORT) | dict.fromkeys(NICE_ALIASES, NICE)
    if len(folded) >= 2:
        begun = [names[name] for name in names if name.startswith(folded)]
        if len(set(begun)) == 1:
            return begun[0]
    reach = 1 if len(folded) <= 4 else 2
    distance, name = min((OSA.distance(folded, name), name) for name in names if len(name) > 2)
    return names[name] if distance <= reach and len(folded) > 2 else None


def takes_score(key: str) -> bool:
    """Whether a score may stand behind a value of this key."""
    known = _named(key)
    return known in TABLE and TABLE[known].takes_text and TABLE[known].takes_number


def _named(key: str) -> str | None:
    """The key that this is, or is another word for; None for an unknown one."""
    folded = key.casefold()
    if folded == SORT or folded in SORT_ALIASES:
        return SORT
    if folded == NICE or folded in NICE_ALIASES:
        return NICE
    return next((each.key for each in TABLE.values() if folded in (each.key, *each.aliases)), None)


def _canonical(key: str, literal: str) -> str:
    known = _named(key)
    if known is not None:
        return known
    as_words = f'To search for exactly what you typed, put it in quotes: "{literal}".'
    if guess := nearest(key):
        rest = literal[len(key) :].lstrip()
        raise QueryError(f"I do not know “{key}”. Did you mean {guess}{rest}? {as_words}")
    if regex.fullmatch(r"\s*[<>=]+(?:10|[0-9])", literal[len(key) :]):
        raise QueryError(
            f"I do not know “{key}”. To ask for a skill's score, write "
            f"skill:{key}{literal[len(key) :]}. {as_words}"
        )
    raise QueryError(f"I do not know “{key}”. I know {', '.join(keys())}. {as_words}")


def _order(value: str) -> Order:
    key = value.removeprefix("-").casefold()
    sortings = {each.key for each in SORTINGS}
    if key in sortings:
        return Order(key, descending=value.startswith("-"))
    raise QueryError(
        f"I cannot sort by “{value}”. I can sort by {', '.join(sorted(sortings))}, "
        f"such as {SORT_EXAMPLE}."
    )
