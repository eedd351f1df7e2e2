"""What searches look up follows from the profiles, and can be made anew from them."""

from dataclasses import replace
from datetime import UTC, datetime

from sqlalchemy import text

from storage.changed import note_all_changed
from storage.indexing import MADE_BY, make_index
from storage.records import Contribution, Document, Education, Location, Profile, Skill
from storage.search.postings import facts_of
from storage.store import Store

NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
INES = Profile(
    name="Ines O'Brien",
    title="Staff Compiler Engineer",
    company="Norrsken Labs",
    location=Location(text="Malmö, Sweden", city="Malmö", country="Sweden"),
    skills=(Skill(name="c-language", score=4), Skill(name="C", score=9), Skill(name="mlir")),
    contributions=(
        Contribution(
            repository="Fjord/Loom-Kit",
            from_month="2021-03",
            role="Back-end Developer",
            summary="A weaver.",
        ),
        Contribution(repository="fjord/other", topics=("weaver",)),
    ),
    education=(Education(text="MSc, Lund", school="Lund University"),),
    likely_login="InesO",
)
BO = replace(INES, name="Bo Lecki", likely_login="bolecki", skills=(Skill(name="mlir", score=3),))
QUERIES = ("skill:c>=9", "weaver", "fjord/loom-kit", "loom kit", "malmo", "brien", "sort:name")


def add(store: Store, profile: Profile, words: str = "") -> str:
    document = Document(
        name="", text=profile.name + words, added_by="U1", added_via="load", parser="test/1"
    )
    return store.add(profile, document, now=NOW).candidate_id


def rows(store: Store, sql: str) -> list[tuple[object, ...]]:
    with store.database.read() as session:
        return [tuple(row) for row in session.connection().execute(text(sql))]


def answers(store: Store) -> list[tuple[str, list[tuple[str, float | None]]]]:
    pages = [(query, store.search(query, now=NOW)) for query in QUERIES]
    return [(query, [(hit.candidate.id, hit.score) for hit in page.hits]) for query, page in pages]


def test_spellings_of_a_skill_are_one_fact_with_the_highest_score():
    facts = {(kind, value): weight for kind, value, weight in facts_of(INES)}
    assert facts["skill", "c"] == 9
    assert facts["skill", "mlir"] is None
    assert ("repo", "fjord/loom-kit") in facts
    assert ("repo_word", "kit") in facts
    assert ("unclear", "") not in facts


def test_values_are_counted_by_people_and_forgotten_with_the_last(store):
    ines, bo = add(store, INES), add(store, BO)
    counted = "SELECT people FROM fact_value WHERE kind = 'skill' AND value = 'mlir'"
    assert rows(store, counted) == [(2,)]
    store.remove(ines, now=NOW)
    assert rows(store, counted) == [(1,)]
    assert rows(store, "SELECT value FROM fact_value WHERE value LIKE '%ines%'") == []
    store.remove(bo, now=NOW)
    for table in ("fact", "fact_value", "contribution_text", "profile_text"):
        assert rows(store, f"SELECT * FROM {table}") == []


def test_an_update_leaves_no_fact_of_before(store):
    add(store, replace(INES, company="Elsewhere"))
    add(store, INES, " anew")
    assert rows(store, "SELECT value FROM fact WHERE kind = 'company'") == [("norrsken labs",)]


def test_an_index_made_by_other_rules_is_made_anew(store, store_url):
    add(store, INES)
    add(store, BO)
    before = answers(store)
    assert [len(found) for _query, found in before] == [1, 2, 2, 2, 2, 1, 2]
    with store.database.write() as session:
        for spoil in (
            f"UPDATE meta SET value = '0' WHERE name = '{MADE_BY}'",
            "DELETE FROM fact WHERE kind = 'skill'",
            "UPDATE fact SET value = 'stale' WHERE kind = 'company'",
            "DELETE FROM contribution_text",
            "UPDATE profile SET name_order = ''",
            "UPDATE name_token SET token = 'stale', kind = 'name'",
        ):
            session.connection().execute(text(spoil))
        note_all_changed(session.connection())
    assert answers(store) != before
    again = Store.open(store_url)
    assert answers(again) == before
    assert rows(again, "SELECT DISTINCT value FROM fact WHERE kind = 'company'") == [
        ("norrsken labs",)
    ]
    assert len(again.named("brien ines").hits) == 1
    assert rows(again, "SELECT token FROM name_token WHERE kind = 'piece'") == [("o",), ("brien",)]
    again.close()


def test_the_index_made_anew_holds_the_rows_that_were_stored_one_by_one(store):
    """A thousand at a time or one: the same rows, also of names in other scripts."""
    for name in ("Ines O'Brien", "Łukasz Sørensen", "王磊", "محمد الراشد"):
        add(store, replace(INES, name=name, likely_login=""))
    add(store, BO)
    asked = [
        "SELECT * FROM fact ORDER BY kind, value, doc",
        "SELECT * FROM fact_value ORDER BY kind, value",
        "SELECT * FROM name_token ORDER BY profile_id, position",
        "SELECT * FROM profile_skill ORDER BY profile_id, position",
        "SELECT rowid, text FROM profile_text ORDER BY rowid",
        "SELECT rowid, text FROM contribution_text ORDER BY rowid",
    ]
    before = [rows(store, each) for each in asked]
    assert make_index(store.database) == 5
    assert [rows(store, each) for each in asked] == before
    assert all(before)


def test_making_the_index_anew_may_be_broken_off(store, store_url):
    """The version is written last, so the next start begins again."""
    add(store, INES)
    before = answers(store)
    with store.database.write() as session:
        connection = session.connection()
        connection.execute(text(f"DELETE FROM meta WHERE name = '{MADE_BY}'"))
        connection.execute(text("DELETE FROM fact"))  # as far as a killed one came
    again = Store.open(store_url)
    assert answers(again) == before
    again.close()
