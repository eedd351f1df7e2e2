"""``job: DESCRIPTION``: a job description becomes a query that is shown."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import regex

from bot.answers import NothingAnswer
from bot.asking import searched
from bot.job import describe, is_description
from handlers.features.command import ASKING, Command
from handlers.features.question import Question, a_description
from handlers.features.replies import Reply, done
from handlers.views.answer import render
from storage.search.unwrap import unwrap_page
from storage.search.vocabulary import Vocabulary

CALLED: Final = "job: "
_CALLED: Final = regex.compile(r"\s*(?:/candidate\s+)?job\b:?\s*", regex.IGNORECASE)
EMPTY: Final = (
    "Write or paste the description behind the word: `/candidate job: DESCRIPTION`. "
    "In our direct message the description alone is enough."
)
NOTHING: Final = (
    "Nobody here has a skill that this description names, so no search comes of it. "
    "Type the two or three skills that matter most, such as `/candidate skill:cuda`."
)


def run_job(question: Question, _: str) -> Reply:
    """The people whom the description's query finds, with the query to be edited."""

    def look(phrases: Sequence[str], words: Sequence[str]) -> Vocabulary:
        return question.store.vocabulary(phrases, words, now=question.here)

    text = _CALLED.sub("", unwrap_page(question.typed or question.text), count=1)
    if not text.strip():
        return done(CALLED.strip(), EMPTY)
    description = describe(text, look)
    if description is None:
        return done(CALLED.strip(), NOTHING)
    found = searched(question.store, description.query, now=question.here)
    if isinstance(found, NothingAnswer):
        description = description.kept(lambda query: _finds(question, query))
        found = searched(question.store, description.query, now=question.here)
    answer = replace(found, notes=description.notes)
    return Reply(answer, render(answer, question.setting))


def _finds(question: Question, query: str) -> bool:
    return question.store.search(query, limit=0, now=question.here).total > 0


def as_description(text: str) -> str:
    """A message that reads as a job description, called one; any other text as it is."""
    if _CALLED.match(text) or not is_description(unwrap_page(text)):
        return text
    return CALLED + text


JOB = Command(
    word="job",
    usage="job: DESCRIPTION",
    group=ASKING,
    help="a job description becomes a search: what must hold, and what is nice to have; "
    "in a direct message to me the description alone is enough",
    parses=a_description,
    run=run_job,
    takes_a_page=True,
)
