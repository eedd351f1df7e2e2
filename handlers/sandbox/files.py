"""Files that people share: what is known of one, and its content for who holds the token.

A file is known to the bot when it was shared in a conversation that the bot is
in, or sent in one of its forms; any other is ``file_not_found``, as in Slack.
"""

import mimetypes
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote, urlsplit

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from handlers.sandbox.call import Call, Method
from handlers.sandbox.cut import Cut
from handlers.sandbox.faults import Fault
from handlers.sandbox.records import Channel, Json, Refused
from handlers.sandbox.workspace import Workspace

HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
PLACES = {"im": "ims", "private": "groups"}
NAMES = {"txt": "text", "": "text", "md": "markdown", "htm": "html"}
"""Slack's words for kinds of files, where they are not the name's ending."""
SIGN_IN = "<!DOCTYPE html><html><head><title>Sign in to Slack</title></head><body></body></html>"


def info(call: Call) -> Json:
    workspace, file_id = call.workspace, call.args.required("file")
    if file_id in workspace.deleted_files:
        raise Refused("file_deleted")
    found = workspace.files.get(file_id)
    if found is None or not is_known(workspace, found[0]):
        raise Refused("file_not_found")
    told = {name: as_called(value, call.origin) for name, value in found[0].items()}
    return {"file": told, "content": "", "comments": []}


def as_called(value: Any, origin: str) -> Any:
    """An address of ours under the name by which the bot calls; anything else as it is.

    The page may be open under another name of this machine (``localhost``).
    """
    if not (isinstance(value, str) and value.startswith("http://")):
        return value
    address, called = urlsplit(value), urlsplit(origin)
    ours = address.hostname in HOSTS and address.port == called.port
    return f"{origin}{address.path}" if ours else value


def is_known(workspace: Workspace, described: Json) -> bool:
    """Whether the bot may see the file."""
    if described["id"] in workspace.form_files:
        return True
    rooms = [*described["channels"], *described["groups"], *described["ims"]]
    return any(workspace.bot_user in workspace.channels[room].members for room in rooms)


def keep_file(
    workspace: Workspace,
    *,
    user: str,
    name: str,
    content: bytes,
    origin: str,
    mode: str = "hosted",
) -> Json:
    """Store a file and return it as Slack describes it in messages and events."""
    file_id = workspace.new_id("F")
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    address = f"{origin}/files/{file_id}/{address_name(name)}"
    described: Json = {
        "id": file_id,
        "created": int(workspace.clock().timestamp()),
        "timestamp": int(workspace.clock().timestamp()),
        "name": name,
        "title": name,
        "mimetype": mimetypes.guess_type(name)[0] or "text/plain",
        "filetype": NAMES.get(ending, ending),
        "user": user,
        "user_team": workspace.person(user).team,
        "editable": mode == "snippet",
        "size": len(content),
        "mode": mode,
        "is_external": False,
        "external_type": "",
        "is_public": False,
        "public_url_shared": False,
        "url_private": address,
        "url_private_download": address,
        "file_access": "visible",
        "channels": [],
        "groups": [],
        "ims": [],
    }
    workspace.files[file_id] = (described, content)
    return described


def address_name(name: str) -> str:
    """The name as it stands in an address: what is no letter or digit becomes ``_``."""
    return "".join(
        each if each.isascii() and (each.isalnum() or each in ".-") else "_" for each in name
    )


def share_in(place: Channel, files: Sequence[Json]) -> None:
    """Note where files were shared."""
    for described in files:
        rooms = described[PLACES.get(place.kind, "channels")]
        if place.id not in rooms:
            rooms.append(place.id)
        described["is_public"] = place.kind == "public"


def as_heard(workspace: Workspace, described: Json) -> Json:
    """The file in an event: of another company's file Slack tells only that it is there."""
    if described.get("user_team", workspace.team.id) == workspace.team.id:
        return described
    return {
        "id": described["id"],
        "created": described["created"],
        "timestamp": described["timestamp"],
        "mode": "file_access",
        "file_access": "check_file_info",
    }


def delete_file(workspace: Workspace, file_id: str) -> None:
    """The file is gone; messages keep a tombstone of it."""
    with workspace.lock:
        described, _ = workspace.files.pop(file_id)
        workspace.deleted_files.add(file_id)
        kept = described["id"]
        described.clear()
        described.update(id=kept, mode="tombstone", name="", filetype="", size=0)


def download(workspace: Workspace, request: Request) -> Response:
    """The content at ``url_private``; Slack sends strangers to its sign-in page."""
    bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
    token = workspace.tokens.get(bearer)
    if token is None or token.state != "active" or "files:read" not in token.scopes:
        return PlainTextResponse(
            "", status_code=302, headers={"Location": f"https://{workspace.team.domain}.slack.com/"}
        )
    found = workspace.files.get(request.path_params["file"])
    if found is None or not is_known(workspace, found[0]):
        return PlainTextResponse("", status_code=404)
    return Response(found[1], media_type=found[0]["mimetype"])


def damaged(answer: Response, fault: Fault) -> Response:
    """The download as a fault lets it arrive: half of it, or a page of Slack's in its place."""
    if fault.mode == "half":
        return Half(bytes(answer.body))
    return HTMLResponse(SIGN_IN)


class Half(Response):
    """An answer that says how long it is and breaks off in the middle."""

    def __init__(self, content: bytes) -> None:
        super().__init__(content)
        self.whole = content

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(b"content-length", str(len(self.whole)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        half = self.whole[: len(self.whole) // 2]
        await send({"type": "http.response.body", "body": half, "more_body": True})
        await Cut()(scope, receive, send)


def shown(workspace: Workspace, viewer: str, file_id: str) -> Response:
    """The content for a person at the page, who sees it in a conversation that they are in."""
    found = workspace.files.get(file_id)
    described = found[0] if found else {}
    rooms = [room for kind in ("channels", "groups", "ims") for room in described.get(kind, ())]
    if found is None or not any(
        workspace.may_see(viewer, workspace.channels[room]) for room in rooms
    ):
        return PlainTextResponse("There is no such file here.", status_code=404)
    saved_as = f"attachment; filename*=UTF-8''{quote(described['name'], safe='')}"
    return Response(
        found[1], media_type="application/octet-stream", headers={"Content-Disposition": saved_as}
    )


METHODS = {"files.info": Method(answer=info, scopes=("files:read",), tier=4)}
