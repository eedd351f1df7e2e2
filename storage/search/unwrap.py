"""What Slack and typography do to a question, undone: the same text wherever it was typed.

Slack wraps what looks like an address (``<http://node.js|node.js>``), a channel
or a person, and escapes ``& < >``; keyboards bend quotes and dashes.
"""

import unicodedata
from typing import Final

import regex

_WRAPPED: Final = regex.compile(r"<([^<>|\n]{1,1000})(?:\|([^<>\n]{0,1000}))?>")
_ENTITIES: Final = {"lt": "<", "gt": ">", "amp": "&"}
_ENTITY: Final = regex.compile(r"&(?:amp;)*(?P<name>lt|gt|amp);")
"""Escaped once or, by a program between, more often."""
_ESCAPED: Final = regex.compile(r"&(?P<name>lt|gt|amp);")
_FOLDED: Final = str.maketrans(
    {
        **dict.fromkeys("“”„‟«»″〝〞＂", '"'),
        **dict.fromkeys("‘’‚‛′ʼ＇", "'"),
        **dict.fromkeys("‐‑‒–—―−－", "-"),
        **dict.fromkeys("（", "("),
        **dict.fromkeys("）", ")"),
        **dict.fromkeys("：", ":"),
    }
)
_COMPARISONS: Final = {"≥": ">=", "≤": "<=", "＞": ">", "＜": "<", "＝": "="}
_INVISIBLE: Final = regex.compile(r"[\p{Cf}--\u200d]", regex.VERSION1)
_SPACES: Final = regex.compile(r"[\p{Z}\p{Cc}]+")


def unwrap_page(text: str) -> str:
    r"""A page that was pasted into a message as it was copied: only Slack's own signs are undone.

    >>> unwrap_page("Ada <http://node.js|node.js>\nR&amp;D — “lead”")
    'Ada node.js\nR&D — “lead”'
    """
    text = _WRAPPED.sub(_meant, text)
    return _ESCAPED.sub(lambda match: _ENTITIES[match["name"]], text)


def unwrap(text: str) -> str:
    """``text`` as the person meant it: one line, straight quotes and dashes, no wrapping.

    What is left has nothing more to unwrap: a question printed, put into a button and
    read again is the same question.

    >>> unwrap("<http://node.js|node.js>  skill:“machine learning” R&amp;D years&gt;=8")
    'node.js skill:"machine learning" R&D years>=8'
    """
    while (unwrapped := _unwrapped(text)) != text:  # what was nested, or stood around a mark
        text = unwrapped
    return text


def _unwrapped(text: str) -> str:
    text = _INVISIBLE.sub("", text)
    text = _WRAPPED.sub(_meant, text)
    text = _ENTITY.sub(lambda match: _ENTITIES[match["name"]], text)
    text = text.translate(_FOLDED)
    for sign, plain in _COMPARISONS.items():
        text = text.replace(sign, plain)
    return _SPACES.sub(" ", unicodedata.normalize("NFC", text)).strip()


def _meant(match: regex.Match[str]) -> str:
    address, label = match.group(1), match.group(2)
    if address.startswith(("@", "#", "!")):
        return (label or address[1:]).lstrip("@#")
    if not address.startswith(("http://", "https://", "mailto:", "tel:")):
        return match.group()
    if label:
        return label
    return address.removeprefix("mailto:").removeprefix("tel:")
