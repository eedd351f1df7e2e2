"""The labelled documents are whole, and the comparison counts as it says."""

from tests.bench_documents import LABELLED, Measured, labels, row_of
from tests.labelled_facts import compare


def test_each_document_has_a_label_and_each_label_a_document():
    files = {path.name for path in LABELLED.iterdir()} - {"README.md", "labels.jsonl"}
    assert sorted(label["file"] for label in labels()) == sorted(files)


def test_there_are_enough_of_them_and_they_are_small():
    nobody = [label for label in labels() if not label["people"]]
    assert len(labels()) >= 60
    assert len(nobody) >= 15
    assert sum(path.stat().st_size for path in LABELLED.iterdir()) < 3 * 2**20


def test_what_the_labels_say_is_all_right_and_nothing_else_is():
    for label in labels():
        tally = compare(label["people"], label["people"])
        assert (tally.lost, tally.wrong, tally.invented) == ([], [], []), label["file"]
        assert tally.present or not label["people"]


def test_nothing_read_is_everything_lost():
    label = next(label for label in labels() if label["people"])
    tally = compare(label["people"], [])
    assert tally.right == 0
    assert len(tally.lost) == tally.present > 0


def test_each_value_counts_once():
    label = {"name": "Ada Obi", "jobs": [{"employer": "Ziggurat", "title": "Engineer"}]}
    read = {
        "name": "ADA  OBI",
        "skills": ["Go"],
        "jobs": [{"employer": "Ziggurat", "title": "Manager", "current": None}],
    }
    tally = compare([label], [read])
    assert tally.right == 2
    assert tally.lost == ["jobs.title: Engineer"]
    assert tally.wrong == ["skills: Go", "jobs.title: Manager"]


def test_people_beyond_the_labelled_ones_are_invented():
    tally = compare([{"name": "Ada Obi"}], [{"name": "Curriculum Vitae"}, {"name": "Ada Obi"}])
    assert tally.invented == ["Curriculum Vitae"]
    assert tally.right == 1


def test_today_s_job_may_be_the_title_and_what_may_be_read_is_not_wrong():
    label = {
        "name": "Ada Obi",
        "jobs": [{"employer": "Ziggurat", "title": "Engineer", "current": True}],
        "may": ["silver medalist"],
    }
    read = {**label, "title": "Engineer", "skills": ["Silver Medalist", "Go"]}
    assert compare([label], [read]).wrong == ["skills: Go"]


def test_a_row_says_facts_right_of_facts_present():
    label = {"file": "x", "kind": "text", "people": [{"name": "Ada Obi", "skills": ["Go", "C"]}]}
    row = row_of([label], Measured([[{"name": "Ada Obi", "skills": ["Go"]}]], 0.5, 10))
    assert row.cells("text")[:8] == ("text", "1", "1", "2 of 3", "0.667", "0", "0", "2.0")
