"""The Bolt app, composed: features, boundary, pools. Nothing is made on import."""

import logging
import re
import ssl
from collections.abc import Callable
from datetime import datetime
from typing import Any

import structlog
from slack_bolt import App, BoltResponse
from slack_bolt.error import BoltUnhandledRequestError
from slack_sdk import WebClient

from bot.logs import trace
from bot.settings import Settings
from handlers.access.people import People
from handlers.access.places import Places
from handlers.access.rates import Rates
from handlers.access.roles import Roles
from handlers.edge.boundary import Edge, Request, Running, new_reference
from handlers.edge.pool import Pool
from handlers.edge.voice import TIMEOUT
from handlers.features import adding, candidate, duties, forgetting, home, standing, touch
from handlers.slack.verdict import (
    CannotReachSlack,
    LaterError,
    RefusedError,
    UncertainError,
    judged,
)
from handlers.views.message import sentence
from storage.store import Store

log = structlog.get_logger(__name__)

OUTDATED = (
    "This button is from another version of me and no longer works. "
    "Ask again, for example with `/candidate help`."
)


def outdated(request: Request) -> None:
    request.answer(sentence(OUTDATED))


def register_the_rest(edge: Edge) -> None:
    """Buttons that no feature knows (any more): they say so."""
    edge.action(re.compile(""), outdated)


FEATURES: tuple[Callable[[Edge], None], ...] = (
    adding.register,
    candidate.register,
    home.register,
    touch.register,
    standing.register,
    forgetting.register,
    duties.register,
    register_the_rest,
)
"""Each registers its commands, events and buttons; a new feature is a line before the last."""


def build_app(
    settings: Settings,
    store: Store,
    clock: Callable[[], datetime],
    *,
    pool: Pool | None = None,
    reference: Callable[[], str] = new_reference,
) -> Edge:
    """The app with all its listeners. Asks Slack once who the bot is (``auth.test``).

    Raises CannotReachSlack with what to do.
    """
    client = WebClient(
        token=settings.slack_bot_token,
        base_url=settings.slack_api_url,
        timeout=TIMEOUT,
        ssl=trusted(settings.slack_api_url),
        retry_handlers=[],
    )
    me = who_am_i(client)
    teams = frozenset(settings.allowed_teams) or frozenset(
        each for each in (me.get("team_id"), me.get("enterprise_id")) if each
    )
    if not teams:
        raise CannotReachSlack(
            f"{client.base_url} does not say which team the bot token belongs to. "
            "Set ALLOWED_TEAMS to the team's id, such as ALLOWED_TEAMS=T0123456789."
        )
    app = App(
        name="candidate-bot",
        logger=logging.getLogger("slack_bolt"),
        client=client,
        signing_secret=settings.slack_signing_secret or "",
        token_verification_enabled=True,
        # serve.py checks signatures before anything else is read; a socket has none
        request_verification_enabled=False,
        # acknowledge in the thread that asks: our listeners only queue
        process_before_response=True,
        raise_error_for_unhandled_request=True,
    )
    app.error(unheard)
    edge = Edge(
        app=app,
        store=store,
        settings=settings,
        clock=clock,
        client=client,
        people=People(
            client, teams=teams, roles=Roles.of_settings(settings, client, clock), clock=clock
        ),
        places=Places(client, clock=clock),
        pool=pool or Pool(),
        telling=Pool(workers=2, waiting=100, name="telling"),
        adding=Pool(workers=2, waiting=100, name="adding"),
        rates=Rates(),
        teams=teams,
        bot_user=me.get("user_id") or "",
        bot_name=me.get("user") or "candidate",
        reference=reference,
        running=Running(),
    )

    def gate(body: dict[str, Any], next: Callable[[], None]) -> BoltResponse | None:  # noqa: A002 - Bolt passes it by this name
        return edge.gate(body, next)

    app.use(gate)
    for register in FEATURES:
        register(edge)
    return edge


def trusted(url: str) -> ssl.SSLContext | None:
    """Whom calls to Slack trust: read once, since it takes longer than many an answer.

    Left out, ``urllib`` reads the system's certificates for every call anew.
    """
    return ssl.create_default_context() if url.startswith("https:") else None


def unheard(error: Exception) -> BoltResponse:
    """What no listener wants (a closed modal, an event not used) is acknowledged and left."""
    if isinstance(error, BoltUnhandledRequestError):
        log.info("app.unheard")
        return BoltResponse(status=200, body="")
    log.error("app.failed", error=type(error).__name__, at=trace(error))
    # our own work is fenced in the boundary: what fails before it is the payload's shape
    return BoltResponse(status=400, body="")


def who_am_i(client: WebClient) -> dict[str, Any]:
    """``auth.test``. Raises CannotReachSlack."""
    try:
        with judged():
            return dict(client.auth_test().data)  # type: ignore[arg-type]
    except RefusedError as refused:
        raise CannotReachSlack(
            f"Slack does not accept SLACK_BOT_TOKEN ({refused.code}). Copy the Bot User OAuth "
            "Token anew from your Slack app, OAuth & Permissions; it starts with xoxb-."
        ) from refused
    except (LaterError, UncertainError) as trouble:
        raise CannotReachSlack(
            f"Slack cannot be reached at {client.base_url} ({trouble}). "
            "Check the network, and SLACK_API_URL if it is set."
        ) from trouble
