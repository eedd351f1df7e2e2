"""What happens in the workspace, brought to the bot: by socket if one is open, else by signed HTTP.

A command or a press is delivered once and must be acknowledged within 3
seconds. An event is tried again at once, after one minute and after five.
"""

import asyncio
import hashlib
import hmac
import json
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from time import monotonic
from typing import Any, Literal
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import ProxyHandler, Request, build_opener

from handlers.sandbox.faults import Faults
from handlers.sandbox.records import Change, Delivered, Json
from handlers.sandbox.sockets import Sockets
from handlers.sandbox.workspace import Workspace

Kind = Literal["slash_commands", "interactive", "events_api"]
RETRY_DELAYS = (0.0, 60.0, 300.0)
HTTP_WORKERS = 100  # a burst of commands must not wait for one another


class Delivery:
    """``send`` for commands and presses (their acknowledgement matters), ``event`` for events."""

    def __init__(
        self,
        workspace: Workspace,
        faults: Faults,
        *,
        deliver_to: str | None = None,
        ack_within: float = 3.0,
        retry_scale: float = 1.0,
        unix_time: Callable[[], float],
    ) -> None:
        self.workspace = workspace
        self.faults = faults
        self.deliver_to = deliver_to
        self.ack_within = ack_within
        self.retry_scale = retry_scale
        self.sockets = Sockets(workspace, faults, changed=self._tell_online)
        self._unix_time = unix_time
        self._workers = ThreadPoolExecutor(HTTP_WORKERS, thread_name_prefix="sandbox-http")
        self._tasks: set[asyncio.Task[Any]] = set()
        self._opener = build_opener(ProxyHandler({}))
        self._answers = True  # whether the request URL answered the last time

    @property
    def is_online(self) -> bool:
        return self.sockets.is_open or (self.deliver_to is not None and self._answers)

    async def send(self, kind: Kind, payload: Json, *, key: str = "", retry: int = 0) -> Delivered:
        """Hand it over once; the record says how it went and what the acknowledgement carried."""
        key = key or self.workspace.new_id("E")
        started = monotonic()
        error: str | None = None
        body: Json | None = None
        by_socket = self.sockets.is_open
        try:
            if by_socket:
                body = await self.sockets.send(
                    kind, key, payload, retry=retry, within=self.ack_within
                )
            else:
                error, body = await self._post(kind, payload, retry)
        except TimeoutError:
            error = "operation_timeout"
        record = Delivered(
            kind=kind,
            key=key,
            via="socket" if by_socket else "http",
            retry=retry,
            seconds=monotonic() - started,
            error=error,
            body=body,
        )
        self.workspace.note_delivery(record)
        if not by_socket and self.deliver_to is not None:
            self._note_reachable(error != "dispatch_failed")
        return record

    def event(self, event: Json, *, shared: bool = False) -> None:
        """Deliver an event in the background, again until it is acknowledged or given up.

        ``shared``: it happened in a channel that another company is in too.
        """
        payload = self._event_callback(event, shared=shared)
        copies = 2 if self.faults.take_duplicate() else 1
        for _ in range(copies):
            self.in_background(self._until_acknowledged(payload))

    def in_background(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._workers.shutdown(wait=False, cancel_futures=True)

    async def _until_acknowledged(self, payload: Json) -> None:
        record = await self.send("events_api", payload, key=payload["event_id"])
        for retry, delay in enumerate(RETRY_DELAYS, start=1):
            if record.error is None or (record.body or {}).get("no_retry"):
                return
            await asyncio.sleep(delay * self.retry_scale)
            record = await self.send("events_api", payload, key=payload["event_id"], retry=retry)

    async def _post(self, kind: Kind, payload: Json, retry: int) -> tuple[str | None, Json | None]:
        if self.deliver_to is None:
            return "dispatch_failed", None
        if kind == "slash_commands":
            form = {name: as_form_value(value) for name, value in payload.items()}
            content, body = "application/x-www-form-urlencoded", urlencode(form)
        elif kind == "interactive":
            content = "application/x-www-form-urlencoded"
            body = urlencode({"payload": json.dumps(payload)})
        else:
            content, body = "application/json", json.dumps(payload)
        headers = self.signed(body.encode()) | {"Content-Type": content}
        if retry:
            headers |= {"X-Slack-Retry-Num": str(retry), "X-Slack-Retry-Reason": "http_timeout"}
        loop = asyncio.get_running_loop()
        request = Request(self.deliver_to, data=body.encode(), headers=headers)  # noqa: S310
        return await asyncio.wait_for(
            loop.run_in_executor(self._workers, self._exchange, request), self.ack_within
        )

    def signed(self, body: bytes) -> dict[str, str]:
        """The headers that prove that a body comes from this workspace, now."""
        moment = str(int(self._unix_time()))
        message = b"v0:" + moment.encode() + b":" + body
        secret = self.workspace.signing_secret.encode()
        digest = hmac.new(secret, message, hashlib.sha256).hexdigest()
        return {"X-Slack-Request-Timestamp": moment, "X-Slack-Signature": f"v0={digest}"}

    def _exchange(self, request: Request) -> tuple[str | None, Json | None]:
        """Post and read the answer, in a worker thread: Slack's error word and the body."""
        try:
            with self._opener.open(request, timeout=self.ack_within) as answer:
                return None, as_json(answer.read())
        except HTTPError as refused:
            with refused:
                stop = refused.headers.get("X-Slack-No-Retry") == "1"
            word = "http_client_error" if refused.code < 500 else "http_service_error"
            return word, {"no_retry": True} if stop else None
        except TimeoutError:
            return "operation_timeout", None
        except (OSError, HTTPException):
            return "dispatch_failed", None

    def _event_callback(self, event: Json, *, shared: bool) -> Json:
        workspace = self.workspace
        return {
            "token": "sandbox",
            "team_id": workspace.team.id,
            "context_team_id": workspace.team.id,
            "context_enterprise_id": None,
            "api_app_id": workspace.app_id,
            "event": event,
            "type": "event_callback",
            "event_id": workspace.new_id("Ev"),
            "event_time": int(workspace.clock().timestamp()),
            "authorizations": [
                {
                    "enterprise_id": None,
                    "team_id": workspace.team.id,
                    "user_id": workspace.bot_user,
                    "is_bot": True,
                    "is_enterprise_install": False,
                }
            ],
            "is_ext_shared_channel": shared,
            "event_context": workspace.new_id("4-"),
        }

    def _note_reachable(self, answers: bool) -> None:
        if answers != self._answers:
            self._answers = answers
            self._tell_online()

    def _tell_online(self) -> None:
        self.workspace.tell(Change(event={"type": "bot", "online": self.is_online}))


def as_form_value(value: Any) -> str:
    """Slack writes switches in forms as words.

    >>> as_form_value(False)
    'false'
    """
    return str(value).lower() if isinstance(value, bool) else str(value)


def as_json(body: bytes) -> Json:
    """An acknowledgement's body: its JSON object, or its plain text as a message."""
    text = body.decode(errors="replace").strip()
    if not text:
        return {}
    try:
        value = json.loads(text)
    except ValueError:
        return {"text": text}
    return value if isinstance(value, dict) else {}
