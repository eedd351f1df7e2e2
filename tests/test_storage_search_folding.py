"""Folding and cutting text into words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.records import Contribution, Education, Location, Profile, Skill
from storage.search.folding import fold, tokens
from storage.search.index import BREAK, contribution_text, encode, index_text
from storage.search.unwrap import unwrap


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("ÅNGSTRÖM", "angstrom"),
        ("Łódź Đặng Søren ıspark", "lodz dang soren ispark"),
        ("Straße", "strasse"),
        ("ﬁne ＡＢＣ", "fine abc"),
        ("Cafe\u0301", "cafe"),
        ("São\u200dPaulo", "saopaulo"),
        ("ガ", "ガ"),
        ("Йод", "иод"),
    ],
)
def test_folding_takes_off_case_accents_and_variants(text, folded):
    assert fold(text) == folded


@given(st.text())
def test_folding_twice_changes_nothing_more(text):
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("C++ and C# (not C)", ["c++", "and", "c#", "not", "c"]),
        ("C++/CUDA", ["c++", "cuda"]),
        ("node.js tf-idf", ["node", "js", "tf", "idf"]),
        ("Meta's O'Brien’s degrees'", ["meta", "obrien", "degrees"]),
        ("`libdevice` AutoFDO/PGO", ["libdevice", "autofdo", "pgo"]),
        ("王磊 Wang", ["王", "磊", "wang"]),
        ("#hiring a#b", ["hiring", "a", "b"]),
        ("😀 — !", []),
    ],
)
def test_words_keep_the_symbols_that_make_them_another_word(text, words):
    assert tokens(text) == words


@given(st.text())
def test_the_index_is_made_of_letters_digits_and_spaces(text):
    for token in tokens(text):
        assert encode(token).isalnum()
        assert tokens(token) == [token]


def test_a_word_like_the_break_is_not_the_break():
    assert encode(BREAK) != BREAK


def test_the_index_holds_no_badge_no_contradicted_country_and_no_short_skill():
    profile = Profile(
        name="Ines Adeyemi",
        headline="Compiler Engineer at Norrsken Labs",
        title="Compiler Engineer",
        company="Norrsken Labs",
        location=Location(text="Malmö, Chile", city="Malmö", stated_country="Chile"),
        badges=("Rockstar",),
        education=(Education(text="MSc", school="Lund University"),),
        skills=(
            Skill(name="c-language", score=9),
            Skill(name="c++"),
            Skill(name="test-automation"),
        ),
        contributions=(
            Contribution(repository="ivory/loom", topics=("ssa",), summary="Wrote it."),
        ),
    )
    words = index_text(profile).split()
    assert {"ines", "norrsken", "malmo", "lund", "automation", "ivory", "ssa", "wrote"} <= set(
        words
    )
    assert not {"rockstar", "chile", "c", "cplusplus", "language"} & set(words)
    assert contribution_text(profile.contributions[0]) in index_text(profile)


def test_no_phrase_runs_from_one_field_into_the_next():
    profile = Profile(name="Ada Byte", title="Core Engineer", company="Ink")
    assert index_text(profile) == f"ada byte {BREAK} core engineer {BREAK} ink"


def test_a_place_of_unknown_parts_is_found_by_its_words():
    profile = Profile(name="Ada", location=Location(text="The Bay"))
    assert "bay" in index_text(profile).split()


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("<http://node.js|node.js>", "node.js"),
        ("<https://github.com/LyricZhao>", "https://github.com/LyricZhao"),
        ("<mailto:a@x.org|a@x.org> <mailto:b@x.org>", "a@x.org b@x.org"),
        ("<#C1|hiring> <@U1|mira> <@U2>", "hiring mira U2"),
        ("years&gt;=8 R&amp;D &lt;b&gt;", "years>=8 R&D <b>"),
        ("“matrix core” ‘x’ –skill:c", "\"matrix core\" 'x' -skill:c"),
        ("a\u00a0b\tc\nd", "a b c d"),
        ("years≥8 skill：cuda", "years>=8 skill:cuda"),
        ("&amp;lt;", "<"),  # a question in a button is read once more
        ("<b>", "<b>"),
    ],
)
def test_what_slack_and_typography_do_is_undone(typed, meant):
    assert unwrap(typed) == meant


@given(st.text(st.characters(codec="ascii")))
def test_words_of_ascii_alone_are_those_that_they_are_beside_other_letters(text):
    """The short way for ASCII cuts as the long one does."""
    assert [*tokens(text), "王"] == tokens(f"{text} 王")
