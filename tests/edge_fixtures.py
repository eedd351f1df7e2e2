"""The bot as a workspace meets it: the real app over HTTP beside the sandbox.

``bot`` answers at the sandbox's request URL with the two seeds loaded; what a test
does and sees goes through ``bot.slack``.
"""

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.settings import Settings
from handlers.app import build_app
from handlers.edge.boundary import Edge
from handlers.edge.door import create_door
from handlers.edge.pool import Pool
from handlers.serve import WebServer
from storage.store import Store
from tests.sandbox_fixtures import SlackServer, running_slack


@dataclass
class Bot:
    slack: SlackServer
    edge: Edge
    store: Store
    url: str

    def ask(self, text: str, *, user: str | None = None, channel: str | None = None) -> Any:
        """Type ``/candidate text`` and return the ephemeral message that answers it."""
        user = user or self.slack.mira
        before = len(self.slack.ephemerals(user))
        self.slack.say(user, channel or self.slack.hiring, f"/candidate {text}")
        return self.next_ephemeral(user, before)

    def next_ephemeral(self, user: str, before: int) -> Any:
        def newest() -> Any:
            shown = [
                each for each in self.slack.ephemerals(user) if each.user == self.slack.bot_user
            ]
            return shown[-1] if len(self.slack.ephemerals(user)) > before and shown else None

        return self.slack.wait_for(newest)

    def press(self, message: Any, action: str, *, user: str | None = None) -> None:
        self.slack.click(user or self.slack.mira, message, action)

    def settle(self) -> None:
        """Return when no work is waiting or running."""
        self.slack.wait_for(
            lambda: self.edge.pool.unfinished + self.edge.adding.unfinished == 0, within=15
        )


@contextmanager
def running_bot(store: Store, *, clock: Callable[[], datetime], **changed: Any) -> Iterator[Bot]:
    """The bot at signed HTTP beside a sandbox; ``changed`` are settings, or ``pool``."""
    pool = changed.pop("pool", None) or Pool(workers=4, waiting=50)
    with ExitStack() as stack:
        slack = stack.enter_context(running_slack())
        bound = socket.create_server(("127.0.0.1", 0))
        stack.callback(bound.close)
        settings = Settings(
            _env_file=None,
            bot_mode="http",
            slack_bot_token=slack.workspace.bot_token,
            slack_signing_secret=slack.workspace.signing_secret,
            slack_api_url=slack.api_url,
            **changed,
        )
        edge = build_app(settings, store, clock, pool=pool, reference=lambda: "7KQ2MX")
        server = WebServer(create_door(edge), bound)
        stack.callback(server.stop)
        stack.callback(lambda: (edge.pool.drain(5), edge.adding.drain(5), edge.telling.drain(5)))
        url = f"http://127.0.0.1:{bound.getsockname()[1]}"
        slack.deliver_to(f"{url}/slack/events")
        yield Bot(slack=slack, edge=edge, store=store, url=url)


def utc_now() -> datetime:
    return datetime.now(UTC)


@pytest.fixture
def bot(seeded_store: Store) -> Iterator[Bot]:
    with running_bot(seeded_store, clock=utc_now) as running:
        yield running
