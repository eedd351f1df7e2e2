"""Socket Mode: one connection to Slack, watched.

Slack refreshes connections (``disconnect``) and the library opens a new one. A
socket can also fall silent without closing: when no pong has come for a minute,
a new connection is forced; when none could be made for three minutes, the
link is dead and the program ends, for its supervisor to start it anew.
"""

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import structlog
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient
from slack_sdk.socket_mode.client import BaseSocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest

from handlers import metrics
from handlers.edge.boundary import Edge
from handlers.edge.voice import TIMEOUT
from handlers.slack.verdict import (
    CannotReachSlack,
    LaterError,
    RefusedError,
    UncertainError,
    judged,
)

log = structlog.get_logger(__name__)

SILENT, LOST = 20.0, 180.0
"""Seconds without a pong until a new connection is forced, and until the link is given up."""
PING = 2.0
"""Seconds between pings. The library gives a connection up after five failed ones, or when no
pong came for four of these: one that broke without a word is replaced within ten seconds."""
RECEIVE = 1.0
"""Seconds that one reading of the socket may wait. The library holds a lock meanwhile and
waits for it before it replaces a connection: with its own three seconds, commands that
come beside Slack's "refresh" are acknowledged too late."""
READERS = 10
"""Deliveries read at once; each is only looked at and queued."""


def quiet(logger: logging.Logger) -> logging.Logger:
    """The library's log without what we tell ourselves: that no socket could be asked for."""
    logger.addFilter(_is_news)
    return logger


def _is_news(record: logging.LogRecord) -> bool:
    return not record.getMessage().startswith("Failed to retrieve WSS URL")


class Link:
    """The connection; ``alive`` is asked by the main thread every second."""

    def __init__(
        self,
        edge: Edge,
        app_token: str,
        *,
        silent: float = SILENT,
        lost: float = LOST,
        ping: float = PING,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._edge = edge
        self._silent, self._lost = silent, lost
        self._monotonic = monotonic
        self._handler = SocketModeHandler(
            edge.app,
            app_token,
            logger=quiet(logging.getLogger("slack_bolt.socket")),
            web_client=WebClient(
                base_url=edge.settings.slack_api_url, timeout=TIMEOUT, retry_handlers=[]
            ),
            ping_interval=ping,
            concurrency=READERS,
        )
        self._connects = self._handler.client.connect
        self._handler.client.connect = self._connect  # type: ignore[method-assign]  # it takes no other class
        self._handler.client.message_listeners.append(self._greeted)
        self._handler.client.socket_mode_request_listeners = [self._take]
        self._good = monotonic()
        self._tried = monotonic()
        self._heard: tuple[int, float | None] = (0, None)
        self._heard_at = monotonic()
        self._reconnecting = threading.Lock()
        self._hearing = True

    def open(self) -> None:
        """Connect. Raises CannotReachSlack with what to do."""
        try:
            with judged():
                self._handler.client.connect()
        except RefusedError as refused:
            self.close()
            raise CannotReachSlack(
                f"Slack does not accept SLACK_APP_TOKEN ({refused.code}). It is made in "
                "your Slack app, Basic Information, App-Level Tokens, with the scope "
                "connections:write, and Socket Mode has to be on."
            ) from refused
        except (LaterError, UncertainError) as trouble:
            self.close()
            raise CannotReachSlack(
                f"Slack's socket cannot be opened ({trouble}). "
                "Check the network, and SLACK_API_URL if it is set."
            ) from trouble
        self._heard_at = self._good = self._tried = self._monotonic()

    def alive(self) -> bool:
        """False when the connection is lost for good; forces a new one when it is silent."""
        now = self._monotonic()
        if self.hears():
            self._good = now
            return True
        if now - self._good > self._lost:
            return False
        if now - self._good > self._silent and now - self._tried > self._silent / 4:
            self._tried = now
            threading.Thread(target=self._reconnect, name="reconnect", daemon=True).start()
        return True

    def hears(self) -> bool:
        """Whether the socket is open and has answered a ping lately.

        The library stamps pongs with the time of day, which may be set back or forth: only
        that a stamp changed is looked at, and how long ago is told by the monotonic clock.
        """
        session = self._handler.client.current_session
        if session is None or not session.is_active():
            return False
        heard = (id(session), session.last_ping_pong_time)
        if heard != self._heard:
            self._heard, self._heard_at = heard, self._monotonic()
        return self._monotonic() - self._heard_at < self._silent

    def stop_hearing(self) -> None:
        """Close the socket, and one that is just being opened: Slack brings nothing more here."""
        self._hearing = False
        self._handler.client.auto_reconnect_enabled = False
        self._handler.client.default_auto_reconnect_enabled = False
        self._handler.client.disconnect()

    def close(self) -> None:
        """Close the socket and end the threads that read it; waits for one that is being opened."""
        self.stop_hearing()
        if self._reconnecting.acquire(timeout=TIMEOUT):
            self._reconnecting.release()
        client, until = self._handler.client, time.monotonic() + TIMEOUT
        reader = client.current_session_runner
        while reader.is_alive() and time.monotonic() < until:  # one that just begins forgets it
            reader.event.set()
            client.current_session_state.terminated = True
            reader.thread.join(0.1)
        client.close()

    def _take(self, client: BaseSocketModeClient, request: SocketModeRequest) -> None:
        """Bolt looks at a delivery, our listener queues its work, and it is acknowledged."""
        with metrics.acknowledging("socket"):
            self._handler.handle(client, request)  # type: ignore[arg-type]  # the client is its own

    def _greeted(
        self, _client: BaseSocketModeClient, message: dict[str, Any], _raw: str | None
    ) -> None:
        """Slack says hello on each new connection: from then on readings are short."""
        session = self._handler.client.current_session
        if message.get("type") == "hello" and session is not None and session.sock is not None:
            with suppress(OSError):  # closed meanwhile: the next connection greets us too
                session.sock.settimeout(RECEIVE)

    def _connect(self) -> None:
        """Every connection is made here, by whichever thread of ours or of the library's.

        One that was begun before ``stop_hearing`` and is made after it would be nobody's:
        Slack would go on bringing things to a program that ends.
        """
        client = self._handler.client
        before = client.current_session_state
        if self._hearing:
            self._connects()
            # The library's reader may have begun the new socket with the old one's state, which
            # nothing would end: it would read a dead socket for ever after the next refresh.
            before.terminated = True
        if not self._hearing:
            client.current_session_state.terminated = True
            client.disconnect()

    def _reconnect(self) -> None:
        if not self._reconnecting.acquire(blocking=False):
            return
        failed: Exception | None = None
        try:
            if not self._hearing:
                return
            log.warning("socket.silent")
            self._handler.client.connect_to_new_endpoint(force=True)
            self._heard_at = self._monotonic()
        except Exception as error:  # noqa: BLE001 - the library raises what it meets; we try again
            failed = error
        finally:
            self._reconnecting.release()
        if failed is None:
            metrics.RECONNECTED.labels("replaced").inc()
        else:
            metrics.RECONNECTED.labels("failed").inc()
            log.warning("socket.not_reopened", error=type(failed).__name__)
