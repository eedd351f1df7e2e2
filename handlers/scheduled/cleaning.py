"""After somebody was forgotten or hidden: their messages in Slack change, their files go.

Works off the list that the erasure or the mark left (``storage.cleanings``), each entry on
its own, so that it may be killed between any two. A message is read, written
back without the person, and deleted where Slack does not let us write. What
Slack does not do now is tried again, for three days; what it never will is an
alarm to the admins, who can delete the message by hand.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

import structlog
from slack_sdk import WebClient

from bot.forgetting import REFUSED_FILE, remove_file
from bot.logs import trace
from handlers.slack.verdict import LaterError, RefusedError, UncertainError, judged, listed
from handlers.views.cleaned import HIDDEN, NOT_TO_CONTACT, REMOVED, whole, without
from storage.cleanings import Cleaning
from storage.records import Candidate, Use
from storage.store import Store
from storage.uses import allows, is_hidden

log = structlog.get_logger(__name__)

LEASE: Final = timedelta(minutes=2)
SHARE: Final = timedelta(seconds=20)
"""How long one call may take: digests, or the person who pressed, wait behind it."""
PATIENCE: Final = timedelta(days=3)
"""How long what Slack does not do is tried again."""
LONGEST: Final = timedelta(hours=1)
"""The longest pause between two tries."""
GONE: Final = frozenset({"message_not_found", "thread_not_found"})
NEVER: Final = frozenset({"channel_not_found", "is_archived", "not_in_channel"})
"""Codes for which deleting would fail as changing did."""

OUR_TOKEN: Final = frozenset(
    {"account_inactive", "invalid_auth", "not_authed", "token_expired", "token_revoked"}
)
"""Codes that say nothing of the message: whoever runs the bot mends the token."""


def clean(
    store: Store,
    client: WebClient | None,
    clock: Callable[[], datetime],
    *,
    erasure_id: str | None = None,
    step: Callable[[str], None] = lambda _: None,
    share: timedelta = SHARE,
) -> None:
    """Do what is due, of one erasure or of all, for about ``share``; the rest waits.

    Without a client, all but messages: these are left to whoever has one, at once. When Slack
    asks to slow down, no more of it is done.
    """
    deadline = clock() + share
    left: list[Cleaning] = []
    while clock() < deadline and (
        cleaning := store.claim_cleaning(now=clock(), lease=LEASE, erasure_id=erasure_id)
    ):
        step(f"claimed {cleaning.kind}")
        if cleaning.kind == "message" and client is None:
            left.append(cleaning)
            continue
        try:
            outcome = _clean_one(store, client, cleaning, step)
        except LaterError as later:
            until = clock() + timedelta(seconds=later.seconds)
            store.clean_later(cleaning, until=until, outcome="ratelimited")
            return
        except RefusedError as refused:
            settle = _try_again if refused.code in OUR_TOKEN else _give_up
            settle(store, cleaning, refused.code, clock())
        except (UncertainError, OSError) as trouble:
            _try_again(store, cleaning, type(trouble).__name__, clock())
        except Exception as error:  # noqa: BLE001 - the fence: one that fails stops no other
            log.error("cleaning.failed", error=type(error).__name__, at=trace(error))  # noqa: TRY400
            _try_again(store, cleaning, type(error).__name__, clock())
        else:
            step(f"{outcome} {cleaning.kind}")
            store.cleaned(cleaning, outcome, now=clock())
            log.info("cleaned", what=cleaning.kind, outcome=outcome, ref=cleaning.erasure_id[:8])
    for each in left:
        store.clean_later(each, until=clock(), outcome="no Slack here")


def tick(store: Store, client: WebClient, clock: Callable[[], datetime]) -> None:
    """For the clock: the file of tombstones is whole, and what is due is cleaned."""
    store.keep_tombstones()
    look_after(store, clock)
    clean(store, client, clock)


def look_after(store: Store, clock: Callable[[], datetime]) -> None:
    """A file that was to be seen to by hand, and is gone, is forgotten too: its name may tell."""
    waiting = store.by_hand()
    refused = store.refused_ids() if waiting else []
    for each in waiting:
        if each.place.startswith(REFUSED_FILE):
            there = any(id_.startswith(each.place.removeprefix(REFUSED_FILE)) for id_ in refused)
        else:
            there = Path(each.place).exists()
        if not there:
            store.cleaned(each, "gone", now=clock())


def _clean_one(
    store: Store, client: WebClient | None, cleaning: Cleaning, step: Callable[[str], None]
) -> str:
    if cleaning.kind == "file":
        return remove_file(cleaning.place)
    if cleaning.kind == "message" and client is not None:
        stored = store.candidate(cleaning.person_id)
        if stored is not None and allows(stored.standings, Use.SHARE):
            return "shown again"  # the mark was lifted meanwhile
        return _clean_message(store, client, cleaning, _instead_of(stored), step)
    store.scrub()
    return "wiped"


def _instead_of(stored: Candidate | None) -> str:
    if stored is None:
        return REMOVED
    return HIDDEN if is_hidden(stored) else NOT_TO_CONTACT


def _clean_message(
    store: Store,
    client: WebClient,
    cleaning: Cleaning,
    instead: str,
    step: Callable[[str], None],
) -> str:
    try:
        there = _message(client, cleaning.place, cleaning.ts)
    except RefusedError as refused:
        if refused.code in GONE:
            return "gone"
        changed = whole(instead)  # it cannot be read: nothing of it stays
    else:
        if there is None:
            return "gone"
        named = without(there, cleaning.person_id, store.naming(cleaning.mark), instead)
        if named is None:
            return "named nobody"
        changed = named
    step("change message")
    try:
        with judged():
            client.chat_update(channel=cleaning.place, ts=cleaning.ts, **changed.post())
    except RefusedError as refused:
        if refused.code in GONE:
            return "gone"
        if refused.code in NEVER:
            raise
        return _delete(client, cleaning, step)
    return "replaced" if changed == whole(instead) else "edited"


def _delete(client: WebClient, cleaning: Cleaning, step: Callable[[str], None]) -> str:
    step("delete message")
    try:
        with judged():
            client.chat_delete(channel=cleaning.place, ts=cleaning.ts)
    except RefusedError as refused:
        if refused.code in GONE:
            return "gone"
        raise
    return "deleted"


def _message(client: WebClient, channel: str, ts: str) -> dict[str, Any] | None:
    """The message as it stands, in the channel or in a thread; None when there is none."""
    with judged():
        found = client.conversations_replies(
            channel=channel, ts=ts, oldest=ts, latest=ts, inclusive=True, limit=10
        )
    for message in listed(found, "messages"):
        if message.get("ts") == ts:
            return dict(message)
    return None


def _try_again(store: Store, cleaning: Cleaning, reason: str, now: datetime) -> None:
    if now - cleaning.at > PATIENCE:
        _give_up(store, cleaning, reason, now)
        return
    pause = min(timedelta(minutes=2 ** min(cleaning.attempts - 1, 6)), LONGEST)
    store.clean_later(cleaning, until=now + pause, outcome=reason)


def _give_up(store: Store, cleaning: Cleaning, reason: str, now: datetime) -> None:
    store.clean_failed(cleaning, reason)
    log.error("cleaning.given_up", what=cleaning.kind, reason=reason, ref=cleaning.erasure_id[:8])
    stored = store.candidate(cleaning.person_id) is not None
    who = "is not to be shown any more" if stored else "was forgotten"
    what = (
        f"A message of mine in <#{cleaning.place}> (ts {cleaning.ts}) names somebody who {who}, "
        f"and Slack does not let me change it ({reason}). Delete it by hand."
        if cleaning.kind == "message"
        else f"Something of somebody who {who} could not be cleaned ({reason})."
    )
    receipt = f" `/candidate forget {cleaning.erasure_id[:8]}` shows the receipt."
    store.raise_alarm(
        key=f"cleaning:{cleaning.id}",
        audience="admins",
        text=what if stored else f"{what}{receipt}",
        now=now,
    )
