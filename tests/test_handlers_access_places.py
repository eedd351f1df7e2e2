"""What kind of channel it is: as Slack says, kept a while, and unknown where Slack says nothing."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from handlers.access.people import Place
from handlers.access.places import NO_ANSWER, NOT_THERE, Places
from handlers.access.policy import Shows, shows
from handlers.access.rights import ChannelKind
from handlers.sandbox import cast
from tests.sandbox_fixtures import SlackServer

NOON = datetime(2026, 12, 7, 12, 0, tzinfo=UTC)


class Map:
    def __init__(self, slack: SlackServer) -> None:
        self.slack, self.now = slack, NOON
        self.places = Places(slack.client(), clock=lambda: self.now)

    def placed(self, channel: str | None, kind: str = "command", name: str = "") -> Place:
        return self.places.placed(Place(kind=kind, channel=channel, channel_name=name))

    def kind(self, channel: str | None, kind: str = "command", name: str = "") -> ChannelKind:
        return self.placed(channel, kind, name).channel_kind

    def asked(self) -> int:
        return len(self.slack.calls("conversations.info"))


@pytest.fixture
def there(slack: SlackServer) -> Map:
    return Map(slack)


def test_each_kind_is_told_from_the_others(there: Map):
    slack = there.slack
    slack.workspace.channels[slack.leads].members.add(slack.bot_user)
    assert there.kind(slack.hiring) is ChannelKind.PUBLIC
    assert there.kind(slack.leads) is ChannelKind.PRIVATE
    assert there.kind(slack.acme) is ChannelKind.SHARED
    assert there.kind(slack.direct(slack.mira)) is ChannelKind.DIRECT
    assert there.kind("D0SOMEBODY") is ChannelKind.BETWEEN
    assert there.kind("C0UNSEEN", name="mpdm-mira--jonas-1") is ChannelKind.BETWEEN
    assert there.kind(None) is ChannelKind.HOME


def test_without_the_scope_for_direct_messages_they_are_between_people(make_slack: Any):
    there = Map(make_slack(scopes=cast.BOT_SCOPES - {"im:read"}))
    direct = there.slack.direct(there.slack.mira)
    assert there.kind(direct) is ChannelKind.BETWEEN
    assert there.kind(direct, kind="direct") is ChannelKind.DIRECT, "an event is the bot's own"


def test_it_is_kept_three_minutes_and_one_that_cannot_be_seen_five_seconds(there: Map):
    slack = there.slack
    for _ in range(3):
        there.kind(slack.hiring)
    assert there.asked() == 1
    slack.workspace.channels[slack.hiring].kind = "shared"
    there.now += timedelta(minutes=3)
    assert there.kind(slack.hiring) is ChannelKind.SHARED
    for _ in range(3):
        assert there.placed(slack.leads).why_unknown == NOT_THERE
    assert there.asked() == 3
    slack.workspace.channels[slack.leads].members.add(slack.bot_user)
    there.now += timedelta(seconds=5)
    assert there.kind(slack.leads) is ChannelKind.PRIVATE


def test_that_people_may_be_named_is_remembered_and_that_they_may_not_is_asked_again(there: Map):
    slack = there.slack
    assert there.placed(slack.hiring).is_fit
    assert there.placed(slack.hiring).is_fit
    assert there.asked() == 1
    assert not there.placed(slack.leads).is_fit, "the bot is not there"
    assert not there.placed(slack.acme).is_fit, "another company reads it"


@pytest.mark.parametrize("fault", [{"status": 500, "times": 2}, {"status": 429}, {"mode": "drop"}])
def test_when_slack_says_nothing_it_is_unknown_and_asked_again(there: Map, fault: Any):
    there.slack.fail("conversations.info", **fault)
    place = there.placed(there.slack.hiring)
    assert (place.channel_kind, place.why_unknown) == (ChannelKind.UNKNOWN, NO_ANSWER)
    assert there.kind(there.slack.hiring) is ChannelKind.PUBLIC


@pytest.mark.parametrize(
    ("channel", "shown"),
    [
        ({"id": "C1", "name": "pub"}, Shows.REDACTED),
        ({"id": "C2", "name": "full"}, Shows.WHOLE),
        ({"id": "C3", "name": "other"}, Shows.WHOLE),
        ({"id": "C4", "is_private": True}, Shows.WHOLE),
        ({"id": "C2", "name": "full", "is_ext_shared": True}, Shows.NOTHING),
        ({"id": "C5", "is_private": True, "is_shared": True}, Shows.NOTHING),
        ({"id": "D1", "is_im": True}, Shows.NOTHING),
        ({"id": "G1", "is_mpim": True, "is_private": True}, Shows.NOTHING),
    ],
)
def test_what_a_channel_shows_of_a_card(channel: Any, shown: Shows):
    assert shows(channel, ("#Full", "C3")) is shown
