"""Files that the bot sends, in Slack's three steps: an address, the content, and the sharing.

Until a file is shared it is nowhere to be seen. An address takes one file, of the length
that was said.
"""

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from handlers.sandbox.call import Call, Method
from handlers.sandbox.files import keep_file, share_in
from handlers.sandbox.records import Json, Message, Refused
from handlers.sandbox.workspace import Workspace


def upload_address(call: Call) -> Json:
    name, length = call.args.required("filename"), call.args.text("length")
    if not length.isdecimal() or not int(length):
        raise Refused("missing_argument")
    described = keep_file(
        call.workspace,
        user=call.workspace.bot_user,
        name=name,
        content=b"",
        origin=call.origin,
    )
    described["size"] = int(length)
    call.workspace.expected_files[described["id"]] = int(length)
    return {
        "upload_url": f"{call.origin}/upload/v1/{described['id']}",
        "file_id": described["id"],
    }


async def take(workspace: Workspace, request: Request) -> Response:
    """The content at the address that was given; it needs no token, being known to nobody else."""
    content, file_id = await request.body(), request.path_params["file"]
    with workspace.lock:
        expected = workspace.expected_files.get(file_id)
        if expected is None:
            return PlainTextResponse("", status_code=404)
        if len(content) != expected:
            return PlainTextResponse("", status_code=400)
        workspace.files[file_id] = (workspace.files[file_id][0], content)
    return PlainTextResponse(f"OK - {len(content)}")


def complete_upload(call: Call) -> Json:
    workspace = call.workspace
    wanted = call.args.structure("files", error="invalid_arguments")
    if not isinstance(wanted, list) or not wanted:
        raise Refused("invalid_arguments")
    ids = [str(each.get("id")) if isinstance(each, dict) else "" for each in wanted]
    if not all(each in workspace.expected_files and workspace.files[each][1] for each in ids):
        raise Refused("file_not_found")
    channel = call.joined_place("channel_id") if call.args.text("channel_id") else None
    files = []
    for file_id, each in zip(ids, wanted, strict=True):
        del workspace.expected_files[file_id]
        described = workspace.files[file_id][0]
        described["title"] = str(each.get("title") or described["name"])
        files.append(described)
    if channel is not None:
        share_in(channel, files)
        workspace.post(
            Message(
                ts=workspace.new_ts(),
                channel=channel.id,
                user=workspace.bot_user,
                bot_id=workspace.bot_id,
                text=call.args.text("initial_comment"),
                files=files,
                thread_ts=call.args.moment("thread_ts"),
            )
        )
    return {"files": [{"id": each["id"], "title": each["title"]} for each in files]}


METHODS = {
    "files.getUploadURLExternal": Method(answer=upload_address, scopes=("files:write",), tier=4),
    "files.completeUploadExternal": Method(answer=complete_upload, scopes=("files:write",), tier=4),
}
