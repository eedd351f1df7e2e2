"""Days as people say them: ``since monday``, ``new cuda people this week``, ``changed last month``.

What stands on a page has no such days; they are those on which a person was added here or
was last changed, so only a text that says so (*new*, *added*, *changed*) is read by them.
"""

from datetime import UTC, date, datetime, timedelta
from typing import Final

import regex

from storage.places import is_place
from storage.search.dates import span
from storage.search.tree import Qualified, QueryError

_FLAGS: Final = regex.IGNORECASE | regex.VERBOSE
_SPELT: Final = dict(
    zip(
        "one two three four five six seven eight nine ten".split(),  # noqa: SIM905 - read as spoken
        range(1, 11),
        strict=True,
    )
) | {"a": 1, "an": 1, "couple of": 2}
_BACK: Final = regex.compile(
    r"(?:(?:in|for|within|since) )?(?:the )?(?:(?:last|past) )?"
    rf"(?:(?P<number>[1-9]\d{{0,2}}|{'|'.join(_SPELT)}) )?"
    r"(?P<unit>day|week|month|year)s?(?: ago)?"
)
_SAID: Final = {
    **dict.fromkeys(("", "here", "this week"), 7),
    **dict.fromkeys(("today", "since today"), 0),
    **dict.fromkeys(("yesterday", "since yesterday"), 1),
}
_UNITS: Final = {"day": 1, "week": 7, "month": 30, "year": 365}
_WEEKDAYS: Final = (
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
)  # fmt: skip
_MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
NEW: Final = 7
"""Days during which somebody is new, as for the command of that name."""
_MOST_DAYS: Final = 999

_STRETCH: Final = rf"""(?:
    (?:(?:in|within|over|during|from)\ )?(?:the\ )?(?:last|past)
      \ (?:(?:[1-9]\d{{0,2}}|{"|".join(_SPELT)})\ )?(?:day|week|month|year)s?
    |(?:[1-9]\d{{0,2}}|{"|".join(_SPELT)})\ (?:day|week|month|year)s?\ ago
    |this\ (?:week|month|year)
    |(?:since\ )?(?:today|yesterday)
    |since\ (?:last\ )?(?:{"|".join(_WEEKDAYS)}|week|month|year)
    |on\ (?:{"|".join(_WEEKDAYS)})
    |(?:since|in|during)\ (?:last\ )?(?:{"|".join(_MONTHS)})(?:\ \d{{4}})?
    |(?:since|on|in)\ (?:19|20)\d\d(?:-\d\d?(?:-\d\d?)?)?
    )(?![\w-])"""
_VERB: Final = (
    r"(?P<verb>new(?:ly)?(?:\ added)?|(?:(?:was|were|got)\ )?(?:re)?added|changed|updated)"
)
_BESIDE: Final = regex.compile(
    rf"(?<![\w-]){_VERB}(?:\ (?:here|to\ the\ list))?\ (?P<stretch>{_STRETCH})", _FLAGS
)
_APART: Final = regex.compile(
    rf"(?<![\w-]){_VERB}(?=[\ ,])(?P<between>.*?)[\ ,](?P<stretch>{_STRETCH})", _FLAGS
)
_NEW: Final = regex.compile(
    r"(?<![\w-])(?:(?:brand\ )?new(?:ly\ added)?|newest)\ (?P<next>\w+)", _FLAGS
)
_LED_TO: Final = regex.compile(
    r"\b(?:in|at|from|near|around|on|with|of|the|an?)\s+$", regex.IGNORECASE
)


def marked_days(text: str, now: datetime, marks: list[Qualified]) -> str:
    """The text with a mark for the days it asks for, as ``years_said.marked_years`` makes them.

    >>> marks: list[Qualified] = []
    >>> marked_days("new cuda people this week", datetime(2026, 12, 1, tzinfo=UTC), marks)
    ' cuda people \\x000\\x00 '
    >>> [str(each) for each in marks]
    ['added>=7d']
    """
    for pattern in (_BESIDE, _APART):
        found = pattern.search(text)
        part = found and _condition(found["verb"], found["stretch"], now)
        if found and part:
            marks.append(part)
            between = found.groupdict().get("between") or ""
            marked = f"{between} \0{len(marks) - 1}\0 "
            return text[: found.start()] + marked + text[found.end() :]
    found = _NEW.search(text)
    if found is None or is_place(f"new {found['next']}") or _LED_TO.search(text[: found.start()]):
        return text
    marks.append(Qualified("added", "", ">=", f"{NEW}d"))
    return f"{text[: found.start()]} \0{len(marks) - 1}\0 {text[found.start('next') :]}"


def says_days(text: str) -> bool:
    """Whether days of the record are asked for, with a word that says so.

    >>> says_days("cuda people added since monday"), says_days("engineers in New York")
    (True, False)
    """
    return "\0" in marked_days(text.replace("\0", " "), datetime(2000, 1, 3, tzinfo=UTC), [])


def _condition(verb: str, stretch: str, now: datetime) -> Qualified | None:
    """What was said as a condition; None for what is no date."""
    key = "changed" if verb.lower() in {"changed", "updated"} else "added"
    comparison, bound = _days(" ".join(stretch.lower().split()), now)
    try:
        span(bound, None)
    except QueryError:
        return None
    return Qualified(key, "", comparison, bound)


def _days(said: str, now: datetime) -> tuple[str, str]:
    """A stretch of time as the language writes it: (comparison, bound)."""
    first, _, rest = said.partition(" ")
    today = now.date()
    last_month = today.replace(day=1) - timedelta(days=1)
    calendar = {
        "today": "today",
        "yesterday": "yesterday",
        "this month": f"{today:%Y-%m}",
        "this year": f"{today:%Y}",
        "last month": f"{last_month:%Y-%m}",
        "last year": str(today.year - 1),
    }
    if bound := calendar.get(said) or (rest if rest[:4].isdigit() else _month(rest, today)):
        return ">=" if first == "since" else "=", bound
    back = min(days_back(said.removeprefix("on "), now) or NEW, _MOST_DAYS)
    day = (today - timedelta(days=back)).isoformat()
    if first == "on":
        return "=", day
    return ">=", day if first == "since" else f"{back}d"


def _month(said: str, today: date) -> str:
    """``november`` or ``november 2025`` as ``2025-11``: without a year the last that began."""
    name, _, year = said.removeprefix("last ").partition(" ")
    if name not in _MONTHS:
        return ""
    number = _MONTHS.index(name) + 1
    return f"{int(year) if year else today.year - (number > today.month)}-{number:02}"


def days_back(text: str, now: datetime) -> int | None:
    """The days of ``two weeks``, ``yesterday``, ``since monday``; 7 for nothing, None for others.

    >>> noon = datetime(2026, 12, 3, 12)
    >>> [days_back(each, noon) for each in ("", "30 days", "two weeks", "since monday", "york")]
    [7, 30, 14, 3, None]
    """
    said = regex.sub(r"^(?:people|candidates|ones|additions|here)(?= |$) ?", "", text.lower())
    if said in _SAID:
        return _SAID[said]
    if said in {"this month", "this year"}:
        return now.day - 1 if said == "this month" else now.timetuple().tm_yday - 1
    day = said.removeprefix("since ").removeprefix("last ")
    if day in _WEEKDAYS:
        return (now.weekday() - _WEEKDAYS.index(day)) % 7 or 7
    found = _BACK.fullmatch(said)
    if found is None:
        return None
    number = found["number"] or "1"
    return _UNITS[found["unit"]] * (_SPELT.get(number) or int(number))
