"""SIGKILL before each step of a piece of work, and a look at what it left.

A step is a statement that SQLite runs, a file that is opened to be written, made, renamed or
removed, or a connection to somebody: whatever Python's audit hooks and SQLite's trace tell of, so
that work which is added later has its steps without being asked. For each step the work begins
from the same state, is killed, what is left is looked at, the work is done again as the next
start does it, and looked at once more.
"""

import os
import random
import shutil
import signal
import sqlite3
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

STEPS = frozenset(
    {
        "os.rename", "os.remove", "os.mkdir", "os.link", "os.truncate", "os.rmdir",
        "shutil.copyfile", "sqlite3.connect", "socket.connect",
    }
)  # fmt: skip
"""Events of Python's audit before which a process dies; beside these, a file opened to write."""


def nothing(_: Path) -> None:
    """No state before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Journey:
    """Work that may be killed. All functions get the folder that holds the database."""

    prepare: Callable[[Path], object] = nothing
    """Once; each trial begins with a copy of what this leaves."""
    begin: Callable[[Path], object] = nothing
    """Before each trial, what no copy brings: a message in Slack, say."""
    act: Callable[[Path], object]
    """Killed at a step; done again, it has to bring about the same as when nothing was killed."""
    whole: Callable[[Path], list[str]]
    """What is half done right after the kill."""
    done: Callable[[Path], list[str]]
    """What is not as it has to be when the work was done again."""


def watch(last: int) -> Callable[[], int]:
    """Count steps from here on and die before number ``last`` (0: never); returns the counter."""
    steps = 0

    def step(_: object = None) -> None:
        nonlocal steps
        steps += 1
        if steps == last:
            os.kill(os.getpid(), signal.SIGKILL)

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event in STEPS or (event == "open" and writes(args)):
            step()

    def connect(*args: Any, **options: Any) -> sqlite3.Connection:
        connection = connected(*args, **options)
        connection.set_trace_callback(step)
        return connection

    connected = sqlite3.connect
    sqlite3.connect = sqlite3.dbapi2.connect = connect
    sys.dont_write_bytecode = True  # only the first run would write it: no step of the work
    sys.addaudithook(hook)
    return lambda: steps


def writes(args: tuple[Any, ...]) -> bool:
    _, mode, flags = args
    wanted = isinstance(mode, str) and set(mode) & set("wxa+")
    return bool(wanted) or (mode is None and bool(int(flags) & (os.O_WRONLY | os.O_RDWR)))


def in_child(work: Callable[[Path], object], folder: Path, last: int) -> tuple[int, int]:
    """(signal that ended it or 0, steps); an exception of the work is raised here."""
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(ours)
            counted = watch(last)
            work(folder)
            os.write(theirs, str(counted()).encode())
            os._exit(0)
        except BaseException as error:  # noqa: BLE001 - told to the parent
            os.write(theirs, f"{type(error).__name__}: {error}".encode()[:2_000])
        finally:
            os._exit(1)
    os.close(theirs)
    with os.fdopen(ours, "rb") as pipe:
        said = pipe.read().decode(errors="replace")
    status = os.waitpid(pid, 0)[1]
    if os.WIFSIGNALED(status):
        return os.WTERMSIG(status), 0
    if os.WEXITSTATUS(status):
        raise RuntimeError(said)
    return 0, int(said)


def kill_at_all(journey: Journey, folder: Path, most: int, dice: random.Random) -> dict[str, Any]:
    """Kill at ``most`` steps (0: at each) and look; what was wrong, by step."""
    pristine = folder / "pristine"
    pristine.mkdir()
    journey.prepare(pristine)
    trial = folder / "trial"
    shutil.copytree(pristine, trial)
    journey.begin(trial)
    _, steps = in_child(journey.act, trial, 0)
    wrong = [f"without a kill: {each}" for each in journey.done(trial)]
    points = range(1, steps + 1)
    chosen = sorted(dice.sample(points, most)) if 0 < most < steps else list(points)
    kills = 0
    for point in chosen:
        shutil.rmtree(trial)
        shutil.copytree(pristine, trial)
        journey.begin(trial)
        killed, _ = in_child(journey.act, trial, point)
        kills += killed == signal.SIGKILL
        try:
            wrong += [f"step {point}: {each}" for each in journey.whole(trial)]
            in_child(journey.act, trial, 0)
            wrong += [f"step {point}, done again: {each}" for each in journey.done(trial)]
        except Exception as error:  # noqa: BLE001 - the next start must not fail
            wrong.append(f"step {point}: the next start: {type(error).__name__}: {error}")
    return {"steps": steps, "kills": kills, "wrong": wrong[:20]}
