"""The sandbox as a server: the Web API, sockets, response URLs and the page, on loopback only."""

import asyncio
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from urllib.parse import urljoin

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from handlers.sandbox.api import WebApi, before, failure
from handlers.sandbox.browser import Browser
from handlers.sandbox.delivery import Delivery
from handlers.sandbox.faults import Faults
from handlers.sandbox.files import damaged, download
from handlers.sandbox.gestures import Gestures
from handlers.sandbox.guard import Guard
from handlers.sandbox.limits import RateLimits
from handlers.sandbox.line import Line
from handlers.sandbox.responses import respond
from handlers.sandbox.stream import stream
from handlers.sandbox.uploads import take
from handlers.sandbox.workspace import SIGNING_SECRET, Workspace
from storage.errors import BotError

PAGE = Path(__file__).parent / "page"
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
BOT_PATHS = ("/slack/events", "/healthz", "/readyz", "/metrics")


class NotLoopback(BotError):
    """The sandbox was asked to listen to other machines."""


class CannotListen(BotError):
    """The port is taken, or this machine does not let us have it."""


@dataclass(slots=True)
class Sandbox:
    """What belongs to one running sandbox; ``app.state.sandbox`` of ``create_sandbox``'s app."""

    workspace: Workspace
    faults: Faults
    delivery: Delivery
    limits: RateLimits
    gestures: Gestures = field(init=False)
    bot: ASGIApp | None = None  # served beside the sandbox, at BOT_PATHS
    closing: asyncio.Event = field(default_factory=asyncio.Event)
    loop: asyncio.AbstractEventLoop | None = None

    def __post_init__(self) -> None:
        self.gestures = Gestures(self.workspace, self.delivery)

    def close(self) -> None:
        """Let go of everything that waits; callable from any thread."""
        if self.loop is not None and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.closing.set)

    async def wait(self, seconds: float, request: Request) -> None:
        """Let time pass for a fault, until the caller gives up or the sandbox closes."""
        ends = [asyncio.create_task(self.closing.wait()), asyncio.create_task(gone(request))]
        await asyncio.wait(ends, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        for end in ends:
            end.cancel()
        await asyncio.gather(*ends, return_exceptions=True)

    async def door(self, scope: Scope, receive: Receive, send: Send) -> None:
        """To the bot beside us, which may come later than the sandbox it needs to start."""
        starting = PlainTextResponse("The bot is starting.\n", status_code=503)
        await (self.bot or starting)(scope, receive, send)

    async def call(self, request: Request) -> Response:
        api = WebApi(self.workspace, self.faults, self.limits, self.wait)
        return await api.answer(request)

    async def respond(self, request: Request) -> Response:
        await request.body()  # before anything waits: a wait would swallow it
        fault = self.faults.take("respond")
        if fault is not None and (broken := await before(fault, request, self.wait)) is not None:
            return broken
        answer = await respond(self.workspace, request)
        if fault is not None and fault.is_after:
            return await failure(fault, request, self.wait)
        return answer

    async def link(self, connection: WebSocket) -> None:
        await self.delivery.sockets.serve(connection)

    async def watch(self, connection: WebSocket) -> None:
        await stream(self.workspace, connection)

    async def file(self, request: Request) -> Response:
        fault = self.faults.take("download")
        if fault is not None and fault.mode in {"half", "page"}:
            return damaged(download(self.workspace, request), fault)
        if fault is not None and (broken := await before(fault, request, self.wait)) is not None:
            return broken
        return download(self.workspace, request)

    async def upload(self, request: Request) -> Response:
        await request.body()  # before anything waits, as above
        fault = self.faults.take("upload")
        if fault is not None and (broken := await before(fault, request, self.wait)) is not None:
            return broken
        return await take(self.workspace, request)

    @asynccontextmanager
    async def running(self, _: Starlette) -> AsyncIterator[None]:
        self.loop = asyncio.get_running_loop()
        try:
            yield
        finally:
            await self.delivery.close()


async def gone(request: Request) -> None:
    while not await request.is_disconnected():  # noqa: ASYNC110 - there is no event for it
        await asyncio.sleep(0.05)


def create_sandbox(
    workspace: Workspace,
    *,
    clock: Callable[[], datetime] | None = None,
    faults: Faults | None = None,
    deliver_to: str | None = None,
    rate_limits: bool = False,
    ack_within: float = 3.0,
    retry_scale: float = 1.0,
    bot: ASGIApp | None = None,
) -> Starlette:
    """The ASGI application.

    ``deliver_to`` is the bot's request URL, used when it has no socket open;
    ``bot`` is an application to serve beside the sandbox at ``/slack/events``,
    ``/healthz`` and ``/readyz``; it may be set later, as ``app.state.sandbox.bot``,
    and its start and end are its owner's. ``ack_within`` is seconds,
    ``retry_scale`` shortens the minutes between retries of an event.
    """
    if clock is not None:
        workspace.clock = clock
    faults = faults or Faults()
    delivery = Delivery(
        workspace,
        faults,
        deliver_to=deliver_to,
        ack_within=ack_within,
        retry_scale=retry_scale,
        unix_time=time.time,
    )
    sandbox = Sandbox(workspace, faults, delivery, RateLimits(enabled=rate_limits), bot=bot)
    browser = Browser(workspace, faults, delivery, sandbox.gestures)
    routes: list[BaseRoute] = [
        *(Route(path, AsIs(sandbox.door)) for path in BOT_PATHS),
        Route("/api/{method:path}", sandbox.call, methods=["GET", "POST"]),
        Route("/respond/{permit}", sandbox.respond, methods=["POST"]),
        Route("/files/{file}/{name:path}", sandbox.file),
        Route("/upload/v1/{file}", sandbox.upload, methods=["POST"]),
        WebSocketRoute("/link", sandbox.link),
        WebSocketRoute("/sandbox/stream", sandbox.watch),
        Mount("/sandbox", routes=browser.routes()),
        Route("/", front_page),
        Mount("/page", StaticFiles(directory=PAGE, check_dir=False)),
    ]
    app = Starlette(routes=routes, middleware=[Middleware(Guard)], lifespan=sandbox.running)
    app.state.sandbox = sandbox
    return app


async def front_page(_: Request) -> Response:
    index = PAGE / "index.html"
    if index.is_file():
        return FileResponse(index, headers={"Cache-Control": "no-cache"})
    return PlainTextResponse("The sandbox runs; its page is not here.")


class AsIs:
    """Routes a path to another application without changing what it sees."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.app(scope, receive, send)


@dataclass(slots=True)
class Served:
    """A server that runs in a thread until ``stop``."""

    url: str
    port: int
    sandbox: Sandbox
    _server: uvicorn.Server
    _thread: threading.Thread

    def alive(self) -> bool:
        return self._thread.is_alive()

    def stop(self) -> None:
        self.sandbox.close()
        self._server.should_exit = True
        self._thread.join(timeout=10)


def listen_on(host: str, port: int) -> socket.socket:
    """A bound socket on loopback; BotError with a sentence when that cannot be."""
    if host not in LOOPBACK:
        raise NotLoopback(
            f"The sandbox only listens on this machine, not on {host}: set HOST=127.0.0.1. "
            "To serve other machines, connect a real Slack workspace."
        )
    family = socket.AF_INET6 if host == "::1" else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind(("127.0.0.1" if host == "localhost" else host, port))
    except OSError as error:
        bound.close()
        raise CannotListen(
            f"Port {port} is not free. Stop what uses it, or choose another: PORT={port + 1}."
        ) from error
    bound.listen(200)
    return bound


def uvicorn_config(app: ASGIApp) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=Line,
        ws="websockets-sansio",
        log_config=None,
        access_log=False,
        lifespan="on",
        timeout_graceful_shutdown=2,
        server_header=False,
    )


def serve_in_thread(app: Starlette, *, host: str = "127.0.0.1", port: int = 0) -> Served:
    """Serve on a loopback port (0: a free one) in a thread; returns once it answers.

    A ``deliver_to`` that is only a path means the same port.
    """
    bound = listen_on(host, port)
    taken = bound.getsockname()[1]
    shown = "[::1]" if host == "::1" else host
    url = f"http://{shown}:{taken}"
    sandbox: Sandbox = app.state.sandbox
    if sandbox.delivery.deliver_to is not None:
        sandbox.delivery.deliver_to = urljoin(url, sandbox.delivery.deliver_to)
    server = uvicorn.Server(uvicorn_config(app))
    thread = threading.Thread(
        target=server.run, kwargs={"sockets": [bound]}, name="sandbox", daemon=True
    )
    thread.start()
    until = time.monotonic() + 10
    while not server.started:
        if not thread.is_alive() or time.monotonic() > until:
            raise CannotListen("The sandbox did not start; the log says why.")
        time.sleep(0.005)
    return Served(url, taken, sandbox, server, thread)


def environment(workspace: Workspace, url: str) -> dict[str, str]:
    """The settings with which a bot reaches this workspace."""
    return {
        "SLACK_API_URL": f"{url}/api/",
        "SLACK_BOT_TOKEN": workspace.bot_token,
        "SLACK_APP_TOKEN": workspace.app_token,
        "SLACK_SIGNING_SECRET": workspace.signing_secret,
    }


def start_alone(
    host: str = "127.0.0.1",
    port: int = 3000,
    *,
    deliver_to: str | None = None,
    signing_secret: str = SIGNING_SECRET,
    say: Callable[[str], None] = print,
) -> Served:
    """Serve a sandbox for a bot in another process, and say how to reach it."""
    workspace = Workspace(signing_secret=signing_secret)
    served = serve_in_thread(create_sandbox(workspace, deliver_to=deliver_to), host=host, port=port)
    for name, value in environment(workspace, served.url).items():
        say(f"{name}={value}")
    say(f"# The workspace is at {served.url}")
    if deliver_to is None:
        say(
            "# A bot with SLACK_APP_TOKEN connects by itself. For one in HTTP mode start this with "
            "--deliver-to http://127.0.0.1:3001/slack/events (the bot's own HOST and PORT)."
        )
    return served
