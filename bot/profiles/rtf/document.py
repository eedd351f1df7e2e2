"""The format: résumés as RTF, which old ``.doc`` files often are."""

from typing import Final

from bot.profiles.format import Reading, UnreadableProfile
from bot.profiles.resume.reading import page_of
from bot.profiles.rtf.paragraphs import lines_of_rtf


class Rtf:
    """A résumé of one person in Rich Text Format, also when it is called ``.doc``."""

    NAME: Final = "rtf"
    VERSION: Final = 1

    def claims(self, name: str, content: bytes) -> float:  # noqa: ARG002 - the bytes decide
        return 0.95 if content[:64].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{\\rt") else 0.0

    def read(self, content: bytes) -> Reading:
        lines = lines_of_rtf(content)
        if not lines:
            raise UnreadableProfile(
                "The RTF document has no text in it. If it shows a picture of a résumé, send the "
                "text or a PDF that was recognised (OCR). Nothing was stored."
            )
        return Reading(pages=(page_of(lines),), parser=f"{self.NAME}/{self.VERSION}")
