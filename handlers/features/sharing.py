"""Share in channel: a card for everyone there, recorded, and taken back by Withdraw.

Before a card is posted Slack is asked what the channel is: a public one is
asked about once more and shows what ``handlers.access.policy`` says, one shared with another
company is refused, and where the bot is no member the answer says how to invite it.
A card is shared once however often and on however many copies of it the button is
pressed: the claim in the ledger is by person, place and candidate. When Slack does not
say whether it took the message, it is looked for by the claim's key, which its metadata
and its Withdraw button carry, before anything is said.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import structlog

from handlers.access.places import kind_of
from handlers.access.policy import Shows, shows
from handlers.access.rights import NOBODY_TO_SHARE_WITH, ChannelKind
from handlers.edge.boundary import Edge, Request
from handlers.features.records import HIDDEN
from handlers.features.shareable import NOT_HERE, CannotShare, channel_for_card
from handlers.slack.marks import blocks_of, payload_of
from handlers.slack.verdict import (
    LaterError,
    RefusedError,
    UncertainError,
    judged,
    listed,
    timestamp,
)
from handlers.views.card import CONFIRM, KEEP, SHARE, WITHDRAW, Setting, shared_card
from handlers.views.dates import moment
from handlers.views.message import Context, Message, Section, compose, sentence
from handlers.views.sharing import redacted_card, share_question
from handlers.views.standing import standing_lines
from handlers.views.text import Bold, Mention, line, plain
from storage.records import Candidate, PostedMessage, Use
from storage.uses import allows, is_hidden

log = structlog.get_logger(__name__)

CLAIM = timedelta(minutes=2)
CLAIMED = "share:"
GONE = "This person is no longer stored: the record was removed, so there is no card to share."
EVENT = "candidate_card"


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """What the buttons carry: ``CANDIDATE [THREAD|-] [KEY]``, ids only."""

    candidate_id: str
    thread: str | None = None
    key: str | None = None

    @classmethod
    def read(cls, value: str) -> "Share":
        candidate_id, thread, key, *_ = [*value.split(" "), "", "", ""]
        return cls(
            candidate_id=candidate_id,
            thread=thread if thread not in {"", "-"} else None,
            key=key or None,
        )

    @property
    def value(self) -> str:
        return f"{self.candidate_id} {self.thread or '-'} {self.key or ''}".strip()


def register(edge: Edge) -> None:
    for action, work, right in (
        (SHARE, share, "share"),
        (CONFIRM, confirmed, "share"),
        (KEEP, kept, "ask"),
        (WITHDRAW, withdraw, "withdraw"),
    ):
        edge.action(re.compile(rf"^{re.escape(action)}(\.|$)"), work, action=right)


def share(request: Request) -> None:
    """Share in channel was pressed on a private card."""
    wanted = Share.read(request.heard.value)
    wanted = replace(wanted, key=claim_key(request, wanted))
    candidate = shareable(request, wanted.candidate_id)
    channel = channel_of(request)
    if already := shared_before(request, candidate.id, wanted):
        raise CannotShare(already)
    what = shown_in(request, channel)
    if kind_of(channel) is not ChannelKind.PRIVATE:
        request.answer(
            share_question(candidate, channel, value=wanted.value, whole=what is Shows.WHOLE)
        )
        return
    post(request, candidate, wanted, what)


def shareable(request: Request, candidate_id: str) -> Candidate:
    """The person, when they may be shared. Raises CannotShare with why not."""
    candidate = request.edge.store.candidate(candidate_id)
    if candidate is None:
        raise CannotShare(GONE)
    if is_hidden(candidate):
        raise CannotShare(HIDDEN)
    if not allows(candidate.standings, Use.SHARE):
        setting = Setting(now=request.edge.clock(), zone=request.zone)
        why = ", and ".join(plain(each) for each in standing_lines(candidate, setting))
        raise CannotShare(f"This card is not shared: {why}.")
    return candidate


def confirmed(request: Request) -> None:
    """Share was pressed once more, in the question that a public channel makes."""
    wanted = Share.read(request.heard.value)
    try:
        candidate = shareable(request, wanted.candidate_id)
    except CannotShare as reason:
        request.replace(sentence(str(reason)))
        return
    post(request, candidate, wanted, shown_in(request, channel_of(request)))


def kept(request: Request) -> None:
    """Keep private: the question goes away, nothing is posted."""
    request.voice.remove()


def withdraw(request: Request) -> None:
    """Withdraw on a shared card: the message keeps its place and says who took it back."""
    edge, heard = request.edge, request.heard
    posted = edge.store.posted(heard.place.channel or "", heard.message_ts or "")
    if posted is None:
        raise CannotShare(
            "I have no record of this message, so I cannot take it back. "
            "Its author's workspace admins can delete it."
        )
    if posted.withdrawn_at is not None:
        raise CannotShare("This card was withdrawn already.")
    message = compose(
        [Context([line("A candidate card was withdrawn by ", Mention(request.person.id))])],
        text="A candidate card was withdrawn.",
    )
    take_back(edge, posted, message)
    if edge.store.withdraw(posted.id, now=edge.clock()):
        if heard.value.startswith(CLAIMED):
            edge.store.forget_delivery(heard.value)
        edge.store.audit(
            who=request.person.id,
            action="withdraw",
            place=posted.channel,
            candidate_ids=posted.candidate_ids,
            now=edge.clock(),
        )


def take_back(edge: Edge, posted: PostedMessage, message: Message) -> None:
    """Put the message in the card's place. Raises CannotShare unless it certainly stands there."""
    try:
        with judged():
            edge.client.chat_update(channel=posted.channel, ts=posted.ts, **message.post())
    except RefusedError as refused:
        if refused.code != "message_not_found":  # somebody deleted it: it is taken back
            raise CannotShare(
                f"Slack did not let me take the card back ({refused.code}). "
                "Delete the message in Slack, or ask an admin of this workspace to."
            ) from refused
    except (LaterError, UncertainError) as error:
        # what was changed already may be changed again: nothing is doubled
        raise CannotShare(
            "Slack did not say whether the card is taken back. Press Withdraw once more."
        ) from error


def claim_key(request: Request, wanted: Share) -> str:
    """The same for every copy of one person's card in one place, and nobody's data."""
    heard = request.heard
    told = f"{heard.user}:{heard.place.channel}:{wanted.thread or ''}:{wanted.candidate_id}"
    return f"{CLAIMED}{hashlib.sha256(told.encode()).hexdigest()[:32]}"


def channel_of(request: Request) -> dict[str, Any]:
    """What Slack knows of the channel. Raises CannotShare where a card may not stand."""
    return channel_for_card(request.edge.client, request.place.channel, request.edge.bot_name)


def shared_before(request: Request, candidate_id: str, wanted: Share) -> str:
    """That this person's card stands here already, and since when; empty when none does.

    One that was withdrawn, or that somebody deleted in Slack, may be shared again.
    """
    edge, key = request.edge, claim_key(request, wanted)
    if not edge.store.delivery_was_done(key):
        return ""
    for posted in reversed(edge.store.posted_about(candidate_id)):
        mine = posted.kind == "card" and posted.by == request.person.id
        if mine and posted.channel == request.place.channel and stands(edge, posted, wanted.thread):
            at = moment(posted.posted_at, request.zone, now=edge.clock())
            return f"You shared this card here already, on {at}. Its Withdraw button takes it back."
    edge.store.forget_delivery(key)
    return ""


def stands(edge: Edge, posted: PostedMessage, thread: str | None) -> bool:
    """Whether the message is there (in that thread); True when Slack does not say."""
    exactly: dict[str, Any] = {"oldest": posted.ts, "latest": posted.ts, "inclusive": True}
    try:
        with judged():
            if thread:
                found = edge.client.conversations_replies(
                    channel=posted.channel, ts=thread, **exactly
                )
            else:
                found = edge.client.conversations_history(channel=posted.channel, **exactly)
        messages = listed(found, "messages")
    except (LaterError, RefusedError, UncertainError):
        return True
    return any(message.get("ts") == posted.ts for message in messages)


def shown_in(request: Request, channel: dict[str, Any]) -> Shows:
    """What of a card the channel shows. Raises CannotShare where that is nothing."""
    found = shows(channel, request.edge.settings.full_card_channels)
    if found is Shows.NOTHING:
        raise CannotShare(NOBODY_TO_SHARE_WITH)
    return found


def post(request: Request, candidate: Candidate, wanted: Share, what: Shows) -> None:
    """Post what the channel shows of the card once, record it, and say so where the button was."""
    edge, channel = request.edge, request.place.channel or ""
    key = claim_key(request, wanted)
    if already := shared_before(request, candidate.id, wanted):
        raise CannotShare(already)
    died = edge.store.delivery_was_begun(key)
    if not edge.store.first_delivery(key, now=edge.clock(), unfinished_after=CLAIM):
        raise CannotShare("I am already sharing this card. Look in the channel in a moment.")
    setting = Setting(now=edge.clock(), zone=request.zone)
    if what is Shows.WHOLE:
        message = shared_card(candidate, setting, by=request.person.id, key=key)
    else:
        message = redacted_card(candidate, by=request.person.id, key=key)
    try:
        ts = earlier(edge, channel=channel, thread=wanted.thread, key=key, certain=died) or send(
            edge, message, channel=channel, thread=wanted.thread, key=key
        )
    except CannotShare:
        edge.store.release_delivery(key)
        raise
    edge.store.record_posted(
        channel=channel,
        ts=ts,
        kind="card",
        by=request.person.id,
        candidate_ids=[candidate.id],
        now=edge.clock(),
    )
    edge.store.audit(
        who=request.person.id,
        action="share",
        place=channel,
        text=what.value,
        candidate_ids=[candidate.id],
        now=edge.clock(),
    )
    edge.store.delivery_done(key)  # last: killed before it, another press does all of this again
    where = "in the digest's thread" if wanted.thread else "in this channel"
    request.replace(
        compose(
            [
                Section(
                    [
                        line(
                            "Shared the card of ",
                            Bold(candidate.profile.name),
                            f" {where}. Withdraw, under it, takes it back.",
                        )
                    ]
                )
            ]
        )
    )


def earlier(edge: Edge, *, channel: str, thread: str | None, key: str, certain: bool) -> str | None:
    """The card that a run which died after posting has left, if Slack shows it.

    With ``certain`` a run did die: raises CannotShare where Slack does not say what it left.
    """
    since = (edge.clock() - timedelta(hours=1)).timestamp()
    try:
        return find(edge, channel=channel, thread=thread, key=key, oldest=f"{since:.6f}")
    except CannotShare:
        if certain:
            raise
        return None


def send(edge: Edge, message: Message, *, channel: str, thread: str | None, key: str) -> str:
    """Post it and return its timestamp. Raises CannotShare when it certainly is not there."""
    started = edge.clock()
    try:
        with judged():
            posted = edge.client.chat_postMessage(
                channel=channel,
                thread_ts=thread,
                unfurl_links=False,
                unfurl_media=False,
                metadata={"event_type": EVENT, "event_payload": {"key": key}},
                **message.post(),
            )
        return timestamp(posted)
    except LaterError as later:
        raise CannotShare(
            "Slack asks me to slow down. Nothing was posted: press Share again in a minute."
        ) from later
    except RefusedError as refused:
        if refused.code in NOT_HERE:
            raise CannotShare(
                f"I am not in this channel. Type `/invite @{edge.bot_name}` here, then press "
                "Share again."
            ) from refused
        raise CannotShare(
            f"Slack did not take the card ({refused.code}). Nothing was posted."
        ) from refused
    except UncertainError as uncertain:
        log.warning("share.unclear", reason=str(uncertain))
    since = (started - timedelta(seconds=60)).timestamp()
    found = find(edge, channel=channel, thread=thread, key=key, oldest=f"{since:.6f}")
    if found is None:
        raise CannotShare(
            "Slack did not answer, and the card is not in the channel. Press Share again."
        )
    return found


def find(edge: Edge, *, channel: str, thread: str | None, key: str, oldest: str) -> str | None:
    """The timestamp of our standing message with this key. Raises CannotShare when nobody knows."""
    asked: dict[str, Any] = {"oldest": oldest, "include_all_metadata": True, "limit": 100}
    try:
        with judged():
            if thread:
                found = edge.client.conversations_replies(channel=channel, ts=thread, **asked)
            else:
                found = edge.client.conversations_history(channel=channel, **asked)
        messages = listed(found, "messages")
    except (LaterError, RefusedError, UncertainError) as trouble:
        raise CannotShare(
            "Slack did not answer, so I do not know whether the card was posted. Look in the "
            "channel before you press Share again."
        ) from trouble
    for message in messages:
        if carries(message, key):
            known = edge.store.posted(channel, str(message["ts"]))
            if known is None or known.withdrawn_at is None:
                return str(message["ts"])
    return None


def carries(message: Mapping[str, Any], key: str) -> bool:
    """Whether a message is the card of this claim: by its metadata, or else by its Withdraw.

    Not every server shows metadata. A card that was withdrawn has no such button.
    """
    if payload_of(message, EVENT).get("key") == key:
        return True
    return any(
        str(button.get("action_id")).startswith(WITHDRAW) and button.get("value") == key
        for block in blocks_of(message)
        for button in block.get("elements") or ()
        if block.get("type") == "actions"
    )
