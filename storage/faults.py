"""What a check of the store finds, in words that name nobody, and what to do about each."""

from dataclasses import dataclass
from typing import Final

GO_BACK: Final = "Stop the bot, keep the file, and restore the newest good backup."
LOAD_AGAIN: Final = (
    "Load the document again from where it came from, or restore a backup in which it is good."
)
REBUILD: Final = "Mend it with: .venv/bin/python -m bot verify --repair"
KEEP_AUDIT: Final = (
    "Somebody or something changed the record of who did what. Keep a copy of the file, compare "
    "with a backup, and find out who could write to it."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Something that does not agree. ``kind`` is stable, ``where`` an id or a place, no name."""

    kind: str
    """``database``, ``source``, ``profile``, ``derived``, ``index`` or ``audit``."""
    where: str
    sentence: str
    advice: str

    @property
    def mendable(self) -> bool:
        """Whether ``storage.deriving.rebuild`` mends it."""
        return self.kind in {"derived", "index"}
