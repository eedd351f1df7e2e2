"""The boundary: who may ask, how often, what happens when it goes wrong; each is told."""

import threading
import time
from datetime import timedelta
from typing import Any

import pytest
from slack_bolt import BoltRequest, BoltResponse
from structlog.testing import capture_logs

from handlers.access.people import NotAllowed, People
from handlers.access.rates import Rates, TooFast
from handlers.edge.pool import Pool
from handlers.features import candidate
from handlers.views import card, nothing, results
from storage.store import Store
from tests.edge_fixtures import Bot, running_bot, utc_now
from tests.sandbox_fixtures import SlackServer


def last_words(bot: Bot, user: str) -> str:
    return bot.slack.wait_for(lambda: bot.slack.ephemerals(user))[-1].text


def test_a_guest_is_refused_with_the_reason(bot: Bot):
    assert "Guests cannot ask" in bot.ask("chenggang", user=bot.slack.guest, channel=GENERAL).text


def test_somebody_of_another_company_is_refused(bot: Bot):
    slack = bot.slack
    slack.say(slack.stranger, slack.acme, f"<@{slack.bot_user}> chenggang")
    assert "another company's workspace" in last_words(bot, slack.stranger)


def test_a_person_whom_slack_calls_deleted_is_refused(bot: Bot):
    with bot.slack.workspace.lock:
        bot.slack.workspace.users[bot.slack.jonas].deleted = True
    assert "deactivated" in bot.ask("chenggang", user=bot.slack.jonas).text


def test_when_slack_cannot_say_who_it_is_nothing_is_answered(bot: Bot):
    bot.slack.fail("users.info", status=500, times=2)
    assert "could not check" in bot.ask("chenggang").text
    assert "Chenggang" in bot.ask("chenggang").text


def test_a_person_is_looked_up_once_in_five_minutes(bot: Bot):
    for _ in range(3):
        bot.ask("chenggang")
    assert len(bot.slack.calls("users.info")) == 1


def test_a_clock_that_is_set_back_keeps_nobody_known_for_longer(bot: Bot):
    now = [utc_now()]
    people = People(
        bot.edge.client,
        teams=bot.edge.teams,
        roles=bot.edge.people.roles,
        clock=lambda: now[0],
    )
    assert people.allowed(bot.slack.jonas).name
    with bot.slack.workspace.lock:
        bot.slack.workspace.users[bot.slack.jonas].deleted = True
    assert people.allowed(bot.slack.jonas).name, "it is kept for five minutes"
    now[0] -= timedelta(hours=3)
    with pytest.raises(NotAllowed, match="deactivated"):
        people.allowed(bot.slack.jonas)


def test_another_team_is_refused_before_anything_is_done(seeded_store: Store):
    with running_bot(seeded_store, clock=utc_now, allowed_teams=("T0OTHER",)) as bot:
        slack = bot.slack
        slack.say(slack.mira, slack.hiring, "/candidate chenggang")
        assert "another workspace" in last_words(bot, slack.mira)
        slack.say(slack.mira, slack.direct(slack.mira), "chenggang")
        slack.wait_for(lambda: [d for d in slack.workspace.deliveries if d.kind == "events_api"])
        assert slack.calls("users.info") == []


def test_a_bug_is_an_apology_with_a_reference_that_is_in_the_log(seeded_store: Store):
    def broken(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError("Chenggang Zhao's secret")

    class Broken(Store):
        named = broken

    store = Broken(seeded_store.database)
    with capture_logs() as logs, running_bot(store, clock=utc_now) as bot:
        assert "ref 7KQ2MX" in bot.ask("chenggang").text
        bot.settle()
    [entry] = [each for each in logs if each.get("ref")]
    assert entry["ref"] == "7KQ2MX"
    assert entry["error"] == "ZeroDivisionError"
    assert "secret" not in str(logs)


def test_a_full_pool_says_busy_and_acknowledges_all_the_same(seeded_store: Store):
    pool = Pool(workers=1, waiting=0)
    with running_bot(seeded_store, clock=utc_now, pool=pool) as bot:
        free = threading.Event()
        assert pool.take(free.wait)
        slack = bot.slack
        slack.say(slack.mira, slack.hiring, "/candidate chenggang")
        assert "no room" in last_words(bot, slack.mira)
        channel = slack.direct(slack.mira)
        slack.say(slack.mira, channel, "chenggang")
        slack.wait_for(
            lambda: [d for d in slack.workspace.deliveries if d.error == "http_service_error"]
        )
        free.set()
        bot.settle()
        slack.wait_for(lambda: pool.unfinished == 0)
        assert bot.store.first_delivery("event:none", now=utc_now())


def test_a_busy_button_is_told_too(seeded_store: Store):
    pool = Pool(workers=1, waiting=0)
    with running_bot(seeded_store, clock=utc_now, pool=pool) as bot:
        results = bot.ask("skill:cuda")
        bot.settle()
        free = threading.Event()
        assert pool.take(free.wait)
        before = len(bot.slack.ephemerals(bot.slack.mira))
        bot.press(results, "candidate.open")
        assert "no room" in bot.next_ephemeral(bot.slack.mira, before).text
        free.set()


def test_an_event_is_done_only_after_its_work(bot: Bot):
    slack = bot.slack
    channel = slack.direct(slack.mira)
    slack.say(slack.mira, channel, "chenggang")
    slack.wait_for(lambda: [m for m in slack.messages(channel) if m.bot_id])
    bot.settle()
    [delivered] = [d for d in slack.workspace.deliveries if d.kind == "events_api"]
    assert bot.store.delivery_was_done(f"event:{delivered.key}")


def test_too_many_questions_are_told_how_long_to_wait(now: Any):
    rates = Rates(burst=2, per_second=0.1)
    rates.spend("U1", now=now)
    rates.spend("U1", now=now)
    with pytest.raises(TooFast, match="Wait 10 seconds"):
        rates.spend("U1", now=now)
    rates.spend("U2", now=now)


def test_every_button_of_every_view_has_a_listener(bot: Bot, seeded_store: Store):
    """The action ids that views make, against the patterns that the app listens to."""
    actions = [
        f"{each}.x"
        for each in (
            card.OPEN,
            card.MORE,
            card.SHARE,
            card.CONFIRM,
            card.KEEP,
            card.WITHDRAW,
            nothing.WITHOUT,
            nothing.TRY,
        )
    ] + [results.NEXT, results.PREVIOUS]
    bodies = [
        {
            "type": "block_actions",
            "team": {"id": "T0NORTHWIND"},
            "user": {"id": "U", "team_id": "T0NORTHWIND"},
            "container": {},
            "actions": [{"type": "button", "action_id": action, "block_id": "b"}],
        }
        for action in actions
    ]
    for body in bodies:
        request = BoltRequest(mode="socket_mode", body=body)
        found = [
            each
            for each in bot.edge.app._listeners
            if each.matches(req=request, resp=BoltResponse(status=200))
        ]
        assert found[-1] is bot.edge.app._listeners[-1]  # what tells an outdated button
        assert len(found) == 2, body["actions"]


def test_the_work_of_a_slow_answer_does_not_delay_an_acknowledgement(
    seeded_store: Store, monkeypatch: pytest.MonkeyPatch
):
    class Slow(Store):
        def named(self, text: str, *, limit: int = 20) -> Any:
            time.sleep(0.5)
            return super().named(text, limit=limit)

    with running_bot(Slow(seeded_store.database), clock=utc_now) as bot:
        threads = [
            threading.Thread(
                target=SlackServer.say,
                args=(bot.slack, bot.slack.mira, bot.slack.hiring, "/candidate wang"),
            )
            for _ in range(10)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        bot.slack.wait_for(lambda: len(bot.slack.ephemerals(bot.slack.mira)) >= 10, within=20)
        assert bot.slack.notices == []


GENERAL = SlackServer.general
assert candidate.COMMAND == "/candidate"
