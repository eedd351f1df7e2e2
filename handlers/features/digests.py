"""``/candidate digest …`` and ``python -m bot digest …``: the same words, the same answers.

::

    weekly monday 09:00 [Europe/Berlin] [in #channel] [for QUERY]   (daily, weekdays, mondays …)
    list                     what is subscribed, when it comes next, how the last one went
    preview [N]              what it would say now; nothing is posted
    now [N]                  post it now
    pause N, resume N, stop N

``N`` is the number in the list; it never changes. A time zone that is not typed
is the person's in Slack, else ``DIGEST_TIMEZONE``, else UTC. A channel that is
not typed is the one where it is typed. Nothing here posts: the clock does.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from rapidfuzz.distance import OSA
from slack_sdk import WebClient

from bot.digest import Digest, compose
from bot.recurrence import DAYS, Asked, Recurrence, RecurrenceError, is_schedule, parse_schedule
from bot.settings import Settings
from bot.zones import zone_of
from handlers.access.people import TERMINAL, Asker, Place
from handlers.access.places import kind_of
from handlers.access.rights import ChannelKind, Role
from handlers.features.replies import Reply, done, error
from handlers.slack.channels import channel_info, channel_typed, postable_channel
from handlers.slack.verdict import LaterError, RefusedError, UncertainError
from handlers.views.dates import moment
from handlers.views.digest import (
    Listed,
    candidates,
    channel_piece,
    preview,
    subscriptions_message,
)
from handlers.views.message import Section
from handlers.views.message import compose as compose_message
from handlers.views.text import Line, line, worded
from storage.errors import BotError, quoted
from storage.records import Subscription
from storage.search.unwrap import unwrap
from storage.store import Store

_CHANNEL_ID: Final = re.compile(
    r"(?:<#)?\b(?P<id>[CG](?=[A-Z]*\d)[A-Z0-9]{7,})\b(?:(?:\|[^>`]*)?>)?"
)
HOW_MANY_TIMES: Final = 3
SCHEDULED: Final = frozenset(("daily", "weekly", "weekday", "every", "each", *DAYS))
"""What a schedule begins with, without a plural's s."""
EVERYONE_READS: Final = (
    "Everyone in this workspace can read that channel, and so the digest: names, work, skills."
)
NOT_SENT: Final = "; what “digest now” had asked for is not sent"
"""What pausing and stopping end besides, where somebody waited for it."""


class DigestError(BotError):
    """A digest command that cannot be done; the sentence says what to type instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What was typed, by whom and where."""

    store: Store
    asker: Asker
    place: Place
    client: WebClient | None
    default_timezone: str | None
    now: datetime

    @property
    def timezone(self) -> str:
        """The zone of a schedule typed without one, as far as this machine knows it."""
        return str(zone_of(self.asker.timezone, self.default_timezone))


def command(
    store: Store,
    text: str,
    *,
    asker: Asker,
    place: Place,
    settings: Settings | None = None,
    client: WebClient | None = None,
    now: datetime,
) -> Reply:
    """The reply to what stands after ``digest``.

    ``client`` checks that the bot can post in the channel; without it (at a
    terminal) that is found out when the digest is sent.
    """
    wish = Wish(
        store=store,
        asker=asker,
        place=place,
        client=client,
        default_timezone=settings.digest_timezone if settings else None,
        now=now,
    )
    query = f"digest {text}".strip()
    word, _, rest = text.strip().partition(" ")
    try:
        if not word:
            return _list(wish, "")
        if run := COMMANDS.get(word.lower()):
            return run(wish, rest.strip())
        if near := _near(word.lower(), rest.strip()):
            raise DigestError(f"Did you mean `/candidate digest {near}`?")
        return _subscribe(wish, text)
    except RecurrenceError as problem:
        return error(query, _named(wish, whole_commands(str(problem))))
    except BotError as problem:
        return error(query, _named(wish, str(problem)))


def whole_commands(text: str) -> str:
    """A sentence about schedules with each as it is typed.

    >>> whole_commands("Did you mean `daily 09:00`?")
    'Did you mean `/candidate digest daily 09:00`?'
    """
    parts = text.split("`")
    return "`".join(
        f"/candidate digest {part}" if number % 2 else part for number, part in enumerate(parts)
    )


def _named(wish: Wish, text: str) -> str:
    """The sentence with channels by their names, where the person may know these."""
    return _CHANNEL_ID.sub(lambda found: _name_of(wish, found["id"]), text)


def _name_of(wish: Wish, channel: str) -> str:
    if wish.client is None:
        return channel
    try:
        known = channel_info(wish.client, channel)
    except (LaterError, RefusedError, UncertainError):
        return channel
    secret = known.get("is_private") and channel != wish.place.channel
    return f"#{known['name']}" if known.get("name") and not secret else channel


def from_terminal(
    store: Store, text: str, *, settings: Settings, asker: str, now: datetime
) -> Reply:
    """The same for a person at a terminal (``terminal:LOGIN``); needs no tokens and no network."""
    ensure_default(store, settings, now=now)
    person = Asker(id=asker, role=Role.ADMIN)
    return command(store, text, asker=person, place=TERMINAL, settings=settings, now=now)


def understands(text: str) -> bool:
    """Whether what stands after ``digest`` is meant for it, and is not words to search for."""
    word, _, rest = text.strip().lower().partition(" ")
    return (
        not word or word in COMMANDS or is_schedule(text) or _near(word, rest.strip()) is not None
    )


def is_typed_schedule(text: str) -> bool:
    """``weekly monday 09:00`` without ``digest`` before it: a whole schedule and nothing else."""
    first = text.split(" ", 1)[0].lower().removesuffix("s")
    if first not in SCHEDULED:
        return False
    try:
        parse_schedule(text)
    except RecurrenceError:
        return False
    return True


def ensure_default(store: Store, settings: Settings, *, now: datetime) -> Subscription | None:
    """Make or change the digest that the settings ask for. Raises RecurrenceError."""
    asked = parse_schedule(settings.digest_schedule)
    recurrence = asked.recurrence(settings.digest_timezone or "UTC")
    recurrence.coming(now, 1)  # nothing is stored that cannot be reckoned with
    channel = settings.digest_channel or None
    return store.ensure_default(
        channel=channel and channel_typed(channel).text,
        weekdays=recurrence.weekdays,
        hour=recurrence.hour,
        minute=recurrence.minute,
        timezone=recurrence.timezone,
        query=asked.query,
        since=now - recurrence.period,
        now=now,
    )


def listed(store: Store, now: datetime) -> list[Listed]:
    """All subscriptions with their next times and their last run, for the list and for Home."""
    found = []
    for each in store.subscriptions():
        trouble = ""
        following: tuple[datetime, ...] = ()
        try:
            coming = Recurrence.of(each).coming(now, HOW_MANY_TIMES)
            following = tuple(slot.due_at for slot in coming)
        except RecurrenceError as error:
            trouble = str(error)
        last = store.last_digest(each.number, now=now)
        found.append(Listed(subscription=each, following=following, last=last, trouble=trouble))
    return found


# -- one function a command -------------------------------------------------------------------


def _list(wish: Wish, _: str) -> Reply:
    message = subscriptions_message(listed(wish.store, wish.now), now=wish.now)
    return done("digest list", message.plain, message)


def _preview(wish: Wish, rest: str) -> Reply:
    subscription = _chosen(wish, rest, "preview", or_none=True)
    digest = compose(wish.store, subscription, wish.now)
    query = f"digest preview {subscription.number or ''}".strip()
    if not digest.total:
        return done(query, _nobody(wish, subscription, digest))
    message = preview(digest, subscription, now=wish.now)
    reply = done(query, message.plain, message)
    return replace(reply, action="preview", about=tuple(person.id for person in digest.people))


def _now(wish: Wish, rest: str) -> Reply:
    subscription = _chosen(wish, rest, "now")
    number = subscription.number
    if not subscription.enabled:
        raise DigestError(
            f"Digest {number} is paused. Type `/candidate digest resume {number}` first."
        )
    digest = compose(wish.store, subscription, wish.now)
    if not digest.total:
        return done(
            f"digest now {number}",
            _nobody(wish, subscription, digest) + " Not sent.",
        )
    _, is_new = wish.store.request_digest(number, now=wish.now)
    where = channel_piece(subscription.channel)
    if not is_new:
        return _told(
            f"digest now {number}", line(f"Digest {number} is on its way to ", where, " already.")
        )
    when = "when the bot runs" if wish.place.kind == "terminal" else "within half a minute"
    return _told(
        f"digest now {number}",
        line(f"Digest {number} goes to ", where, f" {when}, with {candidates(digest.total)}."),
    )


def _pause(wish: Wish, rest: str) -> Reply:
    subscription = _numbered(wish, rest, "pause")
    number = subscription.number
    asked = wish.store.pause_subscription(number)
    return done(
        f"digest pause {number}",
        f"Digest {number} is paused{NOT_SENT if asked else ''}. "
        f"`/candidate digest resume {number}` starts it again.",
    )


def _resume(wish: Wish, rest: str) -> Reply:
    subscription = _numbered(wish, rest, "resume")
    if subscription.enabled:
        return done(f"digest resume {rest}", f"Digest {subscription.number} is not paused.")
    [following] = Recurrence.of(subscription).coming(wish.now, 1)
    wish.store.resume_subscription(subscription.number, now=wish.now)
    when = moment(following.due_at, zone_of(subscription.timezone), now=wish.now)
    return done(
        f"digest resume {subscription.number}",
        f"Digest {subscription.number} goes on: next {when} ({subscription.timezone}), "
        f"with {'all of its candidates' if subscription.query else 'everyone'} added meanwhile.",
    )


def _stop(wish: Wish, rest: str) -> Reply:
    subscription = _numbered(wish, rest, "stop")
    number = subscription.number
    if subscription.key is not None:
        asked = wish.store.pause_subscription(number)
        return done(
            f"digest stop {number}",
            f"Digest {number} comes from the settings (DIGEST_CHANNEL), so it is "
            f"paused{NOT_SENT if asked else ''}: `/candidate digest resume {number}` "
            "starts it again.",
        )
    asked = wish.store.stop_subscription(number)
    return done(
        f"digest stop {number}",
        f"Digest {number} is stopped and posts nothing more{NOT_SENT if asked else ''}.",
    )


def _subscribe(wish: Wish, text: str) -> Reply:
    asked = parse_schedule(text)
    recurrence = asked.recurrence(wish.timezone)
    [first] = recurrence.coming(wish.now, 1)
    query, phrase = _understood(wish, asked)
    channel = _channel(wish, asked)
    subscription, is_new = wish.store.save_subscription(
        channel=channel,
        weekdays=recurrence.weekdays,
        hour=recurrence.hour,
        minute=recurrence.minute,
        timezone=recurrence.timezone,
        query=query,
        since=wish.now - recurrence.period,
        created_by=wish.asker.id,
        now=wish.now,
    )
    number = subscription.number
    whom = f"new candidates {phrase}" if phrase else "all new candidates"
    readers = [line(EVERYONE_READS)] if _is_public(wish, channel) else []
    what = line(f"{recurrence.english} in ", channel_piece(channel), f", {whom}")
    if not is_new:
        state = (
            ""
            if subscription.enabled
            else f" It is paused: `/candidate digest resume {number}` starts it again."
        )
        return _told(
            f"digest {text}",
            line(f"That is digest {number} already: ", what, ".", *worded(state)),
        )
    zone = zone_of(recurrence.timezone)
    so_far = compose(wish.store, subscription, wish.now).total
    again = (
        [line("Whom another digest told of may come again: each number remembers its own people.")]
        if so_far and number > 1
        else []
    )
    return _told(
        f"digest {text}",
        line(f"Digest {number}: ", what, "."),
        line(
            f"First {moment(first.due_at, zone, now=wish.now)}, with "
            f"{'all of these' if phrase else 'everyone'} added since "
            f"{moment(subscription.since, zone, now=wish.now)} ({candidates(so_far)} so far)."
        ),
        *again,
        *readers,
        worded(
            f"`/candidate digest preview {number}` shows it, `/candidate digest now {number}` "
            f"sends it, `/candidate digest stop {number}` ends it."
        ),
    )


COMMANDS: Final[Mapping[str, Callable[[Wish, str], Reply]]] = {
    "list": _list,
    "preview": _preview,
    "now": _now,
    "pause": _pause,
    "resume": _resume,
    "stop": _stop,
}


ALSO: Final[Mapping[str, str]] = {
    word: command
    for command, words in {
        "list": ("show", "status", "all", "next"),
        "preview": ("see", "view", "test", "try"),
        "now": ("send", "resend", "post", "run", "again"),
        "pause": ("hold", "wait", "mute"),
        "resume": ("continue", "unpause", "restart", "start"),
        "stop": ("end", "cancel", "delete", "remove", "unsubscribe", "off"),
    }.items()
    for word in words
}
"""What people type instead: it is asked whether they meant the command."""


# -- what they need ---------------------------------------------------------------------------


def _told(query: str, *lines: Line) -> Reply:
    message = compose_message([Section(lines)])
    return done(query, message.plain, message)


def _understood(wish: Wish, asked: Asked) -> tuple[str, str]:
    """The query as understood and in English. Raises QueryError when it cannot be read."""
    if not asked.query:
        return "", ""
    page = wish.store.search(unwrap(asked.query), limit=1, now=wish.now)
    return page.query, page.phrase


def _channel(wish: Wish, asked: Asked) -> str:
    typed = asked.channel or wish.place.channel
    if typed is None:
        raise DigestError(
            "Say which channel the digest is for: "
            f"`/candidate digest {asked.recurrence(wish.timezone).typed} in #hiring`."
        )
    if wish.client is None:
        return channel_typed(typed).text
    return postable_channel(wish.client, typed, asker=wish.asker.id, here=wish.place.channel)


def _is_public(wish: Wish, channel: str) -> bool:
    """Whether everyone in the workspace can read the channel, as far as Slack says."""
    if wish.client is None or channel.startswith("D"):
        return False
    try:
        return kind_of(channel_info(wish.client, channel)) is ChannelKind.PUBLIC
    except (LaterError, RefusedError, UncertainError):
        return True  # said once too often rather than not at all


def _chosen(wish: Wish, rest: str, verb: str, *, or_none: bool = False) -> Subscription:
    """The subscription of the number typed; without one, the only one there is or that is here."""
    if rest:
        return _numbered(wish, rest, verb)
    there = wish.store.subscriptions()
    here = [each for each in there if each.channel == wish.place.channel]
    for few in (there, here):
        if len(few) == 1:
            return few[0]
    if there:
        numbers = ", ".join(str(each.number) for each in there)
        raise DigestError(
            f"There are several digests ({numbers}). Say which: "
            f"`/candidate digest {verb} {there[0].number}`."
        )
    if or_none:
        return _everyone(wish)
    raise DigestError(
        "No digest is subscribed. Start one: `/candidate digest weekly monday 09:00 in #hiring`."
    )


def _numbered(wish: Wish, rest: str, verb: str) -> Subscription:
    there = wish.store.subscriptions()
    found = re.fullmatch(r"(?:#|no\.? ?)?(\d{1,9})", rest, re.IGNORECASE)
    for each in there:
        if found and each.number == int(found[1]):
            return each
    if not there:
        raise DigestError(
            "No digest is subscribed. Start one: "
            "`/candidate digest weekly monday 09:00 in #hiring`."
        )
    numbers = ", ".join(str(each.number) for each in there)
    asked = f"There is no digest “{quoted(rest)}”" if rest else "Say which digest"
    raise DigestError(
        f"{asked}: there {'are' if len(there) > 1 else 'is'} {numbers}. "
        f"Type `/candidate digest {verb} {there[0].number}`."
    )


def _everyone(wish: Wish) -> Subscription:
    """What a weekly digest of everyone would be, while none is subscribed."""
    recurrence = Recurrence((1,), 9, 0, wish.timezone)
    return Subscription(
        number=0,
        channel=wish.place.channel or "#hiring",
        weekdays=recurrence.weekdays,
        hour=recurrence.hour,
        minute=recurrence.minute,
        timezone=recurrence.timezone,
        since=wish.now - recurrence.period,
        created_by=wish.asker.id,
        created_at=wish.now,
        active_from=wish.now,
    )


def _nobody(wish: Wish, subscription: Subscription, digest: Digest) -> str:
    when = moment(digest.since, zone_of(subscription.timezone), now=wish.now)
    whom = f"Nobody new {digest.phrase}".strip()
    return f"{whom} since {when} ({subscription.timezone})."


def _near(word: str, rest: str) -> str | None:
    """The command that a word is a mistyping or another word of, when the rest fits a command."""
    if is_schedule(word) or not re.fullmatch(r"\d*", rest):
        return None
    if also := ALSO.get(word):
        return f"{also} {rest}".strip()
    near = min(COMMANDS, key=lambda name: OSA.distance(word, name))
    return f"{near} {rest}".strip() if OSA.distance(word, near) <= 2 < len(word) else None
