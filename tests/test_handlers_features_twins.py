"""Duplicates in Slack: suggested with reasons, ruled on by buttons, and taken back."""

import json
from datetime import timedelta

import pytest

from storage.records import StandingKind
from tests.edge_fixtures import running_bot, utc_now
from tests.people_fixtures import add

WEEK = timedelta(days=8)


class Clock:
    """Now, and later when a test says so."""

    later = timedelta()

    def __call__(self):
        return utc_now() + self.later


@pytest.fixture
def people(store):
    """Two Quetzals of one name at one employer, and somebody else there."""
    now = utc_now() - timedelta(hours=1)
    return [
        add(store, now=now, text="1", file="1.txt"),
        add(store, now=now + timedelta(minutes=1), text="2", file="2.txt", contributions=()),
        add(store, "Bo Li", now=now, text="3", file="3.txt", education=(), contributions=()),
    ]


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def bot(store, people, clock):
    with running_bot(store, clock=clock, admin_users=("U0MIRALINDG",)) as running:
        workspace = running.slack.workspace
        with workspace.lock:
            workspace.channels[running.slack.leads].members.add(workspace.bot_user)
        yield running


def said(message):
    return json.dumps(message.blocks, ensure_ascii=False)


def press(bot, message, action, user=None):
    bot.press(message, action, user=user)
    bot.settle()
    shown = bot.slack.ephemerals(user or bot.slack.mira)
    return next(each for each in shown if each.ts == message.ts)


def test_twins_are_listed_with_reasons(bot, people):
    shown = said(bot.ask("duplicates"))
    assert "*1 pair* may be one person" in shown
    assert "the same name · both at Norrsken · both studied at Lund University" in shown
    assert f"id {people[0]} · id {people[1]}" in shown
    assert "Bo Li" not in shown
    assert "of *Bo Li*" in said(bot.ask("duplicates bo li"))


def test_same_merges_and_undo_takes_it_back(bot, store, people):
    ruled = press(bot, bot.ask("duplicates"), "candidate.same")
    assert "The two records of *Quetzal Adeyemi* are one person now." in said(ruled)
    assert "Nobody here looks like a second record" in said(ruled)
    assert store.candidate(people[1]).id == people[0]
    assert "merged with Quetzal Adeyemi" in said(bot.ask("history quetzal adeyemi"))
    undone = press(bot, ruled, "candidate.unmerge")
    assert "are two people again" in said(undone)
    assert store.candidate(people[1]).id == people[1]
    assert [each.action for each in store.audited(actions=("merge", "unmerge"))] == [
        "unmerge", "merge",
    ]  # fmt: skip


def test_pressed_after_somebody_else_ruled_it_says_so(bot, store, people):
    shown = bot.ask("duplicates")
    store.merge(people[0], people[1], by="U0TOM", now=utc_now())
    before = len(bot.slack.ephemerals(bot.slack.mira))
    bot.press(shown, "candidate.same")
    assert "one person already" in said(bot.next_ephemeral(bot.slack.mira, before))


def test_not_the_same_is_never_suggested_again(bot, store, clock):
    ruled = press(bot, bot.ask("duplicates"), "candidate.not_same")
    assert "are not the same, and I suggest them no more" in said(ruled)
    clock.later = timedelta(days=900)
    assert store.likely_twins(now=clock())[1] == 0


def test_later_asks_again_in_a_week(bot, store, clock):
    ruled = press(bot, bot.ask("duplicates"), "candidate.same_later")
    assert "again in a week" in said(ruled)
    assert store.likely_twins(now=clock())[1] == 0
    clock.later = WEEK
    assert store.likely_twins(now=clock())[1] == 1


def test_a_merge_obeys_the_marks_of_either_and_cleans_messages(bot, store, people):
    bot.press(bot.ask("bo li", channel=bot.slack.leads), "candidate.share")
    bot.settle()
    store.set_standing(people[0], StandingKind.DO_NOT_CONTACT, by="U1", now=utc_now())
    told = bot.ask(f"merge {people[2]}, {people[0]}")
    assert "They no longer stand in 1 message of mine" in said(told)
    whole = store.candidate(people[2])
    assert [each.kind for each in whole.standings] == [StandingKind.DO_NOT_CONTACT]


def test_several_merges_are_taken_apart_one_by_one(bot, store, people):
    store.merge(people[0], people[1], by="U0TOM", now=utc_now())
    store.merge(people[0], people[2], by="U0TOM", reason="married", now=utc_now())
    shown = bot.ask("unmerge quetzal adeyemi")
    assert "Take out which?" in said(shown)
    assert "married" in said(shown)
    press(bot, shown, f"candidate.unmerge.{people[1]}")
    assert store.candidate(people[1]).id == people[1]
    assert "are two people again" in said(bot.ask(f"unmerge {people[2]}"))
    assert "not merged with anybody" in said(bot.ask("unmerge bo li"))
