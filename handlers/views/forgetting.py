"""Forgetting: the question before, the receipt after."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import Final

from handlers.views.card import headline
from handlers.views.dates import day
from handlers.views.escaping import shorten
from handlers.views.message import Button, Confirm, Context, Message, Section, compose
from handlers.views.text import Bold, Channel, Code, Line, Mention, join, line
from storage.cleanings import Cleaning
from storage.forgetting import Erasure
from storage.records import Candidate

FORGET: Final = "candidate.forget"
SHORT_NAME: Final = 60
"""Characters of a name in the question before the button works."""
COUNTED: Final = (
    ("documents", "document", "documents"),
    ("history", "entry of the history", "entries of the history"),
    ("digests", "digest that told of them", "digests that told of them"),
    ("audit_texts", "question that was asked", "questions that were asked"),
    ("refused_files", "refused file", "refused files"),
)
OUTCOMES: Final = {
    "edited": "changed, others on it stay",
    "replaced": "changed to “This record was removed.”",
    "deleted": "deleted",
    "gone": "was gone already",
    "named nobody": "names them no more",
    "not posted": "was not posted",
}
OVERWRITTEN: Final = "• what was deleted is overwritten in the database file as well"
TO_OVERWRITE: Final = "• what was deleted is overwritten in the database file within a minute"
WAITING: Final = {
    "": "I do it next.",
    "ratelimited": "Slack asked me to wait; I try again by myself.",
    "no Slack here": "The bot does it while it runs.",
}
"""Why something waits, by what came of the last try."""
WHAT: Final = (
    "Everything stored about this person is erased, and my messages that name them are changed. "
    "Their page will be refused from then on."
)
LIFT: Final = ".venv/bin/python -m bot forget --lift"
BEYOND: Final = (
    "Not in my reach: answers that only one person saw and that are still on their screen, "
    "copies people made, files and pages that colleagues sent me, and backups from before. "
    "When a backup is restored, they are erased from it again."
)


def forget_button(candidate: Candidate) -> Button:
    """The button, with Slack's own question before it works."""
    name = shorten(candidate.profile.name, SHORT_NAME)
    return Button(
        text="Forget",
        action=f"{FORGET}.{candidate.id}",
        value=candidate.id,
        style="danger",
        confirm=Confirm(
            title=f"Forget {name}?",
            text=f"{name} is erased everywhere and kept out. This cannot be undone.",
            confirm="Forget",
            deny="Keep",
        ),
    )


def question(people: Sequence[Candidate], asked: str, *, taken_for: str | None = None) -> Message:
    """Whom the words may mean, each with a button; ``taken_for`` is how a typo was read."""
    first = (
        line("Forget ", Bold(people[0].profile.name), "?")
        if len(people) == 1
        else line(f"{len(people)} people could be ", Bold(asked), ". Whom shall I forget?")
    )
    return compose(
        [
            Section(
                [
                    *([read_as(asked, taken_for)] if taken_for else []),
                    first,
                    WHAT,
                ]
            ),
            *(
                part
                for each in people
                for part in (
                    Section([headline(each)], forget_button(each)),
                    Context([f"id {each.id}"]),
                )
            ),
        ]
    )


def read_as(asked: str, name: str) -> Line:
    return line("You typed “", asked, "”. I took that for ", Bold(name), ".")


def receipt(erasure: Erasure, *, now: datetime, zone: tzinfo) -> Message:
    """What was erased, what was done about the rest, and what was not."""
    return compose(
        [
            Section([line(Bold("Forgotten."), f" Receipt {erasure.reference}"), *_erased(erasure)]),
            Section(_done(erasure)),
            Section(_left(erasure, now, zone)),
            Context([BEYOND]),
            Context(
                [
                    line(
                        "To let them in again, on the bot's machine: ",
                        Code(
                            f".venv/bin/python -m bot forget --lift {erasure.reference} --reason …"
                        ),
                        " · this receipt again: ",
                        Code(f"/candidate forget {erasure.reference}"),
                    )
                ]
            ),
        ]
    )


def _erased(erasure: Erasure) -> list[Line]:
    told = [
        f"{number:,} {one if number == 1 else many}"
        for key, one, many in COUNTED
        if (number := erasure.counts.get(key, 0))
    ]
    return [line("Erased: the record", *(f", {each}" for each in told), ".")]


def _done(erasure: Erasure) -> list[Line]:
    lines: list[Line] = [
        line("• ", _where(each), f": {OUTCOMES.get(each.outcome, each.outcome)}")
        for each in erasure.cleanings
        if each.state == "done" and each.kind in {"message", "digest"}
    ]
    files = Counter(
        each.outcome for each in erasure.cleanings if each.kind == "file" and each.state == "done"
    )
    if files:
        number = sum(files.values())
        lines.append(line(f"• {number} watched file{'s' * (number != 1)} removed"))
    wiped = any(each.kind == "scrub" and each.state == "done" for each in erasure.cleanings)
    lines.append(line(OVERWRITTEN if wiped else TO_OVERWRITE))
    return [line(Bold("Done")), *lines[:20], *_more(lines)]


def _more(lines: list[Line]) -> list[Line]:
    return [line(f"and {len(lines) - 20} more")] if len(lines) > 20 else []


def _left(erasure: Erasure, now: datetime, zone: tzinfo) -> list[Line]:
    lines: list[Line] = []
    for each in erasure.cleanings:
        if each.kind == "scrub":
            continue
        if each.state == "pending":
            again = f"I try again by myself, for three days ({each.outcome})."
            lines.append(
                line("• ", _where(each), f": not done yet. {WAITING.get(each.outcome, again)}")
            )
        elif each.state == "failed":
            lines.append(
                line(
                    "• ",
                    _where(each),
                    f": Slack does not let me change it ({each.outcome}). Delete it by hand.",
                )
            )
        elif each.state == "by_hand":
            lines.append(
                line("• ", Code(each.place), " holds other people too: edit or remove it by hand")
            )
    lines += [
        line("• exported ", day(datetime.fromisoformat(each["at"]), now=now, zone=zone), " by ",
             *_who(each["who"]), f" ({each['place']}): ask them to delete it")
        for each in erasure.exports
    ]  # fmt: skip
    lines += [
        line(f"• the question of digest {each} names them: stop it") for each in erasure.digests
    ]
    lines += [
        line("• ", Code(each), " beside the database is a copy from before: remove it")
        for each in erasure.copies
    ]
    if erasure.mentioned_in:
        ids = join([Code(each) for each in erasure.mentioned_in[:10]], ", ")
        lines.append(line("• other people's pages mention the name: ", ids))
    return [line(Bold("To do")), *lines[:25]] if lines else []


def _where(cleaning: Cleaning) -> Line:
    if cleaning.kind == "message":
        if cleaning.place.startswith("D"):
            return line("a direct message")
        return line("a message in ", Channel(cleaning.place))
    return line("a digest that was on its way") if cleaning.kind == "digest" else line("a file")


def _who(who: str) -> Line:
    return line(Mention(who)) if who.startswith(("U", "W")) else line(who)
