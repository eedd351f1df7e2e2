"""Stored text on its way into Slack: escaped once, cut safely, never read as markup.

Slack reads three characters as control (``&``, ``<``, ``>``); they become
entities. Its mrkdwn also reads ``*``, ``_``, ``~``, a backtick, a ``>`` that begins
a line and ``:name:`` as formatting; where such a character stands at the border of
a word, a word joiner (U+2060, no width) on either side keeps it a character. A
repository called ``my_own_repo`` is therefore left as it is, and so is a time of
day (``09:00:``), which names no emoji.

Text is cut after escaping, at a grapheme border, and never inside an entity.
"""

import unicodedata
from urllib.parse import quote, urlsplit

import regex

ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_ENTITY_TABLE = str.maketrans(ENTITIES)
ELLIPSIS = "…"
JOINER = "\u2060"
_CONTROL = regex.compile(r"[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}]+")
_BIDI = regex.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_SPACES = regex.compile(r"\s+")
_MARKER = regex.compile(
    r"(?<![\p{L}\p{N}])[*_~]+|[*_~]+(?![\p{L}\p{N}])|`+|^(?:&gt;)+|(?<![0-9]):(?=[a-z0-9_+'-]+:)"
    r"|(?<=[0-9]):(?![0-9]{2}(?![0-9]))(?=[a-z0-9_+'-]+:)"
)
_PIECE = regex.compile(r"(?:&(?:amp|lt|gt);)[\p{M}\u200d\ufe0f]*|\X")
_SAFE_IN_URL = "/:?#[]@!$&'()*+,;=%-._~"


def one_line(text: str) -> str:
    """The text without line breaks, control characters and characters that turn its direction."""
    if text.isprintable() and "  " not in text and unicodedata.is_normalized("NFC", text):
        return text.strip(" ")  # nearly every text, in a tenth of the time
    text = unicodedata.normalize("NFC", _BIDI.sub("", text))
    return _SPACES.sub(" ", _CONTROL.sub(" ", text)).strip(" ")


def plain_text(text: str) -> str:
    """The text for a ``plain_text`` object: control characters of Slack as entities."""
    return text.translate(_ENTITY_TABLE)


def escape(text: str) -> str:
    """The text for mrkdwn, every character literal.

    >>> escape("R&D <!channel> my_own_repo")
    'R&amp;D &lt;!channel&gt; my_own_repo'
    """
    return _MARKER.sub(lambda found: f"{JOINER}{found[0]}{JOINER}", plain_text(text))


def cut(escaped: str, limit: int) -> str:
    """Escaped text in at most ``limit`` characters, ending in … when something was left out.

    >>> cut("AT&amp;T Labs", 8)
    'AT&amp;…'
    >>> cut("AT&amp;T Labs", 7)
    'AT…'
    """
    if len(escaped) <= limit:
        return escaped
    if limit < 1:
        return ""
    kept, length = [], 0
    for found in _PIECE.finditer(escaped):
        length += len(found[0])
        if length > limit - 1:
            break
        kept.append(found[0])
    return "".join(kept).rstrip(f" {JOINER}") + ELLIPSIS


def shorten(text: str, limit: int) -> str:
    """Text that is not escaped yet, cut at a word where possible; ``limit`` in characters.

    >>> shorten("primarily focused on improving the compiler", 24)
    'primarily focused on …'
    """
    if len(text) <= limit:
        return text
    head = cut(text.replace("&", "\0"), limit).replace("\0", "&").removesuffix(ELLIPSIS)
    words = head.rpartition(" ")[0]
    return f"{words} {ELLIPSIS}" if len(words) > limit // 2 else f"{head}{ELLIPSIS}"


def web_address(url: str) -> str | None:
    """The address percent-encoded for ``<address|text>``, or None when it is not http(s)."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return None
    if parts.scheme not in {"http", "https"} or not host or parts.username is not None:
        return None
    encoded = quote(url, safe=_SAFE_IN_URL)
    return plain_text(encoded) if len(encoded) <= 2000 else None
