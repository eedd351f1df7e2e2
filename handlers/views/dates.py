"""Days and months as people write them: ``3 Dec``, ``Mar–Jun 2019``."""

from datetime import datetime, tzinfo
from zoneinfo import ZoneInfo

from storage.records import Contribution

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def zone_of(name: str | None) -> tzinfo:
    """The zone of an IANA name; UTC when there is none or it is not one."""
    try:
        return ZoneInfo(name or "UTC")
    except (KeyError, ValueError, OSError):
        return ZoneInfo("UTC")


def day(moment: datetime, *, now: datetime, zone: tzinfo) -> str:
    """The local day, with its year when that is not this one."""
    local, today = moment.astimezone(zone), now.astimezone(zone)
    year = "" if local.year == today.year else f" {local.year}"
    return f"{local.day} {MONTHS[local.month - 1]}{year}"


def moment(at: datetime, *, now: datetime, zone: tzinfo) -> str:
    """The local day and minute: ``3 Dec 09:30``."""
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
