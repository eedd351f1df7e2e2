"""Files that people share, fetched from Slack: only from Slack, and never more than a page may be.

``files.info`` says what a file is (in a channel shared with another company an
event tells no more than its id), then its content is fetched with the bot's
token. The token goes nowhere but to Slack's own hosts: the address is checked,
and no redirect is followed, since Slack answers a token that may not read files
by a redirect to its sign-in page.
"""

import http.client
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

import structlog
from slack_sdk import WebClient

from bot.profiles.reader import MAXIMUM_BYTES
from bot.readable import readable
from handlers.slack.verdict import LaterError, RefusedError, UncertainError, judged
from handlers.views.escaping import one_line, shorten
from storage.errors import BotError

log = structlog.get_logger(__name__)

TIMEOUT: Final = 10.0
"""Seconds that Slack may be silent while it sends a file."""
PATIENCE: Final = 60.0
"""Seconds that one file may take in all."""
TRIES: Final = 2
CHUNK: Final = 64 * 1024
NAME: Final = 80
HIDDEN: Final = frozenset(
    {"file_not_found", "not_found", "not_visible", "access_denied", "no_permission"}
)
"""What Slack says of a file that is not there, or not there for the bot."""
PAGES: Final = frozenset({"html", "htm", "xhtml"})


class NotFetched(BotError):
    """A file that could not be fetched; the sentence says why and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedFile:
    """A file as Slack describes it; ``name`` is fit to be shown, ``size`` in bytes."""

    id: str
    name: str
    size: int
    kind: str
    url: str


class NoRedirect(HTTPRedirectHandler):
    """Every redirect is an answer, and never followed: the token would go along."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def shown_name(name: object) -> str:
    """A file's name without folders, line breaks or characters that turn its direction.

    >>> shown_name("../../etc/ada\\u202etxt.md"), shown_name("")
    ('adatxt.md', 'file')
    """
    last = readable(str(name or "")).replace("\\", "/").rsplit("/", 1)[-1]
    return shorten(one_line(last), NAME) or "file"


def described(client: WebClient, file_id: str) -> SharedFile:
    """What Slack says of a file. Raises NotFetched where it is not one that can be fetched."""
    try:
        with judged():
            found: Mapping[str, Any] = client.files_info(file=file_id).get("file") or {}
    except RefusedError as refused:
        raise NotFetched(_refusal(refused.code)) from refused
    except (LaterError, UncertainError) as trouble:
        raise NotFetched(
            "Slack did not tell me about the file. Send it again in a minute."
        ) from trouble
    if not found:
        raise NotFetched("Slack did not tell me about the file. Send it again in a minute.")
    name = shown_name(found.get("name") or found.get("title"))
    if found.get("mode") in {"tombstone", "hidden_by_limit"}:
        raise NotFetched(f"{name} is no longer in Slack. Send it again.")
    url = found.get("url_private_download") or found.get("url_private")
    if found.get("is_external") or found.get("mode") == "external":
        raise NotFetched(
            f"{name} lies with another service, and I only read files of Slack itself. "
            "Save it on your computer and send me the file itself."
        )
    if not url:
        raise NotFetched(
            f"Slack does not let me read {name}. If it comes from another company, save it "
            "and send it to me yourself."
        )
    return SharedFile(
        id=file_id,
        name=name,
        size=int(found.get("size") or 0),
        kind=str(found.get("filetype") or "").lower(),
        url=str(url),
    )


def _refusal(code: str) -> str:
    if code == "file_deleted":
        return "The file was deleted before I could read it. Send it again."
    if code in HIDDEN:
        return (
            "I cannot see this file: it was deleted, or it is in a conversation that I am not in. "
            "Send it to me in our direct message."
        )
    if code == "missing_scope":
        return (
            "I may not read files in this workspace yet. Ask whoever runs the bot to reinstall "
            "the app with its present manifest (scope files:read)."
        )
    return f"Slack did not give me the file ({code}). Send it again, or ask whoever runs the bot."


def fetch(
    file: SharedFile,
    client: WebClient,
    *,
    timeout: float = TIMEOUT,
    patience: float = PATIENCE,
    monotonic: Callable[[], float] = time.monotonic,
) -> bytes:
    """The file's content. Raises NotFetched with what to do; never reads more than a page may be.

    A connection that breaks is tried once more: reading changes nothing.
    """
    _require_fitting(file, file.size)
    if not is_slack(file.url, client.base_url):
        log.warning("download.foreign_host", file=file.id)
        raise NotFetched(
            f"{file.name} does not lie with Slack, so I did not fetch it. "
            "Save it on your computer and send me the file itself."
        )
    until = monotonic() + patience
    for left in reversed(range(TRIES)):
        try:
            content = _get(file, client, timeout, lambda: monotonic() > until)
        except (http.client.HTTPException, OSError) as trouble:
            log.info("download.broken", file=file.id, error=type(trouble).__name__)
            if not left or monotonic() > until:
                raise NotFetched(
                    f"{file.name} did not come through to its end. Send it again."
                ) from trouble
            continue
        _require_no_sign_in_page(file, content)
        return content
    raise AssertionError("not reached")


def is_slack(url: str, api_url: str) -> bool:
    """Whether the address is Slack's own: the API's server, a host under it, or slack.com by TLS.

    >>> is_slack("https://files.slack.com/x", "https://slack.com/api/")
    True
    >>> is_slack("https://files.slack.com.evil.example/x", "https://slack.com/api/")
    False
    """
    try:
        there, api = urlsplit(url), urlsplit(api_url)
        port, api_port = there.port, api.port
    except ValueError:
        return False
    host, home = (there.hostname or "").lower(), (api.hostname or "").lower()
    if not host or there.username is not None or there.password is not None:
        return False
    if (there.scheme, host, port) == (api.scheme, home, api_port):
        return True
    if there.scheme != "https" or port not in {None, 443}:
        return False
    return any(host == each or host.endswith(f".{each}") for each in ("slack.com", home) if each)


def _get(file: SharedFile, client: WebClient, timeout: float, late: Callable[[], bool]) -> bytes:
    """One request. Raises NotFetched, or OSError and HTTPException for a broken connection."""
    proxies = {"http": client.proxy, "https": client.proxy} if client.proxy else {}
    opener = build_opener(ProxyHandler(proxies), NoRedirect())
    request = Request(file.url, headers={"Authorization": f"Bearer {client.token}"})  # noqa: S310 - checked by is_slack
    try:
        with opener.open(request, timeout=timeout) as answer:
            content = bytearray()
            while part := answer.read(CHUNK):
                content += part
                _require_fitting(file, len(content))
                if late():
                    raise TimeoutError("the file takes too long")
            told = answer.headers.get("Content-Length", "")
    except HTTPError as refused:
        with refused:
            raise _broken(file, refused.code) from refused
    if told.isdigit() and int(told) != len(content):
        raise http.client.IncompleteRead(bytes(content[:0]), int(told) - len(content))
    return bytes(content)


def _broken(file: SharedFile, status: int) -> Exception:
    if status in {404, 410}:
        return NotFetched(f"{file.name} was deleted before I could read it. Send it again.")
    if 300 <= status < 400 or status in {401, 403}:
        return NotFetched(_refusal("missing_scope"))
    if status == 429:
        return NotFetched(f"Slack asks me to slow down. Send {file.name} again in a minute.")
    return ConnectionError(f"status {status}")


def _require_fitting(file: SharedFile, size: int) -> None:
    if size > MAXIMUM_BYTES:
        raise NotFetched(
            f"{file.name} is larger than {MAXIMUM_BYTES // 1024 // 1024} MB. Split it into smaller "
            "files and send those."
        )


def _require_no_sign_in_page(file: SharedFile, content: bytes) -> None:
    """Slack answers some requests with a page of its own, status 200, in the file's place."""
    start = content[:200].lstrip().lower()
    if (
        file.kind not in PAGES
        and file.size != len(content)
        and start.startswith((b"<!doctype html", b"<html"))
    ):
        raise NotFetched(
            f"Slack sent me a web page in place of {file.name}. Send the file again; if that does "
            "not help, ask whoever runs the bot to reinstall the app."
        )
