"""The program running: Socket Mode, HTTP or the sandbox, until it is told to stop.

Whatever brings Slack's deliveries runs in threads; the main thread waits for
SIGTERM or SIGINT and watches that everything lives. On a signal: no new work
is taken, what was taken is finished for up to 20 seconds, the clock lets go of
its leases, and the program ends with status 0.
"""

import secrets
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from types import FrameType
from typing import Protocol

import structlog
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from bot.settings import Settings
from handlers.app import build_app
from handlers.clock import Clock as Ticking
from handlers.clock import build_clock
from handlers.edge.boundary import Edge
from handlers.edge.door import create_door
from handlers.edge.link import Link
from handlers.edge.operation import Operation
from handlers.edge.punctual import Punctual
from handlers.edge.supervisor import Supervisor
from handlers.features import adding, digests
from handlers.sandbox import server as sandbox_server
from handlers.sandbox.workspace import Workspace
from handlers.scheduled.warming import Warming
from storage.errors import BotError
from storage.store import Store

log = structlog.get_logger(__name__)

DRAIN = 20.0
"""Seconds for the work that was taken when the program is told to stop."""
MOST_AT_ONCE = 500
"""Connections and requests of the web server; beyond them it answers 503."""
STOPPED, DEAD = 0, 70
"""Exit statuses: told to stop; a part of the program died and a supervisor should restart it."""

Say = Callable[[str], None]
Clock = Callable[[], datetime]


class CannotListen(BotError):
    """The port is taken, or not ours to take."""


class CannotBegin(BotError):
    """A setting that only shows itself when the bot starts."""


class Part(Protocol):
    """Something that runs beside the main thread and can die."""

    def alive(self) -> bool: ...


@dataclass(slots=True)
class Life:
    """Whether the program goes on: until a signal, or until a part of it is dead."""

    stop: threading.Event = field(default_factory=threading.Event)
    ready: threading.Event = field(default_factory=threading.Event)
    supervisor: Supervisor = field(default_factory=Supervisor)

    def last(
        self,
        *parts: Part,
        begun: Callable[[], None] | None = None,
        moving: Callable[[], bool] = lambda: True,
    ) -> int:
        """Wait, and return the exit status. ``begun`` says how to begin, unless it is over.

        The watchdog is fed while all parts live and the program is ``moving``.
        """
        self.ready.set()
        self.supervisor.ready()
        if begun is not None and not self.stop.is_set():
            begun()
        while not self.stop.wait(1.0):
            dead = [type(part).__name__ for part in parts if not part.alive()]
            if dead:
                log.critical("serve.dead", parts=dead)
                return DEAD
            if moving():
                self.supervisor.moving(time.monotonic())
        self.supervisor.stopping()
        return STOPPED

    def is_ready(self) -> bool:
        return self.ready.is_set() and not self.stop.is_set()


def run(settings: Settings, store: Store, *, clock: Clock, say: Say) -> int:
    """Run in the mode of the settings; returns the exit status. Raises BotError with what to do."""
    life = Life()
    with signals(life):
        match settings.mode:
            case "sandbox":
                return serve_sandbox(settings, store, clock=clock, say=say, life=life)
            case "socket":
                return serve_socket(settings, store, clock=clock, say=say, life=life)
            case "http":
                return serve_http(settings, store, clock=clock, say=say, life=life)


def serve_http(settings: Settings, store: Store, *, clock: Clock, say: Say, life: Life) -> int:
    """Slack posts to us; TLS is the business of the proxy in front."""
    bound = listen_on(settings.host, settings.port)
    with ExitStack() as closing:
        closing.callback(bound.close)
        edge = build_app(settings, store, clock)
        operation = Operation(edge, life.is_ready)
        server = WebServer(create_door(edge, operation=operation), bound)
        closing.callback(server.stop)
        closing.callback(drain, edge)
        ticking = start_clock(edge, operation)
        closing.callback(ticking.stop)
        closing.callback(Warming(store, clock).stop)
        told = (
            f"Listening for Slack on http://{settings.host}:{settings.port}/slack/events "
            f"as {edge.bot_name}. {how_to_begin(store)}"
        )
        return life.last(server, begun=lambda: say(told), moving=operation.ticks)


def serve_socket(settings: Settings, store: Store, *, clock: Clock, say: Say, life: Life) -> int:
    """We open a socket to Slack; supervisors alone are listened to: ``handlers.edge.operation``."""
    bound = listen_on(settings.host, settings.port)
    with ExitStack() as closing:
        closing.callback(bound.close)
        edge = build_app(settings, store, clock)
        link = Link(edge, settings.slack_app_token or "")
        operation = Operation(edge, life.is_ready, link=link)
        server = WebServer(operation.app(), bound)
        closing.callback(server.stop)
        closing.callback(link.close)
        closing.callback(drain, edge)
        closing.callback(link.stop_hearing)
        link.open()
        ticking = start_clock(edge, operation)
        closing.callback(ticking.stop)
        closing.callback(Warming(store, clock).stop)
        told = f"Connected to Slack as {edge.bot_name}. {how_to_begin(store)}"
        return life.last(link, server, begun=lambda: say(told), moving=operation.ticks)


def serve_sandbox(settings: Settings, store: Store, *, clock: Clock, say: Say, life: Life) -> int:
    """A workspace in the browser and the bot beside it, on one port of this machine."""
    store.forget_digests()  # the messages of the sandbox before this one went with its process
    workspace = Workspace(
        clock=clock, signing_secret=settings.slack_signing_secret or secrets.token_hex(16)
    )
    bot = Later()
    app = sandbox_server.create_sandbox(workspace, deliver_to="/slack/events", bot=bot)
    with ExitStack() as closing:
        served = sandbox_server.serve_in_thread(app, host=settings.host, port=settings.port)
        closing.callback(served.stop)
        edge = build_app(sandboxed(settings, workspace, served.url), store, clock)
        operation = Operation(edge, life.is_ready)
        bot.app = create_door(edge, operation=operation)
        closing.callback(drain, edge)
        ticking = start_clock(edge, operation)
        closing.callback(ticking.stop)
        closing.callback(Warming(store, clock).stop)
        name = example(store, clock())
        told = f"Open http://localhost:{served.port} in a browser and type: /candidate {name}"
        return life.last(Asked(served.alive), begun=lambda: say(told), moving=operation.ticks)


def start_clock(edge: Edge, operation: Operation) -> Ticking:
    """The scheduled things, ticking: digests, the watched folder, housekeeping."""
    settings = edge.settings
    try:
        digests.ensure_default(edge.store, settings, now=edge.clock())
    except BotError as error:
        raise CannotBegin(f"DIGEST_SCHEDULE in .env: {error}") from error
    ticking = build_clock(
        edge.store,
        edge.client,
        edge.clock,
        admins=edge.people.roles.admins,
        inbox=settings.inbox,
        reading_alarm=settings.reading_alarm,
        more=adding.scheduled(edge),
        retention=settings.retention_months,
        backups=settings.backup_folder,
        keep=settings.backup_keep,
    )
    operation.pulse = ticking.pulse
    ticking.start()
    return ticking


def run_sandbox_alone(*, port: int, deliver_to: str | None, say: Say) -> int:
    """Only the workspace, for a bot in another process; says what that bot must set."""
    life = Life()
    with signals(life), ExitStack() as closing:
        served = sandbox_server.start_alone(port=port, deliver_to=deliver_to, say=say)
        closing.callback(served.stop)
        return life.last(Asked(served.alive))


def sandboxed(settings: Settings, workspace: Workspace, url: str) -> Settings:
    """The settings with which the bot reaches the sandbox.

    Where no admin is set, the admins of the sandbox's workspace are told of alarms.
    """
    named = (
        settings.admin_users, settings.allowed_users,
        settings.admin_groups, settings.recruiter_groups, settings.viewer_groups,
    )  # fmt: skip
    with workspace.lock:
        theirs = tuple(user.id for user in workspace.users.values() if user.is_admin)
    return settings.model_copy(
        update={
            "admin_users": settings.admin_users if any(named) else theirs,
            "slack_bot_token": workspace.bot_token,
            "slack_signing_secret": workspace.signing_secret,
            "slack_api_url": f"{url}/api/",
        }
    )


def example(store: Store, now: datetime) -> str:
    """Something to type that finds somebody, or help in an empty store."""
    return store.known_examples(now).name or "help"


def how_to_begin(store: Store) -> str:
    people = store.count()
    if people:
        return f"{people:,} {'person is' if people == 1 else 'people are'} stored."
    return (
        "Nobody is stored yet. Add people with: .venv/bin/python -m bot load PATH "
        "(files or folders of profile pages)."
    )


def drain(edge: Edge) -> None:
    """Finish what was taken, for up to 20 seconds."""
    if not edge.pool.drain(DRAIN):
        log.warning("serve.unfinished", work=edge.pool.unfinished)
    edge.adding.drain(1.0)  # what is written down is carried on at the next start
    edge.telling.drain(1.0)


@contextmanager
def signals(life: Life) -> Iterator[None]:
    """SIGTERM and SIGINT end the life; a second one ends the program at once."""

    def told(number: int, _: FrameType | None) -> None:
        if number != signal.SIGINT:  # whoever presses Ctrl-C knows
            log.info("serve.stopping", signal=signal.Signals(number).name)
        life.stop.set()
        signal.signal(number, signal.SIG_DFL)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, told) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Later:
    """The bot's place in the sandbox while the bot itself is still being made."""

    def __init__(self) -> None:
        self.app: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.app is not None:
            await self.app(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": 503, "headers": []})
        await send({"type": "http.response.body", "body": b""})


class Asked:
    """A part whose life somebody else knows."""

    def __init__(self, alive: Callable[[], bool]) -> None:
        self.alive = alive


class WebServer:
    """Uvicorn in a thread, on a socket that is bound already."""

    def __init__(
        self, app: ASGIApp, bound: socket.socket, *, protocol: type[Punctual] = Punctual
    ) -> None:
        config = uvicorn.Config(
            app,
            http=protocol,
            log_config=None,
            access_log=False,
            lifespan="off",
            server_header=False,
            limit_concurrency=MOST_AT_ONCE,
            timeout_graceful_shutdown=int(DRAIN),
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [bound]}, name="http", daemon=True
        )
        self._thread.start()
        until = time.monotonic() + 10
        while not self._server.started:
            if not self._thread.is_alive() or time.monotonic() > until:
                raise CannotListen("The web server did not start; the log says why.")
            time.sleep(0.005)

    def alive(self) -> bool:
        return self._thread.is_alive()

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(DRAIN)


def listen_on(host: str, port: int) -> socket.socket:
    """A bound socket. Raises CannotListen with what to do."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
    except PermissionError as error:
        bound.close()
        raise CannotListen(
            f"Port {port} may only be used by root. Choose one from 1024 up: PORT=3000."
        ) from error
    except OSError as error:
        bound.close()
        raise CannotListen(
            f"{host}:{port} cannot be listened on. Stop what uses the port, choose another "
            f"(PORT={port + 1} in .env), or correct HOST."
        ) from error
    bound.listen(1024)
    return bound
