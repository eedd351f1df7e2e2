"""Ranges such as ``3..8``: a bound of two ends, both of which count.

A range stands where ``=`` compares (``years:3..8``, ``skill:cuda=3..8``). One with an end
left open is a comparison: ``3..`` and ``3+`` are ``>=3``, ``..8`` is ``<=8``.
"""

from typing import Final

import regex

BETWEEN: Final = ".."
_HYPHENATED: Final = regex.compile(r"(\d{1,3})\s*[-‐-―]\s*(\d{1,3})")
_AT_LEAST: Final = regex.compile(r"(\d{1,3})\+")


def read(comparison: str, bound: str, *, numbers: bool = True) -> tuple[str, str]:
    """A comparison and its bound as they are kept; ``numbers`` may be joined by a hyphen too.

    >>> read("=", "3-8"), read("=", "3.."), read("=", "..8"), read("=", "3+"), read(">", "3")
    (('=', '3..8'), ('>=', '3'), ('<=', '8'), ('>=', '3'), ('>', '3'))
    """
    if comparison != "=":
        return comparison, bound
    if numbers and (found := _HYPHENATED.fullmatch(bound)):
        return "=", f"{found[1]}{BETWEEN}{found[2]}"
    if numbers and (found := _AT_LEAST.fullmatch(bound)):
        return ">=", found[1]
    low, between, high = bound.partition(BETWEEN)
    if between and low and not high:
        return ">=", low
    if between and high and not low:
        return "<=", high
    return "=", bound


def ends(bound: str) -> tuple[str, str]:
    """The two ends of a bound, which are the same where it is no range.

    >>> ends("3..8"), ends("8")
    (('3', '8'), ('8', '8'))
    """
    low, between, high = bound.partition(BETWEEN)
    return (low, high) if between else (bound, bound)


def is_range(bound: str) -> bool:
    """Whether there are two ends."""
    return BETWEEN in bound
