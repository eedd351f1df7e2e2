"""A digest as its messages, a list of subscriptions, and what is said of a failed one."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from bot.digest import Digest, Newcomer
from bot.recurrence import Recurrence
from handlers.views.card import added_by, counts, open_button, repository, take_up_button
from handlers.views.dates import MONTHS, day, period, zone_of
from handlers.views.message import Actions, Context, Header, Message, Part, Section, compose
from handlers.views.text import Bold, Channel, Code, Italic, Line, join, line
from storage.records import DigestRun, RunState, Subscription

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
REMOVED = "Those who stood here were removed from the store before this was posted."
IN_TEXT = 10
"""Names in the readable text, which notifications show."""


def digest_message(digest: Digest, part: int, *, now: datetime) -> Message:
    """The digest's message of this number: 0 for the channel, others for its thread."""
    if digest.empties:
        return _sign_of_life(digest)
    return _first_message(digest, now) if part == 0 else _thread_message(digest, part, now)


def preview(digest: Digest, subscription: Subscription, *, now: datetime) -> Message:
    """The message as it would be posted, under a line that says so; its thread is counted."""
    first = digest_message(digest, 0, now=now)
    where = (
        line(
            Italic("Only you see this."),
            f" Digest {digest.number} as it would be posted now in ",
            channel_piece(subscription.channel),
        )
        if digest.number
        else line(Italic("Only you see this."), " Nothing is subscribed yet.")
    )
    top = compose([Context([where])])
    below = [digest_message(digest, part, now=now) for part in range(1, len(digest.parts))]
    return Message(
        text=first.text,
        blocks=(*top.blocks, *first.blocks),
        plain="\n".join([top.plain, first.plain, *(each.plain for each in below)]),
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
        following = ", ".join(moment(at, zone) for at in each.following)
        waiting = (
            line(f"Next: {following}")
            if subscription.enabled
            else line("Paused. ", Code(f"/candidate digest resume {subscription.number}"))
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
                            Code("/candidate digest weekly monday 09:00 in #hiring"),
                        )
                    ]
                ),
            ]
        )
    number = listed[0].subscription.number
    commands = ("preview", "now", "pause", "stop")
    return compose(
        [
            Section([line(Bold("1 digest" if len(listed) == 1 else f"{len(listed)} digests"))]),
            *subscriptions_parts(listed, now=now),
            Context(
                [join([Code(f"/candidate digest {command} {number}") for command in commands])]
            ),
        ]
    )


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
    at = moment(run.due_at, zone) + ("" if (now - run.due_at).days < 300 else f" {run.due_at.year}")
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


def moment(at: datetime, zone: tzinfo) -> str:
    """``Mon 30 Nov 09:00`` in the zone."""
    local = at.astimezone(zone)
    return f"{_day(local)} {local:%H:%M}"


def candidates(number: int, new: str = "") -> str:
    """``nobody``, ``1 candidate``, ``12 new candidates``."""
    if not number:
        return "nobody"
    return f"1 {new}candidate" if number == 1 else f"{number:,} {new}candidates"


def _day(local: datetime) -> str:
    return f"{WEEKDAYS[local.weekday()]} {local.day} {MONTHS[local.month - 1]}"


def _city(timezone: str) -> str:
    return timezone.rpartition("/")[2].replace("_", " ")


def _first_message(digest: Digest, now: datetime) -> Message:
    zone = zone_of(digest.timezone)
    heading = candidates(digest.total, "new ") + (f" {digest.phrase}" if digest.phrase else "")
    span = f"since {moment(digest.since, zone)} ({_city(digest.timezone)})"
    following = f"next {_day(digest.following.astimezone(zone))}" if digest.following else ""
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
                    "Open shows the card to you alone · ",
                    Code("/candidate digest list"),
                    " changes this",
                )
            ]
        )
    )
    names = ", ".join(person.name for person in people[:IN_TEXT])
    others = digest.total - len(people[:IN_TEXT])
    text = f"{heading}: {names}" if names else heading
    return compose(parts, text=text + (f" and {others:,} more" if names and others > 0 else ""))


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
                    Italic(f"added {_added(person.added_at, zone, now)}"),
                    *added_by(person.added_by),
                ),
                Italic(f"{person.checks} fact{'s' * (person.checks != 1)} to check")
                if person.checks
                else "",
            ]
        )
    )
    return [
        Section(lines, open_button(person.id)),
        Actions([take_up_button(person.id, person.id)]),
    ]


def _added(at: datetime, zone: tzinfo, now: datetime) -> str:
    """``Thu`` within a week, else the day."""
    if (now - at).days < 6:
        return WEEKDAYS[at.astimezone(zone).weekday()]
    return day(at, now=now, zone=zone)


def _sign_of_life(digest: Digest) -> Message:
    zone = zone_of(digest.timezone)
    whom = f"nobody new {digest.phrase}".rstrip()
    last = (
        f"Someone was last added on {_day(digest.last_added.astimezone(zone))}."
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
