"""What each kind of document is called where people read it."""

from collections.abc import Mapping
from typing import Final

KINDS: Final[Mapping[str, str]] = {
    "zip": "archive",
    "eml": "e-mail",
    "msg": "Outlook e-mail",
    "prog-ai": "Prog,AI page",
    "europass-pdf": "Europass PDF",
    "pdf": "PDF",
    "docx": "Word document",
    "word-xml": "Word document (XML)",
    "odt": "OpenDocument text",
    "rtf": "RTF document",
    "csv": "list of people (CSV)",
    "xlsx": "list of people (Excel)",
    "json-resume": "JSON Resume",
    "reactive-resume": "Reactive Resume",
    "fresh": "FRESH résumé",
    "manfred": "Manfred CV",
    "linkedin-export": "LinkedIn data export",
    "vcard": "vCard",
    "jcard": "jCard",
    "github-user": "GitHub account data",
    "europass": "Europass CV",
    "europass-json": "Europass CV (JSON)",
    "hr-open": "HR Open document",
    "hr-xml": "HR-XML document",
    "html": "web page",
    "text": "text résumé",
}
"""By the name of the format, as ``bot.profiles.format.Kind.NAME`` has it."""


def kind_of(parser: str) -> str:
    """The kind of document that a parser such as ``pdf/2`` reads.

    >>> kind_of("prog-ai/3"), kind_of("something/1")
    ('Prog,AI page', 'document')
    """
    return KINDS.get(parser.partition("/")[0], "document")
