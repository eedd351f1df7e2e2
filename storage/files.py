"""Files that are there whole or not at all, on the disk, and for their owner only."""

import os
import shutil
from pathlib import Path
from typing import Final

UNFINISHED: Final = ".unfinished"


def copy_whole(source: Path, target: Path) -> None:
    """Copy a file that nobody writes; a kill leaves no file of the target's name."""
    unfinished = target.with_name(target.name + UNFINISHED)
    unfinished.unlink(missing_ok=True)
    os.close(private_file(unfinished))
    shutil.copyfile(source, unfinished)
    flush(unfinished)
    unfinished.replace(target)
    flush(target.parent)


def private_file(path: Path) -> int:
    """Open a file for its owner only, making it if need be, whatever the umask."""
    descriptor = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    narrow(path)
    return descriptor


def narrow(path: Path) -> int | None:
    """Take the file's rights from all but its owner; the mode it had when others could use it."""
    mode = path.stat().st_mode & 0o777
    if mode != 0o600:
        path.chmod(0o600)
    return mode if mode & 0o077 else None


def flush(path: Path) -> None:
    """Return when the file, or the folder's list of names, is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
