"""A scheduled task."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True)
class Scheduled:
    """Something that the clock does, at most once in ``every``."""

    name: str
    every: timedelta
    run: Callable[[], object]
