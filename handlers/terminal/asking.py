"""Questions asked at a terminal, which has no buttons: later pages are asked for by number."""

from datetime import datetime

from bot.answers import Answer, ResultsAnswer
from bot.settings import Settings
from handlers.features.candidate import answer
from handlers.features.replies import Reply, error
from storage.store import Store


def asked(
    store: Store, text: str, *, page: int = 1, asker: str, now: datetime, settings: Settings
) -> Reply:
    """The reply to a question, or a later page of its results (the first is 1).

    ``asker`` is ``terminal:LOGIN``. A page that there is not is an ``error`` answer.
    """
    reply = answer(store, text, asker=asker, now=now, settings=settings)
    found = reply.answer
    if page == 1:
        return reply
    if not isinstance(found, ResultsAnswer) or not 1 <= page <= pages(found):
        last = pages(found)
        have = "1 page" if last == 1 else f"{last:,} pages"
        return error(found.query, f"There is no page {page:,}: this answer has {have}.")
    return answer(
        store,
        found.query,
        asker=asker,
        now=now,
        settings=settings,
        offset=(page - 1) * found.limit,
    )


def pages(found: Answer) -> int:
    """How many pages an answer has."""
    return -(-found.total // found.limit) if isinstance(found, ResultsAnswer) else 1
