"""What is due by law: whom to tell that they are stored, whose time ends."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from handlers.views.card_setting import Setting
from handlers.views.dates import day
from handlers.views.message import Actions, Button, Context, Message, Part, Section, compose
from handlers.views.text import Bold, Code, Either, Line, line
from storage.retention import Duties, Duty, NoticeState

INFORMED, EXEMPT = "candidate.informed", "candidate.exempt"
WHY: Final = (
    "Whoever did not give us the data has to hear within a month that we store them (GDPR "
    "Art. 14). What to write, and who need not be told: docs/privacy.md, “The rights, one by one”."
)
HOW: Final = line(
    "Write to them, then press ", Bold("Informed"), "; press ", Bold("Exempt"),
    " for somebody who need not be told, such as who knows already.",
)  # fmt: skip
KEEP: Final = line(
    "Whoever gets in touch keeps them: ", Bold("I'm on it"), " on the card notes it."
)
KEEP_HIDDEN: Final = line("To keep one of them: ", Code("/candidate lift ID"))
PAGE, PAGES = 10, "candidate.duties"


def duties_message(duties: Duties, setting: Setting, *, months: int, offset: int = 0) -> Message:
    """Counts, then people to tell with a button each, then people whose time ends."""
    parts: list[Part] = [Section([line(Bold("Duties")), *_counts(duties)])]
    if duties.to_tell:
        parts.append(Section([line(*(Either(each) for each in HOW))]))
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
        parts.append(Actions(_buttons(duty, offset)))
    total = duties.counts[NoticeState.DUE] + duties.counts[NoticeState.OVERDUE]
    parts.append(Actions(_pages(total, offset)))
    parts += _endings(duties, setting, months)
    parts.append(Context([WHY]))
    return compose(parts, text="Duties")


def weekly(duties: Duties, *, months: int) -> str | None:
    """The weekly line for admins, in numbers only; None when nothing is due."""
    due, overdue = duties.counts[NoticeState.DUE], duties.counts[NoticeState.OVERDUE]
    told = []
    if due or overdue:
        told.append(
            f"{_people(due + overdue)} {_are(due + overdue)} still to be told that they are "
            f"stored{_overdue(overdue)}"
        )
    if months and duties.ending_total:
        ending = duties.ending_total
        told.append(
            f"{_people(ending)} {_are(ending)} hidden within a month, unless somebody gets in touch"
        )
    if duties.hidden_total:
        hidden = duties.hidden_total
        told.append(f"{_people(hidden)} {_are(hidden)} hidden, and erased within 30 days")
    if not told:
        return None
    return f"This week: {'; '.join(told)}. `/candidate duties` lists them."


def _counts(duties: Duties) -> list[Line]:
    counts = duties.counts
    overdue = counts[NoticeState.OVERDUE]
    waiting = counts[NoticeState.DUE] + overdue
    first = (
        f"{_people(waiting)} {_are(waiting)} still to be told that they are stored"
        f"{_overdue(overdue)}."
        if waiting
        else "Nobody is waiting to be told that they are stored."
    )
    marked = (
        f"Marked as informed: {counts[NoticeState.INFORMED]:,}, "
        f"as exempt: {counts[NoticeState.EXEMPT]:,}."
    )
    return [line(first), line(marked)]


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
        return [Section(["Nobody is hidden or erased by itself, since RETENTION_MONTHS is 0."])]
    parts: list[Part] = []
    for what, shown, total, keep in (
        ("Nobody was in touch with them; hidden on", duties.ending, duties.ending_total, KEEP),
        ("Hidden already; erased on", duties.hidden, duties.hidden_total, KEEP_HIDDEN),
    ):
        if shown:
            heading = line(Bold(f"{what} ({total:,})"))
            parts.append(Section([heading, *_listed(shown, setting), keep]))
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


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _overdue(number: int) -> str:
    return f", {number:,} of them overdue" if number else ""


def week_of(now: datetime) -> str:
    """``2026-W49``: the week that a line is for."""
    year, week, _ = now.astimezone(UTC).isocalendar()
    return f"{year}-W{week:02}"


EVERY: Final = "duties"
"""The key of the weekly alarm begins so."""
