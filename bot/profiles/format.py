"""What a document format is, and what reading one gives.

A new format is a module with these four members, a line in
`bot.profiles.reader.FORMATS`, and a good and a broken example in the tests.
"""

from dataclasses import dataclass
from typing import Protocol

from storage.errors import BotError
from storage.records import Profile


class UnreadableProfile(BotError):
    """The document gives no profile; the text says why and what is accepted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A part of a document that gave no profile: whom it seems to be about, and why not."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a document says: each profile with the part of the text that speaks of it.

    ``parser`` is the format and its version, such as ``prog-ai/2``.
    """

    profiles: tuple[tuple[Profile, str], ...] = ()
    refusals: tuple[Refusal, ...] = ()
    parser: str = ""


class Format(Protocol):
    """One kind of document."""

    @property
    def NAME(self) -> str:  # noqa: N802 - a constant of the format's module
        """Short and stable: it is stored with what was read."""

    @property
    def VERSION(self) -> int:  # noqa: N802
        """Raised when the same bytes would be read otherwise than before."""

    def claims(self, name: str, head: bytes) -> float:
        """How sure it is, from 0 (no) to 1, that ``head`` begins a document of this kind.

        Judged by the bytes; the name is a hint at most.
        """

    def read(self, content: bytes) -> Reading:
        """The profiles in it. Raises UnreadableProfile when there is none."""
