"""``/respond/ID``: the address in ``response_url``, 5 uses within 30 minutes.

It works where the bot is no member. Without ``response_type: in_channel`` an
answer is for the person alone. After a press of a button the answer replaces
the message unless ``replace_original`` is false; after a command it never does.
"""

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from handlers.sandbox.arguments import read_json
from handlers.sandbox.blocks import check_message_blocks
from handlers.sandbox.records import Json, Message, Refused, ResponsePermit
from handlers.sandbox.workspace import Workspace

STATUS = {"invalid_url": 404, "expired_url": 404, "used_url": 404}


async def respond(workspace: Workspace, request: Request) -> Response:
    body = await request.body()
    try:
        said = payload_of(body)
        with workspace.lock:
            permit = workspace.use_permit(request.path_params["permit"])
            answer(workspace, permit, said)
    except Refused as refused:
        return PlainTextResponse(refused.code, status_code=STATUS.get(refused.code, 400))
    return PlainTextResponse("ok")


def payload_of(body: bytes) -> Json:
    try:
        said = read_json(body)
    except ValueError as error:
        raise Refused("invalid_payload") from error
    if not isinstance(said, dict):
        raise Refused("invalid_payload")
    return said


def answer(workspace: Workspace, permit: ResponsePermit, said: Json) -> None:
    """Show, replace or delete what the response says; Refused as Slack would."""
    original = workspace.message(permit.channel, permit.message_ts) if permit.message_ts else None
    if said.get("delete_original"):
        if original is not None:
            workspace.delete(original)
        return
    text = str(said.get("text") or "")
    blocks = check_message_blocks(said.get("blocks"), new_id=workspace.new_id)
    if not text.strip() and not blocks:
        raise Refused("no_text")
    in_channel = said.get("response_type") == "in_channel"
    if original is not None and said.get("replace_original", not in_channel):
        original.text, original.blocks = text[:40_000], blocks or None
        original.edited = None if original.only_for else workspace.new_ts()
        workspace.changed(original)
        return
    thread = said.get("thread_ts") or (permit.thread_ts if permit.message_ts else None)
    workspace.post(
        Message(
            ts=workspace.new_ts(),
            channel=permit.channel,
            user=workspace.bot_user,
            bot_id=workspace.bot_id,
            text=text[:40_000],
            blocks=blocks or None,
            thread_ts=str(thread) if thread else None,
            only_for=None if in_channel else permit.user,
            unfurl_links=said.get("unfurl_links") is not False,
            unfurl_media=said.get("unfurl_media") is not False,
        )
    )
