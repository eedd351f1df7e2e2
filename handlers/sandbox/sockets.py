"""Socket Mode: the bot's open sockets, at most ten, and what waits to be acknowledged on them."""

import asyncio
import json
from collections.abc import Callable
from itertools import count

from starlette.websockets import WebSocket, WebSocketDisconnect

from handlers.sandbox.faults import Faults
from handlers.sandbox.records import Json
from handlers.sandbox.workspace import Workspace

MOST = 10


class Sockets:
    """Sends envelopes to one of the open sockets and matches acknowledgements to them."""

    def __init__(
        self, workspace: Workspace, faults: Faults, *, changed: Callable[[], None]
    ) -> None:
        self._workspace = workspace
        self._faults = faults
        self._changed = changed
        self._open: list[WebSocket] = []
        self._waiting: dict[str, asyncio.Future[Json]] = {}
        self._turn = count()

    @property
    def is_open(self) -> bool:
        return bool(self._open)

    def __len__(self) -> int:
        return len(self._open)

    async def serve(self, socket: WebSocket) -> None:
        """Keep one socket from its hello to its end."""
        if not self._workspace.use_ticket(socket.query_params.get("ticket", "")):
            await socket.close(code=4001)
            return
        await socket.accept()
        if len(self._open) >= MOST:
            await socket.send_json(goodbye("too_many_websockets"))
            await socket.close()
            return
        self._open.append(socket)
        try:
            await socket.send_json(self._hello())
            self._changed()
            while True:
                self._acknowledged(await socket.receive_text())
        except WebSocketDisconnect:
            pass
        finally:
            if socket in self._open:
                self._open.remove(socket)
            self._changed()

    async def send(self, kind: str, key: str, payload: Json, *, retry: int, within: float) -> Json:
        """What the acknowledgement carried, ``{}`` for nothing; TimeoutError when none came."""
        envelope: Json = {
            "envelope_id": key,
            "type": kind,
            "payload": payload,
            "accepts_response_payload": kind != "events_api",
        }
        if kind == "events_api":
            envelope |= {"retry_attempt": retry, "retry_reason": "timeout" if retry else ""}
        waiting = asyncio.get_running_loop().create_future()
        self._waiting[key] = waiting
        try:
            if not self._faults.silent_sockets:
                sockets = list(self._open)
                await sockets[next(self._turn) % len(sockets)].send_json(envelope)
            return await asyncio.wait_for(waiting, within)
        except (WebSocketDisconnect, RuntimeError) as gone:  # closed between choosing and sending
            raise TimeoutError from gone
        finally:
            self._waiting.pop(key, None)

    async def refresh(self, reason: str = "refresh_requested") -> None:
        """Ask every socket to come back on a new one, and close it, as Slack does now and then."""
        for socket in list(self._open):
            await socket.send_json(goodbye(reason))
            self._open.remove(socket)
            await socket.close()
        self._changed()

    async def drop(self) -> None:
        """Close every socket without a word."""
        for socket in list(self._open):
            self._open.remove(socket)
            await socket.close(code=1011)
        self._changed()

    def _acknowledged(self, text: str) -> None:
        try:
            message = json.loads(text)
        except ValueError:
            return
        waiting = self._waiting.get(message.get("envelope_id", ""))
        if waiting is not None and not waiting.done():
            payload = message.get("payload")
            waiting.set_result(payload if isinstance(payload, dict) else {})

    def _hello(self) -> Json:
        return {
            "type": "hello",
            "num_connections": len(self._open),
            "debug_info": {
                "host": "sandbox",
                "build_number": 1,
                "approximate_connection_time": 18060,
            },
            "connection_info": {"app_id": self._workspace.app_id},
        }


def goodbye(reason: str) -> Json:
    return {"type": "disconnect", "reason": reason, "debug_info": {"host": "sandbox"}}
