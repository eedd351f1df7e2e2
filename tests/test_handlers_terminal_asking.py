"""What a person at a terminal reads: command lines that can be pasted, pages by number."""

import json
import logging
import re
import shlex
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from bot.__main__ import app
from bot.settings import PROJECT, Settings
from handlers.views.typed import PROGRAM
from tests.loading_fixtures import page

SEEDS = PROJECT / "seeds"
IN_SLACK = ("/candidate", "`", "Only you see", "mention me")


@pytest.fixture(autouse=True)
def database(tmp_path, monkeypatch):
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setenv("BOT_MODE", "sandbox")
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'c.db'}")
    monkeypatch.setattr(logging.getLogger(), "handlers", [])  # of this runner's stderr, soon closed


@pytest.fixture
def seeds():
    run("load", str(SEEDS))


@pytest.fixture
def many(tmp_path):
    """23 people with the skill python."""
    pages = tmp_path / "many.txt"
    pages.write_text("".join(page(f"Ada {chr(97 + each)}lova") for each in range(23)))
    run("load", str(pages))


def run(*arguments):
    return CliRunner().invoke(app, list(arguments))


def names(*arguments):
    return [person["name"] for person in json.loads(run(*arguments).stdout)["results"]]


def pasted(command):
    """A command line that the program printed, in a shell."""
    words = command.replace(PROGRAM, f"{shlex.quote(sys.executable)} -m bot", 1)
    done = subprocess.run(
        ["sh", "-c", words], cwd=PROJECT, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


def test_every_one_of_many_people_is_on_some_page(many):
    paged = [names("ask", "--json", "--page", number, "skill:python") for number in "123"]
    assert [len(each) for each in paged] == [10, 10, 3]
    assert len({name for each in paged for name in each}) == 23


def test_a_page_says_how_to_ask_for_the_next_and_a_shell_takes_it(many):
    first = run("ask", "years>=5").stdout
    assert "Page 1 of 3. More: add --page 2, as in " in first
    second = pasted(first[first.index(PROGRAM) :].splitlines()[0])
    assert "Page 2 of 3. More: add --page 3" in second
    last = run("ask", "--page", "3", "years>=5").stdout
    assert "Page 3 of 3." in last
    assert "--page" not in last


def test_people_who_are_new_can_be_paged_too(many):
    assert len(names("ask", "--json", "--page", "3", "new")) == 3


@pytest.mark.parametrize(
    ("question", "have"), [("ada alova", "1 page"), ("skill:python", "3 pages"), ("help", "1 page")]
)
def test_a_page_that_there_is_not_is_an_error(many, question, have):
    done = run("ask", "--page", "4", question)
    assert done.exit_code == 2
    assert f"There is no page 4: this answer has {have}." in done.stdout


def test_slack_is_not_told_of_the_option(many):
    document = json.loads(run("ask", "--json", "skill:python").stdout)
    assert "--page" not in json.dumps(document)
    assert list(document) == ["answer", "query", "total", "results", "message", "blocks"]


@pytest.mark.parametrize(
    "question",
    [
        "help", "help digest", "help search", "help add", "help commands", "new", "chenggang",
        "lei wnag", "skill:r", "skill:cuda skill:zzz", "skill:cuda", "history wang", "forget wang",
        "digest lst", "digest list", "digest preview", "digest daily 9", "forgett",
    ],
)  # fmt: skip
def test_an_answer_speaks_of_what_can_be_typed_at_a_terminal(seeds, question):
    told = run("ask", "--", question).stdout
    assert told.strip()
    assert [words for words in IN_SLACK if words in told] == []


def test_what_help_lists_can_be_pasted_into_a_shell(seeds):
    told = run("ask", "help").stdout
    commands = [each for each in told.splitlines() if each.startswith(f"{PROGRAM} ask ")]
    assert len(commands) >= 5
    for command in commands:
        assert "Wang" in pasted(command) or "Zhao" in pasted(command), command


def test_a_digest_is_subscribed_by_the_line_that_the_list_prints(seeds):
    """A ``#`` that no quotes stand around begins a comment."""
    told = run("digest", "list").stdout
    assert "Digest 1: every Monday" in pasted(told[told.index(PROGRAM) :].splitlines()[0])
    assert "in #hiring" in run("digest", "list").stdout


def test_a_preview_of_several_digests_says_how_to_choose(seeds):
    run("digest", "weekly monday 09:00 in #hiring")
    run("digest", "daily 09:00 in C0123456789")
    done = run("digest", "preview")
    assert done.exit_code == 2
    assert done.stdout.strip().endswith(f"Say which: {PROGRAM} digest preview 1")
    assert "in channel C0123456789" in run("digest", "list").stdout


def test_a_preview_without_a_digest_promises_no_next_one(seeds):
    told = run("digest", "preview").stdout
    assert "No digest is subscribed yet; a weekly one would begin like this." in told
    assert "2 new candidates" in told
    assert "next" not in told
    assert "changes this" not in told


def test_the_lists_last_line_names_what_does_something(seeds):
    run("digest", "weekly monday 09:00 in #hiring")
    last = run("digest", "list").stdout.splitlines()[-1]
    assert last == f"{PROGRAM} digest preview 1 (or now 1, pause 1, stop 1)"
    run("digest", "pause 1")
    last = run("digest", "list").stdout.splitlines()[-1]
    assert last == f"{PROGRAM} digest preview 1 (or resume 1, stop 1)"
    run("digest", "daily 09:00 in #other")
    last = run("digest", "list").stdout.splitlines()[-1]
    assert last.endswith("(or now 2, pause 2, resume 1, stop 2); the number says which digest.")
    for verb, number in re.findall(r"(now|pause|resume|stop) (\d)", last):
        assert run("digest", verb, number).exit_code == 0
