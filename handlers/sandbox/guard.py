"""Who may talk to the sandbox: this machine, and a browser only through the sandbox's own page.

A page of another site could post to loopback (so ``Origin`` must be ours), and
a name that resolves to 127.0.0.1 could make us its own origin (so ``Host`` must
be loopback's name, with our port).
"""

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
SOCKET_PATH = "/link"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; "
    "font-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


LARGEST = 16_000_000
"""Bytes of a request; a saved page, the largest thing that is sent here, has far fewer."""
TOO_LARGE = f"That is more than {LARGEST // 1_000_000} MB, which nothing here takes."


class TooLarge(Exception):
    """A request's body goes on beyond what is taken."""


class Guard:
    """Refuses requests that a browser was tricked into; adds the page's security headers."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in {"http", "websocket"}:
            await self.app(scope, receive, send)
            return
        complaint = complaint_about(scope)
        if complaint is None:
            try:
                await self.app(scope, at_most(receive, LARGEST), with_headers(send))
            except TooLarge:
                body = {"ok": False, "error": "request_too_large", "message": TOO_LARGE}
                await JSONResponse(body, status_code=413)(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocketClose(code=4003, reason=complaint[0])(scope, receive, send)
        else:
            code, sentence = complaint
            refusal = JSONResponse(
                {"ok": False, "error": code, "message": sentence}, status_code=403
            )
            await refusal(scope, receive, send)


def complaint_about(scope: Scope) -> tuple[str, str] | None:
    """Why this request is refused: a code and a sentence; None if it may pass."""
    headers = Headers(scope=scope)
    if len(headers.getlist("host")) > 1 or len(headers.getlist("origin")) > 1:
        return "invalid_host", "The request names several hosts or origins: name one."
    host = headers.get("host", "")
    server = scope.get("server") or ("", None)
    # slack_sdk's own socket client leaves the port out; a browser would say Origin as well.
    portless = scope["path"] == SOCKET_PATH and "origin" not in headers
    if not is_loopback(host, port=None if portless else server[1]):
        return (
            "invalid_host",
            "The sandbox answers only on this machine: open http://localhost with its port.",
        )
    origin = headers.get("origin")
    if origin is not None and origin != f"http://{host}":
        return "invalid_origin", "The sandbox takes requests from its own page only."
    if headers.get("sec-fetch-site") in {"cross-site", "same-site"} and not is_visit(
        scope, headers
    ):
        return "invalid_origin", "The sandbox takes requests from its own page only."
    return None


def is_loopback(host: str, *, port: int | None) -> bool:
    """Whether a ``Host`` header names loopback and our port.

    >>> is_loopback("localhost:3000", port=3000), is_loopback("evil.example:3000", port=3000)
    (True, False)
    """
    name, _, given = host.rpartition(":") if not host.endswith("]") else (host, "", "")
    if not name:
        name, given = host, ""
    if name.lower() not in LOOPBACK:
        return False
    return port is None or (given or "80") == str(port)


def is_visit(scope: Scope, headers: Headers) -> bool:
    """Someone follows a link to the page itself, which changes nothing."""
    return (
        scope["type"] == "http"
        and scope["method"] == "GET"
        and scope["path"] == "/"
        and headers.get("sec-fetch-mode") == "navigate"
    )


def at_most(receive: Receive, size: int) -> Receive:
    """The same, until more than ``size`` bytes have come: then it raises TooLarge."""
    left = size

    async def receiving() -> Message:
        nonlocal left
        message = await receive()
        if message["type"] == "http.request":
            left -= len(message.get("body", b""))
            if left < 0:
                raise TooLarge
        return message

    return receiving


def with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
