"""The links of the audit's chain: see ``storage.audit``."""

from datetime import datetime
from typing import Final

from storage.keyring import keyed_hash_of

START: Final = ""
"""The chain before the first entry."""


def link(key: str, before: str, number: int, workspace: str, at: datetime, *told: str) -> str:
    """One link, in hex: a keyed hash of an entry's fields and of the link before.

    ``told`` are who, action, place, and the digests of text and people; ``at`` is in UTC.
    """
    return keyed_hash_of(key, before, number, workspace, at.isoformat(), *told)
