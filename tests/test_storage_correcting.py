"""Corrections by hand outrank every document and survive re-reading."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from storage.correcting import NotACorrection
from storage.records import Outcome, Severity
from tests.test_storage_combining import PAGE, RESUME, document
from tests.test_storage_people import rows

NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
LATER = NOW + timedelta(days=1)


def checks(store, id_):
    remarks = store.candidate(id_).profile.remarks
    return [each.code for each in remarks if each.severity is Severity.CHECK]


@pytest.fixture
def person(store):
    id_ = store.add(PAGE, document("1"), now=NOW).candidate_id
    store.add(RESUME, document("2", "json-resume"), now=LATER)
    return id_


def test_a_correction_survives_reading_anew_and_newer_documents(store, person):
    said = store.correct(person, {"title": "  CTO "}, by="U2", place="D1", now=LATER)
    assert said == ("title: Lead → CTO",)
    store.add(replace(PAGE, title="Boss"), document("1", parser=2), now=LATER)
    told = store.add(replace(PAGE, title="Chief"), document("3"), now=LATER + timedelta(days=1))
    assert told.outcome is Outcome.UPDATED
    profile = store.candidate(person).profile
    assert (profile.title, profile.company) == ("CTO", "Norrsken")
    assert store.verify().faults == ()
    assert store.history(person)[2].changes[0] == "corrected by hand: title"
    (entry,) = store.audited(actions=("edit",))
    assert (entry.who, entry.candidate_ids) == ("U2", (person,))


def test_a_ruling_ends_a_contradiction(store, person):
    assert [each.field for each in store.correctable(person).differences] == ["title", "location"]
    [title, _] = store.correctable(person).differences
    assert [value for value, _ in title.said] == ["Lead", "Compiler Engineer"]
    store.correct(person, {"title": "Lead"}, by="U2", now=LATER)
    assert checks(store, person) == ["sources-differ-location"]
    store.correct(person, {"location": "Malmö, Sweden"}, by="U2", now=LATER)
    assert checks(store, person) == []
    assert store.candidate(person).profile.location == PAGE.location
    assert store.correctable(person).corrected == {"title", "location"}


def test_an_empty_value_is_not_stated_and_numbers_are_numbers(store, person):
    store.correct(person, {"company": "", "years_coding": "07"}, by="U2", now=LATER)
    profile = store.candidate(person).profile
    assert (profile.company, profile.years_coding) == (None, 7)


def test_what_documents_say_by_themselves_needs_no_correction(store, person):
    store.correct(person, {"years_coding": "3"}, by="U2", now=LATER)
    store.correct(person, {"years_coding": "9"}, by="U2", now=LATER)
    assert rows(store, "correction") == []


@pytest.mark.parametrize(
    ("field", "value"),
    [("name", " . "), ("years_coding", "many"), ("years_employed", "400"), ("skills", "x"),
     ("title", "x" * 201)],
)  # fmt: skip
def test_what_cannot_be_is_refused_and_nothing_changes(store, person, field, value):
    before = store.candidate(person)
    with pytest.raises(NotACorrection):
        store.correct(person, {"company": "Other", field: value}, by="U2", now=LATER)
    assert store.candidate(person) == before


def test_a_correction_goes_with_its_record_and_with_the_person(store, person):
    other = store.add(
        replace(PAGE, name="Bo Li", links=(), contributions=()), document("9"), now=LATER
    ).candidate_id
    store.correct(other, {"title": "Boss"}, by="U2", now=LATER)
    store.merge(person, other, by="U2", now=LATER)
    assert store.candidate(person).profile.title == "Boss"
    store.unmerge(other, by="U2", now=LATER)
    assert store.candidate(person).profile.title == "Lead"
    assert store.candidate(other).profile.title == "Boss"
    store.remove(other, now=LATER)
    assert rows(store, "correction") == []


def test_repairing_keeps_corrections(store, person):
    store.correct(person, {"title": "CTO"}, by="U2", now=LATER)
    said = store.candidate(person).profile
    with store.database.write() as session:
        session.connection().execute(text('UPDATE profile SET document = \'{"name": "x"}\''))
    store.rebuild()
    assert store.candidate(person).profile == said


def test_somebody_of_one_document_an_earlier_program_read_can_be_corrected(store):
    id_ = store.add(PAGE, document("1"), now=NOW).candidate_id
    with store.database.write() as session:
        session.connection().execute(text("UPDATE source SET document = NULL"))
    assert store.correctable(id_).differences == ()
    store.correct(id_, {"title": "CTO"}, by="U2", now=LATER)
    assert store.candidate(id_).profile == replace(PAGE, title="CTO", headline=None)
    assert store.correct("nobody", {"title": "x"}, by="U2", now=LATER) is None
    assert store.correctable("nobody") is None
