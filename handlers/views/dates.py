"""Days and months as people write them: ``Thu 3 Dec 09:00``, ``Mar–Jun 2019``."""

from datetime import datetime, tzinfo

from storage.records import Contribution
from storage.search.dates import MONTHS, told_on


def day(at: datetime, *, now: datetime, zone: tzinfo) -> str:
    """The local day, ``Thu 3 Dec``, with its year when that is not this one."""
    return told_on(at, now.astimezone(zone))


def moment(at: datetime, zone: tzinfo, *, now: datetime) -> str:
    """The local day and time: ``Thu 3 Dec 09:00``."""
    return f"{day(at, now=now, zone=zone)} {at.astimezone(zone):%H:%M}"


def month(text: str) -> str:
    """``"2022-11"`` → ``Nov 2022``.

    >>> month("2022-11")
    'Nov 2022'
    """
    year, _, number = text.partition("-")
    return f"{MONTHS[int(number) - 1]} {year}"


def period(contribution: Contribution) -> str:
    """``Mar–Jun 2019``, ``Nov 2022``, ``Nov 2021–Mar 2022``; empty when undated."""
    first, last = contribution.from_month, contribution.to_month
    if not first or not last or first == last:
        return month(first or last or "") if first or last else ""
    if first[:4] == last[:4]:
        return f"{month(first)[:3]}–{month(last)}"
    return f"{month(first)}–{month(last)}"
