"""Every line of ``cases/ask.jsonl``: a question to the two seeds, and its right answer."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from handlers.candidate import answer, reply_as_json
from storage.store import Store

LINES = (Path(__file__).parent / "cases" / "ask.jsonl").read_text(encoding="utf-8").splitlines()
CASES = [json.loads(line) for line in LINES]


@pytest.mark.parametrize("case", CASES, ids=[case["q"] or "(empty)" for case in CASES])
def test_case(case: dict[str, Any], seeded_store: Store, now: datetime):
    reply = answer(seeded_store, case["q"], asker="terminal:tester", now=now)
    document = reply_as_json(reply)
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
