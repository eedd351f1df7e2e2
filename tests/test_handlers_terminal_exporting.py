"""``python -m bot export``: as an admin types it."""

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

    def run(*arguments):
        environment = {
            **{name: value for name, value in os.environ.items() if "SLACK" not in name},
            "DATABASE_URL": f"sqlite:///{tmp_path / 'a.db'}",
            "BOT_MODE": "sandbox",
        }
        return subprocess.run(
            [sys.executable, "-m", "bot", *arguments],
            cwd=PROJECT, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip

    (tmp_path / "quetzal.txt").write_text(page())
    assert run("load", str(tmp_path / "quetzal.txt")).returncode == 0
    return run


def test_an_export_is_printed_or_written_for_its_owner_only_and_noted(bot, tmp_path):
    printed = bot("export", "skill:mlir")
    assert printed.returncode == 0, printed.stderr
    assert printed.stdout.startswith('"Name",')
    assert "Quetzal Adeyemi" in printed.stdout
    target = tmp_path / "people.json"
    written = bot("export", "--as", "json", "--output", str(target), "quetzal", "adeyemi")
    assert "1 person written to" in written.stdout
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert json.loads(target.read_text())["basics"]["name"] == "Quetzal Adeyemi"
    again = bot("export", "--as", "json", "--output", str(target), "quetzal")
    assert again.returncode == 1
    assert "exists already" in again.stderr
    assert bot("export", "--output", str(target), "--force", "quetzal").returncode == 0
    store = Store.open(f"sqlite:///{tmp_path / 'a.db'}")
    entries = store.audited(actions=["export"])
    store.close()
    assert len(entries) >= 3
    assert {entry.place for entry in entries} == {"terminal"}


def test_what_cannot_be_exported_is_said(bot, tmp_path):
    nobody = bot("export", "skill:cobol")
    assert (nobody.returncode, nobody.stdout) == (2, "")
    assert "finds nobody" in nobody.stderr
    assert "the forms are csv, xlsx, json, md" in bot("export", "--as", "pdf", "x").stderr
    assert "add --output candidates.xlsx" in bot("export", "--as", "excel", "x").stderr
    workbook = tmp_path / "people.xlsx"
    assert bot("export", "--as", "xlsx", "--output", str(workbook), "quetzal").returncode == 0
    assert workbook.read_bytes().startswith(b"PK")
