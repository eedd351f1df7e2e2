"""The opening of a résumé: whose it is, the person's headline, and where from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import regex

from bot.profiles.contacts import links_in
from bot.profiles.dates import span_in
from bot.profiles.resume.headings import heading_of
from bot.profiles.resume.lines import Line
from bot.profiles.resume.pieces import (
    is_company,
    is_degree,
    is_place_text,
    is_title,
    place_at_end,
    split_at,
)
from bot.profiles.sensitive import is_sensitive
from bot.profiles.stated import is_name
from storage.places import country_named, is_large_city
from storage.search.folding import fold

_APART: Final = regex.compile(r"\t|\s*[|｜•·●▪;]\s*|\s+[–—]\s+|\s{3,}")
_WANTED: Final = regex.compile(
    r"^(?:求职意向|应聘职位|应聘岗位|期望职位|目标职位|职位|希望職種|職種)\s*[:：]\s*(?P<title>.+)$"
)
"""Above a Chinese or Japanese résumé stands the position as which somebody works or wants to."""
_PAPER: Final = regex.compile(
    r"(?i)^(?:curriculum\s+vit(?:ae|æ)|c\.?v\.?|r[eé]sum[eé]|lebenslauf|hoja de vida|"
    r"currículum|curriculo|currículo)"
    r"\b\s*(?:of|von|de|di|van|for|–|—|-|:)?\s*|\s*[–—|-]?\s*\b(?:curriculum\s+vit(?:ae|æ)|"
    r"r[eé]sum[eé]|lebenslauf|c\.?v\.?)$"
)
_LABELLED: Final = regex.compile(
    r"(?i)^(?:(?:full|first|candidate'?s?|vollständiger)?\s*name|nom(?: et prénom)?|nombre(?: "
    r"y apellidos)?|nome(?: e cognome)?"
    r"|naam|namn|navn|vor- und nachname|姓名|氏名|이름|имя|фио)\s*[:：]\s*(.+)$"
)
_ADDRESS: Final = regex.compile(
    r"(?i)^(?:address|location|city|residence|based in|lives in|anschrift|adresse|wohnort|ort|"
    r"adresse postale|ville|dirección|domicilio"
    r"|ciudad|residencia|ubicación|indirizzo|residenza|città|morada|endereço|localidade|"
    r"cidade|adres|woonplaats|adress|bostad)\s*[:：]?\s+(.+)$"
    r"|^(?:现居(?:住地)?|居住地|所在地|所在城市|地址|城市|住所|現住所)\s*[:：]?\s*(.+)$"
)
_BEFORE: Final = regex.compile(
    r"(?i)^(?:(?:dr|prof|mr|mrs|ms|miss|herr|frau|dipl|ing|mme|sr|sra|dott|dottssa|ir|drs|m|"
    r"eng)\.(?:\s*-?\s*)|(?:mr|mrs|ms|dr|herr|frau)\s+"
    r"|dipl\.?-\s?(?:ing|inf|kfm|phys|math)\.?\s*)+"
)
_AFTER: Final = regex.compile(
    r",?\s+(?:Ph\.?D\.?|M\.?Sc\.?|B\.?Sc\.?|MBA|M\.?D\.?|PMP|CPA|CFA|MSc\.?|M\.?A\.?|P\.?E\.?|"
    r"LL\.?M\.?|RN|Esq\.?|B\.?Eng\.?|M\.?Eng\.?|Dr\.)"
    r"(?:,?\s+\w[\w.]{1,4})?$|,\s*(?:\p{Lu}\.?){2,5}$|\s*\((?:he|she|they)/[^)]*\)$"
)
_SURNAME_FIRST: Final = regex.compile(
    r"(\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?),\s+(\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}.]*)?)"
)
_SMALL: Final = frozenset({
    "af", "al", "ap", "av", "bin", "da", "das", "de", "del", "della", "den", "der", "di", "do",
    "dos", "du", "e", "el", "ibn", "la", "le", "of", "san", "st", "ten", "ter", "the", "van",
    "von", "y", "zu", "zum", "zur",
})  # fmt: skip
_STREET: Final = regex.compile(
    r"(?i)\b(?:street|st\.|road|rd\.|avenue|ave\.?|lane|drive|blvd|stra(?:ß|ss)e|str\.|weg|"
    r"platz|allee|gasse|rue|calle|via|rua|straat|plaza|avenida)\b"
    r"|\p{L}(?:straße|strasse|str\.|straat|weg|gasse|platz)\s*\d|^\d+\s+\p{L}|"
    r"\p{L}\s+\d+\s*\p{L}?$"
)
_NOT_NAMES: Final = frozenset({
    "about", "abstract", "address", "agenda", "agreement", "and", "apellido", "apellidos",
    "application", "chapter", "company", "confidential", "contact", "contents", "curriculum", "cv",
    "data", "dear", "email", "experience", "first", "firstname", "for", "full", "guide", "hello",
    "introduction", "invoice", "job", "last", "lastname", "lebenslauf", "letter", "manual",
    "meeting", "minutes", "mobile", "mustermann", "nachname", "new", "notes", "offer", "our",
    "overview", "page", "phone", "position", "prenom", "profile", "project", "report",
    "requirements", "resume", "skills", "summary", "surname", "table", "team", "tel", "telephone",
    "template", "the", "this", "vitae", "vorname", "website", "with", "year", "years", "your",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Opening:
    """What stands above the first heading, as far as it is understood."""

    name: str | None = None
    headline: str | None = None
    place: str | None = None
    prose: tuple[str, ...] = ()


def opening_of(lines: Sequence[Line], email: str | None = None) -> Opening:
    """Name, headline, place and paragraphs of the lines without a heading.

    >>> from bot.profiles.resume.lines import lines_of
    >>> opening_of(lines_of("ADA BYTE\\nSoftware Engineer\\nOslo, Norway | ada@byte.example"))
    Opening(name='Ada Byte', headline='Software Engineer', place='Oslo, Norway', prose=())
    """
    pieces = [(piece, line) for line in lines for piece in _pieces(line)]
    name, source = _name(pieces, email)
    headline, place, prose = None, None, []
    for piece, _ in pieces:
        if piece == source:
            continue
        if headline is None and (wanted := _WANTED.match(piece)):
            headline = wanted["title"]
        place = place or _place(piece)
        if _is_prose(piece):
            prose.append(piece)
        elif headline is None and _is_headline(piece):
            headline, at = place_at_end(piece)
            place = place or at
    return Opening(name, headline, place, tuple(prose))


def held_at_the_top(headline: str | None) -> tuple[str | None, str | None]:
    """The title of a headline that is one, and the employer where it names one.

    >>> held_at_the_top("Engineer at Nordlys"), held_at_the_top("Registered Nurse")
    (('Engineer', 'Nordlys'), ('Registered Nurse', None))
    >>> held_at_the_top("Engineer who ships, and mends what others have shipped")
    (None, None)
    """
    text = headline or ""
    if len(text.split()) > _LONGEST_TITLE:
        return None, None
    if parted := split_at(text):
        return parted if "|" not in text else (None, None)
    return (text, None) if is_title(text) and not regex.search(r"[|.;!?]", text) else (None, None)


_LONGEST_TITLE: Final = 8
"""Words; a longer headline is a sentence."""


def _pieces(line: Line) -> list[str]:
    whole = line.plain
    if _is_prose(whole):
        return [whole]
    text = _HAN_LABELS.sub("\t", _CONTACTS.sub(r"\t\g<0>\t", line.text))
    return [piece for each in _APART.split(text) if (piece := each.strip(" ,"))]


_HAN_LABELS: Final = regex.compile(r"\s+(?=[\p{Han}]{2,5}\s*[:：])")
_CONTACTS: Final = regex.compile(
    r"(?i)(?<!\S)(?:\p{L}+[:：]\s*)?(?:[^\s@,;|]+@[^\s@,;|]+\.\p{L}+|\+\d[\d ().-]{6,}\d"
    r"|(?:https?://|www\.|(?:github|linkedin)\.com/)[^\s,;|]+)(?!\S)"
)
"""What stands beside the place in a row of contacts, with no more than a blank between them."""


def _is_prose(text: str) -> bool:
    return len(text.split()) > 11 and not _has_contact(text)


def _has_contact(text: str) -> bool:
    return "@" in text or bool(links_in(text)) or len(regex.findall(r"\d", text)) >= 7


def _is_headline(piece: str) -> bool:
    if _has_contact(piece) or is_place_text(piece) or is_sensitive(piece) or heading_of(piece):
        return False
    if _STREET.search(piece) or _ADDRESS.match(piece) or span_in(piece) or ":" in piece:
        return False
    return is_title(piece) and len(piece) <= 200


def _place(piece: str) -> str | None:
    """The place that a piece names, without street and postal code."""
    labelled = _ADDRESS.match(piece)
    text = labelled[1] or labelled[2] if labelled else piece
    if "@" in text or len(text) > 120 or is_sensitive(piece):
        return None
    if is_place_text(text):
        return _without_code(text)
    parts = [part for each in text.split(",") if (part := _without_code(each.strip()))]
    streets = [number for number, each in enumerate(parts) if _STREET.search(each)]
    if streets and streets[-1] + 1 < len(parts):
        rest = ", ".join(parts[streets[-1] + 1 :])
        return rest if is_place_text(rest) else None
    if labelled and not streets and not regex.search(r"\d{3}", text):
        return text if is_place_text(parts[-1]) else None
    rest, place = place_at_end(", ".join(parts))
    return place if place and (regex.search(r"\d", rest) or _STREET.search(rest)) else None


def _without_code(text: str) -> str:
    """``0150 Oslo`` and ``CA 94107`` without the code."""
    return regex.sub(r"(?:\b[A-Z]{1,2}-)?\b\d{4,6}(?:-\d{3,4})?\b\s*", "", text).strip(" ,")


def _name(pieces: Sequence[tuple[str, Line]], email: str | None) -> tuple[str | None, str | None]:
    """The most likely name, and the piece that it stands in."""
    best: tuple[float, str, str] | None = None
    largest = max((line.size for _, line in pieces), default=0.0)
    for number, (piece, line) in enumerate(pieces[:40]):
        labelled = _LABELLED.match(piece)
        text = _cleaned(labelled[1] if labelled else piece)
        if not may_be_name(text):
            continue
        likely = 2.0 - 0.08 * number + (3.0 if labelled else 0.0)
        likely += 1.5 if largest and line.size >= 0.95 * largest else 0.0
        likely += 0.5 if line.bold or line.level == 1 else 0.0
        likely += 2.0 * _agreement(text, email)
        likely -= 1.5 if is_place_text(text) else 0.0
        likely -= 0.5 if line.bullet else 0.0
        if len(text.split()) == 1 and regex.search(r"\p{Latin}", text):
            continue
        if best is None or likely > best[0]:
            best = likely, text, piece
    if best is None or best[0] < 0.4:
        return None, None
    return _cased(best[1]), best[2]


def _cleaned(piece: str) -> str:
    text = _PAPER.sub("", piece.strip())
    text = _AFTER.sub("", _AFTER.sub("", _BEFORE.sub("", text)))
    match = _SURNAME_FIRST.fullmatch(text)
    if match and not (is_large_city(match[2]) or country_named(match[2])):
        return f"{match[2]} {match[1]}"
    return text.strip(" ,")


def may_be_name(text: str) -> bool:
    """Whether a text looks as names are written, and is no title, place, company or heading.

    >>> [may_be_name(each) for each in ("Ada Byte", "Anna van der Berg", "王磊", "JOSÉ NUÑEZ")]
    [True, True, True, True]
    >>> [may_be_name(each) for each in ("Software Engineer", "Acme GmbH", "Our Team", "dear ada")]
    [False, False, False, False]
    """
    if not is_name(text) or heading_of(text) or is_sensitive(text):
        return False
    if regex.fullmatch(
        r"[\p{Han}·・]{2,8}|[\p{Han}\p{Hiragana}\p{Katakana}]{1,8}[ "
        r"　]?[\p{Han}\p{Hiragana}\p{Katakana}]{1,8}|[\p{Hangul} ]{2,6}",
        text,
    ):
        return True
    words = [
        each for each in regex.split(r"[\s,]+", text.replace("(", " ").replace(")", " ")) if each
    ]
    if not 1 <= len(words) <= 6 or "," in text or "&" in text:
        return False
    if any(fold(each).strip(".") in _NOT_NAMES for each in words):
        return False
    if is_title(text) or is_company(text) or is_degree(text):
        return False
    return all(fold(each) in _SMALL or _is_name_word(each) for each in words)


def _is_name_word(word: str) -> bool:
    if not regex.search(r"\p{Latin}|\p{Cyrillic}|\p{Greek}", word):
        return bool(regex.fullmatch(r"[\p{L}\p{M}'’.\"-]+", word))
    return bool(
        regex.fullmatch(
            r"[\"“']?\p{Lu}(?:[\p{L}\p{M}'’.\"”-]*)|[dlO]['’]\p{Lu}[\p{L}\p{M}-]+|al-\p{L}+", word
        )
    )


def _agreement(name: str, email: str | None) -> float:
    """How much of the name stands in the address, from 0 to 1."""
    if not email:
        return 0.0
    local = regex.sub(r"[^a-z]", "", fold(email.split("@")[0]))
    words = [regex.sub(r"[^a-z]", "", fold(each)) for each in name.split()]
    words = [each for each in words if len(each) > 2]
    return sum(1 for each in words if each in local) / len(words) if words else 0.0


def _cased(name: str) -> str:
    """``ADA BYTE`` as ``Ada Byte``; other spellings stay."""
    if not name.isupper() or not regex.search(r"\p{Latin}|\p{Cyrillic}|\p{Greek}", name):
        return name
    return regex.sub(r"\p{L}[\p{L}\p{M}]+", lambda match: match[0][0] + match[0][1:].lower(), name)
