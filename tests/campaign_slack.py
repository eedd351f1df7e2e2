"""A Slack for measurements: it answers at once, says yes, and notes when answers come.

The sandbox is the Slack of all other tests; it keeps channels, checks blocks and takes as much
of the processor as the bot, so that half of what one measures would be the sandbox.
"""

import asyncio
import hashlib
import hmac
import json
import time
from collections.abc import Callable
from typing import Any, Self
from urllib.parse import parse_qs, urlencode

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed

TEAM, SECRET = "T0CAMPAIGN", "campaign-signing-secret"
BOT_TOKEN, APP_TOKEN = "xoxb-campaign", "xapp-1-campaign"
Ack = tuple[float, int, str]
"""Seconds, the HTTP status (200 on a socket) and the body of an acknowledgement."""


class MeasuringSlack:
    """The Web API, response URLs and sockets on loopback; ``heard`` gets number, moment, body."""

    def __init__(self, heard: Callable[[int, float, str], None]) -> None:
        self._heard = heard
        self._waiting: dict[str, asyncio.Future[str]] = {}
        self._socket: ServerConnection | None = None
        self._idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
        self.connected = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._http = await asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=1_000)
        self.port: int = self._http.sockets[0].getsockname()[1]
        self._sockets: Server = await serve(self._link, "127.0.0.1", 0, ping_interval=None)
        self._link_port: int = next(iter(self._sockets.sockets)).getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        for _, writer in self._idle:
            writer.close()
        self._http.close()
        self._sockets.close()
        await self._sockets.wait_closed()

    @property
    def environment(self) -> dict[str, str]:
        return {
            "SLACK_API_URL": f"http://127.0.0.1:{self.port}/api/",
            "SLACK_BOT_TOKEN": BOT_TOKEN,
            "ALLOWED_TEAMS": TEAM,
        }

    def command(self, number: int, user: str, text: str) -> dict[str, str]:
        """The fields of a slash command whose answer comes to ``heard`` under this number."""
        return {
            "token": "x",
            "team_id": TEAM,
            "team_domain": "campaign",
            "channel_id": "C0HIRING",
            "channel_name": "hiring",
            "user_id": user,
            "user_name": "someone",
            "command": "/candidate",
            "text": text,
            "api_app_id": "A1",
            "response_url": f"http://127.0.0.1:{self.port}/respond/{number}",
            "trigger_id": f"{number}.1.x",
        }

    async def by_http(self, port: int, fields: dict[str, str]) -> Ack:
        """Post a signed command as Slack does; on a connection that is kept."""
        body = urlencode(fields).encode()
        begun = time.monotonic()
        moment = str(int(time.time()))
        digest = hmac.new(SECRET.encode(), f"v0:{moment}:".encode() + body, hashlib.sha256)
        head = (
            f"POST /slack/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\n"
            f"Content-Length: {len(body)}\r\nX-Slack-Request-Timestamp: {moment}\r\n"
            f"X-Slack-Signature: v0={digest.hexdigest()}\r\n\r\n"
        )
        if self._idle:
            reader, writer = self._idle.pop()
        else:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            writer.write(head.encode() + body)
            status, headers, said = await read_message(reader)
        except BaseException:
            writer.close()
            raise
        took = time.monotonic() - begun
        if headers.get("connection", "").lower() == "close":
            writer.close()
        else:
            self._idle.append((reader, writer))
        return took, int(status.split(" ")[1]), said

    async def by_socket(self, number: int, fields: dict[str, str]) -> Ack:
        """Send a command over the bot's socket and wait for its acknowledgement."""
        assert self._socket is not None
        envelope = f"envelope-{number}"
        answer = self._waiting[envelope] = asyncio.get_running_loop().create_future()
        begun = time.monotonic()
        await self._socket.send(
            json.dumps(
                {
                    "type": "slash_commands",
                    "envelope_id": envelope,
                    "payload": fields,
                    "accepts_response_payload": True,
                }
            )
        )
        said = await answer
        return time.monotonic() - begun, 200, said

    async def _link(self, connection: ServerConnection) -> None:
        self._socket = connection
        await connection.send(json.dumps({"type": "hello", "num_connections": 1}))
        self.connected.set()
        try:
            async for text in connection:
                said = json.loads(text)
                waiting = self._waiting.pop(str(said.get("envelope_id")), None)
                if waiting is not None and not waiting.done():
                    waiting.set_result(json.dumps(said.get("payload") or ""))
        except ConnectionClosed:
            return

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                first, headers, body = await read_message(reader)
                moment = time.monotonic()
                path = first.split(" ")[1]
                if path.startswith("/respond/"):
                    self._heard(int(path.rpartition("/")[2]), moment, body)
                    said = "ok"
                else:
                    said = json.dumps(self._answer(path.removeprefix("/api/"), body))
                closing = headers.get("connection", "").lower() == "close"
                writer.write(
                    f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                    f"Content-Length: {len(said.encode())}\r\n"
                    f"Connection: {'close' if closing else 'keep-alive'}\r\n\r\n{said}".encode()
                )
                await writer.drain()
                if closing:
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def _answer(self, method: str, body: str) -> dict[str, Any]:
        me = {"team_id": TEAM, "user_id": "U0BOT", "user": "candidate", "bot_id": "B1"}
        match method:
            case "auth.test":
                return {"ok": True, **me}
            case "apps.connections.open":
                return {"ok": True, "url": f"ws://127.0.0.1:{self._link_port}/link"}
            case "users.info":
                user = parse_qs(body).get("user", ["U0"])[0]
                person = {"id": user, "team_id": TEAM, "name": user.lower(), "tz": "Europe/Berlin"}
                return {"ok": True, "user": {**person, "profile": {}, "deleted": False}}
            case "conversations.info":
                channel = parse_qs(body).get("channel", ["C0HIRING"])[0]
                return {"ok": True, "channel": {"id": channel, "name": "hiring", "is_member": True}}
        return {"ok": True, "ts": f"{time.time():.6f}", "channel": "C0HIRING"}


async def read_message(reader: asyncio.StreamReader) -> tuple[str, dict[str, str], str]:
    """First line, headers (small letters) and body of an HTTP message with a length."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = {
        name.strip().lower(): value.strip()
        for name, _, value in (each.partition(":") for each in head[1:] if each)
    }
    length = int(headers.get("content-length", "0"))
    return head[0], headers, (await reader.readexactly(length)).decode()
