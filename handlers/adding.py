"""Adding people where one talks: what is sent to the bot becomes people, and a receipt.

Ways in: a file or a pasted page in the direct message; ``@bot add this`` under
or with a message that has one; the shortcut *Add as candidate* in a message's
menu; and the form that ``/candidate add`` opens. Before Slack is answered the
task is written down (ids only), so that it is carried on when this process dies
(``carry_on``, called by the clock); the work itself is ``handlers.receiving``.
"""

import hashlib
import re
from collections.abc import Mapping
from datetime import timedelta
from functools import partial
from typing import Any, Final

import structlog

from bot.profiles.reader import UnreadableProfile, read
from handlers.boundary import Edge, Request, StrikeOff
from handlers.clock import Scheduled
from handlers.commands import command_of
from handlers.heard import PERSONAL, Heard, SentFile, sent_files, without_mention
from handlers.people import Place
from handlers.question import Question
from handlers.receiving import Piece, receive
from handlers.verdict import LaterError, RefusedError, UncertainError, judged
from handlers.views.add_form import ADD, FIELD, FORM, form
from handlers.views.message import sentence
from handlers.views.receipt import UNDO, undone
from handlers.voice import Untold
from storage.errors import BotError
from storage.intakes import Intake
from storage.search.unwrap import unwrap, unwrap_page

log = structlog.get_logger(__name__)

LONG: Final = 600
"""Characters of a text that is no question any more."""
LINES: Final = 3
"""Lines from which on a text may be a page."""
ATTEMPTS: Final = 5
EARLIER: Final = 100
"""How many messages of a thread are looked through for a file."""
_ADD: Final = re.compile(
    r"(?:please\s+)?add(?:\s+(?:this|that|it|them|these|those|him|her|here|the|as|a|an|new|please|"
    r"file|files|page|pages|profile|profiles|candidate|candidates|person|people))*\s*[.!:,]*",
    re.IGNORECASE,
)
NO_PAGE: Final = (
    "That is long for a question, and I find no person on it: none of the headings of a Prog,AI "
    "profile page. To add someone, copy their page from the name at the top down to the last "
    "contribution. To search, send a few words. Nothing was stored."
)
NOTHING_HERE: Final = (
    "I see no file and no profile page to add: write `add this` in the thread of the message that "
    "has it, or together with the file. In our direct message, just send me the file or paste the "
    "page. Nothing was stored."
)
NOT_IN_MESSAGE: Final = (
    "There is no file in this message and no person on it, so nothing was added. Use the entry on "
    "a message with a text file or a pasted profile page."
)
TOO_LATE: Final = (
    "The form did not open: Slack gives three seconds for it, and they were over. Type "
    "`/candidate add` once more, or send me the file or the pasted page in our direct message."
)
LOST: Final = (
    "I was restarted while I read what you sent, and now I find no file and no profile page in it. "
    "Send it again; if it was a question, ask it again."
)
GAVE_UP: Final = (
    "I began several times to read what you sent and could not finish. Whoever is on it and was "
    "stored is there; send it once more for the rest, or ask whoever runs the bot."
)


class CannotAdd(BotError):
    """What was sent holds nobody that could be added; the sentence says what to do."""


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


def asks_to_add(text: str) -> bool:
    """``add``, ``add this``, ``please add them.`` and nothing else."""
    return _ADD.fullmatch(unwrap(text)) is not None


def may_be_page(text: str) -> bool:
    return len(text) > LONG or text.count("\n") >= LINES - 1


def intake_id(heard: Heard) -> str:
    """The same for every delivery of one thing, and another for each time it is done."""
    told = f"{heard.key}|{heard.trigger_id or ''}"
    return hashlib.sha256(told.encode()).hexdigest()[:32]


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
        if is_command(request, text) or len(text) <= LONG:
            request.edge.store.drop_intake(with_intake.id)
            return False
        request.edge.store.drop_intake(with_intake.id)
        raise CannotAdd(NO_PAGE)
    add(request, with_intake)
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


def require_something(request: Request, pieces: list[Piece], *, again: bool) -> None:
    """Raises CannotAdd with what to do where there is nothing to add."""
    if pieces:
        return
    if request.heard.kind == "shortcut":
        raise CannotAdd(NOT_IN_MESSAGE)
    raise CannotAdd(LOST if again else NOTHING_HERE)


def pieces_of(request: Request, *, again: bool) -> list[Piece]:
    """The files, or the pasted page, that this delivery speaks of; empty when there is none."""
    heard = request.heard
    if heard.kind == "view":
        return [Piece(file=file) for file in heard.files]
    text, files = heard.text, heard.files
    if again and not files:
        text, files = message_at(request)
    found = pieces_in(without_mention(text, request.edge.bot_user), files)
    if found or heard.kind == "shortcut" or not heard.place.thread:
        return found
    for message in earlier_in_thread(request):
        found = pieces_in(str(message.get("text") or ""), sent_files(message.get("files")))
        if found:
            return found
    return []


def pieces_in(text: str, files: tuple[SentFile, ...]) -> list[Piece]:
    """The files of a message; without any, its text where that is a page."""
    if files:
        return [Piece(file=file) for file in files]
    page = page_in(text)
    return [Piece(text=page)] if is_page(page) else []


def page_in(text: str) -> str:
    """The text as it was copied, without a first line that only says ``add this``."""
    first, _, rest = text.partition("\n")
    return unwrap_page(rest if asks_to_add(first) else text)


def is_page(text: str) -> bool:
    """Whether a person is found on it: that tells a pasted page from a question."""
    page = page_in(text)
    if not may_be_page(page):
        return False
    try:
        return bool(read("message", page.encode("utf-8", "replace")).profiles)
    except UnreadableProfile:
        return False


def is_command(request: Request, text: str) -> bool:
    """Whether a long text is meant for a command that takes one, such as ``job:``."""
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


def message_at(request: Request) -> tuple[str, tuple[SentFile, ...]]:
    """The message of a task that is carried on, from Slack. Raises CannotAdd."""
    place, ts = request.place, request.heard.message_ts or ""
    for message in _thread(request, place.thread or ts, latest=ts):
        if message.get("ts") == ts:
            return str(message.get("text") or ""), sent_files(message.get("files"))
    return "", ()


def earlier_in_thread(request: Request) -> list[Mapping[str, Any]]:
    """The thread's first message, then those before this one, the latest first."""
    ts = request.heard.message_ts or ""
    there = _thread(request, request.place.thread or "", latest=ts)
    return [*there[:1], *(each for each in reversed(there[1:]) if each.get("ts") != ts)]


def _thread(request: Request, root: str, *, latest: str) -> list[Mapping[str, Any]]:
    try:
        with judged():
            found = request.edge.client.conversations_replies(
                channel=request.place.channel or "",
                ts=root,
                latest=latest,
                inclusive=True,
                limit=EARLIER,
            )
    except RefusedError as refused:
        raise CannotAdd(
            f"I cannot read this thread ({refused.code}). Type `/invite @"
            f"{request.edge.bot_name}` here, or send me the file in our direct message."
        ) from refused
    except (LaterError, UncertainError) as trouble:
        raise CannotAdd(
            "Slack did not show me the message. Nothing was added: try again in a minute."
        ) from trouble
    messages: list[Mapping[str, Any]] = found["messages"]
    return messages


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
