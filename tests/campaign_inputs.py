"""Inputs made by number, in as many processes as there are processors, and what came of them.

A module of inputs has ``one(seed, number, faults)``, which says what input ``number`` was and what
came of it and raises what is wrong, and calls ``main`` from its ``__main__``.
"""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import structlog

from tests.campaign_verdict import Verdict

ROOT = Path(__file__).parent.parent
TOLD = 100_000
"""After how many inputs of all processes together a line on stderr says how far it is."""


class Faults:
    """Hears of what the reader's own fence kept from us: a fault, though nobody saw it."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def __call__(self, _: Any, __: str, event: Any) -> Any:
        if event.get("event") == "format_failed":
            self.heard.append(str(event.get("error")))
        raise structlog.DropEvent


One: TypeAlias = Callable[[int, int, Faults], str]


def some(one: One, seed: int, first: int, count: int, step: int) -> dict[str, Any]:
    """Every ``step``-th input from ``first`` on, below ``count``; the JSON of a process."""
    faults = Faults()
    structlog.configure(processors=[faults])
    came: Counter[str] = Counter()
    wrong, slowest, slow = [], 0.0, 0
    started = time.monotonic()
    for tried, number in enumerate(range(first, count, step)):
        if tried and tried % (TOLD // step) == 0:
            told = f"{tried:,} of {(count - first - 1) // step + 1:,} inputs, {len(wrong)} uncaught"
            pace = tried / (time.monotonic() - started)
            print(f"{first + 1}/{step}: {told}, {pace:.0f} a second", file=sys.stderr)
        begun = time.perf_counter()
        try:
            came[one(seed, number, faults)] += 1
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
            came["uncaught"] += 1
            wrong.append(f"input {number}: {type(error).__name__}: {str(error)[:200]}")
            faults.heard.clear()
        took = time.perf_counter() - begun
        if took > slowest:
            slowest, slow = took, number
    return {"came": came, "wrong": wrong[:20], "slowest": slowest, "slow": slow}


def run_all(part: str, module: str, size: int, seed: int) -> Verdict:
    """``size`` inputs of a module over as many processes as there are processors."""
    verdict = Verdict(part=part, seed=seed, size=size)
    begun = time.monotonic()
    step = os.cpu_count() or 1
    processes = [
        subprocess.Popen(
            [
                sys.executable,
                "-m",
                module,
                str(seed),
                str(first),
                str(size),
                str(step),
            ],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        for first in range(step)
    ]
    came: Counter[str] = Counter()
    slowest, slow = 0.0, 0
    for process in processes:
        out, _ = process.communicate()
        verdict.expect(process.returncode == 0, f"a process ended with {process.returncode}")
        said = json.loads(out or "{}")
        came.update(said.get("came", {}))
        verdict.wrong += said.get("wrong", [])
        slowest, slow = max((slowest, slow), (said.get("slowest", 0.0), said.get("slow", 0)))
    verdict.seconds = time.monotonic() - begun
    inputs = sum(came.values())
    verdict.expect(inputs == size, f"only {inputs} inputs were tried")
    verdict.figures = {
        "inputs": inputs,
        **dict(sorted(came.items())),
        "a second": round(inputs / verdict.seconds),
        "slowest": f"{slowest * 1000:.0f} ms (input {slow})",
    }
    return verdict


def main(one: One, seed: int, number: int, size: int | None = None, step: int = 1) -> None:
    """One input, printed; with ``size`` every ``step``-th from ``number`` on, as JSON."""
    if size is None:
        structlog.configure(processors=[faults := Faults()])
        print(one(seed, number, faults))
    else:
        print(json.dumps(some(one, seed, number, size, step)))
