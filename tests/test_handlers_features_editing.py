"""Edit in Slack: ruling by a button, correcting by a form or by words."""

import json
from datetime import timedelta

import pytest

from storage.records import Link, Profile
from tests.edge_fixtures import running_bot, utc_now
from tests.people_fixtures import document, profile

GITHUB = (Link(url="https://github.com/quetzalad"),)


@pytest.fixture
def person(store):
    """Somebody whose two documents call the job differently."""
    now = utc_now() - timedelta(hours=1)
    id_ = store.add(profile(links=GITHUB), document("1"), now=now).candidate_id
    cv = Profile(name="Quetzal Adeyemi", title="Lead", company="Norrsken", links=GITHUB)
    store.add(cv, document("2", "cv.json", parser="json-resume/1"), now=now + timedelta(minutes=1))
    return id_


@pytest.fixture
def bot(store, person):
    with running_bot(store, clock=utc_now, admin_users=("U0MIRALINDG",)) as running:
        yield running


def said(message):
    return json.dumps(message.blocks, ensure_ascii=False)


def test_a_contradiction_is_ruled_on_by_a_button(bot, store, person):
    card = said(bot.ask("quetzal adeyemi"))
    assert "Title differs: “Lead” in cv.json" in card
    assert f"`/candidate edit {person}` to say which is right" in card
    shown = bot.ask("edit quetzal adeyemi")
    assert "*Title differs*" in said(shown)
    assert "“Compiler Engineer” in quetzal.txt" in said(shown)
    bot.press(shown, "candidate.rule.0.1")
    bot.settle()
    assert store.candidate(person).profile.title == "Compiler Engineer"
    assert "Title: Compiler Engineer · _by hand_" in said(bot.ask("edit quetzal adeyemi"))
    assert "Title differs" not in said(bot.ask("quetzal adeyemi"))
    told = said(bot.ask("history quetzal adeyemi"))
    assert "corrected by hand: title" in told
    assert "title: Lead → Compiler Engineer" in told


def test_the_form_corrects_what_was_changed(bot, store, person):
    bot.press(bot.ask("edit quetzal adeyemi"), f"candidate.edit.{person}")
    bot.settle()
    view = bot.slack.modal(bot.slack.mira)
    before = len(bot.slack.ephemerals(bot.slack.mira))
    values = {"company": "Zugvogel", "years_coding": "12"}
    bot.slack.submit(
        bot.slack.mira,
        view,
        {field: {f"{field}.{person}": {"value": value}} for field, value in values.items()},
    )
    told = said(bot.next_ephemeral(bot.slack.mira, before))
    assert "• company: Norrsken → Zugvogel" in told
    assert "_not stated_" in told
    profile = store.candidate(person).profile
    assert (profile.name, profile.title) == ("Quetzal Adeyemi", "Lead")
    assert (profile.company, profile.years_coding) == ("Zugvogel", 12)


def test_words_correct_without_a_form(bot, store, person):
    told = said(bot.ask("edit quetzal adeyemi place: Lund, Sweden"))
    assert "location: not stated → Lund, Sweden" in told
    assert store.candidate(person).profile.location.city == "Lund"
    assert "What can be corrected: name, title" in said(bot.ask("edit quetzal adeyemi shoes: 44"))
    assert "whole number" in said(bot.ask("edit quetzal adeyemi years: many"))
