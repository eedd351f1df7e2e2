"""A store with invented people in it, questions to ask of it, and files of it to damage."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import make_url

from bot.asking import ask
from handlers.features.candidate import hits_of
from storage.records import Contribution, Document, Education, Location, Profile, Skill
from storage.store import Store

NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
QUESTIONS = ("skill:c++", "Nadja", "kernel scheduler", "location:berlin", "school:uppsala", "new")


def person(number: int, *, version: int = 1) -> tuple[Profile, Document]:
    name = f"Nadja Lindqvist{number:03d}"
    profile = Profile(
        name=name,
        title=f"Engineer {version}",
        company="Foo",
        location=Location(text="Berlin, Germany", city="Berlin", country="Germany"),
        summary="Writes a kernel scheduler.",
        education=(Education(text="MSc, Uppsala University", school="Uppsala University"),),
        skills=(Skill(name="C++", score=9), Skill(name="Rust", score=number % 11)),
        contributions=(
            Contribution(repository=f"foo/bar{number}", from_month="2024-01", role="author"),
        ),
        likely_login=f"nadja{number}",
    )
    document = Document(
        name=f"lindqvist{number}.txt",
        text=f"{name} page {version} " + "scheduler " * 50,
        added_by="U0MIRA",
        added_via="load",
        parser="p/1",
    )
    return profile, document


def fill(store: Store, people: int = 12) -> None:
    for number in range(people):
        store.add(*person(number), now=NOW)
    store.add(*person(3, version=2), now=NOW)
    store.audit(who="U0MIRA", action="ask", place="C0HIRING", text="Nadja", now=NOW)


@cache
def filled_content() -> bytes:
    """A database as ``fill`` makes it, once in a process: a copy is sooner made."""
    with TemporaryDirectory() as folder:
        store = Store.open(f"sqlite:///{folder}/filled.db")
        fill(store)
        store.checkpoint()
        store.close()
        return Path(folder, "filled.db").read_bytes()


def open_filled(url: str, **options: Any) -> Store:
    """A new store with what ``fill`` stores; options as of ``Store.open``."""
    file_of(url).touch(mode=0o600)
    file_of(url).write_bytes(filled_content())
    return Store.open(url, **options)


def answers(store: Store) -> dict[str, list[str]]:
    return {
        query: [hit.candidate.id for hit in hits_of(ask(store, query, now=NOW))]
        for query in QUESTIONS
    }


def file_of(url: str) -> Path:
    return Path(str(make_url(url).database))


def change(path: Path, *statements: str) -> None:
    """Change a database behind the bot's back."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def overwrite(path: Path, at: int, content: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(content)


def others(store, answers):
    """Questions that are answered by others than they were by the program of their day.

    Their order is that of this program's formula (docs/ranking.md), so a first page of ten may
    be another ten: then these are among all whom the question finds.
    """
    wrong = []
    for query, ids in answers.items():
        found = [
            hit.candidate.id
            for offset in (0, 10)
            for hit in hits_of(ask(store, query, now=NOW, offset=offset))
        ]
        if not set(ids) <= set(found) or (len(ids) < 10 and len(set(found)) != len(ids)):
            wrong.append(query)
    return wrong
