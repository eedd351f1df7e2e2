"""What is said around a question: set aside where the text as it stands names and finds nobody."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from bot import talk
from handlers.features.candidate import answer, reply_as_json
from storage.records import Document, Location, Profile, Skill, StandingKind
from storage.store import Store


def add(store: Store, name: str, now: datetime, **fields: Any) -> None:
    page = Document(
        name=f"{name}.txt", text=f"{name} {fields}", added_by="folder", added_via="inbox",
        parser="prog-ai/1",
    )  # fmt: skip
    store.add(Profile(name=name, **fields), page, now=now)


@pytest.fixture
def people(store: Store, now: datetime) -> Store:
    berlin = Location(text="Berlin, Germany", city="Berlin", country="Germany")
    rust = (Skill(name="rust", score=9),)
    add(store, "Tomasz Lindqvist", now - timedelta(days=3), location=berlin, skills=rust)
    add(store, "Ada Showme", now - timedelta(days=90), skills=rust, summary="All new to find.")
    return store


def asked(store: Store, text: str, now: datetime) -> dict[str, Any]:
    return reply_as_json(answer(store, text, asker="U1", now=now))


def names(document: dict[str, Any]) -> set[str]:
    return {each["name"] for each in document["results"]}


BOTH = {"Tomasz Lindqvist", "Ada Showme"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("show me tomasz", {"Tomasz Lindqvist"}),
        ("Can you show me Tomasz Lindqvist, please?", {"Tomasz Lindqvist"}),
        ("who is ada?", {"Ada Showme"}),
        ("showme", {"Ada Showme"}),
        ("find rust", BOTH),
        ("find me a rust person in berlin", {"Tomasz Lindqvist"}),
        ("I'm looking for somebody in Berlin who knows rust", {"Tomasz Lindqvist"}),
        ("we need people with skill:rust", BOTH),
        ("do we have anyone in berlin", {"Tomasz Lindqvist"}),
        ("who knows rust", BOTH),
        ("how many people know rust", BOTH),
        ("rust people", BOTH),
        ("people in berlin", {"Tomasz Lindqvist"}),
    ],
)
def test_openers_are_set_aside(people: Store, now: datetime, text: str, found: set[str]):
    document = asked(people, text, now)
    assert names(document) == found, document["message"]


@pytest.mark.parametrize(
    "text",
    ["all", "list", "everyone", "Everybody?", "list all candidates", "show me everyone",
     "who do we have?", "people"],
)  # fmt: skip
def test_everybody_can_be_asked_for(people: Store, now: datetime, text: str):
    document = asked(people, text, now)
    assert document["answer"] == "results"
    assert document["total"] == 2


@pytest.mark.parametrize(
    "text", ["how many people do we have?", "how many candidates are there", "number of candidates"]
)
def test_how_many_are_stored(people: Store, now: datetime, text: str):
    assert asked(people, text, now)["message"].startswith("2 people can be found.")


def test_only_admins_are_told_how_many_are_hidden(people: Store, now: datetime):
    [hit] = people.named("tomasz").hits
    people.set_standing(hit.candidate.id, StandingKind.RESTRICTED, by="U1", now=now)
    text = "how many people do we have"
    told = asked(people, text, now)["message"]
    assert told == "1 person can be found. `/candidate everyone` lists them."
    told = answer(people, text, asker="terminal:ada", now=now).message.plain
    assert told.startswith("1 person can be found. 1 more is kept and shown to nobody. ")


@pytest.mark.parametrize(
    "text",
    ["what can you do?", "What can I ask you", "who are you?", "how does this work", "help me",
     "can you help me please", "how do I use this bot", "what is this?", "show me"],
)  # fmt: skip
def test_a_question_about_the_bot_is_answered_with_help(people: Store, now: datetime, text: str):
    assert asked(people, text, now)["answer"] == "help"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("who is new", {"Tomasz Lindqvist"}),
        ("what's new?", {"Tomasz Lindqvist"}),
        ("anyone new?", {"Tomasz Lindqvist"}),
        ("new yesterday", set()),
        ("new two weeks", {"Tomasz Lindqvist"}),
        ("new in the last 4 months", BOTH),
        ("latest", {"Tomasz Lindqvist"}),
        ("new york", set()),
    ],
)
def test_new_is_asked_for_in_many_ways(people: Store, now: datetime, text: str, found: set[str]):
    assert names(asked(people, text, now)) == found


def test_new_says_the_stretch_that_was_asked_for(people: Store, now: datetime):
    assert "1 person added in the last 7 days, since" in asked(people, "new", now)["message"]
    assert "Nobody was added today." in asked(people, "new today", now)["message"]
    assert "Nobody was added in 2 days." in asked(people, "new 2 days", now)["message"]


@pytest.mark.parametrize(
    "text",
    ["contact tomasz", "email Tomasz Lindqvist", "tomasz's phone number", "e-mail of tomasz"],
)
def test_who_wants_to_write_to_somebody_is_told_what_this_cannot_do(
    people: Store, now: datetime, text: str
):
    document = asked(people, text, now)
    assert document["answer"] == "card"
    assert document["message"].startswith("I show no contact details and write to nobody.")


@pytest.mark.parametrize(
    "text",
    ["https://www.linkedin.com/in/janedoe", "add https://github.com/torvalds",
     "<https://github.com/torvalds|github.com/torvalds>"],
)  # fmt: skip
def test_a_link_to_a_stranger_says_that_links_are_not_opened(
    people: Store, now: datetime, text: str
):
    told = asked(people, text, now)["message"]
    assert "I do not open links." in told
    assert "finds nobody" not in told


@pytest.mark.parametrize("text", ["find me a cobol developer", "what do we do", "show me my cto"])
def test_small_words_get_no_lecture_and_a_sentence_ends_with_help(
    people: Store, now: datetime, text: str
):
    told = asked(people, text, now)["message"]
    assert "one or two characters" not in told


def test_an_empty_answer_to_several_words_says_where_help_is(people: Store, now: datetime):
    told = asked(people, "purple elephants dancing", now)["message"]
    assert told.endswith("`/candidate help` shows what I can do.")
    assert "shows what I can do" not in asked(people, "skill:cobol", now)["message"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("help duties", "/candidate duties"),
        ("help forget", "/candidate forget NAME"),
        ("help erase", "/candidate forget NAME"),
        ("help audit", "/candidate audit NAME"),
        ("help report", "/candidate report NAME"),
        ("help restrict", "/candidate restrict NAME"),
        ("help note", "(not built yet)"),
    ],
)
def test_each_command_has_help_with_how_it_is_written(
    people: Store, now: datetime, text: str, told: str
):
    document = asked(people, text, now)
    assert document["answer"] == "help"
    assert told in document["message"]


@pytest.mark.parametrize("text", ["who was added yesterday?", "added yesterday", "new yesterday"])
def test_who_was_added_is_who_is_new(people: Store, now: datetime, text: str):
    assert asked(people, text, now)["message"].startswith("Nobody was added since yesterday")
    assert names(asked(people, text.replace("yesterday", "this week"), now)) == {"Tomasz Lindqvist"}


@pytest.mark.parametrize(
    "text", ["how do I add somebody?", "how to add people", "can i add a candidate"]
)
def test_how_to_add_somebody_is_told(people: Store, now: datetime, text: str):
    document = asked(people, text, now)
    assert (document["answer"], document["query"]) == ("help", "help add")


def test_quotes_ask_for_the_words_themselves(people: Store, now: datetime):
    assert asked(people, '"show me"', now)["answer"] == "nothing"
    assert names(asked(people, '"new to find"', now)) == {"Ada Showme"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("forget", "`forget` needs a name: `/candidate forget NAME`."),
        ("history", "`history` needs a name: `/candidate history NAME`."),
        ("restrict", "`restrict` needs a name: `/candidate restrict NAME`."),
        ("forget zzzz", "Nobody here is called “zzzz”, so there is nobody to forget."),
        ("history zzzz", "Nobody here is called “zzzz”, so there is no history to show."),
        ("audit nobodyatall", "Nobody here is called “nobodyatall”, so there is nothing noted to"),
        ("help qwerty", "There is no help on “qwerty”. There is: `/candidate help search`"),
        ("add Jane Doe", "`add` takes no name: send me the person's page"),
        ("undo", "Undo is a button below each receipt"),
        ("location:new york", 'Did you mean `location:"new york"`?'),
        ("rust and (", "A bracket is open and empty: remove it, or write what it holds"),
    ],
)
def test_the_sentence_that_helps_comes_first(people: Store, now: datetime, text: str, told: str):
    message = asked(people, text, now)["message"]
    assert message.startswith(told), message
    assert "Any of these" not in message


def test_a_command_word_that_finds_people_is_searched_all_the_same(store: Store, now: datetime):
    add(store, "Ida Ek", now, company="Forget Labs")
    assert names(asked(store, "forget labs", now)) == {"Ida Ek"}


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("weekly monday 09:00", "digest weekly monday 09:00"),
        ("daily 8:30 for skill:rust", "digest daily 8:30 for skill:rust"),
        ("preview", "digest preview"),
        ("stop 2", "digest stop 2"),
    ],
)
def test_a_digest_without_its_word_is_offered_whole(
    people: Store, now: datetime, text: str, meant: str
):
    assert f"Did you mean `/candidate {meant}`?" in asked(people, text, now)["message"]


@pytest.mark.parametrize("filler", [",", " ", "\t", ", "])
def test_a_long_run_of_commas_or_blanks_is_read_in_one_pass(filler):
    """Reading it anew from each of its places would take minutes."""
    assert talk.heard("a" + filler * 40_000 + "b") is None


def test_a_text_too_long_for_a_question_is_no_command_either(store, now):
    add(store, "Ada Quill", now)
    assert asked(store, "restrict " + "ada " * 400, now)["answer"] == "error"
