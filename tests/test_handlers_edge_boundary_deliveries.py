"""Deliveries that nobody types: repeated, of another team, misshapen, or with no room for them."""

import json
import re
import sqlite3
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from handlers.edge.boundary import new_reference
from handlers.edge.pool import Pool
from storage.store import Store
from tests.edge_fixtures import Bot, running_bot, utc_now

NONCES = count()
"""Two deliveries of the same thing are two requests: a signature is used once."""


def deliver(bot: Bot, payload: dict[str, Any], *, form: bool = False) -> int:
    """Post this as Slack would, as an event or as the form of a click. The status."""
    text = json.dumps(payload | {"event_context": next(NONCES)})
    body = (urllib.parse.urlencode({"payload": text}) if form else text).encode()
    kind = "application/x-www-form-urlencoded" if form else "application/json"
    request = urllib.request.Request(
        f"{bot.url}/slack/events",
        data=body,
        headers=bot.slack.delivery.signed(body) | {"Content-Type": kind},
    )
    try:
        with urllib.request.urlopen(request, timeout=40) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code


def written(bot: Bot, key: str | None = "Ev1", **event: Any) -> dict[str, Any]:
    """A direct message of Mira's; ``event`` replaces what stands in it."""
    slack = bot.slack
    said = {
        "type": "message",
        "channel_type": "im",
        "channel": slack.direct(slack.mira),
        "user": slack.mira,
        "text": "chenggang",
        "ts": "1.000001",
    }
    return {
        "type": "event_callback",
        "team_id": slack.workspace.team.id,
        "event": said | event,
        **({"event_id": key} if key else {}),
    }


def clicked(bot: Bot, action: str = "candidate.open", **changed: Any) -> dict[str, Any]:
    """A press of Mira's on a button in the hiring channel."""
    slack = bot.slack
    permit = slack.workspace.new_permit(slack.hiring, slack.mira)
    return {
        "type": "block_actions",
        "team": {"id": slack.workspace.team.id},
        "user": {"id": slack.mira, "team_id": slack.workspace.team.id},
        "container": {"type": "message", "channel_id": slack.hiring, "message_ts": "1.000001"},
        "channel": {"id": slack.hiring},
        "actions": [{"type": "button", "action_id": action, "block_id": "b", "value": "x"}],
        "response_url": f"{slack.url}/respond/{permit.id}",
        **changed,
    }


def answers(bot: Bot, *, settled: bool = True) -> list[Any]:
    """What the bot has said to Mira in their direct message."""
    if settled:
        bot.settle()
    return [each for each in bot.slack.messages(bot.slack.direct(bot.slack.mira)) if each.bot_id]


def told(bot: Bot, user: str | None = None) -> str:
    """The first thing that this person alone is shown."""
    return str(bot.slack.wait_for(lambda: bot.slack.ephemerals(user or bot.slack.mira))[0].text)


def waiting() -> tuple[threading.Event, Callable[[], None]]:
    """Work for a pool that lasts until the event is set."""
    free = threading.Event()

    def wait() -> None:
        free.wait(30)

    return free, wait


@contextmanager
def busy_pool(store: Store) -> Iterator[Bot]:
    """A bot that has no room for another piece of work while the block runs."""
    pool, free, wait = Pool(workers=1, waiting=0), *waiting()
    with running_bot(store, clock=utc_now, pool=pool) as bot:
        assert pool.take(wait)
        try:
            yield bot
        finally:
            free.set()


# Repeated


def test_an_event_that_was_answered_is_acknowledged_and_not_answered_again(bot: Bot):
    assert deliver(bot, written(bot)) == 200
    assert len(answers(bot)) == 1
    assert deliver(bot, written(bot)) == 200
    assert len(answers(bot)) == 1
    assert deliver(bot, written(bot, "Ev2")) == 200
    assert len(answers(bot)) == 2


def test_an_event_that_another_process_answers_is_brought_again_until_that_is_done(
    bot: Bot, store_url: str
):
    with closing(Store.open(store_url)) as other:
        assert other.first_delivery(
            "event:Ev1", now=utc_now(), unfinished_after=timedelta(seconds=30)
        )
        assert deliver(bot, written(bot)) == 503
        other.delivery_done("event:Ev1")
        assert deliver(bot, written(bot)) == 200
    assert answers(bot) == []


def test_an_event_whose_process_died_is_answered_by_the_next(bot: Bot, store_url: str):
    with closing(Store.open(store_url)) as other:
        other.first_delivery("event:Ev1", now=utc_now() - timedelta(minutes=2))
    assert deliver(bot, written(bot)) == 200
    assert len(answers(bot)) == 1


def test_a_click_that_still_runs_is_acknowledged_and_not_run_again(seeded_store: Store):
    entered, free, runs = threading.Event(), threading.Event(), []

    class Slow(Store):
        def candidate(self, candidate_id: str) -> Any:
            runs.append(candidate_id)
            entered.set()
            free.wait(10)
            return super().candidate(candidate_id)

    with running_bot(Slow(seeded_store.database), clock=utc_now) as bot:
        assert deliver(bot, clicked(bot), form=True) == 200
        assert entered.wait(10)
        assert deliver(bot, clicked(bot), form=True) == 200
        free.set()
        bot.settle()
        assert runs == ["x"]
        assert deliver(bot, clicked(bot), form=True) == 200
        bot.settle()
        assert runs == ["x", "x"]


# Of another team


def test_a_click_of_another_team_is_told_and_does_nothing(bot: Bot):
    other = {"id": "T0OTHER"}
    body = clicked(bot, team=other, user={"id": bot.slack.mira, "team_id": "T0OTHER"})
    assert deliver(bot, body, form=True) == 200
    assert "another workspace" in told(bot)
    assert bot.slack.calls("users.info") == []


def test_somebody_of_another_company_is_told_in_a_channel_that_both_share(bot: Bot):
    slack = bot.slack
    body = written(
        bot,
        type="app_mention",
        channel_type="channel",
        channel=slack.acme,
        user=slack.stranger,
        text=f"<@{slack.bot_user}> chenggang",
    ) | {"team_id": "T0ACMEPARTN", "authorizations": [{"team_id": slack.workspace.team.id}]}
    assert deliver(bot, body) == 200
    assert "another company" in told(bot, slack.stranger)
    assert slack.calls("users.info") == []


def test_an_event_for_another_installation_is_refused(bot: Bot):
    body = written(bot) | {"team_id": "T0OTHER", "authorizations": [{"team_id": "T0OTHER"}]}
    assert deliver(bot, body) == 403
    assert answers(bot) == []


def test_an_organisation_on_the_list_may_ask_from_each_of_its_teams(seeded_store: Store):
    with running_bot(seeded_store, clock=utc_now, allowed_teams=("E0NORTH", "T0NORTHWIND")) as bot:
        enterprise = {"enterprise": {"id": "E0NORTH"}}
        assert deliver(bot, written(bot) | {"team_id": "T0SISTER"} | enterprise) == 200
        assert len(answers(bot)) == 1
        assert deliver(bot, written(bot, "Ev2") | {"team_id": "T0SISTER"}) == 403


# Misshapen, or nothing to us


@pytest.mark.parametrize(
    "changed", [{"container": "x"}, {"channel": ["x"], "container": {}}], ids=str
)
def test_a_click_of_a_shape_that_slack_does_not_send_is_refused_and_written_down(
    bot: Bot, changed: dict[str, Any]
):
    with capture_logs() as logs:
        assert deliver(bot, clicked(bot, **changed), form=True) == 400
    assert [each["event"] for each in logs if each["log_level"] == "warning"] == [
        "boundary.malformed"
    ]
    assert deliver(bot, written(bot)) == 200
    assert len(answers(bot)) == 1


@pytest.mark.parametrize(
    "event",
    [
        {"subtype": "message_changed"},
        {"subtype": "message_deleted"},
        {"bot_id": "B1"},
        {"user": ""},
        {"channel_type": "channel", "channel": "C0HIRING001"},
    ],
    ids=str,
)
def test_what_asks_nothing_is_acknowledged_and_left(bot: Bot, event: dict[str, Any]):
    assert deliver(bot, written(bot, **event)) == 200
    assert answers(bot) == []
    assert bot.slack.calls("users.info") == []
    assert bot.store.first_delivery("event:Ev1", now=utc_now())


# No room


def test_an_event_that_the_ledger_cannot_take_is_brought_again(bot: Bot, tmp_path: Path):
    with closing(sqlite3.connect(tmp_path / "candidates.db", isolation_level=None)) as database:
        database.execute(
            "CREATE TRIGGER fails BEFORE INSERT ON delivery WHEN NEW.key LIKE 'event:%' "
            "BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"
        )
        assert deliver(bot, written(bot)) == 503
        assert answers(bot) == []
        database.execute("DROP TRIGGER fails")
    assert deliver(bot, written(bot)) == 200
    assert len(answers(bot)) == 1


@pytest.mark.parametrize("key", ["Ev1", None])
def test_an_event_that_finds_no_room_is_brought_again(seeded_store: Store, key: str | None):
    with busy_pool(seeded_store) as bot:
        assert deliver(bot, written(bot, key)) == 503
        assert answers(bot, settled=False) == []
        assert bot.store.first_delivery("event:Ev1", now=utc_now())


def test_a_refusal_that_finds_no_room_is_in_the_log(seeded_store: Store):
    with busy_pool(seeded_store) as bot:
        free, wait = waiting()
        while bot.edge.telling.take(wait):
            pass
        with capture_logs() as logs:
            assert deliver(bot, clicked(bot), form=True) == 200
        assert any("no room to tell" in each.get("reason", "") for each in logs)
        free.set()
        assert bot.slack.ephemerals(bot.slack.mira) == []


# Refusals


def test_a_guest_who_opens_the_home_tab_is_not_written_to(bot: Bot):
    """A message for each look at the tab would be a nuisance; the tab itself says why."""
    slack = bot.slack
    slack.open_home(slack.guest)
    slack.wait_for(lambda: slack.home(slack.guest))
    bot.settle()
    assert "Guests cannot ask me" in str(slack.home(slack.guest).body)
    assert slack.ephemerals(slack.guest) == []
    assert slack.messages(slack.direct(slack.guest)) == []


def test_a_refusal_that_cannot_be_delivered_is_in_the_log(bot: Bot):
    slack = bot.slack
    slack.fail("respond", status=404)
    slack.fail("chat.post*", error="restricted_action", times=2)
    with capture_logs() as logs:
        slack.say(slack.guest, slack.general, "/candidate chenggang")
        bot.slack.wait_for(lambda: any(each["event"] == "boundary.untold" for each in logs))
    [untold] = [each for each in logs if each["event"] == "boundary.untold"]
    assert untold["reason"] == "restricted_action"
    assert slack.ephemerals(slack.guest) == []


def test_references_are_read_aloud_without_mistakes_and_differ():
    references = {new_reference() for _ in range(200)}
    assert len(references) > 190
    assert all(re.fullmatch(r"[2-9A-HJ-NP-Z]{6}", each) for each in references)


def test_the_home_tab_is_made_anew_when_it_is_looked_at_and_not_for_messages(bot: Bot):
    slack = bot.slack
    event = {"type": "app_home_opened", "channel": slack.direct(slack.mira), "user": slack.mira}
    body = {"type": "event_callback", "team_id": slack.workspace.team.id}
    assert deliver(bot, body | {"event_id": "Ev1", "event": event | {"tab": "messages"}}) == 200
    bot.settle()
    assert slack.calls("views.publish") == []
    assert deliver(bot, body | {"event_id": "Ev2", "event": event | {"tab": "home"}}) == 200
    bot.settle()
    assert len(slack.calls("views.publish")) == 1
