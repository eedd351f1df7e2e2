"""How good the order of answers is: NDCG@10 over the judged questions, beside plain FTS5.

``python -m tests.bench_quality [-v]``. The set (``tests/cases/judged``) says what it is and how it
was graded; gains are the grades (3, 2, 1), the discount is log2; questions without a good answer
are left out of the mean. The peer is what SQLite alone gives: every word of the question in
quotes, joined by OR, ranked by ``bm25`` over the whole text of each person.
"""

import json
import sqlite3
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from itertools import count
from math import log2
from pathlib import Path
from statistics import mean
from typing import Any

from bot.answers import CardAnswer, ChoiceAnswer, ResultsAnswer
from bot.asking import ask
from storage.errors import BotError
from storage.profile_json import profile_from_document
from storage.records import Document
from storage.search.folding import tokens
from storage.store import Store

JUDGED = Path(__file__).parent / "cases" / "judged"
DEPTH = 10
NOW = datetime(2026, 12, 1, 9, tzinfo=UTC)

Find = Callable[[str], Sequence[str]]
"""The ids of the first answers to a question, best first."""


def lines(name: str) -> list[dict[str, Any]]:
    """The lines of a file of the set."""
    return [json.loads(each) for each in (JUDGED / name).read_text("utf-8").splitlines()]


def ndcg(found: Sequence[str], judged: Mapping[str, int], depth: int = DEPTH) -> float:
    """Normalised discounted cumulative gain of the first ``depth``: 0 to 1.

    >>> ndcg(["a", "b"], {"a": 3, "b": 1}), round(ndcg(["b", "a"], {"a": 3, "b": 1}), 3)
    (1.0, 0.797)
    """
    best = sorted(judged.values(), reverse=True)
    return gain([judged.get(id_, 0) for id_ in found[:depth]]) / gain(best[:depth])


def gain(grades: Sequence[int]) -> float:
    """Discounted cumulative gain of grades in this order."""
    return sum(grade / log2(place + 1) for place, grade in enumerate(grades, 1))


@contextmanager
def ours(people: Sequence[dict[str, Any]]) -> Iterator[Find]:
    """The bot's own answers, as ``/candidate`` gives them; the first page of ten."""
    with tempfile.TemporaryDirectory() as folder:
        numbers = count(1)  # ties go by id: the same ones each time, and in no order of the set
        store = Store.open(
            f"sqlite:///{folder}/people.db",
            new_id=lambda: sha256(str(next(numbers)).encode()).hexdigest()[:32],
        )
        judged: dict[str, str] = {}
        for person in people:
            page = Document(
                name=f"{person['id']}.txt",
                text=json.dumps(person),
                added_by="folder",
                added_via="inbox",
                parser="judged/1",
            )
            told = store.add(profile_from_document(person), page, now=NOW)
            judged[told.candidate_id] = person["id"]

        def find(question: str) -> list[str]:
            try:
                answer = ask(store, question, now=NOW)
            except BotError:
                return []
            match answer:
                case CardAnswer(hit=hit):
                    return [judged[hit.candidate.id]]
                case ChoiceAnswer(hits=hits) | ResultsAnswer(hits=hits):
                    return [judged[hit.candidate.id] for hit in hits]
                case _:
                    return []

        with closing(store):
            yield find


@contextmanager
def plain_fts5(people: Sequence[dict[str, Any]]) -> Iterator[Find]:
    """Every word, joined by OR, over one column of text."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE VIRTUAL TABLE person USING fts5(id UNINDEXED, text)")
        database.executemany(
            "INSERT INTO person VALUES (?, ?)",
            ((person["id"], " ".join(texts_of(person))) for person in people),
        )

        def find(question: str) -> list[str]:
            words = " OR ".join(f'"{word}"' for word in tokens(question))
            rows = database.execute(
                "SELECT id FROM person WHERE person MATCH ? ORDER BY bm25(person), id LIMIT ?",
                (words, DEPTH),
            )
            return [row[0] for row in rows]

        yield find


def texts_of(value: Any) -> Iterator[str]:
    """All texts of a document of JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, each in value.items():
            if key != "id":
                yield from texts_of(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts_of(each)


def measure(find: Find, questions: Sequence[dict[str, Any]]) -> dict[str, float]:
    """NDCG@10 of each question that has a good answer; of the others 1 if nobody is returned."""
    return {
        each["id"]: ndcg(found, each["judged"]) if each["judged"] else float(not found)
        for each in questions
        for found in [find(each["question"])]
    }


def main() -> None:
    people, questions = lines("profiles.jsonl"), lines("questions.jsonl")
    figures: dict[str, dict[str, float]] = {}
    for name, engine in (("ours", ours), ("FTS5 bm25", plain_fts5)):
        with engine(people) as find:
            figures[name] = measure(find, questions)
    by_kind: defaultdict[str, list[str]] = defaultdict(list)
    for each in questions:
        by_kind[each["kind"]].append(each["id"])
    print(f"{'NDCG@10':<14}" + "".join(f"{name:>12}" for name in figures))
    for kind, ids in by_kind.items():
        row = "".join(f"{mean(each[id_] for id_ in ids):>12.3f}" for each in figures.values())
        print(f"{kind:<14}{row}")
    good = [each["id"] for each in questions if each["judged"]]
    row = "".join(f"{mean(each[id_] for id_ in good):>12.3f}" for each in figures.values())
    print(f"{f'all {len(good)}':<14}{row}")
    if "-v" in sys.argv:
        for each in questions:
            told = "".join(f"{figure[each['id']]:>8.3f}" for figure in figures.values())
            print(f"{each['id']}{told}  {each['question']}")


if __name__ == "__main__":
    main()
