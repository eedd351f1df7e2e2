"""What a document format is, and what reading one gives.

A new format is a module with the members of ``Format`` (or of ``Container``, for what holds
other documents), a line in `bot.profiles.reader.FORMATS`, and a good and a broken example in
``tests/documents``, where one suite asks the same of all.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, TypeAlias, runtime_checkable

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
class PersonPage:
    """What a document says of one person, and the part of its text that does.

    ``part`` is the name of the file inside the document that it came from, and ``parser``
    that file's; both are empty where the document itself speaks. ``place`` says where in the
    document it stands, such as ``row 7``.
    """

    profile: Profile
    text: str
    part: str = ""
    parser: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a document says: its people, and what gave none.

    ``parser`` is the format and its version, such as ``prog-ai/2``.
    """

    pages: tuple[PersonPage, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    parser: str = ""

    @property
    def profiles(self) -> tuple[tuple[Profile, str], ...]:
        """Each profile with the text that speaks of it."""
        return tuple((each.profile, each.text) for each in self.pages)


class Kind(Protocol):
    """One kind of document, as it is recognised."""

    @property
    def NAME(self) -> str:  # noqa: N802 - a constant of the format's module
        """Short and stable: it is stored with what was read."""

    @property
    def VERSION(self) -> int:  # noqa: N802
        """Raised when the same bytes would be read otherwise than before."""

    def claims(self, name: str, content: bytes) -> float:
        """How sure it is, from 0 (no) to 1, that ``content`` is a document of this kind.

        Judged by the bytes, quickly: every kind is asked about every document. The name is a
        hint at most. Raises nothing, whatever the bytes are.
        """


@runtime_checkable
class Format(Kind, Protocol):
    """A kind of document that speaks of people itself."""

    def read(self, content: bytes) -> Reading:
        """The profiles in it. Raises UnreadableProfile when there is none."""


class Container(Kind, Protocol):
    """A kind of document that holds others: an archive, an e-mail with attachments."""

    def parts(self, content: bytes) -> Iterator[tuple[str, bytes] | Refusal]:
        """(name, content) of each document in it, or why one cannot be taken out.

        Raises UnreadableProfile.
        """


AnyFormat: TypeAlias = Format | Container
