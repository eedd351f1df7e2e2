"""Adding people where one talks: what is sent to the bot becomes people, and a receipt.

Ways in: a file or a pasted page in the direct message; ``@bot add this`` under
or with a message that has one; the shortcut *Add as candidate* in a message's
menu; and the form that ``/candidate add`` opens. Before Slack is answered the
task is written down (ids only), so that it is carried on when this process dies
(``carry_on``, called by the clock); the work itself is ``handlers.features.receiving``.
"""

import hashlib
import re
from collections.abc import Mapping
from datetime import timedelta
from functools import partial
from typing import Any, Final

import structlog

from handlers.access.people import Place
from handlers.edge.boundary import Edge, Request, StrikeOff
from handlers.edge.heard import PERSONAL, Heard, SentFile, without_mention
from handlers.edge.voice import Untold
from handlers.features.commands import command_of
from handlers.features.describing import as_description
from handlers.features.pieces import (
    LONG,
    CannotAdd,
    asks_to_add,
    is_page,
    may_be_page,
    pieces_of,
    require_something,
)
from handlers.features.question import Question
from handlers.features.receiving import receive
from handlers.scheduled.task import Scheduled
from handlers.slack.verdict import LaterError, RefusedError, UncertainError, judged
from handlers.views.add_form import ADD, FIELD, FORM, form
from handlers.views.message import sentence
from handlers.views.receipt import UNDO, undone
from storage.intakes import Intake
from storage.search.language import parse
from storage.search.tree import QueryError
from storage.search.unwrap import unwrap

log = structlog.get_logger(__name__)

ATTEMPTS: Final = 5
NO_PERSON: Final = (
    "I find no person on it: none of the headings of a Prog,AI "
    "profile page. To add someone, copy their page from the name at the top down to the last "
    "contribution. To search, send a few words. Nothing was stored."
)
TOO_LATE: Final = (
    "The form did not open: Slack gives three seconds for it, and they were over. Type "
    "`/candidate add` once more, or send me the file or the pasted page in our direct message."
)
GAVE_UP: Final = (
    "I began several times to read what you sent and could not finish. Whoever is on it and was "
    "stored is there; send it once more for the rest, or ask whoever runs the bot."
)


def register(edge: Edge) -> None:
    """The shortcut, the form and Undo; mentions and direct messages come through ``took``."""
    edge.shortcut(ADD, shortcut_used, action="add", first=write_down)
    edge.view(FORM, form_sent, action="add", field=FIELD, first=write_down)
    edge.action(re.compile(rf"^{re.escape(UNDO)}(\.|$)"), undo, action="undo")


def scheduled(edge: Edge) -> list[Scheduled]:
    """What the clock does for this feature."""
    return [Scheduled("adding", timedelta(seconds=30), lambda: carry_on(edge))]


# Before Slack is answered.


def write_down(edge: Edge, heard: Heard) -> StrikeOff | None:
    """None when this delivery brings nobody. Else its task stands in the database afterwards."""
    if not brings(heard, edge.bot_user):
        return None
    edge.store.begin_intake(
        intake_id(heard),
        by=heard.user,
        channel=heard.place.channel or "",
        task=task_of(heard),
        now=edge.clock(),
    )
    return lambda: edge.store.finish_intake(intake_id(heard), now=edge.clock())


def brings(heard: Heard, bot_user: str) -> bool:
    """Whether something here may have to be added; told from the delivery alone, and quickly."""
    if heard.kind in {"shortcut", "view"}:
        return True
    if heard.kind != "event" or heard.subtype not in PERSONAL:
        return False
    text = without_mention(heard.text, bot_user)
    if text.strip().lower() == "add" and not heard.files and not heard.place.thread:
        return False  # how to add is what help says
    if heard.place.kind == "direct":
        return bool(heard.files) or asks_to_add(text) or may_be_page(text)
    if heard.place.kind == "mention":
        asked = not text or asks_to_add(text)
        return asks_to_add(text) or may_be_page(text) or (asked and bool(heard.files))
    return False


def intake_id(heard: Heard) -> str:
    """The same for every delivery of one thing, and another for each time it is done."""
    told = (heard.key, heard.trigger_id, heard.user, heard.place.channel, heard.message_ts)
    return hashlib.sha256(repr(told).encode()).hexdigest()[:32]


def task_of(heard: Heard) -> dict[str, Any]:
    """What is needed to hear it again: ids of Slack's, no texts and no names."""
    return {
        "kind": heard.kind,
        "key": heard.key,
        "trigger": heard.trigger_id,
        "user": heard.user,
        "teams": sorted(heard.teams),
        "place": [heard.place.kind, heard.place.channel],
        "thread": heard.place.thread,
        "ts": heard.message_ts,
        "files": [file.id for file in heard.files],
        "action": heard.action,
    }


def heard_again(task: Mapping[str, Any]) -> Heard:
    """The delivery of a task that was written down, without its text and its response_url."""
    kind, channel = task["place"]
    return Heard(
        kind=task["kind"],
        user=task["user"],
        teams=frozenset(task["teams"]),
        place=Place(kind=kind, channel=channel, thread=task["thread"]),
        action=task["action"],
        message_ts=task["ts"],
        trigger_id=task["trigger"],
        key=task["key"],
        files=tuple(SentFile(id=each) for each in task["files"]),
    )


# Afterwards, in the pool.


def took(request: Request) -> bool:
    """Whether a command, mention or direct message was about adding, and is dealt with."""
    heard = request.heard
    if heard.kind == "command":
        return offered(request)
    if not brings(heard, request.edge.bot_user):
        return False
    with_intake = begun(request)
    if with_intake is None:
        return True
    text = without_mention(heard.text, request.edge.bot_user)
    if not heard.files and not asks_to_add(text) and not is_page(text):
        request.edge.store.drop_intake(with_intake.id)
        if is_command(request, text):
            return False
        if len(text) > LONG:
            raise CannotAdd(f"That is long for a question, and {NO_PERSON}")
        if not can_be_asked(text):
            raise CannotAdd(f"I cannot read that as a question, and {NO_PERSON}")
        return False
    add(request, with_intake)
    return True


def can_be_asked(text: str) -> bool:
    """Whether a text may be a question: of several lines, only one that reads as a search."""
    if not may_be_page(text):
        return True
    try:
        parse(unwrap(text))
    except QueryError:
        return False
    return True


def shortcut_used(request: Request) -> None:
    """*Add as candidate* in the menu of a message."""
    intake = begun(request)
    if intake is not None:
        add(request, intake)


def form_sent(request: Request) -> None:
    """The form with files; its answer goes where it was asked for."""
    intake = begun(request)
    if intake is not None:
        add(request, intake)


def begun(request: Request) -> Intake | None:
    """The intake of this delivery, now being worked on; None when it is finished."""
    store, now = request.edge.store, request.edge.clock()
    intake = store.attempt_intake(intake_id(request.heard), now=now)
    if intake is None or intake.finished_at is not None:
        return None
    if intake.attempts > ATTEMPTS:
        store.finish_intake(intake.id, now=now)
        raise CannotAdd(GAVE_UP)
    return intake


def add(request: Request, intake: Intake) -> None:
    """Do the work of an intake. Afterwards it is finished, unless its answer reached nobody."""
    try:
        request.require("add")
        pieces = pieces_of(request, again=intake.attempts > 1)
        require_something(request, pieces, again=intake.attempts > 1)
        receive(request, intake, pieces)
    except Untold:  # the clock brings it again, and then its receipt
        raise
    except Exception:
        request.edge.store.finish_intake(intake.id, now=request.edge.clock())
        raise
    request.edge.store.finish_intake(intake.id, now=request.edge.clock())


def is_command(request: Request, text: str) -> bool:
    """Whether a long text is meant for a command that takes one, such as ``job:``."""
    if request.heard.place.kind == "direct":
        text = as_description(text)
    command, rest = command_of(unwrap(text))
    if command is None:
        return False
    question = Question(
        store=request.edge.store,
        text=unwrap(text),
        asker=request.asker,
        now=request.edge.clock(),
        place=request.place,
    )
    return command.parses(question, rest)


def offered(request: Request) -> bool:
    """``/candidate add`` and nothing more: the form opens, or a sentence says what to do."""
    heard = request.heard
    if not asks_to_add(heard.text):
        return False
    request.require("add")
    try:
        with judged():
            request.edge.client.views_open(
                trigger_id=heard.trigger_id or "", view=form(heard.place.channel or "")
            )
    except (LaterError, RefusedError, UncertainError) as trouble:
        log.info("adding.no_form", reason=str(trouble))
        request.answer(sentence(TOO_LATE))
    return True


def undo(request: Request) -> None:
    """Undo on a receipt: once, by who added or an admin, and told in the receipt's place."""
    edge, person = request.edge, request.person
    value = edge.store.undo_intake(
        request.heard.value, by=person.id, admin=person.admin, now=edge.clock()
    )
    standing = edge.after_removal(edge, value.named_in)
    candidates = edge.store.candidates([*value.restored, *value.left])
    request.replace(undone(value, candidates, standing))


# After a crash.


def carry_on(edge: Edge) -> None:
    """Take up what a process that died has left unfinished."""
    for intake in edge.store.take_up_intakes(now=edge.clock()):
        heard = heard_again(intake.task)
        strike_off = partial(edge.store.finish_intake, intake.id, now=edge.clock())
        work = {"shortcut": shortcut_used, "view": form_sent}.get(heard.kind, carried)
        if edge.carry_on(heard, work, "add", strike_off):
            log.info("adding.carried_on", intake=intake.id)


def carried(request: Request) -> None:
    """A mention or a direct message whose first run died."""
    intake = begun(request)
    if intake is not None:
        add(request, intake)
