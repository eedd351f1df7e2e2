"""The parts of a Word document's archive, inside limits of size."""

import io
import zipfile
from typing import Final

from lxml import etree

from bot.profiles.format import UnreadableProfile
from bot.profiles.zips import DAMAGE

LARGEST: Final = 20 * 1024 * 1024
"""Bytes of a part when unpacked; a résumé's text has a few hundred kilobytes."""
MOST_TOGETHER: Final = 60 * 1024 * 1024
HIGHEST_RATIO: Final = 200
"""Unpacked to packed size of a part that is larger than a megabyte: what packs better is a bomb."""
MOST_ENTRIES: Final = 1_000
DAMAGED: Final = (
    "The Word document is damaged or cut off and cannot be opened. Save it again as .docx or PDF "
    "and send that. Nothing was stored."
)
TOO_LARGE: Final = (
    "The Word document unpacks to far more than a document has. Save it again as PDF and send "
    "that. Nothing was stored."
)


def archive_of(content: bytes) -> zipfile.ZipFile:
    """The archive. Raises UnreadableProfile where it cannot be opened."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except DAMAGE as error:
        raise UnreadableProfile(DAMAGED) from error
    entries = archive.infolist()
    if len(entries) > MOST_ENTRIES or sum(each.file_size for each in entries) > 10 * LARGEST:
        raise UnreadableProfile(TOO_LARGE)
    return archive


def names_of(content: bytes) -> frozenset[str]:
    """Names of the archive's parts, none where it is no archive; raises nothing."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return frozenset(archive.namelist()[:MOST_ENTRIES])
    except DAMAGE:
        return frozenset()


def parts_of(archive: zipfile.ZipFile, names: list[str]) -> list[etree._Element]:
    """The named parts, as XML without entities, in order. Raises UnreadableProfile."""
    roots, together = [], 0
    for name in names:
        info = archive.getinfo(name)
        ratio = info.file_size / max(info.compress_size, 1)
        if info.file_size > LARGEST or (info.file_size > 1_000_000 and ratio > HIGHEST_RATIO):
            raise UnreadableProfile(TOO_LARGE)
        try:
            with archive.open(info) as stream:
                text = stream.read(LARGEST + 1)
        except DAMAGE as error:
            raise UnreadableProfile(DAMAGED) from error
        together += len(text)
        if len(text) > LARGEST or together > MOST_TOGETHER:
            raise UnreadableProfile(TOO_LARGE)
        roots.append(_root(text))
    return roots


def _root(text: bytes) -> etree._Element:
    if b"<!DOCTYPE" in text[:4096] or b"<!ENTITY" in text[:65536]:
        raise UnreadableProfile(
            "The Word document declares entities, which none needs. Save it again as PDF and send "
            "that. Nothing was stored."
        )
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        recover=True,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(text, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise UnreadableProfile(DAMAGED) from error
    if root is None:
        raise UnreadableProfile(DAMAGED)
    return root
