"""Messages and channels in the form Slack's Web API and events give them."""

from handlers.sandbox.records import Channel, Json, Message
from handlers.sandbox.workspace import Workspace


def message_to_slack(
    workspace: Workspace, message: Message, *, with_metadata: bool = False
) -> Json:
    """A message as history shows it; ``metadata`` only when asked for."""
    author = workspace.users.get(message.user)
    shown: Json = {
        "type": "message",
        "user": message.user,
        "ts": message.ts,
        "text": message.text,
        "team": author.team if author else workspace.team.id,
    }
    if message.bot_id:
        shown |= {
            "bot_id": message.bot_id,
            "app_id": workspace.app_id,
            "bot_profile": {
                "id": message.bot_id,
                "app_id": workspace.app_id,
                "name": workspace.users[workspace.bot_user].real_name,
                "team_id": workspace.team.id,
                "deleted": False,
            },
        }
    if message.blocks:
        shown["blocks"] = message.blocks
    if message.files:
        shown |= {"files": message.files, "subtype": "file_share", "upload": False}
    if message.edited:
        shown["edited"] = {"user": message.user, "ts": message.edited}
    if message.metadata and with_metadata:
        shown["metadata"] = message.metadata
    if message.thread_ts:
        shown["thread_ts"] = message.thread_ts
        if message.is_reply:
            parent = workspace.message(message.channel, message.thread_ts)
            shown["parent_user_id"] = parent.user if parent else None
        else:
            replies = workspace.replies(message.channel, message.ts)
            shown |= {
                "reply_count": len(replies),
                "reply_users": sorted({reply.user for reply in replies}),
                "reply_users_count": len({reply.user for reply in replies}),
                "latest_reply": replies[-1].ts if replies else None,
                "is_locked": False,
            }
    return shown


def channel_to_slack(workspace: Workspace, channel: Channel) -> Json:
    """A channel as ``conversations.info`` shows it to the bot."""
    if channel.kind == "im":
        return {
            "id": channel.id,
            "created": 1_700_000_000,
            "is_im": True,
            "is_org_shared": False,
            "context_team_id": workspace.team.id,
            "user": channel.person,
            "is_archived": channel.archived,
            "is_user_deleted": False,
            "is_open": True,
        }
    return {
        "id": channel.id,
        "name": channel.name,
        "name_normalized": channel.name,
        "is_channel": True,
        "is_group": False,
        "is_im": False,
        "is_mpim": channel.kind == "mpim",
        "is_private": channel.kind in {"private", "mpim"},
        "created": 1_700_000_000,
        "is_archived": channel.archived,
        "is_general": channel.name == "general",
        "is_shared": channel.kind == "shared",
        "is_org_shared": False,
        "is_ext_shared": channel.kind == "shared",
        "is_pending_ext_shared": False,
        "context_team_id": workspace.team.id,
        "is_member": workspace.bot_user in channel.members,
        "topic": {"value": channel.topic, "creator": "", "last_set": 0},
        "purpose": {"value": "", "creator": "", "last_set": 0},
        "num_members": len(channel.members),
    }
