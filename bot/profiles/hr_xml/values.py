"""What elements of structured résumés say: names, dates, spans, places, prose."""

from functools import cache
from html import unescape
from typing import Final

import regex
from babel import Locale
from babel.core import get_global

from bot.profiles.contacts import emails_in, link_of, phones_in
from bot.profiles.dates import Span, date_of, is_present
from bot.profiles.hr_xml.tree import Node
from bot.profiles.sensitive import without_sensitive_lines
from bot.profiles.tables.cells import phones_of
from storage.places import country_of_code
from storage.records import Link

UNTOLD: Final = frozenset({
    "attachment", "attachmentlist", "attachmentreference", "birthdate", "birthplace",
    "citizenship", "dateofbirth", "demographics", "disability", "documentinfo", "docinfo",
    "embeddeddata", "ethnicity", "ethnicitycode", "gender", "gendercode", "legalid",
    "legalidentifiers", "maritalstatus", "maritalstatuscode", "militaryhistory", "nationality",
    "nationalitycode", "nationalitylist", "nationalid", "personlegalid", "photo", "physicaldetails",
    "personaldata", "picture", "placeofbirth", "prefs", "primarylanguagecode",
    "printingpreferences", "racecode", "religion", "renderinginformation", "residencecountrycode",
    "sex", "signature", "sexcode", "supportingmaterials", "visa", "workauthorization", "workpermit",
    "documentid", "alternatedocumentid", "id", "candidatesupplier", "processinginformation",
    "demographicdetail", "personid", "biologicaldescriptors", "userarea", "code", "usecode",
})  # fmt: skip
"""Elements that say what is never kept, or nothing about the person (pictures, settings)."""

_BREAK: Final = regex.compile(
    r"<(?:br|/p|/li|/div|/h\d|/tr|/ul|/ol)\b[^>]{0,200}>", regex.IGNORECASE
)
_ITEM: Final = regex.compile(r"<li\b[^>]{0,500}>", regex.IGNORECASE)
_TAG: Final = regex.compile(r"</?[a-zA-Z][^>]{0,2000}>")
_BULLETS: Final = regex.compile(r"^[\s•●▪◦‣·*–—-]+(?=\S)")
_LIST: Final = regex.compile(r"[,;|•](?![^(]*\))|\s/\s")
_DIGITS: Final = regex.compile(r"\d+")
_UNKNOWN: Final = frozenset({"notknown", "notapplicable", "unknown", "n/a"})
_OWN_CODES: Final = {"UK": "GB", "EL": "GR"}
"""Country codes that the EU uses instead of ISO 3166's."""


def prose(text: str | None) -> str | None:
    """Text that editors kept as HTML, in lines.

    >>> prose("<p>Built <b>it</b></p><ul><li>fast &amp; well</li></ul>a<br />b")
    'Built it\\n• fast & well\\na\\nb'
    """
    if text is None:
        return None
    if "<" in text or "&" in text:
        text = _ITEM.sub("• ", _BREAK.sub("\n", text))
        text = unescape(_TAG.sub("", text))
    lines = [" ".join(each.split()) for each in text.splitlines()]
    return "\n".join(each for each in lines if each) or None


def items(text: str | None) -> list[str]:
    """The lines of such a text without their bullets."""
    return [_BULLETS.sub("", each) for each in (prose(text) or "").splitlines()]


def listed(text: str | None) -> list[str]:
    """What a list in a line names, without the name that the list itself has.

    >>> listed("Languages: Go, Rust"), listed("Excel | Word"), listed("working in teams")
    (['Go', 'Rust'], ['Excel', 'Word'], ['working in teams'])
    """
    found = []
    for line in items(text):
        heading, colon, rest = line.partition(":")
        names = rest if colon and rest.strip() and len(heading.split()) <= 4 else line
        found += [each.strip(" .") for each in _LIST.split(names)]
    return [each for each in found if each]


def date(node: Node | None) -> str | None:
    """The date that an element states: in its attributes, its parts, or as a text.

    ``<From year="2002" month="--08"/>``, ``<from><year>2002</year></from>``,
    ``<StartDate><YearMonth>2002-08</YearMonth></StartDate>``, ``<StartDate>2002-08-01T00:00:00``.
    """
    if node is None:
        return None
    year = node.attribute("year") or (node.text("year") if node.one("month") else None)
    if year:
        month = node.attribute("month") or node.text("month")
        day = node.attribute("day") or node.text("day")
        parts = [_DIGITS.search(each or "") for each in (year, month, day)]
        told = "-".join(each.group() for each in parts if each)
        return date_of(told)
    return date_of((node.text() or "").partition("T")[0])


def span(first: Node | None, last: Node | None, current: str | None = None) -> Span:
    """From one element to another; ``current`` is what a field such as ``Current`` says."""
    ends = None if last is None else last.text()
    goes_on = (current or "").lower() in {"true", "1", "yes"} or is_present(ends)
    to = None if goes_on else date(last)
    return Span(date(first), to, goes_on)


def country(code_or_name: str | None) -> str | None:
    """The country's English name for its code, else as stated.

    >>> country("si"), country("UK"), country("Norge")
    ('Slovenia', 'United Kingdom', 'Norge')
    """
    if code_or_name is None:
        return None
    code = _OWN_CODES.get(code_or_name.upper(), code_or_name.upper())
    if len(code) == 2:
        return country_of_code(code)
    return code_or_name


@cache
def language(code_or_name: str) -> str:
    """The language's English name for its ISO 639 code (of two letters or three), else as stated.

    >>> language("fre"), language("de"), language("Neapolitan")
    ('French', 'German', 'Neapolitan')
    """
    code = code_or_name.lower().partition("-")[0].partition("_")[0]
    if not 2 <= len(code) <= 3:
        return code_or_name
    code = str(get_global("language_aliases").get(code, code))
    return str(Locale("en").languages.get(code, code_or_name))


def place(*parts: str | None) -> str | None:
    """City, region and country as one text; a part once.

    >>> place("Luxembourg", None, "Luxembourg"), place(None)
    ('Luxembourg', None)
    """
    return ", ".join(dict.fromkeys(each for each in parts if each)) or None


def known(text: str | None) -> str | None:
    """The text unless it is a word for “unknown”."""
    return None if text is None or text.replace(" ", "").lower() in _UNKNOWN else text


def emails(texts: list[str | None]) -> list[str]:
    return [found for each in texts for found in emails_in(each or "")]


def phones(texts: list[str | None], region: str | None) -> list[str]:
    """In international form where they are valid numbers, else as they stand."""
    return [
        found for each in texts for found in phones_in(each or "", region) or phones_of(each or "")
    ]


def links(urls: list[str | None]) -> list[Link]:
    return [link for each in urls if (link := link_of(each))]


def readable(node: Node) -> str:
    """What a tree says, a line for each text, without what is never kept."""
    return without_sensitive_lines("\n".join(_lines(node)))


def _lines(node: Node) -> list[str]:
    if node.name in UNTOLD:
        return []
    if node.children:
        return [line for each in node.children for line in _lines(each)]
    dated = date(node) if node.attribute("year") else None
    text = prose(node.text()) or dated
    return text.splitlines() if text else []
