"""Skills, spoken languages, certificates and publications from the lines of their sections."""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from typing import Final

import regex
from babel import Locale

from bot.profiles.contacts import links_in
from bot.profiles.dates import LOCALES, span_in
from bot.profiles.resume.entries import without
from bot.profiles.resume.headings import Section, heading_of
from bot.profiles.resume.lines import BULLETS, Line
from storage.records import Certificate, Language, Publication
from storage.search.folding import fold

_ITEMS: Final = regex.compile(r"\s*(?:[,;•·|\t、，；▪●]|\s/\s|\s[–—-]\s)\s*(?![^()]*\))")
_LABEL: Final = regex.compile(r"([^:：,]{2,45})[:：]\s*(.*)")
_LEVELS: Final = (
    "native|mother tongue|bilingual|fluent|fluency|proficient|proficiency|advanced|"
    "intermediate|basic|beginner|elementary"
    "|conversational|professional|working|limited|full|good|excellent|expert|novice|upper|pre|"
    "very good|business|knowledge"
    "|muttersprache|muttersprachler|fliessend|verhandlungssicher|grundkenntnisse|gut|sehr gut|"
    "konversationssicher|fortgeschritten"
    "|langue maternelle|maternelle|courant|bilingue|intermediaire|debutant|notions|avance|"
    "scolaire|lu|natif"
    "|nativo|nativa|lengua materna|fluido|avanzado|intermedio|basico|alto|medio|bajo|"
    "madrelingua|fluente|buono|ottimo|scolastico"
    "|intermediario|avancado|moedertaal|vloeiend|goed|basis|uitstekend|modersmal|flytande|"
    "родной|свободно|разговорный"
    "|母语|母語|流利|熟练|精通|良好|cet-?[46]|ネイティブ|원어민"
)
_LEVEL: Final = regex.compile(rf"\b(?:{_LEVELS}|[abc][12](?:\.\d)?\b)", regex.IGNORECASE)
_SKILL_LEVEL: Final = regex.compile(
    r"\s*\((?:[^()]*\b(?:expert|advanced|intermediate|basic|beginner|proficient|familiar|"
    r"years?|yrs?|jahre?|fortgeschritten"
    r"|grundkenntnisse|sehr gut|gut|avancé|débutant|intermédiaire|avanzado|intermedio|básico|"
    r"months?)\b[^()]*)\)"
    r"|\s*\b(?:\d{1,3}\s?%|\d{1,2}\s?/\s?(?:5|10)|\d+\+?\s*(?:years?|yrs?))\s*$",
    regex.IGNORECASE,
)
_INTRODUCTION: Final = regex.compile(
    r"^(?:(?:proficient|experienced|skilled|fluent|familiar|expert|knowledge|experience|"
    r"competent|well versed)\s+"
    r"(?:in|with|of)|and|und|et|y|e|etc\.?)\s+",
    regex.IGNORECASE,
)
LONGEST: Final = 60
"""Characters of a skill; what is longer is prose."""


def skills_of(lines: Iterable[Line]) -> tuple[list[str], list[Language]]:
    """The skills in the document's wording, and languages spoken that stand among them.

    >>> from bot.profiles.resume.lines import lines_of
    >>> said = "Languages: Python, Go (5 years)\\n• AWS (EC2, S3)\\nLanguages: Dutch (C1)"
    >>> skills_of(lines_of(said))
    (['Python', 'Go', 'AWS (EC2, S3)'], [Language(name='Dutch', level='C1')])
    """
    skills: list[str] = []
    languages: list[Language] = []
    for line in lines:
        text = line.text
        parts = line.parts
        if len(parts) == 2 and _is_labelled(*parts):
            text = f"{parts[0].rstrip(': ')}: {parts[1]}"
        label = _LABEL.fullmatch(text)
        if label and not label[1].lower().startswith("http"):
            text = label[2]
            spoken = languages_of([Line(text)]) if heading_of(label[1]) is Section.LANGUAGES else []
            if spoken and all(each.name for each in spoken):
                languages += spoken
                continue
            if not text:
                continue
        skills += [skill for each in _ITEMS.split(text) if (skill := _skill(each))]
    return skills, languages


def _is_labelled(label: str, items: str) -> bool:
    """Whether what is set apart on a line is a label and a list: ``Sprachen    Deutsch``."""
    if len(label) > 45 or "," in label or ";" in label:
        return False
    return "," in items or ";" in items or heading_of(label) is Section.LANGUAGES


def _skill(text: str) -> str | None:
    text = _SKILL_LEVEL.sub("", text.strip(f" \t.…{BULLETS}{'–—'}"))
    text = _INTRODUCTION.sub("", text).strip(" \t:")
    if text.count("(") != text.count(")"):
        text = text.strip("()")
    if not text or len(text) > LONGEST or len(text.split()) > 7 or not regex.search(r"\p{L}", text):
        return None
    return None if regex.fullmatch(rf"(?i)(?:{_LEVELS})", fold(text)) else text


def languages_of(lines: Sequence[Line]) -> list[Language]:
    """The languages that are spoken, with their level in the document's words.

    >>> from bot.profiles.resume.lines import lines_of
    >>> said = "English (native), Deutsch – B2\\nFrançais    courant\\nSuomi\\nFluent"
    >>> [(each.name, each.level) for each in languages_of(lines_of(said))]
    [('English', 'native'), ('Deutsch', 'B2'), ('Français', 'courant'), ('Suomi', 'Fluent')]
    """
    found: list[Language] = []
    pieces = [
        each
        for line in lines
        for piece in regex.split(r"[,;•·|/\n、，；](?![^()]*\))|\t", line.text)
        for each in _language_by_language(piece.strip(" .\t"))
    ]
    is_list = any(map(_language_at_start, pieces))
    for piece in pieces:
        levelled = _LEVELLED.fullmatch(piece) if is_list else None
        if levelled and _LEVEL.match(fold(levelled["level"])) and not _language_at_start(piece):
            found.append(Language(name=levelled["name"], level=levelled["level"]))
        else:
            _take_language(piece, found)
    return found


_LEVELLED: Final = regex.compile(
    r"(?P<name>\p{Lu}[\p{L}\p{M}'’-]*(?: [\p{L}'’-]+){0,2})"
    r"(?:\s*[:–—]\s*|\s+-\s+|\s*[(\[])(?P<level>[^()\[\]]{2,40})[)\]]?"
)
"""A language that the table below does not know, among others that it knows: ``Twi – native``."""


def _language_by_language(piece: str) -> list[str]:
    """``German – native English – fluent`` in two; a narrow column runs them together."""
    if _language_at_start(piece) is None:
        return [piece]
    starts = [0]
    for match in regex.finditer(r"(?<=[\p{L}\d)]) (?=\p{Lu})", piece):
        rest = piece[match.end() :]
        name = _language_at_start(rest)
        if name and regex.match(r"\s*[–—:(-]", rest[len(name) :]):
            starts.append(match.end())
    return [piece[one:two].strip() for one, two in pairwise([*starts, len(piece)])]


def _take_language(piece: str, found: list[Language]) -> None:
    named = _language_at_start(piece)
    if named is None:
        if found and found[-1].level is None and _LEVEL.search(fold(piece)) and len(piece) < 60:
            found[-1] = Language(name=found[-1].name, level=_bare(piece))
        else:
            _take_named_at_end(piece, found)
        return
    names = [named]
    rest = piece[len(named) :]
    while match := regex.match(r"\s*(?:and|und|et|y|e|en|&)\s+", rest):
        other = _language_at_start(rest[match.end() :])
        if other is None:
            break
        names.append(other)
        rest = rest[match.end() + len(other) :]
    level = _bare(rest) or None
    if level and len(level) > 80:
        level = None
    found += [Language(name=name, level=level) for name in names]


def _bare(level: str) -> str:
    """A level without what sets it apart: ``(C1)``, ``– fluent (C1)``."""
    text = level.strip(" –—-:.=")
    if bracket := regex.fullmatch(r"[(\[]([^()]*)[)\]]", text):
        text = bracket[1]
    return text if text.count("(") == text.count(")") else text.strip("()")


def _take_named_at_end(piece: str, found: list[Language]) -> None:
    """``Fluent in Spanish``, ``Native Dutch``."""
    match = regex.fullmatch(
        r"(?P<level>.{2,40}?)(?:\s*[:–—-]\s*|\s+(?:in\s+)?)(?P<name>\p{L}+)", piece
    )
    if match and _LEVEL.search(fold(match["level"])) and _language_at_start(match["name"]):
        found.append(Language(name=match["name"], level=match["level"].removesuffix(" in")))


def _language_at_start(text: str) -> str | None:
    words = text.split(" ")
    for count in (3, 2, 1):
        candidate = " ".join(words[:count]).rstrip(":–—-(,.")
        if candidate and fold(candidate) in _language_names():
            return candidate
    match = regex.match(r"[\p{L}]+", text)
    return match[0] if match and fold(match[0]) in _language_names() else None


@cache
def _language_names() -> frozenset[str]:
    """Names of languages in the languages of ``LOCALES`` and some others, folded (CLDR's)."""
    names = {
        "mandarin",
        "cantonese",
        "farsi",
        "tagalog",
        "mandarin chinese",
        "flemish",
        "castellano",
    }
    codes = _SPOKEN.split()
    for locale in (*LOCALES, "zh", "ja", "ko"):
        table = Locale(locale).languages
        names |= {fold(name) for code in codes if (name := table.get(code))}
    return frozenset(names)


_SPOKEN: Final = (
    "en de fr es it pt nl sv da nb nn no fi is pl cs sk sl hr sr bs mk bg ro hu tr ru uk be "
    "el sq et lv lt ga cy mt eu ca gl lb "
    "zh yue ja ko vi th id ms tl fil hi bn ur pa gu mr ta te kn ml si ne fa ps ku ar he am sw "
    "zu xh af yo ig ha so ka hy az "
    "kk uz mn km lo my eo la gsw pt_BR "
    "mi sm to haw fj br gd gv kw co oc sc fur wo bm ff ak tw ee ln lg rw rn sn ny st tn ts "
    "ss ve nd mg ti om qu ay gn ht jv su ceb ilo bo ug tt ba cv tg tk ky as or sa sd mai "
    "bho yi fo se fy rm sw kmr ckb"
)


def certificates_of(lines: Sequence[Line]) -> list[Certificate]:
    """The certificates, one a line or bullet.

    >>> from bot.profiles.resume.lines import lines_of
    >>> certificates_of(lines_of("- CKA, The Linux Foundation (2020)"))
    [Certificate(name='CKA', issuer='The Linux Foundation', date='2020')]
    """
    found: list[Certificate] = []
    for line in lines:
        date = None
        text = line.text
        if dates := span_in(text):
            date = dates[0].first
            text = without(text, *dates[1:])
        text = regex.sub(r"https?://\S+", "", text)
        pieces = next(
            (
                [each.strip(" ,;.") for each in parts]
                for apart in _ISSUED_BY
                if len(parts := apart.split(text)) > 1 and not _GRADE.match(parts[-1])
            ),
            [text.strip(" ,;.")],
        )
        pieces = [each for each in pieces if regex.search(r"\p{L}", each)]
        if len(pieces) == 2 and _GRADE.fullmatch(pieces[1]):
            pieces = [text.strip(" ,;.")]
        if not pieces and found and date and found[-1].date is None:
            found[-1] = Certificate(name=found[-1].name, issuer=found[-1].issuer, date=date)
        elif pieces and len(pieces[0]) <= 150:
            found.append(Certificate(name=pieces[0], issuer=_issuer(pieces), date=date))
    return found


def _issuer(pieces: Sequence[str]) -> str | None:
    issuer = next(iter(pieces[1:]), None)
    return issuer and _BY.sub("", issuer)


_ISSUED_BY: Final = (
    regex.compile(r"\t|\s*[|·]\s*"),
    regex.compile(r",\s+(?=\p{Lu}[^,]*$)"),
    regex.compile(r"\s+[–—-]\s+(?=[^–—]*$)"),
)
_GRADE: Final = regex.compile(
    r"(?i)(?:associate|professional|expert|practitioner|specialty|specialist|foundations?|"
    r"fundamentals|advanced|intermediate|basic|level|stufe|niveau|nivel|livello|\p{Lu}\d|[IV]+)\b"
)
"""``AWS Certified Solutions Architect – Associate``: a grade behind the dash, no issuer."""
_BY: Final = regex.compile(r"(?i)^(?:issued by|issuer:?|by)\s+")


_NUMBER: Final = regex.compile(
    r"(?:^|(?<=\s))(?:\[(\d{1,3})\]|(\d{1,3})\.)\s+(?=[\p{Lu}\p{Lo}“\"„«])"
)


def _numbered(lines: Sequence[Line]) -> list[str]:
    """The items of a list that is numbered from 1 on, wherever its lines end; else nothing."""
    text = " ".join(line.plain for line in lines)
    starts: list[regex.Match[str]] = []
    for match in _NUMBER.finditer(text):
        if int(match[1] or match[2]) == len(starts) + 1:
            starts.append(match)
    if not starts or starts[0].start():
        return []
    ends = [*(each.start() for each in starts[1:]), len(text)]
    return [text[one.end() : end].strip() for one, end in zip(starts, ends, strict=True)]


def publications_of(lines: Sequence[Line]) -> list[Publication]:
    """The publications, one a line, bullet or wrapped paragraph.

    >>> from bot.profiles.resume.lines import lines_of
    >>> publications_of(lines_of("• A. Byte: “On Engines”, Journal of Gears, 2019."))
    [Publication(title='On Engines', publisher=None, date='2019', url=None)]
    """
    found = []
    for text in _numbered(lines) or [line.plain for line in lines]:
        if len(text) < 12:
            continue
        dates = span_in(text)
        link = next(iter(links_in(text)), None)
        quoted = regex.search(r"[“\"„«]([^”\"“»]{8,})[”\"“»]", text)
        title = quoted[1] if quoted else text
        if not quoted and dates and dates[2] >= len(text) - 2:
            title = without(text, *dates[1:]).replace("\t", " ")
        if link is not None and not quoted:
            title = regex.sub(r"(?:https?://|www\.)\S+", "", title)
        found.append(
            Publication(
                title=title.strip(" .,"),
                date=dates[0].first if dates else None,
                url=link.url if link else None,
            )
        )
    return found
