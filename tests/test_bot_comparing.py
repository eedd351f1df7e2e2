"""People side by side: what they share, what only one has, and names that tell them apart."""

from datetime import UTC, datetime

from bot.comparing import compare, labels
from storage.records import Candidate, Location, Profile, Skill

NOW = datetime(2026, 12, 1, tzinfo=UTC)


def person(number: int, name: str, **fields) -> Candidate:
    return Candidate(
        id=f"{number:012}", profile=Profile(name=name, **fields), added_at=NOW, added_by="folder",
        added_via="inbox", updated_at=NOW,
    )  # fmt: skip


def test_skills_are_shared_under_any_spelling_and_the_rest_stands_highest_first():
    skills = (Skill(name="golang", score=3), Skill(name="R"), Skill(name="Rust", score=9))
    ada = person(1, "Ada Okafor", skills=skills)
    bo = person(2, "Bo Lind", skills=(Skill(name="Go", score=8), Skill(name="C++", score=5)))
    told = compare([ada, bo])
    assert told.shared == ("golang",)
    assert [skill.name for skill in told.people[0].skills] == ["Rust", "R"]
    assert [skill.key for skill in told.people[1].skills] == ["c++"]


def test_c_is_not_shared_with_c_plus_plus():
    ada = person(1, "Ada Okafor", skills=(Skill(name="C"),))
    bo = person(2, "Bo Lind", skills=(Skill(name="C++"),))
    assert compare([ada, bo]).shared == ()


def test_namesakes_are_told_apart_by_city_then_company_then_id():
    oslo = Location(text="Oslo, Norway", city="Oslo")
    rome = Location(text="Rome, Italy", city="Rome")
    people = [
        person(1, "Bo Lind", location=oslo),
        person(2, "Bo Lind", location=rome),
        person(3, "Ada Okafor"),
    ]
    assert labels(people) == ["Bo Lind (Oslo)", "Bo Lind (Rome)", "Ada Okafor"]
    people = [person(1, "Bo Lind", company="Acme"), person(2, "Bo Lind", location=oslo)]
    assert labels(people)[0] == "Bo Lind (Acme)"
    assert labels([person(1, "Bo Lind"), person(2, "Bo Lind")]) == [
        "Bo Lind (000000000001)", "Bo Lind (000000000002)",
    ]  # fmt: skip
