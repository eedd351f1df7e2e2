"""What the page sees happen, as it happens: one WebSocket for each open page."""

import asyncio
from collections.abc import Callable

from starlette.websockets import WebSocket, WebSocketDisconnect

from handlers.sandbox.records import Change, Json
from handlers.sandbox.workspace import Workspace

BACKLOG = 1000


class Page:
    """One open page of one person: gets what that person may see."""

    def __init__(self, workspace: Workspace, user: str) -> None:
        self._workspace = workspace
        self._user = user
        self._loop = asyncio.get_running_loop()
        self._events: asyncio.Queue[Json] = asyncio.Queue(BACKLOG)

    def note(self, change: Change) -> None:
        """Called in any thread, at any change."""
        if change.user is not None and change.user != self._user:
            return
        if change.channel is not None:
            channel = self._workspace.channels.get(change.channel)
            if channel is None or not self._workspace.may_see(self._user, channel):
                return
        self._loop.call_soon_threadsafe(self._put, change.event)

    def _put(self, event: Json) -> None:
        if not self._events.full():  # a page that reads nothing loses what it does not read
            self._events.put_nowait(event)

    async def serve(self, socket: WebSocket) -> None:
        stop: Callable[[], None] = self._workspace.listen(self.note)
        await socket.accept()
        sending = asyncio.create_task(self._send(socket))
        try:
            while True:
                await socket.receive_text()
        except WebSocketDisconnect:
            pass
        finally:
            stop()
            sending.cancel()

    async def _send(self, socket: WebSocket) -> None:
        while True:
            await socket.send_json(await self._events.get())


async def stream(workspace: Workspace, socket: WebSocket) -> None:
    user = socket.query_params.get("user", "")
    if user not in workspace.users:
        await socket.close(code=4004)
        return
    await Page(workspace, user).serve(socket)
