"""Names: in any order, in part, with typing mistakes, as login, in Han characters."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from storage.records import Profile
from storage.search.mistakes import edits_allowed, near_words
from storage.search.names import login_of
from storage.search.reading import read_aloud
from storage.search.values import NameTier
from tests.search_fixtures import NOW

PEOPLE = ["Ines Adeyemi", "Tomasz Łęcki", "Mei Zimmer", "Karl Zimmermann", "Anna Maria Berg"]
LOGINS = {"Tomasz Łęcki": "tlecki"}


@pytest.fixture(scope="module")
def names(searchable):
    everybody = [*PEOPLE, "Chenming Zhou", "Yi Zeng"]
    return searchable(*(Profile(name=name, likely_login=LOGINS.get(name)) for name in everybody))


@pytest.mark.parametrize(
    ("text", "tier", "people"),
    [
        ("Ines Adeyemi", NameTier.EXACT, ["Ines Adeyemi"]),
        ("adeyemi, INES", NameTier.EXACT, ["Ines Adeyemi"]),
        ("tomasz łęcki", NameTier.EXACT, ["Tomasz Łęcki"]),
        ("Lecki", NameTier.TOKENS, ["Tomasz Łęcki"]),
        ("tlecki", NameTier.EXACT, ["Tomasz Łęcki"]),
        ("@TLecki", NameTier.EXACT, ["Tomasz Łęcki"]),
        ("<https://github.com/tlecki>", NameTier.EXACT, ["Tomasz Łęcki"]),
        ("github.com/tlecki/", NameTier.EXACT, ["Tomasz Łęcki"]),
        ("github.com/tlecki/thing", NameTier.NONE, []),
        ("@ines", NameTier.EXACT, ["Ines Adeyemi"]),
        ("chenmingzhou", NameTier.EXACT, ["Chenming Zhou"]),
        ("zhouchenming", NameTier.EXACT, ["Chenming Zhou"]),
        ("chen ming zhou", NameTier.EXACT, ["Chenming Zhou"]),
        ("berg anna", NameTier.TOKENS, ["Anna Maria Berg"]),
        ("zimmer", NameTier.TOKENS, ["Mei Zimmer"]),
        ("zimmerm", NameTier.PREFIX, ["Karl Zimmermann"]),
        ("zim", NameTier.PREFIX, ["Karl Zimmermann", "Mei Zimmer"]),
        ("ade in", NameTier.PREFIX, ["Ines Adeyemi"]),
        ("I. Adeyemi", NameTier.INITIALS, ["Ines Adeyemi"]),
        ("berg a m", NameTier.INITIALS, ["Anna Maria Berg"]),
        ("z", NameTier.NONE, []),
        ("b m", NameTier.NONE, []),
        ("chenmign zhuo", NameTier.TYPO, ["Chenming Zhou"]),
        ("Ines Adeyemy", NameTier.TYPO, ["Ines Adeyemi"]),
        ("adyeemi", NameTier.TYPO, ["Ines Adeyemi"]),
        ("bern", NameTier.TYPO, ["Anna Maria Berg"]),
        ("kerg", NameTier.NONE, []),
        ("周晨明", NameTier.ALOUD, ["Chenming Zhou"]),
        ("曾毅", NameTier.ALOUD, ["Yi Zeng"]),
        ("ines ines", NameTier.NONE, []),
        ("Ines cuda", NameTier.NONE, []),
        ("", NameTier.NONE, []),
        ("skill:ines", NameTier.NONE, []),
        ('"ines"', NameTier.NONE, []),
        ("-ines", NameTier.NONE, []),
        ("ines or mei", NameTier.NONE, []),
    ],
)
def test_a_text_names_the_people_of_the_best_tier(text, tier, people, names):
    matches = names.named(text)
    assert matches.tier is tier
    assert sorted(hit.candidate.profile.name for hit in matches.hits) == people
    assert all(hit.why for hit in matches.hits)


@pytest.fixture(scope="module")
def others(searchable):
    """People whose names are written in more than one way."""
    return searchable(
        Profile(name="王小明"),
        Profile(name="Seán O'Brien"),
        Profile(name="Prakriti", likely_login="prakriti-dev7"),
        Profile(name="Lei Wang"),
        Profile(name="John Smith"),
    )


@pytest.mark.parametrize(
    ("text", "tier", "person"),
    [
        ("wang xiaoming", NameTier.READ, "王小明"),
        ("xiaoming wang", NameTier.READ, "王小明"),
        ("wang xiao ming", NameTier.READ, "王小明"),
        ("xiao ming", NameTier.READ, "王小明"),
        ("xiaoming", NameTier.READ, "王小明"),
        ("王小明", NameTier.EXACT, "王小明"),
        ("ming", NameTier.NONE, None),
        ("wang", NameTier.TOKENS, "Lei Wang"),
        ("O Brien", NameTier.TOKENS, "Seán O'Brien"),
        ("Brien Seán", NameTier.TOKENS, "Seán O'Brien"),
        ("seán o’brien", NameTier.EXACT, "Seán O'Brien"),
        ("obrien", NameTier.TOKENS, "Seán O'Brien"),
        ("prakriti-dev7", NameTier.EXACT, "Prakriti"),
        ("prakriti-dev8", NameTier.NONE, None),
        ("lee wang", NameTier.TYPO, "Lei Wang"),
        ("lie wang", NameTier.TYPO, "Lei Wang"),
        ("jon smith", NameTier.NICKNAME, "John Smith"),
        ("lie wamg", NameTier.NONE, None),
        ("lie", NameTier.NONE, None),
        ("jon wang", NameTier.NONE, None),
    ],
)
def test_a_name_is_found_however_it_is_written(text, tier, person, others):
    matches = others.named(text)
    assert matches.tier is tier
    assert [hit.candidate.profile.name for hit in matches.hits] == ([person] if person else [])


def test_a_name_that_was_read_aloud_is_told_so(others):
    assert others.named("xiaoming").hits[0].why == ("name is 王小明 (read wang xiaoming)",)
    (hit,) = others.search("xiaoming -skill:c", now=NOW).hits
    assert hit.why[0] == "name is 王小明 (read wang xiaoming)"
    (hit,) = others.search('"brien"', now=NOW).hits
    assert hit.why == ("name is Seán O'Brien",)


def test_what_a_mistake_was_taken_for_is_told(names):
    assert names.named("adyeemi").taken_for == "Ines Adeyemi"
    assert names.named("周晨明").taken_for == "Chenming Zhou"
    assert names.named("zimmer").taken_for is None


def test_people_of_one_name_are_all_given_in_the_order_of_their_ids(store, add):
    twins = [add(Profile(name="Ines Adeyemi", company=company)) for company in ("Ink", "Quill")]
    ids = [hit.candidate.id for hit in store.named("ines adeyemi").hits]
    assert ids == sorted(twins)
    assert len(store.named("ines adeyemi", limit=1).hits) == 1


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Agent 47 Okoro", True),
        ("okoro agent 47", True),
        ("agent 47", True),
        ("agent 4", False),
        ("agent 48 okoro", False),
        ("0xorla", True),
    ],
)
def test_a_name_with_a_number_is_meant_as_it_is_written(store, add, text, found):
    add(Profile(name="Agent 47 Okoro", likely_login="a47"))
    add(Profile(name="0xOrla", likely_login="orla"))
    assert bool(store.named(text).hits) is found


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(st.text(max_size=30), st.sampled_from(PEOPLE).map(lambda name: name[::-1])))
def test_any_text_names_somebody_or_nobody(names, text):
    matches = names.named(text)
    assert (matches.tier is NameTier.NONE) == (not matches.hits)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(PEOPLE), st.integers(0, 40), st.randoms(use_true_random=False))
def test_swapping_two_neighbours_in_a_long_word_still_finds(names, name, place, chance):
    words = name.split()
    chance.shuffle(words)
    long = max(words, key=len)
    at = 1 + place % (len(long) - 2)
    swapped = long[:at] + long[at + 1] + long[at] + long[at + 2 :]
    typed = " ".join(swapped if word == long else word for word in words)
    assert name in [hit.candidate.profile.name for hit in names.named(typed).hits]


def test_short_words_are_never_taken_for_mistakes():
    assert [edits_allowed(word) for word in ("mei", "berg", "zimmer", "adeyemi", "zimmermann")] == [
        0, 1, 1, 1, 2,
    ]  # fmt: skip
    assert near_words("mei", ["mei", "men"]) == {"mei": 0}
    assert near_words("wang", ["yang", "wand"]) == {"wand": 1}


@pytest.mark.parametrize(
    ("text", "login"),
    [("@a-b", "a-b"), ("http://www.github.com/A", "a"), ("github.com/a/b", ""), ("a b", "")],
)
def test_logins(text, login):
    assert login_of(text) == login


@pytest.mark.parametrize(
    ("han", "reading"),
    [
        ("赵成钢", "zhao chenggang"),
        ("王磊", "wang lei"),
        ("仇英", "qiu ying"),
        ("解缙", "xie jin"),
        ("单田芳", "shan tianfang"),
        ("欧阳修", "ouyang xiu"),
        ("Lei", ""),
    ],
)
def test_han_names_are_read_with_the_readings_of_surnames(han, reading):
    assert read_aloud(han) == reading
