"""E-mails as they are on their way (``.eml``, RFC 5322 with MIME)."""

from collections.abc import Iterator
from email import policy
from email.errors import MessageError
from email.message import EmailMessage
from email.parser import BytesParser
from pathlib import PurePosixPath
from typing import Final

import regex

from bot.profiles.decoding import text_of
from bot.profiles.format import Refusal, UnreadableProfile
from bot.profiles.mails.attached import TEXT, is_document, nothing_in_it

DEEPEST: Final = 50
"""Multiparts in one another, as each forwarding adds one or two."""

_HEAD: Final = 64 * 1024
_FIELD: Final = regex.compile(rb"(?m)^([A-Za-z][A-Za-z0-9-]{1,60}):[ \t]?.*(?:\r?\n[ \t].*)*\r?\n")
_FROM_LINE: Final = regex.compile(rb"(?:>?From [^\r\n]*\r?\n)?")
_TELLING: Final = frozenset({
    b"from", b"to", b"subject", b"date", b"message-id", b"mime-version", b"received",
    b"content-type", b"return-path", b"delivered-to", b"reply-to", b"cc", b"x-mailer",
    b"dkim-signature", b"content-transfer-encoding", b"x-unsent", b"thread-topic",
})  # fmt: skip
_FAULTS: Final = (
    AttributeError,
    IndexError,
    KeyError,
    LookupError,
    MessageError,
    TypeError,
    ValueError,
)
"""What the header parsers of `email` raise for fields that are no fields."""


class Eml:
    """An e-mail with its attachments."""

    NAME: Final = "eml"
    VERSION: Final = 1

    def claims(self, name: str, content: bytes) -> float:  # noqa: ARG002 - the bytes decide
        """An e-mail begins with its fields; a page with “To:” on it has other lines as well."""
        head = content[:_HEAD].removeprefix(b"\xef\xbb\xbf").lstrip()
        at = _FROM_LINE.match(head).end()  # type: ignore[union-attr]  # it matches nothing too
        found: set[bytes] = set()
        while (field := _FIELD.match(head, at)) and len(found) < 40:
            found.add(field[1].lower())
            at = field.end()
        telling = found & _TELLING
        if len(telling) < 3 and not {b"mime-version", b"content-type"} <= telling:
            return 0.0
        ends = not head[at:].strip() or head[at:].startswith((b"\n", b"\r\n"))
        return 1.0 if ends or len(telling) >= 5 else 0.0

    def parts(self, content: bytes) -> Iterator[tuple[str, bytes] | Refusal]:
        """The attached documents; where there are none, the text of the e-mail."""
        message = _parsed(content.removeprefix(b"\xef\xbb\xbf").lstrip())
        texts: dict[str, list[EmailMessage]] = {}
        none = True
        for part in _leaves(message, 0):
            kind = part.get_content_type()
            name = _name_of(part)
            if not name and kind in {"text/plain", "text/html"}:
                texts.setdefault(kind, []).append(part)
            elif kind == "message/rfc822" or is_document(name, kind):
                none = False
                yield name or "attachment", _content_of(part)
        if none:
            yield TEXT, _text_in(texts)


def _parsed(content: bytes) -> EmailMessage:
    try:
        return BytesParser(EmailMessage, policy=policy.default).parsebytes(content)
    except (RecursionError, *_FAULTS) as fault:
        raise UnreadableProfile(
            "The e-mail cannot be taken apart. Save it anew from the mail program, or send what "
            "is attached to it alone. Nothing was stored."
        ) from fault


def _leaves(message: EmailMessage, depth: int) -> Iterator[EmailMessage]:
    """The parts that hold something; an attached e-mail is one, to be read on its own."""
    if depth > DEEPEST:
        raise UnreadableProfile(
            "The e-mail has too many parts in one another. Send what is attached to it alone. "
            "Nothing was stored."
        )
    if message.get_content_maintype() == "multipart" and message.is_multipart():
        for part in message.get_payload():
            yield from _leaves(part, depth + 1)  # type: ignore[arg-type]  # a multipart has parts
    else:
        yield message


def _name_of(part: EmailMessage) -> str:
    """The attachment's file name without folders; empty for a text that is none."""
    try:
        name = part.get_filename() or ""
        if not name and part.get_content_disposition() == "attachment":
            name = "attachment"
        if not name and part.get_content_type() == "message/rfc822":
            name = str(_inner(part).get("subject") or "message")
    except _FAULTS:
        name = "attachment"
    return PurePosixPath(name.replace("\\", "/")).name[:200]


def _inner(part: EmailMessage) -> EmailMessage:
    held = part.get_payload()
    return held[0] if isinstance(held, list) and held else EmailMessage()  # type: ignore[return-value]


def _content_of(part: EmailMessage) -> bytes:
    if part.get_content_type() == "message/rfc822" and part.is_multipart():
        return _inner(part).as_bytes(policy=policy.compat32)
    held = part.get_payload(decode=True)
    return held if isinstance(held, bytes) else b""


def _text_in(texts: dict[str, list[EmailMessage]]) -> bytes:
    """The plain text, else the HTML, as UTF-8; pictures inside split it into several."""
    for kind in ("text/plain", "text/html"):
        text = "\n".join(map(_decoded, texts.get(kind, ())))
        if text.strip():
            return text.encode("utf-8", errors="replace")
    raise nothing_in_it()


def _decoded(part: EmailMessage) -> str:
    """In the encoding that the part states, or the one that its bytes show."""
    held = _content_of(part)
    try:
        return held.decode(part.get_content_charset() or "ascii")
    except (LookupError, ValueError):
        try:
            return text_of(held)
        except UnreadableProfile:
            return ""
