"""What is done again beside a server that speaks only a part of Slack: nothing twice, nothing lost.

Also what people are told where a whole call is missing: what they, or an administrator, can do.
"""

import json
from datetime import timedelta
from typing import Any

import pytest

from bot.settings import load_settings
from handlers.access.people import People
from handlers.access.refusals import NotAllowed
from handlers.access.roles import Roles
from handlers.edge.heard import heard_action, states_a_team
from handlers.features.adding import carry_on
from handlers.sandbox.cast import HOME
from handlers.sandbox.records import Group
from handlers.slack.channels import ChannelError, postable_channel
from handlers.slack.downloads import NotFetched, described
from handlers.slack.groups import Groups
from handlers.views.digest import failure_message
from storage.intakes import LEASE
from storage.records import RunState
from tests.adding_fixtures import finished, privately
from tests.edge_fixtures import Bot, utc_now
from tests.loading_fixtures import page
from tests.test_handlers_edge_door import post
from tests.test_handlers_features_adding import (
    die_after_writing_down,
    event_of,
    intake_of,
    stored,
)
from tests.test_handlers_features_sharing import chenggang, newest, press_share, pressed, shared
from tests.test_handlers_left_out import ALWAYS, client, due, unknown

__all__ = ["client", "due"]


# Share after a kill


@pytest.fixture
def killed(bot: Bot) -> Bot:
    """A bot whose last run was killed when the card stood in the channel, unrecorded."""
    with bot.slack.workspace.lock:
        bot.slack.workspace.channels[bot.slack.leads].members.add(bot.slack.bot_user)
    press_share(bot, bot.slack.leads)
    [message] = shared(bot, bot.slack.leads)
    key = message.metadata["event_payload"]["key"]
    bot.store.forget_delivery(key)
    assert bot.store.first_delivery(key, now=utc_now() - timedelta(minutes=5))
    return bot


def share_again(bot: Bot) -> None:
    who = chenggang(bot)
    pressed(bot, f"candidate.share.{who}", who, channel_id=bot.slack.leads, message_ts="1.000001")


def test_a_card_is_found_again_where_no_metadata_is_shown(killed: Bot):
    killed.slack.fail(
        "conversations.history", mode="poor", without="messages.metadata", times=ALWAYS
    )
    share_again(killed)
    assert "Shared the card of" in newest(killed).text
    assert len(shared(killed, killed.slack.leads)) == 1


def test_after_a_kill_nothing_is_posted_while_the_channel_does_not_show_its_messages(killed: Bot):
    killed.slack.fail("conversations.history", mode="poor", without="messages")
    share_again(killed)
    assert "Look in the channel before you press Share again" in newest(killed).text
    assert len(shared(killed, killed.slack.leads)) == 1


def test_a_first_share_needs_no_history(bot: Bot):
    with bot.slack.workspace.lock:
        bot.slack.workspace.channels[bot.slack.leads].members.add(bot.slack.bot_user)
    unknown(bot.slack, "conversations.history")
    press_share(bot, bot.slack.leads)
    assert len(shared(bot, bot.slack.leads)) == 1


# Pages that were pasted


@pytest.fixture
def pasted(bot: Bot) -> Bot:
    """A bot that was killed while it read a page, beside a server that shows no threads."""
    bot.slack.workspace.events.discard("message.im")
    unknown(bot.slack, "conversations.replies")
    direct = bot.slack.direct(bot.slack.mira)
    bot.slack.say(bot.slack.mira, direct, page("Ines Adeyemi"))
    message = bot.slack.messages(direct)[-1]
    die_after_writing_down(bot, event_of(bot, "EvPoor", None, message.ts, text=message.text))
    bot.store.attempt_intake(intake_of("EvPoor"), now=utc_now() - 2 * LEASE)
    return bot


def test_a_pasted_page_is_found_again_where_no_thread_is_shown(pasted: Bot):
    carry_on(pasted.edge)
    assert "Read 1 person from your message" in finished(pasted).text
    assert stored(pasted) == ["Ines Adeyemi"]


def test_whoever_pasted_a_page_that_cannot_be_found_again_is_asked_to_send_it_again(pasted: Bot):
    unknown(pasted.slack, "conversations.history")
    carry_on(pasted.edge)
    assert "Send it again" in finished(pasted).text
    assert stored(pasted) == []


def test_the_page_that_a_thread_begins_with_is_added_where_no_thread_is_shown(bot: Bot):
    unknown(bot.slack, "conversations.replies")
    bot.slack.say(bot.slack.mira, bot.slack.hiring, page("Bo Lind"))
    root = bot.slack.messages(bot.slack.hiring)[-1]
    bot.slack.say(bot.slack.jonas, bot.slack.hiring, "Something else")
    bot.slack.say(bot.slack.mira, bot.slack.hiring, "@candidate add this", thread_ts=root.ts)
    bot.slack.wait_for(lambda: any("1 person" in each.text for each in privately(bot)), within=15)
    assert stored(bot) == ["Bo Lind"]


# Calls that are missing, and what is said


def test_without_users_info_nobody_gets_in_and_the_administrator_can_read_why(slack, client):
    unknown(slack, "users.info")
    roles = Roles.of_settings(load_settings(None), client, utc_now)
    people = People(client, teams=frozenset({HOME.id}), roles=roles, clock=utc_now)
    with pytest.raises(NotAllowed, match=r"administrator has to provide the call `users\.info`"):
        people.allowed(slack.mira)


def test_where_channels_are_not_listed_a_digest_is_asked_for_in_its_channel(slack, client):
    unknown(slack, "conversations.list")
    with pytest.raises(ChannelError, match="in the channel where it should be") as refused:
        postable_channel(client, "#hiring", asker=slack.mira)
    assert "/invite" not in str(refused.value)


def test_where_members_are_not_told_a_private_channel_is_asked_for_in_it(slack, client):
    with slack.workspace.lock:
        slack.workspace.channels[slack.leads].members.add(slack.bot_user)
    unknown(slack, "conversations.members")
    with pytest.raises(ChannelError, match="does not tell who is in it") as refused:
        postable_channel(client, slack.leads, asker=slack.mira)
    assert "/invite" not in str(refused.value)
    assert postable_channel(client, slack.leads, asker=slack.mira, here=slack.leads) == slack.leads


def test_an_answer_without_the_file_is_a_file_to_send_again(slack, client):
    message = slack.share(slack.mira, slack.direct(slack.mira), ("bo.txt", "Bo"))
    slack.fail("files.info", mode="poor", without="file")
    with pytest.raises(NotFetched, match="Send it again"):
        described(client, message.files[0]["id"])


def test_a_group_without_a_handle_hides_no_other_and_is_known_by_its_id(slack, client):
    group = Group(id="S0READERS", handle="readers", name="Readers", members={slack.mira})
    slack.workspace.groups[group.id] = group
    slack.fail("usergroups.list", mode="poor", without="usergroups.handle")
    groups = Groups(client, clock=utc_now)
    assert not groups.exists("@readers")
    assert groups.members("S0READERS") == {slack.mira}


def test_a_digest_that_could_not_be_looked_for_may_be_there(store, slack, client, due):
    slack.fail("chat.postMessage", mode="drop_after")
    due(1)
    unknown(slack, "conversations.history")
    due(11)
    assert len(slack.messages(slack.hiring)) == 1
    run = store.last_digest(1)
    assert run.state is RunState.FAILED
    assert "look in the channel before you send it again" in failure_message(run).text


# Deliveries


@pytest.mark.parametrize(
    "body",
    [
        {"event": {"type": "message", "user_team": "T0ACME"}},
        {"event": {"type": "message", "source_team": "T0ACME"}},
        {"event": {"type": "message", "team": "T0ACME"}},
        {"context_team_id": "T0ACME"},
        {"is_ext_shared_channel": True},
        {"authorizations": [{"team_id": "T0ACME"}]},
        {"user": {"id": "U1", "team_id": "T0ACME"}},
    ],
    ids=str,
)
def test_a_team_that_is_stated_anywhere_is_not_taken_for_ours(body: dict[str, Any]):
    assert states_a_team(body)


def test_an_event_that_says_only_whose_it_is_elsewhere_is_refused(bot: Bot):
    event = {"type": "message", "user": "U0OTHER", "channel": "D1", "text": "x", "ts": "1.1"}
    body = {"type": "event_callback", "event": event | {"user_team": "T0ACME"}}
    assert post(bot, json.dumps(body).encode(), content_type="application/json")[0] == 403


def test_a_click_without_its_container_on_a_message_that_has_answers_is_in_no_thread():
    click = {
        "user": {"id": "U1"},
        "channel": {"id": "C1"},
        "message": {"ts": "17.1", "thread_ts": "17.1"},
        "actions": [{"action_id": "candidate.open", "value": "x"}],
    }
    assert heard_action(click).place.thread is None
    told = {"container": {"message_ts": "17.1", "channel_id": "C1"}}
    assert heard_action(click | told).place.thread is None
