"""The door for HTTP: ``POST /slack/events``, and what supervisors see: ``handlers.edge.operation``.

The order of the checks is cheap before dear, and nothing is read that was not
asked for: size (1 MiB) → content type → timestamp (digits, at most 300 s off) →
signature (HMAC-SHA256 over ``v0:timestamp:body``, compared in constant time) →
replay (a signature is used once, remembered in the ledger) → Bolt, where the
boundary goes on with the team.
"""

import hashlib
import hmac
import json
from collections.abc import Callable
from datetime import datetime
from urllib.parse import parse_qs

import anyio
import structlog
from slack_bolt import BoltRequest
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.logs import trace
from handlers import metrics
from handlers.edge.boundary import Edge
from handlers.edge.claims import Claims
from handlers.edge.operation import Operation
from storage.errors import BotError

log = structlog.get_logger(__name__)

MOST = 1024 * 1024
FRESH = 300
SLOWEST = 10.0
"""Seconds for a body to arrive; Slack itself gives up after three."""
CONTENT_TYPES = ("application/json", "application/x-www-form-urlencoded")
THREADS = 8
"""Requests that Bolt looks at and queues at once: more only wait for one another."""


def create_door(
    edge: Edge,
    *,
    ready: Callable[[], bool] = lambda: True,
    operation: Operation | None = None,
) -> Starlette:
    """The ASGI application. ``ready`` is False while the program starts and while it stops."""
    door = Door(edge)
    return Starlette(
        routes=[
            Route("/slack/events", door.events, methods=["POST"]),
            Route("/slack/events", door.certificate, methods=["GET"]),
            *(operation or Operation(edge, ready)).routes(),
        ]
    )


class Turned(Exception):
    """A request that is turned away, with the HTTP status and a word for the log.

    ``told`` is a sentence for the person, where Slack shows one.
    """

    def __init__(self, status: int, reason: str, *, told: str | None = None) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.told = told


class Door:
    def __init__(self, edge: Edge) -> None:
        self._edge = edge
        self._secret = (edge.settings.slack_signing_secret or "").encode()
        self._claims = Claims(edge.store, edge.clock)
        self._threads: anyio.CapacityLimiter | None = None

    async def certificate(self, request: Request) -> Response:
        """Slack checks our certificate now and then (``ssl_check=1``) and wants 200, no more."""
        checked = request.query_params.get("ssl_check") == "1"
        return Response(status_code=200 if checked else 405)

    async def events(self, request: Request) -> Response:
        with metrics.acknowledging("http"):
            return await self._events(request)

    async def _events(self, request: Request) -> Response:
        try:
            text, claim = await self._admit(request)
        except Turned as turned:
            log.warning("door.refused", status=turned.status, reason=turned.reason)
            metrics.REFUSED.labels(turned.reason).inc()
            if turned.told:
                return JSONResponse({"response_type": "ephemeral", "text": turned.told})
            return JSONResponse({"error": turned.reason}, status_code=turned.status)
        if self._threads is None:
            self._threads = anyio.CapacityLimiter(THREADS)
        return await anyio.to_thread.run_sync(
            self._dispatch, request, text, claim, limiter=self._threads
        )

    async def _admit(self, request: Request) -> tuple[str, str]:
        """The body and the claim of a request that passed every check. Raises Turned."""
        body = await read(request, MOST)
        content_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if content_type not in CONTENT_TYPES:
            raise Turned(415, "content_type")
        if body.startswith(b"ssl_check=1&") or body == b"ssl_check=1":
            raise Turned(200, "ssl_check")  # asks for nothing, and may come without a signature
        timestamp = request.headers.get("x-slack-request-timestamp", "")
        signature = request.headers.get("x-slack-signature", "")
        if not is_fresh(timestamp, self._edge.clock()):
            raise Turned(401, "timestamp")
        if not is_signed(self._secret, timestamp, body, signature):
            raise Turned(401, "signature")
        text = body.decode(errors="replace")
        if not is_payload(text, is_json=content_type == CONTENT_TYPES[0]):
            raise Turned(400, "payload")
        claim = f"signature:{signature}"
        try:
            first = await self._claims.first(claim)
        except BotError as error:  # the database is busy or gone
            if is_command(text):  # Slack does not repeat a command: the person is told
                raise Turned(200, "ledger", told=str(error)) from error
            raise Turned(503, "ledger") from error  # Slack brings it again
        if not first:
            raise Turned(401, "replay")
        return text, claim

    def _dispatch(self, request: Request, text: str, claim: str) -> Response:
        """In a thread, since Bolt is not asynchronous; the listener only queues its work."""
        try:
            answer = self._edge.app.dispatch(
                BoltRequest(
                    body=text, query=dict(request.query_params), headers=dict(request.headers)
                )
            )
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            # signed, but not of a shape that Slack sends: repeating it would change nothing
            log.warning("door.malformed", error=type(error).__name__, at=trace(error))
            return JSONResponse({"error": "malformed"}, status_code=400)
        if answer.status >= 500:  # not taken: Slack may bring the very same again at once
            self._edge.store.release_delivery(claim)
        return Response(
            status_code=answer.status,
            content=answer.body,
            headers=answer.first_headers_without_set_cookie(),
        )


async def read(request: Request, most: int) -> bytes:
    """The body. Raises Turned when it is larger, found out without reading all of it."""
    length = request.headers.get("content-length", "0")
    body = bytearray()
    if length.isdecimal() and int(length) > most:
        raise Turned(413, "too_large")
    try:
        with anyio.fail_after(SLOWEST):
            async for chunk in request.stream():
                body += chunk
                if len(body) > most:
                    raise Turned(413, "too_large")
    except ClientDisconnect as error:
        raise Turned(400, "disconnected") from error
    except TimeoutError as error:
        raise Turned(408, "too_slow") from error
    return bytes(body)


def is_command(text: str) -> bool:
    return "command" in parse_qs(text)


def is_fresh(timestamp: str, now: datetime) -> bool:
    """Whether a timestamp is digits and at most 300 s off.

    >>> from datetime import UTC
    >>> now = datetime.fromtimestamp(1700000300, UTC)
    >>> [is_fresh(each, now) for each in ("1700000000", "1699999999", "१७०००००३००", "")]
    [True, False, False, False]
    """
    if not (timestamp.isascii() and timestamp.isdecimal() and len(timestamp) <= 12):
        return False
    return abs(now.timestamp() - int(timestamp)) <= FRESH


def is_signed(secret: bytes, timestamp: str, body: bytes, signature: str) -> bool:
    """Whether Slack's signature is on the body; never without a secret."""
    if not secret:
        return False
    digest = hmac.new(secret, b"v0:" + timestamp.encode() + b":" + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(f"v0={digest}".encode(), signature.encode())


def is_payload(text: str, *, is_json: bool) -> bool:
    """Whether this is an object, in itself or as the form's ``payload``; Bolt takes it for granted.

    >>> is_payload("command=%2Fcandidate", is_json=False), is_payload("[1]", is_json=True)
    (True, False)
    """
    if not is_json:
        fields = parse_qs(text)
        if "payload" not in fields:
            return "command" in fields or "ssl_check" in fields
        text = fields["payload"][0]
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False
