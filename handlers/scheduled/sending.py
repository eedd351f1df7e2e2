"""Sending digests: each once, on time, never lost.

A tick writes the slots that have come due and sends what it can claim. Any
number of processes may tick. The order of a claim:

1. claim (owner, lease, attempt + 1), then freeze what is said and whom it tells of;
2. ask what the channel has become: nobody is named where another company reads;
3. claimed before: look in the channel for our own message carrying this run's id;
4. a post that might not be answered within the lease is not begun;
5. post it without whoever was removed meanwhile, with the run's id as a mark and
   without any retry of the library;
6. record it, if the claim is still ours.

Slack said when to come again → the run is let go until then. Slack refuses →
the run has failed, and the owner is told. Nobody knows whether Slack did it →
the lease runs out, and whoever comes next looks first. What was posted twice
all the same, because Slack was slower than the lease, a sweep deletes.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import structlog
from slack_sdk import WebClient

from bot.digest import Digest, compose, digest_from_payload, digest_to_payload, sign_of_life
from bot.recurrence import Recurrence
from handlers.slack.channels import require_fit, resolved_channel
from handlers.slack.marks import is_marked, marked, payload_of
from handlers.slack.verdict import (
    LaterError,
    RefusedError,
    UncertainError,
    judged,
    listed,
    timestamp,
)
from handlers.views.digest import digest_message
from storage.dialects.dialect import DatabaseTrouble
from storage.errors import BotError
from storage.records import DigestPart, DigestRun, RunState, Subscription
from storage.store import Store
from storage.subscriptions import NOW_PREFIX

log = structlog.get_logger(__name__)

DAY: Final = timedelta(days=1)
LEASE: Final = timedelta(seconds=180)
TIMEOUT: Final = timedelta(seconds=10)
"""How long one call to Slack may take."""
EVENT: Final = "candidate_digest"
BEFORE: Final = timedelta(seconds=60)
"""Slack's clock and ours differ: messages are looked for from this long before the first claim."""
AFTER: Final = timedelta(hours=1)
"""How long after a run ended a message of it may still appear."""
PACE: Final = 1.1
"""Seconds between two messages: Slack takes about one a second in a channel."""
SIGN_OF_LIFE: Final = 4
"""After so many empty slots one line says that the digest runs."""


def posting_client(
    token: str, base_url: str, timeout: float = TIMEOUT.total_seconds()
) -> WebClient:
    """A client for ``tick`` and ``sweep``: it gives up in time and never repeats a call."""
    return WebClient(
        token=token,
        base_url=base_url,
        timeout=timeout,  # type: ignore[arg-type]  # urllib takes fractions of a second
        retry_handlers=[],
    )


def nothing(_: str) -> None:
    """The step of a sender that nobody watches."""


def never() -> bool:
    return False


def tick(
    store: Store,
    client: WebClient,
    clock: Callable[[], datetime],
    *,
    lease: timedelta = LEASE,
    timeout: timedelta = TIMEOUT,
    pause: Callable[[float], object] = time.sleep,
    step: Callable[[str], None] = nothing,
    stopping: Callable[[], bool] = never,
) -> None:
    """Write the slots that have come due, and send all that can be claimed.

    ``pause`` waits some seconds, ``step`` hears of each step before it is taken,
    ``stopping`` says that the program ends: what is not begun is then let go.
    """
    write_due_slots(store, clock())
    sender = Sender(store, client, clock, lease, timeout, pause, step, stopping)
    while not stopping() and (run := store.claim_digest(now=clock(), lease=lease)):
        sender.send(run)


def write_due_slots(store: Store, now: datetime) -> None:
    """Write what has come due since the last slot of each digest that is not paused."""
    for subscription in store.subscriptions():
        if not subscription.enabled:
            continue
        try:
            _write_slots(store, subscription, now)
        except DatabaseTrouble:
            raise
        except BotError as error:  # one that cannot be reckoned with stops no other
            log.error(  # noqa: TRY400 - the sentence says all
                "digest without slots", digest=subscription.number, error=type(error).__name__
            )


def _write_slots(store: Store, subscription: Subscription, now: datetime) -> None:
    last, after = store.last_slot(subscription.number, now=now), subscription.active_from
    if last is not None:  # two days: a date begins up to that long before it does in UTC
        after = max(after, datetime.fromisoformat(last).replace(tzinfo=UTC) - 2 * DAY)
    due = Recurrence.of(subscription).due(after, now)
    slots = [(slot.day, slot.due_at) for slot in due if slot.day > (last or "")]
    store.write_slots(subscription.number, slots, now=now)


@dataclass(frozen=True, slots=True)
class Sender:
    """Sends runs that were claimed; see the module for the order."""

    store: Store
    client: WebClient
    clock: Callable[[], datetime]
    lease: timedelta
    timeout: timedelta
    pause: Callable[[float], object]
    step: Callable[[str], None]
    stopping: Callable[[], bool]

    def send(self, run: DigestRun) -> None:
        """Send the run, or leave it in a state from which it will be."""
        logged = log.bind(run=run.id, digest=run.subscription.number, attempt=run.attempt)
        self.step("claimed")
        try:
            channel = resolved_channel(self.store, self.client, run.subscription, self.clock)
            frozen = self._frozen(run)
            if frozen is not None and any(part.ts is None for part in frozen.parts):
                self.clock()
                require_fit(self.client, channel)
            if frozen is not None and self._post_parts(frozen, channel):
                self.step("settle")
                self.store.digest_posted(frozen, now=self.clock())
                logged.info("digest posted", people=frozen.people, parts=len(frozen.parts))
        except LaterError as later:
            until = self.clock() + timedelta(seconds=later.seconds)
            self.store.release_digest(run, until=until)
            logged.warning("digest waits", seconds=later.seconds)
        except RefusedError as refused:
            self.store.digest_failed(run, refused.code, now=self.clock())
            logged.warning("digest failed", error=refused.code)
        except UncertainError as uncertain:
            logged.warning("digest uncertain", reason=str(uncertain))

    def _frozen(self, run: DigestRun) -> DigestRun | None:
        """The run with what it says; None when there is nothing to send, or not by us."""
        if run.parts:
            return run
        subscription, now = run.subscription, self.clock()
        try:
            digest = compose(self.store, subscription, now, self.clock)
        except DatabaseTrouble:
            raise
        except BotError as error:  # the query can no longer be read
            raise RefusedError(str(error)) from error
        if not digest.total:
            by_hand = run.slot.startswith(NOW_PREFIX)
            empties = self.store.empty_slots(subscription.number, now=now) + 1
            if by_hand or empties < SIGN_OF_LIFE:
                self.step("empty")
                self.store.digest_empty(run, now=now)
                return None
            digest = sign_of_life(self.store, digest, empties)
        self.step("freeze")
        return self.store.freeze_digest(run, parts=digest.told, payload=digest_to_payload(digest))

    def _post_parts(self, run: DigestRun, channel: str) -> bool:
        """Post what is not recorded yet; True when all of it is."""
        until = run.lease_until or self.clock()
        thread: str | None = None
        for part in run.parts:
            ts = part.ts
            if ts is None:
                ts = self._found(run, part, channel, thread)
            if ts is None:
                if thread is not None:
                    self.pause(PACE)
                if self.stopping():
                    self.store.release_digest(run, until=self.clock())
                    return False
                if self.clock() + self.timeout > until:
                    return False  # the answer might come after the lease: the next claim posts
                self.step(f"post {part.number}")
                digest = self._to_tell(run)
                if digest is None:
                    return False
                message = digest_message(digest, part.number, now=self.clock()).post()
                message["blocks"] = marked(message["blocks"], mark(run, part))
                with judged():
                    posted = self.client.chat_postMessage(
                        channel=channel,
                        thread_ts=thread,
                        metadata={"event_type": EVENT, "event_payload": identity(run, part)},
                        unfurl_links=False,
                        unfurl_media=False,
                        **message,
                    )
                ts = timestamp(posted)
            if part.ts is None:
                self.step(f"record {part.number}")
                now = self.clock()
                if not self.store.digest_part_posted(
                    run,
                    part.number,
                    channel=channel,
                    ts=ts,
                    by=run.subscription.created_by,
                    now=now,
                    lease=self.lease,
                ):
                    return False
                until = now + self.lease
            thread = thread or ts
        return True

    def _to_tell(self, run: DigestRun) -> Digest | None:
        """What was frozen, without whoever was removed since; None when nothing is to be posted."""
        there = self.store.digest_run(run.id)
        if there is None or there.state is not RunState.CLAIMED or there.owner != run.owner:
            return None
        digest = digest_from_payload(there.payload or "")
        if digest.total or digest.empties or any(part.ts for part in there.parts):
            return digest
        self.step("empty")
        self.store.digest_empty(run, now=self.clock())
        return None

    def _found(
        self, run: DigestRun, part: DigestPart, channel: str, thread: str | None
    ) -> str | None:
        """The message of this part that an earlier claim posted without recording it."""
        if run.attempt < 2:
            return None
        self.step(f"look {part.number}")
        found = messages_of(self.client, self.clock, run, part, channel, thread)
        return min(found, default=None)


def identity(run: DigestRun, part: DigestPart) -> dict[str, Any]:
    """What the metadata of a message says: ids only, since everyone in the channel reads it."""
    return {"run": run.id} if part.number == 0 else {"run": run.id, "part": part.number}


def mark(run: DigestRun, part: DigestPart) -> str:
    """The same as the id of a block, for where metadata is not shown."""
    return f"{EVENT}:{run.id}:{part.number}"


def messages_of(
    client: WebClient,
    clock: Callable[[], datetime],
    run: DigestRun,
    part: DigestPart,
    channel: str,
    thread: str | None,
) -> Iterator[str]:
    """Timestamps of all messages of ours that carry this part's identity."""
    first = run.first_claim_at or run.due_at
    wanted = identity(run, part)
    until = run.settled_at + AFTER if run.settled_at else None
    for message in _said(client, clock, channel, thread, since=first - BEFORE, until=until):
        if not message.get("bot_id", True):
            continue
        if payload_of(message, EVENT) == wanted or is_marked(message, mark(run, part)):
            yield str(message["ts"])


def _said(
    client: WebClient,
    clock: Callable[[], datetime],
    channel: str,
    thread: str | None,
    *,
    since: datetime,
    until: datetime | None,
) -> Iterator[dict[str, Any]]:
    """What was said in a channel, or in a thread of it, in that time."""
    cursor = None
    while True:
        asked: dict[str, Any] = {
            "channel": channel,
            "oldest": f"{since.timestamp():.6f}",
            "latest": f"{until.timestamp():.6f}" if until else None,
            "include_all_metadata": True,
            "limit": 200,
            "cursor": cursor,
        }
        clock()  # each page shows that we move
        with judged():
            answer = (
                client.conversations_history(**asked)
                if thread is None
                else client.conversations_replies(ts=thread, **asked)
            )
        yield from listed(answer, "messages")
        cursor = (answer.get("response_metadata") or {}).get("next_cursor")
        if not cursor:
            return
