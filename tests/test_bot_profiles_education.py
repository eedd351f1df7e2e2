"""Education: doubled phrases, entries glued together, schools after `` at ``."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.profiles.prog_ai.education import education_of

GLUED = (
    "Master, Computer Science, Master, Computer Science at University of Norrland"
    "Bachelor's degree, Computer Science, Bachelor's degree, Computer Science at Kaimana U"
)
ON = (
    "Master's Degree on Systems Institute for Things, "
    "Master's Degree on Systems Institute for Things at Brinn University"
)


def read(line):
    return [(entry.text, entry.school) for entry in education_of(line)]


@pytest.mark.parametrize(
    ("line", "entries"),
    [
        (
            GLUED,
            [
                ("Master, Computer Science", "University of Norrland"),
                ("Bachelor's degree, Computer Science", "Kaimana U"),
            ],
        ),
        (
            ON,
            [("Master's Degree on Systems Institute for Things", "Brinn University")],
        ),
        (
            "BA, Math, BA, Math at University of Texas at Austin",
            [("BA, Math", "University of Texas at Austin")],
        ),
        ("Nights at Sea, Nights at Sea at École 42", [("Nights at Sea", "École 42")]),
        (
            "Diploma, Diploma at École 42Master, AI, Master, AI at ETHPhD, AI, PhD, AI at MIT",
            [("Diploma", "École 42"), ("Master, AI", "ETH"), ("PhD, AI", "MIT")],
        ),
        (
            "Master, CS, Master, CSBachelor, CS, Bachelor, CS at Y",
            [("Master, CS", None), ("Bachelor, CS", "Y")],
        ),
        ("Evening class at Night at Y", [("Evening class at Night", "Y")]),
        (
            "PhD, Physics at MITBachelor's degree, Physics at Lund",
            [("PhD, Physics", "MIT"), ("Bachelor's degree, Physics", "Lund")],
        ),
        ("Tsing Institute", [("Tsing Institute", None)]),
        (
            "BA, BA at University of X, New York, New York",
            [("BA", "University of X, New York, New York")],
        ),
        ("硕士, 计算机, 硕士, 计算机 at 北方大学", [("硕士, 计算机", "北方大学")]),
        ("Master, CS, Master, CS at", [("Master, CS", None)]),
    ],
)
def test_entries_are_undoubled_and_taken_apart(line, entries):
    assert read(line) == entries


DEGREE = st.sampled_from(["Master", "Bachelor's degree", "Diploma of Arts", "PhD", "Nanodegree"])
FIELD = st.text("abcdefgh", min_size=2, max_size=6).map(str.title)
PHRASE = st.tuples(DEGREE, st.lists(FIELD, max_size=2, unique=True)).map(
    lambda parts: ", ".join([parts[0], *parts[1]])
)
SCHOOL = st.lists(FIELD, min_size=1, max_size=3).map(" ".join)


@given(st.lists(st.tuples(PHRASE, SCHOOL), min_size=1, max_size=4))
def test_doubled_entries_of_any_wording_come_apart(entries):
    line = "".join(f"{phrase}, {phrase} at {school}" for phrase, school in entries)
    assert read(line) == entries


@given(st.text(max_size=300))
def test_nothing_of_a_line_is_lost_or_made_up(line):
    line = " ".join(line.split())
    kept = "".join(entry.text + (entry.school or "") for entry in education_of(line))
    assert set(kept) <= set(line)
