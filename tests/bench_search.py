"""What questions cost a processor: each kind asked five times at 100,000 people, and their medians.

Run by ``make bench`` (``python -m tests.bench_search [PEOPLE]``). A question is what ``/candidate``
does with it: is it somebody's name, and if not, a search. Beside the milliseconds stands the ratio
to ``ada`` in the same run, which says more on a machine that others use too. Then the same
questions, each once, when the database was just opened (whoever is first pays for what several
need), and each right after one person was added.
"""

import resource
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import count
from statistics import median

from storage.records import Document, Profile, Skill
from storage.search.values import NameTier
from storage.store import Store
from tests.campaign_load import KEPT, PEOPLE
from tests.campaign_people import invented, populate

SEED, TIMES = 1, 5
NOW = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)


def kinds() -> dict[str, str]:
    """The kinds of ``campaign_load.questions`` and some more, each with a question."""
    name = next(invented(SEED, 1)).name
    return {
        "ada": "ada",
        "name": name,
        "surname": name.split()[1],
        "typo": name[:-2] + name[-1:] + name[-2:-1],
        "login": f"login{SEED}x77",
        "skill": "skill:cuda",
        "score and place": "skill:cuda>=8 location:berlin",
        "two words and years": "cuda triton years>=10",
        "word and place": "cuda berlin",
        "or, not, sorted": "(skill:cuda or skill:rust) -location:germany sort:-years",
        "nobody": "zzyzx quux",
        "three parts": "skill:cuda location:berlin years>=5",
        "word": "cuda",
        "words": "compiler engineer",
        "newest first": "sort:-added",
        "everybody": "years>=0",
        "nobody, all known": "machine learning engineer in london",
    }


def ask(store: Store, question: str) -> None:
    if store.named(question).tier is NameTier.NONE or ":" in question:
        store.search(question, now=NOW)


def seconds(work: Callable[[], object]) -> float:
    """Of the processor: what others do on the machine does not count."""
    began = time.process_time()
    work()
    return time.process_time() - began


def add_one(store: Store, number: int) -> None:
    """Store one person, or another page of the same one."""
    store.add(
        Profile(name="Bench Examined", skills=(Skill(name="cuda", score=number % 10),)),
        Document(
            name="bench.txt", text=f"Bench Examined {time.time_ns()}", added_by="bench",
            added_via="bench", parser="bench/1",
        ),
        now=datetime.now(UTC),
    )  # fmt: skip


def main() -> int:
    people = int(sys.argv[1]) if len(sys.argv) > 1 else PEOPLE
    KEPT.mkdir(exist_ok=True)
    path = KEPT / f"people-{people}-{SEED}.db"
    populate(path, seed=SEED, count=people)
    store, asked = Store.open(f"sqlite:///{path}"), kinds()
    cold = {kind: seconds(lambda q=text: ask(store, q)) for kind, text in asked.items()}
    for text in asked.values():
        ask(store, text)
    warm = {
        kind: median(seconds(lambda q=text: ask(store, q)) for _ in range(TIMES))
        for kind, text in asked.items()
    }
    after, numbers = {}, count()
    for kind, text in asked.items():
        times = []
        for _ in range(TIMES):
            add_one(store, next(numbers))
            times.append(seconds(lambda q=text: ask(store, q)))
        after[kind] = median(times)
    remembered = store.database.memory.bytes
    store.close()
    print(f"{people:,} people; milliseconds of a processor, and how often 'ada' beside it")
    print(f"{'':20}{'warm':>16}{'after one added':>20}{'cold':>16}")
    for kind in asked:
        cells = (
            f"{1000 * column[kind]:9.1f} {column[kind] / column['ada']:5.1f}×"
            for column in (warm, after, cold)
        )
        print(f"{kind:20}{'  '.join(cells)}")
    print(
        f"{remembered / 1e6:.0f} MB are remembered; the process took {peak() / 1e6:.0f} MB at most"
    )
    return 0


def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    sys.exit(main())
