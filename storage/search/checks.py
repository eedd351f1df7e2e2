"""What a condition may say: each check raises QueryError for what can never be meant.

``example`` is the qualifier's own, for the sentence.
"""

from typing import Final

import regex

from storage.search import ranges
from storage.search.dates import span
from storage.search.folding import tokens
from storage.search.holdings import holding as holding_meant
from storage.search.skills import LANGUAGES, skill_key
from storage.search.tree import Qualified, QueryError, quoted

_LARGEST: Final = 999


def text(part: Qualified, example: str) -> None:
    if part.comparison:
        raise QueryError(f"{part.key}: is followed by a name, such as {example}.")
    if not tokens(part.value):
        raise QueryError(_needs_value(part, example))


def skill(part: Qualified, example: str) -> None:
    if not part.value:
        raise QueryError(
            f"{part.key}{part.comparison}{part.bound} does not say which skill: "
            f"write skill:cuda{part.comparison}{part.bound}."
        )
    if not skill_key(part.value):
        raise QueryError(_needs_value(part, example))
    if part.comparison and not _is_number(part, digits=2, most=10):
        raise QueryError(
            f"“{part.bound}” is not a score: scores are whole numbers from 0 to 10, "
            f"such as skill:{quoted(part.value)}>=9 or skill:{quoted(part.value)}=3..8."
        )
    _ascends(part)


def number(part: Qualified, example: str) -> None:
    if not _is_number(part, digits=3, most=_LARGEST):
        raise QueryError(
            f"“{part.bound}” is not a number of years: {part.key} takes whole years from 0 "
            f"to {_LARGEST}, such as {example} or {part.key}:3..8."
        )
    _ascends(part)


def _is_number(part: Qualified, *, digits: int, most: int) -> bool:
    """Whether the bound is a whole number up to ``most``, or a range where ``=`` does."""
    ends_ = ranges.ends(part.bound)
    if ranges.is_range(part.bound) and part.comparison != "=":
        return False
    return all(
        regex.fullmatch(rf"\d{{1,{digits}}}", end, regex.ASCII) and int(end) <= most
        for end in ends_
    )


def _ascends(part: Qualified) -> None:
    if not part.bound:
        return
    low, high = ranges.ends(part.bound)
    if int(low) > int(high):
        turned = Qualified(part.key, part.value, "=", f"{high}{ranges.BETWEEN}{low}")
        raise QueryError(f"A range goes from the lower to the higher number: write {turned}.")


def language(part: Qualified, example: str) -> None:
    text(part, example)
    if skill_key(part.value) not in LANGUAGES:
        raise QueryError(
            f"“{part.value}” is no programming language that I know: "
            f"write skill:{quoted(part.value)} or topic:{quoted(part.value)}."
        )


def topic(part: Qualified, example: str) -> None:
    text(part, example)
    if not skill_key(part.value):
        raise QueryError(_needs_value(part, example))


def holding(part: Qualified, example: str) -> None:
    text(part, example)
    holding_meant(part.value)


def date(part: Qualified, example: str) -> None:  # noqa: ARG001 - as all of them
    if ranges.is_range(part.bound) and part.comparison != "=":
        first, _ = ranges.ends(part.bound)
        raise QueryError(
            f"{part} compares with two days: write {part.key}:{part.bound}, or "
            f"{part.key}{part.comparison}{first}."
        )
    span(part.bound, None)


def _needs_value(part: Qualified, example: str) -> str:
    return f"{part.key}: needs a value right behind it, such as {example}."
