"""Which parts of an e-mail are documents, and what its own text is called."""

from pathlib import PurePosixPath
from typing import Final

from bot.profiles.format import UnreadableProfile

TEXT: Final = "message"
"""The name of an e-mail's own text, which is read where no document is attached."""
_NO_DOCUMENTS: Final = frozenset({
    "asc", "bmp", "gif", "heic", "ics", "jpeg", "jpg", "mp3", "mp4", "p7m", "p7s",
    "png", "sig", "svg", "tif", "tiff", "webp",
})  # fmt: skip
"""Pictures in signatures, invitations, seals: nobody sends a person so."""
_NO_KINDS: Final = frozenset({
    "application/ms-tnef", "application/pkcs7-signature", "application/pgp-signature",
    "application/x-pkcs7-signature", "message/delivery-status", "text/calendar",
    "text/rfc822-headers", "text/x-amp-html",
})  # fmt: skip


def is_document(name: str, kind: str) -> bool:
    """Whether an attachment may be a document, by its name and stated kind (``image/png``).

    >>> is_document("cv.pdf", "application/pdf"), is_document("logo.png", "image/png")
    (True, False)
    """
    family = kind.partition("/")[0]
    if family in {"image", "audio", "video", "multipart"} or kind in _NO_KINDS:
        return False
    if name.lower() == "winmail.dat":
        return False
    return PurePosixPath(name.lower()).suffix.lstrip(".") not in _NO_DOCUMENTS


def nothing_in_it() -> UnreadableProfile:
    return UnreadableProfile(
        "The e-mail has no document attached, and no text. Attach the person's page or résumé, "
        "and send it again. Nothing was stored."
    )
