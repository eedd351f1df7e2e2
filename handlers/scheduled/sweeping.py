"""After the digests: extra messages go, missing ones raise an alarm, failures are told.

Ten minutes and a day after a run ended, everything in the channel that carries
its id and is not what the ledger recorded is deleted. A posted run whose
message is gone, and a run that is still without one, are alarms in the log.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

import structlog
from slack_sdk import WebClient

from handlers.scheduled.sending import messages_of
from handlers.slack.channels import channel_typed
from handlers.slack.groups import GroupsUnknown
from handlers.slack.telling import Admins, tell
from handlers.slack.verdict import LaterError, RefusedError, UncertainError, judged
from handlers.views.digest import failure_message
from storage.records import DigestRun, RunState, Subscription
from storage.store import Store

log = structlog.get_logger(__name__)

NOTICE_LEASE: Final = timedelta(minutes=2)
GONE: Final = frozenset({"message_not_found", "thread_not_found"})


def sweep(store: Store, client: WebClient, clock: Callable[[], datetime]) -> None:
    """Delete what is there twice, and raise alarms for what is not there at all."""
    for run in store.digests_overdue(now=clock()):
        log.error("digest overdue", run=run.id, digest=run.subscription.number, attempt=run.attempt)
    for run in store.digests_to_sweep(now=clock()):
        try:
            _sweep_run(store, client, clock, run)
        except LaterError:
            return  # Slack is busy: all that is left waits for the next sweep
        except UncertainError:
            continue
        except RefusedError as refused:  # the channel cannot be read: nothing to be done there
            log.warning("digest not swept", run=run.id, error=refused.code)
        store.digest_swept(run.id, now=clock())


def tell_failures(
    store: Store, client: WebClient, clock: Callable[[], datetime], admins: Admins
) -> None:
    """Tell whoever made a digest, or the admins for the one of the settings, that it failed."""
    while run := store.claim_notice(now=clock(), lease=NOTICE_LEASE):
        try:
            owners = owners_of(run.subscription, admins)
        except GroupsUnknown as unknown:
            log.warning("a failure waits", run=run.id, error=unknown.code)
            return
        if not owners:
            log.error("nobody to tell of a failed digest", run=run.id, error=run.error)
        if not tell(client, clock, owners, failure_message(run)):
            return  # told again after the notice's lease
        store.notice_given(run.id, now=clock())


def owners_of(subscription: Subscription, admins: Admins) -> tuple[str, ...]:
    """Whom a failure concerns: the person who made the digest, else the admins.

    Raises GroupsUnknown.
    """
    person = subscription.created_by
    return (person,) if person.startswith(("U", "W")) else tuple(admins())


def _sweep_run(
    store: Store, client: WebClient, clock: Callable[[], datetime], run: DigestRun
) -> None:
    channel = run.subscription.channel
    if not channel_typed(channel).is_id:
        return  # a name that Slack did not know: nothing can have been posted
    thread: str | None = None
    for part in run.parts:
        if part.number and thread is None:
            return
        try:
            there = set(messages_of(client, clock, run, part, channel, thread))
        except RefusedError as refused:
            if refused.code not in GONE:
                raise
            there = set()
        for extra in sorted(there - {part.ts}):
            clock()
            _delete(client, channel, extra, run)
        posted = store.posted(channel, part.ts) if part.ts else None
        withdrawn = posted is not None and posted.withdrawn_at is not None
        if run.state is RunState.POSTED and part.ts not in there and not withdrawn:
            log.error("digest missing", run=run.id, part=part.number, ts=part.ts)
        thread = thread or part.ts


def _delete(client: WebClient, channel: str, ts: str, run: DigestRun) -> None:
    try:
        with judged():
            client.chat_delete(channel=channel, ts=ts)
    except RefusedError as refused:
        log.warning("an extra message stays", run=run.id, ts=ts, error=refused.code)
    else:
        log.warning("an extra message was deleted", run=run.id, ts=ts)
