"""Keeping what is stored: a backup each day, and a word to admins where keeping fails.

A backup is made in a thread of its own, since the clock's digests do not wait
for it, and never two at once. It is due when the newest one in the folder is a
day old, so restarts and several processes change nothing. After a failure it
is tried again an hour later; the admins are told once a day.
"""

import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import structlog

from bot.logs import trace
from handlers import metrics
from handlers.edge.raising import raise_alarm
from storage.backups import BackupRuns
from storage.errors import BotError
from storage.store import Store

log = structlog.get_logger(__name__)

DAY: Final = timedelta(days=1)
AGAIN: Final = timedelta(hours=1)
PATIENCE: Final = timedelta(hours=1)
"""How long something may fail before admins hear of it."""


class Daily:
    """The backup of each day; call ``tick`` from the clock."""

    def __init__(
        self, store: Store, folder: Path, *, keep: int, clock: Callable[[], datetime]
    ) -> None:
        self._store = store
        self._folder = folder
        self._keep = keep
        self._clock = clock
        self._not_before: datetime | None = None
        self._thread: threading.Thread | None = None

    def tick(self) -> None:
        """Begin a backup when one is due and none is being made."""
        if self._thread is not None and self._thread.is_alive():
            return
        if self.is_due(self._clock()):
            self._thread = threading.Thread(target=self.make, name="backup", daemon=True)
            self._thread.start()

    def is_due(self, now: datetime) -> bool:
        """Whether the newest backup is a day old (or of a clock that was wrong)."""
        wait = self._not_before - now if self._not_before else timedelta(0)
        if timedelta(0) < wait <= AGAIN:
            return False
        newest = self._store.newest_backup(self._folder)
        return newest is None or not -AGAIN <= now - newest < DAY

    def make(self) -> None:
        """Make a backup; a failure is told."""
        now = self._clock()
        try:
            made = self._store.back_up(self._folder, keep=self._keep, now=now)
        except BackupRuns:  # another process is at it
            return
        except BotError as error:
            self._failed(now, str(error), error)
        except Exception as error:  # noqa: BLE001 - the fence: nobody else sees what fails here
            self._failed(now, f"No backup was made ({type(error).__name__}).", error)
        else:
            metrics.BACKUPS.labels("made").inc()
            log.info(
                "backup.made",
                people=made.people,
                megabytes=round(made.size / 1_000_000, 1),
                removed=len(made.removed),
            )

    def join(self) -> None:
        """Return when no backup is being made."""
        if self._thread is not None:
            self._thread.join()

    def _failed(self, now: datetime, sentence: str, error: Exception) -> None:
        self._not_before = now + AGAIN
        metrics.BACKUPS.labels("failed").inc()
        log.error("backup.failed", error=type(error).__name__, at=trace(error))
        raise_alarm(
            self._store,
            about="backup",
            key=f"backup:{now:%Y-%m-%d}",
            text=f"{sentence} It is tried again every hour.",
            now=now,
        )


class Checkpoints:
    """The database's housekeeping; admins hear when it has not succeeded for an hour."""

    def __init__(self, store: Store, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._clock = clock
        self._failing: datetime | None = None

    def tick(self) -> None:
        """Do the housekeeping, or note that it could not be done."""
        if self._store.checkpoint():
            self._failing = None
            return
        now = self._clock()
        self._failing = self._failing or now
        if now - self._failing >= PATIENCE:
            raise_alarm(
                self._store,
                about="checkpoint",
                key=f"checkpoint:{now:%Y-%m-%d}",
                text="The database's log has not been written into its file for an hour, and "
                "grows. Look for a program that keeps the database open (a backup tool, an open "
                "sqlite3), end it, or restart the bot.",
                now=now,
            )


def tell_failing(store: Store, name: str, *, since: datetime, now: datetime) -> None:
    """Admins hear of a scheduled function that has failed each time for an hour."""
    if now - since >= PATIENCE:
        raise_alarm(
            store,
            about="clock",
            key=f"clock:{name}:{now:%Y-%m-%d}",
            text=f"“{name}” has failed each time for an hour. What it does waits. Look at the log "
            "for `clock.failed`.",
            now=now,
        )
