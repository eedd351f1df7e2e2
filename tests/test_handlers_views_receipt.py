"""What receipts say, and that they stay inside Slack's limits whatever they tell of."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adding import FileOutcome, Receipt
from bot.loading import PersonReport
from handlers.sandbox.blocks import check_message_blocks
from handlers.views.add_form import form
from handlers.views.card import Setting
from handlers.views.message import MESSAGE_BLOCKS, MESSAGE_CHARACTERS, block_characters
from handlers.views.receipt import reading, receipt, undone
from storage.intakes import Intake
from storage.records import Candidate, Job, Outcome, Profile, Remark, Severity, Skill
from storage.undoing import Named, Undone

NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
SETTING = Setting(now=NOW, zone=ZoneInfo("Europe/Berlin"))
INTAKE = Intake(id="a" * 32, at=NOW, by="U0MIRA", channel="D1", task={})


def candidate(id_: str, name: str, **more) -> Candidate:
    return Candidate(
        id=id_,
        profile=Profile(name=name, **more),
        added_at=NOW,
        added_by="U0MIRA",
        added_via="slack",
        updated_at=NOW,
    )


def told(*files: FileOutcome, people: tuple[Candidate, ...] = ()) -> str:
    return shown(*files, people=people).plain


def shown(*files: FileOutcome, people: tuple[Candidate, ...] = ()):
    value = Receipt(
        intake_id=INTAKE.id,
        by="U0MIRA",
        at=NOW,
        files=files,
        candidates={each.id: each for each in people},
    )
    return receipt(value, SETTING)


def test_a_new_person_is_told_with_what_the_page_lists_and_what_to_check():
    check = Remark(code="x", text="y", severity=Severity.CHECK)
    ines = candidate("i1", "Ines Adeyemi", skills=(Skill(name="llvm"),) * 12, remarks=(check,))
    report = PersonReport(id="i1", name="Ines Adeyemi", outcome=Outcome.STORED, twins=("z",))
    said = told(FileOutcome(name="dec.txt", people=(report,)), people=(ines,))
    assert "new · 12 skills · 1 person of this name here already" in said
    assert "Check: y" in said
    assert "1 person of this name here already" in said
    assert "Added by @U0MIRA, Tue 1 Dec 10:30" in said


def test_what_a_new_person_has_none_of_is_not_counted():
    ines = candidate("i1", "Ines Adeyemi", jobs=(Job(employer="Norrsken Labs"),))
    bare = candidate("b1", "Bo Lind")
    reports = tuple(
        PersonReport(id=each.id, name=each.profile.name, outcome=Outcome.STORED)
        for each in (ines, bare)
    )
    said = told(FileOutcome(name="people.csv", people=reports), people=(ines, bare))
    assert "new · 1 job\n" in said
    assert "new · no jobs or skills on it" in said
    assert "0 " not in said.replace("10:30", "")


def test_somebody_removed_before_the_receipt_is_told_as_such():
    report = PersonReport(id="i1", name="Ines Adeyemi", outcome=Outcome.STORED)
    assert "no longer stored" in told(FileOutcome(name="dec.txt", people=(report,)))


def test_refused_parts_of_a_page_are_named_with_their_reason():
    report = PersonReport(id=None, name="?", outcome=Outcome.REFUSED, reason="No name on it.")
    file = FileOutcome(name="dec.txt", people=(report,), reason="No name on it.", ref="7KQ2MX")
    said = told(file)
    assert "Not added: ?. No name on it." in said
    assert "Kept 30 days · ref 7KQ2MX" in said


def test_a_refused_file_does_not_speak_for_the_others():
    report = PersonReport(id="i1", name="Ines Adeyemi", outcome=Outcome.STORED)
    empty = FileOutcome(name="e.txt", reason="The file is empty. Nothing was stored.")
    assert "The file is empty. Nothing was stored." in told(empty)
    said = told(FileOutcome(name="dec.txt", people=(report,)), empty)
    assert "The file is empty. Nothing of this file was stored." in said


@pytest.mark.parametrize(
    ("names", "files", "said"),
    [
        (["a.txt"], 1, "Reading a.txt …"),
        (["a.txt", "b.txt"], 2, "Reading a.txt, b.txt …"),
        ([""], 1, "Reading 1 file …"),
        (["a"] * 9, 9, "Reading 9 files …"),
    ],
)
def test_the_sign_of_work(names: list[str], files: int, said: str):
    assert reading(names, files).plain == said


def test_undo_tells_what_it_did_without_naming_who_is_gone():
    ada, bo = candidate("a", "Ada Oz"), candidate("b", "Bo Oz")
    value = Undone(intake=INTAKE, removed=2, restored=("a",), left=("b",))
    named = [Named(channel="C9", ts="1.1", kind="digest"), Named(channel="C8", ts="2", kind="card")]
    said = undone(value, [ada, bo], named).plain
    assert "2 people no longer stored." in said
    assert "Ada Oz is as before." in said
    assert "Left as they are" in said
    assert "Bo Oz" in said
    assert "A digest in #C9 has named them already and still stands." in said
    assert "A message in #C8" in said


def test_undo_pressed_again_and_undo_of_nothing():
    assert "undone before" in undone(Undone(intake=INTAKE, again=True), [], []).plain
    assert "nothing left" in undone(Undone(intake=INTAKE), [], []).plain


def test_the_form_is_one_that_slack_takes():
    assert len(form("C1")["title"]["text"]) <= 24


TEXT = st.text(max_size=200)
REPORT = st.builds(
    PersonReport,
    id=st.sampled_from(["a", "b", None]),
    name=TEXT,
    outcome=st.sampled_from(list(Outcome)),
    changes=st.lists(TEXT, max_size=5).map(tuple),
    twins=st.lists(st.just("t"), max_size=3).map(tuple),
    reason=TEXT,
    limited=st.booleans(),
)
FILE = st.builds(
    FileOutcome,
    name=TEXT,
    people=st.lists(REPORT, max_size=30).map(tuple),
    reason=st.none() | TEXT,
    ref=st.none() | st.just("7KQ2MX"),
)


@given(files=st.lists(FILE, min_size=1, max_size=21), name=TEXT)
def test_whatever_it_tells_it_stays_inside_slacks_limits(files: list[FileOutcome], name: str):
    people = (candidate("a", name, title=name, company=name), candidate("b", name))
    message = shown(*files, people=people)
    assert len(message.blocks) <= MESSAGE_BLOCKS
    assert sum(map(block_characters, message.blocks)) <= MESSAGE_CHARACTERS
    assert len(message.text) <= 4_000
    check_message_blocks(list(message.blocks), new_id=lambda prefix: prefix)
    for mark in ("<!channel>", "<!here>"):
        assert mark not in str(message.blocks)
