"""The given pages become exactly the given records."""

import json
from pathlib import Path

import pytest

from bot.profiles.reader import UnreadableProfile, read
from storage.profile_json import profile_to_document

CASES = Path(__file__).parent / "cases" / "pages"
KINDS = json.loads((CASES.parent / "kinds.json").read_text(encoding="utf-8"))
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


@pytest.mark.parametrize("case", KINDS, ids=lambda case: case["name"])
def test_a_page_of_each_kind_becomes_its_people(case):
    """One trap each: the page, and the people on it with what must be known of them."""
    if not case["profiles"]:
        with pytest.raises(UnreadableProfile):
            read("page.txt", case["page"].encode())
        return
    reading = read("page.txt", case["page"].encode())
    documents = [profile_to_document(profile) for profile, _ in reading.profiles]
    assert [each["name"] for each in documents] == [each["name"] for each in case["profiles"]]
    for document, wanted in zip(documents, case["profiles"], strict=True):
        assert stated(document, wanted) == wanted


def stated(found, wanted):
    """``found`` with only those keys that ``wanted`` has."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        return {key: stated(found[key], value) for key, value in wanted.items()}
    if isinstance(wanted, list) and isinstance(found, list) and len(found) == len(wanted):
        return [stated(one, right) for one, right in zip(found, wanted, strict=True)]
    return found
