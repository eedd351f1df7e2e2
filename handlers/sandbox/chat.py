"""The ``chat.*`` methods: post, show to one person, change, withdraw, link."""

import json
from dataclasses import dataclass

from handlers.sandbox.blocks import check_message_blocks
from handlers.sandbox.call import Call, Method
from handlers.sandbox.records import Json, Message, Refused
from handlers.sandbox.wire import message_to_slack

TEXT_KEPT = 40_000
UPDATE_TEXT = 4_000
METADATA_BYTES = 8_192


@dataclass(frozen=True, slots=True)
class Content:
    text: str
    blocks: list[Json] | None
    warnings: tuple[str, ...]


def content(call: Call) -> Content:
    """The text and blocks of a message, checked; at least one of the two."""
    text = call.args.text("text")
    blocks = check_message_blocks(
        call.args.structure("blocks", error="invalid_blocks_format"), new_id=call.workspace.new_id
    )
    if not text.strip() and not blocks and not call.args.text("attachments"):
        raise Refused("no_text")
    warnings = []
    if len(text) > TEXT_KEPT:
        text = text[:TEXT_KEPT]
        warnings.append("message_truncated")
    if blocks and not text:
        warnings.append("missing_text_in_message")
    return Content(text, blocks or None, tuple(warnings))


def post_message(call: Call) -> Json:
    said = content(call)
    metadata = checked_metadata(call.args.structure("metadata", error="invalid_metadata_format"))
    channel = call.joined_place()
    message = call.workspace.post(
        Message(
            ts=call.workspace.new_ts(),
            channel=channel.id,
            user=call.workspace.bot_user,
            bot_id=call.workspace.bot_id,
            text=said.text,
            blocks=said.blocks,
            thread_ts=thread_of(call, channel.id),
            broadcast=call.args.flag("reply_broadcast"),
            metadata=metadata,
            unfurl_links=call.args.flag("unfurl_links", default=True),
            unfurl_media=call.args.flag("unfurl_media", default=True),
        )
    )
    answer = {
        "channel": channel.id,
        "ts": message.ts,
        "message": message_to_slack(call.workspace, message, with_metadata=True),
    }
    return answer | warned(said.warnings)


def post_ephemeral(call: Call) -> Json:
    said = content(call)
    channel = call.joined_place()
    user = call.args.required("user")
    if user not in call.workspace.users or user not in channel.members:
        raise Refused("user_not_in_channel")
    message = call.workspace.post(
        Message(
            ts=call.workspace.new_ts(),
            channel=channel.id,
            user=call.workspace.bot_user,
            bot_id=call.workspace.bot_id,
            text=said.text,
            blocks=said.blocks,
            thread_ts=call.args.moment("thread_ts"),
            only_for=user,
        )
    )
    return {"message_ts": message.ts} | warned(said.warnings)


def update(call: Call) -> Json:
    """New text without blocks removes the blocks, as in Slack."""
    message = own_message(call, refusal="cant_update_message")
    if len(call.args.text("text")) > UPDATE_TEXT:
        raise Refused("msg_too_long")
    metadata = checked_metadata(call.args.structure("metadata", error="invalid_metadata_format"))
    if metadata is not None and "text" not in call.args and "blocks" not in call.args:
        message.metadata = metadata
    else:
        said = content(call)
        message.text, message.blocks = said.text, said.blocks
        message.edited = call.workspace.new_ts()
        message.metadata = metadata if metadata is not None else message.metadata
    call.workspace.changed(message)
    return {
        "channel": message.channel,
        "ts": message.ts,
        "text": message.text,
        "message": message_to_slack(call.workspace, message, with_metadata=True),
    }


def delete(call: Call) -> Json:
    message = own_message(call, refusal="cant_delete_message")
    call.workspace.delete(message)
    return {"channel": message.channel, "ts": message.ts}


def permalink(call: Call) -> Json:
    channel = call.place()
    ts = call.args.required("message_ts")
    message = call.workspace.message(channel.id, ts)
    if message is None or message.only_for is not None:
        raise Refused("message_not_found")
    domain = call.workspace.team.domain
    link = f"https://{domain}.slack.com/archives/{channel.id}/p{ts.replace('.', '')}"
    if message.is_reply:
        link += f"?thread_ts={message.thread_ts}&cid={channel.id}"
    return {"channel": channel.id, "permalink": link}


def own_message(call: Call, *, refusal: str) -> Message:
    """The bot's own message named by ``channel`` and ``ts``; ephemeral ones are out of reach."""
    channel = call.place()
    message = call.workspace.message(channel.id, call.args.required("ts"))
    if message is None or message.only_for is not None:
        raise Refused("message_not_found")
    if message.bot_id != call.workspace.bot_id:
        raise Refused(refusal)
    return message


def thread_of(call: Call, channel: str) -> str | None:
    """The thread to answer in; a reply's own timestamp leads to its thread's."""
    ts = call.args.moment("thread_ts")
    if ts is None:
        return None
    parent = call.workspace.message(channel, ts)
    if parent is None or parent.only_for is not None:
        raise Refused("cannot_reply_to_message")
    if parent.thread_ts is None:
        parent.thread_ts = parent.ts
    return parent.thread_ts


def checked_metadata(metadata: object) -> Json | None:
    if metadata is None:
        return None
    if (
        not isinstance(metadata, dict)
        or not isinstance(metadata.get("event_type"), str)
        or not isinstance(metadata.get("event_payload"), dict)
    ):
        raise Refused("invalid_metadata_schema")
    if len(json.dumps(metadata).encode()) > METADATA_BYTES:
        raise Refused("metadata_too_large")
    return metadata


def warned(warnings: tuple[str, ...]) -> Json:
    if not warnings:
        return {}
    return {"warning": ",".join(warnings), "response_metadata": {"warnings": list(warnings)}}


METHODS = {
    "chat.postMessage": Method(answer=post_message, scopes=("chat:write",), tier=0),
    "chat.postEphemeral": Method(answer=post_ephemeral, scopes=("chat:write",), tier=4),
    "chat.update": Method(answer=update, scopes=("chat:write",)),
    "chat.delete": Method(answer=delete, scopes=("chat:write",)),
    "chat.getPermalink": Method(answer=permalink, tier=0),
}
