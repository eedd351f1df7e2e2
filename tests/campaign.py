"""The campaign: what docs/reliability.md claims, done again by anybody.

::

    make campaign                                          everything, long: hours
    .venv/bin/python -m tests.campaign kills               one part, long
    .venv/bin/python -m tests.campaign all --short         what runs with the tests
    .venv/bin/python -m tests.campaign fuzz --size 100000 --seed 7

Each part prints one line with its size, seed, figures and what was not as promised, under a line
with the machine; the exit status is 1 when anything was wrong. A seed makes the same inputs, kills
and faults again (when a process dies between two instructions still differs).
"""

import argparse
import random
import sys

from tests import (
    campaign_canary,
    campaign_database,
    campaign_digests,
    campaign_documents,
    campaign_forged,
    campaign_fuzz,
    campaign_kill,
    campaign_load,
    campaign_month,
    campaign_trouble,
)
from tests.campaign_verdict import Part, machine

PARTS: dict[str, Part] = {
    "digests": Part(run=campaign_digests.run, counted="digests", short=60, long=10_000),
    "kills": Part(run=campaign_kill.run, counted="steps a journey, 0 for all", short=5, long=0),
    "load": Part(run=campaign_load.run, counted="commands a mode", short=60, long=120_000),
    "database": Part(run=campaign_database.run, counted="cuts of the log", short=20, long=1_000),
    "slack": Part(run=campaign_trouble.run, counted="questions", short=40, long=2_000),
    "forged": Part(run=campaign_forged.run, counted="requests", short=170, long=10_000),
    "fuzz": Part(run=campaign_fuzz.run, counted="inputs", short=100_000, long=10_000_000),
    "documents": Part(
        run=campaign_documents.run, counted="documents", short=20_000, long=1_000_000
    ),
    "canaries": Part(run=campaign_canary.run, counted="rounds", short=6, long=200),
    "month": Part(run=campaign_month.run, counted="months", short=1, long=1),
}
"""One a row of docs/reliability.md."""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("part", choices=["all", *PARTS])
    parser.add_argument("--size", type=int, help="how much of what the part counts")
    parser.add_argument("--short", action="store_true", help="the size that runs with the tests")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    wish = parser.parse_args()
    wrong = 0
    print(machine(), flush=True)
    for name in PARTS if wish.part == "all" else [wish.part]:
        part = PARTS[name]
        size = wish.size if wish.size is not None else part.short if wish.short else part.long
        verdict = part.run(size, wish.seed)
        print(verdict, flush=True)
        wrong += bool(verdict.wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
