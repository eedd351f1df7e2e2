"""The format: résumés as OpenDocument texts, packed (``.odt``, ``.ott``) or flat (``.fodt``)."""

from dataclasses import replace
from io import BytesIO
from typing import Final
from zipfile import ZipFile

from lxml import etree

from bot.profiles.format import Reading, UnreadableProfile
from bot.profiles.odt.paragraphs import Paragraphs, name_of, styles_in
from bot.profiles.resume.lines import MOST, Line
from bot.profiles.resume.reading import page_of
from bot.profiles.zips import DAMAGE

_KIND: Final = b"application/vnd.oasis.opendocument.text"
_LARGEST: Final = 30 * 1024 * 1024
"""Bytes of one part, unpacked."""
_DAMAGED: Final = (
    "The OpenDocument text is damaged or was cut off on its way. Save it anew, or as PDF, and send "
    "that. Nothing was stored."
)


class Odt:
    """A résumé of one person as OpenDocument text (LibreOffice, OpenOffice, Google Docs)."""

    NAME: Final = "odt"
    VERSION: Final = 1

    def claims(self, name: str, content: bytes) -> float:  # noqa: ARG002 - the bytes decide
        start = content[:4096]
        if start.startswith(b"PK"):
            return 0.95 if b"mimetype" + _KIND in start or _is_text(content) else 0.0
        flat = b"<office:document" in start and b'office:mimetype="' + _KIND in start
        return 0.95 if flat else 0.0

    def read(self, content: bytes) -> Reading:
        lines = _packed(content) if content.startswith(b"PK") else _flat(content)
        if not lines:
            raise UnreadableProfile(
                "The OpenDocument text has no text in it. If it shows a picture of a résumé, send "
                "the text or a PDF that was recognised (OCR). Nothing was stored."
            )
        return Reading(pages=(page_of(lines[:MOST]),), parser=f"{self.NAME}/{self.VERSION}")


def _is_text(content: bytes) -> bool:
    """Where programs do not put the kind first: the archive's own list of names."""
    if b"content.xml" not in content:
        return False
    try:
        with ZipFile(BytesIO(content)) as archive:
            return _KIND in _part(archive, "mimetype") or _KIND in _part(
                archive, "META-INF/manifest.xml"
            )
    except DAMAGE:
        return False


def _part(archive: ZipFile, name: str) -> bytes:
    with archive.open(name) as opened:
        content = opened.read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise UnreadableProfile(
            "The OpenDocument text unpacks to far more than a résumé is. Save it as PDF and send "
            "that. Nothing was stored."
        )
    return content


def _packed(content: bytes) -> list[Line]:
    try:
        with ZipFile(BytesIO(content)) as archive:
            names = archive.NameToInfo
            manifest = (
                _part(archive, "META-INF/manifest.xml") if "META-INF/manifest.xml" in names else b""
            )
            if b"encryption-data" in manifest:
                raise UnreadableProfile(
                    "The document is locked with a password. Save it without one, and send it "
                    "again. Nothing was stored."
                )
            text = _tree(_part(archive, "content.xml"))
            styles = _tree(_part(archive, "styles.xml")) if "styles.xml" in names else None
    except DAMAGE as fault:
        raise UnreadableProfile(_DAMAGED) from fault
    return _lines(text, styles)


def _flat(content: bytes) -> list[Line]:
    root = _tree(content)
    return _lines(root, root)


def _tree(content: bytes) -> etree._Element:
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise UnreadableProfile(_DAMAGED) from error
    if root.getroottree().docinfo.internalDTD is not None:
        raise UnreadableProfile(_DAMAGED)
    return root


def _lines(text: etree._Element, styles: etree._Element | None) -> list[Line]:
    """Headers, the text, footers; what headers of several pages repeat stands once."""
    roots = [styles, text] if styles is not None and styles is not text else [text]
    paragraphs = Paragraphs(styles_in(roots))
    body = next((each for each in text.iter() if name_of(each) == "body"), None)
    told = list(paragraphs.lines(body)) if body is not None else []
    above: list[Line] = []
    below: list[Line] = []
    for each in styles.iter() if styles is not None else ():
        name = name_of(each)
        if name in {"header", "header-first", "header-left"}:
            above += paragraphs.lines(each)
        elif name in {"footer", "footer-first", "footer-left"}:
            below += paragraphs.lines(each)
    return [*_once(above), *told, *_afresh(_once(below))]


def _once(lines: list[Line]) -> list[Line]:
    return list({line.text: line for line in lines}.values())


def _afresh(lines: list[Line]) -> list[Line]:
    return [replace(lines[0], fresh=True), *lines[1:]] if lines else []
