"""What is due by law: whom to tell that they are stored, whose time ends."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from handlers.views.card_setting import Setting
from handlers.views.dates import day
from handlers.views.message import Actions, Button, Context, Message, Part, Section, compose
from handlers.views.text import Bold, Code, Either, Line, line
from storage.retention import Duties, Duty, NoticeState

INFORMED, EXEMPT, STILL_DUE = "candidate.informed", "candidate.exempt", "candidate.still_due"
WHY: Final = line(
    "People who did not give you their data themselves must be told within a month that you hold ",
    "it (GDPR Art. 14). ",
    Either("Press "),
    Either(Bold("I told them")),
    Either(" once you have told them, and "),
    Either(Bold("Need not be told")),
    Either(" where the law asks for no notice. "),
    "What to say, and when nobody need be told: ask whoever ",
    "runs the bot (docs/privacy.md).",
)
NOTED: Final = {
    NoticeState.INFORMED: " is noted as told.",
    NoticeState.EXEMPT: " is noted as exempt: need not be told.",
    NoticeState.DUE: " is still to be told: that is taken back.",
}
"""What is said of a person after a press; DUE after Undo."""
KEEP: Final = line(
    "Whoever gets in touch keeps them: ", Bold("I'm on it"), " on the card notes it."
)
KEEP_HIDDEN: Final = line("To keep one of them: ", Code("/candidate lift ID"))
PAGE, PAGES = 10, "candidate.duties"


def duties_message(
    duties: Duties,
    setting: Setting,
    *,
    months: int,
    offset: int = 0,
    noted: "Noted | None" = None,
) -> Message:
    """What was just noted, counts, people to tell with two buttons each, people whose time ends."""
    parts: list[Part] = [_said(noted, offset)] if noted else []
    parts.append(Section([line(Bold("Duties")), *_counts(duties)]))
    for duty in duties.to_tell:
        late = duty.due_at < setting.now
        due = day(duty.due_at, now=setting.now, zone=setting.zone)
        by = f" · to be told by {due}" if not late else f" · was to be told by {due}"
        parts.append(
            Section(
                [line(Bold(duty.name), by, *_apart(duty, duties.to_tell))],
                about=duty.candidate_id,
            )
        )
        parts.append(Actions(_buttons(duty, offset)))
    total = duties.counts[NoticeState.DUE] + duties.counts[NoticeState.OVERDUE]
    parts.append(Actions(_pages(total, offset)))
    parts += _endings(duties, setting, months)
    parts.append(Context([WHY]))
    return compose(parts, text="Duties")


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """Of whom something was noted; ``new`` unless it was noted before."""

    candidate_id: str
    name: str
    state: NoticeState
    new: bool = True


def _said(noted: Noted, offset: int) -> Section:
    undo = Button(
        text="Undo",
        action=f"{STILL_DUE}.{noted.candidate_id}",
        value=f"{noted.candidate_id} {offset} {noted.state.value}",
    )
    return Section(
        [line(Bold(noted.name), NOTED[noted.state])],
        undo if noted.new and noted.state is not NoticeState.DUE else None,
    )


def _apart(duty: Duty, among: Sequence[Duty]) -> Line:
    """What tells two people of one name apart; at a terminal always, since it is typed there."""
    id_ = f" · id {duty.candidate_id}"
    namesakes = sum(each.name == duty.name for each in among) > 1
    return line(id_ if namesakes else Either("", id_))


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
    return (
        f"This week: {'; '.join(told)}. `/candidate duties` lists them. "
        "Sent to admins once a week, while somebody is due."
    )


def _counts(duties: Duties) -> list[Line]:
    counts = duties.counts
    overdue, due = counts[NoticeState.OVERDUE], counts[NoticeState.DUE]
    late = f", {overdue:,} of them overdue" if overdue else ""
    waiting = (
        f"{_people(due + overdue)} still to be told that they are stored{late}"
        if due + overdue
        else "Nobody is waiting to be told that they are stored"
    )
    return [
        line(
            f"{waiting} · {counts[NoticeState.INFORMED]:,} told · "
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
        for text, action in (("I told them", INFORMED), ("Need not be told", EXEMPT))
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
            *_apart(each, shown),
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
