"""A file that the bot hands out in Slack, in three steps: an address, the content, the sharing.

Nothing is to be seen in Slack before the last step, so only that one may not be repeated. The
content goes to Slack's own hosts alone, without the token, and no redirect is followed.
"""

import http.client
from typing import Any, Final
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

import structlog
from slack_sdk import WebClient

from handlers.slack.downloads import NoRedirect, is_slack
from handlers.slack.verdict import (
    UNKNOWN_METHOD,
    LaterError,
    RefusedError,
    UncertainError,
    judged,
    read_again,
)
from storage.errors import BotError

log = structlog.get_logger(__name__)

TIMEOUT: Final = 30.0
"""Seconds that Slack may be silent while it takes the content."""
DISABLED: Final = frozenset(
    {
        "ekm_access_denied",
        "file_type_not_allowed",
        "file_uploads_disabled",
        "file_uploads_except_images_disabled",
        "posting_to_channel_denied",
    }
)
"""What Slack says where the workspace itself wants no such files."""


class NotShared(BotError):
    """A file that is not in Slack; the sentence says why and what to do."""


def share_file(client: WebClient, *, channel: str, name: str, content: bytes) -> None:
    """Share a file in a channel that the bot writes in. Raises NotShared."""
    try:
        given = read_again(
            lambda: client.files_getUploadURLExternal(filename=name, length=len(content))
        )
        address, file_id = given.get("upload_url"), given.get("file_id")
        if not (isinstance(address, str) and isinstance(file_id, str)):
            raise NotShared(_LATER)
        _send(client, address, content)
        with judged():
            client.files_completeUploadExternal(
                files=[{"id": file_id, "title": name}], channel_id=channel
            )
    except RefusedError as refused:
        raise NotShared(_refusal(refused.code)) from refused
    except LaterError as later:
        raise NotShared(
            f"Slack asks me to slow down. Ask again in {later.seconds} seconds."
        ) from later
    except UncertainError as uncertain:
        raise NotShared(
            "Slack did not say whether it took the file. Look into our direct message: if it is "
            "not there in a minute, ask again."
        ) from uncertain


_LATER: Final = "Slack did not take the file. Ask again in a minute."


def _send(client: WebClient, address: str, content: bytes) -> None:
    """Bring the content to the address that Slack gave. Raises NotShared."""
    if not is_slack(address, client.base_url):
        log.warning("upload.foreign_host")
        raise NotShared(
            "Slack named an address for the file that is not Slack's own, so I sent nothing. "
            "Tell whoever runs the bot."
        )
    proxies: dict[str, Any] = {"http": client.proxy, "https": client.proxy} if client.proxy else {}
    opener = build_opener(ProxyHandler(proxies), NoRedirect())
    request = Request(  # noqa: S310 - checked by is_slack
        address,
        data=content,
        headers={"Content-Type": "application/octet-stream"},
        method="POST",
    )
    try:
        with opener.open(request, timeout=TIMEOUT) as answer:
            answer.read()
    except HTTPError as refused:
        with refused:
            log.warning("upload.refused", status=refused.code)
            raise NotShared(_LATER) from refused
    except (http.client.HTTPException, OSError) as trouble:
        log.warning("upload.broken", error=type(trouble).__name__)
        raise NotShared(_LATER) from trouble


def _refusal(code: str) -> str:
    if code == "missing_scope":
        return (
            "I may not send files in this workspace yet. Ask whoever runs the bot to reinstall "
            "the app with its present manifest (scope files:write)."
        )
    if code == UNKNOWN_METHOD:
        return (
            "This Slack server does not let me send files. Whoever runs the bot can export on its "
            "machine: `.venv/bin/python -m bot export`."
        )
    if code == "file_upload_size_restricted":
        return "The file is larger than this workspace allows. Narrow the question."
    if code in DISABLED:
        return (
            f"This workspace does not allow such files ({code}). An admin of the workspace can "
            "change that; whoever runs the bot can export on its machine."
        )
    return f"Slack did not take the file ({code}). Ask again, or ask whoever runs the bot."
