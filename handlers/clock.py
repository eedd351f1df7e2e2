"""The pulse: one tick in memory, and the functions that it calls.

Rows are the truth, so nothing is lost when a tick is: the next one finds what
is due. Whatever a function asks the clock for the time, the pulse has moved; a
watchdog ends the program with 70 when it has not for three periods, so that a
supervisor starts it anew.
"""

import os
import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import structlog
from apscheduler.schedulers.background import (  # type: ignore[import-untyped]  # has none
    BackgroundScheduler,
)
from apscheduler.triggers.interval import IntervalTrigger  # type: ignore[import-untyped]
from slack_sdk import WebClient

from bot.logs import trace
from handlers import metrics
from handlers.features import duties
from handlers.scheduled import alarms, cleaning, keeping, sending, sweeping
from handlers.scheduled.intake import Inbox
from handlers.scheduled.task import Scheduled
from handlers.slack.telling import Admins
from storage.store import Store

log = structlog.get_logger(__name__)

PERIOD: Final = timedelta(seconds=15)
STUCK: Final = 70
"""Exit status of a program whose pulse stopped (EX_SOFTWARE)."""
PERIODS: Final = 3
KEPT_DELIVERIES: Final = timedelta(hours=1)
"""Slack repeats an event for some minutes, and a signature is good for five."""


class Pulse:
    """The clock that scheduled functions are given: asking it shows that they move."""

    def __init__(
        self, clock: Callable[[], datetime], monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._clock = clock
        self._monotonic = monotonic
        self._beat = monotonic()

    def __call__(self) -> datetime:
        """The time, and a beat."""
        self._beat = self._monotonic()
        return self._clock()

    @property
    def silence(self) -> timedelta:
        """How long ago the last beat was."""
        return timedelta(seconds=self._monotonic() - self._beat)


class Clock:
    """Calls each scheduled function when its time has come; one that fails stops no other."""

    def __init__(
        self,
        pulse: Pulse,
        scheduled: Sequence[Scheduled],
        *,
        period: timedelta = PERIOD,
        die: Callable[[int], object] = os._exit,
        failing: Callable[[str, datetime], object] = lambda _name, _since: None,
    ) -> None:
        """``failing`` hears of each failure: whose, and since when it fails each time."""
        self.pulse = pulse
        self.scheduled = tuple(scheduled)
        self._period = period
        self._die = die
        self._failing = failing
        self._due: dict[str, datetime] = {}
        self._since: dict[str, datetime] = {}
        self._stopped = threading.Event()
        self._scheduler = BackgroundScheduler(timezone=UTC, daemon=True)

    def start(self) -> None:
        """Tick at once and then each period, in threads of its own, until ``stop``."""
        self._scheduler.add_job(
            self.tick,
            IntervalTrigger(seconds=self._period.total_seconds(), timezone=UTC),
            next_run_time=datetime.now(UTC),
            coalesce=True,
            misfire_grace_time=None,
            max_instances=1,
        )
        self._scheduler.start()
        threading.Thread(target=self._watch, name="watchdog", daemon=True).start()

    def stop(self) -> None:
        """No more ticks; returns when the one that runs has ended."""
        self._stopped.set()
        if self._scheduler.running:
            self._scheduler.shutdown(wait=True)

    @property
    def stopping(self) -> bool:
        return self._stopped.is_set()

    def tick(self) -> None:
        """Call what is due."""
        for each in self.scheduled:
            now = self.pulse()
            if self.stopping:
                return
            wait = self._due.get(each.name, now) - now
            if timedelta(0) < wait <= each.every:  # longer: the clock was set back meanwhile
                continue
            self._due[each.name] = now + each.every
            try:
                each.run()
                self._since.pop(each.name, None)
                metrics.SCHEDULED.labels(each.name, "done").inc()
            except Exception as error:  # noqa: BLE001 - the fence: one that fails stops no other
                metrics.SCHEDULED.labels(each.name, "failed").inc()
                log.error(  # noqa: TRY400 - no trace: see `trace`
                    "clock.failed",
                    function=each.name,
                    error=type(error).__name__,
                    at=trace(error),
                )
                self._failing(each.name, self._since.setdefault(each.name, now))
        self.pulse()

    def watch(self) -> None:
        """End the program if the pulse has been silent for three periods."""
        silence = self.pulse.silence
        if silence > PERIODS * self._period and not self.stopping:
            log.critical("the clock stands still", seconds=round(silence.total_seconds()))
            self._die(STUCK)

    def _watch(self) -> None:
        while not self._stopped.wait(self._period.total_seconds() / 3):
            self.watch()


def build_clock(
    store: Store,
    client: WebClient,
    clock: Callable[[], datetime],
    *,
    admins: Admins = tuple,
    inbox: Path | None = None,
    reading_alarm: int = 200,
    more: Sequence[Scheduled] = (),
    retention: int = 0,
    backups: Path | None = None,
    keep: int = 14,
    period: timedelta = PERIOD,
    die: Callable[[int], object] = os._exit,
) -> Clock:
    """The clock of the program, not yet started. ``client`` is ``sending.posting_client``'s.

    ``admins`` says whom to tell; more than ``reading_alarm`` people looked at raise an alarm.
    ``retention`` are months; 0 erases nobody. A new scheduled thing is a function
    ``(store, client, clock)`` and a line here; ``more`` are those of features that need the
    whole edge.
    """
    pulse = Pulse(clock)
    often, minute, hour = timedelta(0), timedelta(minutes=1), timedelta(hours=1)

    def prune() -> None:
        store.forget_deliveries(pulse() - KEPT_DELIVERIES)

    def stopping() -> bool:
        return built.stopping

    def failing(name: str, since: datetime) -> None:
        keeping.tell_failing(store, name, since=since, now=pulse())

    scheduled = [
        Scheduled("digests", often, lambda: sending.tick(store, client, pulse, stopping=stopping)),
        Scheduled("failures", often, lambda: sweeping.tell_failures(store, client, pulse, admins)),
        Scheduled("alarms", often, lambda: alarms.tell_alarms(store, client, pulse, admins)),
        Scheduled(
            "reading",
            5 * minute,
            lambda: alarms.look_for_bulk_reading(store, pulse, reading_alarm),
        ),
        Scheduled("sweep", minute, lambda: sweeping.sweep(store, client, pulse)),
        Scheduled("forgetting", often, lambda: cleaning.tick(store, client, pulse)),
        Scheduled("retention", minute, lambda: duties.keep_time(store, pulse, retention, inbox)),
        Scheduled("duties", hour, lambda: duties.remind(store, pulse, retention)),
        Scheduled("checkpoint", 5 * minute, keeping.Checkpoints(store, pulse).tick),
        Scheduled("statistics", 60 * minute, store.measure),
        Scheduled("deliveries", 10 * minute, prune),
        Scheduled("quarantine", 60 * minute, lambda: store.prune_refused(pulse())),
        *more,
    ]
    if inbox is not None:
        scheduled.append(Scheduled("inbox", often, Inbox(inbox, store, pulse).tick))
    if backups is not None:
        daily = keeping.Daily(store, backups, keep=keep, clock=pulse)
        scheduled.append(Scheduled("backup", minute, daily.tick))
    built = Clock(pulse, scheduled, period=period, die=die, failing=failing)
    return built
