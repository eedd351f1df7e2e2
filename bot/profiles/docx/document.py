"""The format: résumés as Word documents (DOCX, DOCM, DOTX; no macro is looked at)."""

import zipfile
from dataclasses import replace
from typing import Final

import regex

from bot.profiles.docx.package import DAMAGED, archive_of, names_of, parts_of
from bot.profiles.docx.paragraphs import lines_in
from bot.profiles.format import Reading, UnreadableProfile
from bot.profiles.resume.lines import Line
from bot.profiles.resume.reading import page_of

_MAIN: Final = "word/document.xml"
_BESIDE: Final = regex.compile(r"word/(header|footer)\d*\.xml")


class Docx:
    """A résumé of one person as a Word document."""

    NAME: Final = "docx"
    VERSION: Final = 1

    def claims(self, name: str, content: bytes) -> float:  # noqa: ARG002 - the bytes decide
        if not content.startswith(b"PK"):
            return 0.0
        if any(each.startswith("word/document") for each in names_of(content)):
            return 0.95
        return 0.5 if b"word/document.xml" in content[:100_000] else 0.0

    def read(self, content: bytes) -> Reading:
        with archive_of(content) as archive:
            lines = lines_of_docx(archive)
        return Reading(pages=(page_of(lines),), parser=f"{self.NAME}/{self.VERSION}")


def lines_of_docx(archive: zipfile.ZipFile) -> list[Line]:
    """Headers, the document, footers; what headers of several sections repeat stands once."""
    names = archive.namelist()
    main = next((each for each in names if each == _MAIN), None) or next(
        (each for each in names if regex.fullmatch(r"word/document\d*\.xml", each)), None
    )
    if main is None:
        raise UnreadableProfile(DAMAGED)
    beside = [(match[1], match[0]) for each in sorted(names) if (match := _BESIDE.fullmatch(each))]
    headers = [name for kind, name in beside if kind == "header"][:10]
    footers = [name for kind, name in beside if kind == "footer"][:10]
    roots = parts_of(archive, [*headers, main, *footers])
    found = [lines_in(root) for root in roots]
    body = found[len(headers)]
    above = _once(found[: len(headers)])
    below = _once(found[len(headers) + 1 :])
    if not above and not body:
        raise UnreadableProfile(
            "The Word document has no text in it. If it shows a picture of a résumé, send the "
            "text or a PDF that was recognised (OCR). Nothing was stored."
        )
    return [*above, *body, *_afresh(below)]


def _once(parts: list[list[Line]]) -> list[Line]:
    return list({line.text: line for part in parts for line in part}.values())


def _afresh(lines: list[Line]) -> list[Line]:
    return [replace(lines[0], fresh=True), *lines[1:]] if lines else []
