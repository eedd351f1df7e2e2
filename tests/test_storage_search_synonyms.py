"""Other names of places, skills and companies find what they mean, and the answer says so."""

from collections import Counter

import pytest

from storage.indexing import make_index
from storage.models import SkillRow
from storage.places import city_named, country_named
from storage.records import Education, Location, Profile, Skill
from storage.search.skills import aliases
from storage.search.synonyms import _companies, _regions, _schools, folded, region
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
    for names in (_regions(), _companies(), _schools()):
        assert all(folded(name) == name and name for name in names)
    for table in (_companies(), _schools()):
        lines = set(table.values())
        amount = Counter(folded(name) for names in lines for name in set(map(folded, names)))
        assert {name for name, times in amount.items() if times > 1} == set()
    assert not set(aliases()) & set(aliases().values())


def test_a_region_is_made_of_places_that_are_known():
    for meant in _regions().values():
        for place in (*meant.places, *meant.within):
            assert region(place) or country_named(place) or city_named(place), place


LEAN = Profile(
    name="Lean Haddad",
    location=Location(text="Lebanon, United States", city="Lebanon", country="United States"),
    education=(Education(text="BSc", school="MIT World Peace University"),),
)
MIRA = Profile(
    name="Mira Falk",
    location=Location(text="Munich, Germany", city="Munich", country="Germany"),
    education=(Education(text="MSc", school="Technische Universität München"),),
)
NILS = Profile(
    name="Nils Berg",
    location=Location(text="Beirut, Lebanon", city="Beirut", country="Lebanon"),
    education=(
        Education(text="BSc", school="MIT"),
        Education(text="MSc", school="University of California, Berkeley"),
    ),
)
OUYANG = Profile(
    name="Ouyang Qiu",
    location=Location(text="Singapore", city="Singapore", country="Singapore"),
    education=(
        Education(text="BSc", school="清华大学"),
        Education(text="PhD", school="Massachusetts Institute of Technology"),
    ),
)


@pytest.fixture(scope="module")
def graduates(searchable):
    return searchable(LEAN, MIRA, NILS, OUYANG)


@pytest.mark.parametrize(
    ("query", "people"),
    [
        ("location:europe", {"Mira"}),
        ("europe", {"Mira"}),
        ("location:EU", {"Mira"}),
        ("eu", {"Mira"}),
        ("location:emea", {"Mira", "Nils"}),  # and not Lebanon in New Hampshire
        ('location:"middle east"', {"Nils"}),
        ("location:apac", {"Ouyang"}),
        ("location:(dach or apac)", {"Mira", "Ouyang"}),
        ("-location:emea", {"Lean", "Ouyang"}),
        ('location:"north america"', {"Lean"}),
        ("location:欧洲", {"Mira"}),
        ("school:tum", {"Mira"}),
        ('school:"tu munich"', {"Mira"}),
        ("school:mit", {"Lean", "Nils", "Ouyang"}),  # who typed it reads which school it is
        ('school:"massachusetts institute of technology"', {"Nils", "Ouyang"}),
        ("school:清华", {"Ouyang"}),
        ("school:tsinghua", {"Ouyang"}),
        ("tsinghua", {"Ouyang"}),
        ("school:cal", {"Nils"}),
        ('"uc berkeley"', {"Nils"}),
        ("-school:tsinghua", {"Lean", "Mira", "Nils"}),
    ],
)
def test_regions_and_schools_are_found_by_their_everyday_names(graduates, query, people):
    assert found(graduates, query) == people


@pytest.mark.parametrize(
    ("query", "said"),
    [
        (
            "location:europe",
            "“europe” read as United Kingdom, Germany, France and 49 more places.",
        ),
        ("-location:emea", "“emea” read as Europe, Middle East or Africa."),
        ("location:mena", "“mena” read as Middle East or North Africa."),
        ("school:tum", "“tum” read as Technical University of Munich."),
        ("-school:清华", "“清华” read as Tsinghua University."),
    ],
)
def test_it_is_said_what_a_region_or_a_school_was_read_as(graduates, query, said):
    assert said in graduates.search(query, now=NOW).order


def test_the_reason_names_the_country_of_a_region_and_the_school_as_the_page_does(graduates):
    (hit,) = graduates.search("school:tum location:europe", now=NOW).hits
    assert hit.why == ("studied at Technische Universität München", "country: Germany")


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
