"""One call of the Web API on its way to the function that answers it."""

from collections.abc import Callable
from dataclasses import dataclass

from handlers.sandbox.arguments import Arguments
from handlers.sandbox.faults import Faults
from handlers.sandbox.records import Channel, Json, Refused, Token
from handlers.sandbox.workspace import Workspace

HISTORY_SCOPE = {
    "public": "channels:history",
    "shared": "channels:history",
    "private": "groups:history",
    "im": "im:history",
    "mpim": "mpim:history",
}
READ_SCOPE = {
    "public": "channels:read",
    "shared": "channels:read",
    "private": "groups:read",
    "im": "im:read",
    "mpim": "mpim:read",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    workspace: Workspace
    faults: Faults
    token: Token
    args: Arguments
    origin: str  # scheme, host and port the caller reached us under

    def needs(self, *scopes: str) -> None:
        """Refused ``missing_scope`` unless one of the scopes is granted."""
        if not any(scope in self.token.scopes for scope in scopes):
            raise Refused(
                "missing_scope",
                needed=",".join(scopes),
                provided=",".join(sorted(self.token.scopes)),
            )

    def place(self, name: str = "channel") -> Channel:
        """The channel asked for, if the bot may know of it."""
        channel = self.workspace.place(self.args.required(name))
        if channel.is_hidden and self.workspace.bot_user not in channel.members:
            raise Refused("channel_not_found")
        return channel

    def joined_place(self, name: str = "channel") -> Channel:
        """The channel asked for, if the bot is in it and it is alive."""
        channel = self.place(name)
        if channel.archived:
            raise Refused("is_archived")
        if self.workspace.bot_user not in channel.members:
            raise Refused("not_in_channel")
        return channel


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """A Web API method: what answers it, which scopes open it, how many calls a minute.

    ``scopes`` empty: the token alone is enough (or the function asks by channel).
    ``tier`` is Slack's: 1, 2, 3, 4 are 1, 20, 50 and 100 calls a minute; 0 is special.
    """

    answer: Callable[[Call], Json]
    scopes: tuple[str, ...] = ()
    tier: int = 3
    token: str = "bot"  # noqa: S105 - a kind of token
    open_to_all: bool = False
