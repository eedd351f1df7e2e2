"""Share in channel: a card for everyone there, recorded, and taken back by Withdraw.

Before a card is posted Slack is asked what the channel is: a public one is
asked about once more, one shared with another company is refused, and where the bot
is no member the answer says how to invite it. A card is shared once however
often the button is pressed: the claim in the ledger is by person, message and
candidate. When Slack does not say whether it took the message, it is looked for
by the claim's key in its metadata before anything is said.
"""

import hashlib
import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import structlog

from handlers.boundary import Edge, Request
from handlers.channels import ARCHIVED, NOT_THERE, SHARED, channel_info, unfit
from handlers.verdict import LaterError, RefusedError, UncertainError, judged
from handlers.views.card import CONFIRM, KEEP, SHARE, WITHDRAW, Setting, shared_card
from handlers.views.dates import zone_of
from handlers.views.message import Actions, Button, Context, Message, Section, compose, sentence
from handlers.views.text import Bold, Channel, Mention, line
from storage.errors import BotError
from storage.records import Candidate, PostedMessage

log = structlog.get_logger(__name__)

CLAIM = timedelta(minutes=2)
CLAIMED = "share:"
GONE = "This person is no longer stored: the record was removed, so there is no card to share."
EVENT = "candidate_card"
NOT_HERE = frozenset({"channel_not_found", "not_in_channel"})


class CannotShare(BotError):
    """A card that may not or cannot be posted; the sentence says why and what to do."""


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
    key = claim_key(request, wanted.candidate_id)
    wanted = Share(candidate_id=wanted.candidate_id, thread=wanted.thread, key=key)
    candidate = request.edge.store.candidate(wanted.candidate_id)
    if candidate is None:
        raise CannotShare(GONE)
    channel = channel_of(request)
    if request.edge.store.delivery_was_done(key):
        raise CannotShare("You shared this card here already. Its Withdraw button takes it back.")
    if is_public(channel):
        request.answer(question(candidate, wanted, channel))
        return
    post(request, candidate, wanted)


def confirmed(request: Request) -> None:
    """Share was pressed once more, in the question that a public channel makes."""
    wanted = Share.read(request.heard.value)
    candidate = request.edge.store.candidate(wanted.candidate_id)
    if candidate is None:
        request.replace(sentence(GONE))
        return
    channel_of(request)
    post(request, candidate, wanted)


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


def claim_key(request: Request, candidate_id: str) -> str:
    """The same for every press of one card's button by one person, and nobody's data."""
    heard = request.heard
    told = f"{heard.user}:{heard.place.channel}:{heard.message_ts}:{candidate_id}"
    return f"{CLAIMED}{hashlib.sha256(told.encode()).hexdigest()[:32]}"


def channel_of(request: Request) -> dict[str, Any]:
    """What Slack knows of the channel. Raises CannotShare where a card may not stand."""
    channel_id = request.place.channel or ""
    if not channel_id:
        raise CannotShare("There is no channel here. Ask in the channel where the card should be.")
    try:
        channel = channel_info(request.edge.client, channel_id)
    except (LaterError, RefusedError, UncertainError) as trouble:
        if isinstance(trouble, RefusedError) and trouble.code in NOT_HERE:
            raise CannotShare(_not_here(request)) from trouble
        raise CannotShare(
            "Slack did not tell me what kind of channel this is, so I shared nothing. "
            "Try again in a minute."
        ) from trouble
    check(request, channel)
    return channel


def check(request: Request, channel: dict[str, Any]) -> None:
    """Whether a card may stand in this channel. Raises CannotShare with the reason."""
    if channel.get("is_im"):
        raise CannotShare(
            "This is our direct message, so there is nobody to share with. Ask for the person "
            "in the channel where the card should be, and press Share there."
        )
    reason = unfit(channel)
    if reason == SHARED:
        raise CannotShare(
            "This channel is shared with another company, so I post no candidates here. "
            "Share the card in a channel of your own."
        )
    if reason == ARCHIVED:
        raise CannotShare("This channel is archived, so nothing can be posted here.")
    if reason == NOT_THERE:
        raise CannotShare(_not_here(request))


def is_public(channel: dict[str, Any]) -> bool:
    return not (channel.get("is_private") or channel.get("is_mpim") or channel.get("is_group"))


def question(candidate: Candidate, wanted: Share, channel: dict[str, Any]) -> Message:
    """The question before a card is posted where the whole workspace can read it."""
    return compose(
        [
            Section(
                [
                    line(
                        "Share the card of ",
                        Bold(candidate.profile.name),
                        " in ",
                        Channel(str(channel.get("id")), channel.get("name")),
                        "?",
                    ),
                    line("Everyone in this workspace can read a public channel."),
                ]
            ),
            Actions(
                [
                    Button(
                        text="Share",
                        action=f"{CONFIRM}.{candidate.id}",
                        value=wanted.value,
                        style="primary",
                    ),
                    Button(text="Keep private", action=f"{KEEP}.{candidate.id}", value="keep"),
                ]
            ),
        ]
    )


def post(request: Request, candidate: Candidate, wanted: Share) -> None:
    """Post the card once, record it, and say so in the place of the button's message."""
    edge, channel = request.edge, request.place.channel or ""
    key = wanted.key or claim_key(request, candidate.id)
    if not edge.store.first_delivery(key, now=edge.clock(), unfinished_after=CLAIM):
        raise CannotShare(
            "You shared this card here already. Its Withdraw button takes it back."
            if edge.store.delivery_was_done(key)
            else "I am already sharing this card. Look in the channel in a moment."
        )
    setting = Setting(now=edge.clock(), zone=zone_of(request.person.timezone))
    message = shared_card(candidate, setting, by=request.person.id, key=key)
    try:
        ts = earlier(edge, channel=channel, thread=wanted.thread, key=key) or send(
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


def earlier(edge: Edge, *, channel: str, thread: str | None, key: str) -> str | None:
    """The card that a run which died after posting has left, if Slack shows it."""
    since = (edge.clock() - timedelta(hours=1)).timestamp()
    try:
        return find(edge, channel=channel, thread=thread, key=key, oldest=f"{since:.6f}")
    except CannotShare:  # nobody knows: most likely there is none
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
        return str(posted["ts"])
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
    except (LaterError, RefusedError, UncertainError) as trouble:
        raise CannotShare(
            "Slack did not answer, so I do not know whether the card was posted. Look in the "
            "channel before you press Share again."
        ) from trouble
    for message in found["messages"]:
        metadata = message.get("metadata") or {}
        if (metadata.get("event_payload") or {}).get("key") == key:
            known = edge.store.posted(channel, str(message["ts"]))
            if known is None or known.withdrawn_at is None:
                return str(message["ts"])
    return None


def _not_here(request: Request) -> str:
    if (request.place.channel or "").startswith("D"):
        return (
            "I cannot post in a direct message between people. Ask for the person in a channel "
            "that I am in, and press Share there."
        )
    return (
        f"I am not in this channel, so I cannot post here. Type `/invite @{request.edge.bot_name}` "
        "here, then press Share again."
    )
