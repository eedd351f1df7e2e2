"""Intakes: people added from one message, counted, carried on, and taken back."""

import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from storage.intakes import LEASE, DailyLimit, NoSuchIntake
from storage.records import Contribution, Document, Outcome, Profile, Skill
from storage.store import Store
from storage.undoing import NotYours

NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)
MIRA, JONAS = "U0MIRA", "U0JONAS"
CAP = 300
WORK = (Contribution(repository="colour/palette", from_month="2022-03"),)
INES = Profile(
    name="Ines Adeyemi", title="Engineer", skills=(Skill(name="llvm"),), contributions=WORK
)
PROMOTED = replace(INES, title="Staff Engineer", skills=(Skill(name="llvm"), Skill(name="mlir")))


def page(text: str, *, by: str = MIRA, name: str = "message", parser: str = "p/1") -> Document:
    return Document(name=name, text=text, added_by=by, added_via="slack", parser=parser)


def begin(store: Store, intake_id: str, *, by: str = MIRA, now: datetime = NOW) -> str:
    store.begin_intake(intake_id, by=by, channel="D1", task={"ts": "1.1"}, now=now)
    return intake_id


def add(
    store: Store,
    intake_id: str,
    profile: Profile,
    text: str,
    *,
    now: datetime = NOW,
    cap: int = CAP,
):
    by = store.intake(intake_id).by
    return store.add_to_intake(intake_id, profile, page(text, by=by), daily_cap=cap, now=now)


def names(store: Store, query: str = "") -> list[str]:
    found = store.search(query, limit=50, now=LATER).hits
    return sorted(hit.candidate.profile.name for hit in found)


def undo(store: Store, intake_id: str, *, by: str = MIRA, admin: bool = False):
    return store.undo_intake(intake_id, by=by, admin=admin, now=LATER)


# -- adding


def test_whom_an_intake_stored_it_tells_the_same_when_it_is_carried_on(store: Store):
    begin(store, "a")
    first = add(store, "a", INES, "one")
    again = add(store, "a", INES, "one")
    assert (first.outcome, again.outcome) == (Outcome.STORED, Outcome.STORED)
    assert again.candidate_id == first.candidate_id
    assert (store.count(), store.intake("a").people) == (1, 1)


def test_an_update_is_told_with_its_changes_when_it_is_carried_on(store: Store):
    add(store, begin(store, "a"), INES, "one")
    begin(store, "b")
    first = add(store, "b", PROMOTED, "two")
    assert first.outcome is Outcome.UPDATED
    assert add(store, "b", PROMOTED, "two") == first


def test_another_message_finds_the_same_page_unchanged(store: Store):
    add(store, begin(store, "a"), INES, "one")
    assert add(store, begin(store, "b"), INES, "one").outcome is Outcome.UNCHANGED
    assert store.intake("b").people == 0


def test_the_audit_says_who_added_whom(store: Store):
    added = add(store, begin(store, "a"), INES, "one")
    entry = store.audited(candidate_id=added.candidate_id)[0]
    assert (entry.who, entry.action, entry.place) == (MIRA, "add", "D1")


def test_written_down_twice_is_one_intake(store: Store):
    begin(store, "a")
    store.note_receipt("a", "1.2")
    kept = store.begin_intake("a", by=JONAS, channel="D2", task={}, now=LATER)
    assert (kept.by, kept.channel, kept.receipt_ts) == (MIRA, "D1", "1.2")


# -- the cap


def test_the_cap_is_over_all_messages_of_a_person_within_a_day(store: Store):
    for number in range(3):
        add(store, begin(store, f"a{number}"), Profile(name=f"Person {number}"), f"{number}", cap=3)
    begin(store, "b", now=LATER)
    with pytest.raises(DailyLimit, match="3 people within a day"):
        add(store, "b", INES, "one", cap=3)
    assert (store.count(), store.intake("b").people) == (3, 0)
    assert store.audited(actions=["add"], limit=10)[0].candidate_ids != ()
    assert len(store.audited(actions=["add"])) == 3


def test_the_cap_stops_nobody_else_and_ends_after_a_day(store: Store):
    add(store, begin(store, "a"), Profile(name="Somebody Else"), "x", cap=1)
    assert add(store, begin(store, "b", by=JONAS), INES, "one", cap=1).outcome is Outcome.STORED
    tomorrow = NOW + timedelta(days=1, seconds=1)
    begin(store, "c", now=tomorrow)
    added = add(store, "c", Profile(name="Third Person"), "y", now=tomorrow, cap=1)
    assert added.outcome is Outcome.STORED


def test_what_is_known_already_passes_when_the_cap_is_reached(store: Store):
    add(store, begin(store, "a"), INES, "one", cap=1)
    assert add(store, begin(store, "b"), INES, "one", cap=1).outcome is Outcome.UNCHANGED


def test_what_was_undone_does_not_count(store: Store):
    add(store, begin(store, "a"), Profile(name="Wrong Person"), "x", cap=1)
    undo(store, "a")
    assert add(store, begin(store, "b"), INES, "one", cap=1).outcome is Outcome.STORED


# -- carried on


def test_what_is_unfinished_and_silent_is_taken_up_once(store: Store):
    begin(store, "a")
    assert store.take_up_intakes(now=NOW + LEASE / 2) == []
    silent = NOW + LEASE
    assert [each.id for each in store.take_up_intakes(now=silent)] == ["a"]
    assert store.take_up_intakes(now=silent) == []


def test_what_is_held_or_finished_is_not_taken_up(store: Store):
    begin(store, "a"), begin(store, "b")
    store.hold_intake("a", now=NOW + LEASE)
    store.finish_intake("b", now=NOW)
    assert store.take_up_intakes(now=NOW + LEASE) == []


def test_each_beginning_of_the_work_is_counted(store: Store):
    begin(store, "a")
    assert [store.attempt_intake("a", now=NOW).attempts for _ in range(3)] == [1, 2, 3]
    assert store.attempt_intake("none", now=NOW) is None


def test_an_intake_that_was_none_is_forgotten_but_never_one_with_people(store: Store):
    begin(store, "a")
    add(store, begin(store, "b"), INES, "one")
    store.drop_intake("a"), store.drop_intake("b")
    assert store.intake("a") is None
    assert store.intake("b") is not None


# -- undo


def test_who_was_only_in_this_message_is_gone_and_can_come_again(store: Store):
    added = add(store, begin(store, "a"), INES, "one")
    done = undo(store, "a")
    assert (done.removed, done.restored, done.left, done.again) == (1, (), (), False)
    assert (store.candidate(added.candidate_id), names(store), names(store, "ines")) == (
        None,
        [],
        [],
    )
    assert add(store, begin(store, "b"), INES, "one").outcome is Outcome.STORED


def test_the_audit_keeps_that_somebody_undid_and_its_chain_is_whole(store: Store):
    added = add(store, begin(store, "a"), INES, "one")
    store.audit(
        who=MIRA, action="ask", place="D1", text="ines", candidate_ids=[added.candidate_id], now=NOW
    )
    undo(store, "a")
    assert store.audited(actions=["undo"])[0].who == MIRA
    assert [each.text for each in store.audited()] == ["", "", ""]
    assert store.verify_audit().fault is None


def test_who_was_updated_is_what_the_page_before_says(store: Store):
    first = add(store, begin(store, "a"), INES, "one")
    add(store, begin(store, "b"), PROMOTED, "two")
    assert names(store, "skill:mlir") == ["Ines Adeyemi"]
    done = undo(store, "b")
    assert (done.removed, done.restored, done.left) == (0, (first.candidate_id,), ())
    person = store.candidate(first.candidate_id)
    assert person.profile == INES
    assert len(person.sources) == 1
    assert names(store, "skill:mlir") == []
    assert names(store, "skill:llvm") == ["Ines Adeyemi"]
    newest = store.history(first.candidate_id)[0]
    assert newest.by == MIRA
    assert newest.changes[0].startswith("undone: as on the page before")
    assert any("Staff Engineer → Engineer" in each for each in newest.changes)


def test_a_page_that_was_taken_back_can_be_added_again(store: Store):
    add(store, begin(store, "a"), INES, "one")
    add(store, begin(store, "b"), PROMOTED, "two")
    undo(store, "b")
    assert add(store, begin(store, "c"), PROMOTED, "two").outcome is Outcome.UPDATED


def test_who_got_a_later_page_is_left_and_named(store: Store):
    first = add(store, begin(store, "a"), INES, "one")
    add(store, begin(store, "b", by=JONAS), PROMOTED, "two")
    done = undo(store, "a")
    assert (done.removed, done.left) == (0, (first.candidate_id,))
    assert store.candidate(first.candidate_id).profile == PROMOTED


def test_two_pages_of_one_person_in_one_message_go_together(store: Store):
    begin(store, "a")
    add(store, "a", INES, "one")
    add(store, "a", PROMOTED, "two")
    assert undo(store, "a").removed == 1
    assert store.count() == 0


def test_a_page_read_anew_by_a_newer_program_is_not_taken_away(store: Store):
    store.add(INES, page("one"), now=NOW)
    begin(store, "a")
    newer = store.add_to_intake("a", PROMOTED, page("one", parser="p/2"), daily_cap=CAP, now=NOW)
    assert newer.outcome is Outcome.UPDATED
    done = undo(store, "a")
    assert (done.removed, done.restored, done.left) == (0, (), ())
    assert store.count() == 1


def test_pressing_twice_does_it_once(store: Store):
    add(store, begin(store, "a"), INES, "one")
    undo(store, "a")
    add(store, begin(store, "b"), INES, "one")
    assert undo(store, "a").again
    assert store.count() == 1
    assert len(store.audited(actions=["undo"])) == 1


def test_only_the_adder_or_an_admin_may(store: Store):
    add(store, begin(store, "a"), INES, "one")
    with pytest.raises(NotYours):
        undo(store, "a", by=JONAS)
    assert store.count() == 1
    assert undo(store, "a", by=JONAS, admin=True).removed == 1


def test_an_intake_that_nobody_knows_cannot_be_undone(store: Store):
    with pytest.raises(NoSuchIntake):
        undo(store, "none")


def test_after_undo_nothing_more_is_added_to_it(store: Store):
    add(store, begin(store, "a"), INES, "one")
    undo(store, "a")
    with pytest.raises(NoSuchIntake):
        add(store, "a", INES, "one")
    assert store.count() == 0


def test_messages_that_named_a_removed_person_are_told(store: Store):
    added = add(store, begin(store, "a"), INES, "one")
    store.note_receipt("a", "5.5")
    for channel, ts, kind in (("C1", "7.7", "card"), ("D1", "5.5", "receipt")):
        store.record_posted(
            channel=channel, ts=ts, kind=kind, by=MIRA, candidate_ids=[added.candidate_id], now=NOW
        )
    (named,) = undo(store, "a").named_in
    assert (named.channel, named.ts, named.kind) == ("C1", "7.7", "card")


def test_a_digest_that_named_them_meanwhile_is_told(store: Store):
    subscription, _ = store.save_subscription(
        channel="C9",
        weekdays=(1,),
        hour=9,
        minute=0,
        timezone="UTC",
        query="",
        since=NOW - timedelta(days=7),
        created_by=MIRA,
        now=NOW,
    )
    added = add(store, begin(store, "a"), INES, "one")
    run, _ = store.request_digest(subscription.number, now=NOW)
    lease = timedelta(minutes=3)
    claimed = store.claim_digest(now=NOW, lease=lease)
    assert claimed.id == run.id
    frozen = store.freeze_digest(claimed, payload="{}", parts=[[added.candidate_id]])
    assert store.digest_part_posted(
        frozen, 0, channel="C9", ts="8.8", by=MIRA, now=NOW, lease=lease
    )
    (named,) = undo(store, "a").named_in
    assert (named.channel, named.ts, named.kind) == ("C9", "8.8", "digest")


KILLED = """
import os, signal, sys
from datetime import UTC, datetime
from itertools import count
from sqlalchemy import event
from storage.store import Store

url, intake_ids = sys.argv[1], sys.argv[2:]
for last, intake_id in enumerate(intake_ids):
    pid = os.fork()
    if pid == 0:
        store = Store.open(url)
        statements = count(0)

        def at_statement(*_):
            if next(statements) == last * 3:
                os.kill(os.getpid(), signal.SIGKILL)

        event.listen(store.database._writing, "before_cursor_execute", at_statement)
        store.undo_intake(intake_id, by="U0MIRA", admin=False, now=datetime.now(UTC))
        os._exit(0)
    assert os.WIFSIGNALED(os.waitpid(pid, 0)[1]), last
"""


def test_a_kill_at_any_step_of_undo_leaves_all_of_it_or_nothing(store: Store, store_url: str):
    intakes = [f"i{number}" for number in range(15)]
    for number, intake_id in enumerate(intakes):
        begin(store, intake_id)
        for each in ("Ada", "Bo"):
            add(store, intake_id, Profile(name=f"{each} {number}"), f"{each} {number}")
    ran = subprocess.run(
        [sys.executable, "-c", KILLED, store_url, *intakes],
        cwd=Path(__file__).parent.parent,
        check=False,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    assert store.count() == 30
    assert all(store.intake(each).undone_at is None for each in intakes)
    assert [undo(store, each).removed for each in intakes] == [2] * 15
    assert store.count() == 0
    assert store.verify_audit().fault is None
