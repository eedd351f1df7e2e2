"""The journeys of the campaign's kills in short, and that half-done work would be noticed."""

import os
import random

import pytest

from tests.campaign_kill import JOURNEYS, killed
from tests.campaign_killing import Journey, kill_at_all

SEED = 20261207
FEW, MANY = 5, 8
"""Steps at which a journey is killed here; ``python -m tests.campaign kills`` kills at each."""
WIDE = {"add", "undo", "forget", "backup", "restore"}
"""Journeys that cross into Slack or other files, and have more ways to be half done."""


@pytest.mark.parametrize("name", JOURNEYS)
def test_killed_at_some_steps_nothing_is_half_done_and_the_next_start_carries_on(name):
    size = MANY if name in WIDE else FEW
    status, said = killed(name, size, SEED)
    assert status == 0
    assert said["wrong"] == []
    assert said["kills"] == size <= said["steps"]


def test_work_that_is_half_done_when_killed_is_noticed(tmp_path):
    """Two files that belong together, written one after the other."""

    def act(folder):
        for name in ("one", "two"):
            (folder / name).write_text("x")

    def both_or_none(folder):
        there = [(folder / name).exists() for name in ("one", "two")]
        return [] if len(set(there)) == 1 else ["half done"]

    pid = os.fork()
    if not pid:  # the killing forks, and what it hooks into cannot be taken out again
        journey = Journey(act=act, whole=both_or_none, done=both_or_none)
        came = kill_at_all(journey, tmp_path, 0, random.Random(1))
        os._exit(0 if came["wrong"] and came["kills"] == came["steps"] == 2 else 1)
    assert os.waitpid(pid, 0)[1] == 0
