"""Files become people: each file ends in a report, and nothing is dropped silently.

A file's people are stored one transaction each, so a kill in the middle leaves
whole people; loading the file again finds those *unchanged* and carries on.
"""

import os
import stat
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from threading import Thread
from typing import Final, TypeAlias

import structlog

from bot.logs import trace
from bot.profiles.apart import read
from bot.profiles.reader import MAXIMUM_BYTES, Reading, UnreadableProfile
from bot.readable import readable
from storage.errors import BotError
from storage.identity import name_key
from storage.intakes import DailyLimit
from storage.recognising import Forgotten
from storage.records import Document, Ingested, Outcome, Profile
from storage.store import Store

log = structlog.get_logger(__name__)

NOT_NAMED: Final = "a person who was erased here"
GLANCE: Final = 0.5
"""Seconds between two looks at a reading that takes long."""

MOST_IN_MESSAGE: Final = 100
"""People that one message may bring, in all its files."""

Keep: TypeAlias = Callable[[Profile, Document, datetime], Ingested]
"""Stores one person: ``Store.add``, or that with something remembered beside it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonReport:
    """What became of one person of a file; ``reason`` is the sentence of a refusal."""

    id: str | None
    name: str
    outcome: Outcome
    changes: tuple[str, ...] = ()
    twins: tuple[str, ...] = ()
    reason: str | None = None
    limited: bool = False
    """Refused only because somebody has added enough for a day."""
    forgotten: str | None = None
    """The reference of the tombstone, for somebody who was erased here and is kept out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReport:
    """What became of one file; ``reason`` says why it, or a part of it, was refused.

    ``fault`` is what went wrong that is not the file's doing: the people listed
    are stored, and loading the file again later may do the rest.
    """

    path: str
    reason: str | None = None
    people: tuple[PersonReport, ...] = ()
    fault: Exception | None = None

    @property
    def refused(self) -> bool:
        return self.reason is not None

    @property
    def forgotten(self) -> str | None:
        """A tombstone's reference when everybody on it was erased here: keep no copy."""
        references = [person.forgotten for person in self.people]
        return references[0] if references and all(references) else None

    @property
    def worth_keeping(self) -> bool:
        """Whether something of it was refused that a person may mend: not for tombstones alone."""
        if self.reason is None or self.fault is not None:
            return False
        refused = [person for person in self.people if person.id is None and not person.limited]
        return not self.people or any(person.forgotten is None for person in refused)


def files_under(paths: Iterable[Path]) -> Iterator[Path]:
    """The files named, and all files in the folders named, by name; hidden ones are left out.

    A path that does not exist, or a folder that cannot be listed, is yielded
    too: loading it says so.
    """
    for path in paths:
        if _is_folder(path):
            yield from _files_of(path)
        else:
            yield path


def load_files(
    store: Store,
    paths: Sequence[Path],
    *,
    added_by: str,
    added_via: str,
    clock: Callable[[], datetime],
) -> Iterator[FileReport]:
    """Load one file after the other; once the database fails, the rest is reported as not tried.

    Where two files have one name, the name is no sign of who is on them.
    """
    names = Counter(path.name.casefold() for path in {path.absolute() for path in paths})
    trouble: Exception | None = None
    for path in paths:
        if trouble is not None:
            yield FileReport(
                path=readable(str(path)),
                reason="Not tried, because the database failed before. Load it again then.",
                fault=trouble,
            )
            continue
        report = load_file(
            store,
            path,
            added_by=added_by,
            added_via=added_via,
            now=clock(),
            name_tells=names[path.name.casefold()] == 1,
        )
        if isinstance(report.fault, BotError):
            trouble = report.fault
        yield report


def load_file(
    store: Store,
    path: Path,
    *,
    added_by: str,
    added_via: str,
    now: datetime,
    name_tells: bool = True,
) -> FileReport:
    """Read one file and store its people. Never raises for what the file is or holds."""
    steps = load_steps(
        store,
        path,
        added_by=added_by,
        added_via=added_via,
        clock=lambda: now,
        name_tells=name_tells,
    )
    while True:
        try:
            next(steps)
        except StopIteration as end:
            report: FileReport = end.value
            return report


def load_steps(
    store: Store,
    path: Path,
    *,
    added_by: str,
    added_via: str,
    clock: Callable[[], datetime],
    name_tells: bool = True,
    follow: bool = True,
) -> Generator[None, None, FileReport]:
    """``load_file`` in steps, for who has other things to do in between.

    It pauses after each person, and twice a second while the file is read.
    Without ``follow`` a link is refused.
    """
    try:
        content = content_of(path, follow=follow)
    except UnreadableProfile as error:
        return FileReport(path=readable(str(path)), reason=str(error))
    report = yield from content_steps(
        lambda profile, document, now: store.add(profile, document, now=now),
        path.name,
        content,
        added_by=added_by,
        added_via=added_via,
        clock=clock,
        name_tells=name_tells,
    )
    return replace(report, path=readable(str(path)))


def content_steps(
    keep: Keep,
    name: str,
    content: bytes,
    *,
    added_by: str,
    added_via: str,
    clock: Callable[[], datetime],
    name_tells: bool = True,
    most: int | None = None,
) -> Generator[None, None, FileReport]:
    """The same for bytes that are here already; ``keep`` stores each person.

    With more than ``most`` people on it nobody is stored. Where ``keep`` raises
    DailyLimit that person, and whoever else is new, is reported as refused.
    """
    shown = readable(name)
    people: list[PersonReport] = []
    try:
        reading = yield from _read_aside(shown, content)
        _require_few(reading, most)
        named = Counter(name_key(profile.name) for profile, _ in reading.profiles)
        for page in reading.pages:
            document = Document(
                name=readable(page.part) if page.part else shown,
                text=page.text,
                added_by=added_by,
                added_via=added_via,
                parser=page.parser or reading.parser,
                name_tells=name_tells and named[name_key(page.profile.name)] == 1,
            )
            people.append(_stored(keep, page.profile, document, clock()))
            yield
    except UnreadableProfile as error:
        return FileReport(path=shown, reason=str(error))
    except BotError as error:
        return FileReport(path=shown, reason=str(error), people=tuple(people), fault=error)
    except Exception as error:  # noqa: BLE001 - the fence: the other files are loaded all the same
        log.error("loading.failed", error=type(error).__name__, at=trace(error))  # noqa: TRY400
        reason = (
            f"The file could not be stored to its end ({type(error).__name__}); "
            "the log says where. Load it again."
        )
        return FileReport(path=shown, reason=reason, people=tuple(people), fault=error)
    people += [
        PersonReport(id=None, name=refusal.name, outcome=Outcome.REFUSED, reason=refusal.reason)
        for refusal in reading.refusals
    ]
    reasons = " ".join(dict.fromkeys(person.reason for person in people if person.reason))
    return FileReport(path=shown, reason=reasons or None, people=tuple(people))


def content_of(path: Path, *, follow: bool = True) -> bytes:
    """The file's bytes, one more than allowed at most; UnreadableProfile says what is wrong."""
    name = readable(path.name)
    if not follow and path.is_symlink():
        raise UnreadableProfile(
            f"{name} is a link, and links are not followed here. Put the file itself here."
        )
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise UnreadableProfile(
                f"{name} is a folder that could not be listed. "
                "Change its permissions and try again."
            )
        if not stat.S_ISREG(mode):
            raise UnreadableProfile(f"{name} is not a file. Give a file or a folder of files.")
        # in case a link or a pipe took the file's place since: neither followed nor waited for
        flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW)
        with os.fdopen(os.open(path, flags), "rb") as file:
            return file.read(MAXIMUM_BYTES + 1)
    except FileNotFoundError:
        if path.is_symlink():
            raise UnreadableProfile(
                f"{name} is a link to something that is not there. Mend or remove the link."
            ) from None
        raise UnreadableProfile(
            f"{name} is not there (any more). Check the name and try again."
        ) from None
    except PermissionError:
        raise UnreadableProfile(
            f"{name} may not be read by this user. Change its permissions and try again."
        ) from None
    except OSError as error:
        raise UnreadableProfile(
            f"{name} could not be read ({error.strerror}). Copy it again and retry."
        ) from None


def _require_few(reading: Reading, most: int | None) -> None:
    """Raises UnreadableProfile for more people than one message may bring."""
    if most is not None and len(reading.profiles) > most:
        raise UnreadableProfile(
            f"There are {len(reading.profiles)} people on it, too many for one message "
            f"({MOST_IN_MESSAGE} at most, in all its files). Send it in parts, or ask whoever runs "
            "the bot to load it. Nothing of it was stored."
        )


def _files_of(path: Path) -> Iterator[Path]:
    closed: list[Path] = []

    def remember(error: OSError) -> None:
        closed.append(Path(error.filename))

    for folder, folders, names in os.walk(path, onerror=remember):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith("."):
                yield Path(folder) / name
    yield from closed


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # a name too long, or a folder on the way that may not be entered
        return False


def _read_aside(name: str, content: bytes) -> Generator[None, None, Reading]:
    """Read in a thread, pausing while it does: thousands of pages take most of a minute."""
    future: Future[Reading] = Future()

    def work() -> None:
        try:
            future.set_result(read(name, content))
        except BaseException as error:  # noqa: BLE001 - raised again by whoever waits
            future.set_exception(error)

    Thread(target=work, name="reading", daemon=True).start()
    while not wait([future], timeout=GLANCE).done:
        yield
    return future.result()


def _stored(keep: Keep, profile: Profile, document: Document, now: datetime) -> PersonReport:
    try:
        stored = keep(profile, document, now)
    except DailyLimit as limit:
        return PersonReport(
            id=None, name=profile.name, outcome=Outcome.REFUSED, reason=str(limit), limited=True
        )
    except Forgotten as refused:
        return PersonReport(
            id=None,
            name=NOT_NAMED,
            outcome=Outcome.REFUSED,
            reason=str(refused),
            forgotten=refused.reference,
        )
    return PersonReport(
        id=stored.candidate_id,
        name=stored.name,
        outcome=stored.outcome,
        changes=stored.changes,
        twins=stored.twins,
    )
