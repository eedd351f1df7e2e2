"""``/candidate forget``: the question, then the erasure, the cleaning and the receipt.

An admin names a person, or a receipt by its reference. Only the button forgets, after
Slack has asked once more.
"""

import re
from dataclasses import replace

from bot.forgetting import forget
from handlers.edge.boundary import Edge, Request
from handlers.features.question import Question
from handlers.features.records import names_a_record, records, taken_for
from handlers.features.replies import Reply, done
from handlers.scheduled.cleaning import clean
from handlers.views.forgetting import FORGET, receipt
from handlers.views.forgetting import question as asked

SHORTEST = 6
"""Digits of a receipt's reference that mean it."""


def names_a_record_or_receipt(question: Question, rest: str) -> bool:
    return names_a_record(question, rest) or _is_reference(question, rest)


def run_forget(question: Question, rest: str) -> Reply:
    if _is_reference(question, rest):
        erasure = question.store.erasure(rest)
        if erasure is not None:
            message = receipt(erasure, now=question.now, zone=question.zone)
            return done(f"forget {rest}", message.plain, message)
    if question.place.kind == "terminal":
        return done(f"forget {rest}", f"Use: `.venv/bin/python -m bot forget {rest}`")
    people = records(question.store, rest, hidden=True)
    message = asked(people, rest, taken_for=taken_for(question.store, rest))
    reply = done(f"forget {rest}", message.plain, message)
    return replace(reply, about=tuple(each.id for each in people))


def _is_reference(question: Question, rest: str) -> bool:
    return (
        question.asker.admin
        and len(rest) >= SHORTEST
        and all(letter in "0123456789abcdef" for letter in rest.lower())
        and question.store.erasure(rest) is not None
    )


def register(edge: Edge) -> None:
    edge.action(re.compile(rf"^{re.escape(FORGET)}(\.|$)"), pressed, action="forget")


def pressed(request: Request) -> None:
    """Erase, clean what can be cleaned at once, and put the receipt in the question's place."""
    edge = request.edge
    erasure = forget(
        edge.store,
        request.heard.value,
        by=request.person.id,
        place=request.place.channel or request.place.kind,
        inbox=edge.settings.inbox,
        now=edge.clock(),
    )
    clean(edge.store, edge.client, edge.clock, erasure_id=erasure.id)
    told = edge.store.erasure(erasure.reference) or erasure
    request.replace(receipt(told, now=edge.clock(), zone=request.zone))
