"""What systemd is told: READY=1, WATCHDOG=1 while all moves, STOPPING=1.

The protocol of ``sd_notify(3)``: datagrams to the socket that NOTIFY_SOCKET
names (``@`` begins an abstract one). WATCHDOG_USEC says within how many
microseconds the next WATCHDOG=1 has to come; half of that is aimed at.
Without these variables nothing is sent.
"""

import os
import socket
from collections.abc import Mapping

import structlog

log = structlog.get_logger(__name__)


class Supervisor:
    """The supervisor of this process, if it has one."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        watched = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        within = environment.get("WATCHDOG_USEC", "") if watched else ""
        self._every = int(within) / 2_000_000 if within.isdecimal() and int(within) else None
        self._next = 0.0

    def ready(self) -> None:
        """The start is over."""
        self._tell("READY=1")

    def stopping(self) -> None:
        """The end has begun."""
        self._tell("STOPPING=1")

    def moving(self, now: float) -> None:
        """All parts live and the clock ticks. ``now`` is monotonic; told as often as needed."""
        if self._every is not None and now >= self._next:
            self._next = now + self._every
            self._tell("WATCHDOG=1")

    def _tell(self, state: str) -> None:
        if not self._address:
            return
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as told:
                told.settimeout(1.0)
                told.sendto(state.encode(), address)
        except OSError as error:
            log.warning("supervisor.not_told", state=state, error=type(error).__name__)
