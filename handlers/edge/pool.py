"""A bounded pool of threads: work is taken at once or refused at once, never kept waiting."""

import queue
import threading
import time
from collections.abc import Callable

import structlog

from bot.logs import trace

log = structlog.get_logger(__name__)

Work = Callable[[], None]


class Pool:
    """``workers`` threads over a queue of ``waiting`` pieces of work.

    Bolt's own executor has five threads and its acknowledgement waits in the
    same queue as the work; here the work waits alone.
    """

    def __init__(self, *, workers: int = 8, waiting: int = 200, name: str = "work") -> None:
        self._queue: queue.Queue[Work | None] = queue.Queue()
        self._room = waiting + workers
        self._unfinished = 0
        self._closed = False
        self._changed = threading.Condition()
        self._threads = [
            threading.Thread(target=self._run, name=f"{name}-{number}", daemon=True)
            for number in range(workers)
        ]
        for thread in self._threads:
            thread.start()

    def take(self, work: Work) -> bool:
        """Take the work, or return False when there is no room or the pool is closing."""
        with self._changed:
            if self._closed or self._unfinished >= self._room:
                return False
            self._unfinished += 1
        self._queue.put(work)
        return True

    @property
    def room(self) -> int:
        """How many pieces of work it takes at most, those that run included."""
        return self._room

    @property
    def unfinished(self) -> int:
        """Pieces of work taken and not finished."""
        return self._unfinished

    def drain(self, seconds: float) -> bool:
        """Take no more, and wait until the work taken is finished; False when time ran out."""
        deadline = time.monotonic() + seconds
        with self._changed:
            self._closed = True
            while self._unfinished:
                left = deadline - time.monotonic()
                if left <= 0 or not self._changed.wait(left):
                    break
            finished = not self._unfinished
        for _ in self._threads:
            self._queue.put(None)
        return finished

    def _run(self) -> None:
        while (work := self._queue.get()) is not None:
            try:
                work()
            except Exception as error:  # noqa: BLE001 - the work answers its own errors; the last fence
                log.error("pool.work_failed", error=type(error).__name__, at=trace(error))  # noqa: TRY400
            finally:
                with self._changed:
                    self._unfinished -= 1
                    self._changed.notify_all()
