"""Whenever a process is killed while it forgets somebody, what it began is brought to its end."""

import json
import subprocess
import sys

from bot.settings import PROJECT

EVERY = 3
"""Each third step here; ``tests/forget_campaign.py`` kills at each."""


def test_after_a_kill_the_person_is_whole_or_forgotten_and_the_rest_is_carried_on(slack, tmp_path):
    slack.workspace.channels[slack.hiring].members.add(slack.bot_user)
    done = subprocess.run(
        [
            sys.executable, "-c",
            "import sys; from tests.forget_campaign import main; main(*sys.argv[1:])",
            str(tmp_path), slack.api_url, slack.workspace.bot_token, slack.hiring, str(EVERY),
        ],
        cwd=PROJECT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    report = json.loads(done.stdout.splitlines()[-1])
    assert report["steps"] > 60
    assert report["whole"] > 5
    assert report["erased"] > 5
