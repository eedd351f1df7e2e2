"""The given pages become exactly the given records."""

import json
from pathlib import Path

import pytest

from bot.profiles.reader import read
from storage.profile_json import profile_to_document

CASES = Path(__file__).parent / "cases" / "pages"
SEEDS = Path(__file__).parent.parent / "seeds"


def page_of(case: Path) -> Path:
    beside = case.with_suffix(".txt")
    return beside if beside.exists() else SEEDS / beside.name


@pytest.mark.parametrize("case", sorted(CASES.glob("*.json")), ids=lambda case: case.stem)
def test_a_given_page_becomes_the_given_record(case):
    page = page_of(case)
    reading = read(page.name, page.read_bytes())
    assert len(reading.profiles) == 1
    assert reading.refusals == ()
    document = profile_to_document(reading.profiles[0][0])
    for key, wanted in json.loads(case.read_text(encoding="utf-8")).items():
        found = document[key]
        if key == "location" and wanted is not None:
            found = {name: found[name] for name in wanted}
        if key == "contributions":
            assert len(found) == len(wanted)
            found = [
                {name: one[name] for name in right}
                for one, right in zip(found, wanted, strict=True)
            ]
        assert found == wanted, key


def test_both_seeds_are_among_the_cases():
    assert {case.stem for case in CASES.glob("*.json")} >= {seed.stem for seed in SEEDS.glob("*")}
