"""What a server that speaks only a part of Slack's language leaves out, and what is done then."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.settings import load_settings
from handlers.access.people import Asker, People, Place
from handlers.access.places import Places
from handlers.access.refusals import NotAllowed
from handlers.access.rights import ChannelKind
from handlers.access.roles import Roles
from handlers.edge.heard import heard_action, heard_event
from handlers.features import digests
from handlers.sandbox.cast import HOME
from handlers.sandbox.records import Group
from handlers.scheduled.sending import posting_client, tick
from handlers.slack.channels import ChannelError, postable_channel, require_fit
from handlers.slack.groups import Groups, GroupsUnknown
from handlers.slack.marks import is_marked, marked, payload_of
from handlers.slack.verdict import UncertainError, listed, timestamp
from storage.records import RunState
from tests.digest_people import add_person, subscribe
from tests.edge_fixtures import Bot
from tests.test_handlers_edge_door import post

NOW, DAY = datetime(2026, 12, 7, 8, 0, tzinfo=UTC), timedelta(days=1)
ALWAYS = -1


@pytest.fixture
def client(slack):
    return posting_client(slack.workspace.bot_token, slack.api_url, 5)


def unknown(slack: Any, method: str) -> None:
    slack.fail(method, error="unknown_method", times=ALWAYS)


# Lists


def test_a_list_that_is_left_out_is_not_an_empty_one(slack, client):
    slack.fail("conversations.list", mode="poor", without="channels")
    with pytest.raises(UncertainError, match="channels"):
        listed(client.conversations_list(), "channels")
    assert listed(client.conversations_list(), "channels")


def test_a_channel_is_not_unknown_because_its_list_was_left_out(slack, client):
    slack.fail("conversations.list", mode="poor", without="channels")
    with pytest.raises(ChannelError, match="Try again"):
        postable_channel(client, "#hiring", asker=slack.mira)


def test_a_member_is_not_a_stranger_because_the_list_was_left_out(slack, client):
    with slack.workspace.lock:
        slack.workspace.channels[slack.leads].members.add(slack.bot_user)
    slack.fail("conversations.members", mode="poor", without="members")
    with pytest.raises(ChannelError, match="Try again"):
        postable_channel(client, slack.leads, asker=slack.mira)


@pytest.mark.parametrize(
    ("method", "key"), [("usergroups.list", "usergroups"), ("usergroups.users.list", "users")]
)
def test_a_group_without_its_list_is_not_an_empty_group(slack, client, method, key):
    group = Group(id="S0READERS", handle="readers", name="Readers", members={slack.mira})
    slack.workspace.groups[group.id] = group
    assert Groups(client, clock=lambda: NOW).members("@readers") == {slack.mira}
    slack.fail(method, mode="poor", without=key, times=ALWAYS)
    groups = Groups(client, clock=lambda: NOW)
    with pytest.raises(GroupsUnknown):
        groups.members("@readers")


# Digests


@pytest.fixture
def due(store, slack, client):
    """A digest that is due; ``tick`` sends what it can, so many minutes later."""
    add_person(store, 1, NOW - DAY)
    subscribe(store, NOW - DAY)

    def later(minutes: int) -> None:
        moment = NOW + timedelta(minutes=minutes)
        slack.workspace.clock = lambda: moment
        tick(store, client, lambda: moment, pause=lambda _: None)

    return later


def test_a_digest_is_not_posted_again_while_the_channel_does_not_show_its_messages(
    store, slack, due
):
    slack.fail("chat.postMessage", mode="drop_after")
    due(1)
    slack.fail("conversations.history", mode="poor", without="messages")
    due(11)
    assert len(slack.messages(slack.hiring)) == 1
    due(21)
    assert len(slack.messages(slack.hiring)) == 1
    assert store.last_digest(1).state is RunState.POSTED


@pytest.mark.parametrize("without", ["messages.metadata", "messages.bot_id", "messages.blocks"])
def test_a_digest_is_known_again_by_whatever_the_channel_shows_of_it(store, slack, due, without):
    slack.fail("chat.postMessage", mode="drop_after")
    due(1)
    slack.fail("conversations.history", mode="poor", without=without, times=ALWAYS)
    due(11)
    assert len(slack.messages(slack.hiring)) == 1
    assert store.last_digest(1).state is RunState.POSTED


def test_metadata_and_blocks_are_read_as_text_too():
    said = {"event_type": "x", "event_payload": {"run": "7"}}
    assert payload_of({"metadata": json.dumps(said)}, "x") == {"run": "7"}
    for odd in (None, "", "[", "7", [], {"event_type": "y"}, {"event_type": "x"}):
        assert payload_of({"metadata": odd}, "x") == {}
    blocks = marked([{"type": "header", "block_id": "mine"}, {"type": "section"}], "x:7")
    assert [each["block_id"] for each in blocks] == ["mine", "x:7"]
    assert is_marked({"blocks": json.dumps(blocks)}, "x:7")
    assert not is_marked({"blocks": "["}, "x:7")


def test_a_message_without_its_timestamp_is_looked_for(store, slack, due):
    slack.fail("chat.postMessage", mode="poor", without="ts")
    due(1)
    due(11)
    [message] = slack.messages(slack.hiring)
    assert [part.ts for part in store.last_digest(1).parts] == [message.ts]


def test_a_posted_message_without_a_timestamp_is_uncertain(slack, client):
    slack.fail("chat.postMessage", mode="poor", without="ts")
    with pytest.raises(UncertainError, match="timestamp"):
        timestamp(client.chat_postMessage(channel=slack.hiring, text="hello"))


def test_where_channels_cannot_be_asked_about_the_post_itself_decides(slack, client):
    unknown(slack, "conversations.info")
    require_fit(client, slack.hiring)
    assert postable_channel(client, f"<#{slack.hiring}>", asker=slack.mira) == slack.hiring
    assert postable_channel(client, "#hiring", asker=slack.mira) == slack.hiring


def test_a_digest_in_the_private_channel_where_it_is_asked_for_asks_for_no_members(
    store, slack, client, now
):
    with slack.workspace.lock:
        slack.workspace.channels[slack.leads].members.add(slack.bot_user)
    unknown(slack, "conversations.members")
    reply = digests.command(
        store,
        f"weekly monday 09:00 in <#{slack.leads}>",
        asker=Asker(id=slack.mira, timezone="Europe/Berlin"),
        place=Place(kind="command", channel=slack.leads),
        client=client,
        settings=load_settings(None),
        now=now,
    )
    assert "Digest 1" in reply.plain


# Events and clicks


def test_a_message_to_the_bot_is_direct_though_its_kind_is_not_said():
    event = {"type": "message", "user": "U1", "channel": "D1", "text": "chenggang", "ts": "1.1"}
    assert heard_event({"event": event}).place.kind == "direct"
    assert heard_event({"event": event | {"channel": "C1"}}).place.kind == "overheard"
    told = event | {"channel_type": "channel"}
    assert heard_event({"event": told}).place.kind == "overheard"


def test_a_click_without_its_container_is_on_the_message_it_brings():
    click = {
        "user": {"id": "U1"},
        "channel": {"id": "C1"},
        "message": {"ts": "17.4", "thread_ts": "17.1"},
        "actions": [{"action_id": "candidate.share", "value": "x"}],
    }
    heard = heard_action(click)
    assert (heard.message_ts, heard.place.channel, heard.place.thread) == ("17.4", "C1", "17.1")
    other = heard_action(click | {"message": {"ts": "18.2"}})
    assert heard.key != other.key


def test_a_payload_that_states_no_team_is_of_the_bots_own(bot: Bot):
    fields = "&".join(
        [
            "command=%2Fcandidate&text=chenggang&trigger_id=1.2",
            f"user_id={bot.slack.mira}&channel_id={bot.slack.hiring}",
        ]
    )
    assert post(bot, fields.encode())[0] == 200
    bot.slack.wait_for(
        lambda: any("Chenggang" in each.text for each in bot.slack.ephemerals(bot.slack.mira))
    )


# People and channels


def people(client: Any) -> People:
    roles = Roles.of_settings(load_settings(None), client, lambda: NOW)
    return People(client, teams=frozenset({HOME.id}), roles=roles, clock=lambda: NOW)


def test_a_person_without_an_id_is_the_one_that_was_asked_for(slack, client):
    slack.fail("users.info", mode="poor", without="user.id")
    assert people(client).person(slack.mira).id == slack.mira


def test_an_answer_without_the_person_lets_nobody_in(slack, client):
    slack.fail("users.info", mode="poor", without="user", times=ALWAYS)
    with pytest.raises(NotAllowed, match="could not check with Slack who you are"):
        people(client).person(slack.mira)


def test_one_error_of_slacks_own_does_not_turn_people_away(slack, client):
    slack.fail("users.info", status=503)
    assert people(client).person(slack.mira).id == slack.mira
    slack.fail("users.info", status=503, times=2)
    with pytest.raises(NotAllowed):
        people(client).person(slack.jonas)


def test_a_channel_that_cannot_be_asked_about_shares_nothing_and_invites_nobody(slack, client):
    unknown(slack, "conversations.info")
    placed = Places(client, clock=lambda: NOW).placed(Place(kind="command", channel=slack.hiring))
    assert placed.channel_kind is ChannelKind.UNKNOWN
    assert "does not tell" in placed.why_unknown
    assert "/invite" not in placed.why_unknown


def test_a_card_there_is_private_and_says_why_it_is_not_shared(bot: Bot):
    unknown(bot.slack, "conversations.info")
    card = bot.ask("chenggang")
    assert "Chenggang" in card.text
    assert "does not tell what kind of channel this is" in json.dumps(card.blocks)
    assert "candidate.share" not in json.dumps(card.blocks)
