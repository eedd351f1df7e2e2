"""Files that people share: what is known of one, and its content for who holds the token."""

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from handlers.sandbox.call import Call, Method
from handlers.sandbox.records import Json, Refused
from handlers.sandbox.workspace import Workspace


def info(call: Call) -> Json:
    found = call.workspace.files.get(call.args.required("file"))
    if found is None:
        raise Refused("file_not_found")
    return {"file": found[0], "content": "", "comments": []}


def keep_file(workspace: Workspace, *, user: str, name: str, content: bytes, origin: str) -> Json:
    """Store a file and return it as Slack describes it in messages and events."""
    file_id = workspace.new_id("F")
    kind = name.rpartition(".")[2].lower() or "text"
    address = f"{origin}/files/{file_id}/{name}"
    described: Json = {
        "id": file_id,
        "created": int(workspace.clock().timestamp()),
        "name": name,
        "title": name,
        "mimetype": "text/plain",
        "filetype": kind,
        "user": user,
        "size": len(content),
        "mode": "hosted",
        "is_external": False,
        "url_private": address,
        "url_private_download": address,
        "file_access": "visible",
    }
    workspace.files[file_id] = (described, content)
    return described


def download(workspace: Workspace, request: Request) -> Response:
    """The content at ``url_private``; Slack sends strangers to its sign-in page."""
    bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
    token = workspace.tokens.get(bearer)
    if token is None or token.state != "active" or "files:read" not in token.scopes:
        return PlainTextResponse(
            "", status_code=302, headers={"Location": f"https://{workspace.team.domain}.slack.com/"}
        )
    found = workspace.files.get(request.path_params["file"])
    if found is None:
        return PlainTextResponse("", status_code=404)
    return Response(found[1], media_type="text/plain")


METHODS = {"files.info": Method(answer=info, scopes=("files:read",), tier=4)}
