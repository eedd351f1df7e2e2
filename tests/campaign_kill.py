"""SIGKILL before each step of what the program does with files, the database and Slack.

``tests.campaign_killing`` says what a step is. ``JOURNEYS`` is the table: a new one is a line in
``tests.campaign_kill_files``, or in ``tests.campaign_kill_slack`` when it needs Slack.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import structlog

from tests import campaign_kill_files, campaign_kill_slack
from tests.campaign_killing import Journey, kill_at_all
from tests.campaign_verdict import Verdict

ROOT = Path(__file__).parent.parent
JOURNEYS: dict[str, Journey] = {**campaign_kill_files.JOURNEYS, **campaign_kill_slack.JOURNEYS}
"""Name → what is done and looked at."""


def run(size: int, seed: int) -> Verdict:
    """Each journey in a process of its own, killed at ``size`` steps (0: at each)."""
    verdict = Verdict(part="kills", seed=seed, size=size)
    begun = time.monotonic()
    total = 0
    for name in JOURNEYS:
        status, said = killed(name, size, seed)
        verdict.expect(status == 0, f"{name}: ended with {status}")
        verdict.wrong += [f"{name}, {each}" for each in said.get("wrong", [])]
        verdict.figures[name] = f"{said.get('kills')} kills of {said.get('steps')} steps"
        total += said.get("kills", 0)
    verdict.figures["kills"] = total
    verdict.seconds = time.monotonic() - begun
    return verdict


def killed(name: str, size: int, seed: int) -> tuple[int, dict[str, Any]]:
    """One journey in a process of its own: how that ended, and what ``kill_at_all`` says."""
    sizes = ["--size", str(size), "--seed", str(seed)]
    done = subprocess.run(
        [sys.executable, "-m", "tests.campaign_kill", name, *sizes],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    return done.returncode, json.loads(done.stdout or "{}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("journey", choices=JOURNEYS)
    parser.add_argument("--size", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    wish = parser.parse_args()
    structlog.configure(
        processors=[structlog.processors.KeyValueRenderer()],
        logger_factory=structlog.ReturnLoggerFactory(),
    )
    memory = Path("/dev/shm")  # a killed process loses nothing that it has written
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        dice = random.Random(f"{wish.seed} {wish.journey}")
        came = kill_at_all(JOURNEYS[wish.journey], Path(folder), wish.size, dice)
    print(json.dumps(came))


if __name__ == "__main__":
    main()
