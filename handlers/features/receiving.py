"""The work of an intake: a sign of work, each file fetched and read, the receipt.

In the direct message the sign of work is a message that becomes the receipt
(changing it twice is changing it once); elsewhere both are for the person alone,
and the receipt is sent by whoever claims it.
"""

import hashlib
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import structlog

from bot.adding import MOST_FILES, FileOutcome, receipt
from bot.loading import MOST_IN_MESSAGE, FileReport, content_steps
from handlers.edge.boundary import ALPHABET, Request
from handlers.edge.heard import SentFile
from handlers.edge.voice import Untold
from handlers.slack.downloads import NotFetched, described, fetch, shown_name
from handlers.slack.verdict import LaterError, RefusedError, UncertainError, judged
from handlers.views import receipt as receipt_view
from handlers.views.card import Setting
from handlers.views.message import Message
from storage.intakes import LEASE, Intake

log = structlog.get_logger(__name__)

VIA: Final = "slack"
PASTED: Final = "message"
"""What a pasted page is called: a name that is no sign of who is on it."""
HELD: Final = 30.0
"""Seconds between two signs that the work goes on."""
REF: Final = 6
AGAIN: Final = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A file, or a page that was pasted."""

    file: SentFile | None = None
    text: str | None = None

    @property
    def name(self) -> str:
        if self.file is None:
            return "the page"
        return shown_name(self.file.name) if self.file.name else ""


def receive(request: Request, intake: Intake, pieces: Sequence[Piece]) -> None:
    """Add the people of these files and tell what became of each. Raises Untold."""
    edge = request.edge
    ts = intake.receipt_ts
    if ts is None and not edge.store.delivery_was_done(claim_of(intake)):
        ts = sign_of_work(request, intake, pieces)
    outcomes: list[FileOutcome] = []
    for number, piece in enumerate(pieces[:MOST_FILES]):
        left = MOST_IN_MESSAGE - sum(len(each.people) for each in outcomes)
        outcomes.append(outcome(request, intake, piece, number, most=left))
        edge.store.hold_intake(intake.id, now=edge.clock())
    if len(pieces) > MOST_FILES:
        reason = f"A message may bring {MOST_FILES} files. Send the others in another one."
        outcomes.append(FileOutcome(name=f"{len(pieces) - MOST_FILES} more files", reason=reason))
    now = edge.clock()
    value = receipt(
        edge.store, intake.id, unambiguous(outcomes), by=intake.by, at=intake.at, now=now
    )
    setting = Setting(now=now, zone=request.zone)
    tell(request, intake, ts, receipt_view.receipt(value, setting), tuple(value.candidates))


def sign_of_work(request: Request, intake: Intake, pieces: Sequence[Piece]) -> str | None:
    """Say at once that it is being read; the timestamp where that message becomes the receipt."""
    try:
        ts = request.answer(receipt_view.reading([each.name for each in pieces], len(pieces)))
    except Untold as trouble:  # the receipt is what matters
        log.info("receipt.no_sign", reason=str(trouble))
        return None
    if ts is not None:
        request.edge.store.note_receipt(intake.id, ts)
    return ts


def outcome(
    request: Request, intake: Intake, piece: Piece, number: int, *, most: int
) -> FileOutcome:
    """Fetch, read and store one file; whatever is wrong with it is its own outcome."""
    edge = request.edge
    try:
        if piece.file is None:
            name, content = PASTED, (piece.text or "").encode("utf-8", "replace")
        else:
            file = described(edge.client, piece.file.id)
            name, content = file.name, fetch(file, edge.client)
    except NotFetched as reason:
        return FileOutcome(name=piece.name or "a file", reason=str(reason))
    report = stored(request, intake, name, content, most=most)
    shown = piece.name if piece.file is None else name
    kept = FileOutcome(
        name=shown, people=report.people, reason=report.reason, pasted=piece.file is None
    )
    if report.reason is None or not report.worth_keeping:
        return kept
    ref = reference(intake.id, number)
    edge.store.keep_refused(
        ref,
        content,
        name=name,
        reason=report.reason,
        by=intake.by,
        via=VIA,
        now=edge.clock(),
    )
    return replace(kept, ref=ref)


def stored(request: Request, intake: Intake, name: str, content: bytes, *, most: int) -> FileReport:
    """Read the content and store its people, and say now and then that this goes on."""
    edge = request.edge
    cap = edge.settings.daily_cap
    steps = content_steps(
        lambda profile, document, now: edge.store.add_to_intake(
            intake.id, profile, document, daily_cap=cap, now=now
        ),
        name,
        content,
        added_by=intake.by,
        added_via=VIA,
        clock=edge.clock,
        most=most,
    )
    held = time.monotonic()
    while True:
        try:
            next(steps)
        except StopIteration as end:
            report: FileReport = end.value
            return report
        if time.monotonic() - held > HELD:
            held = time.monotonic()
            edge.store.hold_intake(intake.id, now=edge.clock())


def unambiguous(outcomes: Sequence[FileOutcome]) -> list[FileOutcome]:
    """Files of one name are told apart by a number."""
    named = Counter(each.name for each in outcomes)
    seen: Counter[str] = Counter()
    told = []
    for each in outcomes:
        seen[each.name] += 1
        again = named[each.name] > 1
        name = f"{each.name} ({seen[each.name]})" if again else each.name
        told.append(replace(each, name=name))
    return told


def reference(intake_id: str, number: int) -> str:
    """What a refused file of an intake is called: easy to read out, the same each time.

    >>> reference("a" * 32, 0) == reference("a" * 32, 0) != reference("a" * 32, 1)
    True
    """
    value = int.from_bytes(hashlib.sha256(f"{intake_id}:{number}".encode()).digest()[:8], "big")
    letters = ""
    for _ in range(REF):
        value, place = divmod(value, len(ALPHABET))
        letters += ALPHABET[place]
    return letters


def claim_of(intake: Intake) -> str:
    return f"receipt:{intake.id}"


def tell(
    request: Request, intake: Intake, ts: str | None, message: Message, ids: Sequence[str]
) -> None:
    """Send the receipt, once. Raises Untold when it certainly reached nobody."""
    store, now = request.edge.store, request.edge.clock()
    claim = claim_of(intake)
    if not store.first_delivery(claim, now=now, unfinished_after=LEASE):
        return
    try:
        if ts is None or not changed(request, ts, message):
            ts = request.answer(message)
    except BaseException:
        store.release_delivery(claim)
        raise
    if ts and request.place.channel:
        store.record_posted(
            channel=request.place.channel,
            ts=ts,
            kind="receipt",
            by=intake.by,
            candidate_ids=ids,
            now=now,
        )
    store.delivery_done(claim)


def changed(request: Request, ts: str, message: Message) -> bool:
    """Whether our message at ``ts`` now is this one. Doing it twice does no harm."""
    for left in (1, 0):
        try:
            with judged():
                request.edge.client.chat_update(
                    channel=request.place.channel or "", ts=ts, **message.post()
                )
        except RefusedError as refused:
            log.info("receipt.not_changed", code=refused.code)
            return False
        except (LaterError, UncertainError) as trouble:
            if not left:
                log.info("receipt.not_changed", reason=str(trouble))
                return False
            time.sleep(min(trouble.seconds, 10) if isinstance(trouble, LaterError) else AGAIN)
        else:
            return True
    return False
