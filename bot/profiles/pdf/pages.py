"""The lines of a PDF document: its pages one after another, columns beside them last.

A column beside the main flow is read after it, over all pages, so that what goes on on the next
page stays together. Headers and footers that come again, and numbers of pages, are left out.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Final

import pypdfium2
import regex

from bot.profiles.format import UnreadableProfile
from bot.profiles.pdf.layout import PageLines, Strip, lines_on
from bot.profiles.pdf.links import Hidden, links_behind
from bot.profiles.pdf.words import words_of
from bot.profiles.resume.lines import Line

MOST_PAGES: Final = 50
_PAGE_NUMBER: Final = regex.compile(
    r"(?i)(?:(?:page|seite|página|pagina|sida|side|strona|strana|str|"
    r"p)\.?\s*)?\d{1,3}\s*(?:(?:of|von|de|di|van|sur|av|af|/|z|из)\s*\d{1,3})?"
    r"|[–—-]\s*\d{1,3}\s*[–—-]|第?\s*\d{1,3}\s*[页頁ページ].*"
)
_ONE_AT_A_TIME: Final = Lock()
"""PDFium is not made for several threads."""
_SEND: Final = "Nothing was stored."


@dataclass(frozen=True, slots=True)
class PdfLines:
    """The main flow of all pages, and the narrow column beside it."""

    main: list[Line]
    side: list[Line]
    links: list[Hidden]
    """What lies behind words."""


def lines_of_pdf(content: bytes) -> PdfLines:
    """The lines of a document. Raises UnreadableProfile where it gives no text."""
    with _ONE_AT_A_TIME:
        links: list[Hidden] = []
        pages = _pages(content, links)
    main = _without_repeated([each.main for each in pages])
    side = [line for each in pages for line in each.side]
    if not main and not side:
        raise UnreadableProfile(
            "This PDF has no text in it, only pictures: it is a scan. Send the document it was "
            f"printed from, or a PDF that was recognised (OCR). {_SEND}"
        )
    return PdfLines(main, side, links)


def _pages(content: bytes, links: list[Hidden]) -> list[PageLines]:
    try:
        document = pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        raise UnreadableProfile(_why(str(error))) from None
    try:
        if len(document) > MOST_PAGES:
            raise UnreadableProfile(
                f"The PDF has more than {MOST_PAGES} pages. Send each person's résumé as a file of "
                f"its own. {_SEND}"
            )
        pages: list[PageLines] = []
        strip: Strip | None = None
        for number in range(len(document)):
            page = _page(document, number, strip, links)
            strip = page.strip or strip
            pages.append(page)
        return pages
    finally:
        document.close()


def _page(
    document: pypdfium2.PdfDocument, number: int, strip: Strip | None, links: list[Hidden]
) -> PageLines:
    """The lines of a page, its links added to ``links``; a page that is damaged has none."""
    try:
        page = document[number]
        text = page.get_textpage()
    except pypdfium2.PdfiumError:
        return PageLines([], [])
    try:
        links += links_behind(page, text)
        return lines_on(words_of(text), strip)
    finally:
        text.close()
        page.close()


def _why(error: str) -> str:
    if "assword" in error:
        return f"The PDF is locked with a password. Save it without one and send it again. {_SEND}"
    return (
        "This is a PDF that is damaged or cut off and cannot be opened. Save it again from the "
        f"program that made it. {_SEND}"
    )


def _without_repeated(pages: Sequence[Sequence[Line]]) -> list[Line]:
    """The pages' lines without numbers of pages and what stands at the edge of several pages."""
    edges = Counter(
        key for page in pages for key in {_key(line) for line in (*page[:2], *page[-2:])}
    )
    repeated = {key for key, count in edges.items() if count > 1 and count * 2 >= len(pages)}
    kept: list[Line] = []
    for number, page in enumerate(pages):
        for place, line in enumerate(page):
            at_edge = place < 2 or place >= len(page) - 2
            if at_edge and _PAGE_NUMBER.fullmatch(line.plain):
                continue
            if at_edge and _key(line) in repeated and (number or place >= 2):
                continue
            kept.append(line)
    return kept


def _key(line: Line) -> str:
    return regex.sub(r"\d+", "#", line.plain)
