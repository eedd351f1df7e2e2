"""PDFs that carry their person as a structured document: what Europass's editors print."""

from typing import Final

from bot.profiles.format import Reading, UnreadableProfile
from bot.profiles.hr_xml.document import Europass, EuropassJson, HrOpen, HrXml

_MOST: Final = 20
"""Attachments that are looked at."""
_LARGEST: Final = 20 * 1024 * 1024
_INSIDE: Final = (Europass(), HrXml(), EuropassJson(), HrOpen())


class EuropassPdf:
    """A PDF with Europass or HR-XML attached to it; its pages say the same, less exactly."""

    NAME: Final = "europass-pdf"
    VERSION: Final = 1

    def claims(self, name: str, content: bytes) -> float:  # noqa: ARG002 - the bytes decide
        """PDFium is asked only about PDFs with something attached, which are rare."""
        if b"%PDF-" not in content[:1024] or b"/EmbeddedFile" not in content:
            return 0.0
        return 0.95 if _attached(content) else 0.0

    def read(self, content: bytes) -> Reading:
        attached = _attached(content)
        if attached is None:
            raise UnreadableProfile("Nothing that I can read is attached to this PDF.")
        form, document = attached
        inner = form.read(document)
        return Reading(
            pages=inner.pages, refusals=inner.refusals, parser=f"{self.NAME}/{self.VERSION}"
        )


def _attached(content: bytes) -> tuple[Europass | HrXml | EuropassJson | HrOpen, bytes] | None:
    """The first attached document that is one of these."""
    import pypdfium2  # noqa: PLC0415 - only PDFs pay for it

    try:
        pdf = pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError:
        return None
    try:
        for number in range(min(pdf.count_attachments(), _MOST)):
            try:
                data = bytes(pdf.get_attachment(number).get_data())
            except pypdfium2.PdfiumError:
                continue
            for form in _INSIDE:
                if len(data) <= _LARGEST and form.claims("", data):
                    return form, data
    finally:
        pdf.close()
    return None
