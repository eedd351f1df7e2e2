"""``job:`` and a description in a direct message: people, and the query to be edited."""

from datetime import datetime

from handlers.features.candidate import answer, reply_as_json
from storage.store import Store
from tests.adding_fixtures import directly
from tests.edge_fixtures import Bot, utc_now

DESCRIPTION = """ML Compiler Engineer

Requirements:
- 5+ years of experience in systems programming
- CUDA, and GPU performance
- You have shipped a compiler, and like to read what it makes of your code

Nice to have:
- Triton
- LLVM

Location: Beijing

What you will do: keep a large code base fast, together with a team that reviews each other's work
and writes down why things are as they are. We offer time to read.
"""


def test_a_description_is_answered_with_people_and_the_query(seeded_store: Store, now: datetime):
    reply = answer(seeded_store, f"job: {DESCRIPTION}", asker="terminal:tester", now=now)
    document = reply_as_json(reply)
    assert document["answer"] == "results"
    assert "Read as (edit it" in document["message"]
    assert "Must: " in document["message"]
    assert "Nice to have, which leaves nobody out: " in document["message"]
    again = answer(seeded_store, document["query"], asker="terminal:tester", now=now)
    assert reply_as_json(again)["results"] == document["results"]
    shown = [hit["id"] for hit in document["results"]]
    assert list(seeded_store.audited(limit=1)[0].candidate_ids) == shown


def test_a_description_of_nobody_says_what_to_type(seeded_store: Store, now: datetime):
    reply = answer(seeded_store, "job: a pastry chef for our café", asker="terminal:t", now=now)
    assert reply_as_json(reply)["answer"] == "done"
    assert "Type the two or three skills" in reply.plain


def test_the_command_answers_the_asker_alone(bot: Bot):
    shown = bot.ask(f"job: {DESCRIPTION}")
    assert "Read as" in shown.text
    assert bot.slack.messages(bot.slack.hiring) == []


def test_a_description_in_the_direct_message_needs_no_word(bot: Bot):
    direct = bot.slack.direct(bot.slack.mira)
    before = len(directly(bot))
    bot.slack.say(bot.slack.mira, direct, DESCRIPTION)
    bot.slack.wait_for(lambda: len(directly(bot)) > before, within=15)
    bot.settle()
    assert "Read as" in directly(bot)[-1].text
    assert bot.store.take_up_intakes(now=utc_now()) == []
