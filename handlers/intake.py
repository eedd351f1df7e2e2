"""The watched folder: what is put there is loaded, then moved beside a word on what happened.

A file is taken when it has stopped growing: its size and time of change were
the same on the tick before. Loaded files go to ``done/``; a file of which
something was refused goes to ``refused/`` beside ``NAME.reason.txt``. The reason
is written before the move and the move is one rename, so a kill at any step
leaves either the file to be taken again (its people are then *unchanged*) or
the finished pair.
"""

import contextlib
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import structlog

from bot.loading import FileReport, load_file
from storage.records import Outcome
from storage.store import Store

log = structlog.get_logger(__name__)

DONE, REFUSED = "done", "refused"
PARTIAL = (".part", ".partial", ".crdownload", ".tmp", ".swp", "~")
"""Endings under which browsers and editors write a file that is not finished."""


class Inbox:
    """Watches one folder; call `tick` from the clock."""

    def __init__(self, folder: Path, store: Store, clock: Callable[[], datetime]) -> None:
        self.folder = folder
        self.store = store
        self.clock = clock
        self.seen: dict[Path, tuple[int, int]] = {}

    def tick(self) -> list[FileReport]:
        """Load every file that has stopped growing; returns what became of each."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        now_seen: dict[Path, tuple[int, int]] = {}
        reports = []
        for path in sorted(self.folder.iterdir()):
            if path.name.startswith(".") or path.name.endswith(PARTIAL):
                continue
            try:
                if path.is_dir():
                    continue
                status = path.lstat()
            except FileNotFoundError:  # taken by somebody else between listing and looking
                continue
            mark = (status.st_size, status.st_mtime_ns)
            if self.seen.get(path) == mark:
                reports.append(self.take(path))
            else:
                now_seen[path] = mark
        self.seen = now_seen
        return reports

    def take(self, path: Path) -> FileReport:
        report = load_file(self.store, path, added_by="folder", added_via="inbox", now=self.clock())
        target = self.free_place(REFUSED if report.refused else DONE, path.name)
        if report.refused:
            target.with_name(f"{target.name}.reason.txt").write_text(
                explanation(report), encoding="utf-8"
            )
        with contextlib.suppress(FileNotFoundError):  # another process took it: stored once
            path.rename(target)
        log.info(
            "inbox.taken",
            outcome=target.parent.name,
            candidates=[person.id for person in report.people if person.id],
        )
        return report

    def free_place(self, kind: str, name: str) -> Path:
        """A path in ``done/`` or ``refused/`` that no earlier file holds."""
        folder = self.folder / kind
        folder.mkdir(exist_ok=True, mode=0o700)
        target, number = folder / name, 1
        while target.exists() or target.is_symlink():
            number += 1
            target = folder / f"{Path(name).stem}-{number}{Path(name).suffix}"
        return target


def explanation(report: FileReport) -> str:
    """The text beside a refused file."""
    lines = [report.reason or ""]
    kept = [person for person in report.people if person.outcome is not Outcome.REFUSED]
    if kept:
        lines += ["", "Stored all the same:"]
        lines += [f"- {person.name} ({person.outcome})" for person in kept]
    else:
        lines += ["", "Nothing was stored."]
    return "\n".join(lines) + "\n"
