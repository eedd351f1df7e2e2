"""Questions and their right answers: ``cases/ask.jsonl`` on the two seeds;
``cases/ask_more.jsonl`` on the seeds, and on them with the invented ``cases/people``."""

import json
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.loading import files_under, load_file
from handlers.features.candidate import answer, reply_as_json
from storage.store import Store

CASES = Path(__file__).parent / "cases"
PEOPLE = {"seeds": (), "people": (CASES / "people",)}
SEEDS = Path(__file__).parent.parent / "seeds"
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def cases(name: str) -> list[dict[str, Any]]:
    lines = (CASES / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def title(case: dict[str, Any]) -> str:
    return f"{case.get('db', 'seeds')}: {case['q'][:60] or '(empty)'}"


@pytest.mark.parametrize("case", cases("ask.jsonl"), ids=title)
def test_case(case: dict[str, Any], seeds: Store, now: datetime):
    check(case, seeds, now)


@pytest.fixture(scope="module")
def seeds(
    seeded_database: tuple[Path, int], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    """The two seeds; a question stores nothing that another one sees."""
    path = tmp_path_factory.mktemp("seeds") / "candidates.db"
    shutil.copy(seeded_database[0], path)
    store = Store.open(f"sqlite:///{path}")
    yield store
    store.close()


@pytest.mark.parametrize("case", cases("ask_more.jsonl"), ids=title)
def test_more_cases(case: dict[str, Any], loaded: Callable[[str], Store]):
    check(case, loaded(case["db"]), NOW)


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Store]]:
    """The store of a name in ``PEOPLE``, made when first asked for."""
    stores: dict[str, Store] = {}

    def store(name: str) -> Store:
        if name not in stores:
            path = tmp_path_factory.mktemp(name) / "candidates.db"
            stores[name] = Store.open(f"sqlite:///{path}")
            for page in files_under([SEEDS, *PEOPLE[name]]):
                load_file(stores[name], page, added_by="terminal:tester", added_via="load", now=NOW)
        return stores[name]

    yield store
    for each in stores.values():
        each.close()


def check(case: dict[str, Any], store: Store, now: datetime) -> None:
    document = reply_as_json(answer(store, case["q"], asker="terminal:tester", now=now))
    kinds = case["answer"] if isinstance(case["answer"], list) else [case["answer"]]
    assert document["answer"] in kinds, document["message"]
    names = [person["name"] for person in document["results"]]
    if "names" in case:
        assert names == case["names"]
    if "set" in case:
        assert sorted(names) == sorted(case["set"])
    if "includes" in case:
        assert set(case["includes"]) <= set(names)
    for words in case.get("says", ()):
        assert words.casefold() in document["message"].casefold()
