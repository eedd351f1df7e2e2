"""A process that sends digests until it is killed: one of several that do, over one database."""

import os
import signal
import time
import traceback
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import structlog

from handlers.sending import posting_client, tick
from storage.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """What a worker works with; times in seconds, far shorter than in the program."""

    url: str
    api_url: str
    token: str
    lease: float
    timeout: float
    complaints: Path
    """What the worker raised and the program's clock would have logged."""
    die_at: tuple[str, int] | None = None
    """A step, and the how many-th time it is reached: there the process is killed."""


def work(orders: Orders) -> None:
    """Tick, and tick again; what fails is written down and forgotten, as the clock does."""
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    store = Store.open(orders.url, create=False)
    client = posting_client(orders.token, orders.api_url, orders.timeout)
    reached: Counter[str] = Counter()

    def step(name: str) -> None:
        reached[name] += 1
        if orders.die_at == (name, reached[name]):
            os.kill(os.getpid(), signal.SIGKILL)

    while True:
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
        except Exception:
            with orders.complaints.open("a") as file:
                file.write(traceback.format_exc() + "\n")
        time.sleep(0.02)
