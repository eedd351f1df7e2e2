"""Slack at its worst: 429, 5xx, timeouts, resets before and after, answers that are no JSON, a
revoked token, an archived channel, sockets that drop, events that come twice without saying so.

Of each question is asked: was it answered once, and where not, did anybody write that down? One
doubled answer is by choice (``handlers.edge.voice``): what Slack stored and then answered with an
error of its own is said once more, privately, since saying it twice is better than not at all.
"""

import asyncio
import random
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import structlog

import handlers.app
import handlers.edge.voice
from bot.loading import load_file
from handlers.edge.link import Link
from handlers.edge.pool import Pool
from handlers.sandbox.faults import Fault, Noise
from handlers.sandbox.records import User
from handlers.scheduled.sending import tick
from handlers.scheduled.sweeping import tell_failures
from storage.store import Store
from tests.campaign_verdict import Verdict
from tests.edge_fixtures import Bot, running_bot

ROOT = Path(__file__).parent.parent
ASKERS = 8
IMPATIENT = 1
"""Seconds for one call to Slack here; the program waits ten."""
KINDS = (
    Fault(status=429, retry_after=1),
    Fault(status=429, retry_after=60),
    Fault(status=500),
    Fault(status=503, mode="after"),
    Fault(error="fatal_error"),
    Fault(error="internal_error", mode="after"),
    Fault(mode="drop"),
    Fault(mode="drop_after"),
    Fault(mode="timeout", seconds=1.5),
    Fault(mode="timeout_after", seconds=1.5),
    Fault(mode="slow", seconds=0.3),
)


class Journal:
    """What the bot wrote down: errors by name; the untold are failures that somebody sees."""

    def __init__(self) -> None:
        self.names: Counter[str] = Counter()

    def __call__(self, _: Any, level: str, event: Any) -> Any:
        if level in {"error", "critical", "warning"}:
            self.names[str(event.get("event"))] += 1
        raise structlog.DropEvent


@contextmanager
def impatient() -> Iterator[None]:
    before = handlers.edge.voice.TIMEOUT
    handlers.edge.voice.TIMEOUT = handlers.app.TIMEOUT = IMPATIENT
    try:
        yield
    finally:
        handlers.edge.voice.TIMEOUT = handlers.app.TIMEOUT = before


def answers_of(bot: Bot) -> Counter[str]:
    """How often each question's own word stands in an answer of the bot."""
    found: Counter[str] = Counter()
    with bot.slack.workspace.lock:
        said = [
            message
            for channel in bot.slack.workspace.channels
            for user in bot.slack.workspace.users
            for message in bot.slack.workspace.messages(channel, viewer=user)
            if message.user == bot.slack.bot_user
        ]
    for message in {(each.channel, each.ts, each.user): each for each in said}.values():
        for word in set(message.text.replace("“", " ").replace("”", " ").split()):
            if word.strip("`.:,").startswith("zz"):
                found[word.strip("`.:,")] += 1
                break
    return found


def questions(bot: Bot, verdict: Verdict, journal: Journal, dice: random.Random) -> None:
    """Commands from eight people at once, each call to Slack failing with one chance in four."""
    people = [f"U0ASKER{number:02}" for number in range(ASKERS)]
    for user in people:
        bot.slack.workspace.add_user(
            User(id=user, name=user.lower(), real_name=user, team=bot.slack.workspace.team.id)
        )
        bot.slack.workspace.channels[bot.slack.hiring].members.add(user)
    before = journal.names["boundary.untold"]
    bot.slack.faults.noise = Noise(
        seed=dice.randrange(10**6),
        chance=0.25,
        kinds=KINDS,
        methods=("respond", "users.info", "chat.*", "conversations.*"),
    )
    each = max(2, verdict.size // ASKERS)

    def ask(user: str, number: int) -> None:
        for turn in range(each):
            bot.slack.say(user, bot.slack.hiring, f"/candidate zz{number}x{turn}")

    threads = [
        threading.Thread(target=ask, args=(user, number)) for number, user in enumerate(people)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    bot.slack.wait_for(lambda: bot.edge.pool.unfinished == 0, within=300)
    bot.slack.faults.clear()
    time.sleep(2)  # what is stored late
    found = answers_of(bot)
    words = [f"zz{number}x{turn}" for number in range(ASKERS) for turn in range(each)]
    silent = [word for word in words if not found[word]]
    untold = journal.names["boundary.untold"] - before
    # a refusal ("Slack does not say who you are") is an answer without the word
    told = sum(
        message.user == bot.slack.bot_user and "zz" not in message.text
        for user in people
        for message in bot.slack.ephemerals(user)
    )
    doubled = [word for word in words if found[word] > 1]
    verdict.figures["questions"] = (
        f"{len(words)}: {len(words) - len(silent)} answered, {told} told why not, "
        f"{untold} written down as untold, {len(doubled)} answered twice after a 5xx"
    )
    verdict.expect(
        len(silent) <= told + untold,
        f"{len(silent)} questions without an answer, {told + untold} of them told or written down",
    )
    verdict.expect(all(found[word] <= 2 for word in words), "an answer came more than twice")


def events(bot: Bot, verdict: Verdict, journal: Journal, dice: random.Random) -> None:
    """Direct messages that Slack brings twice and more often, without saying so."""
    slack = bot.slack
    count = max(4, verdict.size // 10)
    direct = slack.direct(slack.jonas)
    slack.faults.duplicate_events = count
    for number in range(count):
        slack.say(slack.jonas, direct, f"yy{number}")
    again = brought_again(bot, count)
    slack.wait_for(lambda: bot.edge.pool.unfinished == 0, within=60)
    time.sleep(0.5)
    said = [each.text for each in slack.messages(direct) if each.user == slack.bot_user]
    found = Counter(
        word.strip("“”`.:,") for text in said for word in set(text.split()) if "yy" in word
    )
    wrong = {
        f"yy{number}": found[f"yy{number}"] for number in range(count) if found[f"yy{number}"] != 1
    }
    verdict.expect(not wrong, f"events answered another number of times than once: {wrong}")
    verdict.figures["events"] = (
        f"{count} each brought twice at once, {again} of them once more later: each answered once"
    )


def brought_again(bot: Bot, count: int) -> int:
    """The events of before, under another signature and without a retry mark."""
    slack = bot.slack
    loop = slack.served.sandbox.loop
    assert loop is not None

    def brought() -> list[str]:
        return [each.key for each in slack.workspace.deliveries if each.kind == "events_api"]

    slack.wait_for(lambda: len(brought()) >= 2 * count, within=60)
    slack.wait_for(lambda: bot.edge.pool.unfinished == 0, within=60)
    keys = brought()
    time.sleep(1.1)  # another second, so another signature
    direct = slack.direct(slack.jonas)
    for number, key in enumerate(dict.fromkeys(keys)):
        payload = {
            "type": "event_callback",
            "team_id": slack.workspace.team.id,
            "event_id": key,
            "event": {
                "type": "message",
                "channel_type": "im",
                "user": slack.jonas,
                "channel": direct,
                "ts": f"{number}.1",
                "text": f"yy{number}",
            },
        }
        asyncio.run_coroutine_threadsafe(
            slack.delivery.send("events_api", payload, key=key), loop
        ).result(20)
    return len(dict.fromkeys(keys))


def malformed(bot: Bot, verdict: Verdict, journal: Journal, dice: random.Random) -> None:
    """Answers of the Web API that are no JSON: to who asks is told, or it is written down."""
    slack = bot.slack
    count = max(3, verdict.size // 20)
    before = journal.names["boundary.untold"]
    seen = len(heard(bot))
    for number in range(count):
        slack.fail(dice.choice(("users.info", "chat.postEphemeral")), status=200)
        slack.say(slack.mira, slack.hiring, f"<@{slack.bot_user}> zzm{number}")
        time.sleep(0.2)
        bot.settle()
        slack.faults.clear()
        bot.edge.people._kept.clear()
    untold = journal.names["boundary.untold"] - before
    told = len(heard(bot)) - seen
    verdict.expect(told + untold == count, f"malformed: {told} told, {untold} written down")
    verdict.figures["no JSON"] = (
        f"{count} questions: {told} answered or told why not, {untold} written down"
    )


def revoked(bot: Bot, verdict: Verdict, journal: Journal, dice: random.Random) -> None:
    """The token does not count any more: said to who asks; and again when it does."""
    slack = bot.slack
    token = slack.workspace.tokens[slack.workspace.bot_token]
    user = slack.workspace.add_user(
        User(id="U0LATE", name="late", real_name="Late", team=slack.workspace.team.id)
    ).id
    slack.workspace.channels[slack.hiring].members.add(user)
    said = []
    for state in ("revoked", "inactive", "active"):
        token.state = state
        answer = bot.ask("wang", user=user)
        said.append(answer.text[:90])
    verdict.expect("Wang" in said[-1], f"the token counts again and the answer is {said[-1]!r}")
    verdict.expect("Wang" not in said[0], "somebody was answered whom Slack did not vouch for")
    verdict.figures["token revoked"] = f"“{said[0]}”"


def archived(bot: Bot, verdict: Verdict, journal: Journal, dice: random.Random) -> None:
    """The channel of a digest is archived: nothing is posted, and its creator is told, once."""
    slack, store, now = bot.slack, bot.store, datetime.now(UTC)
    subscription, _ = store.save_subscription(
        channel=slack.leads,
        weekdays=(1,),
        hour=9,
        minute=0,
        timezone="UTC",
        query="",
        since=now - timedelta(days=8),
        created_by=slack.mira,
        now=now,
    )
    slack.workspace.channels[slack.leads].members.add(slack.bot_user)
    slack.workspace.channels[slack.leads].archived = True
    store.request_digest(subscription.number, now=now)
    for _ in range(3):
        tick(store, bot.edge.client, lambda: datetime.now(UTC), pause=lambda _: None)
        tell_failures(store, bot.edge.client, lambda: datetime.now(UTC), ())
    said = heard(bot)
    slack.workspace.channels[slack.leads].archived = False
    posted = [each for each in slack.messages(slack.leads) if each.user == slack.bot_user]
    verdict.expect(not posted, "archived: a digest was posted all the same")
    verdict.expect(len(said) == 1 and "archived" in said[0], f"archived: said {said}")
    verdict.figures["channel archived"] = f"“{' '.join(said)[:160]}”"


def heard(bot: Bot) -> list[str]:
    """All that Mira was told privately, here or in her direct message."""
    slack = bot.slack
    there = [*slack.ephemerals(slack.mira), *slack.messages(slack.direct(slack.mira))]
    return [each.text for each in there if each.user == slack.bot_user]


def sockets(bot: Bot, verdict: Verdict, journal: Journal, dice: random.Random) -> None:
    """Socket Mode while the socket is refreshed, cut and silent: each question is answered once."""
    slack = bot.slack
    slack.deliver_to(None)
    link = Link(bot.edge, slack.workspace.app_token, ping=0.5)
    link.open()
    slack.wait_for(lambda: slack.delivery.sockets.is_open)
    loop = slack.served.sandbox.loop
    assert loop is not None
    count = max(6, verdict.size // 20)
    failed = 0
    for number in range(count):
        if number % 2:
            asyncio.run_coroutine_threadsafe(
                dice.choice((slack.delivery.sockets.refresh, slack.delivery.sockets.drop))(), loop
            ).result(20)
        slack.wait_for(lambda: slack.delivery.sockets.is_open, within=30)
        try:
            slack.say(slack.mira, slack.hiring, f"/candidate zzs{number}")
        except OSError:
            failed += 1
    slack.wait_for(lambda: bot.edge.pool.unfinished == 0, within=60)
    link.stop_hearing()
    link.close()
    found = answers_of(bot)
    twice = [number for number in range(count) if found[f"zzs{number}"] > 1]
    silent = sum(not found[f"zzs{number}"] for number in range(count))
    told = sum("operation_timeout" in each or "not" in each for each in slack.notices)
    verdict.expect(not twice, f"sockets: {twice} were answered twice")
    verdict.expect(
        silent <= told + failed, f"sockets: {silent} of {count} unanswered, {told} told by Slack"
    )
    verdict.figures["sockets"] = (
        f"{count} questions over {count // 2} drops: {count - silent} answered, "
        f"{silent} that Slack itself reported, {len(twice)} twice"
    )


SCENES: tuple[Callable[[Bot, Verdict, Journal, random.Random], None], ...] = (
    questions,
    events,
    malformed,
    revoked,
    archived,
    sockets,
)


def run(size: int, seed: int) -> Verdict:
    """``size`` questions under noise, and every other kind of trouble in proportion."""
    verdict = Verdict(part="slack", seed=seed, size=size)
    begun = time.monotonic()
    journal = Journal()
    structlog.configure(processors=[journal])
    try:
        with tempfile.TemporaryDirectory() as folder, impatient():
            store = Store.open(f"sqlite:///{folder}/candidates.db")
            for path in sorted((ROOT / "seeds").glob("*.txt")):
                load_file(store, path, added_by="seeds", added_via="seeds", now=datetime.now(UTC))
            for scene in SCENES:
                clock = lambda: datetime.now(UTC)  # noqa: E731
                with running_bot(store, clock=clock, pool=Pool(workers=8, waiting=500)) as bot:
                    scene(bot, verdict, journal, random.Random(f"{seed} {scene.__name__}"))
            store.close()
    finally:
        structlog.reset_defaults()
    verdict.expect(not journal.names["boundary.failed"], "a listener failed")
    verdict.expect(not journal.names["pool.work_failed"], "work of the pool failed")
    verdict.seconds = time.monotonic() - begun
    return verdict
