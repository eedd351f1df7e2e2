"""Signatures claimed in the ledger, those that come together in one transaction.

A commit waits for the disk, and the acknowledgement waits for the commit: with
60 commands at once, a transaction for each took half a second in all.
"""

import asyncio
from collections.abc import Callable
from datetime import datetime

import anyio

from storage.errors import BotError
from storage.store import Store

PATIENCE = 2.0
"""Seconds that a request waits for its claim: Slack waits three for all."""
BUSY = "My database is busy and does not answer in time. Try again in a minute."
"""What whoever typed a command is told after that."""


class LedgerBusy(BotError):
    """The ledger did not answer in time; nothing was done."""


class Claims:
    """Used by one event loop: while a transaction runs, those who come wait for the next."""

    def __init__(self, store: Store, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._clock = clock
        self._waiting: list[tuple[str, asyncio.Future[bool]]] = []
        self._working: asyncio.Task[None] | None = None

    async def first(self, key: str) -> bool:
        """Whether nobody claimed this key before; now it is claimed. Raises what the store does."""
        answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())  # seen
        self._waiting.append((key, answer))
        if self._working is None or self._working.done():
            self._working = asyncio.create_task(self._work())
        try:
            return await asyncio.wait_for(asyncio.shield(answer), PATIENCE)
        except TimeoutError as late:
            raise LedgerBusy(BUSY) from late

    async def _work(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            keys = [key for key, _ in batch]
            try:
                fresh = set(await anyio.to_thread.run_sync(self._claim, keys))
            except Exception as error:  # noqa: BLE001 - raised again, to each who waits
                for _, answer in batch:
                    if not answer.done():
                        answer.set_exception(error)
                continue
            for key, answer in batch:
                if not answer.done():
                    answer.set_result(key in fresh)
                fresh.discard(key)

    def _claim(self, keys: list[str]) -> frozenset[str]:
        return self._store.first_deliveries(keys, now=self._clock())
