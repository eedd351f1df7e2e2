"""Logs carry ids and places in the code; no token, no value at hand, whoever writes them."""

import json
import logging
import sys

import pytest
import structlog

from bot.logs import configure_logs

TOKEN = "xoxb-1-canary"
NAME = "Ines Adeyemi"


@pytest.fixture
def logged(capsys):
    """What the logs hold after ``write``; the logging of the tests is put back."""
    root, handlers, level = logging.getLogger(), logging.getLogger().handlers, logging.root.level

    def run(write):
        configure_logs(secrets=(TOKEN,))
        write()
        return capsys.readouterr()

    yield run
    root.handlers, root.level = handlers, level
    structlog.reset_defaults()


def fail():
    person = NAME
    raise ValueError(f"cannot read {person} with {TOKEN}")


def by_us():
    try:
        fail()
    except ValueError:
        structlog.get_logger("ours").exception("broken", nested={"list": [TOKEN]})


def by_a_library():
    try:
        fail()
    except ValueError:
        logging.getLogger("library").exception("broken %s", TOKEN)


@pytest.mark.parametrize("write", [by_us, by_a_library])
def test_a_traceback_is_its_type_and_places(logged, write):
    output = logged(write)
    assert output.out == ""
    assert TOKEN not in output.err
    assert NAME not in output.err
    line = json.loads(output.err)
    assert line["error"] == "ValueError"
    assert line["at"][-1].endswith(" fail")
    assert line["level"] == "error"


def test_a_terminal_gets_lines_without_values_too(logged, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    output = logged(by_a_library)
    assert TOKEN not in output.err
    assert NAME not in output.err
    assert "ValueError" in output.err
