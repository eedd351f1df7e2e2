"""What the program prints: results on stdout, all else on stderr, whatever those are today.

A terminal may be closed, full or of an encoding that lacks half the world's
names; that ends in a sentence, never in a traceback.
"""

import errno
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import Any, Final

from bot.loading import FileReport, PersonReport
from storage.errors import BotError
from storage.records import Outcome

LOST: Final = frozenset({errno.EPIPE, errno.ENOSPC, errno.EBADF, errno.EIO})


class NotPrinted(BotError):
    """Nobody takes what is printed: stdout is closed, full or a pipe that ended."""


class NobodyReads(NotPrinted):
    """Whoever read has enough, as ``head`` has: no trouble, and nothing to say of it."""


def speak_utf8() -> None:
    """Stdout and stderr take every text, in UTF-8, whatever the locale says."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")


def put(text: str) -> None:
    """Print a result, at once. Raises NotPrinted."""
    if sys.stdout is None:
        raise NotPrinted("The result could not be printed: stdout is closed. Open it.")
    try:
        print(text, flush=True)
    except OSError as error:
        give_up_stdout()
        if error.errno == errno.EPIPE:
            raise NobodyReads from error
        raise NotPrinted(
            f"The result could not be printed ({error.strerror}). "
            "Send the output somewhere that takes it."
        ) from error


def say(sentence: str) -> None:
    """Tell the person something beside the result; not being heard is no error."""
    if sys.stderr is None:
        return
    try:
        print(sentence, file=sys.stderr, flush=True)
    except OSError:
        _to_nowhere(sys.stderr)


def give_up_stdout() -> None:
    """What is still to be printed goes nowhere, so that the end of the program does not fail."""
    if sys.stdout is not None:
        _to_nowhere(sys.stdout)


def _to_nowhere(stream: Any) -> None:
    if isinstance(stream, TextIOWrapper):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def write_private(path: Path, text: str, *, force: bool = True) -> None:
    """Write a file that only its owner may read. Raises NotPrinted.

    Without ``force`` a file that is there already is left as it is.
    """
    if not force and os.path.lexists(path):
        raise NotPrinted(f"{path} exists already. Choose another file, or add --force.")
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace") as file:
            path.chmod(0o600)
            file.write(text)
    except OSError as error:
        raise NotPrinted(
            f"{path} could not be written ({error.strerror}). Choose another file."
        ) from error


def print_json(document: dict[str, Any]) -> None:
    put(json.dumps(document, ensure_ascii=False, indent=1))


def with_progress(reports: Iterable[FileReport], *, total: int) -> Iterator[FileReport]:
    """The reports again, with a bar on stderr when that is a terminal."""
    if total < 2 or sys.stderr is None or not sys.stderr.isatty():
        yield from reports
        return
    from rich.console import Console  # noqa: PLC0415 - only a terminal that waits needs it
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
    )

    console = Console(stderr=True)
    columns = (TextColumn("Reading"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        yield from progress.track(reports, total=total)


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """To be told how much is done, of how much: a bar on stderr when that is a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda _done, _of: None
        return
    from rich.console import Console  # noqa: PLC0415 - only a terminal that waits needs it
    from rich.progress import Progress  # noqa: PLC0415

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)


def file_as_json(report: FileReport) -> dict[str, Any]:
    return {
        "path": report.path,
        "reason": report.reason,
        "profiles": [person_as_json(person) for person in report.people],
    }


def person_as_json(person: PersonReport) -> dict[str, Any]:
    document: dict[str, Any] = {
        "id": person.id,
        "name": person.name,
        "outcome": person.outcome.value,
        "changes": list(person.changes),
    }
    if person.reason:
        document["reason"] = person.reason
    if person.twins:
        document["possible_twins"] = list(person.twins)
    return document


def print_report(report: FileReport) -> None:
    put(report.path)
    for person in report.people:
        if person.outcome is Outcome.REFUSED:
            continue
        detail = f": {'; '.join(person.changes)}" if person.changes else ""
        twin = " (possible twin of somebody of the same name)" if person.twins else ""
        put(f"  {person.name}: {person.outcome}{detail}{twin}")
    if report.reason:
        put(f"  refused: {report.reason}")


def load_summary(reports: list[FileReport]) -> str:
    if not reports:
        return "No files found there. Hidden files are left out."
    counts = dict.fromkeys(Outcome, 0)
    for report in reports:
        for person in report.people:
            counts[person.outcome] += 1
        if report.refused and not report.people:
            counts[Outcome.REFUSED] += 1
    return ", ".join(f"{number} {outcome}" for outcome, number in counts.items() if number)
