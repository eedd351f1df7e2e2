"""A file of tombstones beside the database: one JSON object a line, added and never changed.

It holds keyed hashes and no texts, may be read by its owner only, and is on the
disk when ``write_lines`` returns. A line that was cut off is passed over.
"""

import fcntl
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The objects of the file; none when there is no file."""
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return []
    found = []
    for each in lines:
        try:
            row = json.loads(each)
        except ValueError:
            continue
        if isinstance(row, dict) and "id" in row:
            found.append(row)
    return found


def add_lines(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Add a line for each tombstone, and each lifting, that the file lacks."""
    kept = {(row["id"], row.get("lifted_at")) for row in read_lines(path)}
    write_lines(path, [row for row in rows if (row["id"], row["lifted_at"]) not in kept])


def write_lines(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Add a line for each object, whole and lasting."""
    lines = [json.dumps(row, separators=(",", ":")).encode() for row in rows]
    if not lines:
        return
    is_new = not path.exists()
    descriptor = os.open(path, os.O_CREAT | os.O_APPEND | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        os.fchmod(descriptor, 0o600)
        size = os.fstat(descriptor).st_size
        whole = not size or os.pread(descriptor, 1, size - 1) == b"\n"
        written = (b"" if whole else b"\n") + b"\n".join(lines) + b"\n"
        while written:
            written = written[os.write(descriptor, written) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    if is_new:
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
