"""Kill whoever sends digests, at each step and at random, while Slack misbehaves; then count.

``tests/test_digests_kill.py`` runs a short one.

Several processes send over one database while people are added. After the
kills, what is left is sent in peace, the two sweeps are run, and then each
digest has to be in Slack exactly once, and each person in exactly one digest of
each subscription.
"""

import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import structlog

from handlers.sandbox.blocks import elements_of
from handlers.sandbox.faults import Fault, Noise
from handlers.sandbox.records import Channel
from handlers.scheduled.sending import posting_client
from handlers.scheduled.sweeping import sweep
from storage.records import Document, Profile, RunState, Skill
from storage.store import Store
from tests.campaign_verdict import Verdict
from tests.campaign_worker import Nursery, Orders
from tests.sandbox_fixtures import SlackServer, running_slack

STEPS = (
    "claimed", "freeze", "post 0", "record 0", "look 0", "post 1", "record 1", "look 1", "settle",
)  # fmt: skip
MANY = 1_000
"""Digests from which on workers live longer: with a kill every second it would take hours."""
LONG = {"longest_life": 6.0, "at_steps": 0.2}
METHODS = ("chat.postMessage", "conversations.history", "conversations.replies")


@dataclass(slots=True, kw_only=True)
class Outcome:
    """What a campaign came to."""

    seed: int
    kills: int = 0
    at_steps: Counter[str] = field(default_factory=Counter)
    people: int = 0
    runs: Counter[str] = field(default_factory=Counter)
    again: int = 0
    """Runs that were claimed more than once."""
    messages: int = 0
    extras: int = 0
    """Messages that the sweep deleted."""
    wrong: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def __str__(self) -> str:
        runs = ", ".join(f"{count} {state}" for state, count in sorted(self.runs.items()))
        return (
            f"seed {self.seed}: {self.kills} kills ({sum(self.at_steps.values())} at a step) in "
            f"{self.seconds:.0f} s; {self.people} people, runs: {runs}, "
            f"{self.again} of them claimed again; {self.messages} messages, "
            f"{self.extras} extra ones swept; "
            + ("; ".join(self.wrong) if self.wrong else "each digest once, each person once")
        )


@dataclass(slots=True, kw_only=True)
class Campaign:
    """A database, a Slack and some workers; see the module for what is done with them."""

    folder: Path
    slack: SlackServer
    nursery: Nursery
    seed: int
    digests: int = 0
    """At least so many digests are sent; each subscription gets the next when its last is done."""
    workers: int = 3
    subscriptions: int = 14
    longest_life: float = 0.8
    """Seconds after which a worker is killed at the latest, unless it dies at a step."""
    at_steps: float = 0.5
    """The share of workers that are told to die at a step."""
    lease: float = 1.5
    timeout: float = 0.4
    store: Store = field(init=False)
    dice: random.Random = field(init=False)
    outcome: Outcome = field(init=False)
    day: datetime = datetime(1000, 1, 1, tzinfo=UTC)
    written: int = 0

    def run(self, kills: int) -> Outcome:
        """Kill that many times, then count."""
        begun = time.monotonic()
        self.dice = random.Random(self.seed)
        self.outcome = Outcome(seed=self.seed)
        self.store = Store.open(self.url)
        try:
            self._make_channels()
            self._subscribe()
            self._kill_at_each_step()
            self.slack.faults.noise = self._noise()
            self._kill_at_random(kills)
            self.slack.faults.clear()
            self._let_work_end()
            self._sweep_and_count()
        finally:
            self.store.close()
        self.outcome.seconds = time.monotonic() - begun
        return self.outcome

    @property
    def url(self) -> str:
        return f"sqlite:///{self.folder / 'candidates.db'}"

    def _subscribe(self) -> None:
        now = datetime.now(UTC)
        later = (now + timedelta(days=3)).isoweekday()  # only the slots written here come due
        for number in range(self.subscriptions):
            self.store.save_subscription(
                channel=self._channels[number % len(self._channels)],
                weekdays=(later,),
                hour=12,
                minute=number,
                timezone="UTC",
                query="skill:cuda" if number == 0 else "",
                since=now - timedelta(minutes=1),
                created_by=self.slack.mira,
                now=now,
            )

    @property
    def _channels(self) -> list[str]:
        """Two, or one for each digest where there are many: each look reads all of a channel."""
        if not self.digests:
            return [self.slack.hiring, self.slack.general]
        return [f"C0DIGEST{number:03}" for number in range(self.subscriptions)]

    def _make_channels(self) -> None:
        members = {self.slack.mira, self.slack.bot_user}
        for number, channel in enumerate(self._channels):
            if channel not in self.slack.workspace.channels:
                made = Channel(id=channel, name=f"digest-{number}", kind="private", members=members)
                self.slack.workspace.add_channel(made)

    def _noise(self) -> Noise:
        """A third of all calls goes wrong, in each of the ways there are."""
        late = self.timeout * 1.5
        return Noise(
            seed=self.seed,
            chance=0.2 if self.digests else 0.35,
            methods=METHODS,
            kinds=(
                Fault(status=429, retry_after=1),
                Fault(status=503),
                Fault(error="internal_error", status=200, mode="after"),
                Fault(status=500, mode="after"),
                Fault(mode="drop"),
                Fault(mode="drop_after"),
                Fault(mode="timeout", seconds=late),
                Fault(mode="timeout_after", seconds=late),
                Fault(mode="slow", seconds=late),
                *([Fault(mode="slow", seconds=1.5 * self.lease)] if self.digests else []),
            ),
        )

    def _kill_at_each_step(self) -> None:
        """One digest for each step, with a thread, and one worker told to die there."""
        for _ in range(12):
            self._add_person()
        for number, step in enumerate(STEPS, 1):
            self._write_slot(number)
            if step.startswith("look"):  # comes after a claim that did not record its post
                self._die_at(step.replace("look", "record"))
            self._die_at(step)

    def _die_at(self, step: str) -> None:
        pid = self.nursery.start(self._orders(step, 1))
        until = time.monotonic() + 60
        while self.nursery.is_alive(pid):
            if time.monotonic() > until:
                self.nursery.kill(pid)
                self.outcome.wrong.append(f"step {step} was not reached")
                return
            time.sleep(0.01)
        self.outcome.at_steps[step] += 1
        self.outcome.kills += 1

    def _kill_at_random(self, kills: int) -> None:
        """Some workers at a time, killed wherever they are or at a step of their sending."""
        running: list[tuple[int, float, str | None]] = []
        while self.outcome.kills < kills or self.written < self.digests:
            while len(running) < self.workers:
                step = self.dice.choice(STEPS) if self.dice.random() < self.at_steps else None
                pid = self.nursery.start(self._orders(step, self.dice.choice((1, 1, 2))))
                life = 1.5 if step else self.dice.uniform(0.05, self.longest_life)
                running.append((pid, time.monotonic() + life, step))
            self._let_come_due()
            for each in list(running):
                pid, until, step = each
                if not self.nursery.is_alive(pid):  # it died where it was told to
                    self.outcome.at_steps[step or "unbidden"] += 1
                elif time.monotonic() < until:
                    continue
                else:
                    self.nursery.kill(pid)
                running.remove(each)
                self.outcome.kills += 1
            time.sleep(0.02)
        for pid, _, _ in running:
            self.nursery.kill(pid)

    def _orders(self, step: str | None = None, time_reached: int = 1) -> Orders:
        return Orders(
            url=self.url,
            api_url=self.slack.api_url,
            token=self.slack.workspace.bot_token,
            lease=self.lease,
            timeout=self.timeout,
            complaints=str(self.folder / "complaints.txt"),
            die_at=(step, time_reached) if step else None,
        )

    def _let_come_due(self) -> None:
        """Add people, some at once and some alone, and let a slot come due now and then.

        Now and then Slack's history lags behind for longer than a lease: then a message
        that is there is not found, and is posted again, for the sweep to delete.
        """
        if self.dice.random() < 0.02:
            self.slack.faults.history_lag = self.dice.choice((0, 0, 2 * self.lease))
        if self.digests:
            self._write_for_the_idle()
        elif self.dice.random() < 0.05:
            for _ in range(self.dice.choice((1, 1, 2, 3, 14))):
                self._add_person()
        if not self.digests and self.dice.random() < 0.15:
            self._write_slot(self.dice.randint(1, self.subscriptions))

    def _write_for_the_idle(self) -> None:
        """Somebody new, and a slot for each digest that has nothing to send."""
        with self.store.database.read() as session:
            busy = session.connection().exec_driver_sql(
                "SELECT DISTINCT subscription FROM digest_run WHERE state IN ('ready', 'claimed')"
            )
            idle = set(range(1, self.subscriptions + 1)) - set(busy.scalars())
        if idle:
            self._add_person()
        for number in sorted(idle):
            self._write_slot(number)
            self.written += 1

    def _add_person(self) -> None:
        number = self.outcome.people = self.outcome.people + 1
        skills = (Skill(name="cuda", score=number % 10),) if number % 3 else ()
        profile = Profile(name=f"Invented Person{number:05d}", skills=skills)
        document = Document(
            name="page.txt",
            text=f"page {number}",
            added_by="folder",
            added_via="inbox",
            parser="x/1",
        )
        self.store.add(profile, document, now=datetime.now(UTC))

    def _write_slot(self, number: int) -> None:
        self.day += timedelta(days=1)
        now = datetime.now(UTC)
        self.store.write_slots(number, [(f"{self.day:%Y-%m-%d}", now)], now=now)

    def _let_work_end(self) -> None:
        """A last slot for each, and one worker that nobody disturbs."""
        for number in range(1, self.subscriptions + 1):
            self._write_slot(number)
        pid = self.nursery.start(self._orders())
        until = time.monotonic() + 60
        while self.store.oldest_due(now=datetime.now(UTC)) and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(self.lease * 1.5)  # what Slack was slow to store is there by now
        self.nursery.kill(pid)

    def _sweep_and_count(self) -> None:
        client = posting_client(self.slack.workspace.bot_token, self.slack.api_url, 5)
        before = len(self._messages())
        for later in (timedelta(minutes=11), timedelta(days=1, minutes=1)):
            now = datetime.now(UTC) + later
            while self.store.digests_to_sweep(now=now):
                sweep(self.store, client, lambda now=now: now)
        messages = self._messages()
        self.outcome.messages, self.outcome.extras = len(messages), before - len(messages)
        runs = self._runs()
        self.outcome.runs = Counter(run.state for run in runs)
        self.outcome.again = sum(run.attempt > 1 for run in runs)
        recorded = Counter(part.ts for run in runs for part in run.parts)
        found = Counter(list(messages))
        if recorded != found:
            missing, extra = recorded - found, found - recorded
            self.outcome.wrong.append(f"{len(missing)} messages missing, {len(extra)} extra")
        self._count_people(messages)
        unsettled = [run.state for run in runs if run.state in {RunState.READY, RunState.CLAIMED}]
        failed = [run.error for run in runs if run.state is RunState.FAILED]
        if unsettled or failed:
            self.outcome.wrong.append(f"{len(unsettled)} runs unsettled, failed: {failed}")

    def _count_people(self, messages: dict[str, set[str]]) -> None:
        """Whom the ledger says was told, against whom the store holds and the messages name.

        Those beyond the fiftieth are counted in the last message and not named.
        """
        runs = {run.id: run for run in self._runs()}
        told: dict[int, Counter[str]] = {}
        parts: dict[tuple[str, int], set[str]] = {}
        with self.store.database.read() as session:
            items = session.connection().exec_driver_sql(
                "SELECT subscription, run_id, part, profile_id FROM digest_item"
            )
            for number, run_id, part, id_ in items:
                told.setdefault(number, Counter())[id_] += 1
                parts.setdefault((run_id, part), set()).add(id_)
        for run in runs.values():
            named = 0
            for part in run.parts:
                ids, shown = parts.get((run.id, part.number), set()), messages.get(part.ts, set())
                named += len(shown)
                if not shown <= ids or (run.people <= 50 and shown != ids):
                    self.outcome.wrong.append(f"run {run.id} part {part.number} names others")
            if named != min(run.people, 50) and run.parts:
                self.outcome.wrong.append(f"run {run.id} names {named} of {run.people}")
        now = datetime.now(UTC)
        everyone = self._ids("", now)
        for each in self.store.subscriptions():
            wanted = Counter(self._ids(each.query, now) if each.query else everyone)
            got = told.get(each.number, Counter())
            if wanted != got:
                self.outcome.wrong.append(
                    f"digest {each.number}: {(wanted - got).total()} left out, "
                    f"{(got - wanted).total()} repeated"
                )

    def _ids(self, query: str, now: datetime) -> list[str]:
        ids: list[str] = []
        while True:
            page = self.store.search(query, limit=200, offset=len(ids), now=now)
            ids += [hit.candidate.id for hit in page.hits]
            if len(ids) >= page.total:
                return ids

    def _runs(self) -> list:
        return self.store._runs(limit=100_000)

    def _messages(self) -> dict[str, set[str]]:
        """Timestamps of all that stands in Slack, with the people named in each."""
        return {
            message.ts: {
                element["value"]
                for block in message.blocks or []
                for _, element in elements_of(block)
                if element["action_id"].startswith("candidate.open")
            }
            for channel in self._channels
            for message in self.slack.messages(channel)
        }


def campaign(
    kills: int, seed: int, say: Callable[[str], None] = print, *, digests: int = 0
) -> Outcome:
    """One campaign; what workers complained of is said.

    In memory where there is such a place: a killed process loses nothing that
    it has written, so that waiting for the disk would prove nothing here.
    """
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        with running_slack() as slack, Nursery() as nursery:
            outcome = Campaign(
                folder=Path(folder), slack=slack, nursery=nursery, seed=seed, digests=digests,
                subscriptions=40 if digests else 14, **(LONG if digests >= MANY else {}),
            ).run(kills)  # fmt: skip
        complaints = Path(folder) / "complaints.txt"
        if complaints.exists():
            say(complaints.read_text()[-4000:])
        return outcome


def run(size: int, seed: int) -> Verdict:
    """At least ``size`` digests and a tenth as many kills."""
    structlog.configure(
        processors=[structlog.processors.KeyValueRenderer()],
        logger_factory=structlog.ReturnLoggerFactory(),
    )
    try:
        outcome = campaign(max(50, size // 10), seed, digests=size)
    finally:
        structlog.reset_defaults()
    return Verdict(
        part="digests",
        seed=seed,
        size=size,
        seconds=outcome.seconds,
        wrong=outcome.wrong,
        figures={
            "kills": outcome.kills,
            "of them at a step": sum(outcome.at_steps.values()),
            "people": outcome.people,
            **{f"runs {state}": count for state, count in sorted(outcome.runs.items())},
            "claimed again": outcome.again,
            "messages": outcome.messages,
            "extra ones swept": outcome.extras,
        },
    )
