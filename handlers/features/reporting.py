"""``/candidate report``: what is held about a person, in numbers, and how to get all of it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from bot.report_letter import ACTIONS, often
from bot.reporting import report
from handlers.features.duties import retention_of
from handlers.features.question import Question
from handlers.features.records import records
from handlers.features.replies import Reply, done
from handlers.views.audit import actor
from handlers.views.card import headline
from handlers.views.dates import day
from handlers.views.message import Context, Message, Section, compose
from handlers.views.standing import SAID
from handlers.views.text import Bold, Code, Line, line
from storage.records import Candidate, StandingKind

SHOWN = 12


def run_report(question: Question, rest: str) -> Reply:
    people = records(question.store, rest, hidden=True)
    if len(people) != 1:
        message = compose(
            [
                Section([line(f"{len(people)} people could be ", Bold(rest), ". Write the id:")]),
                *(Section([headline(each), line(Code(f"/candidate report {each.id}"))])
                  for each in people),
            ]
        )  # fmt: skip
    else:
        message = summary(question, people[0])
        question.store.audit(
            who=question.asker.id,
            action="report",
            place=question.place.channel or question.place.kind,
            candidate_ids=[people[0].id],
            now=question.now,
        )
    reply = done(f"report {rest}", message.plain, message)
    return replace(reply, about=tuple(each.id for each in people))


def summary(question: Question, candidate: Candidate) -> Message:
    """The report without its texts, which may be longer than a message."""
    told = report(
        question.store, candidate.id, months=retention_of(question.settings), now=question.now
    )
    if told is None:
        return compose([Section(["This person is no longer stored."])])
    stored = (
        f"{counted(len(told['sources']), 'document')}, "
        f"{counted(len(told['history']), 'history entry', 'history entries')}"
    )
    shown = (
        f"{counted(len(told['searches']), 'question')}, "
        f"{counted(len(told['digests']), 'digest')}, "
        f"{counted(len(told['messages']), 'message')}"
    )

    def on(instant: str) -> str:
        return day(datetime.fromisoformat(instant), now=question.now, zone=question.zone)

    lines: list[Line | str] = [
        f"Stored since {on(told['added']['at'])}: {stored}.",
        f"Shown by {shown}.",
        notice_words(told["told_of_being_stored"], on),
        kept_words(told["kept"], on, question.now),
        *(
            f"{SAID[StandingKind(each['kind'])]} since {on(each['since'])}."
            for each in told["restrictions"]
        ),
    ]
    seen = [
        line("• ", actor(each["who"]), f" {ACTIONS.get(each['action'], 'used it')}, "
             f"{often(each['times'])}, {'last ' if each['times'] > 1 else ''}on {on(each['last'])}")
        for each in told["recipients"][:SHOWN]
    ]  # fmt: skip
    more = len(told["recipients"]) - SHOWN
    return compose(
        [
            Section([line("Report on ", Bold(candidate.profile.name)), *lines]),
            Section([line(Bold("Who saw it")), *seen, *([f"and {more} more"] if more > 0 else [])]),
            Context(
                [
                    line(
                        "Ready to send, with all texts, on the bot's machine: ",
                        Code(f".venv/bin/python -m bot report {candidate.id} --output report.md"),
                    )
                ]
            ),
        ]
    )


def notice_words(notice: Mapping[str, Any], on: Callable[[str], str]) -> str:
    """Whether the person was told that they are stored, or until when that is due."""
    return {
        "informed": "Told that they are stored, as noted on {}.",
        "exempt": "Need not be told that they are stored, as noted on {}.",
        "due": "Not told yet that they are stored: to be done by {}.",
        "overdue": "Not told yet that they are stored: that was to be done by {}.",
    }[notice["state"]].format(on(notice["at"]))


def kept_words(kept: Mapping[str, Any], on: Callable[[str], str], now: datetime) -> str:
    """Until when the record is found, and when it is erased."""
    if not kept["hidden_at"]:
        return "Kept until somebody removes it."
    hidden, erased = on(kept["hidden_at"]), on(kept["erased_at"])
    if datetime.fromisoformat(kept["hidden_at"]) <= now:
        return f"Found by nobody since {hidden}, erased on {erased}."
    return f"Without contact found by nobody from {hidden} on, and erased on {erased}."


def counted(number: int, one: str, several: str = "") -> str:
    """
    >>> counted(1, "digest"), counted(0, "digest"), counted(2, "entry", "entries")
    ('1 digest', '0 digests', '2 entries')
    """
    return f"{number} {one if number == 1 else several or one + 's'}"
