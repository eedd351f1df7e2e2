"""Names: in any order, in part, with typing mistakes, as login, in other scripts, by nickname."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from storage.records import Location, Profile
from storage.search.mistakes import edits_allowed, near_words
from storage.search.names import _fits, login_of
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


CASES = Path(__file__).parent / "cases" / "names.jsonl"
SAID = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def cultures(searchable):
    """People of ``cases/names.jsonl``: names of many cultures, all of them invented."""
    return searchable(
        *(
            Profile(
                name=each["name"],
                likely_login=each.get("login"),
                company=each.get("company"),
                location=Location(text=each["city"], city=each["city"]) if "city" in each else None,
            )
            for each in SAID
            if "name" in each
        )
    )


def found(store: Any, asked: str) -> list[str]:
    return [hit.candidate.profile.name for hit in store.named(asked).hits]


def questions() -> Iterator[dict[str, Any]]:
    return (each for each in SAID if "asked" in each)


def test_names_of_many_cultures_are_found_first_and_whole(cultures):
    """The first who is given is right, all who are right are among ten, and nobody is wrong."""
    assert len(SAID) - len(list(questions())) >= 60
    wrong = {}
    for each in questions():
        names = found(cultures, each["asked"])[:10]
        first = not names if not each["right"] else names[:1] and names[0] in each["right"]
        others = set(names) & set(each.get("wrong", ()))
        if not first or not set(each["right"]) <= set(names) or others:
            wrong[each["asked"]] = names
    assert len(list(questions())) >= 150
    assert wrong == {}


@pytest.mark.parametrize(
    ("asked", "tier", "why"),
    [
        ("lecki tomasz", NameTier.EXACT, "name is Tomasz Łęcki (accents aside)"),
        ("łęcki", NameTier.TOKENS, "name is Tomasz Łęcki (in part)"),
        ("cheng gang", NameTier.WRITTEN, "name is Chenggang Zhao (written otherwise)"),
        ("rashid", NameTier.WRITTEN, "name is Karim Alrashid (a particle aside)"),
        ("minsoo kim", NameTier.READ, "name is 김민수 (read kim minsu)"),
        ("tom", NameTier.PREFIX, "name is Tomasz Łęcki (begins so)"),
        ("k alrashid", NameTier.INITIALS, "name is Karim Alrashid (by its initials)"),
        (
            "bob stonefield",
            NameTier.NICKNAME,
            "read as robert stonefield: name is Robert Stonefield (Bob is another form of it)",
        ),
        (
            "赵成钢",
            NameTier.ALOUD,
            "read as zhao chenggang: name is Chenggang Zhao (romanised)",
        ),
        (
            "stonefeild",
            NameTier.TYPO,
            "read as stonefield: name is Robert Stonefield (a typing mistake)",
        ),
        (
            "mohamed rashid",
            NameTier.TYPO,
            "read as mohamed rashid: name is محمد الراشد (by its consonants, md rsd)",
        ),
    ],
)
def test_each_reason_says_by_what_somebody_was_found(searchable, asked, tier, why):
    names = ("Tomasz Łęcki", "Chenggang Zhao", "Karim Alrashid", "김민수", "Robert Stonefield")
    matches = searchable(*map(named_only, (*names, "محمد الراشد"))).named(asked)
    assert (matches.tier, [hit.why for hit in matches.hits]) == (tier, [(why,)])


def named_only(name: str) -> Profile:
    return Profile(name=name)


@pytest.mark.parametrize(
    ("asked", "first", "others"),
    [
        ("Łukasz", "Łukasz Źrebiec", ["Lukasz Nowicki"]),
        ("lukasz", "Lukasz Nowicki", ["Łukasz Źrebiec"]),
        ("bob", "Bobby Tarrant", ["Robert Stonefield"]),
        ("zimmer", "Mei Zimmer", []),
        ("zimmerm", "Karl Zimmermann", []),
    ],
)
def test_whoever_fits_better_comes_first(cultures, asked, first, others):
    assert found(cultures, asked) == [first, *others]


@pytest.mark.parametrize("asked", ["王磊", "磊", "新立赵", "赵成"])
def test_other_characters_are_somebody_else(searchable, asked):
    store = searchable(*map(named_only, ("王蕾", "Lei Wang 王蕾", "赵立新", "王冰冰")))
    assert found(store, asked) == []


def test_a_particle_alone_is_only_a_beginning(searchable):
    store = searchable(*map(named_only, ("Anna van Berg", "Vanessa Ortega", "Van Tran")))
    assert store.named("van").tier is NameTier.TOKENS
    assert found(store, "van") == ["Van Tran"]
    assert found(store, "van berg") == ["Anna van Berg"]


def test_people_of_one_name_are_told_apart_by_place_company_and_login(cultures):
    twins = [hit.candidate.profile for hit in cultures.named("ines adeyemi").hits]
    assert {(each.location.city, each.company, each.likely_login) for each in twins} == {
        ("Malmö", "Norrsken Labs", "inesa"),
        ("Oslo", "Fjord Systems", "inkweaver"),
    }


def test_no_order_of_many_words_is_tried_twice():
    """Tried one after another these would take longer than anybody lives."""
    present = [f"aa{number}" for number in range(24)]
    assert _fits(["aa"] * 12, present)
    assert not _fits(["aa"] * 12 + ["zz"], present)
    assert _fits(["aa1", "aa"], ["aa1", "aa2"])
    assert _fits(["aa", "aa1"], ["aa1", "aa2"]), "the first makes room for the second"


@pytest.mark.parametrize(
    ("asked", "found", "also"),
    [
        ("dmitry sokolov", "Dmitry Sokolov", ["Дмитрий Соколов"]),
        ("sokolov dmitry", "Dmitry Sokolov", ["Дмитрий Соколов"]),
        ("Дмитрий Соколов", "Дмитрий Соколов", ["Dmitry Sokolov"]),
        ("lei wang", "Lei Wang", ["王磊", "王蕾"]),
        ("王磊", "王磊", ["Lei Wang"]),  # and never 王蕾
        ("Minsu Kim", "Minsu Kim", ["김민수"]),
        ("zoe stone", "Zoe Stone", []),
        ("wang", None, []),
    ],
)
def test_beside_an_exact_name_those_of_another_script_that_read_so_are_named(
    searchable, asked, found, also
):
    names = "Dmitry Sokolov,Дмитрий Соколов,Lei Wang,王磊,王蕾,Minsu Kim,김민수,Zoe Stone"
    store = searchable(*map(named_only, names.split(",")))
    matches = store.named(asked)
    assert found in (None, *(hit.candidate.profile.name for hit in matches.hits))
    assert [hit.candidate.profile.name for hit in matches.also] == also
