"""Words near a mistyped one: those that a comparison with every word finds."""

from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from storage.search.spellings import Spellings

WORDS = st.text("abcdeéz", min_size=1, max_size=9)


@given(st.lists(WORDS, max_size=60), WORDS, st.integers(0, 2))
def test_no_word_is_overlooked_for_its_length_or_its_letters(words, asked, edits):
    near = Spellings(words).near(asked, edits)
    assert sorted(near) == sorted({each for each in words if OSA.distance(each, asked) <= edits})


@given(st.lists(WORDS), st.lists(WORDS), WORDS)
def test_words_that_were_added_later_are_found_too(words, more, asked):
    near = Spellings(words).with_more(more).near(asked, 1)
    known = {*words, *more}
    assert sorted(near) == sorted(each for each in known if OSA.distance(each, asked) <= 1)
