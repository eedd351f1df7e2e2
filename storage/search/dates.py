"""Days, months and years as a person types them, and as they are told.

Which day an instant falls on depends on where one stands: ``now`` carries the zone of
whoever asks, and days, months and years are that zone's.
"""

from datetime import UTC, date, datetime, timedelta, tzinfo

import regex

from storage.search import ranges
from storage.search.tree import QueryError

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_YEAR = regex.compile(r"\d{4}")
_EPOCH = datetime(2000, 1, 3, tzinfo=UTC)


def span(text: str, now: datetime | None) -> tuple[datetime, datetime]:
    """The stretch of time that ``text`` names, from its first instant up to the next one's.

    ``2026-11-01``, ``2026-11`` or ``2026``; ``today`` and ``yesterday``; ``7d`` and ``2w`` reach
    from so many days or weeks back to the end of today. Days begin and end at midnight in the
    zone of ``now``; the instants are in UTC. ``2026-01..2026-03`` reaches from the first instant
    of the one to the last of the other. Raises QueryError for anything else. ``now`` None only
    checks the form.

    >>> [day.isoformat()[:10] for day in span("2026-02", None)]
    ['2026-02-01', '2026-03-01']
    >>> from zoneinfo import ZoneInfo
    >>> tokyo = datetime(2026, 12, 3, tzinfo=ZoneInfo("Asia/Tokyo"))
    >>> [f"{at:%d %H:%M}" for at in span("today", tokyo)]
    ['02 15:00', '03 15:00']
    """
    first, last = ranges.ends(text)
    start, end = _local_span(first, now or _EPOCH)
    if last != first:
        begin, end = _local_span(last, now or _EPOCH)
        if begin < start and _YEAR.match(first) and _YEAR.match(last):
            raise QueryError(
                f"“{text}” ends before it begins: write the earlier day first, {last}..{first}."
            )
    return _in_utc(start), _in_utc(end)


def _local_span(text: str, now: datetime) -> tuple[datetime, datetime]:
    today = now.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
    day = timedelta(days=1)
    said = text.casefold()
    if said == "today":
        return today, today + day
    if said == "yesterday":
        return today - day, today
    if back := regex.fullmatch(r"(\d{1,3})([dw])", said):
        return today - day * int(back[1]) * (7 if back[2] == "w" else 1), today + day
    try:
        return _calendar(said, now.tzinfo)
    except (ValueError, OverflowError) as error:
        raise QueryError(
            f"“{text}” is not a date: write a day, month or year, such as added>=2026-11-01, "
            "added:2026-11 or added>=7d."
        ) from error


def _in_utc(local: datetime) -> datetime:
    """The instant; the first day of all may have begun before there is a date for it in UTC."""
    try:
        return local.astimezone(UTC)
    except OverflowError:
        return local.replace(tzinfo=UTC)


def told_on(at: datetime, now: datetime | None) -> str:
    """The day of an instant, ``Thu 3 Dec``, in the zone of ``now``; in its own without one.

    >>> from zoneinfo import ZoneInfo
    >>> late = datetime(2026, 12, 3, 23, 30, tzinfo=UTC)
    >>> told_on(late, late), told_on(late, late.astimezone(ZoneInfo("Europe/Berlin")))
    ('Thu 3 Dec', 'Fri 4 Dec')
    """
    if now is None:
        return told_day(at.date(), None)
    return told_day(at.astimezone(now.tzinfo).date(), now.year)


def told_day(day: date, this_year: int | None) -> str:
    """``Thu 3 Dec``, with its year when that is not this one.

    >>> told_day(date(2026, 12, 3), 2026), told_day(date(2025, 12, 3), 2026)
    ('Thu 3 Dec', 'Wed 3 Dec 2025')
    """
    year = "" if day.year == this_year else f" {day.year}"
    return f"{WEEKDAYS[day.weekday()]} {day.day} {MONTHS[day.month - 1]}{year}"


def told(text: str) -> str:
    """A day, month or year as it was typed, in the words that days are told in.

    >>> told("2026-11-01"), told("2026-11"), told("2026"), told("today")
    ('Sun 1 Nov 2026', 'Nov 2026', '2026', 'today')
    """
    try:
        start, _ = _calendar(text, UTC)
    except (ValueError, OverflowError):
        return text
    month = f"{MONTHS[start.month - 1]} {start.year}"
    return (text, month, told_day(start.date(), None))[text.count("-")]


def _calendar(text: str, zone: tzinfo | None) -> tuple[datetime, datetime]:
    found = regex.fullmatch(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?", text, regex.ASCII)
    if not found:
        raise ValueError(text)
    year, month, day = (int(part) if part else None for part in found.groups())
    start = datetime(year or 0, month or 1, day or 1, tzinfo=zone)
    if day:
        return start, start + timedelta(days=1)
    if month:
        return start, (start + timedelta(days=32)).replace(day=1)
    return start, start.replace(year=start.year + 1)
