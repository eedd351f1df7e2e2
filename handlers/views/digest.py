"""A digest as its messages, a list of subscriptions, and what is said of a failed one."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from bot.digest import Digest, Newcomer
from bot.recurrence import Recurrence
from bot.zones import zone_of
from handlers.views.card import added_by, counts, open_button, repository, take_up_button
from handlers.views.dates import day, moment, period
from handlers.views.message import Actions, Context, Header, Message, Part, Section, compose
from handlers.views.text import Bold, Channel, Code, Either, Italic, Line, join, line
from storage.records import DigestRun, RunState, Subscription

REMOVED = "Those who stood here were removed from the store before this was posted."
START = "/candidate digest weekly monday 09:00 in #hiring"
IN_TEXT = 10
"""Names in the readable text, which notifications show."""


def digest_message(digest: Digest, part: int, *, now: datetime) -> Message:
    """The digest's message of this number: 0 for the channel, others for its thread."""
    if digest.empties:
        return _sign_of_life(digest, now)
    return _first_message(digest, now) if part == 0 else _thread_message(digest, part, now)


def preview(digest: Digest, subscription: Subscription, *, now: datetime) -> Message:
    """The message as it would be posted, under a line that says so; its thread is counted."""
    if not digest.number:  # nothing comes next while nothing is subscribed
        digest = dataclasses.replace(digest, following=None)
    first = digest_message(digest, 0, now=now)
    where = (
        line(
            f"Digest {digest.number} as it would be posted now in ",
            channel_piece(subscription.channel),
        )
        if digest.number
        else line(
            "No digest is subscribed yet; a weekly one would begin like this. Start it: ",
            Code(START),
        )
    )
    top = compose([Context([where])])
    below = [digest_message(digest, part, now=now) for part in range(1, len(digest.parts))]
    return Message(
        text=first.text,
        blocks=(*top.blocks, *first.blocks),
        plain="\n".join(each.plain for each in (top, first, *below)),
        terminal="\n".join(each.terminal for each in (top, first, *below)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A subscription with what is known of it: the next times, and the last run."""

    subscription: Subscription
    following: tuple[datetime, ...]
    last: DigestRun | None
    trouble: str = ""
    """Why it does not come any more, and what to do."""


def subscriptions_parts(listed: Sequence[Listed], *, now: datetime) -> list[Part]:
    """Each subscription: what, where, the next three times, the last run and its count."""
    parts: list[Part] = []
    for each in listed:
        subscription = each.subscription
        zone = zone_of(subscription.timezone)
        following = ", ".join(moment(at, zone, now=now) for at in each.following)
        waiting = (
            line(f"Next: {following}")
            if subscription.enabled
            else line(
                "Paused. To start it again: ",
                Code(f"/candidate digest resume {subscription.number}"),
            )
        )
        if each.trouble:
            waiting = line(each.trouble, " ", Code(f"/candidate digest stop {subscription.number}"))
        parts.append(Section([title(subscription), waiting, line(last_run(each.last, zone, now))]))
    return parts


def subscriptions_message(listed: Sequence[Listed], *, now: datetime) -> Message:
    if not listed:
        return compose(
            [
                Section(["No digest is subscribed."]),
                Context(
                    [
                        line(
                            "Start one: ",
                            Code(START),
                        )
                    ]
                ),
            ]
        )
    return compose(
        [
            Section([line(Bold("1 digest" if len(listed) == 1 else f"{len(listed)} digests"))]),
            *subscriptions_parts(listed, now=now),
            Context(_what_to_type([each.subscription for each in listed])),
        ]
    )


def _what_to_type(subscriptions: Sequence[Subscription]) -> list[Line]:
    """The commands for these digests, each with a number for which it does something."""
    running = [each.number for each in subscriptions if each.enabled]
    paused = [each.number for each in subscriptions if not each.enabled]
    numbers = {
        "preview": [each.number for each in subscriptions],
        "now": running,
        "pause": running,
        "resume": paused,
        "stop": running or paused,
    }
    typed = [f"{verb} {of[0]}" for verb, of in numbers.items() if of]
    which = "; the number says which digest." if len(subscriptions) > 1 else ""
    first, *others = typed
    return [
        line(
            join([Either(Code(f"/candidate digest {each}")) for each in typed]),
            Either("", Code(f"/candidate digest {first}")),
            Either("", f" (or {', '.join(others)})"),
            which,
        )
    ]


def title(subscription: Subscription) -> Line:
    """``1  every Monday at 09:00 (Europe/Berlin) in #hiring, for skill:cuda``."""
    return line(
        Bold(str(subscription.number)),
        "  ",
        Recurrence.of(subscription).english,
        " in ",
        channel_piece(subscription.channel),
        line(", for ", Code(subscription.query)) if subscription.query else None,
        " (from the settings)" if subscription.key else None,
    )


def last_run(run: DigestRun | None, zone: tzinfo, now: datetime) -> str:
    """The last run and its count, in words."""
    if run is None:
        return "Last: none yet"
    at = moment(run.due_at, zone, now=now)
    if run.state is RunState.FAILED:
        return f"Last: {at}, not posted ({run.error})"
    if run.state is RunState.EMPTY or not run.people:
        return f"Last: {at}, nobody new"
    return f"Last: {at}, {candidates(run.people)}"


def channel_piece(channel: str) -> Channel | Bold | str:
    """A channel's mention, or its name where only that is known."""
    if channel.startswith("D"):
        return "a direct message with me"
    return Bold(channel) if channel.startswith("#") else Channel(channel)


def candidates(number: int, new: str = "") -> str:
    """``nobody``, ``1 candidate``, ``12 new candidates``."""
    if not number:
        return "nobody"
    return f"1 {new}candidate" if number == 1 else f"{number:,} {new}candidates"


def _city(timezone: str) -> str:
    return timezone.rpartition("/")[2].replace("_", " ")


def _first_message(digest: Digest, now: datetime) -> Message:
    zone = zone_of(digest.timezone)
    heading = candidates(digest.total, "new ") + (f" {digest.phrase}" if digest.phrase else "")
    span = f"since {moment(digest.since, zone, now=now)} ({_city(digest.timezone)})"
    coming = digest.following if digest.number else None
    following = f"next {day(coming, now=now, zone=zone)}" if coming else ""
    people = digest.parts[0]
    parts: list[Part] = [
        Header(heading),
        Context(
            [
                join(
                    [
                        f"First digest: added {span}" if digest.first else f"S{span[1:]}",
                        following,
                    ]
                )
            ]
        ),
        *(part for person in people for part in _person(person, zone, now)),
    ]
    if len(digest.people) > len(people):
        named = len(digest.people) - len(people)
        parts.append(Context([line(f"{named} more in the thread", *_uncounted(digest))]))
    parts.append(
        Context(
            [
                line(
                    Either("Open shows the card to you alone"),
                    Either(" · " if digest.number else ""),
                    *_how_to_change(digest),
                )
            ]
        )
    )
    names = ", ".join(person.name for person in people[:IN_TEXT])
    others = digest.total - len(people[:IN_TEXT])
    text = f"{heading}: {names}" if names else heading
    return compose(parts, text=text + (f" and {others:,} more" if names and others > 0 else ""))


def _how_to_change(digest: Digest) -> Line:
    """The last line of a digest that is subscribed: where the commands for it stand."""
    if not digest.number:
        return ()
    return line(Code("/candidate digest list"), " says how to change or stop this")


def _thread_message(digest: Digest, part: int, now: datetime) -> Message:
    zone = zone_of(digest.timezone)
    before = sum(len(each) for each in digest.parts[:part])
    people = digest.parts[part]
    last = before + len(people)
    heading = f"{before + 1}–{last} of {digest.total:,}" if people else REMOVED
    parts: list[Part] = [
        Context([heading]),
        *(part for person in people for part in _person(person, zone, now)),
    ]
    if part == len(digest.parts) - 1 and digest.total > last:
        parts.append(
            Context(
                [
                    line(
                        f"{digest.total - last:,} more are not named here. All of them: ",
                        Code(f"/candidate {digest.rest_query}"),
                    )
                ]
            )
        )
    names = ", ".join(person.name for person in people)
    return compose(parts, text=f"{heading}: {names}" if names else heading)


def _uncounted(digest: Digest) -> Line:
    rest = digest.total - len(digest.people)
    return line(f", and {rest:,} counted there") if rest > 0 else ()


def _person(person: Newcomer, zone: tzinfo, now: datetime) -> list[Part]:
    where = line(person.place, " ", Italic("(country unclear)")) if person.place_unclear else ""
    lines = [join([Bold(person.name), person.work, where or person.place])]
    if person.proof is not None:
        told = counts(person.proof)
        when = period(person.proof)
        lines.append(
            line(
                repository(person.proof),
                f": {told}" if told else None,
                f" ({when})" if when else None,
            )
        )
    if person.why:
        lines.append(line("matches: ", " · ".join(reason.rstrip(".") for reason in person.why)))
    if person.skills:
        lines.append(line(", ".join(person.skills)))
    lines.append(
        join(
            [
                line(
                    Italic(f"added {day(person.added_at, now=now, zone=zone)}"),
                    *added_by(person.added_by),
                ),
                Italic(f"{person.checks} fact{'s' * (person.checks != 1)} to check")
                if person.checks
                else "",
            ]
        )
    )
    return [
        Section(lines, about=person.id),
        Actions([open_button(person.id), take_up_button(person.id, person.id)]),
    ]


def _sign_of_life(digest: Digest, now: datetime) -> Message:
    zone = zone_of(digest.timezone)
    whom = f"nobody new {digest.phrase}".rstrip()
    last = (
        f"Someone was last added on {day(digest.last_added, now=now, zone=zone)}."
        if digest.last_added
        else "Nobody has been added yet."
    )
    text = f"This digest is running: {whom} in its last {digest.empties} times. {last}"
    return compose([Context([text])], text=text)


FAILURES = {
    "shared_with_another_company": "That channel is shared with another company, and a "
    "digest names people.",
    "channel_not_found": "I cannot see that channel. If it still exists, type /invite @candidate "
    "there; else stop this digest and start one elsewhere.",
    "not_in_channel": "I am not in that channel. Type /invite @candidate there.",
    "is_archived": "That channel is archived.",
    "restricted_action": "Only some people may post in that channel. Ask an admin to let me, or "
    "start the digest elsewhere.",
    "unknown_method": "This Slack server lacks a call that I need for it. It may be there all the "
    "same: look in the channel before you send it again.",
    "missing_scope": "The bot lacks a permission. Whoever runs it can see which one with "
    "`.venv/bin/python -m bot doctor`.",
    "invalid_auth": "Slack no longer knows the bot's token. Whoever runs the bot has to put a new "
    "one into its settings.",
    "account_inactive": "The bot's account is deactivated. Whoever runs the bot has to install it "
    "again.",
    "token_revoked": "The bot's token was revoked. Whoever runs the bot has to install it again.",
}


ELSEWHERE = frozenset({"shared_with_another_company", "is_archived"})
"""Failures that only another channel ends."""


def failure_message(run: DigestRun) -> Message:
    """What the owner of a digest that was not posted is told, and what to do."""
    subscription = run.subscription
    reason = FAILURES.get(run.error or "", run.error or "Slack refused it.")
    number = subscription.number
    stop = Code(f"/candidate digest stop {number}")
    if run.error in ELSEWHERE:
        advice = [line("Stop it with ", stop, " and subscribe anew in a channel of your own.")]
    elif " " in (run.error or ""):  # a sentence of ours: what was subscribed makes no sense here
        advice = [line("Stop it with ", stop, " and subscribe anew.")]
    else:
        advice = [
            line("Nobody in it is lost: the next one tells of them, or send it again: "),
            line(Code(f"/candidate digest now {number}")),
        ]
    return compose(
        [
            Section(
                [
                    line(
                        Bold(f"Digest {number} was not posted"),
                        " in ",
                        channel_piece(subscription.channel),
                    ),
                    line(reason),
                    *advice,
                ]
            )
        ]
    )
