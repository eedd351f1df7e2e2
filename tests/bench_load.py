"""How soon a running bot acknowledges and answers at several steady rates, then all at once.

``python -m tests.bench_load [PEOPLE] [RATE ...]`` (100,000 people; 5, 10, 20, 50, 100 a second),
each rate for fifteen seconds, then 50 at once, over HTTP and Socket Mode, when the bot has run for
twenty seconds and has read beforehand what most questions need. The load comes from the same
machine and shares its processors. The questions are those of ``tests.campaign_load``.
"""

import asyncio
import sys
import tempfile
from pathlib import Path

from tests.campaign_load import KEPT, measure, questions
from tests.campaign_people import populate
from tests.campaign_verdict import machine

PEOPLE, RATES, SECONDS, BURST, SEED, WARM = 100_000, (5, 10, 20, 50, 100), 15, 50, 1, 20


def main() -> None:
    people, *rates = [int(each) for each in sys.argv[1:]] or [PEOPLE]
    database = KEPT / f"people-{people}-{SEED}.db"
    database.parent.mkdir(exist_ok=True)
    populate(database, seed=SEED, count=people)
    print(machine(), f"· {people:,} people · p50 / p99 / slowest", flush=True)
    for mode in ("http", "socket"):
        for rate in rates or RATES:
            with tempfile.TemporaryDirectory() as folder:
                phases = asyncio.run(
                    measure(
                        mode, database, questions(SEED, people), rate=rate, count=SECONDS * rate,
                        burst=BURST, log=Path(folder) / "bot.log", warm=WARM,
                    )
                )  # fmt: skip
            for what, phase in zip(
                (f"{rate:>4} a second", f"{BURST:>4} at once"), phases, strict=True
            ):
                told = phase.figures()
                print(
                    f"{mode:<7}{what:<14}",
                    *(f"{key} {said};" for key, said in told.items()),
                    flush=True,
                )


if __name__ == "__main__":
    main()
