"""Invented people by the hundred thousand, in a database of their own.

Their rows are made by what makes everybody's (``storage.profile_rows``) and written some thousands
at a time: one at a time, as the program stores them, 100,000 take half an hour. The test
of this compares the two. The same seed and count give the same people.
"""

import random
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

from sqlalchemy import insert
from sqlmodel import SQLModel

from storage.fact_rows import count_values
from storage.indexing import index_many
from storage.keyring import hash_key, keyed_hash
from storage.models import HistoryRow, ProfileRow, SourceKeyRow, SourceRow
from storage.profile_rows import Row, children_of, profile_columns
from storage.records import Contribution, Education, Location, Profile, Skill
from storage.store import Store

BATCH = 5_000
BEGIN = datetime(2025, 12, 1, 9, 0, tzinfo=UTC)
GIVEN = (
    "Ada", "Bram", "Chidi", "Dagny", "Elif", "Farid", "Greta", "Hana", "Ines", "Jonas", "Kavya",
    "Liv", "Mira", "Nils", "Oluwaseun", "Priya", "Qi", "Rosa", "Søren", "Tomoko", "Uma", "Vera",
    "Wei", "Xin", "Yusuf", "Zoë",
)  # fmt: skip
SYLLABLES = (
    "ba",
    "de",
    "fi",
    "go",
    "hu",
    "ka",
    "le",
    "mi",
    "no",
    "pu",
    "ra",
    "se",
    "ti",
    "vo",
    "zu",
)
PLACES = (
    ("Berlin", "Germany"), ("Malmö", "Sweden"), ("Beijing", "China"), ("Lagos", "Nigeria"),
    ("Toronto", "Canada"), ("Bengaluru", "India"), ("São Paulo", "Brazil"), ("Kyoto", "Japan"),
    ("Leeds", "United Kingdom"), ("Austin", "United States"),
)  # fmt: skip
SKILLS = (
    "cuda", "triton", "onnx", "c++", "c", "rust", "python", "go", "llvm", "mlir", "compiler",
    "machine-learning", "kubernetes", "postgresql", "react", "typescript", "java", "scala",
    "pytorch", "tensorflow", "linux", "embedded", "webassembly", "graphics", "databases",
    "distributed-systems", "security", "networking", "node.js", "haskell",
)  # fmt: skip
TITLES = ("Engineer", "Senior Engineer", "Compiler Engineer", "Data Scientist", "Team Lead", "SRE")
COMPANIES = tuple(
    f"{a}{b} {c}"
    for a in ("Nord", "Süd", "Fjord", "Berg")
    for b in ("sken", "lys", "mark")
    for c in ("Labs", "Systems")
)


def surname(dice: random.Random) -> str:
    return "".join(dice.choice(SYLLABLES) for _ in range(dice.randint(2, 4))).capitalize()


def invented(seed: int, count: int) -> Iterator[Profile]:
    """``count`` people; popular skills are held by a third of them, rare ones by a hundredth."""
    dice = random.Random(seed)
    weights = [1 / (rank + 1) for rank in range(len(SKILLS))]
    for number in range(count):
        city, country = dice.choice(PLACES)
        title, company = dice.choice(TITLES), dice.choice(COMPANIES)
        skills = dict.fromkeys(dice.choices(SKILLS, weights, k=dice.randint(3, 10)))
        yield Profile(
            name=f"{dice.choice(GIVEN)} {surname(dice)}",
            headline=f"{title} at {company}",
            title=title,
            company=company,
            location=Location(text=f"{city}, {country}", city=city, country=country),
            summary=f"Works on {' and '.join(list(skills)[:3])} since {2005 + number % 20}.",
            years_coding=dice.randint(1, 30),
            years_employed=dice.randint(0, 20),
            education=(Education(text="MSc", school=f"University of {city}"),),
            skills=tuple(Skill(name=each, score=dice.randint(0, 10)) for each in skills),
            contributions=tuple(
                Contribution(
                    repository=(
                        f"{surname(dice).lower()}/{dice.choice(SKILLS)}-{dice.randint(1, 400)}"
                    ),
                    from_month=f"{dice.randint(2016, 2025)}-{dice.randint(1, 12):02}",
                    commits=dice.randint(1, 500),
                    summary="Fixed what others reported.",
                )
                for _ in range(dice.randint(0, 3))
            ),
            likely_login=f"login{seed}x{number}",
        )


def populate(path: Path, *, seed: int, count: int) -> None:
    """Make a database of ``count`` people, unless it is there already."""
    if path.exists():
        return
    unfinished = path.with_name(path.name + ".unfinished")
    for ending in ("", "-wal", "-shm"):
        unfinished.with_name(unfinished.name + ending).unlink(missing_ok=True)
    store = Store.open(f"sqlite:///{unfinished}")
    people = enumerate(invented(seed, count), 1)
    ids = random.Random(f"ids {seed}")
    for first in range(0, count, BATCH):
        now = BEGIN + timedelta(days=365 * first / count)
        with store.database.write() as session:
            key = hash_key(session.connection())
            rows: defaultdict[type[SQLModel], list[Row]] = defaultdict(list)
            some = list(islice(people, BATCH))
            for number, profile in some:
                rows_of(rows, profile, number, f"{ids.getrandbits(128):032x}", key, now)
            for table, values in rows.items():
                session.connection().execute(insert(table.__table__), values)
            index_many(session, store.database.text_index, some)
    with store.database.write() as session:
        count_values(session.connection())
    store.measure()
    store.checkpoint()
    store.close()
    for ending in ("-wal", "-shm", ".lock"):
        unfinished.with_name(unfinished.name + ending).unlink(missing_ok=True)
    unfinished.rename(path)


def rows_of(
    rows: defaultdict[type[SQLModel], list[Row]],
    profile: Profile,
    number: int,
    id_: str,
    key: str,
    now: datetime,
) -> None:
    """The rows that ``Store.add`` would write for this person, added to those of the others."""
    text = f"{profile.name}\n{profile.summary}\nperson {number}"
    columns, brought = profile_columns(profile), {"added_by": "folder", "added_via": "inbox"}
    rows[ProfileRow].append(
        {"id": id_, "doc": number, "workspace": "main", "added_at": now, "updated_at": now}
        | columns
        | brought
    )
    for table, values in children_of(profile):
        rows[table] += [
            {"profile_id": id_, "position": position, **each}
            for position, each in enumerate(values)
        ]
    source = f"s{number}"
    digest = keyed_hash(key, text)
    rows[SourceRow].append(
        {"profile_id": id_, "id": source, "workspace": "main", "name": f"{number}.txt"}
        | {"file_key": None, "version": 1, "text": text, "text_length": len(text)}
        | {"digest": digest, "added_at": now, "read_at": now, "parser": "campaign/1"}
        | {"document": columns["document"]}
        | brought
    )
    rows[SourceKeyRow].append({"workspace": "main", "digest": digest, "profile_id": id_})
    rows[HistoryRow].append(
        {"profile_id": id_, "number": 1, "at": now, "by": "folder", "source_id": source}
        | {"changes": ["added"]}
    )
