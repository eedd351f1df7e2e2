"""Command words: when they are commands, when they are searched, and what is said of the rest."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from handlers.features.candidate import answer, one_person, reply_as_json
from handlers.features.commands import COMMANDS, GROUPS, WORDS
from handlers.views.help import TOPICS
from storage.records import Document, Location, Profile
from storage.search.qualifiers import TABLE
from storage.store import Store


def asked(store: Store, text: str, now: datetime) -> dict[str, Any]:
    return reply_as_json(answer(store, text, asker="terminal:tester", now=now))


def add(store: Store, name: str, now: datetime, **fields: Any) -> str:
    page = Document(
        name=f"{name}.txt",
        text=f"{name} {fields}",
        added_by="folder",
        added_via="inbox",
        parser="prog-ai/1",
    )
    return store.add(Profile(name=name, **fields), page, now=now).candidate_id


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("help", "help"),
        ("HELP", "help"),
        ("help search", "help"),
        ("hi", "help"),
        ("hello there", "help"),
        ("Hey, bot!", "help"),
        ("good morning", "help"),
        ("good engineer", "nothing"),
        ("hello kitty", "nothing"),
        ("thanks!", "done"),
        ("thank you so much", "done"),
        ("help skill", "help"),
        ("help loc:", "help"),
        ("help sort", "help"),
        ("digest resend", "error"),
        ("help desk", "nothing"),
        ("new", "results"),
        ("new this week", "results"),
        ("new 30 days", "results"),
        ("new york", "nothing"),
        ('"new"', "results"),
        ("history wang", "done"),
        ("history of computing", "nothing"),
        ("forget wang", "done"),
        ("forget me not", "error"),
        ("compare wang, chenggang", "comparison"),
        ("compare apples, oranges", "nothing"),
        ("compare lei chenggang", "comparison"),
        ("compare lei", "nothing"),
        ("/candidate wang", "card"),
        ("/candidate", "help"),
        ("<@U123ABC>", "error"),
        ("<@U123ABC|lei> cuda", "error"),
        ("why chenggang", "done"),
        ("why not", "error"),
        ("similar chenggang", "nothing"),
        ("job scheduler", "nothing"),
        ("job: somebody for compilers", "results"),
        ("export", "done"),
        ("export manager", "nothing"),
        ("again", "done"),
        ("who-knows cuda", "done"),
        ("link wang https://example.com/wang", "done"),
        ("edit wang title: Lead", "done"),
        ("digest list", "done"),
        ("digest of papers", "nothing"),
    ],
)
def test_a_word_is_a_command_only_when_the_rest_parses(
    seeded_store: Store, now: datetime, text: str, kind: str
):
    document = asked(seeded_store, text, now)
    assert document["answer"] == kind, document["message"]


def test_help_shows_what_works_by_what_it_is_for_and_names_the_rest_in_one_line(
    seeded_store: Store, now: datetime
):
    told = asked(seeded_store, "help commands", now)["message"]
    [coming] = [each for each in told.splitlines() if each.startswith("Not built yet: ")]
    works, _, _ = told.partition(coming)
    for group in GROUPS:
        assert f"\n{group}\n" in f"\n{works}", group
    for command in COMMANDS:
        assert command.built == (f"`/candidate {command.usage}`" in works), command.word
        assert command.built == (command.group in GROUPS), command.word
        if not command.built:
            assert command.word in coming.removeprefix("Not built yet: ").split(".")[0].split(", ")
            assert command.instead.endswith("."), command.word
    assert "not built" not in works


@pytest.mark.parametrize("topic", TOPICS)
def test_every_help_topic_answers(seeded_store: Store, now: datetime, topic: str):
    assert len(asked(seeded_store, f"help {topic}", now)["message"]) > 100


def test_what_is_not_built_says_so_and_what_to_do(seeded_store: Store, now: datetime):
    told = asked(seeded_store, "note wang", now)["message"]
    assert told.startswith("`note` is not built yet.")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("halp", "help"),
        ("digets list", "digest list"),
        ("digset", "digest"),
        ("hepl search", "help search"),
        ("histroy wang", "history wang"),
        ("nwe", "new"),
        ("exprot skill:cuda", "export skill:cuda"),
        ("forgt wang", "forget wang"),
    ],
)
def test_a_mistyped_command_is_offered(seeded_store: Store, now: datetime, text: str, meant: str):
    document = asked(seeded_store, text, now)
    assert document["answer"] == "nothing"
    assert f"Did you mean `/candidate {meant}`?" in document["message"]


def test_a_mistyped_word_of_digest_is_offered(seeded_store: Store, now: datetime):
    document = asked(seeded_store, "digest pasue 3", now)
    assert document["answer"] == "error"
    assert "Did you mean `/candidate digest pause 3`?" in document["message"]


@pytest.mark.parametrize("text", ["shortlst", "shortlst lei"])
def test_a_hint_at_a_command_that_is_not_built_says_so(
    seeded_store: Store, now: datetime, text: str
):
    assert "(not built yet)" in asked(seeded_store, text, now)["message"]


def test_a_colleague_is_told_apart_from_a_candidate(seeded_store: Store, now: datetime):
    told = asked(seeded_store, "<@U123ABC> cuda", now)["message"]
    assert told.startswith("I find candidates, not people of this workspace")


def test_questions_that_find_somebody_stand_under_what_they_are(seeded_store: Store, now: datetime):
    told = asked(seeded_store, "company:huawei", now)["message"]
    assert "Mentioned on their pages: `huawei` (1)" in told
    assert "Most common here" not in told
    assert "Most common here: `skill:cuda` (2)" in asked(seeded_store, "skill:r", now)["message"]


def test_a_place_that_its_country_contradicts_is_marked(seeded_store: Store, now: datetime):
    add(seeded_store, "Wei Wang", now)
    for text in ("repo:tvm", "wang"):
        told = asked(seeded_store, text, now)["message"]
        assert "Beijing (country unclear)" in told
        assert "United States" not in told


def test_a_search_that_finds_somebody_is_not_swallowed(store: Store, now: datetime):
    add(store, "Hal Pedersen", now, company="Halp", location=Location(text="Nwe, Norway"))
    assert asked(store, "halp", now)["answer"] in {"card", "results"}
    assert "Did you mean" not in asked(store, "halp", now)["message"]


def test_new_lists_this_weeks_people_newest_first(store: Store, now: datetime):
    add(store, "Old Timer", now - timedelta(days=20))
    add(store, "Bo Early", now - timedelta(days=3))
    add(store, "Cy Late", now - timedelta(hours=1))
    assert [each["name"] for each in asked(store, "new", now)["results"]] == ["Cy Late", "Bo Early"]
    assert len(asked(store, "new 30 days", now)["results"]) == 3
    assert "Nobody was added this week" in asked(store, "new", now + timedelta(days=60))["message"]


def test_history_says_what_changed_and_who_did_it(store: Store, now: datetime):
    add(store, "Ines Adeyemi", now)
    told = asked(store, "history ines", now)["message"]
    assert "History of Ines Adeyemi" in told
    assert "from the folder" in told


def test_one_person_is_found_by_id_name_or_login(seeded_store: Store):
    person, others = one_person(seeded_store, "LyricZhao")
    assert person is not None
    assert others == []
    assert one_person(seeded_store, person.id) == (person, [])
    assert one_person(seeded_store, "nobodyatall") == (None, [])
    assert one_person(seeded_store, "") == (None, [])


def test_no_two_commands_share_a_word():
    words = [word for command in COMMANDS for word in (command.word, *command.also)]
    assert len(words) == len(set(words))
    assert set(words) <= set(WORDS)


def test_help_explains_each_qualifier_from_the_one_table(seeded_store: Store, now: datetime):
    for key, qualifier in TABLE.items():
        for word in (key, f"{key}:", *(each for each in qualifier.aliases if each not in WORDS)):
            told = asked(seeded_store, f"help {word}", now)["message"]
            assert told.startswith(f"{key}:"), word
            assert qualifier.example in told
            assert qualifier.help in told


@pytest.mark.parametrize("text", ["helene", "forest", "former google engineers", "reprot"])
def test_erasing_and_its_like_are_never_a_guess(seeded_store: Store, now: datetime, text: str):
    told = asked(seeded_store, text, now)["message"]
    for command in COMMANDS:
        if command.action != "ask":
            assert f"/candidate {command.word}" not in told, told
