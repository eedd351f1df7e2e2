"""E-mails that Outlook saved (``.msg``, MS-OXMSG in an OLE compound file)."""

import struct
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from oxmsg import Message
from oxmsg.attachment import Attachment
from oxmsg.domain.constants import PID_ATTACH_FILENAME
from oxmsg.domain.model import UnrecognizedCodePageError, UnsupportedEncodingError

from bot.profiles.format import Refusal, UnreadableProfile
from bot.profiles.mails.attached import TEXT, is_document, nothing_in_it

_MAGIC: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_PROPERTIES: Final = "__properties_version1.0".encode("utf-16-le")
_SMALLEST: Final = 1536
"""Bytes of a compound file: a header, a sector of its table, a sector of its directory."""
_FAULTS: Final = (
    AssertionError,
    AttributeError,
    IndexError,
    KeyError,
    LookupError,
    OSError,
    OverflowError,
    RecursionError,
    TypeError,
    ValueError,
    UnrecognizedCodePageError,
    UnsupportedEncodingError,
    struct.error,
)
"""What the libraries raise for files that are damaged or made to harm."""


class Msg:
    """An Outlook e-mail with its attachments."""

    NAME: Final = "msg"
    VERSION: Final = 1

    def claims(self, name: str, content: bytes) -> float:  # noqa: ARG002 - the bytes decide
        return 0.9 if content.startswith(_MAGIC) and _PROPERTIES in content else 0.0

    def parts(self, content: bytes) -> Iterator[tuple[str, bytes] | Refusal]:
        """The attached documents; where there are none, the text of the e-mail."""
        message = _loaded(content)
        none = True
        for held in _documents(message):
            none = False
            yield held
        if none:
            yield TEXT, _text_of(message)


def _loaded(content: bytes) -> Message:
    try:
        return Message.load(content.ljust(_SMALLEST, b"\0"))
    except _FAULTS as fault:
        raise UnreadableProfile(
            "The Outlook e-mail is damaged or was cut off on its way. Save it anew, or send what "
            "is attached to it alone. Nothing was stored."
        ) from fault


def _documents(message: Message) -> Iterator[tuple[str, bytes] | Refusal]:
    for attachment in message.attachments:
        name = "attachment"
        try:
            name = _name_of(attachment)
            kind = attachment.mime_type or ""
            content = attachment.file_bytes
        except _FAULTS:
            yield Refusal(
                name=name,
                reason="It is damaged inside the e-mail. Send it alone, or save the e-mail anew.",
            )
            continue
        if not is_document(name, kind):
            continue
        if content is None:
            yield Refusal(
                name=name,
                reason="It is an Outlook item or a link inside the e-mail, not a "
                "file. Save it, and send that.",
            )
        else:
            yield name, content


def _name_of(attachment: Attachment) -> str:
    """The long name, or the one of eight letters that old programs write."""
    name = attachment.file_name or attachment.properties.str_prop_value(PID_ATTACH_FILENAME)
    return PurePosixPath((name or "attachment").replace("\\", "/")).name[:200]


def _text_of(message: Message) -> bytes:
    for body in ("body", "html_body"):
        try:
            text = getattr(message, body) or ""
        except _FAULTS:
            continue
        if text.strip():
            return text.encode("utf-8", errors="replace")
    raise nothing_in_it()
