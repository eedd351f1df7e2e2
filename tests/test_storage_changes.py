"""What changed between two versions of a page, in sentences for a recruiter."""

from dataclasses import replace

import pytest

from storage.changes import describe_changes
from storage.records import (
    Contribution,
    Declared,
    Education,
    Location,
    Profile,
    Skill,
    StackOverflow,
)

TVM = Contribution(repository="apache/tvm", from_month="2021-03", to_month="2021-03", commits=1)
ADA = Profile(name="Ada Vale", headline="Engineer at Example", title="Engineer", company="Example")


def skills(*pairs):
    return tuple(Skill(name=name, score=score) for name, score in pairs)


@pytest.mark.parametrize(
    ("old", "new", "sentences"),
    [
        ({}, {}, []),
        (
            {},
            {"title": "Staff Engineer", "headline": "Staff Engineer at Example"},
            ["title: Engineer → Staff Engineer"],
        ),
        ({}, {"company": None}, ["company: Example → not stated"]),
        ({}, {"name": "Ada Vale-Okoro"}, ["name: Ada Vale → Ada Vale-Okoro"]),
        (
            {},
            {"headline": "Engineer @ Example"},
            ["headline: Engineer at Example → Engineer @ Example"],
        ),
        (
            {"location": Location(text="Lagos, Nigeria")},
            {"location": Location(text="Accra, Ghana")},
            ["location: Lagos, Nigeria → Accra, Ghana"],
        ),
        ({"years_coding": 0}, {"years_coding": None}, ["years coding: 0 → not stated"]),
        ({}, {"years_employed": 2}, ["years employed: not stated → 2"]),
        ({}, {"summary": "Ada …"}, ["summary added"]),
        ({"summary": "a"}, {"summary": "b"}, ["summary rewritten"]),
        ({"summary": "a"}, {}, ["summary no longer there"]),
        (
            {"skills": skills(("foo", 9), ("cuda", 9), ("c", None))},
            {"skills": skills(("cuda", 10), ("mlir", 8), ("rust", 7), ("c", None))},
            ["skills +mlir, +rust", "skills −foo", "skill cuda: 9 → 10"],
        ),
        (
            {"skills": skills(("a", 1)), "declared": Declared(skills=2)},
            {"skills": skills(("a", 1), ("b", 1)), "declared": Declared(skills=2)},
            ["skills +b", "now lists 2 of 2 skills"],
        ),
        (
            {"declared": Declared(languages=12)},
            {"declared": Declared(languages=16)},
            ["programming languages declared: 12 → 16"],
        ),
        (
            {"contributions": (TVM,), "declared": Declared(contributions=5)},
            {
                "contributions": (
                    replace(TVM, commits=4, reviews=2, role="ML Engineer"),
                    Contribution(repository="a/b"),
                    Contribution(repository="c/d", from_month="2020-01", to_month="2020-12"),
                ),
                "declared": Declared(contributions=5),
            },
            [
                "contributions +a/b, +c/d (Jan 2020 – Dec 2020)",
                "role in apache/tvm: not stated → ML Engineer",
                "commits in apache/tvm: 1 → 4",
                "reviews in apache/tvm: not stated → 2",
                "now lists 3 of 5 contributions",
            ],
        ),
        (
            {"contributions": (TVM,)},
            {"contributions": (replace(TVM, to_month="2022-05", span="2 years"),)},
            ["months in apache/tvm: Mar 2021 → Mar 2021 – May 2022"],
        ),
        (
            {"contributions": (TVM,)},
            {"contributions": (replace(TVM, span="1 day"),)},
            ["span in apache/tvm: not stated → 1 day"],
        ),
        (
            {"contributions": (TVM,)},
            {"contributions": (replace(TVM, from_month=None, to_month=None),)},
            ["months in apache/tvm: Mar 2021 → not stated"],
        ),
        (
            {"contributions": (TVM, replace(TVM, from_month="2019-01", commits=9))},
            {"contributions": (replace(TVM, from_month="2019-01", commits=9), TVM)},
            [],
        ),
        (
            {"contributions": (TVM,)},
            {
                "contributions": (
                    replace(
                        TVM, description="d", summary="s", topics=("gpu",), other={"issues": 3}
                    ),
                )
            },
            [
                "issues in apache/tvm: not stated → 3",
                "description of apache/tvm added",
                "summary of apache/tvm added",
                "topics of apache/tvm +gpu",
            ],
        ),
        ({"contributions": (TVM,)}, {}, ["contributions −apache/tvm (Mar 2021)"]),
        (
            {"education": (Education(text="BSc"),), "badges": ("Rockstar",)},
            {"education": (Education(text="MSc"),)},
            ["education +MSc", "education −BSc", "badges −Rockstar"],
        ),
        (
            {},
            {"stackoverflow": StackOverflow(reputation=1, answers=0)},
            [
                "Stack Overflow reputation: not stated → 1",
                "Stack Overflow answers: not stated → 0",
            ],
        ),
        ({}, {"likely_login": "adavale"}, ["likely login: not stated → adavale"]),
    ],
)
def test_each_change_is_a_sentence(old, new, sentences):
    assert list(describe_changes(replace(ADA, **old), replace(ADA, **new))) == sentences


def test_every_fact_of_a_profile_is_compared(seed_profiles):
    """A field that is added later has to be described too; remarks follow from the facts."""
    (profile, _), *_ = seed_profiles
    bare = Profile(name="Somebody")
    for field in profile.__dataclass_fields__:
        if field not in {"name", "remarks"}:
            changed = replace(bare, **{field: getattr(profile, field)})
            if changed != bare:
                assert describe_changes(bare, changed), field
