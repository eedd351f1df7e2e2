"""A document becomes profiles: the strongest claim reads it, inside limits and a fence."""

from collections.abc import Sequence
from typing import Final

import structlog

from bot.profiles.decoding import forget, text_of
from bot.profiles.format import (
    Container,
    Format,
    PersonPage,
    Reading,
    Refusal,
    UnreadableProfile,
)
from bot.profiles.formats import FORMATS

__all__ = ["FORMATS", "MAXIMUM_BYTES", "Reading", "Refusal", "UnreadableProfile", "read"]

MAXIMUM_BYTES: Final = 20 * 1024 * 1024
"""A page is a few kilobytes: this is room for thousands of them in one file."""

DEEPEST: Final = 2
"""How many documents may lie inside one another: an archive in an e-mail, no more."""
MOST_PARTS: Final = 1_000

_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

_log = structlog.get_logger(__name__)


class FormatFailed(UnreadableProfile):
    """A format's reader failed, which is our fault; ``format`` and ``error`` are for the log."""

    def __init__(self, format: str, error: str) -> None:  # noqa: A002 - it is one
        super().__init__(
            "The file looks like one that I can read, but reading it failed. Save it anew from "
            "the program that made it, or send it as a PDF or as text. Nothing was stored."
        )
        self.format = format
        self.error = error


def read(name: str, content: bytes) -> Reading:
    """The profiles that ``content`` holds, at least one; ``name`` is a file name.

    Parts that gave none are in the reading's refusals. Raises UnreadableProfile,
    with the reason and what is accepted, when there is no profile at all.
    """
    try:
        return _read(name, content, 0)
    finally:
        forget()


def _read(name: str, content: bytes, depth: int) -> Reading:
    if len(content) > MAXIMUM_BYTES:
        raise UnreadableProfile(
            f"The file is larger than {MAXIMUM_BYTES // 1024 // 1024} MB. "
            "Split it into smaller ones, or send the pages one by one. Nothing was stored."
        )
    if not content.strip():
        raise UnreadableProfile("The file is empty. Send the page's text. Nothing was stored.")
    claim, strongest = max(
        ((each.claims(name, content), each) for each in FORMATS), key=lambda pair: pair[0]
    )
    if claim <= 0:
        raise UnreadableProfile(_unclaimed(content))
    try:
        if isinstance(strongest, Format):
            return strongest.read(content)
        return _read_parts(strongest, content, depth)
    except (UnreadableProfile, MemoryError):
        raise
    except RecursionError as error:
        raise UnreadableProfile(
            "There is too much inside one another in the file. Save it anew from the program that "
            "made it, or send it as a PDF or as text. Nothing was stored."
        ) from error
    except Exception as error:
        # The traceback could quote the document: the error's type is enough to look for it.
        _log.warning("format_failed", format=strongest.NAME, error=type(error).__name__)
        raise FormatFailed(strongest.NAME, type(error).__name__) from error


def _read_parts(container: Container, content: bytes, depth: int) -> Reading:
    """The people of all parts; a part that gives none is refused, and the others are read."""
    if depth == DEEPEST:
        raise UnreadableProfile(
            "Documents inside documents inside documents are not opened. Send the inner ones "
            "themselves. Nothing was stored."
        )
    pages: list[PersonPage] = []
    refusals: list[Refusal] = []
    for number, held in enumerate(container.parts(content)):
        if number == MOST_PARTS:
            raise UnreadableProfile(
                f"There are more than {MOST_PARTS:,} files in it. Send it in parts. "
                "Nothing was stored."
            )
        if isinstance(held, Refusal):
            refusals.append(held)
            continue
        name, part = held
        try:
            inner = _read(name, part, depth + 1)
        except UnreadableProfile as error:
            refusals.append(Refusal(name=name, reason=str(error)))
            continue
        pages += [_inside(name, page, inner.parser) for page in inner.pages]
        refusals += inner.refusals
    if not pages:
        raise UnreadableProfile(_nobody_in(refusals))
    return Reading(
        pages=tuple(pages),
        refusals=tuple(refusals),
        parser=f"{container.NAME}/{container.VERSION}",
    )


def _inside(name: str, page: PersonPage, parser: str) -> PersonPage:
    """The page, with the innermost file that it came from."""
    return PersonPage(
        profile=page.profile,
        text=page.text,
        part=page.part or name,
        parser=page.parser or parser,
        place=page.place,
    )


def _nobody_in(refusals: Sequence[Refusal]) -> str:
    if not refusals:
        return "There is no document in it. Nothing was stored."
    told = [f"{each.name}: {each.reason}" for each in refusals[:3]]
    return " ".join(told)


def _unclaimed(content: bytes) -> str:
    """Why no format took it; raises UnreadableProfile itself for what is no text."""
    if content.startswith(_OLE):
        return _old_office(content)
    if not text_of(content[: 256 * 1024]).strip():
        return "The file is empty. Send the page's text. Nothing was stored."
    return (
        "No person on it: neither a résumé (a name at the top, headings such as “Experience”, "
        "“Education” and “Skills”, dated entries) nor a Prog,AI profile page (“Summary”, “Github "
        "Skills”, “Github contributions”, …). Send the whole document, from the name at the top. "
        "Nothing was stored."
    )


def _old_office(content: bytes) -> str:
    """What to do with an OLE compound file, by the names of the streams in it (UTF-16)."""
    if "EncryptedPackage".encode("utf-16-le") in content:
        return (
            "The document is locked with a password. Save it without one, and send it again. "
            "Nothing was stored."
        )
    kind = "Word document (.doc)" if "WordDocument".encode("utf-16-le") in content else "document"
    return (
        f"This is an Office {kind} in the format of before 2007. Open it, save it as .docx or as "
        "PDF, and send that. Nothing was stored."
    )
