"""Words of the chat typed as commands, and a backup that is not there, at the terminal."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.__main__ import app


@pytest.mark.parametrize("typed", [["duties"], ["history", "lei", "wang"]])
def test_a_word_of_the_chat_says_how_it_is_asked_here(typed: list[str]):
    told = CliRunner().invoke(app, typed)
    assert told.exit_code == 2
    assert f"python -m bot ask -- {' '.join(typed)}" in " ".join(told.output.split())
    assert "Did you mean" not in told.output


def test_a_backup_that_is_not_there_is_said_before_anything_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'c.db'}")
    told = CliRunner().invoke(app, ["restore", str(tmp_path / "nosuch.db")])
    assert told.exit_code == 2
    assert "There is no file" in told.output
    assert "y/N" not in told.output


def test_help_at_a_terminal_says_how_people_are_added_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    url = f"sqlite:///{tmp_path / 'c.db'}"
    monkeypatch.setenv("DATABASE_URL", url)
    page = Path(__file__).parent.parent / "seeds"
    CliRunner().invoke(app, ["load", str(page)])
    told = CliRunner().invoke(app, ["ask"]).output
    assert "python -m bot load PATH" in told
    assert "direct message" not in told
