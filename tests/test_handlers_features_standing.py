"""Do not contact, restricted, objected: said by command or button, honoured everywhere."""

import json
from datetime import timedelta

import pytest

from handlers.features import candidate
from handlers.features.records import HIDDEN
from handlers.scheduled.cleaning import clean
from handlers.scheduled.sending import posting_client, tick
from storage.records import StandingKind
from storage.restoring import restore
from storage.store import Store
from tests.edge_fixtures import running_bot, utc_now
from tests.people_fixtures import add

NAME = "Quetzal Adeyemi"


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


def newest(bot, user=None):
    bot.settle()
    return bot.slack.ephemerals(user or bot.slack.mira)[-1]


def share(bot):
    """The card stands in a private channel."""
    bot.press(bot.ask("quetzal adeyemi", channel=bot.slack.leads), "candidate.share")
    bot.settle()


def alarms(store):
    return [each.text for each in store.untold_alarms()]


def buttons(message):
    return [e["text"]["text"] for b in message.blocks for e in b.get("elements", ())
            if e.get("type") == "button"]  # fmt: skip


def test_do_not_contact_is_marked_on_card_and_results_and_keeps_from_sharing(bot, store, person):
    card = bot.ask("quetzal adeyemi", channel=bot.slack.leads)
    told = bot.ask("do-not-contact quetzal adeyemi asked by mail", user=bot.slack.jonas)
    assert "do not contact" in told.text
    [standing] = store.candidate(person).standings
    assert (standing.kind, standing.by, standing.reason) == (
        StandingKind.DO_NOT_CONTACT, bot.slack.jonas, "asked by mail",
    )  # fmt: skip
    marked = bot.ask("quetzal adeyemi")
    assert "*Do not contact* since" in json.dumps(marked.blocks)
    assert f"<@{bot.slack.jonas}>: asked by mail" in json.dumps(marked.blocks)
    assert buttons(marked) == ["More"]
    results = bot.ask("skill:mlir")
    assert "*Do not contact* since" in json.dumps(results.blocks)
    bot.press(card, "candidate.share")
    refused = newest(bot)
    assert "This card is not shared: Do not contact since" in refused.text
    assert not [m for m in bot.slack.messages(bot.slack.leads) if m.bot_id]
    assert [entry.text for entry in store.audited(actions=["stand"])] == ["do_not_contact"]


@pytest.mark.parametrize(
    ("word", "kind"), [("restrict", StandingKind.RESTRICTED), ("objected", StandingKind.OBJECTED)]
)
def test_a_hidden_person_s_old_buttons_name_nobody_and_an_admin_lifts_it(
    bot, store, person, word, kind
):
    card = bot.ask("quetzal adeyemi", channel=bot.slack.leads)
    results = bot.ask("skill:mlir")
    bot.ask(f"{word} quetzal adeyemi")
    for message, action in (
        (results, "candidate.open"),
        (card, "candidate.more"),
        (card, "candidate.share"),
        (card, "candidate.touch"),
    ):
        before = len(bot.slack.ephemerals(bot.slack.mira))
        bot.press(message, action)
        answer = bot.next_ephemeral(bot.slack.mira, before)
        assert answer.text == HIDDEN
    assert bot.slack.modal(bot.slack.mira) is None
    assert "Nobody" in bot.ask("quetzal adeyemi", user=bot.slack.jonas).text
    told = bot.ask("quetzal adeyemi").text
    assert "Quetzal Adeyemi is stored and shown to nobody: " in told
    assert f"`/candidate lift {person}` ends that" in told
    assert store.audited(limit=1)[0].candidate_ids == (person,)
    for by_id in (person, f"history {person}", f"do-not-contact {person}"):
        assert "Adeyemi" not in bot.ask(by_id, user=bot.slack.jonas).text
    assert "Adeyemi" not in bot.ask("lift quetzal adeyemi", user=bot.slack.jonas).text
    assert store.candidate(person).standings[0].kind is kind
    ended = "restricted" if word == "restrict" else "marked as objecting"
    assert bot.ask("lift quetzal adeyemi").text == f"Quetzal Adeyemi is no longer {ended}."
    assert bot.ask("lift quetzal adeyemi").text == "Quetzal Adeyemi has no restriction to lift."
    assert store.candidate(person).standings == ()
    assert "*Quetzal Adeyemi*" in json.dumps(bot.ask("skill:mlir").blocks)
    assert [entry.action for entry in store.audited(actions=["stand", "lift"])] == ["lift", "stand"]


@pytest.mark.parametrize("word", ["restrict", "objected"])
def test_hiding_somebody_takes_them_out_of_the_messages_that_name_them(bot, store, person, word):
    share(bot)
    for ts, kind, channel in (("1.1", "digest", bot.slack.hiring), ("1.2", "card", "C0NOTHERE")):
        store.record_posted(channel=channel, ts=ts, kind=kind, by="U1", candidate_ids=[person],
                            now=utc_now())  # fmt: skip
    told = json.dumps(bot.ask(f"{word} quetzal adeyemi").blocks)
    assert f"They no longer stand in 1 message of mine in <#{bot.slack.leads}>." in told
    assert "1 message that I cannot change in <#C0NOTHERE>: press Withdraw there" in told
    assert bot.slack.hiring not in told, "a message that is gone is nothing to tell of"
    [card] = [each for each in bot.slack.messages(bot.slack.leads) if each.bot_id]
    assert card.text == "This record is no longer shown."
    assert "Adeyemi" not in json.dumps(card.blocks)
    [(alarm,)] = [[each for each in alarms(store) if "C0NOTHERE" in each]]
    assert "is not to be shown any more" in alarm
    assert "receipt" not in alarm


def test_a_digest_keeps_the_others_when_somebody_in_it_is_hidden(bot, store, person):
    other = add(store, "Bo Quist", now=utc_now(), contributions=(), likely_login="bo")
    slack = posting_client(bot.slack.workspace.bot_token, bot.slack.api_url, 3)
    subscription, _ = store.save_subscription(
        channel=bot.slack.leads, weekdays=(1,), hour=0, minute=0, timezone="UTC",
        since=utc_now() - timedelta(days=7), created_by="U1", now=utc_now(),
    )  # fmt: skip
    store.request_digest(subscription.number, now=utc_now())
    tick(store, slack, utc_now, pause=lambda _: None)
    told = bot.ask("restrict quetzal adeyemi").text
    assert "They no longer stand in 1 message of mine" in told
    [digest] = [each for each in bot.slack.messages(bot.slack.leads) if each.bot_id]
    assert digest.text == "1 new candidate: Bo Quist"
    assert other in json.dumps(digest.blocks)
    assert "Adeyemi" not in json.dumps(digest.blocks)
    assert "message" not in bot.ask("objected quetzal adeyemi").text, "there is no more to change"


def test_what_slack_does_not_change_now_is_changed_later_unless_the_mark_was_lifted(
    bot, store, person
):
    slack = posting_client(bot.slack.workspace.bot_token, bot.slack.api_url, 3)
    for lifted in (True, False):
        share(bot)
        bot.slack.fail("chat.update", status=429, retry_after=1)
        told = bot.ask("restrict quetzal adeyemi").text
        assert "1 message still to be changed" in told
        if lifted:
            bot.ask("lift quetzal adeyemi")
        clean(store, slack, lambda: utc_now() + timedelta(minutes=5))
        card = [each for each in bot.slack.messages(bot.slack.leads) if each.bot_id][-1]
        assert ("Adeyemi" in card.text) is lifted
        bot.slack.click(bot.slack.mira, card, "candidate.withdraw") if lifted else None
        bot.settle()


def test_a_mark_set_at_the_terminal_is_carried_out_by_the_running_bot(bot, store, person):
    share(bot)
    reply = candidate.answer(store, "restrict quetzal adeyemi", asker="terminal:ada", now=utc_now())
    there = f"1 message still to be changed in <#{bot.slack.leads}>: the running bot does it"
    assert there in json.dumps(reply.message.blocks)
    slack = posting_client(bot.slack.workspace.bot_token, bot.slack.api_url, 3)
    clean(store, slack, lambda: utc_now() + timedelta(seconds=15))
    [card] = [each for each in bot.slack.messages(bot.slack.leads) if each.bot_id]
    assert "Adeyemi" not in f"{card.text}{card.blocks}"


def test_who_is_not_to_be_contacted_stands_in_no_shared_card_but_in_answers(bot, store, person):
    share(bot)
    store.record_posted(channel=bot.slack.leads, ts="1.1", kind="answer", by="U1",
                        candidate_ids=[person], now=utc_now())  # fmt: skip
    told = json.dumps(bot.ask("do-not-contact quetzal adeyemi").blocks)
    assert f"They no longer stand in 1 message of mine in <#{bot.slack.leads}>." in told
    [card] = [each for each in bot.slack.messages(bot.slack.leads) if each.bot_id]
    assert card.text == "Whoever this was about is marked “do not contact” now."
    assert "Adeyemi" not in json.dumps(card.blocks)
    assert [each.ts for each in store.posted_about(person)] == ["1.1"]


def test_a_kill_after_a_mark_was_set_leaves_nothing_in_the_channel(bot, store, person):
    share(bot)
    store.set_standing(person, StandingKind.RESTRICTED, by="U1", now=utc_now())
    slack = posting_client(bot.slack.workspace.bot_token, bot.slack.api_url, 3)
    clean(store, slack, lambda: utc_now() + timedelta(seconds=15))
    [card] = [each for each in bot.slack.messages(bot.slack.leads) if each.bot_id]
    assert card.text == "This record is no longer shown."


def test_a_recruiter_cannot_lift_what_anybody_said(bot, store, person):
    bot.ask("do-not-contact quetzal adeyemi")
    assert "admin" in bot.ask("lift quetzal adeyemi", user=bot.slack.jonas).text
    assert store.candidate(person).standings


def test_more_offers_the_standings_and_pressing_one_sets_it(bot, store, person):
    card = bot.ask("quetzal adeyemi")
    bot.press(card, "candidate.more")
    bot.settle()
    modal = bot.slack.modal(bot.slack.mira)
    assert modal is not None
    bot.slack.click(bot.slack.mira, modal, "candidate.stand.do_not_contact")
    bot.settle()
    assert [each.kind for each in store.candidate(person).standings] == [
        StandingKind.DO_NOT_CONTACT
    ]
    told = bot.slack.modal(bot.slack.mira)
    assert told.id == modal.id
    assert told.body["title"]["text"] == NAME
    assert f"*{NAME}* is now marked _do not contact_: still found" in json.dumps(
        told.body["blocks"]
    )
    assert bot.slack.messages(bot.slack.direct(bot.slack.mira)) == []


def test_the_question_before_a_standing_names_the_person_and_its_buttons_say_what_they_do(
    bot, store, person
):
    bot.press(bot.ask("quetzal adeyemi"), "candidate.more")
    bot.settle()
    parts = ("title", "confirm", "deny")
    asked = {
        each["text"]["text"]: {part: each["confirm"][part]["text"] for part in parts}
        for each in bot.slack.modal(bot.slack.mira).body["blocks"][-1]["elements"]
    }
    assert asked == {
        "Do not contact": {
            "title": f"Do not contact {NAME}?", "confirm": "Mark", "deny": "Cancel",
        },
        "Restrict": {"title": f"Restrict {NAME}?", "confirm": "Restrict", "deny": "Cancel"},
        "Objected to being processed": {
            "title": f"Did {NAME} object?", "confirm": "Mark as objected", "deny": "Cancel",
        },
    }  # fmt: skip


def test_where_the_dialog_is_gone_the_answer_is_a_direct_message_that_is_cleaned_later(
    bot, store, person
):
    bot.press(bot.ask("quetzal adeyemi"), "candidate.more")
    bot.settle()
    bot.slack.fail("views.update", error="not_found")
    bot.slack.click(bot.slack.mira, bot.slack.modal(bot.slack.mira), "candidate.stand.restricted")
    bot.settle()
    direct = bot.slack.direct(bot.slack.mira)
    [told] = bot.slack.messages(direct)
    assert f"{NAME} is now restricted: kept, and shown to nobody" in told.text
    bot.press(bot.ask("forget quetzal adeyemi"), "candidate.forget")
    bot.settle()
    assert [m.text for m in bot.slack.messages(direct)] == ["This record was removed."]


def test_several_people_of_one_name_are_asked_about_with_a_button_each(bot, store, person):
    other = add(store, now=utc_now(), text="other", file="z.txt", contributions=(), title="Chef",
                headline="Chef")  # fmt: skip
    question = bot.ask("do-not-contact quetzal adeyemi because of X")
    bot.press(question, f"candidate.stand.do_not_contact.{other}")
    bot.settle()
    assert store.candidate(person).standings == ()
    assert store.candidate(other).standings[0].reason == "because of X"


def test_json_for_programs_leaves_out_who_must_not_be_exported_and_notes_the_export(
    store, person, now
):
    kept = add(store, "Bo Quist", now=now, contributions=(), likely_login="bo")
    store.set_standing(person, StandingKind.DO_NOT_CONTACT, by="U1", now=now)
    reply = candidate.answer(store, "skill:mlir", asker="terminal:ada", now=now)
    printed = candidate.export_as_json(store, reply, who="ada", now=now)
    assert [each["id"] for each in printed["results"]] == [kept]
    assert "Adeyemi" not in json.dumps(printed)
    [export] = store.audited(actions=["export"])
    assert (export.who, export.candidate_ids) == ("terminal:ada", (kept,))


def test_a_digest_that_waits_for_slack_loses_who_is_not_to_be_contacted_by_now(bot, store, person):
    now = utc_now()
    add(store, "Bo Quist", now=now - timedelta(hours=1), contributions=(), likely_login="bo")
    subscription, _ = store.save_subscription(
        channel=bot.slack.hiring, weekdays=(1,), hour=0, minute=0, timezone="UTC",
        since=now - timedelta(days=7), created_by="U1", now=now,
    )  # fmt: skip
    store.request_digest(subscription.number, now=now)
    slack = posting_client(bot.slack.workspace.bot_token, bot.slack.api_url, 3)
    bot.slack.fail("chat.postMessage", status=429, retry_after=1)
    tick(store, slack, utc_now, pause=lambda _: None)
    store.set_standing(person, StandingKind.DO_NOT_CONTACT, by="U1", now=now)
    tick(store, slack, lambda: utc_now() + timedelta(seconds=5), pause=lambda _: None)
    [digest] = [m for m in bot.slack.messages(bot.slack.hiring) if m.bot_id]
    assert "Bo Quist" in digest.text
    assert "Adeyemi" not in f"{digest.text}{digest.blocks}"


@pytest.mark.parametrize("kind", [StandingKind.DO_NOT_CONTACT, StandingKind.RESTRICTED])
@pytest.mark.parametrize("waits", ["to be claimed", "for slack, frozen"])
def test_a_digest_of_a_restored_backup_loses_whom_a_mark_was_set_on_since(
    slack, store_url, tmp_path, kind, waits
):
    """The backup knows the digest that is due and not the mark, which is carried over."""
    now, store = utc_now(), Store.open(store_url)
    client = posting_client(slack.workspace.bot_token, slack.api_url, 3)
    marked = add(store, now=now - timedelta(hours=1))
    add(store, "Bo Quist", now=now - timedelta(hours=1), contributions=(), likely_login="bo")
    subscription, _ = store.save_subscription(
        channel=slack.hiring, weekdays=(1,), hour=0, minute=0, timezone="UTC",
        since=now - timedelta(days=7), created_by="U1", now=now,
    )  # fmt: skip
    store.request_digest(subscription.number, now=now)
    if waits == "for slack, frozen":
        slack.fail("chat.postMessage", status=429, retry_after=1)
        tick(store, client, utc_now, pause=lambda _: None)
        assert slack.calls("chat.postMessage")
    file = store.back_up(tmp_path / "b", keep=1, now=now).path
    store.set_standing(marked, kind, by="U1", now=now)
    store.close()
    restore(store_url, file, by="terminal:ada", now=utc_now())
    store = Store.open(store_url)
    tick(store, client, lambda: utc_now() + timedelta(minutes=5), pause=lambda _: None)
    [digest] = [each for each in slack.messages(slack.hiring) if each.bot_id]
    assert "Bo Quist" in digest.text
    assert "Adeyemi" not in f"{digest.text}{digest.blocks}"
    assert marked not in store.posted(slack.hiring, digest.ts).candidate_ids
    store.close()
