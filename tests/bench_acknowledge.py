"""How fast commands are acknowledged: 60 at once, each with 0.5 s of work, HTTP and Socket Mode.

Run by ``make bench`` (``python -m tests.bench_acknowledge``). Slack gives up after 3 s; the aim is
1 s for the slowest. The sandbox that sends the commands runs in the same process
and shares its processor, so the figures are worse than a bot's alone.
"""

import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from bot.loading import load_file
from handlers.edge.link import Link
from handlers.edge.pool import Pool
from storage.search.values import NameMatches
from storage.store import Store
from tests.edge_fixtures import running_bot, utc_now

AT_ONCE, WORK, SLOWEST = 60, 0.5, 1.0


class SlowStore(Store):
    """Every question takes half a second more."""

    def named(self, text: str, *, limit: int = 20) -> NameMatches:
        time.sleep(WORK)
        return super().named(text, limit=limit)


def measure(store: Store, mode: str) -> list[float]:
    """Seconds until each of the commands was acknowledged."""
    with running_bot(store, clock=utc_now, pool=Pool()) as bot:
        slack = bot.slack
        link = None
        if mode == "socket":
            slack.deliver_to(None)
            link = Link(bot.edge, slack.workspace.app_token)
            link.open()
            slack.wait_for(lambda: slack.delivery.sockets.is_open)
        threads = [
            threading.Thread(target=slack.say, args=(slack.mira, slack.hiring, "/candidate wang"))
            for _ in range(AT_ONCE)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        slack.wait_for(
            lambda: (
                sum(each.bot_id is not None for each in slack.ephemerals(slack.mira)) >= AT_ONCE
            ),
            within=60,
        )
        times = [each.seconds for each in slack.workspace.deliveries]
        if link is not None:
            link.close()
        assert slack.notices == [], slack.notices
        return sorted(times)


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        store = SlowStore.open(f"sqlite:///{folder}/bench.db")
        for path in sorted((Path(__file__).parent.parent / "seeds").glob("*.txt")):
            load_file(store, path, added_by="seeds", added_via="seeds", now=utc_now())
        slow = False
        for mode in ("http", "socket"):
            times = measure(store, mode)
            told: dict[str, Any] = {
                "median": times[len(times) // 2],
                "p95": times[int(len(times) * 0.95)],
                "max": times[-1],
            }
            figures = "  ".join(f"{name} {seconds * 1000:.0f} ms" for name, seconds in told.items())
            print(f"{mode:6}  {AT_ONCE} commands at once, {WORK} s of work each: {figures}")
            slow = slow or times[-1] > SLOWEST
        store.close()
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
