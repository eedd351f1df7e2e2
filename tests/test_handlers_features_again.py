"""``again``: the last question of the same person, and nothing that does more than show."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from handlers.features.candidate import answer, reply_as_json
from storage.store import Store


def asked(store: Store, text: str, now: datetime, *, by: str = "terminal:tester") -> dict[str, Any]:
    return reply_as_json(answer(store, text, asker=by, now=now))


def test_the_last_question_is_answered_with_who_is_here_now(seeded_store: Store, now: datetime):
    first = asked(seeded_store, "skill:cuda", now)
    for minutes in (1, 2):  # a repetition is not a question of its own
        second = asked(seeded_store, "again", now + timedelta(minutes=minutes))
        assert second["results"] == first["results"]
        assert second["message"] == f"Your last question: `skill:cuda`\n{first['message']}"


@pytest.mark.parametrize("text", ["new", "compare lei wang, chenggang", "help search", "wang"])
def test_commands_that_show_something_are_repeated(seeded_store: Store, now: datetime, text: str):
    first = asked(seeded_store, text, now)
    for word in ("Again", "Again!", "again."):
        second = asked(seeded_store, word, now)
        assert (second["answer"], second["results"]) == (first["answer"], first["results"])


@pytest.mark.parametrize(
    "text", ["digest list", "forget lei wang", "do-not-contact lei wang", "audit", "again"]
)
def test_what_does_more_than_show_is_not_done_again(seeded_store: Store, now: datetime, text: str):
    asked(seeded_store, "skill:llvm", now)
    asked(seeded_store, text, now)
    assert asked(seeded_store, "again", now)["query"] == "skill:llvm"


def test_everybody_has_a_last_question_of_their_own(seeded_store: Store, now: datetime):
    asked(seeded_store, "skill:cuda", now, by="U0MIRA00001")
    told = asked(seeded_store, "again", now, by="U0OMAR00001")["message"]
    assert told == "You have not asked me anything yet that I could repeat."


def test_a_question_about_somebody_who_was_erased_is_gone(seeded_store: Store, now: datetime):
    shown = asked(seeded_store, "chenggang", now)
    seeded_store.forget(shown["results"][0]["id"], by="terminal:tester", place="terminal", now=now)
    assert "not asked me anything" in asked(seeded_store, "again", now)["message"]
