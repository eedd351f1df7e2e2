"""The format: résumés as PDF, and LinkedIn's own."""

from typing import Final

from bot.profiles.format import PersonPage, Reading
from bot.profiles.pdf.linkedin import is_linkedin, linkedin_page
from bot.profiles.resume.reading import page_of


class Pdf:
    """A résumé of one person as PDF, also LinkedIn's “Save to PDF”."""

    NAME: Final = "pdf"
    VERSION: Final = 1

    def claims(self, name: str, content: bytes) -> float:  # noqa: ARG002 - the bytes decide
        return 0.9 if b"%PDF-" in content[:1024] else 0.0

    def read(self, content: bytes) -> Reading:
        from bot.profiles.pdf.pages import lines_of_pdf  # noqa: PLC0415 - with PDFium

        lines = lines_of_pdf(content)
        page: PersonPage
        if is_linkedin(lines.side):
            page = linkedin_page(lines.main, lines.side)
        else:
            page = page_of(
                [*lines.main, *lines.side],
                behind=[(each.words, each.url) for each in lines.links],
            )
        return Reading(pages=(page,), parser=f"{self.NAME}/{self.VERSION}")
