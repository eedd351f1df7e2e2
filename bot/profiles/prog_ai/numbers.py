"""Numbers as the page writes them."""

from typing import Final

import regex

NUMBER: Final = (
    r"(?:\d{1,3}(?:[,.'’ \u00a0\u202f]\d{3})+(?![\d])|\d{1,3}(?:,\d{2})+,\d{3}(?!\d)"
    r"|\d+(?:[.,]\d+)?)"
)
"""A pattern for whole numbers with or without separators, and for the ``2.1`` of ``2.1k``."""

_SCALES: Final = {"k": 1_000, "m": 1_000_000, "b": 1_000_000_000}
_GROUPED: Final = regex.compile(r"\d{1,3}(?:[,.'’\s]\d{2,3})*[,.'’\s]\d{3}")
_LONGEST: Final = 15


def whole(text: str) -> int | None:
    """The whole number meant by ``text``, None when it is none.

    >>> [whole(text) for text in ("87", "1,234", "15 420", "2.1k", "3m", "many")]
    [87, 1234, 15420, 2100, 3000000, None]
    """
    text = text.strip().rstrip("+").strip().lower()
    scale = _SCALES.get(text[-1:], 1)
    if scale > 1:
        text = text[:-1].strip()
    if not text or not text[0].isascii() or not text[0].isdigit():
        return None
    if scale == 1 and _GROUPED.fullmatch(text):
        text = regex.sub(r"\D", "", text)
    if len(text) > _LONGEST:
        return None
    try:
        if text.isdigit():
            return int(text) * scale
        return int(round(float(text.replace(",", ".")) * scale, 6))
    except ValueError:
        return None
