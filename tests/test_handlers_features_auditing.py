"""The audit: everything that shows or changes somebody is noted, and admins can read it."""

import json
from contextlib import closing
from datetime import datetime, timedelta
from sqlite3 import connect
from typing import Any

import pytest
from sqlalchemy import make_url
from typer.testing import CliRunner

from bot.__main__ import app
from bot.settings import PROJECT, Settings
from handlers.features.candidate import answer
from handlers.setup import doctor
from handlers.views.audit import WORDS
from storage.audit import ERASURES, SHOWN
from storage.store import Store
from tests.edge_fixtures import Bot
from tests.test_handlers_features_candidate import add_people, texts


def of(bot: Bot, name: str) -> str:
    return bot.store.named(name).hits[0].candidate.id


def newest(bot: Bot) -> tuple[str, str, str, tuple[str, ...]]:
    bot.settle()
    entry = bot.store.audited(limit=1)[0]
    return entry.who, entry.action, entry.place, entry.candidate_ids


def test_all_that_shows_somebody_in_slack_is_noted_with_whom(bot: Bot, now: datetime):
    mira, hiring, zhao = bot.slack.mira, bot.slack.hiring, of(bot, "chenggang")
    both = tuple(sorted((zhao, of(bot, "wang"))))
    card = bot.ask("chenggang")
    assert newest(bot) == (mira, "ask", hiring, (zhao,))
    bot.press(card, "candidate.more")
    assert newest(bot) == (mira, "more", hiring, (zhao,))
    results = bot.ask("skill:cuda")
    assert newest(bot) == (mira, "ask", hiring, both)
    bot.press(results, "candidate.open")
    assert newest(bot)[:3] == (mira, "open", hiring)
    bot.ask("history chenggang")
    assert newest(bot) == (mira, "history", hiring, (zhao,))
    bot.ask("digest preview")
    assert newest(bot)[1] == "preview"
    add_people(bot.store, 12, now)
    bot.press(bot.ask("zig"), "candidate.page.next")
    who, action, _, people = newest(bot)
    assert (who, action, len(people)) == (mira, "page", 2)


def test_marks_are_told_in_the_words_of_their_buttons(bot: Bot):
    zhao = of(bot, "chenggang")
    bot.ask("do-not-contact chenggang asked by mail")
    bot.ask("objected chenggang")
    bot.ask(f"lift {zhao}")
    for state in ("informed", "exempt"):
        bot.store.audit(who=bot.slack.mira, action="notice", place="action", text=state,
                        candidate_ids=[zhao], now=bot.edge.clock())  # fmt: skip
    told = texts(bot.ask("audit chenggang"))
    assert "marked “Do not contact”: *Chenggang Zhao* in <#" in told
    assert "lifted “Do not contact” of *Chenggang Zhao*" in told
    assert "lifted “Objected to being processed” of *Chenggang Zhao*" in told
    assert "noted as told that they are stored: *Chenggang Zhao* by a button" in told
    assert "noted as one who need not be told that they are stored: *Chenggang Zhao*" in told
    assert "do_not_contact" not in told
    assert "“exempt”" not in told


def test_what_of_a_card_a_channel_was_shown_is_told(bot: Bot):
    with bot.slack.workspace.lock:
        bot.slack.workspace.channels[bot.slack.leads].members.add(bot.slack.bot_user)
    for channel in (bot.slack.hiring, bot.slack.leads):
        bot.press(bot.ask("chenggang", channel=channel), "candidate.share")
        bot.settle()
    bot.press(bot.slack.ephemerals(bot.slack.mira)[-2], "candidate.confirm")
    bot.settle()
    told, mira = texts(bot.ask("audit chenggang")), bot.slack.mira
    in_public, in_private = bot.slack.hiring, bot.slack.leads
    assert f"<@{mira}> shared the name and the skills of *Chenggang Zhao* in <#{in_public}>" in told
    assert f"<@{mira}> shared the whole card of *Chenggang Zhao* in <#{in_private}>" in told


def test_what_is_shown_at_the_terminal_is_noted(office: "Terminal"):
    for arguments, action, people in (
        (("ask", "--", "chenggang"), "ask", 1),
        (("ask", "--json", "--", "skill:cuda"), "export", 2),
        (("show", "chenggang"), "show", 1),
        (("show", "--json", "wang"), "show", 1),
        (("audit", "--candidate", "wang"), "audit", 2),
    ):
        assert office.run(*arguments).exit_code == 0
        entry = office.newest()
        assert entry.who.startswith("terminal:")
        assert (entry.action, len(entry.candidate_ids), entry.place) == (action, people, "terminal")


class Terminal:
    def __init__(self, url: str) -> None:
        self.url = url

    def run(self, *arguments: str) -> Any:
        return CliRunner().invoke(app, list(arguments))

    def newest(self) -> Any:
        store = Store.open(self.url)
        with closing(store):
            return store.audited(limit=1)[0]


@pytest.fixture
def office(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """The command line with the two seeds loaded."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    url = f"sqlite:///{tmp_path}/x.db"
    monkeypatch.setenv("BOT_MODE", "sandbox")
    monkeypatch.setenv("DATABASE_URL", url)
    terminal = Terminal(url)
    assert terminal.run("load", str(PROJECT / "seeds")).exit_code == 0
    return terminal


# -- reading it in Slack ----------------------------------------------------------------------


def test_digest_commands_in_a_row_share_a_line_and_ids_are_names(bot: Bot):
    bot.ask("wang")
    for text in ("digest list", "digest pause 9", "digest list"):
        bot.ask(text)
    bot.ask(f"purple <#{bot.slack.general}>")
    bot.ask("digest preview")
    shown = texts(bot.ask("audit"))
    assert "typed 3 digest commands that showed nobody" in shown
    assert "digest list" not in shown
    assert f"asked “purple <#{bot.slack.general}>”" in shown
    assert "previewed a digest with *" in shown
    mira = bot.slack.mira
    for typed in (f"audit <@{mira}>", f"audit <@{mira}> Lindgren", f"audit <@{mira}|mira> Lind B"):
        assert f"*Audit* of what <@{mira}> did" in texts(bot.ask(typed))


def test_an_admin_reads_what_was_done_with_a_candidate(bot: Bot):
    """Mira is an admin of the workspace; Jonas is not."""
    bot.ask("chenggang", user=bot.slack.jonas)
    bot.ask("skill:cuda", user=bot.slack.jonas)
    bot.ask("wang")
    shown = texts(bot.ask("audit chenggang"))
    assert "*Audit* of *Chenggang Zhao*" in shown
    hiring = f"in <#{bot.slack.hiring}>"
    assert f"<@{bot.slack.jonas}> asked “chenggang”: *Chenggang Zhao* {hiring}" in shown
    assert "asked “skill:cuda”: *Lei Wang*, *Chenggang Zhao*" in shown or (
        "asked “skill:cuda”: *Chenggang Zhao*, *Lei Wang*" in shown
    )
    assert "the examples added *Chenggang Zhao*\n" in shown
    assert f"<@{bot.slack.mira}> asked" not in shown
    assert newest(bot)[:2] == (bot.slack.mira, "audit")


@pytest.mark.parametrize("typed", ["audit @jonas", "audit U0JONASOKOY"])
def test_an_admin_reads_what_a_colleague_did(bot: Bot, typed: str):
    bot.ask("chenggang", user=bot.slack.jonas)
    bot.ask("wang")
    shown = texts(bot.ask(typed))
    assert f"*Audit* of what <@{bot.slack.jonas}> did" in shown
    assert "asked “chenggang”" in shown
    assert "asked “wang”" not in shown


def test_it_is_asked_by_direct_message_and_by_mention_too(bot: Bot):
    slack = bot.slack
    channel = slack.direct(slack.mira)
    slack.say(slack.mira, channel, "audit @jonas")
    [said] = slack.wait_for(lambda: [each for each in slack.messages(channel) if each.bot_id])
    assert "of what" in texts(said)
    before = len(slack.ephemerals(slack.mira))
    slack.say(slack.mira, slack.hiring, "@candidate audit @jonas")
    assert "of what" in texts(bot.next_ephemeral(slack.mira, before))
    assert slack.messages(slack.hiring)[-1].user == slack.mira, "nothing is said in the channel"


def test_whoever_is_no_admin_is_told_so(bot: Bot):
    shown = texts(bot.ask("audit chenggang", user=bot.slack.jonas))
    assert "You are a recruiter here and may not see who looked at whom" in shown
    assert "that takes an admin. Ask whoever runs the bot." in shown
    assert "Audit" not in shown


def test_pages_are_turned_to_the_end_without_repeating_an_entry(bot: Bot, now: datetime):
    """Although reading the audit adds entries to it."""
    for number in range(45):
        bot.store.audit(who="U0SOMEBODY", action="ask", place="C1", text=f"q{number}", now=now)
    page, pages = bot.ask("audit U0SOMEBODY"), []
    while True:
        pages.append(texts(page))
        if page.blocks[-1]["type"] != "actions":
            break
        bot.press(page, "candidate.audit")
        bot.settle()
        page = bot.slack.ephemerals(bot.slack.mira)[-1]
    assert [each.count("asked “q") for each in pages] == [20, 20, 5]
    for number in range(45):
        assert sum(each.count(f"“q{number}”") for each in pages) == 1


def test_times_are_the_readers_and_of_one_style(bot: Bot, now: datetime):
    bot.store.audit(who="U0SOMEBODY", action="ask", place="C1", now=now - timedelta(days=400))
    bot.store.audit(who="U0SOMEBODY", action="ask", place="D1", now=now)
    shown = texts(bot.ask("audit U0SOMEBODY"))
    assert "27 Oct 2025 10:30 · " in shown
    assert "1 Dec 10:30 · " in shown
    assert "Times are CET" in shown


def test_a_name_that_fits_several_people_and_nobody(seeded_store: Store, now: datetime):
    add_people(seeded_store, 3, now)
    told = answer(seeded_store, "audit nguyen", asker="terminal:ada", now=now)
    assert "3 people could be “nguyen”" in told.plain
    found = answer(seeded_store, "audit quality assurance", asker="terminal:ada", now=now)
    assert found.action == "ask", "that is a search"


def test_what_is_erased_leaves_the_audit_without_its_name(seeded_store: Store, now: datetime):
    store = seeded_store
    answer(store, "chenggang", asker="U0JONASOKOY", now=now)
    store.remove(store.named("chenggang").hits[0].candidate.id, now=now, by="U0MIRALINDG")
    told = answer(store, "audit", asker="terminal:ada", now=now).plain
    assert "Chenggang" not in told
    assert "chenggang" not in told
    assert "@U0MIRALINDG erased somebody" in told


def test_every_action_of_ours_has_its_words():
    assert {*SHOWN, *ERASURES, "share", "withdraw", "digest", "add", "update"} <= set(WORDS)


def test_a_refused_command_is_read_as_refused(bot: Bot):
    bot.ask("forget chenggang", user=bot.slack.jonas)
    told = texts(bot.ask("audit"))
    assert "was refused: “forget chenggang” in <#" in told


# -- at the terminal --------------------------------------------------------------------------


def test_the_terminal_prints_and_pages(office: Terminal):
    for _ in range(25):
        office.run("ask", "--", "chenggang")
    printed = office.run("audit", "--candidate", "chenggang").stdout
    assert "Audit of Chenggang Zhao" in printed
    assert printed.count("asked “chenggang”: Chenggang Zhao") == 20
    older = printed.strip().rpartition("--before ")[2]
    assert office.run("audit", "--before", older, "--candidate", "chenggang").exit_code == 0
    document = json.loads(office.run("audit", "--json", "--who", "seeds").stdout)
    assert document == {"entries": [], "older": None}
    document = json.loads(office.run("audit", "--json").stdout)
    assert len(document["entries"]) == 20
    assert document["entries"][0]["action"] == "audit"
    assert set(document["entries"][0]) == {
        "number", "at", "who", "action", "place", "text", "people",
    }  # fmt: skip


def test_a_candidate_that_nobody_knows_is_no_audit_of_everything(office: Terminal):
    done = office.run("audit", "--candidate", "nobody at all")
    assert done.exit_code == 1
    assert "Nobody here is called" in done.stderr
    assert done.stdout == ""


# -- the doctor -------------------------------------------------------------------------------


def test_the_doctor_verifies_the_chain_and_prints_its_head(office: Terminal):
    store = Store.open(office.url)
    check = store.verify_audit()
    store.close()
    printed = office.run("doctor")
    assert printed.exit_code == 0
    assert f"{check.entries} entries, whole." in printed.stdout
    assert f"audit {check.entries} {check.head}" in printed.stdout


def test_a_broken_chain_is_a_failure_with_what_to_do(office: Terminal):
    with closing(connect(str(make_url(office.url).database))) as connection:
        connection.execute("DROP TRIGGER audit_stays")
        connection.execute("UPDATE audit SET who = 'U9' WHERE number = 1")
        connection.commit()
    printed = office.run("doctor")
    assert printed.exit_code == 1
    assert "Entry 1 of the audit was changed" in printed.stdout
    assert "restore the last backup whose audit is whole" in printed.stdout


def test_the_doctor_says_who_gets_in_and_whom_nobody_tells(
    office: Terminal, monkeypatch: pytest.MonkeyPatch, now: datetime
):
    printed = office.run("doctor").stdout
    assert "every full member of the workspace may ask" in printed
    assert "the sandbox's admin is told of alarms" in printed
    monkeypatch.setenv("VIEWER_GROUPS", "@readers")
    monkeypatch.setenv("ADMIN_USERS", "U1")
    store = Store.open(office.url)
    store.raise_alarm(key="x", audience="admins", text="Something is up.", now=now)
    store.close()
    printed = office.run("doctor").stdout
    assert "only who is named gets in" in printed
    assert "nobody is a recruiter" in printed
    assert "nobody is told of alarms" not in printed
    assert "1 that not everybody was told of" in printed


def test_the_doctor_asks_slack_about_the_groups(slack: Any):
    settings = Settings(
        _env_file=None,
        admin_groups=("@hiring-leads",),
        recruiter_groups=("S0RECRUITER",),
        viewer_groups=("@gone",),
    )
    found = [str(each) for each in doctor.group_findings(settings, slack.client())]
    assert "1 in the user group @hiring-leads." in found[0]
    assert "2 in the user group S0RECRUITER." in found[1]
    assert found[2].startswith("FAIL")
    slack.fail("usergroups.list", error="missing_scope")
    [told, *_] = doctor.group_findings(settings, slack.client())
    assert "usergroups:read" in told.sentence


def test_a_colleague_is_taken_as_the_audit_prints_them_and_anything_else_is_named(
    office: Terminal,
):
    for who in ("@U0MIRALINDG", "U0MIRALINDG"):
        told = office.run("audit", "--who", who)
        assert (told.exit_code, "what @U0MIRALINDG did" in told.stdout) == (0, True)
    done = office.run("audit", "--who", "mira")
    assert done.exit_code == 2
    assert done.stderr.strip() == (
        "“mira” is no Slack id: write one as the audit prints it, such as U0MIRALINDG."
    )
    told = office.run("ask", "audit", "@U0MIRALINDG").stdout
    assert "U0MIRALINDG did" in told
