"""A process that sends digests until it is killed: one of several that do, over one database.

Started as a script it is their nursery: it has imported everything, and forks a
worker for each line of orders (JSON) on its standard input, which takes
milliseconds. A line ``poll PID`` asks whether a worker lives, ``wait PID``
waits for its end; ``Nursery`` speaks this.
"""

import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
import traceback
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Self

sys.path.insert(0, str(Path(__file__).parent.parent))

import structlog

from handlers.scheduled.sending import posting_client, tick
from storage.database import Database, dialect_of
from storage.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """What a worker works with; times in seconds, far shorter than in the program."""

    url: str
    api_url: str
    token: str
    lease: float
    timeout: float
    complaints: str
    """What the worker raised and the program's clock would have logged."""
    die_at: tuple[str, int] | None = None
    """A step, and the how many-th time it is reached: there the process is killed."""


class Nursery:
    """Starts workers quickly, and knows how each is."""

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def start(self, orders: Orders) -> int:
        """The process id of a new worker."""
        return int(self._ask(json.dumps(dataclasses.asdict(orders))))

    def is_alive(self, pid: int) -> bool:
        return self._ask(f"poll {pid}") == "alive"

    def kill(self, pid: int) -> None:
        """Kill a worker that has not been seen to be dead, and wait for its end."""
        os.kill(pid, signal.SIGKILL)
        self._ask(f"wait {pid}")

    def _ask(self, line: str) -> str:
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline().strip()


def work(orders: Orders) -> None:
    """Tick, and tick again; what fails is written down and forgotten, as the clock does."""
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    # not Store.open: the schema is up to date, and looking takes longer than many a worker lives
    store = Store(Database(dialect_of(orders.url)))
    client = posting_client(orders.token, orders.api_url, orders.timeout)
    reached: Counter[str] = Counter()

    def step(name: str) -> None:
        reached[name] += 1
        if orders.die_at == (name, reached[name]):
            os.kill(os.getpid(), signal.SIGKILL)

    parent = os.getppid()
    while os.getppid() == parent:
        try:
            tick(
                store,
                client,
                lambda: datetime.now(UTC),
                lease=timedelta(seconds=orders.lease),
                timeout=timedelta(seconds=orders.timeout),
                pause=lambda _: None,
                step=step,
            )
        except Exception:  # noqa: BLE001 - as the clock fences what it calls
            with Path(orders.complaints).open("a") as file:
                file.write(traceback.format_exc() + "\n")
        time.sleep(0.02)


def nurse() -> None:
    """Obey what is asked on standard input, to its end."""
    for line in iter(sys.stdin.readline, ""):
        verb, _, pid = line.strip().partition(" ")
        if verb == "poll":
            found, _ = os.waitpid(int(pid), os.WNOHANG)
            print("dead" if found else "alive", flush=True)
        elif verb == "wait":
            os.waitpid(int(pid), 0)
            print("dead", flush=True)
        else:
            child = os.fork()
            if not child:
                orders = json.loads(line)
                die_at = orders["die_at"] and tuple(orders["die_at"])
                try:
                    work(Orders(**{**orders, "die_at": die_at}))
                finally:
                    os._exit(1)
            print(child, flush=True)


if __name__ == "__main__":
    nurse()
