"""Commands at a steady rate and then in a burst, at a bot that runs as a program of its own.

A command counts as answered when its answer has come to its response URL, whatever it says;
what is told to come again ("no room") is counted beside. Slack gives up after three
seconds without an acknowledgement, and a person after some two without an answer.
"""

import asyncio
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from handlers.edge.boundary import BUSY
from tests.campaign_people import PLACES, SKILLS, invented, populate
from tests.campaign_slack import APP_TOKEN, SECRET, MeasuringSlack
from tests.campaign_verdict import Verdict

ROOT = Path(__file__).parent.parent
KEPT = ROOT / ".campaign"
"""Where databases of many people are kept: to make 100,000 takes minutes."""
PEOPLE, RATE, BURST = 100_000, 200, 500
USERS = 600
ACK_P99, ACK_MOST, ANSWER_P99 = 0.5, 3.0, 2.0
PATIENCE = 60.0
"""Seconds for the last answers to come."""


@dataclass(slots=True)
class Measured:
    """Of one command: when it was sent, how long the acknowledgement and the answer took."""

    sent: float
    ack: float | None = None
    answer: float | None = None
    busy: bool = False
    told: str = ""


@dataclass(slots=True)
class Phase:
    commands: list[Measured] = field(default_factory=list)

    def figures(self) -> dict[str, str]:
        acks = [each.ack for each in self.commands if each.ack is not None]
        answers = [each.answer for each in self.commands if each.answer is not None]
        busy = sum(each.busy for each in self.commands)
        return {
            "ack": spread(acks),
            "answer": spread(answers),
            "no room": f"{busy} of {len(self.commands)}",
        }

    def wrong(self, what: str) -> Iterator[str]:
        """A line for each promise that was not held."""
        acks = [each.ack for each in self.commands if each.ack is not None]
        answers = [each.answer for each in self.commands if each.answer is not None]
        unacked = len(self.commands) - len(acks)
        silent = sum(each.answer is None and not each.busy for each in self.commands)
        failed = sum("went wrong" in each.told or "busy" in each.told for each in self.commands)
        if unacked or silent or failed:
            yield f"{what}: {unacked} without acknowledgement, {silent} unanswered, {failed} failed"
        if acks and (at(acks, 0.99) >= ACK_P99 or max(acks) > ACK_MOST):
            yield f"{what}: acknowledged p99 {at(acks, 0.99):.2f} s, slowest {max(acks):.2f} s"
        if answers and at(answers, 0.99) >= ANSWER_P99:
            yield f"{what}: answered p99 {at(answers, 0.99):.2f} s"
        if any(each.busy for each in self.commands):
            yield f"{what}: {sum(each.busy for each in self.commands)} were told to come again"


def at(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def spread(values: list[float]) -> str:
    if not values:
        return "none"
    return (
        " / ".join(
            f"{1000 * each:.0f}" for each in (at(values, 0.5), at(values, 0.99), max(values))
        )
        + " ms"
    )


def questions(seed: int, people: int) -> Iterator[str]:
    """What recruiters type: half names, the rest skills, places, words and what nobody has."""
    dice = random.Random(f"questions {seed}")
    some = [each.name for _, each in zip(range(5_000), invented(seed, people), strict=False)]
    while True:
        name, skill, other = dice.choice(some), dice.choice(SKILLS), dice.choice(SKILLS)
        yield dice.choice(
            (
                name,
                name,
                name.split()[1],
                name[:-2] + name[-1:] + name[-2:-1],
                f"login{seed}x{dice.randrange(people)}",
                f"skill:{skill}",
                f"skill:{skill}>=8 location:{dice.choice(PLACES)[0].split()[0].lower()}",
                f"{skill} {other} years>=10",
                f"{skill} {dice.choice(PLACES)[0].lower()}",
                "help",
                f"(skill:{skill} or skill:{other}) -location:germany sort:-years",
                "zzyzx quux",
            )
        )


class Load:
    """A running bot and its Slack; ``steady`` and ``burst`` send and measure."""

    def __init__(self, slack: MeasuringSlack, port: int, mode: str, asked: Iterator[str]) -> None:
        self.slack, self.port, self.mode = slack, port, mode
        self.asked = asked
        self.sent: dict[int, Measured] = {}

    def heard(self, number: int, moment: float, body: str) -> None:
        measured = self.sent.get(number)
        if measured is not None and measured.answer is None:
            measured.answer = moment - measured.sent
            if "went wrong" in body or "busy" in body:
                measured.told = body[:300]

    async def command(self, phase: Phase) -> None:
        number = len(self.sent) + 1
        fields = self.slack.command(number, f"U{number % USERS:05}", next(self.asked))
        measured = self.sent[number] = Measured(time.monotonic())
        phase.commands.append(measured)
        try:
            async with asyncio.timeout(10):
                if self.mode == "http":
                    took, status, said = await self.slack.by_http(self.port, fields)
                else:
                    took, status, said = await self.slack.by_socket(number, fields)
        except (TimeoutError, OSError, asyncio.IncompleteReadError) as error:
            measured.told = type(error).__name__
            return
        if status == 200:
            measured.ack = took
            measured.busy = BUSY[:30] in said

    async def steady(self, rate: float, count: int) -> Phase:
        """Commands at their times, whether earlier ones are answered or not."""
        phase, begun = Phase(), time.monotonic()
        async with asyncio.TaskGroup() as group:
            for number in range(count):
                await asyncio.sleep(max(0.0, begun + number / rate - time.monotonic()))
                group.create_task(self.command(phase))
        await self.settle(phase)
        return phase

    async def burst(self, count: int) -> Phase:
        phase = Phase()
        async with asyncio.TaskGroup() as group:
            for _ in range(count):
                group.create_task(self.command(phase))
        await self.settle(phase)
        return phase

    async def settle(self, phase: Phase) -> None:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and any(  # noqa: ASYNC110 - answers are counted, not awaited
            each.ack is not None and each.answer is None and not each.busy
            for each in phase.commands
        ):
            await asyncio.sleep(0.1)


@contextmanager
def bot_running(
    database: Path, environment: dict[str, str], mode: str, port: int, log: Path
) -> Iterator[subprocess.Popen[bytes]]:
    """``python -m bot run`` as an admin starts it."""
    tokens = (
        {"SLACK_APP_TOKEN": APP_TOKEN} if mode == "socket" else {"SLACK_SIGNING_SECRET": SECRET}
    )
    settings = {
        "PATH": os.environ["PATH"], "BOT_MODE": mode, "PORT": str(port),
        "DATABASE_URL": f"sqlite:///{database}", "ADMIN_USERS": "U0ADMIN0001",
        **environment, **tokens,
    }  # fmt: skip
    with log.open("ab") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "bot", "run"], cwd=ROOT, env=settings, stdout=file, stderr=file
        )
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


async def measure(
    mode: str,
    database: Path,
    asked: Iterator[str],
    *,
    rate: float,
    count: int,
    burst: int,
    log: Path,
    warm: float = 0.0,
) -> tuple[Phase, Phase]:
    """Steady commands, then some at once; the first of them ``warm`` seconds after the start."""
    loads: list[Load] = []
    async with MeasuringSlack(lambda *answer: loads[0].heard(*answer)) as slack:  # noqa: PLW0108 - made later
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        loads.append(Load(slack, port, mode, asked))
        with bot_running(database, slack.environment, mode, port, log):
            await ready(slack, mode, port)
            await asyncio.sleep(warm)
            for _ in range(20):  # caches, imports and threads that every first question makes
                await loads[0].burst(1)
            steady = await loads[0].steady(rate, count)
            together = await loads[0].burst(burst)
    return steady, together


async def ready(slack: MeasuringSlack, mode: str, port: int) -> None:
    async with asyncio.timeout(60):
        if mode == "socket":
            await slack.connected.wait()
            return
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                await asyncio.sleep(0.1)
                continue
            writer.close()
            return


def run(size: int, seed: int) -> Verdict:
    """``size`` commands in each mode: 200 a second from 10,000 commands on, else 30."""
    whole = size >= 10_000
    people, rate, burst = (PEOPLE, RATE, BURST) if whole else (300, 30, 100)
    verdict = Verdict(part="load", seed=seed, size=size)
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        database = (KEPT if whole else Path(folder)) / f"people-{people}-{seed}.db"
        database.parent.mkdir(exist_ok=True)
        populate(database, seed=seed, count=people)
        log = Path(folder) / "bot.log"
        for mode in ("http", "socket"):
            phases = asyncio.run(
                measure(
                    mode, database, questions(seed, people), rate=rate, count=size, burst=burst,
                    log=log,
                )
            )  # fmt: skip
            for what, phase in zip((f"{rate}/s", f"burst of {burst}"), phases, strict=True):
                name = f"{mode} {what}"
                verdict.figures |= {f"{name} {key}": told for key, told in phase.figures().items()}
                verdict.wrong += phase.wrong(name) if whole else unanswered(phase, name)
        if b'"level": "error"' in log.read_bytes():
            verdict.wrong.append("the bot logged errors: " + log.read_text()[-2_000:])
    verdict.figures["people"] = people
    verdict.seconds = time.monotonic() - begun
    return verdict


def unanswered(phase: Phase, name: str) -> list[str]:
    """With the tests only this is held: how fast a busy machine is, is not what they are about."""
    return [line for line in phase.wrong(name) if "unanswered" in line]
