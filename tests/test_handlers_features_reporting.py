"""``/candidate report``: in numbers, for admins, and noted."""

import json
from datetime import timedelta

from tests.edge_fixtures import running_bot, utc_now
from tests.people_fixtures import add


def test_an_admin_is_told_what_is_held_and_by_whom_it_was_seen(store):
    person = add(store, now=utc_now() - timedelta(days=3))
    with running_bot(store, clock=utc_now, admin_users=("U0MIRALINDG",)) as bot:
        bot.ask("quetzal adeyemi", user=bot.slack.jonas)
        assert "admin" in bot.ask("report quetzal adeyemi", user=bot.slack.jonas).text
        told = bot.ask("report quetzal adeyemi")
        assert "1 document, 1 history entry" in told.text
        assert "Report on *" in json.dumps(told.blocks)
        assert f"<@{bot.slack.jonas}> found it by a question, once, on " in json.dumps(
            told.blocks, ensure_ascii=False
        )
        assert f"report {person} --output" in told.text
        assert [e.who for e in store.audited(actions=["report"])] == [bot.slack.mira]
        bot.ask("do-not-contact quetzal adeyemi")
        assert "Do not contact since" in bot.ask("report quetzal adeyemi").text
        other = add(store, now=utc_now(), text="other", file="z.txt", contributions=(),
                    headline="Chef", title="Chef")  # fmt: skip
        asked = bot.ask("report quetzal adeyemi")
        assert "2 people could be" in asked.text
        assert other in asked.text
