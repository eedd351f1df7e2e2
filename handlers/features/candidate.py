"""``/candidate``: questions by command, mention and direct message, and an answer's buttons.

``answer`` is the whole of it without Slack; the terminal's ``ask`` calls the same.
"""

import re
from dataclasses import replace
from datetime import datetime
from typing import Any

from slack_sdk import WebClient

from bot.answers import Answer, CardAnswer, NothingAnswer, ResultsAnswer
from bot.asking import ask
from bot.settings import Settings
from bot.talk import is_link
from handlers.access.people import TERMINAL, Asker, Place
from handlers.access.refusals import NotAllowed
from handlers.access.rights import Role, may_somewhere
from handlers.edge.boundary import Edge, Request
from handlers.edge.heard import PERSONAL, without_mention
from handlers.features import adding
from handlers.features.again import repeated
from handlers.features.answers import (
    REPLAYED,
    hits_of,
    named_beside,
    numbered,
    shown_by,
    what_it_was,
)
from handlers.features.commands import advised, answer_command, did_you_mean, usage_of
from handlers.features.describing import as_description
from handlers.features.question import BOT_NAME, Question, as_typed, one_person
from handlers.features.records import HIDDEN
from handlers.features.replies import Reply, refused
from handlers.features.shareable import instead_of_share
from handlers.features.sharing import register as register_sharing
from handlers.features.standing import standing_buttons
from handlers.slack.verdict import LaterError, RefusedError, UncertainError, judged
from handlers.views import card as card_view
from handlers.views import more as more_view
from handlers.views import nothing as nothing_view
from handlers.views import results as results_view
from handlers.views.answer import render
from handlers.views.audit import AUDIT
from handlers.views.card import Setting, headline_words
from handlers.views.message import below, sentence
from handlers.views.standing import label
from handlers.views.text import Code, line
from storage.errors import BotError
from storage.records import Candidate, Use
from storage.search.narrowing import broader
from storage.search.unwrap import unwrap
from storage.search.values import Hit
from storage.store import Store
from storage.uses import allows, is_hidden

__all__ = ["answer", "one_person", "register", "reply_as_json"]

COMMAND = "/candidate"
CHANNEL = re.compile(r"<#([A-Z0-9]+)(?:\|[^>]*)?>")
"""A channel as Slack writes it: its id is kept, since it alone is certain."""
GONE = "This person is no longer stored: the record was removed. Ask again to see who is here."


def answer(
    store: Store,
    text: str,
    *,
    asker: Asker | str,
    now: datetime,
    place: Place = TERMINAL,
    settings: Settings | None = None,
    client: WebClient | None = None,
    offset: int = 0,
    thread: str | None = None,
    bot_name: str = BOT_NAME,
) -> Reply:
    """Answer what was typed after ``/candidate``: a command of the table, else a question.

    ``asker`` is a Slack user id or ``terminal:LOGIN``, with their time zone where it is
    known. ``thread`` is where a card shared from this answer goes. Whatever cannot be
    understood is an ``error`` answer, never an exception; every question is audited.
    """
    if isinstance(asker, str):
        role = Role.ADMIN if asker.startswith("terminal:") else Role.RECRUITER
        asker = Asker(id=asker, role=role)
    question = Question(
        store=store,
        text=unwrap(text),
        asker=asker,
        now=now,
        place=place,
        settings=settings,
        client=client,
        thread=thread,
        bot_name=bot_name,
        typed=text,
    )
    question, reply = reply_to(question, offset)
    action = "page" if offset else reply.action
    number = store.audit(
        who=asker.id,
        action=action,
        place=place.channel or place.kind,
        text=question.text,
        candidate_ids=shown_by(reply),
        answered=what_it_was(question, reply, offset) if action in REPLAYED else None,
        now=now,
    )
    return numbered(reply, number, at_terminal=place.kind == TERMINAL.kind)


def reply_to(question: Question, offset: int = 0) -> tuple[Question, Reply]:
    """The reply to a text as it was typed, with the question that it was read as."""
    try:
        question = replace(question, text=as_typed(CHANNEL.sub(r"\1", question.typed)))
        earlier = None if offset else repeated(question)
        question = earlier or question
        reply = (None if offset else answer_command(question)) or search(question, offset)
        if earlier:
            note = line("Your last question: ", Code(earlier.text))
            reply = replace(reply, message=below(note, reply.message))
    except NotAllowed as trouble:
        reply = replace(refused(question.text, trouble), action="refused")
    except BotError as trouble:
        reply = refused(question.text, trouble)
    return question, reply


def search(question: Question, offset: int = 0) -> Reply:
    """The answer of a search; when it finds nobody, with the command that may have been meant."""
    found = ask(
        question.store,
        question.text,
        now=question.here,
        offset=offset,
        hidden=may_know_of_hidden(question),
    )
    about: tuple[str, ...] = ()
    if isinstance(found, NothingAnswer):
        found = told_why(question, found)
        if not (found.advice or found.did_you_mean) and (hidden := hidden_here(question)):
            found = replace(found, advice=why_hidden(hidden), clauses=(), usage=None)
            about = tuple(each.id for each in hidden)
    setting = question.card_setting if isinstance(found, CardAnswer) else question.setting
    return Reply(found, render(found, setting), about=about)


def told_why(question: Question, found: NothingAnswer) -> NothingAnswer:
    """Nobody found, with the command that was meant, or what to do instead."""
    meant = did_you_mean(question)
    advice = "" if meant else advised(question)
    clauses = found.clauses
    if advice:  # of the parts, only what is left without the command's word is worth a line
        word = question.text.split(" ", 1)[0].casefold()
        clauses = tuple(each for each in clauses if each.text.casefold() == word)
        clauses = () if is_link(question.text) else clauses
    return replace(
        found,
        did_you_mean=meant,
        usage=usage_of(question, meant),
        advice=advice,
        clauses=clauses,
    )


def hidden_here(question: Question) -> list[Candidate]:
    """Who is called so and hidden from searches: only for an admin, where nobody else reads it."""
    if not may_know_of_hidden(question):
        return []
    return question.store.hidden_called(question.text)


def may_know_of_hidden(question: Question) -> bool:
    return question.asker.admin and question.place.kind != "mention"


def why_hidden(hidden: list[Candidate]) -> str:
    if len(hidden) > 1:
        return f"{len(hidden)} people of this name are stored and shown to nobody."
    (one,) = hidden
    said = " and ".join(label(each.kind).lower() for each in one.standings) or "hidden"
    return (
        f"{one.profile.name} is stored and shown to nobody: {said}. "
        f"`/candidate lift {one.id}` ends that."
    )


def reply_as_json(reply: Reply) -> dict[str, Any]:
    """The one document that ``ask --json`` prints."""
    found = reply.answer
    hits = hits_of(found)
    return {
        "answer": kind_of(found),
        "query": found.query,
        "total": found.total if isinstance(found, ResultsAnswer) else len(hits),
        "results": [hit_as_json(hit) for hit in hits],
        "message": reply.message.plain,
        "blocks": list(reply.message.blocks),
    }


def export_as_json(store: Store, reply: Reply, *, who: str, now: datetime) -> dict[str, Any]:
    """What ``ask --json`` prints: who must not be exported is left out and counted.

    An export is audited, so that it can be named when somebody is to be forgotten.
    """
    document = reply_as_json(reply)
    hits = hits_of(reply.answer)
    allowed = [hit for hit in hits if allows(hit.candidate.standings, Use.EXPORT)]
    beside = filter(None, map(store.candidate, named_beside(reply.answer)))
    if not all(allows(each.standings, Use.EXPORT) for each in beside):
        hits, allowed = (), []
        document |= {
            "results": [],
            "message": "Left out: it compares with somebody whose record must not be exported.",
            "blocks": [],
        }
    if len(allowed) < len(hits):
        number = len(hits) - len(allowed)
        document |= {
            "results": [hit_as_json(hit) for hit in allowed],
            "message": f"{number} left out: their records must not be exported.",
            "blocks": [],
        }
    if allowed:
        store.audit(
            who=f"terminal:{who}",
            action="export",
            place="terminal",
            candidate_ids=[hit.candidate.id for hit in allowed],
            now=now,
        )
    return document


def kind_of(found: Answer) -> str:
    """``CardAnswer`` → ``card``: one of the words of the JSON document."""
    return type(found).__name__.removesuffix("Answer").lower()


def hit_as_json(hit: Hit) -> dict[str, Any]:
    profile = hit.candidate.profile
    return {
        "id": hit.candidate.id,
        "name": profile.name,
        "headline": profile.headline or " · ".join(headline_words(profile)),
        "location": profile.location.text if profile.location else "",
        "score": hit.score,
        "why": list(hit.why),
    }


# What Slack brings.


def register(edge: Edge) -> None:
    """The command, the mention, the direct message, and the buttons of their answers."""
    edge.command(COMMAND, asked)
    edge.event("app_mention", asked, first=adding.write_down)
    edge.event("message", written, first=adding.write_down)
    edge.action(starting(card_view.OPEN), opened, action="open")
    edge.action(starting(card_view.MORE), more, action="open")
    edge.action(starting("candidate.page"), paged)
    edge.action(starting(nothing_view.WITHOUT), asked_again)
    edge.action(starting(nothing_view.TRY), asked_again)
    edge.action(starting(results_view.REFINE), refined)
    edge.action(starting(AUDIT), asked_again, action="audit")
    register_sharing(edge)


def starting(action: str) -> re.Pattern[str]:
    """The pattern of a button's action id: the word itself, or it and what tells it apart."""
    return re.compile(rf"^{re.escape(action)}(\.|$)")


def asked(request: Request) -> None:
    """A question by command, mention or direct message; or a page to be added."""
    if adding.took(request):
        return
    text = without_mention(request.heard.text, request.edge.bot_user)
    if request.place.kind == "direct":
        text = as_description(text)
    reply = answer_in_slack(request, text)
    ts = request.answer(reply.message)
    named = shown_by(reply)
    if ts and named and request.place.channel:
        request.edge.store.record_posted(
            channel=request.place.channel,
            ts=ts,
            kind="answer",
            by=request.person.id,
            candidate_ids=named,
            now=request.edge.clock(),
        )


def written(request: Request) -> None:
    """A message: only direct ones of people are questions."""
    if request.place.kind != "direct" or request.heard.subtype not in PERSONAL:
        return
    asked(request)


def answer_in_slack(request: Request, text: str, *, offset: int = 0) -> Reply:
    edge = request.edge
    return answer(
        edge.store,
        text,
        asker=request.asker,
        now=edge.clock(),
        place=request.place,
        settings=edge.settings,
        client=edge.client,
        offset=offset,
        thread=digest_thread(request),
        bot_name=edge.bot_name,
    )


def digest_thread(request: Request) -> str | None:
    """The thread of the digest whose button was pressed; None elsewhere."""
    heard = request.heard
    if heard.kind != "action" or heard.ephemeral or not heard.message_ts or not heard.place.channel:
        return None
    root = heard.place.thread or heard.message_ts
    posted = request.edge.store.posted(heard.place.channel, root)
    return root if posted is not None and posted.kind == "digest" else None


def setting_of(request: Request) -> Setting:
    return Setting(
        now=request.edge.clock(),
        zone=request.zone,
        thread=digest_thread(request),
        may_share=may_somewhere(request.person, "share"),
        may_see_contacts=may_somewhere(request.person, "contact"),
        viewer=request.person.id,
    )


def opened(request: Request) -> None:
    """Open: the card, to the person who pressed alone."""
    edge, candidate_id = request.edge, request.heard.value
    candidate = edge.store.candidate(candidate_id)
    if candidate is None or is_hidden(candidate):
        request.answer(sentence(GONE if candidate is None else HIDDEN))
        return
    noted(request, candidate.id, "open")
    instead = instead_of_share(edge.client, request.place, edge.bot_name)
    setting = replace(setting_of(request), instead_of_share=instead)
    request.answer(card_view.card(candidate, setting))


def noted(request: Request, candidate_id: str, action: str) -> None:
    """Write into the audit, before it is shown, what somebody does with a person."""
    request.edge.store.audit(
        who=request.person.id,
        action=action,
        place=request.place.channel or request.place.kind,
        candidate_ids=[candidate_id],
        now=request.edge.clock(),
    )


def more(request: Request) -> None:
    """More: a modal; where Slack opens none (its three seconds are over), a private message."""
    edge, heard = request.edge, request.heard
    candidate = edge.store.candidate(heard.value)
    if candidate is None or is_hidden(candidate):
        request.answer(sentence(GONE if candidate is None else HIDDEN))
        return
    noted(request, candidate.id, "more")
    buttons = standing_buttons(candidate) if request.heard.ephemeral else ()
    message = more_view.more(candidate, setting_of(request), buttons=buttons)
    try:
        with judged():
            view = more_view.dialog(candidate.profile.name, message.blocks)
            edge.client.views_open(trigger_id=heard.trigger_id or "", view=view)
    except (LaterError, RefusedError, UncertainError):
        request.answer(more_view.more(candidate, setting_of(request), modal=False, buttons=buttons))


def paged(request: Request) -> None:
    """Next and Previous put the page in the place of the one before."""
    offset, _, query = request.heard.value.partition(" ")
    reply = answer_in_slack(
        request, query, offset=int(offset) if re.fullmatch("[0-9]{1,7}", offset) else 0
    )
    request.replace(reply.message)


def asked_again(request: Request) -> None:
    """A question that a button carries, answered in the place of the answer it stands in."""
    request.replace(answer_in_slack(request, request.heard.value).message)


def refined(request: Request) -> None:
    """A question with a condition more, whose answer has a way back to the one without it."""
    reply = answer_in_slack(request, request.heard.value)
    found, message = reply.answer, reply.message
    if isinstance(found, ResultsAnswer):
        found = replace(found, broader=broader(found.query))
        message = render(found, setting_of(request))
    request.replace(message)
