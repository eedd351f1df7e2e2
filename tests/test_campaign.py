"""The campaign in short, and that it would notice: a part that cannot fail proves nothing."""

import random
from datetime import UTC, datetime

import pytest
import structlog

from storage.records import Document
from storage.store import Store
from tests import campaign_fuzz, campaign_inputs
from tests.campaign import PARTS
from tests.campaign_people import invented, populate
from tests.campaign_sound import halves, unsound

SEED = 20261207
SHORT = sorted(set(PARTS) - {"digests", "kills"})
"""These two have their own: tests/test_digests_kill.py, tests/test_campaign_kill.py."""


@pytest.mark.parametrize("name", SHORT)
def test_in_short_all_is_as_promised(name):
    part = PARTS[name]
    verdict = part.run(part.short, SEED)
    print(verdict)
    assert verdict.wrong == [], str(verdict)


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM profile_skill WHERE position = 0",
        "UPDATE profile_text SET text = 'others'",
        "DELETE FROM source_key",
        "DELETE FROM profile",
    ],
)
def test_a_database_with_halves_of_people_is_unsound(seeded_store, damage):
    assert list(halves(seeded_store)) == []
    with seeded_store.database.write() as session:
        session.connection().exec_driver_sql(damage)
    assert list(halves(seeded_store)) != []


def test_many_people_are_stored_as_one_is(tmp_path, monkeypatch):
    """Rows made a thousand at a time are those that ``Store.add`` makes."""
    monkeypatch.setattr("tests.campaign_people.BATCH", 2)
    path = tmp_path / "people.db"
    populate(path, seed=3, count=5)
    assert unsound(path) == []
    many = Store.open(f"sqlite:///{path}")
    single = Store.open(f"sqlite:///{tmp_path / 'single.db'}")
    for number, profile in enumerate(invented(3, 5)):
        document = Document(
            name="x.txt", text=f"{number}", added_by="folder", added_via="inbox", parser="p/1"
        )
        single.add(profile, document, now=datetime(2026, 12, 1, tzinfo=UTC))
    for query in ("sort:name", "skill:cuda sort:name", "python sort:name"):
        found = [
            [(hit.candidate.profile, hit.why) for hit in store.search(query, now=NOW).hits]
            for store in (many, single)
        ]
        assert found[0] == found[1]
    many.close()
    single.close()


NOW = datetime(2026, 12, 1, tzinfo=UTC)


def test_fuzzed_inputs_are_the_same_in_each_run_and_differ_among_themselves():
    def texts(seed):
        return [
            campaign_fuzz.mutated(random.Random(f"{seed}/{number}"), campaign_fuzz.questions(), 5)
            for number in range(200)
        ]

    assert texts(1) == texts(1)
    assert len(set(texts(1))) > 150
    assert texts(1) != texts(2)


def test_a_long_fuzz_says_how_far_it_is(monkeypatch, capsys):
    monkeypatch.setattr("tests.campaign_inputs.TOLD", 20)
    campaign_inputs.some(campaign_fuzz.one, SEED, 1, 41, 2)
    structlog.reset_defaults()
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("2/2: 10 of 20 inputs, 0 uncaught, ")


def test_what_the_reader_hides_behind_its_fence_is_heard(monkeypatch):
    def broken(*_):
        raise LookupError

    monkeypatch.setattr("bot.profiles.prog_ai.page.ProgAiPage.read", broken)
    came = campaign_inputs.some(campaign_fuzz.one, SEED, 0, 60, 10)
    structlog.reset_defaults()
    assert came["came"]["uncaught"] > 0
