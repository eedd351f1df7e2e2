"""Other names of places, skills and companies find what they mean, and the answer says so."""

from collections import Counter

import pytest

from storage.indexing import make_index
from storage.models import SkillRow
from storage.records import Location, Profile, Skill
from storage.search.skills import aliases
from storage.search.synonyms import _companies, _regions, folded
from storage.store import Store
from tests.search_fixtures import NOW

ANA = Profile(
    name="Ana Ribeiro",
    title="Site Reliability Engineer",
    company="Microsoft",
    location=Location(text="San Francisco, USA", city="San Francisco", country="USA"),
    skills=(Skill(name="kubernetes", score=8), Skill(name="go", score=6)),
)
BEN = Profile(
    name="Ben Okafor",
    company="字节跳动",
    location=Location(text="San Jose, CA", city="San Jose"),
    skills=(Skill(name="k8s", score=5),),
)
CARLA = Profile(
    name="Carla Soto",
    company="Meta AI",
    location=Location(text="San José, Costa Rica", city="San José", country="Costa Rica"),
)
DAE = Profile(
    name="Dae Lind",
    company="Facebook",
    location=Location(text="Stockholm, Sweden", city="Stockholm", country="Sweden"),
)


@pytest.fixture(scope="module")
def four(searchable):
    return searchable(ANA, BEN, CARLA, DAE)


def found(store, query):
    return {hit.candidate.profile.name.split()[0] for hit in store.search(query, now=NOW).hits}


@pytest.mark.parametrize(
    ("query", "people"),
    [
        ("location:sf", {"Ana"}),
        ("location:SF", {"Ana"}),
        ("sf", {"Ana"}),
        ('location:"bay area"', {"Ana", "Ben"}),
        ("bay area", {"Ana", "Ben"}),
        ("location:(sf or nordics)", {"Ana", "Dae"}),
        ('-location:"bay area"', {"Carla", "Dae"}),
        ("location:scandinavia", {"Dae"}),
        ("location:旧金山", {"Ana"}),
        ("company:msft", {"Ana"}),
        ("company:微软", {"Ana"}),
        ("msft", {"Ana"}),
        ("company:bytedance", {"Ben"}),
        ('company:"byte dance"', {"Ben"}),
        ("company:字节", {"Ben"}),
        ("company:fb", {"Carla", "Dae"}),
        ("company:meta", {"Carla", "Dae"}),
        ("-company:facebook", {"Ana", "Ben"}),
        ("skill:k8s", {"Ana", "Ben"}),
        ("k8s", {"Ana", "Ben"}),
        ("lang:golang", {"Ana"}),
    ],
)
def test_a_synonym_finds_what_it_means(four, query, people):
    assert found(four, query) == people


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("skill:k8s", "“k8s” read as kubernetes."),
        ("k8s", "“k8s” read as kubernetes."),
        ("location:sf", "“sf” read as San Francisco."),
        ("company:msft", "“msft” read as Microsoft."),
        (
            "bay area",
            "“bay area” read as San Francisco, Oakland, San Jose and 12 more places.",
        ),
        ("company:(facebook or google)", "“facebook” read as Meta."),
        ("-company:fb", "“fb” read as Meta."),
    ],
)
def test_the_answer_says_what_a_synonym_was_read_as(four, query, said):
    assert said in four.search(query, now=NOW).order


def test_nobody_found_says_it_too(four):
    assert "“nyc” read as New York City." in four.search("location:nyc", now=NOW).hints
    hints = four.search("kl", now=NOW).hints
    assert hints == ("“kl” read as Kuala Lumpur.",)
    assert "“pg” read" not in " ".join(four.search("skill:pg", now=NOW).hints)


@pytest.mark.parametrize(
    "query", ["skill:kubernetes", "location:stockholm", "company:meta", "kubernetes"]
)
def test_the_usual_name_is_not_explained(four, query):
    assert "read as" not in four.search(query, now=NOW).order


def test_the_reason_is_what_the_page_says(four):
    (hit,) = four.search("location:sf", now=NOW).hits
    assert hit.why == ("city: San Francisco",)
    (hit,) = four.search("company:msft", now=NOW).hits
    assert hit.why == ("company is Microsoft",)


def test_no_name_means_two_things():
    """A name stands in one line of a table, and no skill's key is another spelling."""
    for names in (_regions(), _companies()):
        assert all(folded(name) == name and name for name in names)
    lines = set(_companies().values())
    amount = Counter(folded(name) for names in lines for name in set(map(folded, names)))
    assert {name for name, times in amount.items() if times > 1} == set()
    assert not set(aliases()) & set(aliases().values())


def test_the_index_made_anew_follows_the_table_of_spellings(store: Store, add):
    add(ANA)
    with store.database.write() as session:
        row = session.get_one(SkillRow, (store.named("ana").hits[0].candidate.id, 0))
        row.key = "an-older-key"
        session.add(row)
    make_index(store.database)
    with store.database.read() as session:
        row = session.get_one(SkillRow, (store.named("ana").hits[0].candidate.id, 0))
        assert row.key == "kubernetes"
