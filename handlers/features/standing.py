"""Do not contact, restricted, objected: set by command or button, lifted by an admin.

``storage.uses`` says what each forbids. Lifting "kept longer than allowed" keeps the
person for another term, as a contact would.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from time import monotonic

from slack_sdk import WebClient

from handlers.edge.boundary import Edge, Request
from handlers.features.question import Question
from handlers.features.records import named_first, records
from handlers.features.replies import Reply, done
from handlers.scheduled.cleaning import clean
from handlers.slack.verdict import LaterError, RefusedError, UncertainError, judged
from handlers.views.card import headline
from handlers.views.digest import channel_piece
from handlers.views.escaping import shorten
from handlers.views.message import (
    Button,
    Confirm,
    Context,
    Message,
    Section,
    compose,
    sentence,
)
from handlers.views.more import dialog
from handlers.views.standing import SAID, WORDS
from handlers.views.text import Bold, Code, Italic, Line, join, line, worded
from storage.errors import BotError
from storage.records import Candidate, StandingKind
from storage.store import Store

STAND, LIFT = "candidate.stand", "candidate.lift"
SETTABLE = (StandingKind.DO_NOT_CONTACT, StandingKind.RESTRICTED, StandingKind.OBJECTED)
MARKED = {
    StandingKind.DO_NOT_CONTACT: ("marked ", "do not contact"),
    StandingKind.RESTRICTED: ("", "restricted"),
    StandingKind.OBJECTED: ("marked as having ", "objected to being processed"),
}
"""What a person now is; the second word is the one to see."""
MEANS = {
    StandingKind.DO_NOT_CONTACT: "still found by searches, and marked there; in no digest, "
    "not shared, not exported.",
    StandingKind.RESTRICTED: "kept, and shown to nobody until an admin lifts it.",
    StandingKind.OBJECTED: "shown to nobody until an admin lifts it. If they ask to be erased: "
    "`/candidate forget`.",
}
ENDED = {
    StandingKind.DO_NOT_CONTACT: "is no longer marked “do not contact”",
    StandingKind.RESTRICTED: "is no longer restricted",
    StandingKind.OBJECTED: "is no longer marked as objecting",
    StandingKind.EXPIRED: "is kept for another term",
}
ACTS = {
    StandingKind.DO_NOT_CONTACT: ("Do not contact", "Do not contact {}?", "Mark"),
    StandingKind.RESTRICTED: ("Restrict", "Restrict {}?", "Restrict"),
    StandingKind.OBJECTED: ("Objected to being processed", "Did {} object?", "Mark as objected"),
}
"""A button, the heading of the question before it works, and the word for yes."""
ASKED = {
    StandingKind.DO_NOT_CONTACT: "{} will be marked “do not contact”: ",
    StandingKind.RESTRICTED: "{} will be restricted: ",
    StandingKind.OBJECTED: "{} will be marked as having objected to being processed: ",
}
TAKEN_OUT = {
    "done": ("They no longer stand in {} of mine", "."),
    "pending": ("{} still to be changed", ": the running bot does it as soon as Slack lets it."),
    "failed": (
        "{} that I cannot change",
        ": press Withdraw there, or have an admin of the workspace delete it.",
    ),
}
"""A state of what was to be cleaned: what is said of the messages and where, and what follows."""
GONE = frozenset({"gone", "named nobody", "not posted", "shown again"})
"""Outcomes of which there is nothing to say."""
SHORT_NAME = 60
"""Characters of a name in the question before a button works."""
REASON = 300
"""Characters of a reason that are kept."""
REMOVED = "This person is no longer stored: the record was removed."


class NoSuchPerson(BotError):
    """The record was removed meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """Who does it, where and when, by command or by button."""

    store: Store
    who: str
    where: str
    now: datetime
    client: WebClient | None
    """None at the terminal: the running bot changes messages."""


def register(edge: Edge) -> None:
    edge.action(re.compile(rf"^{re.escape(STAND)}(\.|$)"), pressed, action="stand")
    edge.action(re.compile(rf"^{re.escape(LIFT)}(\.|$)"), lifted, action="lift")


def run_standing(kind: StandingKind) -> Callable[[Question, str], Reply]:
    """What ``restrict NAME [reason]`` and the like do."""

    def run(question: Question, rest: str) -> Reply:
        people, reason = named_first(question, rest)
        query = f"{WORDS[kind]} {rest}"
        if len(people) != 1:
            message = choice(people, f"{SAID[kind]}: who?", lambda who: button(kind, who, reason))
            return _reply(query, message, people)
        return _reply(query, stand(_asked(question), people[0], kind, reason), people)

    return run


def run_lift(question: Question, rest: str) -> Reply:
    """``lift NAME``: all that is said of the person is taken back."""
    people = [
        each
        for each in records(question.store, rest, hidden=True)
        if each.standings
    ]  # fmt: skip
    if not people:
        whom = records(question.store, rest, hidden=True)
        who = whom[0].profile.name if len(whom) == 1 else f"None of the {len(whom)} people"
        return _reply(f"lift {rest}", sentence(f"{who} has no restriction to lift."), whom)
    if len(people) > 1:
        return _reply(f"lift {rest}", choice(people, "Lift it for whom?", lift_button), people)
    message = take_back(_asked(question), people[0])
    return _reply(f"lift {rest}", message, people)


def stand(around: Around, candidate: Candidate, kind: StandingKind, reason: str) -> Message:
    """Set it, write it down, and say what it means."""
    list_id = around.store.new_id()
    new = around.store.set_standing(
        candidate.id, kind, by=around.who, reason=reason[:REASON], now=around.now, list_id=list_id
    )
    if new:
        _write_down(around, "stand", kind, candidate)
    how, mark = MARKED[kind]
    first = line(
        Bold(candidate.profile.name),
        f" is now {how}" if new else f" was {how}",
        Italic(mark),
        None if new else " already",
        ": ",
        *worded(MEANS[kind]),
    )
    to_lift = line("To lift it, an admin types ", Code(f"/candidate lift {candidate.id}"), ".")
    return compose(
        [Section([first, *take_down(around, list_id)], about=candidate.id), Context([to_lift])]
    )


def take_down(around: Around, list_id: str) -> list[Line]:
    """Take the person out of the listed messages; what was changed, and what was not."""
    clean(around.store, around.client, _running_from(around.now), erasure_id=list_id)
    messages = [each for each in around.store.cleanings(list_id) if each.outcome not in GONE]
    by_state = {
        state: [each.place for each in messages if each.state == state]
        for state in ("done", "pending", "failed")
    }
    return [
        line(said.format(counted(places)), *_places(places), then)
        for state, (said, then) in TAKEN_OUT.items()
        if (places := by_state[state])
    ]


def _running_from(now: datetime) -> Callable[[], datetime]:
    """A clock that shows ``now`` and goes on."""
    started = monotonic()
    return lambda: now + timedelta(seconds=monotonic() - started)


def counted(places: Sequence[str]) -> str:
    return "1 message" if len(places) == 1 else f"{len(places):,} messages"


def _places(places: Sequence[str]) -> Line:
    """Where, each channel once; a digest that is on its way has none yet."""
    channels = [each for each in dict.fromkeys(places) if each[0] in "CG"]
    return line(" in ", join([channel_piece(each) for each in channels], ", ")) if channels else ()


def take_back(around: Around, candidate: Candidate) -> Message:
    """Lift every standing of a person, and say which."""
    for standing in candidate.standings:
        if not around.store.lift_standing(candidate.id, standing.kind):
            continue
        if standing.kind is StandingKind.EXPIRED:
            around.store.keep_on(candidate.id, now=around.now)
        _write_down(around, "lift", standing.kind, candidate)
    ended = " and ".join(ENDED[each.kind] for each in candidate.standings)
    who = Bold(candidate.profile.name)
    return compose([Section([line(who, f" {ended or 'has no restriction to lift'}.")])])


def _write_down(around: Around, action: str, kind: StandingKind, candidate: Candidate) -> None:
    around.store.audit(
        who=around.who,
        action=action,
        place=around.where,
        text=kind.value,
        candidate_ids=[candidate.id],
        now=around.now,
    )


def pressed(request: Request) -> None:
    """A button that sets a standing: ``KIND ID [REASON]``."""
    kind, candidate_id, reason = [*request.heard.value.split(" ", 2), "", ""][:3]
    candidate = _there(request, candidate_id)
    message = stand(_pressed(request), candidate, StandingKind(kind), reason)
    if not shown_in_dialog(request, candidate, message):
        request.replace(message)


def shown_in_dialog(request: Request, candidate: Candidate, message: Message) -> bool:
    """Whether the message now stands in the dialog whose button was pressed, if there is one."""
    if request.heard.view_id is None:
        return False
    view = dialog(candidate.profile.name, message.blocks)
    try:
        with judged():
            request.edge.client.views_update(view_id=request.heard.view_id, view=view)
    except (LaterError, RefusedError, UncertainError):  # it was closed meanwhile, say
        return False
    return True


def lifted(request: Request) -> None:
    """A button that lifts all of a person's standings."""
    request.replace(take_back(_pressed(request), _there(request, request.heard.value)))


def choice(
    people: Sequence[Candidate], asked: str, button_of: Callable[[Candidate], Button]
) -> Message:
    return compose(
        [
            Section([line(Bold(asked))]),
            *(
                part
                for each in people
                for part in (
                    Section([headline(each)], button_of(each)),
                    Context([f"id {each.id}"]),
                )
            ),
        ]
    )


def button(kind: StandingKind, candidate: Candidate, reason: str = "") -> Button:
    text, asked, yes = ACTS[kind]
    name = shorten(candidate.profile.name, SHORT_NAME)
    return Button(
        text=text,
        action=f"{STAND}.{kind.value}.{candidate.id}",
        value=f"{kind.value} {candidate.id} {reason[:REASON]}".strip(),
        confirm=Confirm(
            title=asked.format(name),
            text=f"{ASKED[kind].format(name)}{MEANS[kind].replace('`', '')}",
            confirm=yes,
            deny="Cancel",
        ),
    )


def standing_buttons(candidate: Candidate) -> list[Button]:
    """A button for each standing that the person does not have."""
    has = {each.kind for each in candidate.standings}
    return [button(kind, candidate) for kind in SETTABLE if kind not in has]


def lift_button(candidate: Candidate) -> Button:
    return Button(text="Lift", action=f"{LIFT}.{candidate.id}", value=candidate.id)


def _there(request: Request, candidate_id: str) -> Candidate:
    candidate = request.edge.store.candidate(candidate_id)
    if candidate is None:
        raise NoSuchPerson(REMOVED)
    return candidate


def _asked(question: Question) -> Around:
    return Around(
        store=question.store,
        who=question.asker.id,
        where=question.place.channel or question.place.kind,
        now=question.now,
        client=question.client,
    )


def _pressed(request: Request) -> Around:
    return Around(
        store=request.edge.store,
        who=request.person.id,
        where=request.place.channel or request.place.kind,
        now=request.edge.clock(),
        client=request.edge.client,
    )


def _reply(query: str, message: Message, people: Sequence[Candidate]) -> Reply:
    return replace(done(query, message.plain, message), about=tuple(each.id for each in people))
