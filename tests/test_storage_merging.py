"""Merging by hand: nothing is lost, both ids work, and it is taken back whatever lies on top."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from storage.forgetting import Files
from storage.merging import NotMergeable
from storage.recognising import Forgotten
from storage.records import (
    Contribution,
    Document,
    Outcome,
    Profile,
    Skill,
    StandingKind,
)
from tests.test_storage_people import rows

NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
DAY = timedelta(days=1)
NAMES = ("Quetzal Adeyemi", "Q. Adeyemi", "Kvetzal Adeiemi", "Bo Li")


def page(number, **said):
    said = {
        "title": f"Engineer {number}",
        "skills": (Skill(name=f"skill{number}", score=9),),
        "contributions": (Contribution(repository=f"norrsken/{number}", from_month="2024-03"),),
        **said,
    }
    return Profile(name=NAMES[number], **said)


def document(number, of="", kind="prog-ai"):
    text = f"the page of {NAMES[number]} {of}"
    return Document(
        name=f"{number}.txt", text=text, added_by="U1", added_via="slack", parser=f"{kind}/1",
        name_tells=False,
    )  # fmt: skip


@pytest.fixture
def people(store):
    return [
        store.add(page(number), document(number), now=NOW + number * DAY).candidate_id
        for number in range(4)
    ]


def record(store, id_):
    """All that a person is, but for when that last changed."""
    candidate = replace(store.candidate(id_), updated_at=NOW)
    return candidate, id_ in found(store, "has:title"), store.posted_about(id_)


def post(store, channel, id_):
    store.record_posted(
        channel=channel, ts="1.1", kind="card", by="U1", candidate_ids=[id_], now=NOW
    )


def found(store, query):
    return [each.candidate.id for each in store.search(query, now=NOW).hits]


def everything(store):
    return {
        table: sorted(map(str, rows(store, table)))
        for table in ("source", "source_key", "person_key", "standing", "in_touch", "notice",
                      "retention", "digest_item", "posted_person", "intake_item")
    }  # fmt: skip


def test_a_merge_keeps_both_and_both_ids_work(store, people):
    one, two, *_ = people
    done = store.merge(two, one, by="U2", place="D1", reason="same phone", now=NOW + 9 * DAY)
    assert (done.kept, done.merged, done.name) == (one, two, "Q. Adeyemi")
    whole = store.candidate(two)
    assert whole == store.candidate(one)
    assert (whole.id, whole.added_at, len(whole.sources)) == (one, NOW, 2)
    assert {each.name for each in whole.profile.skills} == {"skill0", "skill1"}
    assert store.count() == 3
    assert found(store, "skill:skill1") == [one]
    history = store.history(two)
    assert history[0].changes[0] == f"merged with Q. Adeyemi ({two}): same phone"
    assert [entry.changes for entry in history[1:]] == [("added",), ("added",)]
    assert store.source_text(one, whole.sources[1].id) == "the page of Q. Adeyemi "
    (entry,) = store.audited(actions=("merge",))
    assert (entry.who, entry.place, set(entry.candidate_ids)) == ("U2", "D1", {one, two})
    assert store.verify().faults == ()


def test_what_is_merged_already_or_gone_is_not_merged(store, people):
    one, two, three, _ = people
    store.merge(one, two, by="U2", now=NOW)
    with pytest.raises(NotMergeable, match="one person already"):
        store.merge(two, one, by="U2", now=NOW)
    store.remove(three, now=NOW)
    with pytest.raises(NotMergeable, match="no longer stored"):
        store.merge(two, three, by="U2", now=NOW)


def test_a_merge_is_taken_back_without_loss(store, people):
    one, two, *_ = people
    store.set_standing(two, StandingKind.DO_NOT_CONTACT, by="U3", reason="said so", now=NOW)
    store.take_up(one, who="U4", now=NOW)
    store.take_up(two, who="U4", now=NOW + DAY)
    before, tables = [record(store, each) for each in people], everything(store)
    store.merge(one, two, by="U2", now=NOW + 9 * DAY)
    whole = store.candidate(one)
    assert [each.kind for each in whole.standings] == [StandingKind.DO_NOT_CONTACT]
    assert [each.until for each in whole.in_touch] == [NOW + 31 * DAY]
    done = store.unmerge(two, by="U2", now=NOW + 10 * DAY)
    assert (done.kept, done.merged) == (one, two)
    assert [record(store, each) for each in people] == before
    assert everything(store) == tables
    assert rows(store, "member") == rows(store, "profile_alias") == []
    assert store.unmerge(two, by="U2", now=NOW) is None
    assert store.verify().faults == ()


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0), (1, 0, 2)])
def test_however_many_lie_on_top(store, people, order):
    """B into A, D into C, then C's into A's: taken apart in any order."""
    a, b, c, d = people
    store.set_standing(d, StandingKind.OBJECTED, by="U3", now=NOW)
    before, tables = [record(store, each) for each in people], everything(store)
    store.merge(a, b, by="U2", now=NOW + 9 * DAY)
    store.merge(c, d, by="U2", now=NOW + 10 * DAY)
    store.merge(b, d, by="U2", now=NOW + 11 * DAY)
    assert {store.candidate(each).id for each in people} == {a}
    assert [each.merged for each in store.merges(d)] == [c, d, b]
    for number in order:
        store.unmerge((b, c, d)[number], by="U2", now=NOW + 12 * DAY)
        assert store.verify().faults == ()
    assert [record(store, each) for each in people] == before
    assert everything(store) == tables


def test_taking_one_out_takes_along_what_was_merged_into_it(store, people):
    a, b, c, d = people
    store.merge(c, d, by="U2", now=NOW)
    store.merge(a, c, by="U2", now=NOW)
    store.merge(a, b, by="U2", now=NOW)
    store.unmerge(c, by="U2", now=NOW)
    assert [store.candidate(each).id for each in people] == [a, a, c, c]


def test_what_was_noted_of_the_whole_holds_for_both_afterwards(store, people):
    one, two, *_ = people
    store.set_standing(one, StandingKind.DO_NOT_CONTACT, by="U3", now=NOW)
    store.merge(one, two, by="U2", now=NOW)
    store.lift_standing(two, StandingKind.DO_NOT_CONTACT)
    store.set_standing(two, StandingKind.RESTRICTED, by="U3", now=NOW + DAY)
    store.unmerge(two, by="U2", now=NOW + 2 * DAY)
    for each in (one, two):
        kinds = [standing.kind for standing in store.candidate(each).standings]
        assert kinds == [StandingKind.RESTRICTED]


def test_documents_that_came_meanwhile_stay_with_their_record(store, people):
    one, two, *_ = people
    store.merge(one, two, by="U2", now=NOW)
    newer = store.add(page(1, title="Lead"), document(1, "newer"), now=NOW + 9 * DAY)
    assert (newer.outcome, newer.candidate_id) == (Outcome.UPDATED, one)
    assert store.candidate(one).profile.title == "Lead"
    assert store.candidate(one).profile.skills[-1].name == "skill0"
    store.unmerge(two, by="U2", now=NOW + 10 * DAY)
    assert store.candidate(one).profile == page(0)
    assert store.candidate(two).profile == page(1, title="Lead")
    assert "title: Engineer 1 → Lead" in store.history(two)[1].changes


def test_a_standing_of_either_holds_and_takes_the_others_messages_down(store, people):
    one, two, *_ = people
    post(store, "C1", one)
    post(store, "C2", two)
    store.set_standing(two, StandingKind.RESTRICTED, by="U3", now=NOW)
    store.merge(one, two, by="U2", now=NOW + DAY, list_id="list")
    assert {each.place for each in store.cleanings("list")} == {"C1", "C2"}
    assert len(found(store, "has:title")) == 2


def test_forgetting_forgets_all_of_it(store, people):
    one, two, three, _ = people
    post(store, "C2", two)
    store.merge(one, two, by="U2", reason="same phone", now=NOW)
    store.not_the_same(two, three, by="U2", now=NOW)
    receipt = store.forget(two, by="U3", place="D1", files=Files(), now=NOW + DAY)
    assert receipt.counts["documents"] == 2
    assert "C2" in {each.place for each in receipt.cleanings}
    assert store.candidate(one) is store.candidate(two) is None
    for table in ("member", "profile_alias", "twin_ruling"):
        assert rows(store, table) == []
    assert {row[0] for row in rows(store, "source")} == set(people[2:])
    for number in (0, 1):
        with pytest.raises(Forgotten):
            store.add(page(number), document(number), now=NOW + DAY)
    assert store.verify().faults == ()


def test_a_digest_that_told_of_either_told_of_the_person(store, people):
    one, two, *_ = people
    subscription, _ = store.save_subscription(
        channel="C1", weekdays=(1,), hour=9, minute=0, timezone="UTC", created_by="U1",
        since=NOW - DAY, now=NOW - DAY,
    )  # fmt: skip
    with store.database.write() as session:
        session.connection().exec_driver_sql(
            "INSERT INTO digest_item (workspace, subscription, profile_id, run_id, part)"
            f" VALUES ('main', {subscription.number}, '{two}', 'r', 0)"
        )
    store.merge(one, two, by="U2", now=NOW)
    assert one not in store.untold(subscription)
    store.unmerge(two, by="U2", now=NOW)
    assert one in store.untold(subscription)
    assert two not in store.untold(subscription)


def test_the_same_pair_pressed_twice_at_once_is_merged_once(store, people):
    one, two, *_ = people

    def press(_):
        try:
            return store.merge(one, two, by="U2", now=NOW)
        except NotMergeable:
            return None

    with ThreadPoolExecutor(4) as pool:
        done = [each for each in pool.map(press, range(4)) if each]
    assert len(done) == 1
    assert store.verify().faults == ()


def test_an_upload_that_was_merged_since_is_left_by_undo(store, people):
    store.begin_intake("i", by="U1", channel="D1", task={}, now=NOW)
    new = replace(page(3), name="Ada New", contributions=())
    added = store.add_to_intake("i", new, document(3, "new"), daily_cap=9, now=NOW + DAY)
    store.merge(people[0], added.candidate_id, by="U2", now=NOW + DAY)
    done = store.undo_intake("i", by="U1", admin=False, now=NOW + DAY)
    assert done.left == (people[0],)
    store.unmerge(added.candidate_id, by="U2", now=NOW + DAY)
    assert store.candidate(added.candidate_id).profile == new
