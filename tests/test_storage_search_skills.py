"""Skill keys are exact; only the table folds spellings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.records import Skill
from storage.search.skills import aliases, fold_skills, is_exact_only, skill_key


@pytest.mark.parametrize(
    ("spellings", "key"),
    [
        (("C", "c-language", "cprogramming-language", "C Language", "c_language"), "c"),
        (("C++", "cpp", "c-plus-plus", "CPP"), "c++"),
        (("C#", "csharp", "c-sharp"), "c#"),
        (("R", "r-language", "rlang"), "r"),
        (("Go", "golang", "go-language"), "go"),
        (
            ("machine-learning", "Machine Learning", "machine learning", "machinelearning"),
            "machine-learning",
        ),
        (("deep-learning", "deeplearning-ai", "deeplearning"), "deep-learning"),
        (("compiler", "compile", "compilation", "compilers"), "compiler"),
        (("node.js", "Node.JS", "nodejs", "node-js"), "node.js"),
        (("k8s", "Kubernetes"), "kubernetes"),
        ((".NET", "dotnet"), ".net"),
    ],
)
def test_spellings_of_one_skill_have_one_key(spellings, key):
    assert {skill_key(spelling) for spelling in spellings} == {key}


@pytest.mark.parametrize(
    "names",
    [
        ("c", "c++", "c#", "objective-c"),
        ("compiler", "compiler-compiler", "compiler-development"),
        ("tensor", "tensorflow", "tensorrt"),
        ("java", "javascript"),
        ("roc", "r", "mlr", "ml"),
        ("react", "react-native"),
    ],
)
def test_different_skills_have_different_keys(names):
    assert len({skill_key(name) for name in names}) == len(names)


@given(st.text(max_size=40))
def test_a_key_is_its_own_key(text):
    assert skill_key(skill_key(text)) == skill_key(text)


def test_every_alias_leads_to_a_key_in_one_step_and_names_its_source():
    for spelling, key in aliases().items():
        assert skill_key(spelling) == key
        assert key not in aliases(), f"{spelling} leads to {key}, which is an alias itself"
        assert skill_key(key) == key


@pytest.mark.parametrize("key", ["c", "r", "go", "c++", "c#", "f#", "node.js", ".net"])
def test_short_keys_and_symbols_never_speak_to_prose(key):
    assert is_exact_only(key)


@pytest.mark.parametrize("key", ["cuda", "l2", "tf-idf", "resnet50.onnx", "machine-learning"])
def test_other_keys_do(key):
    assert not is_exact_only(key)


def test_folded_skills_keep_their_spellings_and_the_best_score():
    folded = fold_skills(
        [
            Skill(name="compile", score=None),
            Skill(name="cuda", score=10),
            Skill(name="compiler", score=7),
            Skill(name="p8", score=9),
        ]
    )
    assert [(each.key, each.name, each.score, each.spellings) for each in folded] == [
        ("compiler", "compiler", 7, ("compile", "compiler")),
        ("cuda", "cuda", 10, ("cuda",)),
        ("p8", "p8", 9, ("p8",)),
    ]
