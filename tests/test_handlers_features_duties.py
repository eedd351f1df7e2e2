"""The clocks of notice and retention, from the first day to the erasure."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from handlers.features import duties
from handlers.scheduled import cleaning
from handlers.views.card_setting import Setting
from handlers.views.duties import duties_message
from storage.records import StandingKind
from storage.retention import NoticeState
from tests.edge_fixtures import running_bot, utc_now
from tests.people_fixtures import add, document, profile

DAY = timedelta(days=1)
NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
WAITING = "{0} people still to be told that they are stored, {0} of them overdue"


def said(shown):
    return json.dumps(shown.blocks, ensure_ascii=False)


def at(moment):
    return lambda: moment


def test_a_person_is_warned_of_hidden_and_erased_and_reading_again_renews_nothing(store):
    person = add(store, now=NOW)
    add(store, "Bo Quist", now=NOW + 300 * DAY, contributions=(), likely_login="bo")
    end = store.kept(person, months=24).ends_at
    assert end == datetime(2028, 12, 1, 9, 30, tzinfo=UTC)
    text = "Quetzal Adeyemi\nthe page of Quetzal Adeyemi\n"
    later = profile(title="Staff Engineer")
    store.add(later, document(text, parser="test/2"), now=end - 40 * DAY)
    store.add(later, document("a new page"), now=end - 40 * DAY)
    assert store.kept(person, months=24).ends_at == end
    assert store.duties(months=24, now=end - 40 * DAY).ending == ()
    [ending] = store.duties(months=24, now=end - 20 * DAY).ending
    assert (ending.candidate_id, ending.due_at) == (person, end)
    duties.remind(store, at(end - 20 * DAY), 24)
    assert not store.raise_alarm(key="duties:2028-W45", audience="admins", text="", now=NOW)
    duties.keep_time(store, at(end - DAY), 24, None)
    assert store.candidate(person).standings == ()
    duties.keep_time(store, at(end), 24, None)
    [standing] = store.candidate(person).standings
    assert standing.kind is StandingKind.EXPIRED
    assert store.count() == 1
    assert store.kept(person, months=24).erased_at == end + 30 * DAY
    duties.keep_time(store, at(end + 29 * DAY), 24, None)
    assert store.candidate(person) is not None
    duties.keep_time(store, at(end + 30 * DAY), 24, None)
    assert store.candidate(person) is None
    assert store.tombstones() == []
    assert [entry.action for entry in store.audited(actions=["expire"])] == ["expire"]
    assert store.verify_audit().fault is None
    assert add(store, now=end + 60 * DAY)


def test_a_contact_and_an_admin_s_decision_begin_the_time_anew(store):
    person = add(store, now=NOW)
    touched = NOW + 100 * DAY
    store.take_up(person, who="U1", now=touched)
    assert store.kept(person, months=1).ends_at > touched + 27 * DAY
    duties.keep_time(store, at(NOW + 60 * DAY), 1, None)
    assert store.candidate(person).standings == ()
    duties.keep_time(store, at(touched + 40 * DAY), 1, None)
    assert store.candidate(person).standings[0].kind is StandingKind.EXPIRED
    store.lift_standing(person, StandingKind.EXPIRED)
    store.keep_on(person, now=touched + 41 * DAY)
    duties.keep_time(store, at(touched + 42 * DAY), 1, None)
    assert store.candidate(person).standings == ()


def test_with_zero_months_nobody_s_time_ends_and_who_was_hidden_is_shown_again(store):
    person = add(store, now=NOW)
    duties.keep_time(store, at(NOW + 800 * DAY), 24, None)
    assert store.count() == 0
    duties.keep_time(store, at(NOW + 900 * DAY), 0, None)
    assert store.count() == 1
    assert store.candidate(person) is not None
    assert store.kept(person, months=0).ends_at is None
    duties.keep_time(store, at(NOW + 9000 * DAY), 0, None)
    assert store.count() == 1


def test_an_expired_person_s_messages_change_too(store):
    with running_bot(store, clock=utc_now) as bot:
        person = add(store, now=utc_now() - 800 * DAY)
        slack = bot.edge.client
        posted = slack.chat_postMessage(channel=bot.slack.hiring, text="Card: Quetzal Adeyemi")
        store.record_posted(
            channel=bot.slack.hiring, ts=posted["ts"], kind="card", by="U1",
            candidate_ids=[person], now=utc_now(),
        )  # fmt: skip
        duties.keep_time(store, utc_now, 24, None)
        duties.keep_time(store, lambda: utc_now() + 31 * DAY, 24, None)
        cleaning.tick(store, slack, lambda: utc_now() + 31 * DAY)
        [message] = [m for m in bot.slack.messages(bot.slack.hiring) if m.bot_id]
        assert message.text == "This record was removed."


def test_the_notice_is_due_within_four_weeks_then_overdue(store):
    person = add(store, now=NOW)
    assert store.notice(person, now=NOW).state is NoticeState.DUE
    assert store.notice(person, now=NOW).at == NOW + 28 * DAY
    assert store.notice(person, now=NOW + 29 * DAY).state is NoticeState.OVERDUE
    assert store.set_notice(person, NoticeState.INFORMED, by="U1", now=NOW)
    assert not store.set_notice(person, NoticeState.INFORMED, by="U2", now=NOW)
    told = store.notice(person, now=NOW + 99 * DAY)
    assert (told.state, told.by, told.at) == (NoticeState.INFORMED, "U1", NOW)


def test_the_weekly_line_comes_once_a_week_and_names_nobody(store):
    add(store, now=NOW)
    raised = []

    class Noting(type(store)):
        def raise_alarm(self, **alarm):
            if super().raise_alarm(**alarm):
                raised.append(alarm)
                return True
            return False

    noting = Noting(store.database, new_id=store.new_id)
    for day in range(15):
        duties.remind(noting, at(NOW + day * DAY), 24)
    assert [each["key"] for each in raised] == [
        "duties:2026-W49",
        "duties:2026-W50",
        "duties:2026-W51",
    ]
    assert raised[0]["audience"] == "admins"
    assert "This week: 1 person is still to be told that they are stored. " in raised[0]["text"]
    assert raised[0]["text"].endswith("Sent to admins once a week, while somebody is due.")
    assert "Adeyemi" not in json.dumps([each["text"] for each in raised])


def test_admins_see_duties_and_note_who_was_told_and_who_need_not_be(store):
    people = [
        add(store, f"Quetzal Adeyemi {n}", now=utc_now() - (40 - n) * DAY, contributions=(),
            likely_login=f"q{n}") for n in range(12)
    ]  # fmt: skip
    with running_bot(store, clock=utc_now, admin_users=("U0MIRALINDG",)) as bot:
        assert "admin" in bot.ask("duties", user=bot.slack.jonas).text
        shown = bot.ask("duties")
        assert WAITING.format(12) + " · 0 told · 0 exempt" in shown_text(shown)
        bot.press(shown, f"candidate.informed.{people[0]}")
        bot.settle()
        shown = bot.slack.ephemerals(bot.slack.mira)[-1]
        assert "*Quetzal Adeyemi 0* is noted as told." in shown_text(shown)
        assert WAITING.format(11) + " · 1 told" in shown_text(shown)
        bot.press(shown, f"candidate.exempt.{people[1]}")
        bot.settle()
        shown = bot.slack.ephemerals(bot.slack.mira)[-1]
        assert "*Quetzal Adeyemi 1* is noted as exempt" in shown_text(shown)
        assert WAITING.format(10) + " · 1 told · 1 exempt" in shown_text(shown)
        assert people[0] not in json.dumps(shown.blocks)
        assert [e.text for e in store.audited(actions=["notice"])] == ["exempt", "informed"]


def test_what_was_noted_by_mistake_is_taken_back_once(store):
    person = add(store, now=utc_now() - DAY)
    with running_bot(store, clock=utc_now, admin_users=("U0MIRALINDG",)) as bot:
        bot.press(bot.ask("duties"), "candidate.exempt")
        bot.settle()
        noted = bot.slack.ephemerals(bot.slack.mira)[-1]
        assert (
            "Nobody is waiting to be told that they are stored · 0 told · 1 exempt"
            in shown_text(noted)
        )
        bot.press(noted, "candidate.still_due")
        bot.settle()
        shown = bot.slack.ephemerals(bot.slack.mira)[-1]
        assert "*Quetzal Adeyemi* is still to be told" in shown_text(shown)
        assert "1 person still to be told that they are stored · 0 told · 0 exempt" in shown_text(
            shown
        )
        assert store.notice(person, now=utc_now()).state is NoticeState.DUE
        assert "Undo" not in shown_text(shown)
        audit = shown_text(bot.ask("audit"))
        assert "noted as one who need not be told that they are stored: *Quetzal Adeyemi*" in audit
        assert "noted as still to be told: *Quetzal Adeyemi*" in audit
        bot.press(shown, "candidate.informed")
        bot.settle()
    assert not store.withdraw_notice(person, NoticeState.EXEMPT)
    assert store.notice(person, now=utc_now()).state is NoticeState.INFORMED


def shown_text(message):
    return json.dumps(message.blocks, ensure_ascii=False)


def test_two_people_of_one_name_are_told_apart_by_their_ids(store):
    first = add(store, now=utc_now() - DAY)
    other = add(store, now=utc_now(), text="other", file="z.txt", contributions=(), title="Chef",
                headline="Chef", likely_login="q2")  # fmt: skip
    found = store.duties(months=24, now=utc_now(), limit=10)
    told = shown_text(duties_message(found, Setting(now=utc_now(), zone=UTC), months=24))
    assert f"id {first}" in told
    assert f"id {other}" in told


def test_duties_are_paged(store):
    for n in range(25):
        add(store, f"Quetzal Adeyemi {n}", now=utc_now() - n * DAY, contributions=(),
            likely_login=f"q{n}")  # fmt: skip
    with running_bot(store, clock=utc_now, admin_users=("U0MIRALINDG",)) as bot:
        shown = bot.ask("duties")
        for _ in range(2):
            bot.press(shown, "candidate.duties.next")
            bot.settle()
            shown = bot.slack.ephemerals(bot.slack.mira)[-1]
        assert json.dumps(shown.blocks).count("candidate.informed.") == 5
        with pytest.raises(AssertionError):
            bot.press(shown, "candidate.duties.next")


def test_duties_say_what_to_do_and_what_keeps_somebody(store):
    for name, days in (("Quetzal Adeyemi", 0), ("Bo Quist", 710), ("Ida Falk", 760)):
        add(store, name, now=utc_now() - days * DAY, contributions=(), likely_login=name[:2])
    duties.keep_time(store, utc_now, 24, None)
    with running_bot(store, clock=utc_now, admin_users=("U0MIRALINDG",)) as bot:
        told = said(bot.ask("duties"))
    assert "Press *I told them* once you have told them" in told
    assert "Nobody was in touch with them; hidden on (1)" in told
    assert "*I'm on it* on the card notes it" in told
    assert "Hidden already; erased on (1)" in told
    assert "`/candidate lift ID`" in told


def test_nobody_to_tell_is_said_in_a_sentence(store):
    with running_bot(store, clock=utc_now, admin_users=("U0MIRALINDG",)) as bot:
        told = said(bot.ask("duties"))
    assert "Nobody is waiting to be told that they are stored" in told
    assert 'I told them"' not in told
