"""The ``conversations.*`` methods: what channels there are, who is in them, what was said."""

from datetime import timedelta

from handlers.sandbox.call import HISTORY_SCOPE, READ_SCOPE, Call, Method
from handlers.sandbox.paging import page
from handlers.sandbox.records import Channel, Json, Message, Refused
from handlers.sandbox.wire import channel_to_slack, message_to_slack
from handlers.sandbox.workspace import as_ts

TYPES = {
    "public_channel": {"public", "shared"},
    "private_channel": {"private"},
    "im": {"im"},
    "mpim": {"mpim"},
}


def history(call: Call) -> Json:
    """Newest first, replies left out unless broadcast; ``latest`` and ``oldest`` as in Slack."""
    channel = readable(call)
    said = [m for m in call.workspace.messages(channel.id) if not m.is_reply or m.broadcast]
    said = [m for m in said if m.ts <= visible_until(call)]
    newest = list(reversed(in_window(call, said)))
    return page_of(call, newest, newest_first=True)


def replies(call: Call) -> Json:
    """A thread: its parent, then the replies, oldest first."""
    channel = readable(call)
    asked = call.workspace.message(channel.id, call.args.required("ts"))
    if asked is None or asked.only_for is not None:
        raise Refused("thread_not_found")
    parent = call.workspace.message(channel.id, asked.thread_ts or asked.ts) or asked
    answers = in_window(call, call.workspace.replies(channel.id, parent.ts))
    shown = [parent, *(m for m in answers if m.ts <= visible_until(call))]
    return page_of(call, shown, newest_first=False)


def readable(call: Call) -> Channel:
    channel = call.place()
    call.needs(HISTORY_SCOPE[channel.kind])
    if call.workspace.bot_user not in channel.members:
        raise Refused("not_in_channel")
    return channel


def visible_until(call: Call) -> str:
    """The newest timestamp a lagging history shows."""
    lag = call.faults.history_lag
    if not lag:
        return "9999999999.999999"
    newest = call.workspace.clock() - timedelta(seconds=lag)
    return as_ts(int(newest.timestamp() * 1_000_000))


def in_window(call: Call, said: list[Message]) -> list[Message]:
    oldest, latest = call.args.moment("oldest"), call.args.moment("latest")
    ends = {oldest, latest} if call.args.flag("inclusive") else set()
    return [
        m
        for m in said
        if m.ts in ends or ((oldest is None or m.ts > oldest) and (latest is None or m.ts < latest))
    ]


def page_of(call: Call, said: list[Message], *, newest_first: bool) -> Json:
    part, following = page(
        said,
        key=lambda message: message.ts,
        cursor=call.args.text("cursor"),
        limit=call.args.count("limit", default=100, most=999),
        newest_first=newest_first,
    )
    with_metadata = call.args.flag("include_all_metadata")
    return {
        "messages": [
            message_to_slack(call.workspace, message, with_metadata=with_metadata)
            for message in part
        ],
        "has_more": bool(following),
        "pin_count": 0,
        "response_metadata": {"next_cursor": following},
    }


def info(call: Call) -> Json:
    channel = call.place()
    call.needs(READ_SCOPE[channel.kind])
    return {"channel": channel_to_slack(call.workspace, channel)}


def listing(call: Call) -> Json:
    wanted = requested_kinds(call)
    bot = call.workspace.bot_user
    return channel_page(
        call,
        [
            channel
            for channel in call.workspace.channels.values()
            if channel.kind in wanted
            and (bot in channel.members or not channel.is_hidden)
            and not (channel.archived and call.args.flag("exclude_archived"))
        ],
    )


def of_user(call: Call) -> Json:
    """``users.conversations``: the channels someone (the bot by default) is in."""
    wanted = requested_kinds(call)
    user = call.workspace.person(call.args.text("user", call.workspace.bot_user)).id
    bot = call.workspace.bot_user
    return channel_page(
        call,
        [
            channel
            for channel in call.workspace.channels.values()
            if channel.kind in wanted
            and user in channel.members
            and (bot in channel.members or not channel.is_hidden)
            and not (channel.archived and call.args.flag("exclude_archived"))
        ],
    )


def requested_kinds(call: Call) -> set[str]:
    wanted: set[str] = set()
    for name in call.args.text("types", "public_channel").split(","):
        if name.strip() not in TYPES:
            raise Refused("invalid_types")
        wanted |= TYPES[name.strip()]
    for kind in sorted(wanted - {"shared"}):
        call.needs(READ_SCOPE[kind])
    return wanted


def channel_page(call: Call, found: list[Channel]) -> Json:
    part, following = page(
        sorted(found, key=lambda channel: channel.id),
        key=lambda channel: channel.id,
        cursor=call.args.text("cursor"),
        limit=call.args.count("limit", default=100, most=1000),
    )
    return {
        "channels": [channel_to_slack(call.workspace, channel) for channel in part],
        "response_metadata": {"next_cursor": following},
    }


def members(call: Call) -> Json:
    channel = call.place()
    call.needs(READ_SCOPE[channel.kind])
    part, following = page(
        sorted(channel.members),
        key=str,
        cursor=call.args.text("cursor"),
        limit=call.args.count("limit", default=100, most=1000),
    )
    return {"members": part, "response_metadata": {"next_cursor": following}}


def open_direct_message(call: Call) -> Json:
    known = call.args.text("channel")
    if known:
        channel = call.place()
    else:
        people = [name for name in call.args.required("users").split(",") if name]
        if len(people) != 1:
            raise Refused("method_not_supported_for_channel_type")
        user = call.workspace.person(people[0])
        if user.is_bot:
            raise Refused("cannot_dm_bot")
        channel = call.workspace.open_direct_message(user.id)
    shown = channel_to_slack(call.workspace, channel)
    return {"channel": shown if call.args.flag("return_im") else {"id": channel.id}}


def join(call: Call) -> Json:
    channel = call.place()
    if channel.kind in {"im", "mpim"}:
        raise Refused("method_not_supported_for_channel_type")
    if channel.archived:
        raise Refused("is_archived")
    channel.members.add(call.workspace.bot_user)
    return {"channel": channel_to_slack(call.workspace, channel)}


METHODS = {
    "conversations.history": Method(answer=history),
    "conversations.replies": Method(answer=replies),
    "conversations.info": Method(answer=info),
    "conversations.list": Method(answer=listing, tier=2),
    "conversations.members": Method(answer=members, tier=4),
    "conversations.open": Method(answer=open_direct_message, scopes=("im:write",)),
    "conversations.join": Method(answer=join, scopes=("channels:join",)),
    "users.conversations": Method(answer=of_user),
}
