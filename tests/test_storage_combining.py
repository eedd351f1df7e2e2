"""Combining: several documents of one person make one profile, and which one said what shows."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from storage.combining import Spoken, combine, speaking
from storage.records import (
    Contribution,
    Declared,
    Document,
    Education,
    Job,
    Language,
    Link,
    Location,
    Outcome,
    Profile,
    Severity,
    Skill,
)
from tests.test_storage_people import rows

NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
LATER = NOW + timedelta(days=1)
GITHUB = Link(url="https://github.com/quetzalad")
PAGE = Profile(
    name="Quetzal Adeyemi",
    headline="Compiler Engineer at Norrsken",
    title="Compiler Engineer",
    company="Norrsken",
    location=Location(text="Malmö, Sweden", city="Malmö", country="Sweden"),
    years_coding=9,
    skills=(Skill(name="mlir", score=10), Skill(name="k8s", score=None)),
    declared=Declared(skills=3, languages=4),
    contributions=(Contribution(repository="norrsken/zug", from_month="2024-03", commits=40),),
    education=(Education(text="MSc at Lund University", school="Lund University", degree="MSc"),),
    links=(GITHUB,),
)
RESUME = Profile(
    name="Quetzal M. Adeyemi",
    title="Lead",
    company="Norrsken Labs",
    location=Location(text="Göteborg", city="Göteborg", country="Sweden"),
    skills=(Skill(name="Kubernetes", score=7), Skill(name="Rust")),
    education=(
        Education(text="Master, Lund", school="Lund University", degree="Master", area="CS"),
        Education(text="BSc, Lund", school="Lund University", degree="BSc"),
    ),
    jobs=(Job(employer="Norrsken Labs", title="Lead", from_date="2024", is_current=True),),
    languages=(Language(name="Swedish", level="native"),),
    links=(GITHUB,),
    emails=("q@example.org",),
)


def spoken(profile, kind, at=NOW, under="a", version=1):
    return Spoken(
        profile=profile, kind=kind, filed_under=under, name=f"{kind}.txt", at=at, version=version
    )


def document(of, kind="prog-ai", parser=1):
    return Document(
        name=f"{kind}.txt",
        text=of,
        added_by="U1",
        added_via="slack",
        parser=f"{kind}/{parser}",
        name_tells=False,
    )


def together():
    return combine(speaking([spoken(PAGE, "prog-ai"), spoken(RESUME, "json-resume", LATER)]))


def test_one_document_is_exactly_its_profile():
    assert combine([spoken(PAGE, "prog-ai")]) is PAGE


def test_of_each_lineage_the_newest_speaks():
    old, new = spoken(PAGE, "prog-ai"), spoken(RESUME, "prog-ai", LATER, version=2)
    assert speaking([old, new]) == speaking([new, old]) == [new]
    elsewhere = replace(new, filed_under="b")
    assert speaking([old, elsewhere]) == [elsewhere, old]


def test_single_values_are_the_newest_stated_and_a_job_is_never_put_together():
    found = together()
    assert (found.name, found.years_coding) == ("Quetzal M. Adeyemi", 9)
    assert (found.title, found.company, found.headline) == ("Lead", "Norrsken Labs", None)
    other = replace(RESUME, title=None, company="Zugvogel")
    found = combine([spoken(other, "csv", LATER), spoken(PAGE, "prog-ai")])
    assert (found.title, found.company) == (None, "Zugvogel")
    same = replace(other, company="Norrsken Inc.")
    found = combine([spoken(same, "csv", LATER), spoken(PAGE, "prog-ai")])
    assert (found.title, found.company) == ("Compiler Engineer", "Norrsken Inc.")


def test_a_name_of_one_word_gives_way_to_a_whole_one():
    login = replace(RESUME, name="quetzalad")
    assert combine([spoken(login, "github", LATER), spoken(PAGE, "p")]).name == "Quetzal Adeyemi"


def test_a_city_stands_before_the_country_alone():
    country = replace(RESUME, location=Location(text="Sweden", country="Sweden"))
    found = combine([spoken(country, "csv", LATER), spoken(PAGE, "p")])
    assert found.location == PAGE.location
    assert not [each for each in found.remarks if each.code == "sources-differ-location"]


def test_lists_are_united_without_doubles():
    found = together()
    assert found.skills == (
        Skill(name="Kubernetes", score=7), Skill(name="Rust"), Skill(name="mlir", score=10),
    )  # fmt: skip
    assert [(each.text, each.area) for each in found.education] == [
        ("Master, Lund", "CS"),
        ("BSc, Lund", None),
    ]
    assert found.contributions == PAGE.contributions
    assert (found.links, found.emails) == ((GITHUB,), ("q@example.org",))
    assert found.declared == Declared(languages=4)


@pytest.mark.parametrize(
    ("older", "jobs"),
    [
        (Job(employer="Norrsken", title="Engineer", from_date="2024-03"), 1),
        (Job(employer="norrsken labs", title="Engineer"), 1),
        (Job(employer="Norrsken Labs", from_date="2019", to_date="2021-05"), 2),
        (Job(employer="Zugvogel", from_date="2024"), 2),
    ],
)
def test_jobs_are_the_same_by_employer_and_overlapping_dates(older, jobs):
    page = replace(PAGE, jobs=(older,))
    found = combine([spoken(RESUME, "csv", LATER), spoken(page, "p")])
    assert len(found.jobs) == jobs
    assert found.jobs[0] == RESUME.jobs[0]


def test_a_job_without_dates_keeps_the_time_an_older_document_states():
    card = replace(RESUME, jobs=(Job(employer="Norrsken", title="Lead"),))
    now = Job(employer="Norrsken", title="Lead", from_date="2021-03", is_current=True)
    found = combine([spoken(card, "vcard", LATER), spoken(replace(PAGE, jobs=(now,)), "p")])
    assert found.jobs == (now,)


def test_two_roles_at_one_company_meet_their_own():
    def roles(*order):
        jobs = {
            "lead": Job(employer="Norrsken", title="Lead", from_date="2021", to_date="2023"),
            "first": Job(employer="Norrsken", title="Engineer", from_date="2019", to_date="2021"),
        }
        return replace(PAGE, jobs=tuple(jobs[each] for each in order))

    found = combine(
        [spoken(roles("first", "lead"), "a", LATER), spoken(roles("lead", "first"), "b")]
    )
    assert [each.title for each in found.jobs] == ["Lead", "Engineer"]


def test_contradictions_name_both_documents():
    checks = {each.code: each for each in together().remarks if each.severity is Severity.CHECK}
    assert checks.keys() == {"sources-differ-title", "sources-differ-location"}
    assert checks["sources-differ-title"].text == (
        "Title differs: “Lead” in json-resume.txt (2 Dec 2026) · "
        "“Compiler Engineer” in prog-ai.txt (1 Dec 2026)."
    )


def test_other_names_of_one_place_and_one_company_are_no_contradiction():
    other = replace(
        RESUME,
        title="engineer, compiler",
        company="Norrsken AB",
        location=Location(text="Malmo", city="Malmo", country="Sweden"),
    )
    assert combine([spoken(other, "csv", LATER), spoken(PAGE, "p")]).remarks == ()


def test_a_second_kind_is_news_and_both_stay(store):
    first = store.add(PAGE, document("1"), now=NOW)
    second = store.add(RESUME, document("2", "json-resume"), now=LATER)
    assert (second.outcome, second.candidate_id) == (Outcome.UPDATED, first.candidate_id)
    assert "title: Compiler Engineer → Lead" in second.changes
    candidate = store.candidate(first.candidate_id)
    assert candidate.profile == together()
    assert len(candidate.sources) == 2
    assert store.verify().faults == ()


def test_a_newer_page_of_one_kind_takes_nothing_from_the_other(store):
    id_ = store.add(PAGE, document("1"), now=NOW).candidate_id
    store.add(RESUME, document("2", "json-resume"), now=LATER)
    store.add(replace(PAGE, title="CTO"), document("3"), now=LATER + timedelta(days=1))
    profile = store.candidate(id_).profile
    assert (profile.title, profile.emails) == ("CTO", ("q@example.org",))


def test_reading_anew_goes_the_same_way(store):
    id_ = store.add(PAGE, document("1"), now=NOW).candidate_id
    store.add(RESUME, document("2", "json-resume"), now=LATER)
    told = store.add(replace(PAGE, years_coding=10), document("1", parser=2), now=LATER)
    assert (told.outcome, told.changes) == (Outcome.UPDATED, ("years coding: 9 → 10",))
    profile = store.candidate(id_).profile
    assert (profile.title, profile.years_coding) == ("Lead", 10)


@pytest.mark.parametrize("undone", [0, 1])
def test_undo_leaves_what_the_other_document_says(store, undone):
    for number, (profile, kind) in enumerate(((PAGE, "prog-ai"), (RESUME, "json-resume"))):
        store.begin_intake(str(number), by="U1", channel="D1", task={}, now=NOW)
        id_ = store.add_to_intake(
            str(number), profile, document(str(number), kind), daily_cap=9, now=NOW
        ).candidate_id
    done = store.undo_intake(str(undone), by="U1", admin=False, now=LATER)
    assert done.restored == (id_,)
    assert store.candidate(id_).profile == (RESUME, PAGE)[undone]
    assert len(rows(store, "person_key")) == (2, 1)[undone]
    assert store.verify().faults == ()


def test_a_combination_that_was_damaged_is_made_anew(store):
    id_ = store.add(PAGE, document("1"), now=NOW).candidate_id
    store.add(RESUME, document("2", "json-resume"), now=LATER)
    said = store.candidate(id_).profile
    with store.database.write() as session:
        wrong = json.dumps({"name": "Nobody"})
        session.connection().execute(text("UPDATE profile SET document = :it"), {"it": wrong})
    assert {each.mendable for each in store.verify().faults} == {True}
    store.rebuild()
    assert store.candidate(id_).profile == said
    assert store.verify().faults == ()


def test_what_an_earlier_program_kept_no_reading_of_still_speaks(store):
    id_ = store.add(PAGE, document("1"), now=NOW).candidate_id
    with store.database.write() as session:
        session.connection().execute(text("UPDATE source SET document = NULL"))
    store.add(RESUME, document("2", "json-resume"), now=LATER)
    assert store.candidate(id_).profile == together()
