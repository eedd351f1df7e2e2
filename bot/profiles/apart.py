"""Documents are read in processes of their own, so that none costs more than its refusal.

A few workers (``bot.profiles.worker``) wait for documents. One that takes too long is ended;
one that ended, by a limit or by a fault in a library, is replaced for the next document, and
its own document is refused with a sentence. Text of profile pages, which costs little and runs
through no library, is read here.
"""

import atexit
import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from queue import LifoQueue
from threading import Timer
from typing import Final

import structlog

import bot
from bot.profiles.format import Reading, UnreadableProfile
from bot.profiles.prog_ai.page import ProgAiPage
from bot.profiles.reader import MAXIMUM_BYTES
from bot.profiles.reader import read as read_here
from bot.profiles.worker import reading_from_document, receive, send

WORKERS: Final = 2
PATIENCE: Final = 120.0
"""Seconds after which a reading is ended, whatever it waits for."""
_KEPT: Final = ("LANG", "LC_ALL", "PATH", "TMPDIR", "TZ", "VIRTUAL_ENV", "PYTHONDONTWRITEBYTECODE")
"""What of the environment a worker gets: no token is among it."""

_PROJECT: Final = Path(bot.__file__).parents[1]
_PLAIN: Final = ProgAiPage()
_log = structlog.get_logger(__name__)


class Worker:
    """One process, started when it is first needed; used by one thread at a time."""

    def __init__(self, module: str = "bot.profiles.worker", patience: float = PATIENCE) -> None:
        self._module = module
        self._patience = patience
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, name: str, content: bytes) -> Reading:
        """The document's people. Raises UnreadableProfile, also where the process ended."""
        process = self._running()
        ended = False

        def end() -> None:
            nonlocal ended
            ended = True
            process.kill()

        timer = Timer(self._patience, end)
        timer.daemon = True
        timer.start()
        try:
            said = _exchange(process, name, content)
        except OSError:  # it ended while it was told
            said = None
        finally:
            timer.cancel()
        if said is None:
            self.stop()
            _log.warning("reader_ended", status=process.returncode, late=ended)
            raise UnreadableProfile(_too_much(late=ended))
        return _reading(said)

    def start(self) -> None:
        """Start the process, if it does not run, without waiting until it is warm."""
        self._running()

    def stop(self) -> None:
        """End the process, if it runs."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):  # it holds what the process did not take any more
                    pipe.close() if pipe else None

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self.stop()
            self._process = subprocess.Popen(  # noqa: S603 - our own module, and no shell
                [sys.executable, "-m", self._module],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=_PROJECT,
                env={name: os.environ[name] for name in _KEPT if name in os.environ}
                | {"PYTHONPATH": str(_PROJECT)},
                start_new_session=True,  # Ctrl-C is for whoever asked
            )
        return self._process


class Readers:
    """``WORKERS`` of them; whoever finds all at work waits."""

    def __init__(self, workers: int = WORKERS, module: str = "bot.profiles.worker") -> None:
        self._all = [Worker(module) for _ in range(workers)]
        self._idle: LifoQueue[Worker] = LifoQueue()  # the last one used is warm
        for worker in self._all:
            self._idle.put(worker)

    def start(self) -> None:
        """Have one of them warm for the first document."""
        worker = self._idle.get()
        try:
            worker.start()
        finally:
            self._idle.put(worker)

    def read(self, name: str, content: bytes) -> Reading:
        worker = self._idle.get()
        try:
            return worker.read(name, content)
        finally:
            self._idle.put(worker)

    def stop(self) -> None:
        for worker in self._all:
            worker.stop()


_readers = Readers()
start = _readers.start
stop = _readers.stop
"""Ends the processes; the next document starts new ones."""
atexit.register(stop)


def read(name: str, content: bytes) -> Reading:
    """``bot.profiles.reader.read``, apart. Raises UnreadableProfile."""
    if len(content) > MAXIMUM_BYTES or _PLAIN.claims(name, content) == 1:
        return read_here(name, content)
    return _readers.read(name, content)


def _exchange(process: subprocess.Popen[bytes], name: str, content: bytes) -> bytes | None:
    """The answer; None when the process ended before it gave one."""
    if process.stdin is None or process.stdout is None:
        return None
    send(process.stdin, json.dumps(name).encode())
    send(process.stdin, content)
    process.stdin.flush()
    return receive(process.stdout)


def _reading(said: bytes) -> Reading:
    told = json.loads(said)
    if "reading" in told:
        return reading_from_document(told["reading"])
    if "format" in told:
        _log.warning("format_failed", format=told["format"], error=told["error"])
    raise UnreadableProfile(told["refused"] or _too_much(late=False))


def _too_much(*, late: bool) -> str:
    what = "took too long to read" if late else "needs more memory or time than a document may"
    return (
        f"The file {what}: it is damaged, or far too large inside. Save it anew from the program "
        "that made it, or send it as a PDF or as text. Nothing was stored."
    )
