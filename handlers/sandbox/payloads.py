"""The payloads an app receives, in the shape Slack documents."""

from handlers.sandbox.files import as_heard
from handlers.sandbox.modals import as_slack
from handlers.sandbox.records import Channel, Json, Message, View
from handlers.sandbox.wire import message_to_slack
from handlers.sandbox.workspace import Workspace

CHANNEL_NAMES = {"im": "directmessage", "private": "privategroup"}
TOKEN = "sandbox"  # noqa: S105 - the old verification token, which nobody should trust


def channel_name(channel: Channel) -> str:
    """Slack hides the names of direct messages and private channels."""
    return CHANNEL_NAMES.get(channel.kind, channel.name)


def slash_command(
    workspace: Workspace, *, user: str, channel: Channel, command: str, text: str, origin: str
) -> Json:
    """The form of a command. Someone of another team brings that team's id along."""
    person = workspace.person(user)
    permit = workspace.new_permit(channel.id, user)
    return {
        "token": TOKEN,
        "team_id": person.team,
        "team_domain": workspace.team.domain,
        "channel_id": channel.id,
        "channel_name": channel_name(channel),
        "user_id": user,
        "user_name": person.name,
        "command": command,
        "text": text,
        "api_app_id": workspace.app_id,
        "is_enterprise_install": "false",  # a word, also by socket
        "response_url": f"{origin}/respond/{permit.id}",
        "trigger_id": workspace.new_trigger(user).id,
    }


def interaction(workspace: Workspace, kind: str, user: str) -> Json:
    """What every interactive payload begins with; ``user.team_id`` tells a partner's people."""
    person = workspace.person(user)
    return {
        "type": kind,
        "user": {
            "id": user,
            "username": person.name,
            "name": person.name,
            "team_id": person.team,
        },
        "api_app_id": workspace.app_id,
        "token": TOKEN,
        "team": {"id": workspace.team.id, "domain": workspace.team.domain},
        "enterprise": None,
        "is_enterprise_install": False,
    }


def message_action(
    workspace: Workspace, *, user: str, message: Message, action: Json, state: Json, origin: str
) -> Json:
    """A press in a message. An ephemeral message is not sent along, as in Slack."""
    channel = workspace.channels[message.channel]
    permit = workspace.new_permit(
        channel.id, user, message_ts=message.ts, thread_ts=message.thread_ts
    )
    container: Json = {
        "type": "message",
        "message_ts": message.ts,
        "channel_id": channel.id,
        "is_ephemeral": message.only_for is not None,
    }
    if message.thread_ts:
        container["thread_ts"] = message.thread_ts
    payload = interaction(workspace, "block_actions", user) | {
        "container": container,
        "trigger_id": workspace.new_trigger(user).id,
        "channel": {"id": channel.id, "name": channel_name(channel)},
        "state": {"values": state},
        "response_url": f"{origin}/respond/{permit.id}",
        "actions": [action],
    }
    if message.only_for is None:
        payload["message"] = message_to_slack(workspace, message)
    return payload


def message_shortcut(
    workspace: Workspace, *, user: str, message: Message, callback_id: str, origin: str
) -> Json:
    """An entry of a message's menu was chosen; the message comes along whole."""
    channel = workspace.channels[message.channel]
    permit = workspace.new_permit(channel.id, user, thread_ts=message.thread_ts)
    shown = message_to_slack(workspace, message)
    if "files" in shown:
        shown["files"] = [as_heard(workspace, each) for each in shown["files"]]
    return interaction(workspace, "message_action", user) | {
        "action_ts": workspace.new_ts(),
        "callback_id": callback_id,
        "trigger_id": workspace.new_trigger(user).id,
        "response_url": f"{origin}/respond/{permit.id}",
        "message_ts": message.ts,
        "channel": {"id": channel.id, "name": channel_name(channel)},
        "message": shown,
    }


def view_action(workspace: Workspace, *, user: str, view: View, action: Json) -> Json:
    """A press in a modal or in App Home."""
    return interaction(workspace, "block_actions", user) | {
        "container": {"type": "view", "view_id": view.id},
        "trigger_id": workspace.new_trigger(user).id,
        "view": as_slack(workspace, view),
        "actions": [action],
    }


def view_submission(workspace: Workspace, *, user: str, view: View) -> Json:
    return interaction(workspace, "view_submission", user) | {
        "trigger_id": workspace.new_trigger(user).id,
        "view": as_slack(workspace, view),
        "response_urls": [],
    }


def view_closed(workspace: Workspace, *, user: str, view: View, is_cleared: bool) -> Json:
    return interaction(workspace, "view_closed", user) | {
        "view": as_slack(workspace, view),
        "is_cleared": is_cleared,
    }


def app_mention(workspace: Workspace, message: Message) -> Json:
    return message_event(workspace, message) | {"type": "app_mention"}


def direct_message(workspace: Workspace, message: Message) -> Json:
    return message_event(workspace, message) | {"channel_type": "im"}


def message_event(workspace: Workspace, message: Message) -> Json:
    shown = message_to_slack(workspace, message)
    kept: Json = {
        name: shown[name]
        for name in ("type", "subtype", "user", "ts", "text", "files", "thread_ts")
        if name in shown
    }
    if "files" in kept:
        kept["files"] = [as_heard(workspace, each) for each in kept["files"]]
    team = workspace.person(message.user).team
    if team != workspace.team.id:
        kept |= {"user_team": team, "source_team": team}
    return kept | {
        "client_msg_id": workspace.new_id("cm-"),
        "team": team,
        "channel": message.channel,
        "event_ts": message.ts,
    }


def home_opened(workspace: Workspace, user: str) -> Json:
    event: Json = {
        "type": "app_home_opened",
        "user": user,
        "channel": workspace.open_direct_message(user).id,
        "tab": "home",
        "event_ts": workspace.new_ts(),
    }
    if user in workspace.homes:
        event["view"] = as_slack(workspace, workspace.homes[user])
    return event
