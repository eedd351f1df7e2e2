"""What the same questions cost here and with what people would otherwise install.

``make bench-peers`` asks tantivy, PostgreSQL (tsvector, pg_trgm) and plain FTS5 the questions that
it asks the bot's search, in one run and one thread, and a floor of NumPy columns where a question
has one; then it measures what a write, a page and a load cost (``tests.bench_costs``). Each engine
answers with the ten best and, for conditions, with the exact count; where engines must agree, it
is checked that they do. In the environment, ``BENCH_PROFILES`` says how many people (100,000),
and ``ONLY`` which groups: names, conditions, facets, words, and those of ``tests.bench_costs``.

Times are milliseconds of a processor (of both processes for PostgreSQL), since others may use
the machine too: median, 95th and 99th percentile over ``ASKED`` different questions of a kind,
after ``WARM`` others, and over fewer where they take seconds. All data is in memory by then, so
on an idle machine one waits as long. Beside ours stands the ratio of medians. Absolute times mean
little on another machine; ratios of one run mean more.
"""

import os
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

import numpy as np

from storage.folding import fold
from storage.search import ranking
from storage.search.compile import Context, context
from storage.search.language import parse
from storage.search.lookup import Lookup
from storage.search.tree import Qualified, Question
from storage.store import Store
from tests.bench_costs import COSTS
from tests.bench_engines import Engine, Floor, Fts5, People, Postgres, Tantivy
from tests.bench_questions import SEED, TOP, WARM, Asked, Found, by_kind, people_of, questions
from tests.campaign_load import KEPT, PEOPLE
from tests.campaign_people import populate
from tests.campaign_verdict import machine

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
FEWEST, PATIENCE = 10, 5.0
"""Questions of a kind that are counted at least; the rest is left out after so many seconds."""
COMPARED = 20
"""Questions of a kind whose first ten are compared with those of the whole order."""


class Ours(Engine):
    """The bot's own search, from the parsed question to the ids of the first page."""

    name = "ours"

    def __init__(self, path: Path) -> None:
        """Stand over a database that is there."""
        self.store = Store.open(f"sqlite:///{path}")
        self.questions: dict[str, Question] = {}
        self.path = path

    def build(self, folder: Path, people: People) -> None:
        """It is what the others are built from."""

    def ask(self, asked: Asked) -> Found:
        if asked.wanted:
            hits = self.store.named(asked.text).hits[:TOP]
            return Found([], names=[fold(hit.candidate.profile.name) for hit in hits])
        question = self.questions.get(asked.text) or parse(asked.text)
        self.questions[asked.text] = question
        database = self.store.database
        with database.read() as session:
            look = Lookup(session, database.text_index, self.store.workspace, database.memory)
            where = context(look, question, NOW)
            docs = np.flatnonzero(where.matching(question.where))
            if asked.parts:
                return Found([], None, _counts(where, docs, asked))
            score = where.score(where.asked(question, docs), docs)
            best = ranking.best(look, docs, score, question.orders, TOP)
            return Found(best, len(docs))

    def overlap(self, asked: Asked) -> float:
        """How much of the first ten is that of the order of all who answer."""
        database, question = self.store.database, parse(asked.text)
        with database.read() as session:
            look = Lookup(session, database.text_index, self.store.workspace, database.memory)
            where = context(look, question, NOW)
            docs = np.flatnonzero(where.matching(question.where))
            score = where.score(where.asked(question, docs), docs)
            whole = docs[np.lexsort((look.order.ranks[docs], -score))][:TOP].tolist()
        return len({*whole} & {*self.ask(asked).best}) / max(1, len(whole))

    def names(self, docs: Sequence[int]) -> list[str]:
        """The folded names of these people."""
        with self.store.database.read() as session:
            asked = "SELECT name_order FROM profile WHERE doc = ?"
            connection = session.connection()
            return [str(connection.exec_driver_sql(asked, (doc,)).scalar()) for doc in docs]

    def close(self) -> None:
        self.store.close()


def _counts(where: Context, docs: np.ndarray, asked: Asked) -> tuple[int, ...]:
    """As the buttons that refine a result are counted: see ``results.search_page``."""
    return tuple(int(where.mask(Qualified(key, value))[docs].sum()) for key, value in asked.parts)


@dataclass(slots=True)
class Timed:
    """Of one engine and one kind of question."""

    seconds: list[float] = field(default_factory=list)
    found: list[Found] = field(default_factory=list)

    def __str__(self) -> str:
        """Median, 95th and 99th percentile in milliseconds."""
        at = sorted(self.seconds)
        shown = (self.median, *(1000 * at[int(share * len(at))] for share in (0.95, 0.99)))
        return " / ".join(f"{each:.3f}" for each in shown)

    @property
    def median(self) -> float:
        return 1000 * median(self.seconds)


def measure(engine: Engine, asked: Sequence[Asked]) -> Timed | None:
    """The times of these questions, the first ``WARM`` left out; None where it cannot be asked."""
    timed = Timed()
    for place, each in enumerate(asked):
        begun = engine.spent()
        try:
            found = engine.ask(each)
        except NotImplementedError:
            return None
        took = engine.spent() - begun
        if place >= WARM:
            timed.seconds.append(took)
            timed.found.append(found)
        if len(timed.seconds) >= FEWEST and sum(timed.seconds) > PATIENCE:
            break
    return timed


def disagreement(asked: Sequence[Asked], ours: Timed, other: Timed) -> str:
    """A line where exact counts differ; words and names are cut and ranked in different ways."""
    if asked[0].words:
        return ""
    pairs = list(zip(ours.found, other.found, strict=False))  # one may have been broken off
    differ = sum((a.count, a.counts) != (b.count, b.counts) for a, b in pairs)
    return f"; {differ} of {len(pairs)} counts differ" if differ else ""


def recall(ours: Ours, asked: Sequence[Asked], timed: Timed) -> str:
    """How often somebody of the wanted name is among the first ten."""
    if not asked[0].wanted:
        return ""
    pairs = list(zip(asked[WARM:], timed.found, strict=False))  # it may have been broken off
    recalled = sum(each.wanted in (found.names or ours.names(found.best)) for each, found in pairs)
    return f", recall@10 {recalled / len(pairs):.3f}"


def compare(engines: Sequence[Engine], ours: Ours, kinds: dict[str, list[Asked]]) -> int:
    """Print a line an engine for each kind; returns how many did not agree."""
    wrong = 0
    for kind, asked in kinds.items():
        own = measure(ours, asked)
        assert own is not None
        exactly = ""
        if asked[0].group == "words":
            shared = [ours.overlap(each) for each in asked[WARM : WARM + COMPARED]]
            exactly = f", overlap@10 with the whole order {sum(shared) / len(shared):.3f}"
        print(f"{kind:<24} ours {own}{recall(ours, asked, own)}{exactly}", flush=True)
        for engine in engines:
            timed = measure(engine, asked)
            if timed is None:
                continue
            differs = disagreement(asked, own, timed)
            wrong += bool(differs)
            print(
                f"{'':<24} {engine.name} {timed}, ours {own.median / timed.median:.3f}×"
                f"{recall(ours, asked, timed)}{differs}",
                flush=True,
            )
    return wrong


def main() -> int:
    people = int(os.environ.get("BENCH_PROFILES") or PEOPLE)
    only = frozenset(filter(None, os.environ.get("ONLY", "").split(",")))
    KEPT.mkdir(exist_ok=True)
    path = KEPT / f"people-{people}-{SEED}.db"
    populate(path, seed=SEED, count=people)
    kinds = by_kind(questions(path, people), only)
    peers: list[Callable[[], Engine]] = [Tantivy, Postgres, Fts5, Floor] if kinds else []
    wrong = 0
    with ExitStack() as stack:
        running: list[Engine] = []
        for make in peers:
            engine = make()
            begun = time.perf_counter()
            engine.build(KEPT / f"peers-{people}-{SEED}", people_of(path))
            stack.callback(engine.close)
            running.append(engine)
            print(f"{engine.name}: ready in {time.perf_counter() - begun:.0f} s", file=sys.stderr)
        print(machine(), f"· {people:,} people · median / p95 / p99 in ms, and ours to it")
        if kinds:
            ours = Ours(path)
            stack.callback(ours.close)
            wrong = compare(running, ours, kinds)
    for group, cost in COSTS.items():
        if not only or group in only:
            for line in cost(path):
                print(line, flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
