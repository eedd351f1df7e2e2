"""A connection that is cut where an answer was to be."""

import asyncio

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

HANG_UP = "sandbox.hang_up"  # where line.py puts the way to cut a connection


class Cut(Response):
    """No answer: the connection is cut."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        hang_up = scope.get("extensions", {}).get(HANG_UP)
        if hang_up is None:  # another server than ours: an answer that stops in its middle
            headers = [(b"content-length", b"1000")]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            return
        hang_up()
        await asyncio.sleep(0.01)  # let the server notice that there is nobody to answer
