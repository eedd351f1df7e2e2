"""What people do in the sandbox beside talking to the bot: invite it, look at Home, no answer."""

import pytest
from slack_sdk.errors import SlackApiError

from tests.sandbox_fixtures import SlackServer


@pytest.mark.parametrize("name", ["@candidate", "candidate", "  @Candidate "])
def test_the_bot_is_invited_and_can_read_from_then_on(slack: SlackServer, name: str):
    with pytest.raises(SlackApiError, match=r"channel_not_found|not_in_channel"):
        slack.client().conversations_history(channel=slack.leads)
    slack.say(slack.mira, slack.leads, f"/invite {name}")
    assert "joined" in slack.notices[-1]
    assert slack.client().conversations_history(channel=slack.leads)["ok"]


def test_who_is_there_already_is_not_invited_twice(slack: SlackServer):
    members = set(slack.workspace.channels[slack.hiring].members)
    slack.say(slack.mira, slack.hiring, "/invite @candidate")
    assert "already" in slack.notices[-1]
    assert slack.workspace.channels[slack.hiring].members == members


def test_nobody_of_that_name_is_said_with_what_to_type(slack: SlackServer):
    members = set(slack.workspace.channels[slack.leads].members)
    slack.say(slack.mira, slack.leads, "/invite @kandidat")
    assert "@kandidat" in slack.notices[-1]
    assert "/invite @candidate" in slack.notices[-1]
    assert slack.workspace.channels[slack.leads].members == members


def test_a_command_that_nobody_has_is_said(slack: SlackServer):
    slack.say(slack.mira, slack.hiring, "/kandidat wang")
    assert "/kandidat is not a valid command" in slack.notices[-1]
    assert list(slack.workspace.deliveries) == []


def test_an_event_that_the_app_does_not_subscribe_is_not_delivered(slack: SlackServer):
    """An app made from an older manifest: messages stand there, and the bot hears nothing."""
    with slack.workspace.lock:
        slack.workspace.events = frozenset()
    slack.open_home(slack.mira)
    channel = slack.direct(slack.mira)
    slack.say(slack.mira, channel, "chenggang")
    slack.say(slack.mira, slack.hiring, f"<@{slack.bot_user}> chenggang")
    slack.say(slack.mira, slack.hiring, "/kandidat")  # the workspace has done what came before
    assert [each.text for each in slack.messages(channel)] == ["chenggang"]
    assert list(slack.workspace.deliveries) == []


def test_a_mention_where_the_bot_is_not_is_said(slack: SlackServer):
    slack.say(slack.mira, slack.leads, f"<@{slack.bot_user}> chenggang")
    slack.wait_for(lambda: slack.notices)
    assert "not in #hiring-leads" in slack.notices[-1]


def test_a_file_that_is_not_there_is_not_found(slack: SlackServer):
    with pytest.raises(SlackApiError, match="file_not_found"):
        slack.client().files_info(file="F0NOWHERE")
