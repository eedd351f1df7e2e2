"""``digest …`` as it is typed, and digests as they arrive in Slack."""

import json
import threading
from datetime import UTC, datetime, timedelta

import pytest
from slack_sdk import WebClient
from structlog.testing import capture_logs

from bot.settings import load_settings
from handlers.access.people import Asker, Place
from handlers.features import digests
from handlers.scheduled.sending import posting_client, tick
from handlers.scheduled.sweeping import sweep, tell_failures
from handlers.slack.channels import unfit
from storage.records import RunState
from storage.store import Store
from tests.digest_people import add_person, subscribe

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
MONDAY = datetime(2026, 12, 7, 8, 0, tzinfo=UTC)
"""09:00 in Berlin."""


class Bench:
    """A store, a Slack and a clock that is set by hand."""

    def __init__(self, store, slack, now):
        self.store, self.slack, self.now = store, slack, now
        slack.workspace.clock = self.clock
        self.client = posting_client(slack.workspace.bot_token, slack.api_url, 5)

    def clock(self):
        return self.now

    def type(self, text, *, user=None, channel=None, timezone="Europe/Berlin", client=True):
        return digests.command(
            self.store,
            text,
            asker=Asker(id=user or self.slack.mira, timezone=timezone),
            place=Place(kind="command", channel=channel or self.slack.hiring),
            client=self.client if client else None,
            now=self.now,
        )

    def tick(self, **options):
        tick(self.store, self.client, self.clock, pause=lambda _: None, **options)

    def posts(self, channel=None):
        return [each.text for each in self.slack.messages(channel or self.slack.hiring)]


@pytest.fixture
def bench(store, slack, now):
    return Bench(store, slack, now)


@pytest.fixture
def said():
    """What is logged."""
    with capture_logs() as lines:
        yield lines


# Commands


def test_a_digest_is_subscribed_in_the_channel_and_zone_where_it_is_typed(bench):
    reply = bench.type("weekly monday 09:00")
    [subscription] = bench.store.subscriptions()
    assert subscription.channel == bench.slack.hiring
    assert subscription.timezone == "Europe/Berlin"
    assert subscription.created_by == bench.slack.mira
    assert "Digest 1: every Monday at 09:00 (Europe/Berlin)" in reply.plain
    assert "First Mon 7 Dec 09:00" in reply.plain
    assert f"<#{bench.slack.hiring}>" in json.dumps(reply.message.blocks)


@pytest.mark.parametrize(
    ("typed", "persons", "setting", "zone"),
    [
        ("Asia/Tokyo", "Europe/Berlin", "America/New_York", "Asia/Tokyo"),
        ("", "Europe/Berlin", "America/New_York", "Europe/Berlin"),
        ("", None, "America/New_York", "America/New_York"),
        ("", None, None, "UTC"),
        ("", "Etc/Unknown", "America/New_York", "America/New_York"),
        ("", "Mars/Phobos", None, "UTC"),
    ],
)
def test_the_zone_is_the_typed_one_else_the_persons_else_the_settings_else_utc(
    store, now, typed, persons, setting, zone
):
    digests.command(
        store,
        f"daily 9 {typed}",
        asker=Asker(id="U1", timezone=persons),
        place=Place(kind="command", channel="C1AAAAAAA"),
        settings=load_settings(None, digest_timezone=setting),
        now=now,
    )
    assert store.subscriptions()[0].timezone == zone


@pytest.mark.parametrize(
    "typed", ["#general", "<#C0GENERAL01|general>", "<#C0GENERAL01>", "C0GENERAL01"]
)
def test_a_channel_can_be_typed_as_a_name_or_as_slack_writes_it(bench, typed):
    bench.type(f"daily 9 in {typed}")
    assert bench.store.subscriptions()[0].channel == bench.slack.general


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("daily 9 in <#C0HIRLEADS1>", "Type /invite @candidate there"),
        ("daily 9 in #hiring-leads", "If it is private, type /invite @candidate there first"),
        ("daily 9 in #nowhere", "I know no channel #nowhere"),
        ("daily 9 in #acme-shared", "shared with another company"),
        ("daily 9 in <#C0ACMESHARE|acme-shared>", "shared with another company"),
        ("daily 9 in #general for skill:", "skill"),
        ("weekly mondy", "Did you mean `/candidate digest weekly monday 09:00`?"),
        (
            "wekly monday 9am in <#C0GENERAL01>",
            "Did you mean `/candidate digest weekly monday 09:00 in #general`?",
        ),
        ("monthly 9", "Nearest: `/candidate digest weekly monday 09:00"),
        ("lst", "Did you mean `/candidate digest list`?"),
        ("puase 1", "Did you mean `/candidate digest pause 1`?"),
        ("pause", "No digest is subscribed"),
        ("now", "No digest is subscribed"),
    ],
)
def test_what_cannot_be_done_says_what_to_type_instead(bench, text, sentence):
    reply = bench.type(text)
    assert reply.answer.__class__.__name__ == "ErrorAnswer"
    assert sentence in reply.plain
    assert bench.store.subscriptions() == []


def test_a_channel_without_the_bot_and_an_archived_one_are_refused(bench):
    bench.slack.workspace.channels[bench.slack.general].members.discard(bench.slack.bot_user)
    assert "I am not in #general" in bench.type("daily 9 in #general").plain
    bench.slack.workspace.channels[bench.slack.hiring].archived = True
    assert "#hiring is archived" in bench.type("daily 9").plain


@pytest.mark.parametrize("typed", ["#hiring-leads", "C0HIRLEADS1"])
def test_a_private_channel_is_subscribed_by_its_members_alone(bench, typed):
    """Anybody else is told what they would be told of a channel that does not exist."""
    leads = bench.slack.workspace.channels[bench.slack.leads]
    leads.members.add(bench.slack.bot_user)
    leads.members.discard(bench.slack.jonas)
    assert "I know no channel" in bench.type(f"daily 9 in {typed}", user=bench.slack.jonas).plain
    leads.members.add(bench.slack.jonas)
    assert "Digest 1" in bench.type(f"daily 9 in {typed}", user=bench.slack.jonas).plain


@pytest.mark.parametrize(
    "text",
    [
        "weekly " + "x" * 20_000,
        "weekly monday 09:00 " + "y " * 10_000,
        "daily 9 in #" + "z" * 250,
        "weekly mondy 09:00 for " + "w" * 20_000,
        "stop " + "9" * 20_000,
        "weekly 9 10 " + "v" * 250,
    ],
)
def test_an_error_repeats_only_the_beginning_of_a_long_text(bench, text):
    bench.type("daily 9")
    reply = bench.type(text)
    assert reply.answer.__class__.__name__ == "ErrorAnswer"
    assert "…" in reply.plain
    assert len(reply.plain) < 400


def test_a_zone_that_is_not_known_here_stops_only_its_own_digest(bench, said):
    """Stored by a machine that knows more zones than this one."""
    subscribe(bench.store, bench.now, timezone="Mars/Phobos", channel=bench.slack.general)
    bench.type("weekly monday 09:00")
    add_person(bench.store, 1, bench.now)
    bench.now = MONDAY
    bench.tick()
    assert len(bench.posts()) == 1
    [line] = [line for line in said if line["event"] == "digest without slots"]
    assert line["digest"] == 1
    shown = bench.type("list").plain
    assert "time zone Mars/Phobos is not known here: stop it or subscribe again" in shown
    assert "Last: Mon 7 Dec 09:00, 1 candidate" in shown
    for text in ("preview 1", "now 1"):
        assert "is not known here" in bench.type(text).plain
    bench.type("pause 1")
    assert "is not known here" in bench.type("resume 1").plain
    assert "Digest 1 is stopped" in bench.type("stop 1").plain


def test_slack_that_does_not_answer_is_not_taken_for_a_yes(bench):
    bench.slack.fail("conversations.info", status=500, times=2)
    assert "Try again in a minute" in bench.type("daily 9").plain


def test_typing_the_same_twice_makes_one_digest(bench):
    bench.type("daily 9")
    assert "That is digest 1 already" in bench.type("daily 9").plain
    bench.type("pause 1")
    assert "It is paused" in bench.type("daily 9").plain
    assert len(bench.store.subscriptions()) == 1


def test_the_list_shows_the_next_three_times_and_the_last_run_with_its_count(bench):
    bench.type("weekly monday 09:00 for skill:cuda")
    before = bench.type("list").plain
    assert "Next: Mon 7 Dec 09:00, Mon 14 Dec 09:00, Mon 21 Dec 09:00" in before
    assert "Last: none yet" in before
    add_person(bench.store, 1, bench.now)
    bench.now = MONDAY
    bench.tick()
    assert "Last: Mon 7 Dec 09:00, 1 candidate" in bench.type("list").plain
    bench.now += 7 * DAY
    bench.tick()
    assert "Last: Mon 14 Dec 09:00, nobody new" in bench.type("").plain


def test_numbers_are_asked_for_when_there_are_several(bench):
    bench.type("daily 9")
    bench.type("daily 10")
    for verb in ("pause", "resume", "stop", "now", "preview"):
        assert "1, 2" in bench.type(verb, channel=bench.slack.general).plain
    assert "There is no digest “9”" in bench.type("stop 9").plain
    assert "Digest 2 is stopped" in bench.type("stop #2").plain
    assert "No digest" not in bench.type("preview").plain


def test_a_pause_holds_back_and_a_resume_makes_up_for_the_people_not_the_slots(bench):
    bench.type("daily 9")
    assert "is paused" in bench.type("pause 1").plain
    assert "Paused." in bench.type("list").plain
    assert "Type `/candidate digest resume 1` first" in bench.type("now 1").plain
    add_person(bench.store, 1, bench.now)
    bench.now += 3 * DAY
    bench.tick()
    assert bench.posts() == []
    assert "next Sat 5 Dec 09:00" in bench.type("resume 1").plain
    assert "is not paused" in bench.type("resume 1").plain
    bench.tick()
    assert bench.posts() == []
    bench.now += DAY
    bench.tick()
    assert len(bench.posts()) == 1


@pytest.mark.parametrize(("verb", "then"), [("pause", "resume 1"), ("stop", "list")])
def test_pausing_or_stopping_says_that_an_ordered_digest_is_not_sent(bench, verb, then):
    bench.type("daily 9")
    add_person(bench.store, 1, bench.now)
    bench.type("now 1")
    told = bench.type(f"{verb} 1").plain
    assert "; what “digest now” had asked for is not sent" in told
    assert "not sent" not in bench.type("daily 10").plain + bench.type(f"{verb} 2").plain
    bench.type(then)
    bench.tick()
    assert bench.posts() == []


def test_pausing_says_nothing_of_an_ordered_digest_that_went_out(bench):
    bench.type("daily 9")
    add_person(bench.store, 1, bench.now)
    bench.type("now 1")
    bench.tick()
    assert len(bench.posts()) == 1
    assert "not sent" not in bench.type("pause 1").plain


def test_the_digest_of_the_settings_is_paused_rather_than_stopped(bench):
    settings = load_settings(None, digest_channel="#hiring")
    digests.ensure_default(bench.store, settings, now=bench.now)
    assert "comes from the settings" in bench.type("stop 1").plain
    digests.ensure_default(bench.store, settings, now=bench.now + DAY)
    assert bench.store.subscriptions()[0].enabled is False


def test_a_terminal_needs_neither_tokens_nor_network(store, now):
    add_person(store, 1, now)
    settings = load_settings(None, digest_channel="hiring", digest_timezone="Europe/Berlin")

    def type_here(text):
        return digests.from_terminal(
            store, text, settings=settings, asker="terminal:mira", now=now
        ).plain

    assert "every Monday at 09:00 (Europe/Berlin) in #hiring (from the settings)" in type_here(
        "list"
    )
    assert "Ines Adeyemi001" in type_here("preview")
    assert "goes to #hiring when the bot runs" in type_here("now")
    assert "Say which channel" in type_here("daily 9")
    assert "Digest 2: every day" in type_here("daily 9 in #general")


def test_a_preview_without_any_subscription_shows_the_last_week(bench):
    add_person(bench.store, 1, bench.now - DAY)
    plain = bench.type("preview").plain
    assert "No digest is subscribed yet" in plain
    assert "next" not in plain, "nothing comes next"
    assert "Ines Adeyemi001" in plain
    bench.now += 30 * DAY
    assert "Nobody new since" in bench.type("preview").plain


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("resend", "now"), ("resend 1", "now 1"), ("lst", "list"), ("cancel 2", "stop 2")],
)
def test_another_word_for_a_digest_command_is_asked_about(bench, typed, meant):
    assert digests.understands(typed)
    assert bench.type(typed).plain == f"Did you mean `/candidate digest {meant}`?"


def test_the_list_offers_what_can_be_typed_next(bench):
    bench.type("weekly monday 09:00")
    assert "`/candidate digest pause 1`" in bench.type("list").plain
    bench.type("pause 1")
    paused = bench.type("list").plain
    assert "`/candidate digest resume 1`" in paused
    assert "digest pause 1" not in paused
    bench.type("daily 08:00")
    assert "the number says which digest" in bench.type("list").plain


def test_times_of_day_stand_as_they_are_typed(bench):
    shown = json.dumps(bench.type("weekly monday 09:00").message.blocks)
    assert "\\u2060" not in shown
    assert "09:00" in shown


def test_what_is_meant_for_digest_is_told_from_words_to_search_for():
    for text in ("", "list", "LIST", "weekly monday", "mondays 9", "9am", "now 1"):
        assert digests.understands(text), text
    for text in ("authentication", "size", "ines adeyemi"):
        assert not digests.understands(text), text


# Sending


def test_a_slot_that_comes_due_is_posted_once_in_its_channel(bench):
    bench.type("weekly monday 09:00")
    id_ = add_person(bench.store, 1, bench.now)
    bench.now = MONDAY - MINUTE
    bench.tick()
    assert bench.posts() == []
    bench.now = MONDAY
    bench.tick()
    bench.tick()
    [message] = bench.slack.messages(bench.slack.hiring)
    assert message.text == "1 new candidate: Ines Adeyemi001"
    assert message.unfurl_links is False
    assert message.unfurl_media is False
    run = bench.store.last_digest(1)
    assert (run.state, run.people, run.slot) == (RunState.POSTED, 1, "2026-12-07")
    assert message.metadata == {
        "event_type": "candidate_digest", "event_payload": {"run": run.id},
    }  # fmt: skip
    recorded = bench.store.posted(bench.slack.hiring, message.ts)
    assert (recorded.kind, recorded.candidate_ids) == ("digest", (id_,))
    assert f'"action_id": "candidate.open.{id_}"' in json.dumps(message.blocks)


def test_whom_a_digest_told_of_is_audited_for_whoever_subscribed_it(bench):
    bench.type("weekly monday 09:00")
    id_ = add_person(bench.store, 1, bench.now)
    bench.now = MONDAY
    bench.tick()
    entry = bench.store.audited(limit=1)[0]
    assert (entry.action, entry.who, entry.place) == (
        "digest", bench.slack.mira, bench.slack.hiring,
    )  # fmt: skip
    assert entry.candidate_ids == (id_,)


def test_subscribing_a_public_channel_says_who_can_read_it(bench):
    everyone = "Everyone in this workspace can read that channel"
    assert everyone in bench.type("weekly monday 09:00").plain
    bench.slack.workspace.channels[bench.slack.leads].members.add(bench.slack.bot_user)
    assert everyone not in bench.type("weekly monday 09:00 in #hiring-leads").plain
    direct = bench.slack.direct(bench.slack.mira)
    assert everyone not in bench.type("daily 9", channel=direct).plain


def test_the_preview_is_what_is_then_posted(bench):
    bench.type("weekly monday 09:00 for skill:cuda")
    for number in range(30):
        add_person(bench.store, number, bench.now + number * MINUTE)
    bench.now = MONDAY
    preview = bench.type("preview").message
    bench.tick()
    posted = bench.slack.messages(bench.slack.hiring)[0]
    assert strip(preview.blocks[1:]) == strip(posted.blocks)
    assert preview.text == posted.text
    assert "matches: cuda 9 on the page" in preview.plain


def strip(blocks):
    return [{key: value for key, value in block.items() if key != "block_id"} for block in blocks]


def test_more_than_ten_go_on_in_the_thread_each_message_once(bench):
    bench.type("weekly monday 09:00")
    for number in range(25):
        add_person(bench.store, number, bench.now + number * MINUTE)
    bench.now = MONDAY
    bench.tick()
    head, second, third = bench.slack.messages(bench.slack.hiring)
    assert {second.thread_ts, third.thread_ts} == {head.ts}
    assert head.text.endswith("and 15 more")
    assert third.text.startswith("21–25 of 25")


def test_a_query_gets_a_digest_of_its_own(bench):
    bench.type("weekly monday 09:00 for skill:cuda")
    add_person(bench.store, 1, bench.now)
    add_person(bench.store, 3, bench.now)
    bench.now = MONDAY
    bench.tick()
    assert bench.posts() == ["1 new candidate with skill cuda: Ines Adeyemi001"]


def test_now_is_sent_by_the_bot_that_runs_and_twice_is_once(bench):
    bench.type("weekly monday 09:00")
    assert "Not sent" in bench.type("now").plain
    add_person(bench.store, 1, bench.now)
    assert "with 1 candidate" in bench.type("now").plain
    assert "on its way" in bench.type("now").plain
    bench.tick()
    assert "Nobody new" in bench.type("now").plain
    bench.tick()
    assert len(bench.posts()) == 1


def test_a_bot_that_slept_through_three_weeks_sends_one_digest_with_everybody(bench):
    bench.type("weekly monday 09:00")
    for week in range(3):
        add_person(bench.store, week, bench.now + week * 7 * DAY)
    bench.now += 23 * DAY
    bench.tick()
    assert [text.partition(":")[0] for text in bench.posts()] == ["3 new candidates"]
    assert bench.store.last_digest(1).slot == "2026-12-21"


@pytest.mark.parametrize(
    ("made", "slots"),
    [
        (
            datetime(2026, 3, 20, tzinfo=UTC),
            ["2026-03-22T01:30", "2026-03-29T01:00", "2026-04-05T00:30"],
        ),
        (
            datetime(2026, 10, 16, tzinfo=UTC),
            ["2026-10-18T00:30", "2026-10-25T00:30", "2026-11-01T01:30"],
        ),
    ],
)  # fmt: skip
def test_a_week_in_which_the_clock_jumps_has_one_digest(bench, made, slots):
    """Sundays at 02:30 in Berlin, which March lacks once and October has twice."""
    bench.now = made
    bench.type("weekly sunday 02:30 Europe/Berlin")
    seen = []
    for hour in range(24 * 18):
        bench.now = made + timedelta(minutes=30) * (2 * hour)
        if hour % 24 == 0:
            add_person(bench.store, hour, bench.now)
        bench.tick()
        if len(bench.posts()) > len(seen):
            seen.append(f"{bench.store.last_digest(1).due_at:%Y-%m-%dT%H:%M}")
    assert seen == slots


def test_a_change_of_the_zones_rules_does_not_make_a_second_digest_of_a_date(bench):
    """The slot's key is its local date: here another zone moves its instant by an hour."""
    bench.type("weekly monday 09:00 Europe/Berlin")
    add_person(bench.store, 1, bench.now)
    bench.now = MONDAY
    bench.tick()
    add_person(bench.store, 2, bench.now)
    with bench.store.database.write() as session:
        session.connection().exec_driver_sql("UPDATE subscription SET timezone = 'Europe/London'")
    bench.now += timedelta(hours=2)
    bench.tick()
    assert len(bench.posts()) == 1


def test_an_empty_digest_is_not_posted_and_after_four_one_line_says_that_it_runs(bench):
    bench.type("weekly monday 09:00")
    for week in range(8):
        bench.now = MONDAY + week * 7 * DAY
        bench.tick()
        assert len(bench.posts()) == (week + 1) // 4
    assert bench.posts()[0].startswith("This digest is running: nobody new in its last 4 times.")


def test_people_who_are_added_meanwhile_are_in_exactly_one_digest(bench, store_url):
    bench.type("daily 9")
    ids, stop = [], threading.Event()

    def ingest():
        other = Store.open(store_url)
        number = 0
        while not stop.is_set() and number < 200:
            number += 1
            # stored in another order than their times say
            ids.append(add_person(other, number, bench.now - (number % 7) * MINUTE))
        other.close()

    thread = threading.Thread(target=ingest)
    thread.start()
    for _ in range(6):
        bench.now += DAY
        bench.tick()
    stop.set()
    thread.join()
    bench.now += DAY
    bench.tick()
    with bench.store.database.read() as session:
        told = session.connection().exec_driver_sql("SELECT profile_id FROM digest_item").fetchall()
    assert sorted(id_ for (id_,) in told) == sorted(ids)


def test_any_number_of_processes_may_tick(bench, store_url):
    for minute in range(6):
        bench.type(f"daily 9:0{minute}")
    add_person(bench.store, 1, bench.now)
    bench.now += DAY
    stores = [Store.open(store_url) for _ in range(3)]
    threads = [
        threading.Thread(target=tick, args=(each, bench.client, bench.clock)) for each in stores
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for each in stores:
        each.close()
    assert len(bench.posts()) == 6


def test_a_name_of_a_channel_is_looked_up_when_it_is_sent(bench):
    digests.ensure_default(
        bench.store, load_settings(None, digest_channel="#hiring"), now=bench.now
    )
    add_person(bench.store, 1, bench.now)
    bench.now = MONDAY + timedelta(hours=1)
    bench.tick()
    assert len(bench.posts()) == 1
    assert bench.store.subscriptions()[0].channel == bench.slack.hiring


def test_a_program_that_ends_lets_go_of_what_it_has_not_begun(bench):
    bench.type("weekly monday 09:00")
    add_person(bench.store, 1, bench.now)
    bench.now = MONDAY
    ending = iter((False, True, True))
    bench.tick(stopping=lambda: next(ending))
    assert bench.posts() == []
    bench.tick()
    assert len(bench.posts()) == 1, "nobody had to wait for a lease"


@pytest.mark.parametrize("ahead", [365 * DAY, 8 * DAY])
def test_a_clock_that_was_ahead_and_is_set_back_holds_up_no_digest(bench, ahead):
    """What was posted under the wrong clock is told once all the same."""
    bench.type("daily 9")
    add_person(bench.store, 0, bench.now)
    bench.now += ahead
    bench.tick()
    assert len(bench.posts()) == 1
    bench.now -= ahead
    for day in range(1, 4):
        bench.now += DAY
        add_person(bench.store, day, bench.now - MINUTE)
        bench.tick()
    named = [text.partition(": ")[2] for text in bench.posts()]
    assert named == [f"Ines Adeyemi00{number}" for number in range(4)]
    assert f"Last: {bench.now:%a %-d %b} 09:00, 1 candidate" in bench.type("list").plain


def test_a_claim_under_a_clock_that_was_ahead_is_free_again_and_looked_for_first(bench):
    bench.type("daily 9")
    add_person(bench.store, 1, bench.now)
    right = bench.now
    bench.slack.workspace.clock = lambda: right
    bench.now += 365 * DAY
    bench.slack.fail("chat.postMessage", mode="drop_after")
    bench.tick()
    bench.now = right
    bench.tick()
    assert len(bench.posts()) == 1
    assert bench.store.last_digest(1).state is RunState.POSTED
    bench.now += DAY
    add_person(bench.store, 2, bench.now - MINUTE)
    bench.tick()
    assert len(bench.posts()) == 2


def removing(bench, **when):
    """A step that removes these people as it is reached: ``post_0=ids``."""

    def step(name):
        for id_ in when.get(name.replace(" ", "_"), ()):
            bench.store.remove(id_, now=bench.now)

    return step


def test_whoever_is_removed_before_it_is_posted_is_neither_named_nor_recorded(bench):
    bench.type("weekly monday 09:00")
    ids = [add_person(bench.store, number, bench.now + number * MINUTE) for number in range(13)]
    bench.now = MONDAY
    bench.tick(step=removing(bench, post_0=[ids[1]], post_1=[ids[11]]))
    head, reply = bench.slack.messages(bench.slack.hiring)
    assert head.text.startswith("12 new candidates: ")
    assert "Adeyemi001" not in json.dumps([head.text, head.blocks])
    assert "Adeyemi011" not in json.dumps([reply.text, reply.blocks])
    told = [bench.store.posted(each.channel, each.ts).candidate_ids for each in (head, reply)]
    assert {*told[0]} == {*ids[:10]} - {ids[1]}
    assert {*told[1]} == {*ids[10:]} - {ids[11]}
    assert bench.store.last_digest(1).state is RunState.POSTED


def test_a_digest_whose_people_were_all_removed_is_not_posted(bench):
    bench.type("weekly monday 09:00")
    id_ = add_person(bench.store, 1, bench.now)
    bench.now = MONDAY
    bench.tick(step=removing(bench, post_0=[id_]))
    assert bench.posts() == []
    assert bench.store.last_digest(1).state is RunState.EMPTY
    assert "nobody new" in bench.type("list").plain


def test_a_message_whose_people_were_all_removed_says_so(bench):
    bench.type("weekly monday 09:00")
    ids = [add_person(bench.store, number, bench.now + number * MINUTE) for number in range(12)]
    bench.now = MONDAY
    bench.tick(step=removing(bench, post_0=ids[:10], post_1=ids[10:]))
    head, reply = bench.posts()
    assert head == "2 new candidates"
    assert "removed from the store" in reply


# Trouble


@pytest.fixture
def due(bench):
    """A digest that is due, with one person in it."""
    bench.type("weekly monday 09:00")
    add_person(bench.store, 1, bench.now)
    bench.now = MONDAY
    return bench


def test_slack_that_is_busy_is_asked_again_when_it_said(due):
    due.slack.fail("chat.postMessage", status=429, retry_after=40)
    due.tick()
    due.now += timedelta(seconds=39)
    due.tick()
    assert due.posts() == []
    due.now += timedelta(seconds=1)
    due.tick()
    assert len(due.posts()) == 1


@pytest.mark.parametrize(
    "fault",
    [
        {"status": 503},
        {"status": 500, "mode": "after"},
        {"error": "internal_error", "status": 200},
        {"error": "fatal_error", "status": 200, "mode": "after"},
        {"mode": "drop"},
        {"mode": "drop_after"},
        {"mode": "timeout", "seconds": 2.0},
        {"mode": "timeout_after", "seconds": 2.0},
    ],
)
def test_when_nobody_knows_the_lease_runs_out_and_the_next_one_looks_first(due, fault):
    due.client = posting_client(due.slack.workspace.bot_token, due.slack.api_url, 1.5)
    due.slack.fail("chat.postMessage", **fault)
    due.tick()
    due.slack.wait_for(lambda: due.slack.calls("chat.postMessage"))  # who hangs up is noted later
    stored = len(due.posts())
    due.tick()
    assert len(due.slack.calls("chat.postMessage")) == 1, "not before the lease has run out"
    due.client = posting_client(due.slack.workspace.bot_token, due.slack.api_url, 5)
    due.now += timedelta(minutes=3)
    due.tick()
    assert len(due.posts()) == 1
    assert len(due.slack.calls("chat.postMessage")) == 2 - stored
    assert due.store.last_digest(1).state is RunState.POSTED


def test_a_look_that_fails_posts_nothing(due):
    due.slack.fail("chat.postMessage", mode="drop_after")
    due.tick()
    due.slack.fail("conversations.history", status=500)
    due.now += timedelta(minutes=3)
    due.tick()
    assert len(due.posts()) == 1
    due.now += timedelta(minutes=3)
    due.tick()
    assert len(due.posts()) == 1


def test_a_message_of_a_busy_channel_is_found_on_a_later_page(due):
    due.slack.fail("chat.postMessage", mode="drop_after")
    due.tick()
    for number in range(250):
        due.slack.say(due.slack.mira, due.slack.hiring, f"chatter {number}")
    due.now += timedelta(minutes=3)
    due.tick()
    assert due.store.last_digest(1).state is RunState.POSTED
    assert sum("candidate" in text for text in due.posts()) == 1


def test_a_post_that_might_not_be_answered_within_the_lease_is_not_begun(due):
    def step(name):
        if name == "post 0":
            raise AssertionError("it was begun")
        if name == "freeze":
            due.now += timedelta(seconds=171)

    due.tick(step=step)
    due.now += timedelta(seconds=9)
    due.tick()
    assert len(due.posts()) == 1


@pytest.mark.parametrize(
    ("error", "advice"),
    [
        ("not_in_channel", "/invite @candidate"),
        ("channel_not_found", "/invite @candidate"),
        ("is_archived", "is archived"),
        ("restricted_action", "Ask an admin"),
        ("msg_blocks_too_long", "msg_blocks_too_long"),
    ],
)
def test_a_refusal_fails_the_digest_and_its_owner_is_told_once(due, error, advice):
    due.slack.fail("chat.postMessage", error=error, status=200)
    due.tick()
    due.tick()
    assert due.store.last_digest(1).state is RunState.FAILED
    assert f"not posted ({error})" in due.type("list").plain
    for _ in range(2):
        tell_failures(due.store, due.client, due.clock, tuple)
        due.now += timedelta(minutes=5)
    [told] = due.posts(due.slack.direct(due.slack.mira))
    assert advice in told
    assert "Digest 1 was not posted" in told
    due.type("now 1")
    due.tick()
    assert len(due.posts()) == 1, "its people were not lost"


def test_the_failure_notice_says_where_and_what_to_do(due):
    due.slack.fail("chat.postMessage", error="not_in_channel", status=200)
    due.tick()
    tell_failures(due.store, due.client, due.clock, tuple)
    [told] = due.slack.messages(due.slack.direct(due.slack.mira))
    assert f"was not posted* in <#{due.slack.hiring}>" in json.dumps(told.blocks)
    assert "/candidate digest now 1" in told.text


@pytest.mark.parametrize("was_stored_as", ["#acme-shared", "C0ACMESHARE"])
def test_nobody_is_named_in_a_channel_shared_with_another_company(bench, was_stored_as):
    """However it came to be subscribed: by the settings, at a terminal, or before it was shared."""
    acme = bench.slack.workspace.channels[bench.slack.acme]
    acme.members.add(bench.slack.bot_user)
    bench.type(f"weekly monday 09:00 in {was_stored_as}", client=False)
    add_person(bench.store, 1, bench.now)
    bench.now = MONDAY
    for _ in range(2):
        bench.tick()
        tell_failures(bench.store, bench.client, bench.clock, tuple)
    assert bench.posts(bench.slack.acme) == []
    assert bench.store.last_digest(1).state is RunState.FAILED
    assert "not posted (shared_with_another_company)" in bench.type("list").plain
    [told] = bench.posts(bench.slack.direct(bench.slack.mira))
    assert "shared with another company" in told
    assert "Stop it with" in told
    assert "/candidate digest stop 1" in told


def test_a_channel_that_becomes_shared_gets_no_more_digests(due):
    due.slack.workspace.channels[due.slack.hiring].kind = "shared"
    due.tick()
    assert due.posts() == []
    assert due.store.last_digest(1).error == "shared_with_another_company"


def test_an_archived_channel_is_a_failure_before_anything_is_posted(due):
    due.slack.workspace.channels[due.slack.hiring].archived = True
    due.tick()
    assert due.slack.calls("chat.postMessage") == []
    assert due.store.last_digest(1).error == "is_archived"


def test_slack_that_does_not_say_whether_a_channel_is_shared_is_asked_again(due):
    due.slack.fail("conversations.info", status=500, times=2)
    due.tick()
    assert due.posts() == []
    due.now += timedelta(minutes=3)
    due.tick()
    assert len(due.posts()) == 1


@pytest.mark.parametrize(
    ("channel", "reason"),
    [
        ({"id": "C1"}, None),
        ({"is_shared": True, "is_org_shared": True, "is_member": True}, None),
        ({"is_shared": True}, "shared_with_another_company"),
        ({"is_pending_ext_shared": True}, "shared_with_another_company"),
        ({"is_ext_shared": True, "is_org_shared": True}, "shared_with_another_company"),
        ({"is_archived": True}, "is_archived"),
        ({"is_member": False}, "not_in_channel"),
        ({"is_member": False, "is_im": True}, None),
        ({"is_member": False, "is_mpim": True}, None),
    ],
)
def test_where_somebody_may_be_named(channel, reason):
    assert unfit(channel) == reason


def test_a_failure_of_the_default_digest_is_told_to_the_admins(bench):
    digests.ensure_default(
        bench.store, load_settings(None, digest_channel="#nowhere"), now=bench.now
    )
    add_person(bench.store, 1, bench.now)
    bench.now = MONDAY + timedelta(hours=1)
    bench.tick()
    tell_failures(
        bench.store, bench.client, bench.clock, lambda: (bench.slack.jonas, bench.slack.mira)
    )
    for user in (bench.slack.jonas, bench.slack.mira):
        [told] = bench.posts(bench.slack.direct(user))
        assert "#nowhere" in told


def test_a_failure_that_nobody_can_be_told_of_is_not_tried_for_ever(due):
    due.slack.fail("chat.postMessage", error="not_in_channel", status=200)
    due.tick()
    due.slack.fail("chat.postMessage", error="account_inactive", status=200)
    tell_failures(due.store, due.client, due.clock, tuple)
    due.now += DAY
    tell_failures(due.store, due.client, due.clock, tuple)
    assert due.posts(due.slack.direct(due.slack.mira)) == []


def test_a_failure_that_slack_was_too_busy_to_hear_is_told_later(due):
    due.slack.fail("chat.postMessage", error="not_in_channel", status=200)
    due.tick()
    due.slack.fail("chat.postMessage", status=503)
    tell_failures(due.store, due.client, due.clock, tuple)
    due.now += timedelta(minutes=3)
    tell_failures(due.store, due.client, due.clock, tuple)
    assert len(due.posts(due.slack.direct(due.slack.mira))) == 1


def test_a_query_that_became_unreadable_fails_with_its_sentence(bench):
    subscribe(bench.store, bench.now, query='skill:"')
    add_person(bench.store, 1, bench.now)
    bench.now = MONDAY
    bench.tick()
    run = bench.store.last_digest(1)
    assert run.state is RunState.FAILED
    assert " " in run.error
    tell_failures(bench.store, bench.client, bench.clock, tuple)
    [told] = bench.posts(bench.slack.direct(bench.slack.mira))
    assert "/candidate digest stop 1" in told
    assert "subscribe anew" in told
    assert "digest now" not in told


# The sweep


def copy_of(bench, message):
    is_reply = message.thread_ts not in {None, message.ts}
    bench.client.chat_postMessage(
        channel=message.channel,
        text=message.text,
        blocks=message.blocks,
        metadata=message.metadata,
        thread_ts=message.thread_ts if is_reply else None,
    )


def test_the_sweep_deletes_all_but_the_recorded_message_of_each_part(bench):
    bench.type("weekly monday 09:00")
    for number in range(12):
        add_person(bench.store, number, bench.now)
    bench.now = MONDAY
    bench.tick()
    head, reply = bench.slack.messages(bench.slack.hiring)
    copy_of(bench, head)
    copy_of(bench, reply)
    bench.slack.say(bench.slack.mira, bench.slack.hiring, "thanks")
    sweep(bench.store, bench.client, bench.clock)
    assert len(bench.posts()) == 5, "not before ten minutes"
    bench.now += timedelta(minutes=10)
    sweep(bench.store, bench.client, bench.clock)
    left = bench.slack.messages(bench.slack.hiring)
    assert {head.ts, reply.ts} < {each.ts for each in left}
    assert len(left) == 3


def test_a_copy_that_shows_up_late_goes_after_a_day(due):
    due.tick()
    [head] = due.slack.messages(due.slack.hiring)
    due.now += timedelta(minutes=10)
    sweep(due.store, due.client, due.clock)
    copy_of(due, head)
    due.now += DAY
    sweep(due.store, due.client, due.clock)
    assert [each.ts for each in due.slack.messages(due.slack.hiring)] == [head.ts]
    sweep(due.store, due.client, due.clock)


def test_a_message_that_is_gone_and_a_run_without_one_raise_an_alarm(due, said):
    due.tick()
    [head] = due.slack.messages(due.slack.hiring)
    due.client.chat_delete(channel=head.channel, ts=head.ts)
    due.store.write_slots(1, [("2026-12-08", due.now)], now=due.now)
    due.now += timedelta(minutes=11)
    sweep(due.store, due.client, due.clock)
    assert [line["event"] for line in said if line["log_level"] == "error"] == [
        "digest overdue",
        "digest missing",
    ]


def test_a_message_that_was_withdrawn_raises_none(due, said):
    due.tick()
    [head] = due.slack.messages(due.slack.hiring)
    recorded = due.store.posted(head.channel, head.ts)
    due.store.withdraw(recorded.id, now=due.now)
    due.client.chat_delete(channel=head.channel, ts=head.ts)
    due.now += timedelta(minutes=11)
    sweep(due.store, due.client, due.clock)
    assert [line for line in said if line["log_level"] == "error"] == []


@pytest.mark.parametrize("fault", [{"status": 429}, {"status": 500}])
def test_a_sweep_that_slack_interrupts_is_done_later(due, fault):
    due.tick()
    [head] = due.slack.messages(due.slack.hiring)
    copy_of(due, head)
    due.now += timedelta(minutes=11)
    due.slack.fail("conversations.history", **fault)
    sweep(due.store, due.client, due.clock)
    assert len(due.posts()) == 2
    sweep(due.store, due.client, due.clock)
    assert len(due.posts()) == 1


def test_a_channel_that_can_no_longer_be_read_is_not_swept_for_ever(due):
    due.tick()
    due.slack.workspace.channels[due.slack.hiring].members.discard(due.slack.bot_user)
    due.now += timedelta(minutes=11)
    sweep(due.store, due.client, due.clock)
    assert due.store.digests_to_sweep(now=due.now) == []


def test_what_a_stranger_copies_into_its_own_message_is_not_ours(due):
    """Metadata can be read by every app in the channel."""
    due.tick()
    [head] = due.slack.messages(due.slack.hiring)
    due.slack.say(due.slack.mira, due.slack.hiring, "a person's message")
    theirs = due.slack.messages(due.slack.hiring)[-1]
    theirs.metadata = head.metadata
    due.now += timedelta(minutes=11)
    sweep(due.store, due.client, due.clock)
    assert len(due.posts()) == 2


def test_a_posting_client_never_tries_twice(slack):
    client = posting_client(slack.workspace.bot_token, slack.api_url)
    assert isinstance(client, WebClient)
    assert client.retry_handlers == []
    assert client.timeout == 10


def test_a_lost_claim_posts_nothing_more_and_records_nothing(due):
    """The lease ran out while Slack was slow, and another process took the run over."""
    taken = []

    def step(name):
        if name == "record 0" and not taken:
            due.now += timedelta(minutes=4)
            taken.append(due.store.claim_digest(now=due.now, lease=timedelta(minutes=3)))

    due.tick(step=step)
    [run] = taken
    assert due.store.digest_run(run.id).state is RunState.CLAIMED
    due.now += timedelta(minutes=3)
    due.tick()
    assert len(due.posts()) == 1


def test_a_thread_that_a_restart_interrupted_goes_on_where_it_was(bench):
    bench.type("weekly monday 09:00")
    for number in range(25):
        add_person(bench.store, number, bench.now + number * MINUTE)
    bench.now = MONDAY
    ending = []
    bench.tick(
        step=lambda name: ending.append(name) if name == "record 1" else None,
        stopping=lambda: bool(ending),
    )
    assert len(bench.posts()) == 2
    bench.tick()
    assert len(bench.posts()) == 3
    assert bench.store.last_digest(1).people == 25


def test_whoever_is_told_of_meanwhile_is_not_told_again(due, store_url):
    """Frozen into another run between looking and freezing: this run comes round again."""
    other = Store.open(store_url)

    def step(name):
        if name == "freeze" and not other.last_digest(1):
            [id_] = other.untold(other.subscription(1))
            with other.database.write() as session:
                session.connection().exec_driver_sql(
                    "INSERT INTO digest_item (workspace, subscription, profile_id, run_id, part)"
                    " VALUES ('main', 1, ?, 'another', 0)",
                    (id_,),
                )

    due.tick(step=step)
    other.close()
    assert due.posts() == []
    due.now += timedelta(minutes=3)
    due.tick()
    assert due.store.last_digest(1).state is RunState.EMPTY


def test_a_digest_that_failed_for_want_of_its_channel_has_nothing_to_sweep(bench):
    settings = load_settings(None, digest_channel="#nowhere")
    digests.ensure_default(bench.store, settings, now=bench.now)
    add_person(bench.store, 1, bench.now)
    bench.now = MONDAY + timedelta(hours=1)
    bench.tick()
    bench.now += timedelta(minutes=11)
    sweep(bench.store, bench.client, bench.clock)
    assert bench.store.digests_to_sweep(now=bench.now) == []


def test_an_extra_message_that_slack_will_not_delete_stays_and_is_logged(due, said):
    due.tick()
    [head] = due.slack.messages(due.slack.hiring)
    copy_of(due, head)
    due.now += timedelta(minutes=11)
    due.slack.fail("chat.delete", error="cant_delete_message", status=200)
    sweep(due.store, due.client, due.clock)
    assert "an extra message stays" in [line["event"] for line in said]


def test_a_failed_digest_whose_message_appears_after_all_is_cleared_away(due):
    """Its people were let go and come again, so what Slack stored late would be a repetition."""
    due.slack.fail("chat.postMessage", mode="drop_after")
    due.tick()
    due.now += timedelta(minutes=3)
    due.slack.fail("conversations.history", error="missing_scope", status=200)
    due.tick()
    assert due.store.last_digest(1).state is RunState.FAILED
    assert len(due.posts()) == 1
    due.now += timedelta(minutes=11)
    sweep(due.store, due.client, due.clock)
    assert due.posts() == []


def test_a_thread_whose_head_was_deleted_is_an_alarm_and_no_crash(bench, said):
    bench.type("weekly monday 09:00")
    for number in range(12):
        add_person(bench.store, number, bench.now)
    bench.now = MONDAY
    bench.tick()
    for message in bench.slack.messages(bench.slack.hiring):
        bench.client.chat_delete(channel=message.channel, ts=message.ts)
    bench.now += timedelta(minutes=11)
    sweep(bench.store, bench.client, bench.clock)
    assert [line["event"] for line in said if line["log_level"] == "error"] == [
        "digest missing",
        "digest missing",
    ]


# By slash command, through the whole bot


def test_a_digest_is_subscribed_and_listed_by_slash_command(bot):
    answer = bot.ask("digest weekly mon 9am in <#C0GENERAL01|general> for skill:cuda")
    assert "Digest 1: every Monday at 09:00 (Europe/Berlin)" in answer.text
    [subscription] = bot.store.subscriptions()
    assert (subscription.channel, subscription.query) == ("C0GENERAL01", "skill:cuda")
    assert subscription.created_by == bot.slack.mira
    assert "Next: Mon" in bot.ask("digest list").text
    assert "2 new candidates with skill cuda" in json.dumps(bot.ask("digest preview").blocks)
    assert "on its way" in (bot.ask("digest now").text, bot.ask("digest now").text)[1]
