"""What a person types becomes what Slack sends to apps: mentions, channels and links are wrapped.

>>> from handlers.sandbox.workspace import Workspace
>>> encode(Workspace(), "@candidate who knows node.js & skill:cuda>=9")
'<@U0CANDIDATE> who knows <http://node.js|node.js> &amp; skill:cuda&gt;=9'
"""

import re
from html import escape

from handlers.sandbox.workspace import Workspace

# The endings that make a bare word a link; Slack knows all of them, these are the usual ones.
ENDINGS = "com|org|net|io|dev|ai|js|co|de|eu|example"
# Each alternative begins at a border and gives nothing back: long text takes linear time.
SPECIAL = re.compile(
    rf"""
      (?P<known><[@\#][A-Z0-9]+(?:\|[^>]*)?>)
    | (?P<url>https?://[^\s<>|]+)
    | (?<![\w.+-])(?P<mail>[\w.+-]++@[\w-]++(?:\.[\w-]++)+)
    | (?<![\w@/.-])(?P<host>(?:[\w-]++\.)+(?:{ENDINGS})(?:/[^\s<>|]*)?)(?![\w.]*\w)
    | (?<!\S)@(?P<person>[\w.-]+)
    | (?<!\S)\#(?P<room>[\w-]+)
    """,
    re.VERBOSE | re.IGNORECASE,
)


def encode(workspace: Workspace, typed: str, *, in_command: bool = False) -> str:
    """The text as apps receive it; only in commands a person's id has the name behind it."""

    def wrapped(found: re.Match[str]) -> str:
        text = found.group()
        kind = found.lastgroup
        if kind == "known":
            known = text[2:-1].partition("|")[0] in {*workspace.users, *workspace.channels}
            return text if known else plain(text)
        if kind == "url":
            return f"<{plain(text)}>"
        if kind == "mail":
            return f"<mailto:{text}|{text}>"
        if kind == "host":
            return f"<http://{plain(text)}|{plain(text)}>"
        if kind == "person":
            return mention(workspace, text[1:], in_command=in_command)
        return room(workspace, text[1:])

    parts: list[str] = []
    end = 0
    for found in SPECIAL.finditer(typed):
        parts += [plain(typed[end : found.start()]), wrapped(found)]
        end = found.end()
    return "".join([*parts, plain(typed[end:])])


def plain(text: str) -> str:
    return escape(text, quote=False)


def mention(workspace: Workspace, name: str, *, in_command: bool) -> str:
    for user in workspace.users.values():
        if user.name == name.lower():
            return f"<@{user.id}|{user.name}>" if in_command else f"<@{user.id}>"
    return f"@{name}"


def room(workspace: Workspace, name: str) -> str:
    for channel in workspace.channels.values():
        if channel.name and channel.name == name.lower():
            return f"<#{channel.id}|{channel.name}>"
    return f"#{name}"
