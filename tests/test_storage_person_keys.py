"""Keys: a document that shares one is news of the known person; a name alone never is."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from storage.person_keys import keys_of, names_agree
from storage.recognising import Forgotten
from storage.records import Contribution, Document, Job, Link, Outcome, Profile, Skill
from tests.test_storage_people import rows

NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
PAGE = Profile(
    name="Quetzal Adeyemi",
    title="Compiler Engineer",
    company="Norrsken",
    skills=(Skill(name="mlir", score=10),),
    likely_login="quetzalad",
    contributions=(Contribution(repository="quetzalad/zug", from_month="2024-03"),),
)


def document(text, kind="prog-ai", name="quetzal.txt"):
    return Document(
        name=name, text=text, added_by="U1", added_via="slack", parser=f"{kind}/1", name_tells=False
    )


def stating(*urls, name="Quetzal Adeyemi", emails=()):
    return Profile(name=name, links=tuple(Link(url=each) for each in urls), emails=emails)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://github.com/QuetzalAd", "http://www.github.com/quetzalad/"),
        ("https://api.github.com/user/4711", "https://avatars.githubusercontent.com/u/4711?v=4"),
        ("https://www.linkedin.com/in/quetzal-a/", "https://de.linkedin.com/in/Quetzal-A?trk=x"),
        ("https://stackoverflow.com/users/11/quetzal", "https://stackoverflow.com/users/11"),
        ("https://huggingface.co/quetzalad", "huggingface.co/quetzalad"),
    ],
)
@pytest.mark.parametrize("name", ["Quetzal Adeyemi", "quetzalad"])
def test_a_page_of_the_person_identifies_across_kinds(store, one, other, name):
    first = store.add(stating(one), document("1", "json-resume"), now=NOW)
    second = store.add(stating(other, name=name), document("2", "github-user"), now=NOW)
    assert (second.outcome, second.candidate_id) == (Outcome.UPDATED, first.candidate_id)
    assert store.count() == 1


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/apache/tvm",
        "https://github.com/norrsken",
        "https://github.com/orgs",
        "https://github.com",
        "https://stackoverflow.com/questions/1",
        "https://www.linkedin.com/company/norrsken",
        "no address",
    ],
)
def test_a_repository_a_company_and_a_start_page_are_nobody(store, url):
    one = replace(stating(url), company="Norrsken")
    two = Profile(
        name="Bo Li", links=(Link(url=url),), jobs=(Job(employer="Norrsken", title="Engineer"),)
    )
    store.add(one, document("1"), now=NOW)
    assert store.add(two, document("2"), now=NOW).outcome is Outcome.STORED


def test_a_guessed_login_is_no_key(store):
    first = store.add(PAGE, document("1"), now=NOW)
    second = store.add(
        stating("https://github.com/quetzalad"), document("2", "github-user"), now=NOW
    )
    assert (second.outcome, second.twins) == (Outcome.STORED, (first.candidate_id,))


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("Adeyemi, Quetzal", Outcome.UPDATED),
        ("Quetzal M. Adeyemi", Outcome.UPDATED),
        ("Ines Adeyemi", Outcome.STORED),
        ("Q. Adeyemi", Outcome.STORED),
    ],
)
@pytest.mark.parametrize("by", ["email", "site"])
def test_a_mailbox_and_a_site_identify_only_with_an_agreeing_name(store, name, outcome, by):
    def says(name):
        if by == "email":
            return stating(name=name, emails=("Mail@Example.org",))
        return stating("https://adeyemi.example/", name=name)

    first = store.add(says("Quetzal Adeyemi"), document("1", "vcard"), now=NOW)
    second = store.add(says(name), document("2", "csv"), now=NOW)
    assert second.outcome is outcome
    if outcome is Outcome.STORED:
        assert second.twins == (first.candidate_id,)


def test_names_agree_across_scripts():
    assert names_agree("赵成钢", "Chenggang Zhao")
    assert not names_agree("赵成钢", "Chenggang Wang")


def test_who_shares_more_keys_is_meant_and_the_other_is_named_as_a_twin(store):
    one = store.add(stating("https://github.com/one"), document("1"), now=NOW)
    two = store.add(
        stating("https://gitlab.com/two", "https://www.linkedin.com/in/two", name="Q. Ad."),
        document("2"),
        now=NOW,
    )
    told = store.add(
        stating("https://github.com/one", "https://gitlab.com/two", "linkedin.com/in/two"),
        document("3", "csv"),
        now=NOW,
    )
    assert (told.candidate_id, told.twins) == (two.candidate_id, (one.candidate_id,))


def test_the_table_of_keys_names_nobody_and_goes_with_the_person(store):
    added = store.add(
        stating("https://github.com/quetzalad", emails=("q@example.org",)), document("1"), now=NOW
    )
    kept = rows(store, "person_key")
    assert len(kept) == 2
    assert "quetzal" not in str(kept).casefold()
    assert "example" not in str(kept)
    store.remove(added.candidate_id, now=NOW)
    assert rows(store, "person_key") == []


def test_a_document_read_anew_has_the_keys_that_it_states_now(store):
    store.add(stating("https://github.com/wrong"), document("1"), now=NOW)
    better = replace(document("1"), parser="prog-ai/2")
    known = store.add(stating("https://github.com/right"), better, now=NOW)
    assert len(rows(store, "person_key")) == 1
    again = store.add(stating("github.com/right"), document("2", "csv"), now=NOW)
    assert again.candidate_id == known.candidate_id
    other = store.add(stating("github.com/wrong", name="Bo Li"), document("3", "csv"), now=NOW)
    assert other.outcome is Outcome.STORED


def test_who_is_forgotten_stays_out_in_another_kind_of_document(store):
    added = store.add(stating("https://github.com/quetzalad"), document("1"), now=NOW)
    store.forget(added.candidate_id, by="U1", place="D1", now=NOW)
    with pytest.raises(Forgotten):
        store.add(
            stating("https://github.com/quetzalad", name="quetzalad"),
            document("2", "github-user"),
            now=NOW + timedelta(days=1),
        )


def test_keys_are_made_anew_with_the_rest(store):
    store.add(stating("https://github.com/quetzalad"), document("1"), now=NOW)
    before = rows(store, "person_key")
    with store.database.write() as session:
        session.connection().exec_driver_sql("DELETE FROM person_key")
    store.rebuild()
    assert rows(store, "person_key") == before


def test_what_is_no_address_is_no_key():
    assert keys_of(stating("http://[", "//", "mailto:x", "https://github.com/ ")) == ()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"emails": ("q@a.example",)}, {"emails": ("q@b.example",)}, False),
        ({"urls": ("github.com/quetzala",)}, {"urls": ("github.com/quetzalb",)}, False),
        ({"emails": ("q@a.example",)}, {"urls": ("github.com/quetzalb",)}, True),
        ({}, {"emails": ("q@b.example",)}, True),
    ],
)
def test_a_file_s_name_says_nothing_against_another_address(store, one, other, same):
    def told(text):
        return replace(document(text, "pdf", "quetzal-adeyemi.pdf"), name_tells=True)

    def said(urls=(), emails=()):
        return stating(*urls, emails=emails)

    first = store.add(said(**one), told("1"), now=NOW)
    second = store.add(said(**other), told("2"), now=NOW)
    assert (second.candidate_id == first.candidate_id) is same
    assert (first.candidate_id in second.twins) is not same
