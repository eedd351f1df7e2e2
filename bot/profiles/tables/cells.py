"""What a single cell says: a list, a name, links, years, an entry of a history."""

from collections.abc import Iterator
from typing import Final

import regex

from bot.profiles.contacts import link_of, links_in, phone_of, phones_in
from bot.profiles.dates import span_in
from bot.profiles.stated import is_name, short
from storage.folding import fold
from storage.records import Education, Job, Link

_ENTRY: Final = regex.compile(r"\s*(?:[\r\n]+|;|\s\|\s|\s[•·]\s)\s*")
_ITEM: Final = regex.compile(r"\s*(?:[;|\r\n•·、，；]|,(?![^()]*\)))\s*")
_QUOTES: Final = "\"'“”‘’` \t*-–"
_CREDENTIAL: Final = regex.compile(
    r"ph\.?\s?d\.?|m\.?b\.?a\.?|m\.?sc?\.?|b\.?sc?\.?|m\.?a\.?|b\.?a\.?|m\.?d\.?|m\.?eng\.?|pmp|cpa"
    r"|cfa|cissp|csm|psm|dipl\.?[- ]?ing\.?|dr\.?|esq\.?|p\.?e\.?|he/him|she/her|they/them",
    regex.IGNORECASE,
)
_GENERATION: Final = regex.compile(r"jr\.?|sr\.?|ii|iii|iv", regex.IGNORECASE)
_NOBODY: Final = frozenset({
    "total", "totals", "sum", "summe", "gesamt", "gesamtsumme", "insgesamt", "count", "average",
    "none", "null", "nan", "unknown", "unbekannt", "n a", "na", "tbd", "tba", "anonymous",
    "anonym", "candidate", "name", "full name", "first name last name", "redacted", "deleted",
    "subtotal", "grand total", "totale", "totaal", "totalt", "suma", "razem", "no name",
})  # fmt: skip
_SALUTATION: Final = regex.compile(
    r"(?:(?:mr|ms|mrs|miss|mx|dr|prof|herr|frau|hr|fr|m|mme|mlle|sra?|srta|don|dona|sig|dott|ing"
    r"|dipl|mag|pani?|dhr|mevr|dhr|de|h\.?\s?c)[. -]*)+"
)
_NUMBER: Final = regex.compile(
    r"(?:ca\.?|about|over|~|>)?\s*(\d{1,2})(?:[.,]\d+)?\s*\+?\s*"
    r"(?:\+|years?|yrs?\.?|y|jahre?n?|ans|annees?|anos?|anni|jaar|ar|lat|лет|年)?"
    r"(?:\s+(?:of\s+)?experience)?",
    regex.IGNORECASE,
)
_AT: Final = regex.compile(
    r"\s+(?:at|@|bei|chez|presso|hos|hos|bij|w firmie|na empresa|en la empresa)\s+",
    regex.IGNORECASE,
)
_BETWEEN: Final = regex.compile(r"\s*(?:,|\s[-–—|/]\s|\t)\s*")
_ENDS: Final = " ,;:-–—|()[]\t"
_TRADE: Final = regex.compile(
    r"engineer|developer|programm|manager|director|architect|analyst|scientist|consultant"
    r"|designer|lead\b|head of|intern\b|administrator|specialist|recruiter|officer|researcher"
    r"|assistant|chief|founder|c[teofi]o\b|entwickler|ingenieur|ingénieur|développeu|berater|leiter"
    r"|desarrollador|ingenier|sviluppat|desenvolvedor|ontwikkelaar|utvecklare|programista",
    regex.IGNORECASE,
)
_SCHOOL: Final = regex.compile(
    r"universi|college|school|institut|hochschule|école|ecole|academ|akadem|politec|polytech"
    r"|politech|politéc|faculty|\beth\b|\btu\b|\bmit\b|högskol|høgskol|uniwersyt|escuela|escola"
    r"|yliopisto|大学|学院|대학",
    regex.IGNORECASE,
)
_DEGREE: Final = regex.compile(
    r"\b(?:bachelor|master|b\.?\s?sc|m\.?\s?sc|b\.?a\b|m\.?a\b|b\.?s\b|m\.?s\b|ph\.?\s?d|doctor|mba"
    r"|diplom|licen|laurea|magister|ingenieur|grado|associate|abitur|bac\b|b\.?\s?eng|m\.?\s?eng"
    r"|b\.?\s?tech|m\.?\s?tech|kandidat|dottorato|mestrado|doctorat)",
    regex.IGNORECASE,
)
_NOT_LETTERS: Final = regex.compile(r"[^\p{L}]+")
_BETWEEN_LINKS: Final = regex.compile(r"[\s,;|<>()\"]+")
_HOST: Final = regex.compile(r"[\w-]+(?:\.[\w-]+)*\.\p{L}{2,24}(?:/|$)")
_BETWEEN_PHONES: Final = regex.compile(r"\s*(?:[;|\r\n]|,\s|\s/\s)\s*")
_DIGITS: Final = regex.compile(r"[+(]?\d[\d\s().\-/]+\d")
_WORD: Final = regex.compile(r"\p{L}{4}")
_FEWEST_DIGITS: Final = 6
_LOGIN: Final = regex.compile(r"@?([A-Za-z\d](?:[A-Za-z\d]|-(?=[A-Za-z\d])){0,38})")
_HANDLE: Final = regex.compile(r"@?(\w{1,15})")
_SLUG: Final = regex.compile(r"(?:/?in/)?([\p{L}\d%_-]{3,100})/?")


def items_of(cell: str) -> list[str]:
    """The entries of a list, however they are separated.

    >>> items_of("Python, C++; Go | Kafka (Streams, Connect)")
    ['Python', 'C++', 'Go', 'Kafka (Streams, Connect)']
    >>> items_of('["Python", "Go"]')
    ['Python', 'Go']
    """
    text = cell.strip()
    if text[:1] in "[{" and text[-1:] in "]}":
        text = text[1:-1]
    return [item for each in _ITEM.split(text) if (item := each.strip(_QUOTES))]


def entries_of(cell: str) -> list[str]:
    """The entries of a history: by lines, semicolons and bars, not by commas."""
    return [entry for each in _ENTRY.split(cell) if (entry := each.strip(_QUOTES))]


def person_named(text: str | None) -> str | None:
    """The name as one says it; None for what names nobody, such as a line of totals.

    >>> person_named("Byte, Ada"), person_named("Ada Byte, PhD"), person_named("Total")
    ('Ada Byte', 'Ada Byte', None)
    """
    name = (short(text) or "").strip(" '\"")
    if name.count(",") >= 1:
        first, *rest = [each.strip() for each in name.split(",")]
        rest = [each for each in rest if each and not _CREDENTIAL.fullmatch(each)]
        generation = [each for each in rest if _GENERATION.fullmatch(each)]
        rest = [each for each in rest if each not in generation]
        name = " ".join([*rest[:1], first, *generation]) if len(rest) < 2 else ""
    words = _NOT_LETTERS.sub(" ", fold(name)).strip()
    return name if words not in _NOBODY and is_name(name) else None


def links_of(cell: str, label: str | None = None) -> list[Link]:
    """The addresses in a cell; one that is an address as a whole may lack its scheme.

    >>> [each.url for each in links_of("ada.example, https://b.example/x")]
    ['https://ada.example', 'https://b.example/x']
    """
    links: list[Link] = []
    for piece in _BETWEEN_LINKS.split(cell):
        host = _HOST.match(piece)
        if link := link_of(piece) if host else None:
            links.append(Link(url=link.url, label=label))
        else:
            links += [Link(url=each.url, label=label) for each in links_in(piece)]
    return links


def account_link(cell: str, site: str) -> list[Link]:
    """The links of a cell that may also hold the account's bare name, at ``site``.

    >>> account_link("@ada-byte", "https://github.com/")
    [Link(url='https://github.com/ada-byte', label=None)]
    >>> account_link("linkedin.com/in/ada", "https://www.linkedin.com/in/")[0].url
    'https://linkedin.com/in/ada'
    """
    if links := links_of(cell):
        return links
    shape = _LOGIN if "github" in site else _SLUG if "linkedin" in site else _HANDLE
    match = shape.fullmatch(cell.strip())
    if match and fold(match[1]) not in {"no", "yes", "none", "true", "false", "nan", "null"}:
        return [Link(url=site + match[1])]
    return []


def phones_of(cell: str) -> list[str]:
    """The numbers of a column of numbers: one without its country's code stays as it stands.

    >>> phones_of("+49 30 901820 / 030 901821"), phones_of("n/a")
    (['+49 30 901820', '030 901821'], [])
    """
    phones: list[str] = []
    for piece in _BETWEEN_PHONES.split(cell):
        if whole := phone_of(piece):
            phones.append(whole)
        elif found := phones_in(piece):
            phones += found
        elif (
            _FEWEST_DIGITS <= sum(map(str.isdecimal, piece)) <= 15
            and (number := _DIGITS.search(piece))
            and not _WORD.search(piece)
        ):
            phones.append(number.group())
    return phones


def is_salutation(text: str) -> bool:
    """Whether this is a form of address or an academic title, no occupation."""
    return bool(_SALUTATION.fullmatch(fold(text).strip()))


def years_in(cell: str) -> int | None:
    """Whole years of experience; None for what is no such number.

    >>> years_in("5+ years"), years_in("7.5"), years_in("Senior"), years_in("2019")
    (5, 7, None, None)
    """
    match = _NUMBER.fullmatch(fold(cell).strip())
    return int(match[1]) if match else None


def jobs_in(cell: str) -> Iterator[Job]:
    """The jobs of a history in one cell; what is no entry of a job is passed over.

    >>> [(each.title, each.employer, each.from_date, each.to_date) for each in
    ...     jobs_in("Engineer at Nordlys (2019-2021); Fjordkraft, Analyst, 2016-2018; reads")]
    [('Engineer', 'Nordlys', '2019', '2021'), ('Analyst', 'Fjordkraft', '2016', '2018')]
    """
    for entry in entries_of(cell):
        dated = span_in(entry)
        text = entry
        if dated:
            span, start, end = dated
            text = (entry[:start].rstrip(_ENDS) + " | " + entry[end:].lstrip(_ENDS)).strip(_ENDS)
        parts = [each.strip(_ENDS) for each in _AT.split(text.split(" | ")[0], maxsplit=1)]
        if len(parts) == 1:
            parts = [each for each in _BETWEEN.split(text) if each.strip(_ENDS)][:2]
            if len(parts) < 2 or not (dated or _TRADE.search(text)):
                continue
            if _TRADE.search(parts[1]) and not _TRADE.search(parts[0]):
                parts.reverse()
        title, employer = parts
        if len(title) > 120 or len(employer) > 120:
            continue
        if dated:
            yield Job(
                title=title,
                employer=employer,
                from_date=span.first,
                to_date=span.last,
                is_current=span.is_current,
            )
        else:
            yield Job(title=title, employer=employer)


def education_in(cell: str) -> Iterator[Education]:
    """The entries of an education in one cell, each whole and in the parts that can be told.

    >>> [(each.degree, each.school, each.to_date) for each in
    ...     education_in("MSc Physics, University of Oslo (2012 - 2014)")]
    [('MSc Physics', 'University of Oslo', '2014')]
    """
    for entry in entries_of(cell):
        dated = span_in(entry)
        first, last, text = None, None, entry
        if dated:
            span, start, end = dated
            first, last = (span.first, span.last) if span.last else (None, span.first)
            if span.is_current:
                first, last = span.first, None
            text = f"{entry[:start].rstrip(_ENDS)}, {entry[end:].lstrip(_ENDS)}".strip(_ENDS)
        parts = [
            part
            for each in _AT.split(text)
            for one in _BETWEEN.split(each)
            if (part := one.strip(_ENDS))
        ]
        school = next((each for each in parts if _SCHOOL.search(each)), None)
        degree = next((each for each in parts if _DEGREE.search(each) and each != school), None)
        if school is None and len(parts) == 1 and degree is None:
            school = parts[0]
        rest = [each for each in parts if each not in {school, degree}]
        yield Education(
            text=text,
            school=school,
            degree=degree,
            area=rest[0] if len(rest) == 1 and degree and school else None,
            from_date=first,
            to_date=last,
        )
