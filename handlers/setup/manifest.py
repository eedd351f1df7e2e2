"""The Slack app's manifest: the fewest scopes that work, each with what needs it.

Tests hold both tables against the code: a Web API method that the handlers call
without its scope, and a scope that nothing needs, are both failures.
"""

from typing import Any

from handlers.views.add_form import ADD
from storage.errors import BotError

COMMAND = "/candidate"

SCOPES: dict[str, tuple[str, ...]] = {
    "app_mentions:read": ("event app_mention",),
    "channels:history": ("conversations.history", "conversations.replies"),
    "channels:read": ("conversations.info", "conversations.list", "conversations.members"),
    "chat:write": ("chat.postMessage", "chat.update", "chat.delete", "chat.postEphemeral"),
    "commands": ("command /candidate",),
    "files:read": ("files.info",),
    "files:write": ("files.getUploadURLExternal", "files.completeUploadExternal"),
    "groups:history": ("conversations.history", "conversations.replies"),
    "groups:read": ("conversations.info", "conversations.list", "conversations.members"),
    "im:history": ("event message.im", "conversations.replies"),
    "usergroups:read": ("usergroups.list", "usergroups.users.list"),
    "users:read": ("users.info",),
}
"""Bot scope → the Web API methods, events and commands that need it.

Public and private channels have scopes of their own for the same methods.
"""

FREE_METHODS = ("auth.test", "apps.connections.open", "views.open", "views.publish", "views.update")
"""Methods that need no scope of the bot token."""

EVENTS = ("app_home_opened", "app_mention", "message.im")


class NoAddress(BotError):
    """HTTP mode without an address that Slack can reach."""


def request_url_of(url: str | None) -> str:
    """Where Slack posts to, from the bot's public address. Raises NoAddress."""
    if not url or not url.startswith("https://"):
        raise NoAddress(
            "HTTP mode needs the bot's public address, which Slack reaches by TLS: "
            "--http --url https://bot.example.com"
        )
    return f"{url.rstrip('/').removesuffix('/slack/events')}/slack/events"


def manifest(*, request_url: str | None = None) -> dict[str, Any]:
    """The manifest for Socket Mode, or for HTTP when Slack is to post to ``request_url``."""
    reached: dict[str, Any] = {"request_url": request_url} if request_url else {}
    command = {
        "command": COMMAND,
        "description": "Find candidates, subscribe to digests",
        "usage_hint": "name, words, skill:cuda … or help",
        "should_escape": True,
        **({"url": request_url} if request_url else {}),
    }
    return {
        "_metadata": {"major_version": 1},
        "display_information": {
            "name": "Candidate Bot",
            "description": "Candidate cards, searches with reasons, weekly digests",
            "background_color": "#1f4e5f",
        },
        "features": {
            "app_home": {
                "home_tab_enabled": True,
                "messages_tab_enabled": True,
                "messages_tab_read_only_enabled": False,
            },
            "bot_user": {"display_name": "candidate", "always_online": True},
            "shortcuts": [
                {
                    "name": "Add as candidate",
                    "type": "message",
                    "callback_id": ADD,
                    "description": "Add the people on this message's file or pasted page",
                }
            ],
            "slash_commands": [command],
        },
        "oauth_config": {"scopes": {"bot": sorted(SCOPES)}},
        "settings": {
            "event_subscriptions": {**reached, "bot_events": sorted(EVENTS)},
            "interactivity": {"is_enabled": True, **reached},
            "org_deploy_enabled": False,
            "socket_mode_enabled": request_url is None,
            "token_rotation_enabled": False,
        },
    }
