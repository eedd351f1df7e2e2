"""What supervisors and Prometheus see: ``/healthz``, ``/readyz`` and ``/metrics``.

``/healthz``: the process answers. ``/readyz``: questions are taken, which needs
the start to be over, the clock ticking, the socket open (in Socket Mode) and the
database answering. ``/metrics`` is for whoever may know how the bot fares:

- with METRICS_TOKEN set, for requests that carry ``Authorization: Bearer TOKEN``;
- without it, for requests from this machine, and in HTTP mode for nobody: the
  proxy in front would make everybody look like this machine.

Whoever may not is told 404, as if there were none.
"""

import hmac
import ipaddress
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Protocol

import anyio
import structlog
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from handlers.edge.boundary import Edge
from handlers.metrics import COUNTED

log = structlog.get_logger(__name__)

STALE: Final = timedelta(seconds=45)
"""How long the clock may be silent: three of its periods."""
CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


class Ticks(Protocol):
    """The clock, as far as it is looked at here."""

    @property
    def silence(self) -> timedelta: ...


class Hears(Protocol):
    """The connection of Socket Mode, as far as it is looked at here."""

    def hears(self) -> bool: ...


@dataclass(slots=True)
class Operation:
    """How one running bot fares. ``pulse`` and ``link`` are set once there are any."""

    edge: Edge
    ready: Callable[[], bool]
    pulse: Ticks | None = None
    link: Hears | None = None

    def routes(self) -> list[Route]:
        """For the web server that Slack posts to, or for one of their own."""
        return [
            Route("/healthz", self.healthz, methods=["GET"]),
            Route("/readyz", self.readyz, methods=["GET"]),
            Route("/metrics", self.metrics, methods=["GET"]),
        ]

    def app(self) -> Starlette:
        """Only these pages, for Socket Mode, where nothing else is served."""
        return Starlette(routes=self.routes())

    async def healthz(self, _: Request) -> Response:
        """The process runs and answers."""
        return JSONResponse({"ok": True})

    async def readyz(self, _: Request) -> Response:
        """Whether questions are taken."""
        return await anyio.to_thread.run_sync(self._readiness)

    async def metrics(self, request: Request) -> Response:
        """The figures, in Prometheus' text format."""
        if not self._may_read(request):
            return PlainTextResponse("Not Found", status_code=404)
        return await anyio.to_thread.run_sync(self._measured)

    def ticks(self) -> bool:
        """Whether the clock has moved lately, or is not there yet."""
        return self.pulse is None or self.pulse.silence <= STALE

    def trouble(self) -> str | None:
        """Why questions are not taken just now, but for the database; None when they are."""
        if not self.ready():
            return "starting or stopping"
        if not self.ticks():
            return "clock"
        if self.link is not None and not self.link.hears():
            return "socket"
        return None

    def _readiness(self) -> Response:
        reason = self.trouble()
        if reason is not None:
            return JSONResponse({"ok": False, "reason": reason}, status_code=503)
        try:
            people = self.edge.store.count()
        except Exception as error:  # noqa: BLE001 - whatever the database does, the answer is "not ready"
            log.warning("operation.not_ready", error=type(error).__name__)
            return JSONResponse({"ok": False, "reason": "database"}, status_code=503)
        return JSONResponse({"ok": True, "people": people, "waiting": self.edge.pool.unfinished})

    def _may_read(self, request: Request) -> bool:
        settings = self.edge.settings
        if settings.metrics_token:
            told = request.headers.get("authorization", "")
            return hmac.compare_digest(told.encode(), f"Bearer {settings.metrics_token}".encode())
        return settings.mode != "http" and is_loopback(
            request.client.host if request.client else ""
        )

    def _measured(self) -> Response:
        asked = CollectorRegistry()
        asked.register(Asked(self))
        return Response(generate_latest(COUNTED) + generate_latest(asked), media_type=CONTENT_TYPE)


class Asked(Collector):
    """The figures that are asked for when somebody reads them."""

    def __init__(self, operation: Operation) -> None:
        self._operation = operation

    def describe(self) -> list[Metric]:
        """Nothing is asked when it is registered."""
        return []

    def collect(self) -> Iterator[Metric]:
        operation, edge = self._operation, self._operation.edge
        yield gauge("ready", "1 when questions are taken.", float(operation.trouble() is None))
        if operation.pulse is not None:
            silence = operation.pulse.silence.total_seconds()
            yield gauge("tick_age_seconds", "Since the clock last moved.", silence)
        if operation.link is not None:
            heard = float(operation.link.hears())
            yield gauge("socket_connected", "1 when the socket answers pings.", heard)
        yield gauge("pool_work", "Work that waits or runs.", edge.pool.unfinished)
        yield gauge("pool_room", "How much work the pool takes at most.", edge.pool.room)
        waits = edge.store.database.waits
        yield counter("lock_waits", "Transactions that waited for their turn.", waits.writes)
        yield counter("lock_wait_seconds", "How long they waited in all.", waits.seconds)
        yield counter("lock_refusals", "Writes given up on a locked database.", waits.refused)
        yield from self._stored()

    def _stored(self) -> Iterator[Metric]:
        edge, now = self._operation.edge, self._operation.edge.clock()
        try:
            figures = edge.store.figures(now=now)
            folder = edge.settings.backup_folder
            newest = edge.store.newest_backup(folder) if folder else None
        except Exception as error:  # noqa: BLE001 - the other figures matter most when this fails
            log.warning("operation.not_measured", error=type(error).__name__)
            yield gauge("database_up", "1 when the database answers.", 0)
            return
        yield gauge("database_up", "1 when the database answers.", 1)
        yield gauge("people", "People who may be shown.", figures.people)
        yield gauge("people_stored", "People stored, the hidden ones too.", figures.stored)
        yield gauge("documents", "Documents stored.", figures.sources)
        runs = GaugeMetricFamily(
            "candidate_digest_runs", "Runs of digests, by state.", labels=["state"]
        )
        for state, number in figures.digest_runs.items():
            runs.add_metric([state], number)
        yield runs
        due = (now - figures.oldest_due).total_seconds() if figures.oldest_due else 0.0
        yield gauge("digest_oldest_due_seconds", "How long the oldest due digest waits.", due)
        if newest is not None:
            age = (now - newest).total_seconds()
            yield gauge("backup_age_seconds", "Since the newest backup was made.", age)


def gauge(name: str, told: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"candidate_{name}", told, value=value)


def counter(name: str, told: str, value: float) -> CounterMetricFamily:
    return CounterMetricFamily(f"candidate_{name}", told, value=value)


def is_loopback(host: str) -> bool:
    """Whether an address is this machine's own.

    >>> [is_loopback(each) for each in ("127.0.0.1", "::1", "::ffff:127.0.0.1", "10.0.0.1", "")]
    [True, True, True, False, False]
    """
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback
