"""Numbers, scores and dates of a condition in words."""

from typing import Final

import regex

from storage.places import country_named, country_of_code
from storage.search.dates import told
from storage.search.ranges import ends, is_range
from storage.search.skills import skill_key
from storage.search.tree import Qualified

_AMOUNTS: Final = {
    ">=": "{} or more",
    ">": "more than {}",
    "<=": "at most {}",
    "<": "fewer than {}",
    "=": "{}",
}
_SCORES: Final = {
    ">=": " at {} or more",
    ">": " above {}",
    "<=": " at {} or less",
    "<": " below {}",
    "=": " at {}",
    "": "",
}
_SINCE: Final = {
    ">=": "since {}",
    ">": "after {}",
    "<=": "until {}",
    "<": "before {}",
    "=": "in {}",
}
_UNITS: Final = {"d": "day", "w": "week"}


def skill_name(part: Qualified) -> str:
    """The skill as a sentence names it: a single letter is written large.

    >>> skill_name(Qualified("skill", "r")), skill_name(Qualified("skill", "cuda"))
    ('R', 'cuda')
    """
    return part.value.upper() if len(skill_key(part.value)) == 1 else part.value


def place(part: Qualified) -> str:
    """The place, with the country whose ISO code it is.

    >>> place(Qualified("location", "nl")), place(Qualified("location", "oslo"))
    ('nl (Netherlands)', 'oslo')
    """
    country = None if country_named(part.value) else country_of_code(part.value)
    return f"{part.value} ({country})" if country else part.value


def score(part: Qualified) -> str:
    """The compared score behind a skill's name, such as `` at 9 or more``; empty without one."""
    if is_range(part.bound):
        return f" at {_bound(part)}"
    return _SCORES[part.comparison].format(part.bound)


def years(part: Qualified, what: str) -> str:
    """``8 or more years coding``, for years of ``what``."""
    one = not is_range(part.bound) and int(part.bound) == 1 and part.comparison != ">="
    return f"{in_words(part)} {'year' if one else 'years'} {what}"


def when(part: Qualified) -> str:
    """When somebody was added, or a record changed.

    >>> [when(Qualified("added", "", sign, day)) for sign, day in (("=", "2026-11"), (">=", "7d"))]
    ['in Nov 2026', 'in the last 7 days']
    >>> when(Qualified("added", "", "=", "2026-10..2026-11-15"))
    'from Oct 2026 to Sun 15 Nov 2026'
    """
    if is_range(part.bound):
        first, last = ends(part.bound)
        return f"from {_back(first)} to {_back(last)}"
    said = part.bound.casefold()
    if back := regex.fullmatch(r"(\d+)([dw])", said):
        unit = _UNITS[back[2]]
        stretch = f"{back[1]} {unit}" if int(back[1]) == 1 else f"{back[1]} {unit}s"
        return {
            "<": f"more than {stretch} ago",
            "<=": "until today",
            ">": "after today",
        }.get(part.comparison, f"in the last {stretch}")
    if part.comparison != "=":
        return _SINCE[part.comparison].format(told(part.bound))
    if said in {"today", "yesterday"}:
        return said
    return f"on {told(said)}" if said.count("-") == 2 else f"in {told(said)}"


def in_words(part: Qualified) -> str:
    """What was asked of a number or a score, such as ``8 or more``."""
    return _AMOUNTS[part.comparison].format(_bound(part))


def _bound(part: Qualified) -> str:
    low, high = ends(part.bound)
    return low if low == high else f"{low} to {high}"


def _back(day: str) -> str:
    """An end of a stretch of time: ``7d`` is counted back from today."""
    if back := regex.fullmatch(r"(\d+)([dw])", day.casefold()):
        return f"{back[1]} {_UNITS[back[2]]}{'' if int(back[1]) == 1 else 's'} ago"
    return told(day.casefold())
