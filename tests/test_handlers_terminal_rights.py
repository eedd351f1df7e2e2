"""``python -m bot forget`` and ``report``: as an admin types them."""

import json
import os
import stat
import subprocess
import sys

import pytest

from bot.settings import PROJECT
from storage.store import Store
from tests.people_fixtures import page


@pytest.fixture
def bot(tmp_path):
    """Run the program; returns what it printed, said, and its status."""

    def run(*arguments, typed=""):
        environment = {
            **{name: value for name, value in os.environ.items() if "SLACK" not in name},
            "DATABASE_URL": f"sqlite:///{tmp_path / 'a.db'}",
            "INBOX": str(tmp_path / "inbox"),
            "BOT_MODE": "sandbox",
        }
        return subprocess.run(
            [sys.executable, "-m", "bot", *arguments],
            cwd=PROJECT, env=environment, input=typed, capture_output=True, text=True, check=False,
        )  # fmt: skip

    (tmp_path / "quetzal.txt").write_text(page())
    assert run("load", str(tmp_path / "quetzal.txt")).returncode == 0
    return run


def test_forgetting_asks_for_the_name_and_the_page_is_refused_until_it_is_lifted(bot, tmp_path):
    (tmp_path / "inbox" / "done").mkdir(parents=True)
    (tmp_path / "inbox" / "done" / "old.txt").write_text(page())
    wrong = bot("forget", "quetzal", typed="quetzal\n")
    assert wrong.returncode == 1
    assert "Quetzal Adeyemi" in wrong.stdout
    assert "Nothing was done" in wrong.stderr
    done = bot("forget", "quetzal", "--reason", "asked by mail", typed="adeyemi quetzal\n")
    assert done.returncode == 0, done.stderr
    assert "Forgotten." in done.stdout
    assert "watched file" in done.stdout
    assert list((tmp_path / "inbox" / "done").iterdir()) == []
    refused = bot("load", str(tmp_path / "quetzal.txt"))
    assert refused.returncode == 1
    assert "was erased here and is kept out" in refused.stdout
    assert "Quetzal" not in refused.stdout + refused.stderr
    assert "Quetzal" not in bot("load", "--json", str(tmp_path / "quetzal.txt")).stdout
    (tmp_path / "renamed.txt").write_bytes(page().replace("\n", "\r\n").encode())
    assert bot("load", str(tmp_path / "renamed.txt")).returncode == 1
    [reference] = [row.split()[0] for row in bot("forget", "--list").stdout.splitlines()]
    assert reference in refused.stdout
    assert "Receipt" in bot("forget", reference).stdout
    assert bot("forget", "--lift", reference).returncode == 2
    assert bot("forget", "--lift", reference, "--reason", "she asked").returncode == 0
    assert bot("load", str(tmp_path / "renamed.txt")).returncode == 0


def test_a_script_forgets_by_id_and_names_what_is_wrong(bot, tmp_path):
    candidate_id = json.loads(bot("show", "--json", "quetzal").stdout)["id"]
    nobody = bot("forget", "--yes", "nosuchid")
    assert nobody.returncode == 2
    assert "not stored any more" in nobody.stderr
    assert bot("forget", "--yes", candidate_id).returncode == 0
    assert bot("show", "quetzal").returncode == 1


def test_the_report_holds_everything_and_is_written_for_its_owner_only(bot, tmp_path):
    bot("ask", "--json", "skill:mlir")
    store = Store.open(f"sqlite:///{tmp_path / 'a.db'}")
    [person] = [hit.candidate for hit in store.named("quetzal").hits]
    store.record_posted(channel="C1", ts="1.2", kind="card", by="U1", candidate_ids=[person.id],
                        now=person.added_at)  # fmt: skip
    store.take_up(person.id, who="U7", now=person.added_at)
    store.close()
    bot("ask", "do-not-contact quetzal adeyemi not now")
    told = json.loads(bot("report", "--json", "quetzal").stdout)
    assert told["facts"]["name"] == "Quetzal Adeyemi"
    assert "writes compilers" in told["sources"][0]["text"]
    assert {(each["action"]) for each in told["recipients"]} >= {"ask", "export", "stand"}
    assert "skill:mlir" in [each["asked"] for each in told["searches"]]
    assert told["messages"][0]["channel"] == "C1"
    assert told["restrictions"][0]["reason"] == "not now"
    assert told["in_touch"][0]["who"] == "U7"
    assert told["told_of_being_stored"]["state"] == "due"
    assert told["kept"]["hidden_at"]
    target = tmp_path / "report.md"
    assert bot("report", "quetzal", "--output", str(target)).returncode == 0
    kept = bot("report", "quetzal", "--output", str(target))
    assert kept.returncode == 1
    assert "exists already. Choose another file, or add --force." in kept.stderr
    assert bot("report", "quetzal", "--output", str(target), "--force").returncode == 0
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    text = target.read_text()
    for part in ("writes compilers", "exported", "skill:mlir", "not now", "U7"):
        assert part in text


def test_a_hidden_person_is_shown_to_the_admin_who_says_whom(bot):
    bot("ask", "restrict quetzal adeyemi")
    assert "shown to nobody: restricted" in bot("ask", "quetzal").stdout
    shown = bot("show", "quetzal")
    assert "restricted" in shown.stdout
    assert bot("report", "quetzal").returncode == 0
    assert "no longer restricted" in bot("ask", "lift quetzal adeyemi").stdout
