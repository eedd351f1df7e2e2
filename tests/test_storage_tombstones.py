"""Who asked not to be stored is not stored again; nobody else is refused; nothing says who."""

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import make_url

from storage.recognising import Forgotten
from storage.records import Contribution, Education, Outcome
from storage.store import Store
from tests.people_fixtures import add, document, profile

NAME = "Quetzal Adeyemi"
WORK = Contribution(repository="Norrsken/Zugvogel", from_month="2024-03")
BARE = {
    "headline": None, "title": None, "company": None, "contributions": (), "education": (),
    "likely_login": None,
}  # fmt: skip


def forget(store, now, **said):
    candidate_id = add(store, now=now, **said)
    receipt = store.forget(candidate_id, by="U1", place="C1", reason="asked", now=now)
    assert receipt is not None
    return candidate_id, receipt


@pytest.mark.parametrize(
    ("what", "text"),
    [
        (BARE, f"{NAME}\nthe page of {NAME}\n"),
        (BARE, f"  {NAME}\r\nthe  page of\r\n{NAME}"),
        (BARE | {"contributions": (WORK,)}, "x"),
        (BARE | {"likely_login": "QuetzalAd"}, "x"),
        (BARE | {"headline": "compiler engineer, at NORRSKEN"}, "x"),
        (BARE | {"education": (Education(text="PhD", school="Lund University"),)}, "x"),
    ],
    ids=["text", "saved again", "contribution", "login", "headline", "school"],
)  # fmt: skip
def test_a_forgotten_person_is_refused_by_whatever_shows_who_it_is(store, now, what, text):
    forget(store, now)
    with pytest.raises(Forgotten) as refused:
        store.add(profile("adeyemi, QUETZAL", **what), document(text, "other.txt"), now=now)
    assert "Quetzal" not in str(refused.value)
    assert "Adeyemi" not in str(refused.value)
    assert store.count() == 0


def test_a_name_alone_is_never_refused(store, now):
    forget(store, now)
    other = replace(
        profile(**BARE), contributions=(Contribution(repository="a/b", from_month="2024-03"),)
    )
    assert store.add(other, document("somebody else"), now=now).candidate_id
    other_name = profile("Bo Quist")
    assert store.add(other_name, document("bo", "bo.txt"), now=now).candidate_id


def test_lifting_needs_the_reference_lets_in_once_more_and_is_kept(store, now):
    _, receipt = forget(store, now)
    assert not store.lift_tombstone("nosuch", by="U1", reason="", now=now)
    later = now + timedelta(days=1)
    assert store.lift_tombstone(receipt.reference, by="U2", reason="she asked", now=later)
    assert not store.lift_tombstone(receipt.reference, by="U2", reason="again", now=later)
    add(store, now=later)
    [kept] = store.tombstones()
    assert (kept.lifted_at, kept.lifted_by, kept.lift_reason) == (later, "U2", "she asked")
    assert store.audited(actions=["let_in"])[0].who == "U2"


def test_no_reason_that_somebody_typed_names_the_person(store, now):
    candidate_id = add(store, now=now)
    first = store.forget(candidate_id, by="U1", place="", reason="Adeyemi wrote to us", now=now)
    store.lift_tombstone(first.reference, by="U1", reason="Quetzal is back", now=now)
    again = add(store, now=now)
    store.forget(again, by="U1", place="", reason="by mail", now=now)
    said = {(each.reason, each.lift_reason) for each in store.tombstones()}
    assert said == {("", ""), ("by mail", None)}


def test_another_workspace_s_tombstones_are_not_ours(store_url, now):
    first = Store.open(store_url)
    forget(first, now)
    second = Store(first.database, workspace="other", new_id=first.new_id)
    assert add(second, now=now)
    first.close()


def test_the_file_beside_the_database_carries_a_tombstone_into_an_older_backup(tmp_path, now):
    """The disk is lost; the backup is older than the wish to be forgotten; the file is not."""
    url = f"sqlite:///{tmp_path / 'a.db'}"
    store = Store.open(url)
    kept = add(store, "Bo Quist", now=now, likely_login="bo", contributions=(), education=())
    gone = add(store, now=now)
    store.checkpoint()
    backup = (tmp_path / "a.db").read_bytes()
    store.forget(gone, by="U1", place="C1", reason="Quetzal asked", now=now)
    store.close()
    for each in tmp_path.glob("a.db*"):
        if each.suffix != ".tombstones":
            each.unlink()
    (tmp_path / "a.db").write_bytes(backup)
    lines = (tmp_path / "a.db.tombstones").read_text()
    assert "uetzal" not in lines
    assert (tmp_path / "a.db.tombstones").stat().st_mode & 0o777 == 0o600
    assert [len(row["keys"]) > 5 for row in map(json.loads, lines.splitlines())] == [True]
    restored = Store.open(url)
    assert restored.count() == 2
    assert restored.apply_tombstones(now) == 1
    assert restored.candidate(gone) is None
    assert restored.candidate(kept) is not None
    assert restored.verify_audit().fault is None
    with pytest.raises(Forgotten):
        add(restored, now=now)
    assert restored.apply_tombstones(now) == 0
    restored.close()


def test_rows_of_tombstones_can_be_carried_over_and_strange_ones_are_passed_over(tmp_path, now):
    store = Store.open(f"sqlite:///{tmp_path / 'a.db'}")
    candidate_id = add(store, now=now)
    store.checkpoint()
    (tmp_path / "b.db").write_bytes((tmp_path / "a.db").read_bytes())
    receipt = store.forget(candidate_id, by="U1", place="", now=now)
    rows = store.tombstones_of()
    store.lift_tombstone(receipt.reference, by="U2", reason="r", now=now)
    lifted = store.tombstones_of()
    store.close()
    older = Store.open(f"sqlite:///{tmp_path / 'b.db'}")
    strange = [{}, {"id": 1}, {"id": "x", "at": "never", "by": "", "keys": []}]
    assert older.merge_tombstones([*strange, *rows]) == 1
    assert older.merge_tombstones(rows) == 0
    assert older.erase_tombstoned(now) == 1
    assert older.merge_tombstones(lifted) == 0
    assert older.tombstones()[0].lifted_by == "U2"
    older.close()


def test_a_namesake_with_the_same_headline_is_refused_later_but_never_erased(store, now):
    """Being refused can be put right, being erased cannot."""
    namesake = add(
        store, now=now, text="another one", file="z.txt", contributions=(), likely_login=None
    )
    gone = add(store, now=now, contributions=(), likely_login="q2")
    store.forget(gone, by="U1", place="", now=now)
    assert store.erase_tombstoned(now) == 0
    assert store.candidate(namesake) is not None
    read = profile(contributions=(), likely_login=None, years_coding=9)
    again = document("another one", "z.txt", parser="test/2")
    assert store.add(read, again, now=now).outcome is Outcome.UPDATED


def test_a_line_that_was_cut_off_by_a_power_cut_is_mended(tmp_path, now):
    store = Store.open(f"sqlite:///{tmp_path / 'a.db'}")
    forget(store, now)
    path = Path(str(make_url(f"sqlite:///{tmp_path / 'a.db'}").database) + ".tombstones")
    path.write_bytes(path.read_bytes()[:-40])
    store.keep_tombstones()
    store.keep_tombstones()
    lines = path.read_text().splitlines()
    assert len(lines) == 2
    assert json.loads(lines[1])["keys"]
    store.close()
