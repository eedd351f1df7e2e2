"""The one wrapper around every listener.

Before the acknowledgement, what needs no network: the team is on the list, the
event was not handled before, and there is room in our pool. Then Slack is
answered, and in the pool: the person may ask (``users.info``, kept for five
minutes), may do this in this kind of channel, and not too often; then the work. Errors are answered
here, inside, because an exception after ``ack()`` loses the acknowledgement.
A refusal is told to the person, never silent; an apology carries a reference
that also stands in the log.
"""

import re
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, tzinfo
from re import Pattern
from typing import Any

import structlog
from slack_bolt import Ack, App, BoltResponse
from slack_sdk import WebClient

from bot.logs import trace
from bot.settings import Settings
from bot.zones import zone_of
from handlers import metrics
from handlers.access.people import STRANGER, Asker, People, Person, Place, check
from handlers.access.places import Places
from handlers.access.rates import Rates
from handlers.access.refusals import told
from handlers.edge.heard import (
    Heard,
    enterprise_of,
    heard_action,
    heard_command,
    heard_event,
    heard_shortcut,
    heard_view,
    installed_in,
    states_a_team,
    teams_of,
)
from handlers.edge.pool import Pool
from handlers.edge.raising import raise_alarm
from handlers.edge.voice import Untold, Voice
from handlers.views.message import Message, people_in, sentence
from storage.errors import BotError
from storage.store import Store
from storage.undoing import Named

log = structlog.get_logger(__name__)

BUSY = "I am answering many questions at once and have no room for yours. Try again in a minute."
OTHER_TEAM = (
    "I am installed for another workspace and do not answer here. "
    "Ask an admin of this workspace to install a bot of its own."
)
UNFINISHED = timedelta(seconds=30)
"""An event that was begun so long ago and is not done was lost with its process."""
TEAM = re.compile(r"[A-Z0-9]{2,30}")
"""An id of Slack's: nothing else that a payload calls a team is worth a line of the log."""
ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"


def new_reference() -> str:
    """Six letters and digits that are hard to confuse when read aloud."""
    return "".join(secrets.choice(ALPHABET) for _ in range(6))


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A delivery that passed every check, with a voice to answer it."""

    edge: "Edge"
    heard: Heard
    person: Person
    voice: Voice

    @property
    def asker(self) -> Asker:
        return self.person.asker

    @property
    def place(self) -> Place:
        return self.heard.place

    @property
    def zone(self) -> tzinfo:
        """The zone whose days this person reads, as that of ``Question``."""
        return zone_of(self.person.timezone, self.edge.settings.digest_timezone)

    def answer(self, message: Message) -> str | None:
        return self.voice.answer(message)

    def replace(self, message: Message) -> None:
        self.voice.replace(message)

    def require(self, action: str) -> None:
        """Raises NotAllowed unless this person may do this too, here."""
        check(self.person, action, self.place, admins=self.edge.people.admins)


Work = Callable[[Request], None]
Read = Callable[[Mapping[str, Any]], Heard]
Acknowledge = Callable[[Ack], BoltResponse]
StrikeOff = Callable[[], None]
First = Callable[["Edge", Heard], StrikeOff | None]
"""Looks at a delivery before it is acknowledged. None: most work. Else it takes long and is written
down now, so that it is carried on even if this process dies, and goes to a pool of its own; what is
returned is called when the person is refused before the work begins."""


AfterRemoval = Callable[["Edge", Sequence[Named]], Sequence[Named]]


def quick(_: "Edge", __: Heard) -> None:
    """Most work: nothing is written down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """All that a feature needs; made once, in ``handlers.app``."""

    app: App
    store: Store
    settings: Settings
    clock: Callable[[], datetime]
    client: WebClient
    """Never retries: for calls that make messages."""
    people: People
    places: Places
    pool: Pool
    telling: Pool
    """A pool of its own for refusals, so that they are told when the other is full."""
    adding: Pool
    """A small pool of its own for reading what people send: questions do not wait behind it."""
    rates: Rates
    teams: frozenset[str]
    bot_user: str
    bot_name: str
    reference: Callable[[], str]
    running: "Running"
    after_removal: "AfterRemoval" = field(default=lambda _, named: named)
    """Called when people are no longer stored, with our messages that name them; edits what it can
    and returns those that still stand."""

    def command(self, name: str, work: Work, *, action: str = "ask") -> None:
        """A slash command, whichever of its letters are capitals."""
        pattern = re.compile(rf"^{re.escape(name)}$", re.IGNORECASE)
        self.app.command(pattern)(self._listener(heard_command, work, action))

    def event(self, kind: str, work: Work, *, action: str = "ask", first: First = quick) -> None:
        self.app.event(kind)(self._listener(heard_event, work, action, first))

    def action(self, pattern: Pattern[str], work: Work, *, action: str = "ask") -> None:
        self.app.action(pattern)(self._listener(heard_action, work, action))

    def shortcut(
        self, callback_id: str, work: Work, *, action: str = "ask", first: First = quick
    ) -> None:
        """An entry of a message's menu."""
        self.app.message_shortcut(callback_id)(self._listener(heard_shortcut, work, action, first))

    def view(
        self,
        callback_id: str,
        work: Work,
        *,
        action: str = "ask",
        field: str,
        first: First = quick,
    ) -> None:
        """A modal that is sent. The acknowledgement closes it, and the work goes on in a pool.

        A person who is known (lately looked up) and may not ask at all is told at the block
        ``field``; roles, places, and people who are not known are looked up afterwards.
        """
        listener = self._listener(heard_view, work, action, first)

        def submitted(ack: Ack, body: dict[str, Any]) -> BoltResponse | None:
            known = self.people.cached(str((body.get("user") or {}).get("id") or ""))
            if known is not None and known.refusal is not None:
                return ack(response_action="errors", errors={field: str(known.refusal)})
            return listener(ack, body)

        self.app.view(callback_id)(submitted)

    def carry_on(self, heard: Heard, work: Work, action: str, strike_off: StrikeOff) -> bool:
        """Take up work that was written down; False when it is in hand or there is no room."""
        if not self.running.begin(heard.key):
            return False
        began = time.perf_counter()
        if self.adding.take(lambda: self._run(heard, work, action, began, strike_off)):
            return True
        self.running.end(heard.key)
        return False

    def gate(self, body: dict[str, Any], next_: Callable[[], None]) -> BoltResponse | None:
        """Whether the delivery is of a team that may ask; anything else is refused here."""
        teams, enterprise = teams_of(body), enterprise_of(body)
        of_ours = (teams and teams <= self.teams) or (enterprise and enterprise in self.teams)
        ours_alone = not self.settings.allowed_teams and not states_a_team(body)
        if of_ours or ours_alone:  # a server of one team may leave the team out
            next_()
            return None
        metrics.REFUSED.labels("other_team").inc()
        kind = next((each for each in ("command", "actions", "event") if each in body), "other")
        known = sorted(each for each in teams if TEAM.fullmatch(each))
        log.warning("gate.other_team", teams=known, kind=kind)
        if "command" in body:
            return BoltResponse(status=200, body={"response_type": "ephemeral", "text": OTHER_TEAM})
        if "actions" in body or body.get("type") == "message_action":
            read = heard_action if "actions" in body else heard_shortcut
            self._tell_later(read(body), OTHER_TEAM)
            return BoltResponse(status=200, body="")
        if installed_in(body) & self.teams:  # a channel shared with them: there we can tell
            self._tell_later(heard_event(body), STRANGER)
            return BoltResponse(status=200, body="")
        return BoltResponse(status=403, body={"error": "team_not_allowed"})

    def _listener(
        self, read: Read, work: Work, action: str, first: First = quick
    ) -> Callable[..., BoltResponse | None]:
        def listener(ack: Ack, body: dict[str, Any]) -> BoltResponse | None:
            try:
                heard = read(body)
            except (AttributeError, IndexError, KeyError, TypeError) as error:
                metrics.REFUSED.labels("malformed").inc()
                log.warning("boundary.malformed", error=type(error).__name__, at=trace(error))
                return BoltResponse(status=400, body="malformed")
            if heard.is_nothing_to_us:
                return ack()
            if not self.running.begin(heard.key):
                log.info("boundary.again", key=heard.key)
                return ack()
            try:
                refused = self._claim(heard) or self._queue(heard, work, action, first)
            except BotError as error:  # the ledger is busy: Slack brings it again
                log.warning("boundary.ledger", error=type(error).__name__)
                refused = later
            if refused is None:
                return ack()
            self.running.end(heard.key)
            return refused(ack)

        return listener

    def _claim(self, heard: Heard) -> Acknowledge | None:
        """None when the event is ours to handle; else how a repeated one is answered.

        One that was handled is acknowledged and left. One that somebody began and
        has not finished is not acknowledged, so that Slack brings it again when it
        is clear whether that run died.
        """
        if heard.kind != "event" or heard.key is None:
            return None
        if self.store.first_delivery(heard.key, now=self.clock(), unfinished_after=UNFINISHED):
            return None
        log.info("boundary.again", key=heard.key)
        return acknowledged if self.store.delivery_was_done(heard.key) else later

    def _queue(self, heard: Heard, work: Work, action: str, first: First) -> Acknowledge | None:
        """None when the work has its place in the pool; else how a full pool is answered."""
        began = time.perf_counter()
        if strike_off := first(self, heard):
            taken = self.adding.take(lambda: self._run(heard, work, action, began, strike_off))
            return None if taken else acknowledged  # written down: the clock brings it again
        if self.pool.take(lambda: self._run(heard, work, action, began)):
            return None
        metrics.REFUSED.labels("busy").inc()
        log.warning("boundary.busy", kind=heard.kind, user=heard.user)
        if heard.kind == "command":
            return busy
        if heard.kind == "event":
            if heard.key:
                self.store.release_delivery(heard.key)
            return later
        self._tell_later(heard, BUSY)
        return acknowledged

    def _run(
        self,
        heard: Heard,
        work: Work,
        action: str,
        began: float,
        strike_off: StrikeOff | None = None,
    ) -> None:
        """The checks that need the network, then the work; whatever happens is told and counted."""
        outcome = self._work(heard, work, action, strike_off)
        metrics.COMMANDS.labels(heard.kind, outcome).inc()
        metrics.ANSWERED.labels(heard.kind).observe(time.perf_counter() - began)

    def _work(self, heard: Heard, work: Work, action: str, strike_off: StrikeOff | None) -> str:
        voice = self.voice(heard)
        with structlog.contextvars.bound_contextvars(
            kind=heard.kind, user=heard.user, action=heard.action or action
        ):
            try:
                with self._handled(heard):
                    person, placed = self.admitted(heard, action, strike_off)
                    work(Request(edge=self, heard=placed, person=person, voice=voice))
            except BotError as error:
                log.info("boundary.refused", error=type(error).__name__)
                return "refused" if self._tell(voice, told(error)) else "untold"
            except Untold as error:
                self._untold(str(error))
                return "untold"
            except Exception as error:  # noqa: BLE001 - the fence: nothing gets past it
                reference = self.reference()
                log.error(  # noqa: TRY400
                    "boundary.failed", ref=reference, error=type(error).__name__, at=trace(error)
                )
                self._tell(
                    voice,
                    sentence(
                        "Sorry, something went wrong on my side, and it is not your doing. "
                        "Try once more; if it fails again, tell whoever runs the bot: "
                        f"ref {reference}."
                    ),
                )
                return "failed"
            return "answered"

    def admitted(
        self, heard: Heard, action: str, strike_off: StrikeOff | None = None
    ) -> tuple[Person, Heard]:
        """The person and the place of a delivery, when they may do this there now.

        Raises NotAllowed or TooFast. Asks Slack for what is not remembered; who may not ask
        at all is refused first.
        """
        try:
            person = self.people.allowed(heard.user)
            placed = replace(heard, place=self.places.placed(heard.place))
            check(person, action, placed.place, admins=self.people.admins)
            self.rates.spend(person.id, now=self.clock())
        except Exception:
            if strike_off is not None:
                strike_off()
            raise
        return person, placed

    @contextmanager
    def _handled(self, heard: Heard) -> Iterator[None]:
        """Afterwards an event is recorded as done, whatever came of it: a retry is not run."""
        try:
            yield
        finally:
            try:
                if heard.kind == "event" and heard.key:
                    self.store.delivery_done(heard.key)
            finally:
                self.running.end(heard.key)

    def voice(self, heard: Heard) -> Voice:
        return Voice(
            client=self.client,
            user=heard.user,
            place=heard.place,
            response_url=heard.response_url,
            note=lambda channel, ts, message: self._remember(heard.user, channel, ts, message),
        )

    def _remember(self, user: str, channel: str, ts: str, message: Message) -> None:
        """A direct message that has buttons about people can be changed when one is forgotten."""
        people = people_in(message)
        if people:
            self.store.record_posted(
                channel=channel,
                ts=ts,
                kind="answer",
                by=user,
                candidate_ids=people,
                now=self.clock(),
            )

    def _tell(self, voice: Voice, message: Message) -> bool:
        """Whether the person was told."""
        try:
            voice.answer(message)
        except Untold as error:
            self._untold(str(error))
            return False
        return True

    def _untold(self, reason: str) -> None:
        """Somebody got no answer and cannot know why: the admins hear of it, once a day."""
        log.error("boundary.untold", reason=reason)
        now = self.clock()
        raise_alarm(
            self.store,
            about="untold",
            key=f"untold:{now:%Y-%m-%d}",
            text=f"An answer could not be delivered ({reason}); whoever asked saw nothing. "
            "There may be more today: I say this once a day. "
            "Look at the log for `boundary.untold`, and check that the app is still installed.",
            now=now,
        )

    def _tell_later(self, heard: Heard, text: str) -> None:
        def tell() -> None:
            self._tell(self.voice(heard), sentence(text))

        if not self.telling.take(tell):
            log.error("boundary.untold", reason="no room to tell a refusal")


def acknowledged(ack: Ack) -> BoltResponse:
    return ack()


def busy(ack: Ack) -> BoltResponse:
    return ack(response_type="ephemeral", text=BUSY)


def later(_: Ack) -> BoltResponse:
    """Not acknowledged: Slack delivers the event again, after a while."""
    return BoltResponse(status=503, body="")


class Running:
    """Keys of what is being handled in this process right now."""

    def __init__(self) -> None:
        self._keys: set[str] = set()
        self._lock = threading.Lock()

    def begin(self, key: str | None) -> bool:
        """True when this key was not running; now it is. None always may."""
        if key is None:
            return True
        with self._lock:
            if key in self._keys:
                return False
            self._keys.add(key)
            return True

    def end(self, key: str | None) -> None:
        if key is not None:
            with self._lock:
                self._keys.discard(key)
