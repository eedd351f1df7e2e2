"""A job description becomes a query: what must hold, what is nice to have, and nothing else."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.job import MOST_MUST, MOST_NICE, describe, is_description
from storage.records import Contribution, Location, Profile, Skill
from storage.search.language import parse
from tests.search_fixtures import INES, MEI, NOW, TOMASZ

DESCRIPTION = """Senior Compiler Engineer

About us
Norrsken Labs makes looms. Inside we use Kubernetes.

What you will do:
- Improve the ONNX front end
- Go to market with us

Requirements:
• 5+ years of experience with C++
• Strong knowledge of CUDA and LLVM
- machine learning; MLIR is a plus

Nice to have:
* Rust, Go
1. Python

Location: Malmö (hybrid)
"""


def profile(name: str, *skills: str, **fields: object) -> Profile:
    return Profile(name=name, skills=tuple(Skill(name=each, score=8) for each in skills), **fields)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def several(searchable):
    return searchable(
        INES,
        TOMASZ,
        MEI,
        profile("Sena Okoye", "cuda", "llvm", "c++", "onnx", "rust", "kubernetes"),
        profile("Wen Aldar", "python", "go", "r"),
        profile(
            "Ola Brandt",
            contributions=(Contribution(repository="ola/kiln", topics=("rust",)),),
            location=Location(text="Malmö, Sweden", city="Malmö", country="Sweden"),
        ),
    )


def described(store, text):
    return describe(text, lambda *asked: store.vocabulary(*asked, now=NOW))


def told(parts):
    return [str(part) for part in parts]


def test_what_must_hold_is_told_from_what_is_nice_to_have(several):
    found = described(several, DESCRIPTION)
    assert told(found.must) == [
        'role:"compiler engineer"', "skill:c++", "skill:cuda", "skill:llvm",
        "skill:machine-learning", "location:malmö", "years>=5",
    ]  # fmt: skip
    assert told(found.nice) == [
        "skill:onnx", "skill:mlir", "skill:rust", "skill:go", "skill:python",
    ]  # fmt: skip
    assert str(parse(found.query)) == found.query


def test_a_description_without_its_lines_is_read_by_its_headings(several):
    found = described(several, " ".join(DESCRIPTION.split()))
    assert {"skill:c++", "skill:cuda", "location:malmö", "years>=5"} <= set(told(found.must))
    assert {"skill:rust", "skill:python"} <= set(told(found.nice))


def test_only_so_much_is_kept_that_somebody_has(several):
    found = described(several, DESCRIPTION)
    kept = found.kept(lambda query: several.search(query, limit=0, now=NOW).total > 0)
    assert told(kept.must) == [
        'role:"compiler engineer"', "skill:c++", "skill:machine-learning", "location:malmö",
        "years>=5",
    ]  # fmt: skip
    assert told(kept.moved) == ["skill:cuda", "skill:llvm"]
    assert kept.notes[-1] == (
        "Nobody here has all that it asks for, so I moved to nice to have: "
        "`skill:cuda`, `skill:llvm`."
    )
    (hit,) = several.search(kept.query, now=NOW).hits
    assert hit.candidate.profile.name == "Ines Adeyemi"


@pytest.mark.parametrize(
    ("text", "must", "nice"),
    [
        ("Requirements: R, Go and 3 years", ["skill:r", "skill:go", "years>=3"], []),
        ("Requirements: you go and see what works, rust", ["skill:rust"], []),
        ("Requirements: cuda. Work from Malmö or remote in Malmö", ["skill:cuda"], []),
        ("Must have: cuda\nOffice: Oslo", ["skill:cuda", "location:oslo"], []),
        ("Must have: cuda\nOffice: Oslo, or remote", ["skill:cuda"], []),
        ("Title: Data Scientist\nSkills: python", ['role:"data scientist"', "skill:python"], []),
        ("Skills:\npython\nBenefits:\nrust classes", ["skill:python"], []),
        ("Skills:\npython, preferably rust", [], ["skill:python", "skill:rust"]),
    ],
)
def test_each_line_counts_for_what_it_says(several, text, must, nice):
    found = described(several, text)
    assert (told(found.must), told(found.nice)) == (must, nice)


def test_what_nobody_here_has_is_no_condition(several):
    assert described(several, "We need a COBOL wizard. Requirements: fortran") is None


def test_a_long_description_stays_short(several):
    known = [
        "cuda",
        "llvm",
        "c++",
        "onnx",
        "rust",
        "kubernetes",
        "python",
        "mlir",
        "machine-learning",
    ]
    found = described(several, "Requirements:\n" + "\n".join([*known, "llvm", "rust", "rust"]))
    assert told(found.must) == ["skill:rust", "skill:llvm", "skill:cuda", "skill:c++"]
    assert len(found.must) == MOST_MUST
    assert len(found.nice) <= MOST_NICE


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        (DESCRIPTION + "We offer a loom of your own.\n" * 5, True),
        (DESCRIPTION[:200], False),
        ("lorem ipsum\n" * 60, False),
        ("cuda " * 100, False),
    ],
)
def test_a_description_is_told_from_other_long_texts(text, is_one):
    assert is_description(text) is is_one


PIECES = st.sampled_from(
    ["Requirements:", "\n", "- ", "cuda", "C++", "Nice to have", "Location: Malmö", "5+ years",
     "about us", "“quoted”", "(", ")", '"', "a:b", "<>=|", "Go", "mlir is a plus", "•", "\0"]
)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.one_of(st.lists(PIECES, max_size=16).map(" ".join), st.text(max_size=60)))
def test_any_text_gives_a_query_that_reads_back_or_none(several, text):
    found = described(several, text)
    if found is not None:
        assert str(parse(found.query)) == found.query


@pytest.mark.parametrize(
    ("text", "must"),
    [
        ("Compiler work. LLVM required. No Rust please. Python is not needed.", ["skill:llvm"]),
        ("What you bring: LLVM. Experience with CUDA", ["skill:llvm", "skill:cuda"]),
        ("Must have CUDA and LLVM", ["skill:cuda", "skill:llvm"]),
        ("CUDA work in Malmö. Requirements: CUDA", ["skill:cuda", "location:malmö"]),
    ],
)
def test_what_is_demanded_is_told_from_headings_and_from_what_is_not_asked_for(several, text, must):
    found = described(several, text)
    assert [each for each in told(found.must) if not each.startswith("role:")] == must
    assert not {"skill:rust", "skill:python"} & {*told(found.nice)}
