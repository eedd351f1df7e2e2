"""An HTTP connection whose headers have to arrive in time: the web server itself waits for ever.

Slow connections would otherwise take every place that the server has, and keep it.
"""

from asyncio import TimerHandle, Transport
from typing import ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


class Punctual(H11Protocol):
    """Uvicorn's protocol, which hangs up when a request's headers take too long.

    The time of a first request counts from the connection, of a later one from its first
    byte; what is silent between two requests Uvicorn closes itself.
    """

    patience: ClassVar[float] = 10.0
    """Seconds; Slack itself gives up after three."""
    _hang_up: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect_headers()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._expect_headers()
        else:
            self._let_be()

    def connection_lost(self, exc: Exception | None) -> None:
        self._let_be()
        super().connection_lost(exc)

    def _expect_headers(self) -> None:
        if self._hang_up is None:
            self._hang_up = self.loop.call_later(self.patience, self.transport.abort)

    def _let_be(self) -> None:
        if self._hang_up is not None:
            self._hang_up.cancel()
            self._hang_up = None
