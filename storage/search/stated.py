"""What a page says for itself whatever is asked: how lately its work is dated, how much it states.

Two factors of ``ranking``, so small that they put in order only whom the question leaves equal.

============  ======  ==========================================================================
factor        value   of whom
============  ======  ==========================================================================
recency       1.001   the latest dated contribution is at most ``RECENT`` months old
\\             1.0005  it is at most ``OLD`` months old; also where nothing is dated, since that is
                      no fact about the work
\\             1       it is older
completeness  1.0004  title, company, place and years of coding are stated; 1/10000 for each
============  ======  ==========================================================================

Schools, badges, followers and the name are not among them. Which company, which place and how
many years count nothing.
"""

from collections.abc import Callable, Sequence
from datetime import date, datetime
from itertools import groupby
from typing import Final

import numpy as np

from storage.records import Profile
from storage.search.lookup import Docs, Lookup, Numbers

RECENT: Final = 12
OLD: Final = 36
"""Months."""
RECENTLY: Final = 1.001
BETWEEN: Final = 1.0005
EACH: Final = 1 / 10_000

_STATED: Final[dict[str, Callable[[Profile], object]]] = {
    "title": lambda profile: profile.title,
    "company": lambda profile: profile.company,
    "place": lambda profile: profile.location and profile.location.city,
    "years": lambda profile: profile.years_coding is not None,
}
"""What completeness counts, as a reason calls it, and whether a profile states it."""


def recency(look: Lookup, docs: Docs, now: datetime) -> Numbers:
    """The factor for the latest dated contribution of each of these profiles."""
    age = _months(now) - look.numbers("newest_fact")[docs]
    factor = np.where(age <= RECENT, RECENTLY, 1.0)
    return np.where((age > RECENT) & (age <= OLD) | np.isnan(age), BETWEEN, factor)


def completeness(look: Lookup, docs: Docs) -> Numbers:
    """The factor for how much each of these profiles states."""
    stated = (~np.isnan(look.numbers("years_coding")[docs])).astype(np.float64)
    for kind in ("title", "company", "city"):
        stated += look.beginning(kind, "")[docs]
    return 1.0 + stated * EACH


def recency_of(profile: Profile, now: datetime) -> float:
    """``recency`` of one profile."""
    newest = profile.newest_fact
    if newest is None:
        return BETWEEN
    age = _months(now) - (int(newest[:4]) * 12 + int(newest[5:7]))
    return RECENTLY if age <= RECENT else BETWEEN if age <= OLD else 1.0


def completeness_of(profile: Profile) -> float:
    """``completeness`` of one profile."""
    return 1.0 + (len(_STATED) - len(_missing(profile))) * EACH


def moved(
    profiles: Sequence[Profile], asked: Sequence[float], now: datetime
) -> list[tuple[str, ...]]:
    """For each of these, who stand in their order, what put it before or behind its equals.

    ``asked`` is how well each answers the question; neighbours of one value are equals.
    """
    told: list[tuple[str, ...]] = []
    for _value, group in groupby(range(len(profiles)), key=lambda at: round(asked[at], 9)):
        equals = [profiles[at] for at in group]
        by_date = len({recency_of(each, now) for each in equals}) > 1
        by_amount = len({completeness_of(each) for each in equals}) > 1
        told += [
            (*([_dated(each)] if by_date else ()), *([_states(each)] if by_amount else ()))
            for each in equals
        ]
    return told


def _dated(profile: Profile) -> str:
    newest = profile.newest_fact
    if newest is None:
        return "no dated work"
    return f"latest dated work {date(int(newest[:4]), int(newest[5:7]), 1):%b %Y}"


def _states(profile: Profile) -> str:
    missing = _missing(profile)
    return f"page states no {', no '.join(missing)}" if missing else "page states all basics"


def _missing(profile: Profile) -> list[str]:
    return [name for name, stated in _STATED.items() if not stated(profile)]


def _months(now: datetime) -> int:
    return now.year * 12 + now.month
