"""``python -m bot forget`` and ``report``: what they say and do, without Typer."""

from collections.abc import Callable
from datetime import datetime, tzinfo

from slack_sdk import WebClient

from bot.forgetting import forget
from bot.settings import Settings
from bot.zones import zone_of
from handlers.features.records import records
from handlers.scheduled.cleaning import clean
from handlers.scheduled.sending import posting_client
from handlers.views.audit import actor
from handlers.views.dates import day
from handlers.views.forgetting import receipt
from handlers.views.text import plain
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
    zone = zone_of(settings.digest_timezone)
    return receipt_of(store, erasure.reference, clock(), zone=zone)


def receipt_of(store: Store, reference: str, now: datetime, *, zone: tzinfo) -> str:
    """A receipt as things stand now. Raises NotForgotten when there is none."""
    erasure = store.erasure(reference)
    if erasure is None:
        raise NotForgotten(
            f"There is no receipt {reference}. `.venv/bin/python -m bot forget --list` lists them."
        )
    told = receipt(erasure, now=now, zone=zone).plain
    if any(each.state == "pending" for each in erasure.cleanings):
        told += (
            "\nWhat is not done yet the bot does while it runs: it looks every 15 seconds, and "
            "tries again, after a pause, what Slack did not do."
        )
    return told


def lift(store: Store, reference: str, *, by: str, reason: str, now: datetime) -> str:
    """Let somebody be stored again. Raises NotForgotten."""
    if not reason.strip():
        raise NotForgotten("Say why with --reason: it is kept with your name and the day.")
    tombstone = store.tombstone(reference)
    if tombstone is None:
        raise NotForgotten(
            f"Nobody was forgotten under the receipt {reference}. "
            "`.venv/bin/python -m bot forget --list` lists all receipts."
        )
    if not store.lift_tombstone(reference, by=by, reason=reason, now=now):
        raise NotForgotten(f"The person of receipt {tombstone.reference} was let in again already.")
    return f"The person of receipt {tombstone.reference} may be added again."


def listing(store: Store, *, zone: tzinfo, now: datetime) -> str:
    """All receipts, a line each; they say nothing of who."""
    lines = []
    for each in store.tombstones():
        told = f"{each.reference}  {day(each.at, now=now, zone=zone)} by {plain(actor(each.by))}"
        if each.lifted_at:
            lifted = day(each.lifted_at, now=now, zone=zone)
            told += f", may be added again since {lifted}, by {plain(actor(each.lifted_by or ''))}"
        lines.append(told)
    return "\n".join(lines) or "Nobody was forgotten."


def slack_of(settings: Settings) -> WebClient | None:
    """Slack, where the settings lead there; the sandbox is reached by the running bot only."""
    if settings.mode == "sandbox" or not settings.slack_bot_token:
        return None
    return posting_client(settings.slack_bot_token, settings.slack_api_url)
