"""``/candidate report``: what is held about a person, in numbers, and how to get all of it."""

from dataclasses import replace

from bot.reporting import ACTIONS, report
from handlers.features.duties import retention_of
from handlers.features.question import Question
from handlers.features.records import records
from handlers.features.replies import Reply, done
from handlers.views.card import headline
from handlers.views.message import Context, Message, Section, compose
from handlers.views.standing import SAID, by
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
    kept, notice = told["kept"], told["told_of_being_stored"]
    until = f"hidden {kept['hidden_at'][:10]}, erased {kept['erased_at'][:10]}"
    stored = (
        f"{counted(len(told['sources']), 'document')}, "
        f"{counted(len(told['history']), 'history entry', 'history entries')}"
    )
    shown = (
        f"{counted(len(told['searches']), 'question')}, "
        f"{counted(len(told['digests']), 'digest')}, "
        f"{counted(len(told['messages']), 'message')}"
    )
    lines: list[Line | str] = [
        f"Stored since {told['added']['at'][:10]}: {stored}.",
        f"Shown by {shown}.",
        f"Told of being stored: {notice['state']} ({notice['at'][:10]}).",
        f"Kept: {until if kept['hidden_at'] else 'until somebody removes it'}.",
        *(
            f"{SAID[StandingKind(each['kind'])]} since {each['since'][:10]}."
            for each in told["restrictions"]
        ),
    ]
    seen = [
        line("• ", by(each["who"]), f": {ACTIONS.get(each['action'], each['action'])}, ",
             f"{each['times']}×, last {each['last'][:10]}")
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


def counted(number: int, one: str, several: str = "") -> str:
    """
    >>> counted(1, "digest"), counted(0, "digest"), counted(2, "entry", "entries")
    ('1 digest', '0 digests', '2 entries')
    """
    return f"{number} {one if number == 1 else several or one + 's'}"
