"""Loading: whatever a file or the database does, each file ends in a report."""

import os
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.loading import files_under, load_file, load_files, load_steps
from bot.readable import readable
from storage.records import Outcome
from tests.loading_fixtures import fail_at, page, three_files


def load(store, now, *paths):
    return list(load_files(store, paths, added_by="me", added_via="load", clock=lambda: now))


def outcomes(report):
    return [(person.name, person.outcome, bool(person.twins)) for person in report.people]


WEI = page("Wei Zhang")
OTHER_WEI = page("Wei Zhang", title="Nurse at Clinic", place="Paris, France")


def test_two_people_of_one_name_in_one_file_are_two_people(tmp_path, store, now):
    path = tmp_path / "berlin.txt"
    path.write_text(WEI + OTHER_WEI)
    (report,) = load(store, now, path)
    assert outcomes(report) == [
        ("Wei Zhang", Outcome.STORED, False),
        ("Wei Zhang", Outcome.STORED, True),
    ]
    (again,) = load(store, now, path)
    assert {person.outcome for person in again.people} == {Outcome.UNCHANGED}
    assert store.count() == 2


def test_two_files_of_one_name_in_one_load_are_two_people(tmp_path, store, now):
    paths = [tmp_path / folder / "wei zhang.txt" for folder in ("a", "b")]
    for path, text in zip(paths, (WEI, OTHER_WEI), strict=True):
        path.parent.mkdir()
        path.write_text(text)
    reports = load(store, now, *paths)
    assert [person.twins != () for report in reports for person in report.people] == [False, True]


def test_a_newer_file_of_the_same_name_is_news_of_the_same_person(tmp_path, store, now):
    """Also when another person stands in that file, and when the file was named twice."""
    path = tmp_path / "wei zhang.txt"
    path.write_text(WEI + page("Bo Li"))
    load(store, now, path, path)
    path.write_text(OTHER_WEI)
    (report,) = load(store, now, path)
    assert outcomes(report) == [("Wei Zhang", Outcome.UPDATED, False)]


def test_a_failing_database_stops_the_load_and_every_file_is_reported(
    tmp_path, store, store_url, now
):
    """Whoever was stored before is listed, and what was not tried says so."""
    fail_at(store_url, "Bo b", "database or disk is full")
    first, second, third = load(store, now, *three_files(tmp_path))
    assert [person.name for person in first.people] == ["Ada a", "Bo a"]
    assert not first.refused
    assert [person.name for person in second.people] == ["Ada b"]
    assert "make room" in second.reason
    assert third.people == ()
    assert third.reason.startswith("Not tried")
    assert store.count() == 3


def test_what_fails_for_one_file_only_costs_the_others_nothing(tmp_path, store, store_url, now):
    fail_at(store_url, "Bo b", "something nobody thought of")
    first, second, third = load(store, now, *three_files(tmp_path))
    assert (first.reason, third.reason) == (None, None)
    assert [person.name for person in second.people] == ["Ada b"]
    assert "IntegrityError" in second.reason


def test_a_name_that_is_no_utf8_is_stored_readable(tmp_path, store, now):
    path = tmp_path / os.fsdecode(b"wei \xff\xfe.txt")
    path.write_text(WEI)
    (report,) = load(store, now, path)
    assert report.path == str(tmp_path / "wei \ufffd\ufffd.txt")
    (person,) = report.people
    (source,) = store.candidate(person.id).sources
    assert source.name == "wei \ufffd\ufffd.txt"


@pytest.mark.parametrize("name", ["x" * 300, "a/" * 3000])
def test_a_path_that_cannot_be_is_reported(tmp_path, store, now, name):
    (report,) = load(store, now, *files_under([tmp_path / name]))
    assert report.reason.endswith(".")


def test_a_large_file_is_loaded_in_steps_and_stopping_keeps_who_is_stored(tmp_path, store, now):
    path = tmp_path / "many.txt"
    path.write_text("".join(page(f"Person {n}") for n in range(20)))
    steps = load_steps(store, path, added_by="me", added_via="inbox", clock=lambda: now)
    counts = []
    while store.count() < 5:
        next(steps)
        counts.append(store.count())
    assert all(after - before <= 1 for before, after in pairwise(counts))
    steps.close()
    report = load_file(store, path, added_by="me", added_via="inbox", now=now)
    assert [person.outcome for person in report.people] == (
        [Outcome.UNCHANGED] * 5 + [Outcome.STORED] * 15
    )


@given(st.text(st.characters(exclude_categories=())))
def test_readable_text_can_be_stored_and_printed(text):
    clean = readable(text)
    clean.encode("utf-8")
    assert readable(clean) == clean
