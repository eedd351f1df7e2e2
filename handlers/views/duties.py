"""What is due by law: whom to tell that they are stored, whose time ends."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from handlers.views.card_setting import Setting
from handlers.views.dates import day
from handlers.views.message import Actions, Button, Context, Message, Part, Section, compose
from handlers.views.text import Bold, Code, Line, line
from storage.retention import Duties, Duty, NoticeState

INFORMED, EXEMPT = "candidate.informed", "candidate.exempt"
WHY: Final = (
    "Who is stored without having given the data has to be told within a month (GDPR Art. 14). "
    "What to say, and when nobody need be told: docs/privacy.md."
)
PAGE, PAGES = 10, "candidate.duties"


def duties_message(
    duties: Duties, setting: Setting, *, months: int, offset: int = 0, plain_only: bool = False
) -> Message:
    """Counts, then people to tell with a button each, then people whose time ends."""
    parts: list[Part] = [Section([line(Bold("Duties")), *_counts(duties)])]
    for duty in duties.to_tell:
        late = duty.due_at < setting.now
        due = day(duty.due_at, now=setting.now, zone=setting.zone)
        parts.append(
            Section(
                [
                    line(
                        Bold(duty.name), f" · to be told by {due}", " (overdue)" if late else None
                    ),
                    line("id ", Code(duty.candidate_id)),
                ]
            )
        )
        if not plain_only:
            parts.append(Actions(_buttons(duty, offset)))
    total = duties.counts[NoticeState.DUE] + duties.counts[NoticeState.OVERDUE]
    parts.append(Actions(_pages(total, offset)))
    parts += _endings(duties, setting, months)
    parts.append(
        Context(
            [
                WHY,
            ]
        )
    )
    return compose(parts, text="Duties")


def weekly(duties: Duties, *, months: int) -> str | None:
    """The weekly line for admins, in numbers only; None when nothing is due."""
    due, overdue = duties.counts[NoticeState.DUE], duties.counts[NoticeState.OVERDUE]
    told = []
    if due or overdue:
        told.append(f"{_people(due + overdue)} to be told that they are stored, {overdue} overdue")
    if months and duties.ending_total:
        told.append(f"the time of {_people(duties.ending_total)} ends within a month")
    if duties.hidden_total:
        told.append(f"{_people(duties.hidden_total)} hidden, erased within 30 days")
    if not told:
        return None
    return f"This week: {'; '.join(told)}. `/candidate duties` lists them."


def _counts(duties: Duties) -> list[Line]:
    counts = duties.counts
    return [
        line(
            f"{_people(counts[NoticeState.OVERDUE])} overdue, "
            f"{counts[NoticeState.DUE]:,} due, {counts[NoticeState.INFORMED]:,} informed, "
            f"{counts[NoticeState.EXEMPT]:,} exempt"
        )
    ]


def _buttons(duty: Duty, offset: int) -> list[Button]:
    return [
        Button(
            text=text,
            action=f"{action}.{duty.candidate_id}",
            value=f"{duty.candidate_id} {offset}",
        )
        for text, action in (("Informed", INFORMED), ("Exempt", EXEMPT))
    ]


def _pages(total: int, offset: int) -> list[Button]:
    there = (("Previous", offset - PAGE), ("Next", offset + PAGE))
    return [
        Button(text=text, action=f"{PAGES}.{text.lower()}", value=str(to))
        for text, to in there
        if 0 <= to < total and to != offset
    ]


def _endings(duties: Duties, setting: Setting, months: int) -> list[Part]:
    if not months:
        return [Section(["RETENTION_MONTHS is 0: nobody's time ends by itself."])]
    parts: list[Part] = []
    for what, shown, total in (
        ("Hidden within a month unless contacted", duties.ending, duties.ending_total),
        ("Hidden, and erased on", duties.hidden, duties.hidden_total),
    ):
        if shown:
            parts.append(Section([line(Bold(f"{what} ({total:,})")), *_listed(shown, setting)]))
    return parts


def _listed(shown: Sequence[Duty], setting: Setting) -> list[Line]:
    return [
        line(
            f"• {day(each.due_at, now=setting.now, zone=setting.zone)}: ",
            each.name,
            " · ",
            Code(each.candidate_id),
        )
        for each in shown
    ]


def _people(number: int) -> str:
    return "1 person" if number == 1 else f"{number:,} people"


def week_of(now: datetime) -> str:
    """``2026-W49``: the week that a line is for."""
    year, week, _ = now.astimezone(UTC).isocalendar()
    return f"{year}-W{week:02}"


EVERY: Final = "duties"
"""The key of the weekly alarm begins so."""
