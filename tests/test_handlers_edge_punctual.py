"""Headers that do not arrive in time: real connections to the real web server."""

import socket
import time
from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from handlers.edge.punctual import Punctual
from handlers.serve import WebServer, listen_on

PATIENCE = 0.6


class Quick(Punctual):
    patience = PATIENCE


async def slow_answer(request: Request) -> PlainTextResponse:
    body = await request.body()
    return PlainTextResponse(f"{len(body)} bytes")


@pytest.fixture
def port() -> Iterator[int]:
    bound = listen_on("127.0.0.1", 0)
    app = Starlette(routes=[Route("/", slow_answer, methods=["GET", "POST"])])
    server = WebServer(app, bound, protocol=Quick)
    yield bound.getsockname()[1]
    server.stop()
    bound.close()


def connected(port: int) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port))
    connection.settimeout(10)
    return connection


def is_cut(connection: socket.socket) -> bool:
    """Whether the server hangs up (and does so before these ten seconds are over)."""
    try:
        return connection.recv(1000) == b""
    except ConnectionResetError:
        return True


def is_cut_while_trickling(connection: socket.socket) -> bool:
    until = time.monotonic() + 10
    while time.monotonic() < until:
        try:
            connection.sendall(b"X-A: b\r\n")
        except OSError:  # reset, or a broken pipe
            return True
        time.sleep(PATIENCE / 6)
    return False


def heard(connection: socket.socket, words: bytes) -> bool:
    told = b""
    while words not in told and (more := connection.recv(1000)):
        told += more
    return words in told


def test_a_connection_that_says_nothing_is_cut(port):
    with connected(port) as connection:
        assert is_cut(connection)


def test_headers_that_trickle_are_cut_however_often_something_comes(port):
    with connected(port) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\n")
        assert is_cut_while_trickling(connection)


def test_a_second_request_has_to_come_in_time_too(port):
    with connected(port) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        assert heard(connection, b"0 bytes")
        connection.sendall(b"GET / HT")
        assert is_cut(connection)


def test_a_body_may_take_longer_than_the_headers(port):
    """Bodies have a time of their own, at the door."""
    with connected(port) as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab")
        time.sleep(2 * PATIENCE)
        connection.sendall(b"cd")
        assert heard(connection, b"4 bytes")


def test_the_bots_own_server_waits_ten_seconds():
    assert Punctual.patience == 10
