"""Verify: every kind of damage is found, named by id, and mended where it can be."""

import pytest

from storage.store import Store
from tests.keeping_fixtures import NOW, answers, change, file_of, open_filled, person


@pytest.fixture
def filled(store_url):
    store = open_filled(store_url)
    yield store
    store.close()


def kinds(store):
    return {(fault.kind, fault.where) for fault in store.verify().faults}


def id_of(store, name="Nadja Lindqvist005"):
    return next(
        each.candidate.id
        for each in store.search(f'"{name}"', now=NOW).hits
        if each.candidate.profile.name == name
    )


def test_what_the_bot_wrote_agrees(filled):
    found = filled.verify()
    assert found.faults == ()
    assert (found.people, found.sources) == (12, 13)
    assert found.audit_entries == len(filled.audited())
    assert found.audit_head


def test_an_empty_store_agrees(store):
    assert store.verify().faults == ()


DERIVED = {
    "a name token": "UPDATE name_token SET token = 'x' WHERE profile_id = '{id}' AND position = 0",
    "a skill gone": "DELETE FROM profile_skill WHERE profile_id = '{id}' AND position = 1",
    "a skill more": "INSERT INTO profile_skill VALUES ('{id}', 9, 'Go', 'go', 1)",
    "a score": "UPDATE profile_skill SET score = 1 WHERE profile_id = '{id}' AND position = 0",
    "a repository": "UPDATE profile_contribution SET repository_key='a/b' WHERE profile_id='{id}'",
    "a school": "UPDATE profile_education SET school_text = 'x' WHERE profile_id = '{id}'",
    "a column": "UPDATE profile SET city_text = 'oslo' WHERE id = '{id}'",
}


@pytest.mark.parametrize("damage", DERIVED.values(), ids=DERIVED.keys())
def test_rows_that_do_not_follow_from_the_profile_are_found_and_mended(filled, store_url, damage):
    before, id_ = answers(filled), id_of(filled)
    change(file_of(store_url), damage.format(id=id_))
    assert kinds(filled) == {("derived", id_)}
    assert filled.rebuild() == 12
    assert filled.verify().faults == ()
    assert answers(filled) == before


INDEX = {
    "a text gone": "DELETE FROM profile_text WHERE rowid = {doc}",
    "another text": "UPDATE profile_text SET text = 'x' WHERE rowid = {doc}",
    "behind its back": "UPDATE profile_text_content SET c0 = 'x' WHERE id = {doc}",
    "lists of words": "UPDATE profile_text_data SET block = zeroblob(40) WHERE id > 10",
}


@pytest.mark.parametrize("damage", INDEX.values(), ids=INDEX.keys())
def test_an_index_that_is_wrong_is_found_and_made_anew(filled, store_url, damage):
    before, id_ = answers(filled), id_of(filled)
    with filled.database.read() as session:
        doc = (
            session.connection()
            .exec_driver_sql(f"SELECT doc FROM profile WHERE id = '{id_}'")
            .scalar()
        )
    change(file_of(store_url), damage.format(doc=doc))
    found = filled.verify().faults
    assert found
    assert {fault.kind for fault in found} <= {"index", "database"}
    assert any(fault.kind == "index" for fault in found)
    filled.rebuild()
    assert filled.verify().faults == ()
    assert answers(filled) == before


def test_the_text_of_somebody_who_is_not_stored_is_found(filled, store_url):
    change(file_of(store_url), "INSERT INTO profile_text(rowid, text) VALUES (99, 'left over')")
    assert kinds(filled) == {("index", "doc 99")}


def test_a_changed_document_is_found_and_loading_it_again_heals_it(filled, store_url):
    """Also one that is no text any more; what follows from profiles is not touched by it."""
    id_ = id_of(filled)
    where = f"FROM source WHERE profile_id = '{id_}'"
    change(
        file_of(store_url),
        f"UPDATE source SET text = CAST(x'ff00fe' AS TEXT) WHERE profile_id = '{id_}'",
    )
    ((kind, place),) = kinds(filled)
    with filled.database.read() as session:
        source = session.connection().exec_driver_sql(f"SELECT id {where}").scalar()
    assert (kind, place) == ("source", f"{id_}/{source}")
    filled.rebuild()
    assert kinds(filled) == {("source", place)}
    filled.add(*person(5), now=NOW)
    assert filled.verify().faults == ()
    assert filled.source_text(id_, source) == person(5)[1].text


@pytest.mark.parametrize("document", ["{", "null", '{"name": 3}', '{"name": "Somebody Else"}'])
def test_a_damaged_profile_is_found_and_never_touched(filled, store_url, document):
    id_ = id_of(filled)
    change(file_of(store_url), f"UPDATE profile SET document = '{document}' WHERE id = '{id_}'")
    assert ("profile", id_) in kinds(filled)
    if document != '{"name": "Somebody Else"}':
        filled.rebuild()
        assert ("profile", id_) in kinds(filled)


def test_rows_of_somebody_who_is_not_there_are_found(filled, store_url):
    change(
        file_of(store_url),
        "INSERT INTO profile_skill VALUES ('ghost', 0, 'Go', 'go', 1)",
        "INSERT INTO history VALUES ('spirit', 1, '2026-01-01', 'U1', NULL, '[]')",
    )
    assert kinds(filled) == {("derived", "ghost"), ("profile", "spirit")}
    filled.rebuild()
    assert kinds(filled) == {("profile", "spirit")}


def test_a_broken_chain_of_the_audit_is_found(filled, store_url):
    change(
        file_of(store_url),
        "DROP TRIGGER audit_stays",
        "UPDATE audit SET who = 'U0OTHER' WHERE number = 1",
    )
    assert kinds(filled) == {("audit", "main")}


def test_a_lost_reference_is_found(filled, store_url):
    change(
        file_of(store_url),
        "PRAGMA foreign_keys=OFF",
        "INSERT INTO digest_run (id, workspace, subscription, slot, due_at, written_at, state,"
        " attempt, people, swept, alarms) VALUES ('r', 'main', 9, 's', '2026-01-01',"
        " '2026-01-01', 'ready', 0, 0, 0, 0)",
    )
    assert kinds(filled) == {("database", "file")}


def test_faults_name_nobody(filled, store_url):
    id_ = id_of(filled)
    change(
        file_of(store_url),
        f"UPDATE profile SET name = 'x', document = '{{' WHERE id = '{id_}'",
        "DELETE FROM name_token",
        "UPDATE source SET text = 'x'",
        "DELETE FROM profile_text",
    )
    said = " ".join(
        f"{each.where} {each.sentence} {each.advice}" for each in filled.verify().faults
    )
    assert "indqvist" not in said
    assert "nadja" not in said.casefold()


def test_verifying_while_others_write_sees_one_moment(filled, store_url):
    other = Store.open(store_url)
    beats = 0

    def write():
        nonlocal beats
        beats += 1
        other.add(*person(100 + beats), now=NOW)

    assert filled.verify(write).faults == ()
    assert beats > 0
    other.close()
