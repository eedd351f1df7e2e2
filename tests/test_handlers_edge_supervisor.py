"""systemd's side of it: a real datagram socket."""

import os
import socket

import pytest

from handlers.edge.supervisor import Supervisor
from handlers.serve import Life


@pytest.fixture(params=["path", "abstract"])
def systemd(request, tmp_path):
    """(the socket that systemd reads, its address in NOTIFY_SOCKET)"""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        name = f"candidate-test-{os.getpid()}-{id(tmp_path)}"
        path = str(tmp_path / "notify")
        listening.bind(path if request.param == "path" else f"\0{name}")
        listening.settimeout(5)
        yield listening, path if request.param == "path" else f"@{name}"


def told(listening):
    listening.setblocking(False)
    found = []
    try:
        while True:
            found.append(listening.recv(100).decode())
    except BlockingIOError:
        return found


def test_systemd_hears_of_start_life_and_end(systemd):
    listening, address = systemd
    life = Life(supervisor=Supervisor({"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "4000000"}))
    beats = []

    def moving():
        beats.append(1)
        if len(beats) == 4:
            life.stop.set()
        return True

    assert life.last(moving=moving) == 0
    assert told(listening) == ["READY=1", "WATCHDOG=1", "WATCHDOG=1", "STOPPING=1"], (
        "fed in half of the time that the watchdog allows"
    )


def test_the_watchdog_is_not_fed_while_the_clock_stands(systemd):
    listening, address = systemd
    life = Life(supervisor=Supervisor({"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "1000"}))
    asked = []

    def moving():
        asked.append(1)
        if len(asked) == 2:
            life.stop.set()
        return False

    life.last(moving=moving)
    assert told(listening) == ["READY=1", "STOPPING=1"]


def test_a_dead_part_feeds_no_watchdog_either(systemd):
    class Dead:
        def alive(self):
            return False

    listening, address = systemd
    life = Life(supervisor=Supervisor({"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "1000"}))
    assert life.last(Dead()) == 70
    assert told(listening) == ["READY=1"]


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"NOTIFY_SOCKET": "/nowhere/at/all"},
        {"WATCHDOG_USEC": "abc", "NOTIFY_SOCKET": ""},
        {"WATCHDOG_USEC": "1000", "WATCHDOG_PID": "1"},
    ],
)
def test_without_systemd_nothing_happens(environment):
    supervisor = Supervisor(environment)
    supervisor.ready()
    supervisor.moving(1.0)
    supervisor.stopping()
