"""The words of a PDF page with their places, as PDFium finds them."""

import ctypes
from dataclasses import dataclass
from typing import Final

import pypdfium2
import pypdfium2.raw as pdfium
import regex

MOST: Final = 30_000
"""Characters of a page; what is beyond is not looked at."""
_HYPHEN: Final = "\x02"
_BOLD: Final = regex.compile(rb"(?i)bold|black|heavy|-bd|cmbx|bx\d|medi\b")
_WORD: Final = regex.compile(r"[^\s\x00\x01]+")


@dataclass(frozen=True, slots=True)
class Word:
    """A word: where it begins and ends, its base line and size in points (y grows upwards)."""

    text: str
    left: float
    right: float
    base: float
    size: float
    bold: bool


def words_of(text: pypdfium2.PdfTextPage) -> list[Word]:
    """The words in the order of the page's own drawing."""
    page = text.raw
    found = (
        _word(page, match.start(), match.end() - 1, match.group())
        for match in _WORD.finditer(_characters(text))
    )
    return [word for word in found if word is not None]


def _characters(text: pypdfium2.PdfTextPage) -> str:
    """The characters, each at PDFium's own number for it."""
    page, count = text.raw, min(text.count_chars(), MOST)
    if count <= 0:
        return ""
    buffer = (ctypes.c_ushort * (count + 1))()
    if pdfium.FPDFText_GetText(page, 0, count, buffer) == count + 1:
        whole = bytes(buffer)[: 2 * count].decode("utf-16-le", "replace")
        if len(whole) == count:
            return whole.replace("\ufffe", _HYPHEN)
    codes = [pdfium.FPDFText_GetUnicode(page, index) for index in range(count)]
    return "".join(chr(code) if code < 0x110000 else " " for code in codes)


def _word(page: pdfium.FPDF_TEXTPAGE, first: int, last: int, letters: str) -> Word | None:
    x, y = ctypes.c_double(), ctypes.c_double()
    left, right, bottom, top = (
        ctypes.c_double(),
        ctypes.c_double(),
        ctypes.c_double(),
        ctypes.c_double(),
    )
    if not pdfium.FPDFText_GetCharOrigin(page, first, x, y):
        return None
    end = last - 1 if letters[-1] == _HYPHEN and last > first else last
    if not pdfium.FPDFText_GetCharBox(page, end, left, right, bottom, top):
        return None
    size = _size(page, first)
    return Word(letters, x.value, max(right.value, x.value), y.value, size, _is_bold(page, first))


def _is_bold(page: pdfium.FPDF_TEXTPAGE, index: int) -> bool:
    """By the font's weight, or by its name where the file states none."""
    if pdfium.FPDFText_GetFontWeight(page, index) >= 600:
        return True
    name = ctypes.create_string_buffer(80)
    pdfium.FPDFText_GetFontInfo(page, index, name, 80, None)
    return _BOLD.search(name.value) is not None


def _size(page: pdfium.FPDF_TEXTPAGE, index: int) -> float:
    """The size as drawn: a font of 1 point is often scaled by the text's matrix."""
    box = pdfium.FS_RECTF()
    if pdfium.FPDFText_GetLooseCharBox(page, index, box) and box.top > box.bottom:
        return round(float(box.top) - float(box.bottom), 1)
    return 10.0
