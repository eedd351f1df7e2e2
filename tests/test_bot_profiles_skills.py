"""Skill rows: name and score glued together, in a list that never rises."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.profiles.prog_ai.skills import skills_of, split_score


@pytest.mark.parametrize(
    ("token", "name", "score"),
    [
        ("cuda10", "cuda", 10),
        ("onnx9", "onnx", 9),
        ("p89", "p8", 9),
        ("python310", "python3", 10),
        ("h26410", "h264", 10),
        ("s310", "s3", 10),
        ("c10", "c", 10),
        ("c++8", "c++", 8),
        ("c#10", "c#", 10),
        ("node.js7", "node.js", 7),
        ("utf89", "utf8", 9),
        ("web110", "web1", 10),
        ("foo100", "foo10", 0),
        ("visual studio code9", "visual studio code", 9),
        ("c 10", "c", 10),
        ("docker", "docker", None),
        ("10", "10", None),
        ("9", "9", None),
        ("cuda９", "cuda９", None),
    ],
)
def test_the_score_is_a_ten_or_the_last_digit(token, name, score):
    assert split_score(token) == (name, score)


def read(*rows):
    return [(skill.name, skill.score) for skill in skills_of(rows)]


def test_a_token_that_would_rise_is_kept_raw_and_does_not_move_the_ceiling():
    assert read("a10", "b8", "c10", "d9", "e8", "f7") == [
        ("a", 10),
        ("b", 8),
        ("c10", None),
        ("d9", None),
        ("e", 8),
        ("f", 7),
    ]


def test_several_tokens_in_a_row_are_several_skills():
    assert read("cuda10 gpu10, onnx9") == [("cuda", 10), ("gpu", 10), ("onnx", 9)]


def test_a_one_where_the_document_is_cut_off_may_have_been_a_ten():
    assert [each.score for each in skills_of(["cuda10", "compiler1"], cut=True)] == [10, None]
    assert [each.score for each in skills_of(["cuda10", "compiler1"])] == [10, 1]


@given(
    st.lists(
        st.tuples(
            st.text("abz019+#.-", min_size=1, max_size=8).map("x".__add__), st.integers(0, 10)
        ),
        max_size=30,
    )
)
def test_a_sorted_list_is_read_back_as_it_was_written(pairs):
    """True of every name: ``x1`` with 0 is the one spelling that cannot be told from a ten."""
    pairs = sorted(pairs, key=lambda pair: -pair[1])
    pairs = [(name, score) for name, score in pairs if not (name.endswith("1") and score == 0)]
    assert read(*(f"{name}{score}" for name, score in pairs)) == pairs


@given(st.lists(st.text(max_size=12), max_size=20))
def test_scores_never_rise_and_no_row_is_lost(rows):
    rows = [row for row in rows if row.strip() and len(row.split()) == 1 and "," not in row]
    skills = skills_of(rows)
    scores = [skill.score for skill in skills if skill.score is not None]
    assert len(skills) == len(rows)
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 10 for score in scores)
