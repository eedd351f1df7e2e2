"""What all tests share: a real store in a file of its own, a fixed moment, the two seeds."""

import os
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib import metadata
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from sqlalchemy import make_url

from bot.profiles import apart
from bot.profiles.reader import read
from storage.records import Document, Profile
from storage.store import Store

# Whoever is imported by another stands before it, so that pytest can rewrite its asserts.
pytest_plugins = [
    "tests.sandbox_fixtures",
    "tests.browser_fixtures",
    "tests.page_fixtures",
    "tests.edge_fixtures",
    "tests.search_fixtures",
]

SEEDS = Path(__file__).parent.parent / "seeds"
NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
"""A Tuesday."""

settings.register_profile("dev", deadline=None)
settings.register_profile(
    "ci",
    deadline=None,
    derandomize=True,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


@pytest.fixture
def now() -> datetime:
    return NOW


@pytest.fixture(params=["sqlite"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database that does not exist yet: one parameter for each dialect."""
    assert request.param == "sqlite"
    return f"sqlite:///{tmp_path / 'candidates.db'}"


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database as the first start makes it: a copy is sooner made than another one."""
    path = tmp_path_factory.mktemp("empty") / "candidates.db"
    Store.open(f"sqlite:///{path}").close()
    return path


@pytest.fixture(scope="session")
def seeded_database(
    tmp_path_factory: pytest.TempPathFactory,
    empty_database: Path,
    seed_profiles: list[tuple[Profile, Document]],
) -> tuple[Path, int]:
    """A database with the two seeds in it, and the number of the next id."""
    path = tmp_path_factory.mktemp("seeded") / "candidates.db"
    shutil.copy(empty_database, path)
    numbers = count(1)
    opened = Store.open(f"sqlite:///{path}", new_id=lambda: f"{next(numbers):032x}")
    for profile, document in seed_profiles:
        opened.add(profile, document, now=NOW)
    opened.checkpoint()
    opened.close()
    return path, next(numbers)


@pytest.fixture
def store(store_url: str, request: pytest.FixtureRequest) -> Iterator[Store]:
    """An empty store, or the seeded one. Its ids are new in each store and the same in each run."""
    if "seeded_store" in request.fixturenames:
        template, first = request.getfixturevalue("seeded_database")
    else:
        template, first = request.getfixturevalue("empty_database"), 1
    shutil.copy(template, Path(str(make_url(store_url).database)))
    numbers = count(first)
    opened = Store.open(store_url, new_id=lambda: f"{next(numbers):032x}")
    yield opened
    opened.close()


@pytest.fixture(scope="session", autouse=True)
def _no_readers_are_left():
    """The processes that read documents end before pytest looks for what was left open."""
    yield
    apart.stop()


@pytest.fixture(scope="session")
def seed_profiles() -> list[tuple[Profile, Document]]:
    """The people of ``seeds/``, read as the program reads them."""
    people = []
    for path in sorted(SEEDS.glob("*.txt")):
        reading = read(path.name, path.read_bytes())
        people += [
            (
                profile,
                Document(
                    name=path.name,
                    text=text,
                    added_by="seeds",
                    added_via="seeds",
                    parser=reading.parser,
                ),
            )
            for profile, text in reading.profiles
        ]
    return people


@pytest.fixture
def seeded_store(store: Store) -> Store:
    """A store with the two seeds in it."""
    return store


@pytest.fixture(scope="session", autouse=True)
def _the_packages_are_ours() -> None:
    """Two distributions that ship ``handlers/`` would overwrite each other without a warning."""
    owners = metadata.packages_distributions()
    for name in ("bot", "handlers", "storage"):
        others = set(owners.get(name, ())) - {"candidate-bot"}
        assert not others, f"another installed distribution owns {name!r}: {', '.join(others)}"
