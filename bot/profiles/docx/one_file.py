"""The format: Word documents as one XML file, which are often called ``.doc``.

Word 2003's own (``w:wordDocument``), and the parts of a DOCX in one file (``pkg:package``). Their
paragraphs have the names that those of a DOCX have.
"""

from collections.abc import Iterator
from typing import Final

from lxml import etree

from bot.profiles.decoding import text_of
from bot.profiles.docx.package import DAMAGED
from bot.profiles.docx.paragraphs import lines_in
from bot.profiles.format import Reading, UnreadableProfile
from bot.profiles.hr_xml.tree import root_of, xml_of
from bot.profiles.resume.reading import page_of

_HEAD: Final = 16 * 1024
_PARTS: Final = ("/word/header", "/word/document", "/word/footer")


class WordXml:
    """A résumé of one person as a Word document in one XML file."""

    NAME: Final = "word-xml"
    VERSION: Final = 1

    def claims(self, name: str, content: bytes) -> float:  # noqa: ARG002 - the bytes decide
        if b"w\0o\0r\0d" not in content[:_HEAD] and b"word" not in content[:_HEAD].lower():
            return 0.0
        try:
            root, attributes = root_of(text_of(content[:_HEAD]))
        except UnreadableProfile:
            return 0.0
        telling = "schemas.microsoft.com/office" in attributes
        return 0.95 if root in {"worddocument", "package"} and telling else 0.0

    def read(self, content: bytes) -> Reading:
        lines = [line for part in _parts(xml_of(content)) for line in lines_in(part)]
        if not lines:
            raise UnreadableProfile(DAMAGED)
        return Reading(pages=(page_of(lines),), parser=f"{self.NAME}/{self.VERSION}")


def _parts(root: etree._Element) -> Iterator[etree._Element]:
    """The body, or headers, document and footers in this order."""
    body = root.find("{*}body")
    if body is not None:
        yield body
        return
    for beginning in _PARTS:
        for part in root.findall("{*}part"):
            name = next((str(v) for k, v in part.attrib.items() if str(k).endswith("}name")), "")
            if name.startswith(beginning):
                yield from part.findall("{*}xmlData/*")
