"""An HTTP connection that can be cut, for the faults ``drop`` and ``timeout``."""

from asyncio import Transport
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from handlers.sandbox.cut import HANG_UP


class Line(H11Protocol):
    """Uvicorn's protocol, which also hands the application a way to hang up."""

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.app: Any = with_hang_up(self.app, transport)


def with_hang_up(app: ASGIApp, transport: Transport) -> ASGIApp:
    async def connected(scope: Scope, receive: Receive, send: Send) -> None:
        scope.setdefault("extensions", {})[HANG_UP] = transport.abort
        await app(scope, receive, send)

    return connected
