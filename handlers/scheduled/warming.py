"""Once, when the program has started: the first questions and the first document find all warm."""

import threading
import time
from collections.abc import Callable
from datetime import datetime
from typing import Final

import structlog

from bot.logs import trace
from bot.profiles import apart
from storage.store import Store

log = structlog.get_logger(__name__)

PAUSE: Final = 0.01
"""Seconds between two questions of ours: those of people go before them."""


class Warming:
    """A thread that ends by itself, and that nobody misses when it fails."""

    def __init__(self, store: Store, clock: Callable[[], datetime]) -> None:
        self._store, self._clock = store, clock
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="warming", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ask no further question; returns when the one that is asked is answered."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        began = time.perf_counter()
        try:
            asked = self._store.warm(go_on=self._go_on, now=self._clock())
            if not self._stop.is_set():
                apart.start()
        except Exception as error:  # noqa: BLE001 - the first questions are slower, and that is all
            log.warning("warming.failed", error=type(error).__name__, at=trace(error))
        else:
            log.debug(
                "warming.done", questions=asked, seconds=round(time.perf_counter() - began, 1)
            )

    def _go_on(self) -> bool:
        return not self._stop.wait(PAUSE)
