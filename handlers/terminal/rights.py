"""``python -m bot forget`` and ``report``: what they say and do, without Typer."""

from collections.abc import Callable
from datetime import datetime

from slack_sdk import WebClient

from bot.forgetting import forget
from bot.settings import Settings
from handlers.features.records import records
from handlers.scheduled.cleaning import clean
from handlers.scheduled.sending import posting_client
from handlers.views.forgetting import receipt
from storage.errors import BotError
from storage.records import Candidate
from storage.store import Store


class NotForgotten(BotError):
    """Nobody was forgotten; the sentence says why and what to type."""


def the_one(store: Store, who: str) -> tuple[Candidate | None, list[Candidate]]:
    """Whom the words mean, hidden people too; else None and those it could be."""
    found = records(store, who, hidden=True)
    return (found[0], []) if len(found) == 1 else (None, found)


def forget_and_tell(
    store: Store,
    candidate_id: str,
    *,
    by: str,
    reason: str,
    settings: Settings,
    clock: Callable[[], datetime],
) -> str:
    """Forget, clean what can be cleaned from here, and return the receipt for a terminal."""
    erasure = forget(
        store,
        candidate_id,
        by=by,
        place="terminal",
        reason=reason,
        inbox=settings.inbox,
        now=clock(),
    )
    clean(store, slack_of(settings), clock, erasure_id=erasure.id)
    return receipt_of(store, erasure.reference, clock())


def receipt_of(store: Store, reference: str, now: datetime) -> str:
    """A receipt as things stand now. Raises NotForgotten when there is none."""
    erasure = store.erasure(reference)
    if erasure is None:
        raise NotForgotten(
            f"There is no receipt {reference}. `.venv/bin/python -m bot forget --list` lists them."
        )
    told = receipt(erasure, now=now).plain
    if any(each.state == "pending" for each in erasure.cleanings):
        told += "\nThe running bot does what is still to be tried; it looks every 15 seconds."
    return told


def lift(store: Store, reference: str, *, by: str, reason: str, now: datetime) -> str:
    """Let somebody be stored again. Raises NotForgotten."""
    if not reason.strip():
        raise NotForgotten("Say why with --reason: it is kept with your name and the day.")
    tombstone = store.tombstone(reference)
    if tombstone is None:
        raise NotForgotten(f"There is no tombstone {reference}: see forget --list.")
    if not store.lift_tombstone(reference, by=by, reason=reason, now=now):
        raise NotForgotten(f"{tombstone.reference} was lifted already.")
    return f"{tombstone.reference} is lifted: the person may be added again."


def listing(store: Store) -> str:
    """All tombstones, a line each; they say nothing of who."""
    lines = []
    for each in store.tombstones():
        lifted = f", lifted {each.lifted_at:%Y-%m-%d} by {each.lifted_by}" if each.lifted_at else ""
        lines.append(f"{each.reference}  {each.at:%Y-%m-%d} by {each.by}{lifted}")
    return "\n".join(lines) or "Nobody was forgotten."


def slack_of(settings: Settings) -> WebClient | None:
    """Slack, where the settings lead there; the sandbox is reached by the running bot only."""
    if settings.mode == "sandbox" or not settings.slack_bot_token:
        return None
    return posting_client(settings.slack_bot_token, settings.slack_api_url)
