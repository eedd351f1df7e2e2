"""People: who is stored, who is recognised again, what changed, and what erasing leaves."""

import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import make_url, text
from sqlmodel import SQLModel

from storage.models import ProfileAliasRow
from storage.people import NoSuchSource
from storage.records import (
    Candidate,
    Contribution,
    Declared,
    Document,
    Education,
    Location,
    Outcome,
    Profile,
    Remark,
    Severity,
    Skill,
    StackOverflow,
)
from storage.store import Store

ROOT = Path(__file__).parent.parent
NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
LATER = NOW + timedelta(days=1)

TVM = Contribution(
    repository="Apache/TVM", from_month="2021-03", to_month="2021-03", role="Engineer", commits=1
)
INES = Profile(
    name="Inés Okafor",
    headline="Platform Engineer at Example",
    title="Platform Engineer",
    company="Example",
    location=Location(text="Lagos, Nigeria", city="Lagos", country="Nigeria"),
    skills=(Skill(name="c++", score=9), Skill(name="kubernetes", score=10)),
    contributions=(TVM,),
    education=(Education(text="BSc at University of Lagos", school="University of Lagos"),),
    likely_login="InesOk",
)
BO = Profile(name="Bo Li", title="Engineer", summary="Works on compilers.")


def page(text_of_page: str = "page", name: str = "ines.txt", parser: str = "p/1") -> Document:
    return Document(name=name, text=text_of_page, added_by="U1", added_via="slack", parser=parser)


def rows(store: Store, table: str) -> list[tuple]:
    """Everything in a table; for looking only."""
    with store.database.read() as session:
        return [tuple(row) for row in session.connection().execute(text(f"SELECT * FROM {table}"))]


def test_a_new_person_is_stored_whole(store):
    added = store.add(INES, page("the text"), now=NOW)
    assert added.outcome is Outcome.STORED
    assert (added.name, added.changes, added.twins) == ("Inés Okafor", (), ())
    candidate = store.candidate(added.candidate_id)
    assert candidate.profile == INES
    assert (candidate.added_at, candidate.updated_at) == (NOW, NOW)
    assert (candidate.added_by, candidate.added_via) == ("U1", "slack")
    (source,) = candidate.sources
    assert (source.name, source.parser, source.text_length) == ("ines.txt", "p/1", 8)
    assert (source.added_at, source.read_at) == (NOW, NOW)
    assert store.source_text(candidate.id, source.id) == "the text"
    assert store.count() == 1


def test_ids_are_twelve_characters_that_can_be_read_out(store):
    ids = {
        store.add(replace(INES, name=f"Person {n}"), page(str(n)), now=NOW).candidate_id
        for n in range(50)
    }
    assert len(ids) == 50
    assert all(
        len(each) == 12 and set(each) <= set("0123456789abcdefghjkmnpqrstvwxyz") for each in ids
    )


def test_an_id_that_is_taken_is_not_given_again(store_url):
    repeats = iter(["a", "s1", "e1", "a", "a", "b", "s2", "e2"])
    store = Store.open(store_url, new_id=lambda: next(repeats))
    first = store.add(INES, page("1", "1.txt"), now=NOW)
    other = replace(INES, name="Bo Li", contributions=())
    second = store.add(other, page("2", "2.txt"), now=NOW)
    assert first.candidate_id != second.candidate_id
    store.close()


def test_an_id_of_someone_merged_away_is_not_given_again(store_url):
    repeats = iter(["a", "s1", "e1", "a", "b", "s2", "e2"])
    store = Store.open(store_url, new_id=lambda: next(repeats))
    first = store.add(INES, page("1", "1.txt"), now=NOW).candidate_id
    with store.database.write() as session:
        session.connection().execute(text("UPDATE profile SET id = 'kept'"))
        session.add(ProfileAliasRow(alias=first, profile_id="kept"))
    second = store.add(replace(INES, name="Bo Li"), page("2", "2.txt"), now=NOW)
    assert second.candidate_id != first
    store.close()


def test_the_same_text_by_the_same_parser_is_unchanged(store):
    first = store.add(INES, page(), now=NOW)
    again = store.add(INES, page(name="renamed.txt"), now=LATER)
    assert (again.outcome, again.candidate_id) == (Outcome.UNCHANGED, first.candidate_id)
    candidate = store.candidate(first.candidate_id)
    assert candidate.updated_at == NOW
    assert len(candidate.sources) == 1
    assert len(store.history(first.candidate_id)) == 1


def test_a_newer_parser_reads_the_same_text_again(store):
    first = store.add(INES, page(), now=NOW)
    again = store.add(replace(INES, title="Lead"), page(parser="p/2"), now=LATER)
    assert again.outcome is Outcome.UPDATED
    assert again.changes == ("title: Platform Engineer → Lead",)
    candidate = store.candidate(first.candidate_id)
    (source,) = candidate.sources
    assert (source.parser, source.added_at, source.read_at) == ("p/2", NOW, LATER)
    assert candidate.profile.title == "Lead"


def test_a_newer_parser_that_reads_the_same_says_so(store):
    store.add(INES, page(), now=NOW)
    again = store.add(INES, page(parser="p/2"), now=LATER)
    assert again.outcome is Outcome.UPDATED
    assert again.changes == (
        "the same page, read by another version of the bot: the facts are the same",
    )


def test_another_document_that_says_the_same_is_told_as_such(store):
    store.add(INES, page("1"), now=NOW)
    again = store.add(INES, page("2"), now=LATER)
    assert again.changes == ("another document that says the same",)


def test_an_older_page_read_again_does_not_undo_the_newest(store):
    first = store.add(INES, page("old"), now=NOW)
    store.add(replace(INES, title="Lead"), page("new"), now=LATER)
    for parser in ("p/1", "p/2"):
        again = store.add(INES, page("old", parser=parser), now=LATER)
        assert (again.outcome, again.candidate_id) == (Outcome.UNCHANGED, first.candidate_id)
    candidate = store.candidate(first.candidate_id)
    assert candidate.profile.title == "Lead"
    assert [source.parser for source in candidate.sources] == ["p/2", "p/1"]


@pytest.mark.parametrize("name", ["Inés Okafor", "INES  OKAFOR", "Okafor, Ines"])
def test_the_file_name_makes_a_new_version_when_the_names_agree(store, name):
    first = store.add(INES, page("1"), now=NOW)
    second = store.add(
        replace(INES, name=name, title="Lead", contributions=()), page("2", "INES.txt"), now=LATER
    )
    assert (second.outcome, second.candidate_id) == (Outcome.UPDATED, first.candidate_id)
    candidate = store.candidate(first.candidate_id)
    assert (candidate.added_at, candidate.updated_at) == (NOW, LATER)
    assert candidate.profile.title == "Lead"
    assert [source.name for source in candidate.sources] == ["ines.txt", "INES.txt"]
    assert store.count() == 1


def test_a_shared_contribution_makes_a_new_version_when_the_names_agree(store):
    first = store.add(INES, page("1"), now=NOW)
    moved = replace(TVM, repository="apache/tvm", commits=4)
    second = store.add(replace(INES, contributions=(moved,)), page("2", "other.txt"), now=LATER)
    assert (second.outcome, second.candidate_id) == (Outcome.UPDATED, first.candidate_id)
    assert second.changes == ("commits in apache/tvm: 1 → 4",)


@pytest.mark.parametrize(
    "contributions",
    [
        (),
        (replace(TVM, from_month="2022-01"),),
        (replace(TVM, from_month=None),),
        (replace(TVM, repository="apache/tvm-vta"),),
    ],
)
def test_a_name_alone_never_merges(store, contributions):
    first = store.add(INES, page("1"), now=NOW)
    second = store.add(replace(INES, contributions=contributions), page("2", "other.txt"), now=NOW)
    assert second.outcome is Outcome.STORED
    assert second.twins == (first.candidate_id,)
    assert store.count() == 2


def test_two_contributions_without_a_month_do_not_agree(store):
    undated = replace(INES, contributions=(replace(TVM, from_month=None),))
    store.add(undated, page("1", "a.txt"), now=NOW)
    assert store.add(undated, page("2", "b.txt"), now=NOW).outcome is Outcome.STORED


@pytest.mark.parametrize("name", ["message", "Untitled.txt", "-", "stdin"])
def test_a_name_that_no_person_chose_is_no_file_name(store, name):
    bare = replace(INES, contributions=())
    store.add(bare, page("1", name), now=NOW)
    assert store.add(bare, page("2", name), now=NOW).outcome is Outcome.STORED


def test_other_names_never_merge_whatever_else_agrees(store):
    store.add(INES, page("1"), now=NOW)
    other = store.add(replace(INES, name="Inés Okafor Bello"), page("2"), now=NOW)
    assert (other.outcome, other.twins) == (Outcome.STORED, ())


def test_two_people_of_one_file_stay_two(store):
    store.add(INES, page("1", "team.txt"), now=NOW)
    other = replace(INES, name="Bo Li", contributions=())
    assert store.add(other, page("2", "team.txt"), now=NOW).outcome is Outcome.STORED
    assert store.count() == 2


def test_of_several_namesakes_the_shared_work_decides(store):
    bare = replace(INES, contributions=())
    by_file = store.add(bare, page("1", "a.txt"), now=NOW).candidate_id
    by_work = store.add(INES, page("2", "b.txt"), now=LATER).candidate_id
    assert by_file != by_work
    third = store.add(replace(INES, title="Lead"), page("3", "a.txt"), now=LATER)
    assert third.candidate_id == by_work
    fourth = store.add(replace(bare, title="Boss"), page("4", "a.txt"), now=LATER)
    assert fourth.candidate_id == by_file
    fifth = store.add(bare, page("5", "c.txt"), now=LATER)
    assert fifth.twins == (by_file, by_work)


def test_names_without_letters_agree_only_when_they_are_the_same(store):
    store.add(Profile(name="🤩"), page("1"), now=NOW)
    assert store.add(Profile(name="🎓"), page("2"), now=NOW).twins == ()
    assert store.add(Profile(name="🤩"), page("3"), now=NOW).outcome is Outcome.UPDATED


def test_history_tells_what_happened_newest_first(store):
    added = store.add(INES, page("1"), now=NOW)
    store.add(replace(INES, title="Lead"), replace(page("2"), added_by="terminal:ada"), now=LATER)
    newest, oldest = store.history(added.candidate_id)
    assert (newest.at, newest.by) == (LATER, "terminal:ada")
    assert newest.changes == ("title: Platform Engineer → Lead",)
    assert (oldest.at, oldest.by, oldest.changes) == (NOW, "U1", ("added",))
    sources = store.candidate(added.candidate_id).sources
    assert [oldest.source_id, newest.source_id] == [source.id for source in sources]
    assert store.history("nobody") == []


def test_candidates_come_in_the_order_asked_for(store):
    ids = [
        store.add(
            replace(INES, name=f"P {n}", contributions=()), page(str(n)), now=NOW
        ).candidate_id
        for n in range(5)
    ]
    asked = [ids[3], "nobody", ids[0], ids[3]]
    assert [each.id for each in store.candidates(asked)] == [ids[3], ids[0], ids[3]]
    assert store.candidates([]) == []
    assert store.candidate("nobody") is None


def test_many_candidates_at_once_are_no_matter(store):
    added = store.add(INES, page(), now=NOW).candidate_id
    found = store.candidates([*(f"nobody{n}" for n in range(40_000)), added])
    assert [each.id for each in found] == [added]


def test_an_id_that_was_merged_away_means_the_other(store):
    added = store.add(INES, page("the text"), now=NOW).candidate_id
    with store.database.write() as session:
        session.add(ProfileAliasRow(alias="retired", profile_id=added))
        session.add(ProfileAliasRow(alias="dangling", profile_id="nobody"))
    assert store.candidate("retired").id == added
    assert store.candidate("dangling") is None
    assert [each.id for each in store.candidates(["retired", added])] == [added, added]
    assert store.history("retired") == store.history(added)
    source = store.candidate("retired").sources[0]
    assert store.source_text("retired", source.id) == "the text"
    assert store.remove("retired", now=LATER)
    assert store.candidate("retired") is None


def test_a_document_that_is_not_there_says_so(store):
    added = store.add(INES, page(), now=NOW).candidate_id
    with pytest.raises(NoSuchSource, match="open the card again"):
        store.source_text(added, "nothing")
    with pytest.raises(NoSuchSource):
        store.source_text("nobody", store.candidate(added).sources[0].id)


def test_the_latest_addition_is_no_update(store):
    assert store.latest_addition() is None
    store.add(INES, page("1"), now=NOW)
    bo = replace(INES, name="Bo Li", contributions=())
    store.add(bo, page("2", "bo.txt"), now=LATER)
    store.add(replace(INES, title="Lead"), page("3"), now=LATER + timedelta(days=1))
    assert store.latest_addition() == (LATER, "Bo Li")


def test_workspaces_do_not_see_each_other(store, store_url):
    other = Store.open(store_url, workspace="other")
    mine = store.add(INES, page(), now=NOW)
    theirs = other.add(INES, page(), now=NOW)
    assert theirs.outcome is Outcome.STORED
    assert theirs.twins == ()
    assert (store.count(), other.count()) == (1, 1)
    assert other.candidate(mine.candidate_id) is None
    assert other.history(mine.candidate_id) == []
    assert not other.remove(mine.candidate_id, now=NOW)
    assert other.latest_addition() == (NOW, "Inés Okafor")
    other.close()


def test_hashes_are_keyed_and_the_key_is_the_databases_own(store, tmp_path):
    digest = store.candidate(store.add(INES, page(), now=NOW).candidate_id).sources[0].digest
    elsewhere = Store.open(f"sqlite:///{tmp_path / 'other.db'}")
    added = elsewhere.add(INES, page(), now=NOW)
    assert elsewhere.candidate(added.candidate_id).sources[0].digest != digest
    elsewhere.close()
    key = dict(rows(store, "meta"))["source-hash-key"]
    assert len(bytes.fromhex(key)) == 32


def test_a_naive_moment_is_refused_and_nothing_is_stored(store):
    with pytest.raises(Exception, match="naive datetime"):
        store.add(INES, page(), now=datetime(2026, 12, 1))  # noqa: DTZ001
    assert store.count() == 0


# -- what search reads ---------------------------------------------------------------------------

SEARCHED = (
    "name_token",
    "profile_skill",
    "profile_contribution",
    "profile_education",
)


def searched(store: Store, candidate_id: str) -> dict[str, list[tuple]]:
    with store.database.read() as session:
        connection = session.connection()
        found = {
            table: sorted(
                map(
                    repr,
                    connection.execute(
                        text(f"SELECT * FROM {table} WHERE profile_id = :id"), {"id": candidate_id}
                    ),
                )
            )
            for table in SEARCHED
        }
        found["text"] = list(
            connection.execute(
                text(
                    "SELECT t.text, p.name_key, p.city_text, p.years_coding FROM profile_text t"
                    " JOIN profile p ON p.doc = t.rowid WHERE p.id = :id"
                ),
                {"id": candidate_id},
            )
        )
        return found


words = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=12)
months = st.none() | st.sampled_from(["2019-01", "2020-05", "2021-12"])
counts = st.none() | st.integers(0, 9)
contributions = st.builds(
    Contribution,
    repository=st.sampled_from(["apache/tvm", "a/b", "X/y"]),
    from_month=months,
    to_month=months,
    role=st.none() | words,
    commits=counts,
    reviews=counts,
    other=st.dictionaries(st.sampled_from(["issues", "releases"]), st.integers(0, 9)),
    summary=st.none() | words,
    span=st.none() | words,
    topics=st.lists(words, max_size=2).map(tuple),
)
profiles = st.builds(
    Profile,
    name=st.sampled_from(["Ada Löwe", "Lowe Ada", "Bo Li"]),
    headline=st.none() | words,
    title=st.none() | words,
    company=st.none() | words,
    location=st.none()
    | st.builds(
        Location,
        text=words,
        city=st.none() | words,
        country=st.none(),
        stated_country=st.none() | words,
    ),
    badges=st.lists(words, max_size=2).map(tuple),
    summary=st.none() | words,
    years_coding=counts,
    years_employed=counts,
    education=st.lists(st.builds(Education, text=words, school=st.none() | words), max_size=2).map(
        tuple
    ),
    stackoverflow=st.none() | st.builds(StackOverflow, reputation=counts),
    skills=st.lists(
        st.builds(Skill, name=words, score=st.none() | st.integers(0, 10)), max_size=4
    ).map(tuple),
    declared=st.builds(Declared, skills=counts, contributions=counts),
    contributions=st.lists(contributions, max_size=3).map(tuple),
    likely_login=st.none() | words,
    remarks=st.lists(
        st.builds(Remark, code=words, text=words, severity=st.sampled_from(Severity)), max_size=2
    ).map(tuple),
)


@pytest.fixture(scope="module")
def shared_store(tmp_path_factory):
    """One store for all examples of a property, as opening one takes longer than an example."""
    opened = Store.open(f"sqlite:///{tmp_path_factory.mktemp('people') / 'people.db'}")
    yield opened
    opened.close()


@settings(max_examples=60)
@given(profile=profiles)
def test_whatever_a_profile_says_comes_back_as_it_was(shared_store, profile):
    added = shared_store.add(profile, page("only text", "f.txt"), now=NOW)
    try:
        assert added.outcome is Outcome.STORED
        assert shared_store.candidate(added.candidate_id).profile == profile
    finally:
        shared_store.remove(added.candidate_id, now=NOW)


@settings(max_examples=40)
@given(versions=st.lists(profiles, min_size=2, max_size=4))
def test_after_any_updates_search_reads_what_a_fresh_store_would(shared_store, versions):
    """And erasing the person leaves no row behind."""
    versions = [replace(version, name="Ada Löwe") for version in versions]
    for number, version in enumerate(versions):
        known = shared_store.add(version, page(str(number), "f.txt"), now=NOW)
    before = searched(shared_store, known.candidate_id)
    assert shared_store.remove(known.candidate_id, now=NOW)
    assert shared_store.count() == 0
    fresh = shared_store.add(versions[-1], page("x", "f.txt"), now=NOW)
    after = searched(shared_store, fresh.candidate_id)
    assert shared_store.remove(fresh.candidate_id, now=NOW)
    assert {
        table: [str(row).replace(known.candidate_id, "") for row in found]
        for table, found in before.items()
    } == {
        table: [str(row).replace(fresh.candidate_id, "") for row in found]
        for table, found in after.items()
    }


# -- erasing -------------------------------------------------------------------------------------


def test_erasing_leaves_nothing_that_says_who_it_was(store, store_url):
    kept = store.add(BO, page("Bo", "bo.txt"), now=NOW)
    gone = store.add(INES, page("Zanzibar", "zanzibar.txt"), now=NOW).candidate_id
    store.add(replace(INES, title="Quetzal"), page("Zanzibar 2", "zanzibar.txt"), now=NOW)
    store.audit(who="U1", action="ask", place="C1", text="zanzibar", candidate_ids=[gone], now=NOW)
    store.record_posted(channel="C1", ts="1.2", kind="card", by="U1", candidate_ids=[gone], now=NOW)
    with store.database.write() as session:
        session.add(ProfileAliasRow(alias="retired", profile_id=gone))
    assert store.remove(gone, now=LATER, by="U2")
    assert not store.remove(gone, now=LATER)
    assert store.candidate(gone) is None
    assert store.candidate(kept.candidate_id) is not None
    for table in SQLModel.metadata.tables:
        for row in rows(store, table):
            said = repr(row).casefold()
            assert not any(
                trace in said for trace in (gone, "zanzibar", "okafor", "quetzal", "inesok")
            ), (table, row)
    assert store.audited()[0].who == "U2"
    assert store.posted("C1", "1.2").candidate_ids == ()
    store.database.checkpoint()
    assert store.add(INES, page("Zanzibar", "zanzibar.txt"), now=LATER).outcome is Outcome.STORED


def test_erasing_wipes_the_file_too(store_url):
    """Deleted rows are overwritten, and the words of the text index with them."""
    store = Store.open(store_url)
    store.add(BO, page("Bo", "bo.txt"), now=NOW)
    gone = store.add(
        replace(INES, name="Quetzal Zanzibar"), page("quetzal zanzibar"), now=NOW
    ).candidate_id
    path = Path(make_url(store_url).database)
    store.checkpoint()
    assert b"zanzibar" in path.read_bytes().lower()
    store.remove(gone, now=LATER)
    store.checkpoint()
    assert b"zanzibar" not in path.read_bytes().lower()
    store.close()


def test_every_table_that_names_a_person_does_it_by_profile_id():
    """The walk of erasing finds tables by that column."""
    without = {
        name
        for name, table in SQLModel.metadata.tables.items()
        if "profile_id" not in table.columns
    }
    assert without == {
        "meta",
        "profile",
        "subscription",
        "digest_run",
        "digest_part",
        "posted_message",
        "audit",
        "delivery",
        "alarm",
        "intake",
        "refused_file",
        "tombstone",
        "tombstone_key",
        "fact",
        "fact_value",
        "search_change",
        "cleaning",
        "answer",
    }


# -- several at once -----------------------------------------------------------------------------


def test_threads_that_add_one_page_store_it_once(store):
    with ThreadPoolExecutor(8) as pool:
        added = list(pool.map(lambda _: store.add(INES, page(), now=NOW), range(16)))
    assert sorted(each.outcome for each in added) == ["stored"] + ["unchanged"] * 15
    assert len({each.candidate_id for each in added}) == 1
    assert store.count() == 1


ADD = """
import sys
from datetime import UTC, datetime
from storage.records import Document, Profile
from storage.store import Store
store = Store.open(sys.argv[1])
sys.stdin.readline()
for n in range(20):
    document = Document(
        name=f"{n}.txt", text=f"page {n}", added_by="U1", added_via="load", parser="p/1")
    print(store.add(Profile(name=f"Person {n}"), document, now=datetime.now(UTC)).outcome)
store.close()
"""


def test_processes_that_add_the_same_pages_store_each_once(store_url):
    processes = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", ADD, store_url],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    said = [process.communicate(timeout=300)[0].split() for process in processes]
    assert [sorted(at_once) for at_once in zip(*said, strict=True)] == [
        ["stored", "unchanged", "unchanged"]
    ] * 20
    store = Store.open(store_url)
    assert store.count() == 20
    with store.database.read() as session:
        assert session.connection().exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
    store.close()
    with closing(sqlite3.connect(make_url(store_url).database)) as connection:
        connection.execute("INSERT INTO profile_text(profile_text) VALUES ('integrity-check')")


def test_a_candidate_is_a_value(store):
    added = store.add(INES, page(), now=NOW)
    assert isinstance(store.candidate(added.candidate_id), Candidate)
    assert store.candidate(added.candidate_id) == store.candidate(added.candidate_id)


@pytest.mark.parametrize(
    "name",
    ["page.txt", "Page (1).txt", "profile-2.md", "candidate.txt", "CV.pdf.txt",
     "r\u00e9sum\u00e9.txt", "new text document (3).txt", "Copy of Untitled 2",
     "download.txt", "20261130.txt", ""],
)  # fmt: skip
def test_a_name_that_a_program_gives_is_no_sign_of_who_it_is(store, name):
    store.add(BO, page("1", name), now=NOW)
    other = replace(BO, title="Nurse", summary="Works in a hospital.")
    added = store.add(other, page("2", name), now=NOW)
    assert (added.outcome, len(added.twins)) == (Outcome.STORED, 1)


def test_a_file_name_that_several_of_one_name_share_is_no_sign_of_who_it_is(store):
    """Neither for the people of this file, nor for a later file of that name."""
    shared = replace(page("1", "bo li.txt"), name_tells=False)
    store.add(BO, shared, now=NOW)
    nurse = replace(BO, title="Nurse")
    assert store.add(nurse, replace(shared, text="2"), now=NOW).outcome is Outcome.STORED
    assert len(store.add(nurse, page("3", "bo li.txt"), now=NOW).twins) == 2
