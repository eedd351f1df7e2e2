"""``compare``: two to five people side by side, as Slack and the terminal show them."""

from datetime import datetime
from typing import Any

import pytest

from handlers.features.candidate import answer, export_as_json, reply_as_json
from storage.records import Document, Location, Profile, Skill, StandingKind
from storage.store import Store

PEOPLE = ("Ada Okafor", "Bo Lind", "Cy Marsh", "Di Novak", "Ed Quist", "Fay Reyes")


def add(store: Store, name: str, now: datetime, **fields: Any) -> str:
    page = Document(
        name=f"{name} {fields.get('likely_login')}.txt",
        text=f"{name} {fields}",
        added_by="folder",
        added_via="inbox",
        parser="prog-ai/1",
    )
    return store.add(Profile(name=name, **fields), page, now=now).candidate_id


def asked(store: Store, text: str, now: datetime) -> dict[str, Any]:
    return reply_as_json(answer(store, text, asker="terminal:tester", now=now))


def test_each_topic_has_a_line_a_person_and_blanks_are_no_evidence(store: Store, now: datetime):
    add(store, "Ada Okafor", now, title="Engineer", company="Acme", skills=(Skill(name="cuda"),))
    add(store, "Bo Lind", now, years_coding=8, skills=(Skill(name="cuda"), Skill(name="rust")))
    document = asked(store, "compare ada okafor, bo lind", now)
    assert document["answer"] == "comparison"
    assert [each["name"] for each in document["results"]] == ["Ada Okafor", "Bo Lind"]
    told = document["message"]
    assert "Skills that both list\ncuda" in told
    assert "Work\nAda Okafor: Engineer at Acme\nBo Lind: no evidence" in told
    assert "Experience\nAda Okafor: no evidence\nBo Lind: 8 years coding" in told
    assert "Other skills\nAda Okafor: no evidence\nBo Lind: rust" in told
    assert "Education" not in told  # of nobody there is any


def test_the_cards_can_be_opened_from_it(store: Store, now: datetime):
    ids = [add(store, name, now) for name in PEOPLE[:2]]
    blocks = asked(store, "compare ada okafor and bo lind", now)["blocks"]
    assert [each["value"] for each in blocks[-1]["elements"]] == ids


@pytest.mark.parametrize("between", [", ", " and ", " vs ", " with "])
def test_five_are_compared_and_a_sixth_is_too_many(store: Store, now: datetime, between: str):
    for name in PEOPLE:
        add(store, name, now)
    five = asked(store, f"compare {between.join(PEOPLE[:5])}", now)
    assert len(five["results"]) == 5
    six = asked(store, f"compare {between.join(PEOPLE)}", now)
    assert six["message"] == "I compare at most 5 people at once. Leave some out."


def test_a_name_of_several_is_told_with_what_to_write_instead(store: Store, now: datetime):
    add(store, "Ada Okafor", now)
    oslo, rome = (
        add(store, "Bo Lind", now, location=Location(text=city, city=city), likely_login=city)
        for city in ("Oslo", "Rome")
    )
    told = asked(store, "compare ada, bo lind", now)["message"]
    assert told.startswith("2 people could be “bo lind”, so I cannot tell whom to compare.")
    assert oslo in told
    assert rome in told
    both = asked(store, f"compare {oslo}, {rome}", now)["message"]
    assert both.startswith("Comparing Bo Lind (Oslo) and Bo Lind (Rome)")


def test_one_person_under_two_names_is_not_compared(store: Store, now: datetime):
    add(store, "Ada Okafor", now)
    told = asked(store, "compare ada, okafor", now)["message"]
    assert told == "These names all mean Ada Okafor: name two."


def test_who_was_compared_is_audited_and_who_may_not_leave_the_house_is_not_exported(
    store: Store, now: datetime
):
    ada, bo = (add(store, name, now, title="Engineer") for name in PEOPLE[:2])
    store.set_standing(ada, StandingKind.DO_NOT_CONTACT, by="terminal:tester", now=now)
    reply = answer(store, "compare ada okafor, bo lind", asker="terminal:tester", now=now)
    assert set(store.audited(limit=1)[0].candidate_ids) == {ada, bo}
    assert "Do not contact" in reply.plain
    document = export_as_json(store, reply, who="tester", now=now)
    assert [each["name"] for each in document["results"]] == ["Bo Lind"]
    assert "Ada" not in document["message"]


def test_an_unknown_name_is_said(store: Store, now: datetime):
    add(store, "Ada Okafor", now)
    told = asked(store, "compare ada, xyzzy", now)["message"]
    assert told == "Nobody here is called “xyzzy”. Check how it is written."
    assert asked(store, "compare ada", now)["message"].startswith("`compare` takes two to five")


def test_whom_others_are_compared_with_is_audited_and_not_exported(store: Store, now: datetime):
    skills = (Skill(name="cuda"), Skill(name="mlir"))
    ada, bo = (add(store, name, now, skills=skills) for name in PEOPLE[:2])
    store.set_standing(ada, StandingKind.DO_NOT_CONTACT, by="terminal:tester", now=now)
    reply = answer(store, "similar ada okafor", asker="terminal:tester", now=now)
    assert set(store.audited(limit=1)[0].candidate_ids) == {ada, bo}
    document = export_as_json(store, reply, who="tester", now=now)
    assert document["results"] == []
    assert "Ada" not in document["message"]
