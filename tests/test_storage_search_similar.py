"""``similar:``: by telling skills alone, rare ones counting most; nobody resembles themselves."""

from datetime import datetime
from typing import Any

import pytest

from storage.records import Contribution, Document, Education, Location, Profile, Skill
from storage.search.tree import QueryError
from storage.store import Store


def add(store: Store, name: str, now: datetime, *skills: str, **fields: Any) -> str:
    page = Document(
        name=f"{name} {fields.get('likely_login')}.txt",
        text=f"{name} {skills} {fields}",
        added_by="folder",
        added_via="inbox",
        parser="prog-ai/1",
    )
    listed = tuple(Skill(name=each, score=8) for each in skills)
    return store.add(Profile(name=name, skills=listed, **fields), page, now=now).candidate_id


def found(store: Store, query: str, now: datetime) -> list[str]:
    return [hit.candidate.profile.name for hit in store.search(query, now=now).hits]


def why(store: Store, query: str, now: datetime) -> list[str]:
    return [said for hit in store.search(query, now=now).hits for said in hit.why]


@pytest.fixture
def people(store: Store, now: datetime) -> Store:
    """Ada, who has a rare skill; whoever else has git."""
    add(store, "Ada Okafor", now, "mlir", "cuda", "git", likely_login="ada-zz")
    add(store, "Bo Lind", now, "mlir", "git", location=Location(text="Oslo", city="Oslo"))
    add(store, "Cy Marsh", now, "cuda", "git")
    add(store, "Di Novak", now, "cuda", "rust")
    add(store, "Ed Quist", now, "git", "html", location=Location(text="Oslo", city="Oslo"))
    add(store, "Fay Reyes", now, "git", "html")
    add(store, "Gil Stone", now)
    return store


def test_rare_skills_tell_more(people: Store, now: datetime):
    assert found(people, "similar:ada", now)[:2] == ["Bo Lind", "Cy Marsh"]


def test_who_shares_only_what_everybody_has_is_not_similar(people: Store, now: datetime):
    assert not {"Ed Quist", "Fay Reyes", "Ada Okafor"} & {*found(people, "similar:ada", now)}


def test_the_reason_is_the_share_and_the_skills_that_both_list(people: Store, now: datetime):
    # ln(1 + 7/2) mlir, ln(1 + 7/3) cuda, ln(1 + 7/5) git, of all three
    assert why(people, "similar:ada -cuda", now)[0] == "66% like Ada Okafor: both list mlir, git"


@pytest.mark.parametrize(
    "who", ["ada", '"ada okafor"', "ada-zz", '"ada okafro"', "github.com/ada-zz"]
)
def test_somebody_is_named_as_elsewhere(people: Store, now: datetime, who: str):
    assert found(people, f"similar:{who}", now)[0] == "Bo Lind"


def test_it_goes_with_other_parts_and_can_be_taken_away(people: Store, now: datetime):
    assert found(people, "similar:ada location:oslo", now) == ["Bo Lind"]
    assert "Bo Lind" not in found(people, "-similar:ada", now)
    assert "not among those similar to ada" in why(people, "-similar:ada sort:name", now)


def test_skills_that_contributions_carry_tell_more(store: Store, now: datetime):
    work = Contribution(repository="zz/opt", summary="Rewrote the rust parser.", commits=40)
    add(store, "Ada Okafor", now, "rust", "java", contributions=(work,))
    add(store, "Bo Lind", now, "java")
    add(store, "Cy Marsh", now, "rust")
    assert found(store, "similar:ada", now) == ["Cy Marsh", "Bo Lind"]


def test_of_two_of_one_name_the_nearer_one_counts_and_neither_is_found(store: Store, now: datetime):
    add(store, "Bo Lind", now, "rust", likely_login="bo-zz")
    add(store, "Bo Lind", now, "java", likely_login="lind-zz")
    add(store, "Cy Marsh", now, "java")
    assert found(store, "similar:lind", now) == ["Cy Marsh"]
    assert why(store, "similar:lind", now) == ["100% like Bo Lind: both list java"]


def test_where_somebody_is_from_or_studied_counts_nothing(store: Store, now: datetime):
    same: dict[str, Any] = {
        "location": Location(text="Oslo", city="Oslo"),
        "education": (Education(text="MSc, NTNU", school="NTNU"),),
        "company": "Acme",
    }
    add(store, "Ada Okafor", now, "mlir", "cuda", **same)
    add(store, "Zoe Young", now, "mlir", "cuda")
    add(store, "Ada Okonkwo", now, "mlir", **same)
    page = store.search('similar:"ada okafor"', now=now)
    assert [hit.candidate.profile.name for hit in page.hits] == ["Zoe Young", "Ada Okonkwo"]


def test_nobody_of_that_name_is_said(people: Store, now: datetime):
    page = people.search("similar:zebedee", now=now)
    assert page.hints[0].startswith("Nobody here is called “zebedee”")
    assert people.search("similar:gil", now=now).hints[0].startswith("Nobody here is called “gil”")
    told = people.search("similar:fay location:nowhere", now=now)
    assert told.total == 0


def test_a_name_is_needed(store: Store, now: datetime):
    with pytest.raises(QueryError, match="needs a value"):
        store.search("similar:", now=now)


def test_who_is_compared_with_is_among_those_whom_the_answer_is_about(people: Store, now: datetime):
    [ada] = [hit.candidate.id for hit in people.named("ada").hits]
    for query in ("similar:ada", "-similar:ada", "cuda nice:(similar:ada)", "similar:ada zzyzx"):
        assert people.search(query, now=now).about == (ada,), query
    assert people.search("cuda", now=now).about == ()


def test_a_digest_names_nobody_but_those_whom_it_tells_of(people: Store, now: datetime):
    told = people.search("similar:ada", untold=1, now=now)
    assert not [said for hit in told.hits for said in hit.why if "Ada" in said]
