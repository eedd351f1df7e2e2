"""The addresses behind words of a PDF page: what a reader can click and not see."""

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import pypdfium2
import pypdfium2.raw as pdfium

MOST: Final = 200
"""Links of a page; those beyond are not looked at."""
_LONGEST: Final = 2_000


@dataclass(frozen=True, slots=True)
class Hidden:
    """An address, and the words that it lies behind (blanks as one)."""

    words: str
    url: str


def links_behind(page: pypdfium2.PdfPage, text: pypdfium2.PdfTextPage) -> list[Hidden]:
    """The addresses of the page's link annotations, in their order; nothing is opened."""
    found = []
    for link in _annotations(page):
        box, url = pdfium.FS_RECTF(), _address(page, link)
        if url and pdfium.FPDFLink_GetAnnotRect(link, box):
            said = text.get_text_bounded(box.left, box.bottom, box.right, box.top)
            found.append(Hidden(" ".join(said.split()), url))
    return found


def _annotations(page: pypdfium2.PdfPage) -> Iterator[pdfium.FPDF_LINK]:
    position, link = ctypes.c_int(0), pdfium.FPDF_LINK()
    for _ in range(MOST):
        if not pdfium.FPDFLink_Enumerate(page.raw, position, link):
            return
        yield link


def _address(page: pypdfium2.PdfPage, link: pdfium.FPDF_LINK) -> str | None:
    action = pdfium.FPDFLink_GetAction(link)
    if not action or pdfium.FPDFAction_GetType(action) != pdfium.PDFACTION_URI:
        return None
    size = pdfium.FPDFAction_GetURIPath(page.pdf.raw, action, None, 0)
    if not 0 < size <= _LONGEST:
        return None
    buffer = ctypes.create_string_buffer(size)
    pdfium.FPDFAction_GetURIPath(page.pdf.raw, action, buffer, size)
    return buffer.value.decode("utf-8", "replace")
