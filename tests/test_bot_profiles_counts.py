"""The line of counts under a contribution, and lines that only look like one."""

import pytest

from bot.profiles.prog_ai.counts import Counts, counts_of, cut_counts_of


def test_what_the_page_counts_is_read_by_its_names():
    counts = counts_of(
        "ML EngineerContributions:1 review, 1,043 commits, 2.1k PRs, 3 pushes, 1 branch in 7 months"
    )
    assert counts == Counts(
        role="ML Engineer",
        reviews=1,
        commits=1_043,
        pull_requests=2_100,
        pushes=3,
        branches=1,
        span="7 months",
    )


@pytest.mark.parametrize(
    ("label", "kept"),
    [
        ("1 release", "releases"),
        ("2 releases", "releases"),
        ("1 discovery", "discoveries"),
        ("1 essay", "essays"),
        ("1 patch", "patches"),
        ("1 fix", "fixes"),
    ],
)
def test_other_counts_have_one_key_for_one_and_for_many(label: str, kept: str):
    counts = counts_of(f"Contributions:4 commits, {label}")
    assert counts is not None
    assert list(counts.other) == [kept]


def test_a_role_that_stands_there_twice_is_one():
    counts = counts_of("Back-end DeveloperBack-end DeveloperContributions:1 commit")
    assert counts is not None
    assert counts.role == "Back-end Developer"


@pytest.mark.parametrize(
    "text",
    [
        "Contributions:9999999999999999 commits",
        "Contributions:3 words that are a whole sentence of prose",
        "Contributions: none so far",
        "Her Contributions:1 commit",
        "Contributed 4 commits in 2 days",
        "x" * 5_000 + "Contributions:1 commit",
    ],
)
def test_what_is_something_else_is_no_count(text: str):
    assert counts_of(text) is None


def test_a_label_that_is_only_begun_is_not_kept():
    counts = cut_counts_of("Contributions:37 commits, 32 pus")
    assert (counts.commits, dict(counts.other)) == (37, {})
