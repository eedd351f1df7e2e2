"""Do not contact, restricted, objected: set by command or button, lifted by an admin.

``storage.uses`` says what each forbids. Lifting "kept longer than allowed" keeps the
person for another term, as a contact would.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from handlers.edge.boundary import Edge, Request
from handlers.features.question import Question
from handlers.features.records import named_first, records
from handlers.features.replies import Reply, done
from handlers.views.card import headline
from handlers.views.message import Button, Confirm, Message, Section, compose, sentence
from handlers.views.standing import SAID, WORDS
from handlers.views.text import Bold, Code, line, worded
from storage.errors import BotError
from storage.records import Candidate, StandingKind
from storage.store import Store

STAND, LIFT = "candidate.stand", "candidate.lift"
SETTABLE = (StandingKind.DO_NOT_CONTACT, StandingKind.RESTRICTED, StandingKind.OBJECTED)
MEANS = {
    StandingKind.DO_NOT_CONTACT: "Found by searches and marked there; in no digest, not shared, "
    "not exported.",
    StandingKind.RESTRICTED: "The record is kept and shown to nobody until an admin lifts it.",
    StandingKind.OBJECTED: "The record is shown to nobody until an admin lifts it. If they ask to "
    "be erased: `/candidate forget`.",
}
IS = {
    StandingKind.DO_NOT_CONTACT: "is now marked “do not contact”",
    StandingKind.RESTRICTED: "is now restricted",
    StandingKind.OBJECTED: "is now marked as objecting to being processed",
}
WAS = {kind: said.replace("is now", "was already") for kind, said in IS.items()}
ENDED = {
    StandingKind.DO_NOT_CONTACT: "is no longer marked “do not contact”",
    StandingKind.RESTRICTED: "is no longer restricted",
    StandingKind.OBJECTED: "is no longer marked as objecting",
    StandingKind.EXPIRED: "is kept for another term",
}
REASON = 300
"""Characters of a reason that are kept."""
GONE = "This person is no longer stored: the record was removed."


class NoSuchPerson(BotError):
    """The record was removed meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """Who does it, where and when, by command or by button."""

    store: Store
    who: str
    where: str
    now: datetime
    named: bool = True
    """Whether the answer may name the person: not where it becomes a message of its own."""


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
    new = around.store.set_standing(
        candidate.id, kind, by=around.who, reason=reason[:REASON], now=around.now
    )
    if new:
        _write_down(around, "stand", kind, candidate)
    who = candidate.profile.name if around.named else "This person"
    first = line(Bold(who), f" {IS[kind] if new else WAS[kind]}. ", worded(MEANS[kind]))
    return compose(
        [
            Section([first]),
            Section([line("An admin lifts it: ", Code(f"/candidate lift {candidate.id}"))]),
        ]
    )


def take_back(around: Around, candidate: Candidate) -> Message:
    """Lift every standing of a person, and say which."""
    for standing in candidate.standings:
        if not around.store.lift_standing(candidate.id, standing.kind):
            continue
        if standing.kind is StandingKind.EXPIRED:
            around.store.keep_on(candidate.id, now=around.now)
        _write_down(around, "lift", standing.kind, candidate)
    ended = " and ".join(ENDED[each.kind] for each in candidate.standings)
    who = Bold(candidate.profile.name) if around.named else "This person"
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
    request.replace(stand(_pressed(request), candidate, StandingKind(kind), reason))


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
                Section([headline(each), line("id ", Code(each.id))], button_of(each))
                for each in people
            ),
        ]
    )


def button(kind: StandingKind, candidate: Candidate, reason: str = "") -> Button:
    return Button(
        text=SAID[kind].partition(":")[0],
        action=f"{STAND}.{kind.value}.{candidate.id}",
        value=f"{kind.value} {candidate.id} {reason[:REASON]}".strip(),
        confirm=Confirm(
            title=f"{SAID[kind].partition(':')[0]}?",
            text=MEANS[kind].replace("`", ""),
            confirm="Yes",
            deny="No",
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
        raise NoSuchPerson(GONE)
    return candidate


def _asked(question: Question) -> Around:
    return Around(
        store=question.store,
        who=question.asker.id,
        where=question.place.channel or question.place.kind,
        now=question.now,
    )


def _pressed(request: Request) -> Around:
    return Around(
        store=request.edge.store,
        who=request.person.id,
        where=request.place.channel or request.place.kind,
        now=request.edge.clock(),
        named=request.heard.response_url is not None,
    )


def _reply(query: str, message: Message, people: Sequence[Candidate]) -> Reply:
    return replace(done(query, message.plain, message), about=tuple(each.id for each in people))
