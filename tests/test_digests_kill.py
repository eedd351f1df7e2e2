"""Digests survive SIGKILL at each step and at random, while Slack misbehaves."""

from tests.campaign_digests import STEPS, campaign

SEED = 20261207
KILLS = 100


def test_each_digest_is_there_once_and_each_person_in_one_whatever_is_killed():
    """At each step and at random, with 429s, 5xx, timeouts and drops before and after storing."""
    outcome = campaign(KILLS, SEED)
    print(outcome)
    assert outcome.wrong == [], outcome
    assert outcome.kills >= KILLS
    assert set(STEPS) <= set(outcome.at_steps)
    assert "unbidden" not in outcome.at_steps
