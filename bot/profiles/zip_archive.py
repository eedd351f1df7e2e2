"""ZIP archives of documents: what lies in them is read as if it had been sent alone.

An archive is untrusted: sizes are limited before and while it is unpacked, nothing is written
anywhere, and paths are names only. Office documents, which are ZIP archives too, are none here.
"""

from collections.abc import Iterator
from io import BytesIO
from pathlib import PurePosixPath
from typing import Final
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from bot.profiles.decoding import text_of
from bot.profiles.format import Refusal, UnreadableProfile
from bot.profiles.zips import DAMAGE

MOST_ENTRIES: Final = 1_000
MOST_BYTES: Final = 100 * 1024 * 1024
"""Of all documents in an archive together."""
LARGEST: Final = 20 * 1024 * 1024
"""Bytes of one of them, as of a document that is sent alone."""
MOST_RATIO: Final = 200
"""Documents shrink to a hundredth at most; bombs to a thousandth."""
SMALL: Final = 1024 * 1024
"""Bytes up to which no ratio is asked for: a blank page shrinks to nearly nothing."""

_MAGIC: Final = (b"PK\x03\x04", b"PK\x05\x06")
_OFFICE: Final = frozenset({"[Content_Types].xml", "mimetype", "META-INF/MANIFEST.MF"})
_BOOKKEEPING: Final = frozenset({"__macosx", "thumbs.db", "desktop.ini", "icon\r"})
_UTF8_NAME: Final = 0x800
_ENCRYPTED: Final = 0x1
"""What `zipfile` raises for archives that are damaged or made to harm."""


class ZipArchive:
    """A ZIP archive of documents, in folders or not."""

    NAME: Final = "zip"
    VERSION: Final = 1

    def claims(self, name: str, content: bytes) -> float:  # noqa: ARG002 - the bytes decide
        if not content.startswith(_MAGIC):
            return 0.0
        try:
            with ZipFile(BytesIO(content)) as archive:
                names = archive.NameToInfo.keys()
        except DAMAGE:
            return 0.1  # damaged: to be refused by this name rather than as “no text”
        return 0.0 if names & _OFFICE else 0.5

    def parts(self, content: bytes) -> Iterator[tuple[str, bytes] | Refusal]:
        """Each document; one that is too large, locked or damaged is refused by its name."""
        try:
            archive = ZipFile(BytesIO(content))
        except DAMAGE as damage:
            raise UnreadableProfile(
                "The ZIP archive is damaged or was cut off on its way. Make it anew, or send the "
                "documents one by one. Nothing was stored."
            ) from damage
        with archive:
            yield from _documents(archive)


def _documents(archive: ZipFile) -> Iterator[tuple[str, bytes] | Refusal]:
    entries = [each for each in archive.infolist() if _is_document(each)]
    if len(entries) > MOST_ENTRIES:
        raise UnreadableProfile(
            f"There are more than {MOST_ENTRIES:,} files in the archive. Send it in parts. "
            "Nothing was stored."
        )
    left = MOST_BYTES
    for entry in entries:
        name = name_of(entry)
        if reason := _refused(entry, left):
            yield Refusal(name=name, reason=reason)
            continue
        try:
            with archive.open(entry) as opened:
                document = opened.read(LARGEST + 1)
        except DAMAGE:
            yield Refusal(
                name=name,
                reason="It is damaged inside the archive. Send it alone, or make the archive anew.",
            )
            continue
        left -= len(document)
        yield name, document


def _is_document(entry: ZipInfo) -> bool:
    """Not a folder, a hidden file, or what a system keeps for itself."""
    steps = PurePosixPath(entry.filename.replace("\\", "/")).parts
    return not entry.is_dir() and not any(
        (step.startswith((".", "~$")) and step != "..") or step.lower() in _BOOKKEEPING
        for step in steps
    )


def _refused(entry: ZipInfo, left: int) -> str | None:
    """Why an entry is not unpacked, judged by what the archive says of it."""
    if entry.flag_bits & _ENCRYPTED:
        return "It is locked with a password. Unlock it, and send it again."
    if entry.compress_type not in {ZIP_STORED, ZIP_DEFLATED, ZIP_BZIP2}:
        return "It is packed in a way that I do not open. Send it alone."
    if entry.file_size > LARGEST:
        return f"It is larger than {LARGEST // 1024 // 1024} MB. Send the pages one by one."
    if entry.file_size > SMALL and entry.file_size > MOST_RATIO * entry.compress_size:
        return "It unpacks to far more than a document is, and was not opened. Send it alone."
    if entry.file_size > left:
        return (
            f"The archive unpacks to more than {MOST_BYTES // 1024 // 1024} MB; what is beyond "
            "was not opened. Send it in parts."
        )
    return None


def name_of(entry: ZipInfo) -> str:
    """The file's name without folders, in the encoding of the program that packed it.

    Names are UTF-8 where the entry says so, and often where it does not (macOS); old ones are
    in the code page of the system, which nothing tells: letters as of CP 437 (Western DOS) are
    believed, and box-drawing characters, which no name has, mean another one.
    """
    name = entry.filename
    if not entry.flag_bits & _UTF8_NAME and not name.isascii():
        raw = name.encode("cp437", errors="replace")
        try:
            name = raw.decode("utf-8")
        except UnicodeDecodeError:
            name = name if _reads(name) else _in_old_encoding(raw, name)
    return PurePosixPath(name.replace("\\", "/")).name[:200]


def _reads(name: str) -> bool:
    return all(each.isascii() or each.isalpha() for each in name)


def _in_old_encoding(raw: bytes, otherwise: str) -> str:
    try:
        return text_of(raw)
    except UnreadableProfile:
        return otherwise
