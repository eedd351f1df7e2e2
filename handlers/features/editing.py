"""Edit: a recruiter corrects a fact, or rules which document is right.

``edit NAME`` shows what can be corrected, with a button for each value that documents say
differently, and one for a form. ``edit NAME FIELD: VALUE`` needs no form.
"""

import re
from dataclasses import replace
from typing import Final

import regex
import structlog

from handlers.edge.boundary import Edge, Request
from handlers.features.command import ADDING, Command
from handlers.features.question import Question
from handlers.features.records import begins_with_a_record, named_first
from handlers.features.replies import Reply, done, which
from handlers.features.standing import REMOVED, NoSuchPerson
from handlers.slack.verdict import LaterError, RefusedError, UncertainError, judged
from handlers.views.editing import EDIT, FIRST_FIELD, FORM, RULE, editing_message, form
from handlers.views.message import Message, sentence
from storage.correcting import FIELDS
from storage.store import Store

log = structlog.get_logger(__name__)

_FIELD: Final = regex.compile(r"(?P<field>[\p{L} _]+?)\s*[:=]\s*(?P<value>.*)")
_CALLED: Final = {
    **{label.lower(): field for field, label in FIELDS.items()},
    **{field: field for field in FIELDS},
    "years coding": "years_coding",
    "years": "years_coding",
    "employed": "years_employed",
}
NO_FORM: Final = (
    "The form did not open: Slack gives three seconds for it, and they were over. Press Edit once "
    "more, or type what is right: `/candidate edit NAME title: Lead`."
)
NO_FIELD: Final = "What can be corrected: {}. For example `/candidate edit {} title: Lead`."


def register(edge: Edge) -> None:
    edge.action(re.compile(rf"^{re.escape(RULE)}\."), ruled, action="edit")
    edge.action(re.compile(rf"^{re.escape(EDIT)}(\.|$)"), opened, action="edit")
    edge.view(FORM, sent, action="edit", field=FIRST_FIELD)


def run_edit(question: Question, rest: str) -> Reply:
    people, typed = named_first(question, rest)
    if len(people) != 1:
        return done(question.text, which(rest, people, "whom to correct"))
    [person] = people
    said: tuple[str, ...] = ()
    if typed:
        found = _FIELD.fullmatch(typed)
        field = _CALLED.get(found["field"].strip().lower()) if found else None
        if found is None or field is None:
            names = ", ".join(label.lower() for label in FIELDS.values())
            return done(question.text, NO_FIELD.format(names, person.id))
        said = _changed(
            question.store.correct(
                person.id,
                {field: found["value"]},
                by=question.asker.id,
                place=question.place.channel or question.place.kind,
                now=question.now,
            )
        )
    message = _shown(question.store, person.id, said)
    return replace(done(question.text, message.plain, message), about=(person.id,))


def ruled(request: Request) -> None:
    """A value that a document says was pressed: it is the right one."""
    candidate_id, field, value = [*request.heard.value.split(" ", 2), "", ""][:3]
    said = _corrected(request, candidate_id, {field: value})
    request.replace(_shown(request.edge.store, candidate_id, said))


def opened(request: Request) -> None:
    """Edit was pressed: the form opens, or a sentence says what to do."""
    store, heard = request.edge.store, request.heard
    candidate, facts = store.candidate(heard.value), store.correctable(heard.value)
    if candidate is None or facts is None:
        raise NoSuchPerson(REMOVED)
    try:
        with judged():
            request.edge.client.views_open(
                trigger_id=heard.trigger_id or "",
                view=form(candidate, facts, heard.place.channel or ""),
            )
    except (LaterError, RefusedError, UncertainError) as trouble:
        log.info("editing.no_form", reason=str(trouble))
        request.answer(sentence(NO_FORM))


def sent(request: Request) -> None:
    """The form was sent: what differs from what is stored is corrected."""
    typed = request.heard.typed
    candidate_id = next((each.action.partition(".")[2] for each in typed), "")
    facts = request.edge.store.correctable(candidate_id)
    if facts is None:
        raise NoSuchPerson(REMOVED)
    changed = {
        each.block: each.value
        for each in typed
        if each.value.strip() != facts.values.get(each.block, "")
    }
    said = _corrected(request, candidate_id, changed) if changed else ("nothing was changed",)
    request.answer(_shown(request.edge.store, candidate_id, said))


def _corrected(request: Request, candidate_id: str, values: dict[str, str]) -> tuple[str, ...]:
    return _changed(
        request.edge.store.correct(
            candidate_id,
            values,
            by=request.person.id,
            place=request.place.channel or request.place.kind,
            now=request.edge.clock(),
        )
    )


def _changed(changes: tuple[str, ...] | None) -> tuple[str, ...]:
    """What to say of it. Raises NoSuchPerson."""
    if changes is None:
        raise NoSuchPerson(REMOVED)
    return changes or ("it is ruled, and says what it said",)


def _shown(store: Store, candidate_id: str, said: tuple[str, ...]) -> Message:
    candidate, facts = store.candidate(candidate_id), store.correctable(candidate_id)
    if candidate is None or facts is None:
        raise NoSuchPerson(REMOVED)
    return editing_message(candidate, facts, said)


EDIT_COMMAND = Command(
    word="edit",
    usage="edit NAME",
    group=ADDING,
    help="correct a fact, or rule which document is right; also `edit NAME title: Lead`",
    parses=begins_with_a_record,
    run=run_edit,
    action="edit",
    also=("correct",),
)
