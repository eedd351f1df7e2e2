"""Who may ask: by what Slack says of a person, and what they want to do."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from handlers.access import people
from handlers.access.people import People
from handlers.access.refusals import NotAllowed
from handlers.access.roles import Roles
from handlers.slack.groups import Groups
from tests.edge_fixtures import Bot
from tests.sandbox_fixtures import SlackServer


class Times:
    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def times(now: datetime) -> Times:
    return Times(now)


def known(slack: SlackServer, times: Times) -> People:
    client = slack.client()
    return People(
        client,
        teams=frozenset({slack.workspace.team.id}),
        roles=Roles(groups=Groups(client, clock=times)),
        clock=times,
    )


def test_a_member_may_ask_and_is_known_with_name_and_zone(slack: SlackServer, times: Times):
    person = known(slack, times).allowed(slack.jonas)
    assert (person.id, person.timezone) == (slack.jonas, "America/New_York")
    assert person.name
    assert person.role is not None


def test_other_apps_are_not_answered(slack: SlackServer, times: Times):
    with pytest.raises(NotAllowed, match="other apps"):
        known(slack, times).allowed(slack.bot_user)


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ({"error": "user_not_found"}, "user_not_found"),
        ({"error": "missing_scope"}, "missing_scope"),
        ({"status": 429}, "minute"),
        ({"mode": "drop"}, "minute"),
    ],
    ids=str,
)
def test_whom_slack_does_not_name_is_not_answered(bot: Bot, fault: dict[str, Any], told: str):
    bot.slack.fail("users.info", **fault)
    answer = bot.ask("chenggang").text
    assert told in answer
    assert "Chenggang" not in answer
    assert "Chenggang" in bot.ask("chenggang").text


def test_a_person_is_asked_about_again_after_five_minutes(slack: SlackServer, times: Times):
    everyone = known(slack, times)
    everyone.allowed(slack.jonas)
    with slack.workspace.lock:
        slack.workspace.users[slack.jonas].deleted = True
    times.now += timedelta(minutes=4)
    everyone.allowed(slack.jonas)
    times.now += timedelta(minutes=1)
    with pytest.raises(NotAllowed, match="deactivated"):
        everyone.allowed(slack.jonas)


def test_people_without_end_are_not_kept_without_end(
    slack: SlackServer, times: Times, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(people, "MOST_KEPT", 2)
    everyone = known(slack, times)
    for user in (slack.mira, slack.jonas, slack.mira, slack.guest, slack.mira):
        everyone.person(user)
    asked = [call.args["user"] for call in slack.calls("users.info")]
    assert asked == [slack.mira, slack.jonas, slack.guest, slack.mira]


@pytest.mark.parametrize("odd", ["is_guest", "deleted", "is_bot"])
def test_a_refusal_that_no_setting_changes_sends_nobody_to_those_who_set(
    slack: SlackServer, times: Times, odd: str
):
    """The bot's admins cannot let them in, so they are not the ones to ask."""
    with slack.workspace.lock:
        setattr(slack.workspace.users[slack.jonas], odd, True)
    with pytest.raises(NotAllowed) as refusal:
        known(slack, times).allowed(slack.jonas)
    assert not refusal.value.ask
    assert "whoever runs the bot" not in str(refusal.value)
