"""What Python's ``zipfile`` raises for archives that are damaged, locked or packed in odd ways."""

import zlib
from struct import error as StructError  # noqa: N812 - an error has a name like one
from typing import Final
from zipfile import BadZipFile

DAMAGE: Final = (
    BadZipFile,
    EOFError,
    KeyError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    StructError,
    ValueError,
    zlib.error,
)
"""``RuntimeError`` is a password, ``NotImplementedError`` an unknown packing."""
