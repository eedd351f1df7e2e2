"""When a digest comes: what people type, and the instants that it means.

What can be typed, in any order up to ``for``::

    weekly monday 09:00 Europe/Berlin in #hiring for skill:cuda
    daily 08:30                 weekdays 9am              weekends noon
    mondays 09:00               weekly mon 9am            every tue and thu at 17:00

A day left out is Monday, a time left out is 09:00. ``parse_schedule`` raises
``RecurrenceError`` with a sentence that holds the nearest form that works.

A slot has a local date, a local time and a zone, and exactly one instant: **the
first at which the zone's clock shows that time or a later one of that date or
after**. From this follow the cases that surprise:

- a time that the clock skips (02:30 when it jumps from 02:00 to 03:00) means
  the first instant after the jump;
- a time that the clock shows twice means its first pass;
- a date that a zone skips whole (Pacific/Apia had no 30 December 2011) has its
  slot at the first instant after it, so a digest of that weekday is not lost.

So each date has one slot, and slots never run backwards: two are equal only
after a date that a zone skipped, for a digest at midnight.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, Self
from zoneinfo import ZoneInfo

from bot.zones import closest, nearest_zone, zone_named
from storage.errors import BotError, quoted
from storage.records import Subscription

DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
EVERY_DAY: Final = (1, 2, 3, 4, 5, 6, 7)
WORKING_DAYS: Final = (1, 2, 3, 4, 5)
WEEKEND: Final = (6, 7)
EXAMPLE: Final = "weekly monday 09:00"
LONGEST: Final = 300
"""Characters before ``for``; a text that is longer is no schedule."""
_PERIODS: Final = ("daily", "weekdays", "weekends", "weekly")


class RecurrenceError(BotError):
    """A schedule that cannot be read; the sentence holds the nearest one that can."""


@dataclass(frozen=True, slots=True, order=True)
class Slot:
    """One date of a recurrence: its instant in UTC and its local date ``YYYY-MM-DD``."""

    due_at: datetime
    day: str


@dataclass(frozen=True, slots=True)
class Recurrence:
    """Weekdays (ISO, Monday 1) at a local time in an IANA zone."""

    weekdays: tuple[int, ...]
    hour: int
    minute: int
    timezone: str

    @classmethod
    def of(cls, subscription: Subscription) -> Self:
        """When this subscription comes."""
        return cls(
            subscription.weekdays, subscription.hour, subscription.minute, subscription.timezone
        )

    def __str__(self) -> str:
        """What to type for it; ``parse_schedule`` reads it back."""
        return f"{self.typed} {self.timezone}"

    @property
    def typed(self) -> str:
        """The same without its zone: ``weekly monday 09:00``."""
        return f"{self.days} {self.clock}"

    @property
    def zone(self) -> ZoneInfo:
        """Raises RecurrenceError for one that this machine does not know."""
        try:
            return ZoneInfo(self.timezone)
        except (KeyError, ValueError, OSError) as error:
            raise RecurrenceError(
                f"The digest's time zone {quoted(self.timezone)} is not known here: "
                "stop it or subscribe again with another one."
            ) from error

    @property
    def clock(self) -> str:
        return f"{self.hour:02d}:{self.minute:02d}"

    @property
    def days(self) -> str:
        """``daily``, ``weekdays``, ``weekends`` or ``weekly monday and thursday``."""
        named = {EVERY_DAY: "daily", WORKING_DAYS: "weekdays", WEEKEND: "weekends"}
        if self.weekdays in named:
            return named[self.weekdays]
        return "weekly " + " and ".join(DAYS[day - 1] for day in self.weekdays)

    @property
    def english(self) -> str:
        """``every Monday at 09:00 (Europe/Berlin)``."""
        named = {EVERY_DAY: "day", WORKING_DAYS: "weekday", WEEKEND: "weekend day"}
        days = named.get(self.weekdays) or " and ".join(
            DAYS[day - 1].capitalize() for day in self.weekdays
        )
        return f"every {days} at {self.clock} ({self.timezone})"

    @property
    def period(self) -> timedelta:
        """The longest time between two slots, in whole days: 7 weekly, 1 daily, 3 on weekdays."""
        following = (*self.weekdays[1:], self.weekdays[0] + 7)
        pairs = zip(self.weekdays, following, strict=True)
        return timedelta(days=max(later - day for day, later in pairs))

    def instant(self, day: date) -> datetime:
        """The slot of this date in UTC, whatever its weekday."""
        zone = self.zone
        wanted = datetime.combine(day, time(self.hour, self.minute))
        found = wanted.replace(tzinfo=zone).astimezone(UTC)
        if found.astimezone(zone).replace(tzinfo=None) == wanted:
            return found  # fold=0: of two passes the first
        # In a gap fold=0 counts with the offset before the jump and fold=1 with the one after:
        # the jump lies between the two.
        earlier = wanted.replace(tzinfo=zone, fold=1).astimezone(UTC)
        while found - earlier > timedelta(seconds=1):
            middle = earlier + timedelta(seconds=(found - earlier) // timedelta(seconds=2))
            if middle.astimezone(zone).replace(tzinfo=None) > wanted:
                found = middle
            else:
                earlier = middle
        return found

    def after(self, moment: datetime) -> Iterator[Slot]:
        """The slots later than ``moment`` (aware), in order; ends with the calendar."""
        # Two days back: a zone may skip a whole date, and its slot then lies on the next.
        day = moment.astimezone(self.zone).date() - timedelta(days=2)
        while day < date.max - timedelta(days=2):
            if day.isoweekday() in self.weekdays:
                due = self.instant(day)
                if due > moment:
                    yield Slot(due, day.isoformat())
            day += timedelta(days=1)

    def due(self, after: datetime, until: datetime) -> list[Slot]:
        """The slots later than ``after`` and not later than ``until``, in order."""
        found = []
        for slot in self.after(after):
            if slot.due_at > until:
                break
            found.append(slot)
        return found

    def coming(self, moment: datetime, count: int) -> list[Slot]:
        """The next ``count`` slots after ``moment``."""
        return [slot for slot, _ in zip(self.after(moment), range(count), strict=False)]


@dataclass(frozen=True, slots=True)
class Asked:
    """A schedule as typed. ``None`` means "not typed"; the query is kept as typed."""

    weekdays: tuple[int, ...]
    hour: int
    minute: int
    timezone: str | None
    channel: str | None
    query: str

    def recurrence(self, timezone: str) -> Recurrence:
        """With this zone where none was typed."""
        return Recurrence(self.weekdays, self.hour, self.minute, self.timezone or timezone)


_QUERY = re.compile(r"(?:^|\s)for(?:\s+(?P<query>.*))?$", re.IGNORECASE | re.DOTALL)
_CHANNEL = re.compile(
    r"(?:\b(?:in|to|into)\s+)?(?P<channel><#[A-Z0-9]+(?:\|[^>]*)?>|#[^\s,]+"
    r"|\b(?-i:[CDG](?=[A-Z]*\d)[A-Z0-9]{7,})\b)",  # the last: an id, as Slack itself writes it
    re.IGNORECASE,
)
_TIME = re.compile(
    r"(?<![\w:/+\-.])"
    r"(?:(?P<word>noon|midday|midnight)|(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d{1,3}))?"
    r"(?:\s*(?P<half>[ap])\.?m\.?)?|(?P<packed>\d{4}))"
    r"(?![\w:/])",
    re.IGNORECASE,
)
_FILLERS: Final = {"on", "at", "and", "every", "each", "the", "in", "o'clock", "weekly", "week"}
_WORDS: Final[dict[str, tuple[int, ...]]] = {
    "daily": EVERY_DAY,
    "day": EVERY_DAY,
    "days": EVERY_DAY,
    "weekday": WORKING_DAYS,
    "weekdays": WORKING_DAYS,
    "workday": WORKING_DAYS,
    "workdays": WORKING_DAYS,
    "weekend": WEEKEND,
    "weekends": WEEKEND,
}
_SHORT: Final = {
    "mon": 1, "tue": 2, "tues": 2, "wed": 3, "weds": 3, "thu": 4, "thur": 4, "thurs": 4,
    "fri": 5, "sat": 6, "sun": 7,
}  # fmt: skip
_OTHER_PERIODS: Final = {
    "hourly", "monthly", "month", "biweekly", "fortnightly", "yearly", "quarterly", "hour",
}  # fmt: skip


def parse_schedule(text: str) -> Asked:
    """Read a schedule. Raises RecurrenceError with the nearest form that works."""
    rest = text.strip()
    query = ""
    if found := _QUERY.search(rest):
        query = (found["query"] or "").strip()
        rest = rest[: found.start()]
        if not query:
            raise RecurrenceError(
                f"Nothing stands after “for”. Say whom the digest is for: "
                f"`{_tidy(rest) or EXAMPLE} for skill:cuda`."
            )
    if len(rest) > LONGEST:
        raise RecurrenceError(
            f"“{_tidy(rest)}” is too long to be a schedule. Nearest: `{EXAMPLE}`."
        )
    channel = None
    if found := _CHANNEL.search(rest):
        channel = found["channel"]
        rest = rest[: found.start()] + " " + rest[found.end() :]
        if second := _CHANNEL.search(rest):
            raise RecurrenceError(
                f"A digest goes to one channel, and there are two: {quoted(channel)} and "
                f"{quoted(second['channel'])}. Type it once for each."
            )
    hour, minute, rest = _read_time(rest)
    weekdays, left = _read_days(rest)
    if not weekdays:
        weekdays = (1,)
    zone = None
    if left:
        typed = " ".join(left)
        if zone_named(typed) is None and re.search(rf"\bin\s+{re.escape(left[0])}\b", rest):
            raise RecurrenceError(
                f"“{quoted(typed)}” is neither a time zone nor a #channel. A channel starts with "
                f"#: `{Recurrence(weekdays, hour, minute, '').typed} in "
                f"#{quoted('-'.join(left).lower())}`."
            )
        behind = (f" in {channel}" if channel else "") + (f" for {quoted(query)}" if query else "")
        zone = _read_zone(left, Recurrence(weekdays, hour, minute, ""), behind)
    return Asked(weekdays, hour, minute, zone, channel, query)


def is_schedule(text: str) -> bool:
    """Whether a text names a day, a period or a time of day before ``for``, right or wrong."""
    found = _QUERY.search(text)
    head = text[: found.start()] if found else text
    words = [word.lower().rstrip(".:") for word in re.split(r"[\s,;&]+", head) if word]
    known = {"weekly", "every", "each"} | _OTHER_PERIODS
    if any(word in known or _day(word) for word in words) or _TIME.search(head):
        return True
    return bool(words) and closest(words[0], (*DAYS, "daily", "weekdays", "weekly"))[1] >= 80


def _read_time(text: str) -> tuple[int, int, str]:
    """The time in the text (09:00 when there is none), and the text without it."""
    times = list(_TIME.finditer(text))
    if not times:
        return 9, 0, text
    found = times[0]
    rest = text[: found.start()] + " " + text[found.end() :]
    if len(times) > 1:
        first, second = (time.group().strip() for time in times[:2])
        raise RecurrenceError(
            f"A digest comes at one time of day, and there are two: {first} and {second}. "
            f"Type one of them: `{_tidy(text[: times[1].start()] + text[times[1].end() :])}`."
        )
    if word := found["word"]:
        return (0 if word.lower() == "midnight" else 12), 0, rest
    if packed := found["packed"]:
        hour, minute = int(packed[:2]), int(packed[2:])
    else:
        hour, minute = int(found["hour"]), int(found["minute"] or 0)
        if found["minute"] and len(found["minute"]) != 2:
            raise _bad_time(text, found, hour, minute)
    if half := found["half"]:
        if not 1 <= hour <= 12:
            raise _bad_time(text, found, hour, minute)
        hour = hour % 12 + (12 if half.lower() == "p" else 0)
    if hour > 23 or minute > 59:
        raise _bad_time(text, found, hour, minute)
    return hour, minute, rest


def _bad_time(text: str, found: re.Match[str], hour: int, minute: int) -> RecurrenceError:
    near = f"{0 if hour == 24 else min(hour, 23):02d}:{min(minute, 59):02d}"
    typed = text[: found.start()] + near + text[found.end() :]
    return RecurrenceError(
        f"“{found.group().strip()}” is not a time of day (00:00 to 23:59). "
        f"Did you mean `{_tidy(typed)}`?"
    )


def _read_days(text: str) -> tuple[tuple[int, ...], list[str]]:
    """The weekdays in the text, sorted, and the words that are something else."""
    days: set[int] = set()
    left: list[str] = []
    for word in re.split(r"[\s,;&]+", text):
        name = word.lower().rstrip(".:")
        if not name or name in _FILLERS:
            continue
        if found := _day(name):
            days.update(found)
        elif name in _OTHER_PERIODS:
            raise RecurrenceError(
                f"A digest comes daily, on weekdays or weekly, not {name}. "
                f"Nearest: `{EXAMPLE}`, or several days: `weekly monday and thursday 09:00`."
            )
        else:
            left.append(word)
    return tuple(sorted(days)), left


def _day(name: str) -> tuple[int, ...]:
    if name in _WORDS:
        return _WORDS[name]
    singular = name.removesuffix("s")
    if singular in DAYS:
        return (DAYS.index(singular) + 1,)
    if name in _SHORT:
        return (_SHORT[name],)
    if found := re.fullmatch(r"(\w+)[-–](\w+)", name):
        ends = [_day(part) for part in found.groups()]
        if all(len(end) == 1 for end in ends) and ends[0] <= ends[1]:
            return tuple(range(ends[0][0], ends[1][0] + 1))
    return ()


def _read_zone(words: list[str], start: Recurrence, behind: str) -> str:
    """The zone that these words name, or the error that says what is near.

    ``start`` is what was read already, ``behind`` the channel and the question as typed.
    """
    typed = " ".join(words).strip("()[]")
    zone = zone_named(typed)
    if zone is not None:
        return zone
    day, closeness = closest(words[0].lower(), (*DAYS, *_PERIODS))
    if closeness >= 75 and "/" not in words[0]:
        near = start.days if day == "weekly" else day if day in _PERIODS else f"weekly {day}"
        rest = " ".join([start.clock, *filter(zone_named, [" ".join(words[1:])])])
        raise RecurrenceError(
            f"“{quoted(words[0])}” is not a day or a period. Did you mean `{near} {rest}{behind}`?"
        )
    if re.fullmatch(r"(utc|gmt)?[+-]\d{1,2}(:?\d{2})?", typed, re.IGNORECASE):
        raise RecurrenceError(
            f"“{typed}” is an offset, which knows no summer time. Name a city's zone instead: "
            f"`{start.typed} Europe/Berlin{behind}`."
        )
    raise RecurrenceError(
        f"“{quoted(typed)}” is neither a day, a time, a #channel nor a time zone. "
        f"Did you mean `{start.typed} {nearest_zone(typed)}{behind}`?"
    )


def _tidy(text: str) -> str:
    return quoted(" ".join(text.split()))
