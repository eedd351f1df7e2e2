"""The watched folder: what is put there is loaded, then moved beside a word on what happened.

A file is taken when it has stopped growing: what it is, its size and its time
of change were the same on the tick before. Loaded files go to ``done/``; a file
of which something was refused goes to ``refused/`` beside ``NAME.reason.txt``.
The reason is written before the move and the move is one rename, so a kill at
any step leaves either the file to be taken again (its people are then
*unchanged*) or the finished pair.

A tick takes a bounded time and asks the clock between two people, so a file of
thousands is loaded over many ticks. A file that fails, for a reason of ours or
the system's, is set aside for a while; the others go on.
"""

import os
import stat
from collections.abc import Callable, Generator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import structlog

from bot.loading import FileReport, load_steps
from bot.logs import trace
from bot.readable import readable
from handlers.edge.raising import raise_alarm
from storage.errors import BotError
from storage.records import Outcome
from storage.store import Store

log = structlog.get_logger(__name__)

DONE, REFUSED = "done", "refused"
REASON: Final = ".reason.txt"
PARTIAL = (".part", ".partial", ".crdownload", ".tmp", ".swp", "~")
"""Endings under which browsers and editors write a file that is not finished."""
SHARE: Final = timedelta(seconds=5)
"""How long one tick may load: digests wait behind it."""
FIRST_PAUSE, LONGEST_PAUSE = timedelta(minutes=1), timedelta(hours=1)
NAME_BYTES: Final = 255
"""How long a file's name may be, on every file system in use."""
TAIL_BYTES: Final = 32
NOTHING_STORED: Final = "Nothing was stored."
LOGGED: Final = 20
"""How many ids of one file are worth a line of the log."""

Mark = tuple[int, int, int]
"""Inode, size and time of change: while they stay, the file is the one that was read."""


@dataclass(slots=True)
class Underway:
    """A file whose people are being stored."""

    path: Path
    mark: Mark
    steps: Generator[None, None, FileReport]


@dataclass(slots=True)
class Aside:
    """A file that failed: not to be tried before ``until`` unless it changes."""

    mark: Mark
    until: datetime
    pause: timedelta


class Inbox:
    """Watches one folder; call `tick` from the clock."""

    def __init__(self, folder: Path, store: Store, clock: Callable[[], datetime]) -> None:
        self.folder = folder
        self.store = store
        self.clock = clock
        self.seen: dict[Path, Mark] = {}
        self.aside: dict[Path, Aside] = {}
        self.underway: Underway | None = None
        self.told: set[str] = set()

    def tick(self) -> list[FileReport]:
        """Load files that have stopped growing; returns what became of each that is finished."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        present = self.present()
        if self.underway and present.get(self.underway.path) != self.underway.mark:
            self.underway = None
        ready = [path for path, mark in present.items() if self.is_ready(path, mark)]
        ready.sort(key=self.is_not_underway)
        self.aside = {path: kept for path, kept in self.aside.items() if path in present}
        self.seen = present
        reports = []
        deadline = self.clock() + SHARE
        for path in ready:
            if self.clock() >= deadline:
                break
            try:
                report = self.take(path, present[path], deadline)
            except Exception as error:  # noqa: BLE001 - the fence: the other files go on
                self.underway = None
                self.set_aside(path, present[path], error)
                continue
            if report is None:
                continue
            reports.append(report)
            if isinstance(report.fault, BotError):  # the database's: the other files would fail too
                break
        return reports

    def present(self) -> dict[Path, Mark]:
        """The files that lie here to be taken, by name."""
        found: dict[Path, Mark] = {}
        for path in sorted(self.folder.iterdir()):
            if path.name.startswith(".") or path.name.endswith(PARTIAL):
                continue
            try:
                status = path.lstat()
            except OSError:  # taken by somebody else between listing and looking
                continue
            if path.name in {DONE, REFUSED}:
                if not path.is_dir() and path.name not in self.told:
                    self.told.add(path.name)
                    log.error(
                        "inbox.blocked",
                        advice=f"“{path.name}” in the inbox is a file: it must be a folder. "
                        "Move the file away.",
                    )
            elif not stat.S_ISDIR(status.st_mode):
                found[path] = mark_of(status)
        return found

    def is_ready(self, path: Path, mark: Mark) -> bool:
        if self.seen.get(path) != mark:
            return False
        kept = self.aside.get(path)
        return kept is None or kept.mark != mark or self.clock() >= kept.until

    def is_not_underway(self, path: Path) -> bool:
        return self.underway is None or self.underway.path != path

    def take(self, path: Path, mark: Mark, deadline: datetime) -> FileReport | None:
        """Load the file until the deadline and, when it is finished, move it; else None."""
        if self.underway is None or (self.underway.path, self.underway.mark) != (path, mark):
            steps = load_steps(
                self.store,
                path,
                added_by="folder",
                added_via="inbox",
                clock=self.clock,
                follow=False,
            )
            self.underway = Underway(path, mark, steps)
        try:
            while True:
                next(self.underway.steps)
                if self.clock() >= deadline:
                    return None
        except StopIteration as end:
            report: FileReport = end.value
        self.underway = None
        if report.fault is not None:
            self.set_aside(path, mark, report.fault)
            return report
        self.move(path, mark, report)
        self.aside.pop(path, None)
        return report

    def move(self, path: Path, mark: Mark, report: FileReport) -> None:
        """Put the file into ``done/`` or ``refused/``, unless it is another one by now."""
        try:
            if mark_of(path.lstat()) != mark:
                return  # replaced while it was loaded: the next ticks take the new one
            if report.forgotten is not None:
                self.remove(path, report)
                return
            target = self.free_place(REFUSED if report.refused else DONE, path.name)
            if report.refused:
                reason = target.with_name(target.name + REASON)
                reason.unlink(missing_ok=True)
                with reason.open("x", encoding="utf-8", errors="replace") as file:
                    file.write(explanation(report))
            path.rename(target)
        except FileNotFoundError:  # another process took it: stored once
            return
        log.info(
            "inbox.taken",
            outcome=target.parent.name,
            people=len(report.people),
            candidates=[person.id for person in report.people[:LOGGED] if person.id],
        )

    def remove(self, path: Path, report: FileReport) -> None:
        """Keep no copy of a page of somebody who was erased here: only the reason stays."""
        reason = self.free_place(REFUSED, f"not-stored-{report.forgotten}").with_suffix(REASON)
        reason.write_text(
            f"{report.reason}\n\nNothing was stored, and the file was deleted.\n", encoding="utf-8"
        )
        path.unlink()
        log.info("inbox.taken", outcome="deleted", people=0, candidates=[])

    def set_aside(self, path: Path, mark: Mark, error: Exception) -> None:
        """Try this file again later, each time after a longer pause."""
        before = self.aside.get(path)
        pause = (
            min(2 * before.pause, LONGEST_PAUSE)
            if before is not None and before.mark == mark
            else FIRST_PAUSE
        )
        self.aside[path] = Aside(mark, self.clock() + pause, pause)
        log.error(
            "inbox.put_off",
            error=type(error).__name__,
            at=trace(error),
            minutes=pause.total_seconds() / 60,
        )
        if pause == LONGEST_PAUSE:
            raise_alarm(
                self.store,
                about="inbox",
                key=f"inbox:{mark[0]}:{self.clock():%Y-%m-%d}",
                text="A file in the watched folder fails again and again, and is now tried once "
                f"an hour ({type(error).__name__}). Look at the log for `inbox.put_off`, and move "
                "the file away if it is not needed.",
                now=self.clock(),
            )

    def free_place(self, kind: str, name: str) -> Path:
        """A path in ``done/`` or ``refused/`` that no earlier file holds, nor its reason."""
        folder = self.folder / kind
        folder.mkdir(exist_ok=True, mode=0o700)
        number = 1
        while True:
            target = folder / fitting(name, "" if number == 1 else f"-{number}")
            reason = target.with_name(target.name + REASON)
            if not (os.path.lexists(target) or is_a_file_taken(reason)):
                return target
            number += 1


def mark_of(status: os.stat_result) -> Mark:
    return status.st_ino, status.st_size, status.st_mtime_ns


def is_a_file_taken(reason: Path) -> bool:
    """Whether what lies at a reason's place is no reason of ours, but was put in the inbox."""
    return reason.is_symlink() or os.path.lexists(reason.with_name(reason.name + REASON))


def fitting(name: str, number: str) -> str:
    """The name with the number before its ending, short enough to have a reason beside it."""
    ending = Path(name).suffix
    if len(os.fsencode(ending)) > TAIL_BYTES:
        ending = ""
    raw = os.fsencode(name.removesuffix(ending))
    room = NAME_BYTES - len(os.fsencode(number + ending + REASON))
    if len(raw) > room:
        while raw[room] & 0xC0 == 0x80:  # in the middle of a character
            room -= 1
        raw = raw[:room]
    return os.fsdecode(raw) + number + ending


def explanation(report: FileReport) -> str:
    """The text beside a refused file."""
    lines = [report.reason or ""]
    kept = [person for person in report.people if person.outcome is not Outcome.REFUSED]
    if kept:
        lines += ["", "Stored all the same:"]
        lines += [f"- {person.name} ({person.outcome})" for person in kept]
    elif NOTHING_STORED not in lines[0]:
        lines += ["", NOTHING_STORED]
    return readable("\n".join(lines)) + "\n"
