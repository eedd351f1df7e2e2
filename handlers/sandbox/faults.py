"""What the sandbox has been told to do wrong.

A fault names a Web API method (``*`` for all, ``respond`` for response URLs,
``download`` and ``upload`` for the content of files) and how the call fails. ``mode`` says when:

=================  ==========================================================
``before``         answers ``status`` or ``error``; nothing was done
``after``          the work is done, then it answers ``status`` or ``error``
``timeout``        never answers (for ``seconds``); nothing was done
``timeout_after``  the work is done, then it never answers
``drop``           the connection is cut; nothing was done
``drop_after``     the work is done, then the connection is cut
``slow``           the work is done ``seconds`` late, and answered well
``poor``           the work is done, and the answer lacks ``without`` (``user.id``)
``half``           (``download``) half the file comes, then the connection is cut
``page``           (``download``) Slack's sign-in page comes in the file's place
=================  ==========================================================
"""

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from fnmatch import fnmatchcase
from threading import RLock
from typing import Any, Literal, get_args

from handlers.sandbox.records import Refused

Mode = Literal[
    "before",
    "after",
    "timeout",
    "timeout_after",
    "drop",
    "drop_after",
    "slow",
    "poor",
    "half",
    "page",
]
FOREVER = -1


@dataclass(slots=True, kw_only=True)
class Fault:
    method: str = "*"
    mode: Mode = "before"
    status: int | None = None  # of HTTP; with neither status nor error it is 500
    error: str | None = None  # Slack's code in an answer with ok: false
    retry_after: int = 1
    seconds: float = 60.0
    without: str = ""
    times: int = 1

    @property
    def is_after(self) -> bool:
        return self.mode in {"after", "timeout_after", "drop_after"}

    def covers(self, method: str) -> bool:
        return self.times != 0 and fnmatchcase(method, self.method)


@dataclass(slots=True, kw_only=True)
class Noise:
    """Each call fails with probability ``chance`` in one of the ``kinds``; ``seed`` repeats it."""

    seed: int
    chance: float
    kinds: tuple[Fault, ...]
    methods: tuple[str, ...] = ("*",)
    dice: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.dice = random.Random(self.seed)  # noqa: S311 - noise that can be repeated

    def take(self, method: str) -> Fault | None:
        if not any(fnmatchcase(method, pattern) for pattern in self.methods):
            return None
        if self.dice.random() >= self.chance:
            return None
        return self.dice.choice(self.kinds)


class Faults:
    """The faults in force; ``take`` uses up the first that covers a call."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._faults: list[Fault] = []
        self.noise: Noise | None = None
        self.history_lag = 0.0  # seconds until a message shows in conversations.history
        self.duplicate_events = 0  # how many of the coming events arrive twice
        self.silent_sockets = False  # connections stay open and say nothing

    def add(self, fault: Fault) -> Fault:
        with self._lock:
            self._faults.append(fault)
            return fault

    def clear(self) -> None:
        with self._lock:
            self._faults.clear()
            self.noise = None
            self.history_lag = 0.0
            self.duplicate_events = 0
            self.silent_sockets = False

    def pending(self) -> list[Fault]:
        """The faults that have not happened yet."""
        with self._lock:
            return [fault for fault in self._faults if fault.times != 0]

    def take(self, method: str) -> Fault | None:
        with self._lock:
            for fault in self._faults:
                if fault.covers(method):
                    if fault.times != FOREVER:
                        fault.times -= 1
                    return fault
            return self.noise.take(method) if self.noise else None

    def take_duplicate(self) -> bool:
        """Whether the next event is to arrive twice."""
        with self._lock:
            if self.duplicate_events <= 0:
                return False
            self.duplicate_events -= 1
            return True

    def tell(self, wish: Mapping[str, Any]) -> None:
        """Take a wish as ``POST /sandbox/faults`` brings it; Refused if it makes no sense."""
        wish = dict(wish)
        if wish.pop("clear", False):
            self.clear()
        noise = wish.pop("noise", None)
        with self._lock:
            self.history_lag = float(wish.pop("history_lag", self.history_lag))
            self.duplicate_events = int(wish.pop("duplicate_events", self.duplicate_events))
            self.silent_sockets = bool(wish.pop("silent_sockets", self.silent_sockets))
        if noise is not None:
            self.noise = Noise(
                seed=int(noise.get("seed", 0)),
                chance=float(noise.get("chance", 0.2)),
                kinds=tuple(as_fault(kind) for kind in noise.get("kinds", [{}])),
                methods=tuple(noise.get("methods", ("*",))),
            )
        if wish:
            self.add(as_fault(wish))


def as_fault(wish: Mapping[str, Any]) -> Fault:
    """A fault from its JSON form; Refused names what is not understood."""
    unknown = set(wish) - {entry.name for entry in fields(Fault)}
    if unknown:
        raise Refused("invalid_arguments", message=f"A fault has no {', '.join(sorted(unknown))}.")
    if wish.get("mode", "before") not in get_args(Mode):
        raise Refused(
            "invalid_arguments", message=f"A fault's mode is one of {', '.join(get_args(Mode))}."
        )
    return Fault(**wish)


def dropped_and_lost(methods: Iterable[str] = ("chat.postMessage",)) -> tuple[Fault, ...]:
    """The kinds of failure a careful sender must live through, for noise."""
    return tuple(
        fault
        for method in methods
        for fault in (
            Fault(method=method, status=429, retry_after=1),
            Fault(method=method, status=503),
            Fault(method=method, status=500, mode="after"),
            Fault(method=method, mode="drop"),
            Fault(method=method, mode="drop_after"),
        )
    )
