"""What a part of the campaign came to: figures that were seen, and what was not as promised."""

import os
import platform
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any


@dataclass(slots=True, kw_only=True)
class Verdict:
    """``figures`` are what was counted or measured; ``wrong`` has a line a broken promise."""

    part: str
    seed: int
    size: int
    figures: dict[str, Any] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def expect(self, holds: bool, otherwise: str) -> None:
        """Note what is wrong unless ``holds``; the first hundred are enough."""
        if not holds and len(self.wrong) < 100:
            self.wrong.append(otherwise)

    def __str__(self) -> str:
        told = ", ".join(f"{name} {value}" for name, value in self.figures.items())
        end = "as promised" if not self.wrong else "WRONG: " + "; ".join(self.wrong)
        return (
            f"{self.part} (size {self.size}, seed {self.seed}, {self.seconds:.0f} s): {told}: {end}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One row of docs/reliability.md. Sizes are counts of what ``counted`` names."""

    run: Callable[[int, int], Verdict]
    """Size and seed → what came of it."""
    counted: str
    short: int
    """The size that runs with the tests."""
    long: int


def machine() -> str:
    """The machine as a figure has to name it: processors, system, Python, SQLite, other load."""
    names = [
        line.partition(":")[2].strip()
        for line in cpuinfo().splitlines()
        if line.startswith("model name")
    ]
    return (
        f"{os.cpu_count()} × {names[0] if names else platform.machine()}, "
        f"{platform.system()} {platform.release().split('-')[0]}, "
        f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, "
        f"load before {os.getloadavg()[0]:.1f}, {datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    )


def cpuinfo() -> str:
    path = Path("/proc/cpuinfo")
    return path.read_text(encoding="utf-8") if path.exists() else ""
