"""What became of a message that people were added from, as a receipt tells it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.loading import PersonReport
from bot.recurrence import Recurrence
from storage.errors import BotError
from storage.records import Candidate, Outcome, Subscription
from storage.store import Store

MOST_FILES: Final = 20
CHANGED: Final = (Outcome.STORED, Outcome.UPDATED)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileOutcome:
    """One file of a message: who was on it, or why it was refused.

    ``ref`` names the file in the quarantine where it was kept.
    """

    name: str
    people: tuple[PersonReport, ...] = ()
    reason: str | None = None
    ref: str | None = None
    pasted: bool = False
    """It was no file: the page stood in the message."""

    @property
    def listed(self) -> tuple[PersonReport, ...]:
        """Those who are stored now."""
        return tuple(each for each in self.people if each.id is not None)

    @property
    def refused(self) -> tuple[PersonReport, ...]:
        """Those of whom the page says too little."""
        return tuple(each for each in self.people if each.id is None and not each.limited)

    @property
    def limited(self) -> tuple[PersonReport, ...]:
        """Those who are one too many for a day."""
        return tuple(each for each in self.people if each.limited)


@dataclass(frozen=True, slots=True, kw_only=True)
class Coming:
    """A digest that is going to name people, and when it comes next."""

    subscription: Subscription
    due_at: datetime
    candidate_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """All that a receipt tells. ``candidates`` are the people on it who are stored, by id."""

    intake_id: str
    by: str
    at: datetime
    files: tuple[FileOutcome, ...]
    candidates: Mapping[str, Candidate]
    coming: tuple[Coming, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether there is anything that Undo could take back."""
        return any(each.outcome in CHANGED for file in self.files for each in file.listed)


def receipt(
    store: Store,
    intake_id: str,
    files: Sequence[FileOutcome],
    *,
    by: str,
    at: datetime,
    now: datetime,
) -> Receipt:
    """The receipt for these files, with the people as they are stored now."""
    ids = list(dict.fromkeys(each.id for file in files for each in file.listed if each.id))
    new = [
        each.id
        for file in files
        for each in file.listed
        if each.id and each.outcome is Outcome.STORED
    ]
    return Receipt(
        intake_id=intake_id,
        by=by,
        at=at,
        files=tuple(files),
        candidates={each.id: each for each in store.candidates(ids)},
        coming=coming_digests(store, new, now),
    )


def coming_digests(store: Store, ids: Sequence[str], now: datetime) -> tuple[Coming, ...]:
    """The digests that are going to name any of these people, each with its next date."""
    if not ids:
        return ()
    found = []
    for subscription in store.subscriptions():
        if not subscription.enabled:
            continue
        try:
            following = Recurrence.of(subscription).coming(now, 1)
            news = set(_news(store, subscription, now))
        except BotError:  # its zone or its query is not understood any more: its list says so
            continue
        named = tuple(each for each in ids if each in news)
        if following and named:
            found.append(
                Coming(subscription=subscription, due_at=following[0].due_at, candidate_ids=named)
            )
    return tuple(found)


def _news(store: Store, subscription: Subscription, now: datetime) -> list[str]:
    if subscription.query:
        return store.untold_matches(subscription.query, subscription.number, now=now)
    return store.untold(subscription)
