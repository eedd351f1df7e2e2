"""Files become people: each file ends in a report, and nothing is dropped silently.

A file's people are stored one transaction each, so a kill in the middle leaves
whole people; loading the file again finds those *unchanged* and carries on.
"""

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from bot.profiles.reader import MAXIMUM_BYTES, UnreadableProfile, read
from storage.records import Document, Outcome
from storage.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonReport:
    """What became of one person of a file; ``reason`` is the sentence of a refusal."""

    id: str | None
    name: str
    outcome: Outcome
    changes: tuple[str, ...] = ()
    twins: tuple[str, ...] = ()
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReport:
    """What became of one file; ``reason`` says why it, or a part of it, was refused."""

    path: str
    reason: str | None = None
    people: tuple[PersonReport, ...] = ()

    @property
    def refused(self) -> bool:
        return self.reason is not None


def files_under(paths: Iterable[Path]) -> Iterator[Path]:
    """The files named, and all files in the folders named, by name; hidden ones are left out.

    A path that does not exist is yielded too: loading it says so.
    """
    for path in paths:
        if path.is_dir():
            for folder, folders, names in os.walk(path):
                folders[:] = sorted(name for name in folders if not name.startswith("."))
                for name in sorted(names):
                    if not name.startswith("."):
                        yield Path(folder) / name
        else:
            yield path


def load_file(
    store: Store, path: Path, *, added_by: str, added_via: str, now: datetime
) -> FileReport:
    """Read one file and store its people. Never raises for what the file is or holds."""
    try:
        content = content_of(path)
        reading = read(path.name, content)
    except UnreadableProfile as error:
        return FileReport(path=str(path), reason=str(error))
    people = []
    for profile, text in reading.profiles:
        document = Document(
            name=path.name,
            text=text,
            added_by=added_by,
            added_via=added_via,
            parser=reading.parser,
        )
        stored = store.add(profile, document, now=now)
        people.append(
            PersonReport(
                id=stored.candidate_id,
                name=stored.name,
                outcome=stored.outcome,
                changes=stored.changes,
                twins=stored.twins,
            )
        )
    people += [
        PersonReport(id=None, name=refusal.name, outcome=Outcome.REFUSED, reason=refusal.reason)
        for refusal in reading.refusals
    ]
    reason = " ".join(person.reason for person in people if person.reason) or None
    return FileReport(path=str(path), reason=reason, people=tuple(people))


def content_of(path: Path) -> bytes:
    """The file's bytes, one more than allowed at most; UnreadableProfile says what is wrong."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise UnreadableProfile(f"{path.name} is not a file. Give a file or a folder of files.")
        with path.open("rb") as file:
            return file.read(MAXIMUM_BYTES + 1)
    except FileNotFoundError:
        if path.is_symlink():
            raise UnreadableProfile(
                f"{path.name} is a link to something that is not there. Mend or remove the link."
            ) from None
        raise UnreadableProfile(
            f"{path.name} is not there (any more). Check the name and try again."
        ) from None
    except PermissionError:
        raise UnreadableProfile(
            f"{path.name} may not be read by this user. Change its permissions and try again."
        ) from None
    except OSError as error:
        raise UnreadableProfile(
            f"{path.name} could not be read ({error.strerror}). Copy it again and retry."
        ) from None
