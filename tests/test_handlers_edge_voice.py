"""How an answer reaches the person: by which way, how often it is tried, and when it is not."""

import time
from typing import Any

import pytest
from structlog.testing import capture_logs

from handlers.access.people import Place
from handlers.edge.voice import PATIENCE, Untold, Voice
from handlers.views.message import sentence
from tests.sandbox_fixtures import SlackServer


class Speaking:
    """A voice at a place of the workspace; ``slept`` is how long it would have waited."""

    def __init__(self, slack: SlackServer, place: Place, *, url: str | None = None) -> None:
        self.slack = slack
        self.slept: list[float] = []
        self.voice = Voice(
            client=slack.client(),
            user=slack.mira,
            place=place,
            response_url=url,
            sleep=self.slept.append,
        )

    def answer(self, text: str = "Found.") -> str | None:
        return self.voice.answer(sentence(text))

    def heard(self) -> list[str]:
        """What only the person was shown."""
        return [each.text for each in self.slack.ephemerals(self.slack.mira)]

    def direct(self) -> list[str]:
        return [each.text for each in self.slack.messages(self.slack.direct(self.slack.mira))]


def command(slack: SlackServer, channel: str = SlackServer.hiring) -> Speaking:
    """A command in a channel."""
    permit = slack.workspace.new_permit(channel, slack.mira)
    url = f"{slack.url}/respond/{permit.id}"
    return Speaking(slack, Place(kind="command", channel=channel), url=url)


def mention(slack: SlackServer, channel: str = SlackServer.hiring, **where: Any) -> Speaking:
    return Speaking(slack, Place(kind="mention", channel=channel, **where))


def test_a_command_is_answered_by_its_address_where_the_bot_is_no_member(slack: SlackServer):
    speaking = command(slack, slack.leads)
    assert speaking.answer() is None
    assert speaking.heard() == ["Found."]
    assert slack.calls() == []


def test_an_address_that_is_used_up_is_followed_by_the_channel(slack: SlackServer):
    speaking = command(slack)
    for number in range(6):
        speaking.answer(f"Answer {number}")
    assert speaking.heard() == [f"Answer {number}" for number in range(6)]
    assert [call.method for call in slack.calls()] == ["chat.postEphemeral"]


def test_where_neither_address_nor_channel_take_it_a_direct_message_does(slack: SlackServer):
    speaking = mention(slack, slack.leads)
    with capture_logs() as logs:
        assert speaking.answer() is None
    assert speaking.direct() == ["Found."]
    assert speaking.heard() == []
    assert [each["event"] for each in logs] == ["voice.refused"]


def test_without_a_channel_it_is_a_direct_message(slack: SlackServer):
    """A click in a modal or on the Home tab has no channel."""
    speaking = Speaking(slack, Place(kind="action"))
    speaking.answer()
    assert speaking.direct() == ["Found."]
    assert [call.method for call in slack.calls()] == ["chat.postMessage"]


def test_when_every_way_is_closed_the_last_reason_is_told(slack: SlackServer):
    slack.fail("chat.postEphemeral", error="user_not_in_channel")
    slack.fail("chat.postMessage", error="messages_tab_disabled")
    with pytest.raises(Untold, match="messages_tab_disabled"):
        mention(slack).answer()


def test_a_direct_message_has_no_other_way(slack: SlackServer):
    channel = slack.direct(slack.mira)
    speaking = Speaking(slack, Place(kind="direct", channel=channel))
    slack.fail("chat.postMessage", error="restricted_action")
    with pytest.raises(Untold, match="restricted_action"):
        speaking.answer()
    assert len(slack.calls()) == 1
    with pytest.raises(Untold, match="no way"):
        Speaking(slack, Place(kind="direct")).answer()


def test_an_answer_that_stays_has_a_timestamp(slack: SlackServer):
    channel = slack.direct(slack.mira)
    ts = Speaking(slack, Place(kind="direct", channel=channel)).answer()
    assert [each.ts for each in slack.messages(channel)] == [ts]


def test_an_answer_in_a_thread_stays_there(slack: SlackServer):
    slack.say(slack.mira, slack.hiring, "who?")
    root = slack.messages(slack.hiring)[-1].ts
    mention(slack, thread=root).answer()
    speaking = command(slack)
    url = speaking.voice.response_url
    place = Place(kind="action", channel=slack.hiring, thread=root)
    Speaking(slack, place, url=url).answer()
    assert [each.thread_ts for each in slack.ephemerals(slack.mira)] == [root, root]


def test_slack_is_asked_again_when_it_says_so(slack: SlackServer):
    slack.fail("chat.postEphemeral", status=429, retry_after=3)
    slack.fail("chat.postEphemeral", status=429, retry_after=PATIENCE)
    speaking = mention(slack)
    speaking.answer()
    assert speaking.slept == [3, PATIENCE]
    assert speaking.heard() == ["Found."]


@pytest.mark.parametrize(
    ("fault", "slept"),
    [({"retry_after": PATIENCE + 1, "times": 1}, []), ({"retry_after": 2, "times": 3}, [2, 2])],
    ids=["too long", "too often"],
)
def test_whoever_would_wait_too_long_is_answered_elsewhere(
    slack: SlackServer, fault: dict[str, Any], slept: list[int]
):
    slack.fail("chat.postEphemeral", status=429, **fault)
    speaking = mention(slack)
    speaking.answer()
    assert speaking.slept == slept
    assert speaking.direct() == ["Found."]
    assert speaking.heard() == []


def test_an_error_of_slacks_own_is_tried_once_more(slack: SlackServer):
    slack.fail("chat.postEphemeral", status=503)
    speaking = mention(slack)
    speaking.answer()
    assert len(speaking.slept) == 1
    assert speaking.heard() == ["Found."]


def test_an_error_of_slacks_own_is_not_tried_a_third_time(slack: SlackServer):
    slack.fail("chat.postEphemeral", status=503, times=2)
    speaking = mention(slack)
    with pytest.raises(Untold, match="503"):
        speaking.answer()
    assert speaking.heard() == speaking.direct() == []


@pytest.mark.parametrize("mode", ["drop", "drop_after"])
def test_a_broken_connection_is_never_repeated(slack: SlackServer, mode: str):
    """It may have been taken: twice would be two messages, another way a second one."""
    slack.fail("chat.postEphemeral", mode=mode)
    speaking = mention(slack)
    with pytest.raises(Untold):
        speaking.answer()
    assert speaking.slept == []
    assert len(speaking.heard()) == (mode == "drop_after")
    assert speaking.direct() == []


def private_message(slack: SlackServer) -> tuple[Any, Voice]:
    """A private message with a button, and the voice of who pressed it."""
    command(slack).answer("Sure?")
    [shown] = slack.ephemerals(slack.mira)
    permit = slack.workspace.new_permit(slack.hiring, slack.mira, message_ts=shown.ts)
    place = Place(kind="action", channel=slack.hiring)
    return shown, Speaking(slack, place, url=f"{slack.url}/respond/{permit.id}").voice


def test_a_message_is_replaced_in_its_place(slack: SlackServer):
    shown, voice = private_message(slack)
    voice.replace(sentence("Done."))
    assert [(each.ts, each.text) for each in slack.ephemerals(slack.mira)] == [(shown.ts, "Done.")]


def test_a_message_is_taken_away(slack: SlackServer):
    _, voice = private_message(slack)
    voice.remove()
    assert slack.ephemerals(slack.mira) == []


def test_a_message_that_slack_does_not_take_away_is_no_silence(slack: SlackServer):
    _, voice = private_message(slack)
    slack.fail("respond", status=404)
    with pytest.raises(Untold, match="404"):
        voice.remove()
    assert len(slack.ephemerals(slack.mira)) == 1


def test_where_there_is_no_private_message_none_is_taken_away(slack: SlackServer):
    Speaking(slack, Place(kind="action")).voice.remove()
    assert slack.calls() == []


def test_a_voice_waits_in_earnest(slack: SlackServer):
    slack.fail("chat.postEphemeral", status=429, retry_after=1)
    voice = Voice(
        client=slack.client(),
        user=slack.mira,
        place=Place(kind="mention", channel=slack.hiring),
    )
    started = time.monotonic()
    voice.answer(sentence("Found."))
    assert time.monotonic() - started >= 1
