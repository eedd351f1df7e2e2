"""``/candidate export QUERY``: the people whom a question finds, as a file to the asker alone.

The file goes to the asker's direct message with the bot, wherever it was asked. Who exported
whom is written down before anything leaves.
"""

from dataclasses import replace
from typing import Final

import regex
import structlog
from slack_sdk import WebClient

from bot.asking import matches_facts
from bot.exporting.forms import BY_WORD, FORMS, Form, file_name
from bot.exporting.people import Chosen, chosen, finds_somebody
from bot.letter_words import so_many
from handlers.access.rights import may_somewhere
from handlers.features.command import ASKING, Command
from handlers.features.question import Question
from handlers.features.replies import Reply, done
from handlers.slack.uploads import NotShared, share_file
from handlers.slack.verdict import LaterError, RefusedError, UncertainError, judged, timestamp
from handlers.views.message import Message, Section, compose
from handlers.views.text import Code, line
from storage.search.tree import QueryError

log = structlog.get_logger(__name__)

_AS: Final = regex.compile(r"\s+as\s+([\w-]+)$", regex.IGNORECASE)
_STRUCTURED: Final = regex.compile(r"\w:\S")
"""A qualifier: nobody is called so, and no title says it."""
USAGE: Final = (
    "Write whom to export: `/candidate export skill:cuda`. It comes as CSV; "
    "`export xlsx`, `export json` (JSON Resume) and `export md` (Markdown) give other files."
)


def wanted(rest: str) -> tuple[Form, str]:
    """The form and the question: ``xlsx skill:cuda``, ``skill:cuda as xlsx``, ``skill:cuda``."""
    first, _, question = rest.partition(" ")
    if form := BY_WORD.get(first.lower()):
        return form, question.strip()
    if (ending := _AS.search(rest)) and (form := BY_WORD.get(ending[1].lower())):
        return form, rest[: ending.start()].strip()
    return FORMS[0], rest


def an_export(question: Question, rest: str) -> bool:
    """Nothing, a form, a qualifier; or words that find somebody where all of the text does not.

    ``export manager`` is what people are called.
    """
    _, asked = wanted(rest)
    if asked != rest or not rest or _STRUCTURED.search(rest):
        return True
    store, now = question.store, question.here
    if store.named(question.text).hits:
        return False
    try:
        whole = store.search(question.text, limit=1, now=now)
        if whole.total and matches_facts(whole):
            return False
        return finds_somebody(store, rest, now=now)
    except QueryError:
        return False


def run_export(question: Question, rest: str) -> Reply:
    """Raises NobodyToExport, NotShared, or QueryError."""
    form, asked = wanted(rest)
    if not asked:
        return done("export", USAGE)
    if question.client is None:
        return done(
            f"export {rest}",
            f"At a terminal: `.venv/bin/python -m bot export --as {form.word} -- {asked}`.",
        )
    contacts = may_somewhere(question.asker, "contact")
    people = chosen(question.store, asked, contacts=contacts, now=question.here)
    content = form.write(people.people)
    question.store.audit(
        who=question.asker.id,
        action="export",
        place=question.place.channel or question.place.kind,
        text=question.text,
        candidate_ids=[each.id for each in people.people],
        now=question.now,
    )
    told = receipt(people, asked, form)
    name = file_name(form, question.here.date())
    if question.place.is_with_us and question.place.channel:
        share_file(question.client, channel=question.place.channel, name=name, content=content)
        return replace(done(f"export {rest}", told.plain, told), about=people.named)
    channel, ts = announced(question, question.client, told, people.named)
    try:
        share_file(question.client, channel=channel, name=name, content=content)
    except NotShared:
        take_back(question.client, channel, ts)
        raise
    return done(f"export {rest}", f"{name} is in our direct message: {amount(people)}.")


def amount(people: Chosen) -> str:
    return so_many(len(people.people), "person", "people")


def receipt(people: Chosen, asked: str, form: Form) -> Message:
    """What is in the file, and what is not; it names nobody whom the question does not name."""
    first = line(f"{amount(people)} as {form.told} for ", Code(asked), ".")
    care = "It holds personal data: delete it when you are done. Who exported whom is written down."
    return compose([Section([first, *([people.told] if people.told else []), care])])


def announced(
    question: Question, client: WebClient, told: Message, named: tuple[str, ...]
) -> tuple[str, str]:
    """A message to the asker that tells of the file: its channel and timestamp.

    Where it names people it is recorded, so that it goes when they are forgotten. Raises
    NotShared when Slack does not take it.
    """
    try:
        with judged():
            posted = client.chat_postMessage(
                channel=question.asker.id, unfurl_links=False, unfurl_media=False, **told.post()
            )
            ts = timestamp(posted)
    except (LaterError, RefusedError, UncertainError) as trouble:
        raise NotShared(
            "Slack did not let me write to you, so I sent no file. Ask again in a minute."
        ) from trouble
    channel = str(posted.get("channel") or "")
    if not channel:
        raise NotShared("Slack did not say where our direct message is, so I sent no file.")
    if named:
        question.store.record_posted(
            channel=channel,
            ts=ts,
            kind="answer",
            by=question.asker.id,
            candidate_ids=named,
            now=question.now,
        )
    return channel, ts


def take_back(client: WebClient, channel: str, ts: str) -> None:
    """The message that told of a file which did not come."""
    try:
        with judged():
            client.chat_delete(channel=channel, ts=ts)
    except (LaterError, RefusedError, UncertainError) as trouble:
        log.info("export.announced", error=str(trouble))


EXPORT = Command(
    word="export",
    usage="export skill:cuda",
    group=ASKING,
    help="a file of those whom a question finds, to you alone; also `export xlsx`, `json` or `md`",
    parses=an_export,
    run=run_export,
    action="export",
)
