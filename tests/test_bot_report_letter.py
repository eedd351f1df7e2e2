"""The report as a letter: whoever it is about can read it, and nothing of the program shows."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.report_letter import ACTIONS, as_markdown, often
from bot.reporting import report
from bot.zones import zone_of
from handlers.views.audit import WORDS
from storage.records import (
    Contribution,
    Declared,
    Location,
    Remark,
    Severity,
    StackOverflow,
    StandingKind,
)
from storage.retention import NoticeState
from tests.digest_people import subscribe
from tests.people_fixtures import add, document, profile

NOW = datetime(2026, 12, 1, 23, 30, tzinfo=UTC)
"""Tuesday; Wednesday already in Berlin."""
DAY = timedelta(days=1)
REMARKS = {
    "degree-contradicts": "PhD in the summary, Master under education",
    "country-contradicts": 'heading says "Malmö, Norway"',
    "span-odd": '"1 day" may cover only the commit',
    "months-reversed": "norrsken/zugvogel ends (2024-03) before it begins (2024-10)",
    "name-in-summary": 'the summary speaks of "Bo Quist"',
}


@pytest.fixture
def person(store):
    """Somebody about whom everything is recorded that can be."""
    id_ = add(
        store,
        now=NOW,
        location=Location(text="Malmö, Norway", city="Malmö", stated_country="Norway"),
        summary="Writes *compilers*\n# and `tools`.",
        years_coding=9,
        years_employed=1,
        badges=("Rockstar",),
        stackoverflow=StackOverflow(reputation=1200, reached=0),
        declared=Declared(skills=3, languages=1, contributions=2),
        contributions=(
            Contribution(
                repository="norrsken/zugvogel", from_month="2024-03", to_month="2024-10",
                role="Compiler Engineer", commits=40, pull_requests=9, reviews=1, span="1 day",
                description="A compiler.", summary="Made it faster.", topics=("llvm", "mlir"),
                other={"issues": 3},
            ),
            Contribution(repository="norrsken/tool", span="2 days"),
        ),
        remarks=tuple(
            Remark(code=code, text=text, severity=Severity.CHECK)
            for code, text in REMARKS.items()
        ),
    )  # fmt: skip
    for who, action, place, text, at in (
        ("U0MIRA", "ask", "C0HIRING", "skill:mlir", NOW),
        ("U0MIRA", "ask", "direct", "quetzal", NOW + DAY),
        ("U0MIRA", "open", "D0MIRA", "", NOW),
        ("terminal:root", "export", "terminal", "", NOW),
        ("folder", "update", "inbox", "", NOW),
        ("U0TOM", "ask", "", "", NOW),
        ("clock", "a_new_word", "", "", NOW),
    ):
        store.audit(who=who, action=action, place=place, text=text, candidate_ids=[id_], now=at)
    for kind, channel in (("card", "C0HIRING"), ("answer", "D0MIRA")):
        store.record_posted(
            channel=channel, ts=f"{kind}.1", kind=kind, by="U0MIRA", candidate_ids=[id_], now=NOW
        )
    for kind in StandingKind:
        store.set_standing(id_, kind, by="U0MIRA", reason="by mail", now=NOW)
    store.take_up(id_, who="U0TOM", now=NOW)
    return id_


def letter(store, person, *, zone="UTC", now=NOW + 2 * DAY, months=24):
    return as_markdown(report(store, person, months=months, now=now), zone=zone_of(zone))


def test_a_letter_shows_no_instants_structures_or_words_of_the_program(store, person):
    for state in (None, NoticeState.INFORMED, NoticeState.EXEMPT):
        if state is not None:
            store.set_notice(person, state, by="U0MIRA", reason="by mail", now=NOW)
        for now in (NOW, NOW + 40 * DAY, NOW + 900 * DAY):
            for months in (0, 24):
                told = letter(store, person, now=now, months=months)
                words = re.sub(r"(?ms)^```text$.*?^```$", "", told)
                for never in (
                    r"\d{4}-\d\d", r"\d\dT\d\d", r"\+00:00", r"\bNone\b", r"[{}]", r"\w_\w",
                    r"terminal:", r"test/1", r"U0[A-Z]+(?!` in Slack\)|[A-Z])", r"\binbox\b",
                    r"\(text ", r"severity", r"  ", r"\.\.", r"\bnull\b", r" ,", r"\(\)",
                ):  # fmt: skip
                    assert not re.search(never, words), (never, words)


def test_a_letter_speaks_to_the_person_in_sentences(store, person):
    told = letter(store, person)
    for sentence in (
        "# What is stored about Quetzal Adeyemi",
        "It was put together on Thu 3 Dec 2026 at 23:30 (UTC).",
        f"name the record: `{person}`.",
        "- **Place:** Malmö, Norway",
        "- **Experience, as the page says:** 9 years of coding, 1 year employed",
        "- **Skills, with the page's scores out of 10:** mlir 10, llvm 9",
        "- **Stack Overflow:** reputation 1,200, 0 people reached",
        "- **Education:** MSc, Lund University",
        r"- **Summary, written by the page:** Writes \*compilers\* # and \`tools\`.",
        (
            "- **Work on norrsken/zugvogel** (Compiler Engineer, Mar 2024 to Oct 2024): 40 "
            "commits, 9 pull requests, 1 review and 3 issues in 1 day. The repository: A compiler. "
            "The page says: Made it faster. Topics: llvm, mlir."
        ),
        "- **Work on norrsken/tool**: in 2 days.",
        "- The headings of the page speak of 3 skills, 1 programming language and 2 contributions.",
        (
            "- The page states a time for one contribution that seems too short for the reviews "
            'and pull requests it counts there: "1 day" may cover only the commit.'
        ),
        (
            "- The dates of one contribution cannot be right: norrsken/zugvogel ends (Mar 2024) "
            "before it begins (Oct 2024)."
        ),
        "**quetzal-adeyemi.txt** (document) was added on Tue 1 Dec by a colleague",
        (
            "- A colleague (`U0MIRA` in Slack) found it by a question, twice, between Tue 1 Dec "
            "and Wed 2 Dec, in the Slack channel `C0HIRING` and in a direct message."
        ),
        (
            "- A colleague who runs the bot (root) exported the record, once, on Tue 1 Dec, on the "
            "bot's machine."
        ),
        "- The bot used the record, once, on Tue 1 Dec.",
        (
            "- Tue 1 Dec, a colleague (`U0MIRA` in Slack): “skill:mlir”, in the Slack channel "
            "`C0HIRING`."
        ),
        "- Tue 1 Dec, a colleague (`U0TOM` in Slack): words that are kept no more.",
        "- Tue 1 Dec: your card, in the Slack channel `C0HIRING`, by a colleague",
        (
            "- Nobody may contact you, since Tue 1 Dec; noted by a colleague (`U0MIRA` in Slack). "
            "Noted with it: “by mail”."
        ),
        (
            "- A colleague (`U0TOM` in Slack) is in touch with you since Tue 1 Dec; this note ends "
            "on Thu 31 Dec."
        ),
        "- You have not been told yet that you are stored; that is due by Tue 29 Dec.",
        "and it is erased on",
    ):
        assert sentence in told, sentence
    assert "the page of Quetzal Adeyemi" in told, "the text as it is stored"


def test_the_letter_s_days_are_those_of_the_zone_it_is_made_in(store, person):
    assert "put together on Fri 4 Dec 2026 at 00:30 (Europe/Berlin)" in letter(
        store, person, zone="Europe/Berlin"
    )
    assert "since Wed 2 Dec" in letter(store, person, zone="Europe/Berlin")


def test_the_letter_says_how_it_stands_with_telling_and_keeping(store, person):
    assert "You should have been told by Tue 29 Dec 2026" in letter(
        store, person, now=NOW + 60 * DAY
    )
    store.set_notice(person, NoticeState.INFORMED, by="U0MIRA", now=NOW)
    assert "You were told that you are stored: a colleague" in letter(store, person)
    store.set_notice(person, NoticeState.EXEMPT, by="U0MIRA", reason="knows", now=NOW)
    assert "need not be told separately that you are stored. The reason: “knows”." in letter(
        store, person
    )
    assert "- It is kept until somebody removes it." in letter(store, person, months=0)
    assert "Without further contact nobody finds it from" in letter(store, person)
    assert "- Nobody finds it since" in letter(store, person, now=NOW + 900 * DAY)


def test_a_letter_names_digests_and_what_came_by_slack(store):
    subscribe(store, NOW - DAY)
    person = add(store, now=NOW)
    told = report(store, person, months=24, now=NOW + DAY)
    told["digests"] = [
        {"digest": 1, "channel": "C0HIRING", "posted_at": NOW.isoformat()},
        {"digest": 1, "channel": "C0HIRING", "posted_at": None},
    ]
    told["added_from_slack"] = [
        {"at": NOW.isoformat(), "by": "U0MIRA", "outcome": outcome}
        for outcome in ("stored", "updated", "reread", "unchanged")
    ]
    told["earlier_ids"] = ["abc"]
    words = as_markdown(told, zone=UTC)
    assert "- Digest 1, in the Slack channel `C0HIRING`, told of you on Tue 1 Dec." in words
    assert "is to tell of you and is not posted yet." in words
    assert "(`U0MIRA` in Slack) added the record with a message in Slack." in words
    assert f"name the record: `{person}` (earlier also `abc`)." in words


def test_a_letter_about_hardly_anything_has_no_gaps(store):
    bare = replace(profile(), headline=None, title=None, company=None, skills=(), contributions=(),
                   education=(), likely_login=None)  # fmt: skip
    person = store.add(bare, document("Quetzal Adeyemi\n"), now=NOW).candidate_id
    told = letter(store, person)
    assert "- **Name:** Quetzal Adeyemi\n\n## What to know about these facts\n\nNothing.\n" in told


def test_every_action_of_the_audit_has_words_in_a_report():
    assert set(WORDS) <= set(ACTIONS)
    assert (often(1), often(2), often(3)) == ("once", "twice", "3 times")
