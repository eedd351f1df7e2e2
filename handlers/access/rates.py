"""How often one person may ask: a bucket that refills steadily."""

import threading
from datetime import datetime

from storage.errors import BotError

BURST, PER_SECOND = 120, 2.0
MOST_PEOPLE = 10_000


class TooFast(BotError):
    """A person who asks faster than answers can be read."""


class Rates:
    """``burst`` questions at once, and ``per_second`` more as time passes."""

    def __init__(self, *, burst: int = BURST, per_second: float = PER_SECOND) -> None:
        self._burst, self._per_second = burst, per_second
        self._left: dict[str, tuple[float, datetime]] = {}
        self._lock = threading.Lock()

    def spend(self, user: str, *, now: datetime) -> None:
        """Count one question. Raises TooFast with how long to wait."""
        with self._lock:
            left, since = self._left.get(user, (float(self._burst), now))
            passed = max(0.0, (now - since).total_seconds())
            left = min(float(self._burst), left + passed * self._per_second)
            if left < 1:
                raise TooFast(
                    f"That were {self._burst} questions in a short time. "
                    f"Wait {max(1, round((1 - left) / self._per_second))} seconds and ask again."
                )
            if len(self._left) >= MOST_PEOPLE:
                self._left.clear()
            self._left[user] = (left - 1, now)
