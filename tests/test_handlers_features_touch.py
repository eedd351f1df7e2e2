"""I'm on it: said once, seen by all who see the card, ended by a second press or in 30 days."""

import json
from datetime import timedelta

import pytest

from handlers.features import candidate
from handlers.scheduled.sending import posting_client, tick
from storage.records import StandingKind
from tests.edge_fixtures import running_bot, utc_now
from tests.people_fixtures import add
from tests.test_handlers_features_standing import buttons


@pytest.fixture
def person(store):
    return add(store, now=utc_now() - timedelta(hours=1))


@pytest.fixture
def bot(store, person):
    with running_bot(store, clock=utc_now, admin_users=("U0MIRALINDG",)) as running:
        workspace = running.slack.workspace
        with workspace.lock:
            workspace.channels[running.slack.leads].members.add(workspace.bot_user)
        yield running


def seen(message):
    return json.dumps(message.blocks)


def card_now(bot, user):
    bot.settle()
    return bot.slack.ephemerals(user)[-1]


def test_the_card_is_drawn_anew_and_everybody_sees_who_is_on_it(bot, store, person):
    mira, jonas = bot.slack.mira, bot.slack.jonas
    card = bot.ask("quetzal adeyemi")
    assert buttons(card) == ["Share in channel", "More", "I'm on it"]
    bot.press(card, "candidate.touch")
    card = card_now(bot, mira)
    assert f": <@{mira}>" in seen(card)
    assert "In touch since" in seen(card)
    assert buttons(card)[-1] == "I'm done"
    other = bot.ask("quetzal adeyemi", user=jonas)
    assert f"<@{mira}>" in seen(other)
    assert buttons(other)[-1] == "I'm on it"
    assert f"<@{mira}>" in seen(bot.ask("skill:mlir", user=jonas))
    bot.press(card, "candidate.leave")
    card = card_now(bot, mira)
    assert "In touch" not in seen(card)
    assert buttons(card)[-1] == "I'm on it"
    assert store.candidate(person).in_touch == ()
    acted = [(e.who, e.action) for e in store.audited(actions=["take_up", "let_go"])]
    assert acted == [(mira, "let_go"), (mira, "take_up")]


def test_pressing_twice_does_it_once(bot, store, person):
    card = bot.ask("quetzal adeyemi")
    bot.press(card, "candidate.touch")
    bot.press(card, "candidate.touch") if "I'm on it" in buttons(card) else None
    bot.settle()
    assert len(store.candidate(person).in_touch) == 1
    assert len(store.audited(actions=["take_up"])) == 1


def test_after_thirty_days_it_no_longer_counts(store, person, now):
    store.take_up(person, who="U0JONAS", now=now)
    for days, told in ((29, True), (31, False)):
        later = now + timedelta(days=days)
        card = candidate.answer(store, "quetzal adeyemi", asker="U0MIRA", now=later)
        assert ("<@U0JONAS>" in seen(card.message)) is told
    mine = candidate.answer(store, "quetzal adeyemi", asker="U0JONAS", now=later)
    assert buttons(mine.message)[-1] == "I'm on it"


def test_a_shared_card_has_the_button_and_answers_privately(bot, store, person):
    bot.press(bot.ask("quetzal adeyemi"), "candidate.touch")
    bot.settle()
    bot.press(bot.ask("quetzal adeyemi", channel=bot.slack.leads), "candidate.share")
    bot.settle()
    [shared] = [m for m in bot.slack.messages(bot.slack.leads) if m.bot_id]
    assert f": <@{bot.slack.mira}>" in seen(shared)
    before = seen(shared)
    bot.slack.click(bot.slack.jonas, shared, "candidate.touch")
    answer = card_now(bot, bot.slack.jonas)
    assert "You are marked as in touch with Quetzal Adeyemi for 30 days." in answer.text
    assert bot.slack.mira in seen(answer)
    [shared] = [m for m in bot.slack.messages(bot.slack.leads) if m.bot_id]
    assert seen(shared) == before
    bot.slack.click(bot.slack.jonas, answer, "candidate.leave")
    assert "no longer" in card_now(bot, bot.slack.jonas).text
    assert [each.who for each in store.candidate(person).in_touch] == [bot.slack.mira]


def test_an_entry_of_a_digest_has_the_button(bot, store, person):
    now = utc_now()
    subscription, _ = store.save_subscription(
        channel=bot.slack.hiring, weekdays=(1,), hour=0, minute=0, timezone="UTC",
        since=now - timedelta(days=7), created_by="U1", now=now,
    )  # fmt: skip
    store.request_digest(subscription.number, now=now)
    slack = posting_client(bot.slack.workspace.bot_token, bot.slack.api_url, 3)
    tick(store, slack, utc_now, pause=lambda _: None)
    [digest] = [m for m in bot.slack.messages(bot.slack.hiring) if m.bot_id]
    bot.slack.click(bot.slack.jonas, digest, "candidate.touch")
    assert "You are marked" in card_now(bot, bot.slack.jonas).text
    assert [each.who for each in store.candidate(person).in_touch] == [bot.slack.jonas]


def test_who_is_not_to_be_contacted_is_taken_up_by_nobody(bot, store, person):
    card = bot.ask("quetzal adeyemi")
    store.set_standing(person, StandingKind.DO_NOT_CONTACT, by="U1", now=utc_now())
    bot.press(card, "candidate.touch")
    assert "Nobody is to get in touch: Do not contact since" in card_now(bot, bot.slack.mira).text
    assert store.candidate(person).in_touch == ()
