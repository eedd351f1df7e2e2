"""Work of several threads done at once: a commit waits for the disk, and many can wait for one."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar, cast

T = TypeVar("T")
R = TypeVar("R")


@dataclass(slots=True)
class _Ticket(Generic[T, R]):
    item: T
    done: bool = False
    result: R | None = None
    error: BaseException | None = None


class Together(Generic[T, R]):
    """While one thread works, those who come wait for the next turn and share it.

    ``work`` is given what was brought, in the order in which it came, and gives a result for
    each. When it fails it has failed for all of it, and each thread hears the error.
    """

    def __init__(self, work: Callable[[Sequence[T]], Sequence[R]]) -> None:
        self._work = work
        self._waiting: list[_Ticket[T, R]] = []
        self._lock = threading.Lock()
        self._turn = threading.Lock()

    def do(self, item: T) -> R:
        """The result for the item, when the work that held it is done. Raises what that raised."""
        ticket: _Ticket[T, R] = _Ticket(item)
        with self._lock:
            self._waiting.append(ticket)
        with self._turn:
            if not ticket.done:
                self._take_turn()
        if ticket.error is not None:
            raise ticket.error
        return cast("R", ticket.result)

    def _take_turn(self) -> None:
        with self._lock:
            batch, self._waiting = self._waiting, []
        error: BaseException | None = RuntimeError("the work ended without a result")
        try:
            results = self._work([each.item for each in batch])
            for each, result in zip(batch, results, strict=True):
                each.result = result
            error = None
        except BaseException as raised:
            error = raised
            raise
        finally:
            for each in batch:
                each.done, each.error = True, error
