"""An answer once it is given: whom it shows, and the number by which it can be replayed."""

from dataclasses import replace
from typing import Final

from bot.answers import (
    Answer,
    CardAnswer,
    ChoiceAnswer,
    ComparisonAnswer,
    NothingAnswer,
    ResultsAnswer,
)
from handlers.features.describing import JOB
from handlers.features.question import Question
from handlers.features.replies import Reply
from handlers.views.message import with_last
from storage.records import Answered
from storage.search.ranking import VERSION
from storage.search.values import Hit

REPLAYED: Final = ("ask", "page")
"""Actions of the audit that may be answers about people."""


def hits_of(found: Answer) -> tuple[Hit, ...]:
    """The people an answer names."""
    match found:
        case CardAnswer(hit=hit):
            return (hit,)
        case ChoiceAnswer(hits=hits) | ResultsAnswer(hits=hits) | ComparisonAnswer(hits=hits):
            return hits
        case _:
            return ()


def shown_by(reply: Reply) -> list[str]:
    """Ids of the people whom a reply shows."""
    found = [hit.candidate.id for hit in hits_of(reply.answer)]
    return list(dict.fromkeys([*found, *named_beside(reply.answer), *reply.about]))


def named_beside(found: Answer) -> tuple[str, ...]:
    """Ids of people whom an answer names beside those it finds.

    They are those whom others are similar to, and those whose names read alike.
    """
    match found:
        case ResultsAnswer(about=about) | NothingAnswer(about=about):
            return about
        case CardAnswer(also=also) | ChoiceAnswer(also=also):
            return tuple(hit.candidate.id for hit in also)
        case _:
            return ()


def what_it_was(question: Question, reply: Reply, offset: int) -> Answered | None:
    """What is kept of an answer about people, so that it can be replayed; None for any other.

    A job description is read by its lines, which are not kept.
    """
    found = reply.answer
    if isinstance(found, NothingAnswer):
        total = 0
    elif isinstance(found, ResultsAnswer):
        total = found.total
    else:
        total = len(hits_of(found))
        if not total:
            return None
    if question.text.lower().startswith((f"{JOB.word}:", f"{JOB.word} ")):
        return None
    return Answered(
        ranking=VERSION,
        zone=str(question.zone),
        start=offset,
        people=len(hits_of(found)),
        total=total,
    )


def numbered(reply: Reply, number: int, *, at_terminal: bool) -> Reply:
    """The reply with its number, which stands at its end where people can be told apart by it.

    In Slack only a list says it: a card is shared and looked at for what is on it.
    """
    found, message = reply.answer, reply.message
    about_people = isinstance(found, ResultsAnswer | NothingAnswer) or bool(hits_of(found))
    if isinstance(found, ResultsAnswer) or (at_terminal and about_people):
        message = with_last(f"Answer {number}", message, aside=at_terminal)
    return replace(reply, message=message, number=number)
