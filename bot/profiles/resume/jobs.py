"""Jobs from the lines of a section of experience."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import regex

from bot.profiles.resume.entries import Entry, entries_of
from bot.profiles.resume.lines import Line
from bot.profiles.resume.pieces import (
    is_company,
    is_place_text,
    is_title,
    place_at_end,
    split_at,
)
from storage.records import Job

_SET_APART: Final = regex.compile(
    r"\t|\s*[|｜•·]\s*|\s+[–—-]{1,2}\s+|\s*;\s+|\s+/{2}\s+"
    r"|(?<=[\p{Han}\p{Katakana}]) +(?=\S)|(?<=\S) +(?=[\p{Han}\p{Katakana}])"
)
_NOTHING: Final = regex.compile(
    r"\(?(?:\d+\+?\s*(?:years?|yrs?|months?|mos?|mths?|jahre?n?|monate?n?|ans?|mois|años?|"
    r"mes(?:es)?|ann[io]|mesi|anos?"
    r"|jaar|maanden?|år|mån(?:ader)?|лет|года?|мес\w*)\.?[\s,]*(?:und|and|et|y|e|en)?\s*)+\)?"
    r"|\(?(?:full[- ]?time|part[- ]?time|contract|permanent|temporary|internship|freelance|"
    r"self[- ]employed|vollzeit"
    r"|teilzeit|festanstellung|temps plein|temps partiel|cdi|cdd|jornada completa|tempo pieno|"
    r"tempo integral|voltijd|praktikum)\)?"
    r"|n/?a|present|current",
    regex.IGNORECASE,
)
_OWN_ACCOUNT: Final = regex.compile(
    r"(?i)\(?(?:freelance|self[- ]employed|freiberuflich|selbstständig|indépendante?|autónom[oa]|"
    r"autônom[oa]|libero professionista|zelfstandig)\)?"
)
"""Where somebody works for nobody else, that is what stands for the employer."""
_LABEL: Final = regex.compile(
    r"(?:title|position|role|designation|job title|employer|company|organi[sz]ation|client|"
    r"location|place|city|period|duration"
    r"|dates?|arbeitgeber|firma|unternehmen|ort|zeitraum|poste|entreprise|lieu|puesto|cargo|"
    r"empresa|azienda|luogo|posizione"
    r"|functie|werkgever|bedrijf|plaats)\s*:\s*",
    regex.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Held:
    """Who held what where, as far as the heading of an entry says so."""

    title: str | None = None
    employer: str | None = None
    place: str | None = None


def jobs_of(lines: Sequence[Line]) -> list[Job]:
    """The jobs in the document's order; several roles in a row share the employer above them.

    >>> from bot.profiles.resume.lines import lines_of
    >>> [job] = jobs_of(lines_of("Engineer, Acme, Oslo — Jan 2020 – Present\\n- Built engines"))
    >>> job.title, job.employer, job.place, job.from_date, job.is_current, job.summary
    ('Engineer', 'Acme', 'Oslo', '2020-01', True, 'Built engines')
    """
    jobs: list[Job] = []
    entries = entries_of(lines, _is_complete)
    employer_first = _employer_first(entries)
    for entry in entries:
        above = jobs[-1] if jobs and entry.follows else None
        held = held_of(entry.heads, employer_first=employer_first, has_employer=above is not None)
        if above is not None and held.employer is None:
            held = Held(held.title, above.employer, held.place or above.place)
        if held.title is None and held.employer is None:
            continue
        body, place = _body(entry.body, held.place)
        jobs.append(
            Job(
                employer=held.employer,
                title=held.title,
                from_date=entry.span.first,
                to_date=entry.span.last,
                is_current=entry.span.is_current,
                place=place,
                summary="\n".join(body) or None,
            )
        )
    return jobs


def _body(lines: Sequence[Line], place: str | None) -> tuple[list[str], str | None]:
    """What is told of a job; a first line that is nothing but a place is the place."""
    told = [each.plain for each in lines]
    if told and place is None and not lines[0].bullet and is_place_text(told[0]):
        return told[1:], told[0]
    return told, place


def _is_complete(heads: Sequence[str]) -> bool:
    held = held_of(heads)
    return held.title is not None and held.employer is not None


def _employer_first(entries: Sequence[Entry]) -> bool:
    """Whether the employer mostly stands before the title where both are certain."""
    balance = 0
    for entry in entries:
        pieces = pieces_of(entry.heads)
        titles = [n for n, each in enumerate(pieces) if is_title(each) and not is_company(each)]
        others = [n for n, each in enumerate(pieces) if not is_title(each)]
        if titles and others:
            balance += 1 if others[0] < titles[0] else -1
    return balance > 0


def pieces_of(heads: Sequence[str]) -> list[str]:
    """What is set apart in the lines of a heading, without places, durations and labels.

    >>> pieces_of(["Acme · Full-time", "Engineer\\tOslo, Norway", "2 yrs 3 mos"])
    ['Acme', 'Engineer', 'Oslo, Norway']
    """
    pieces = []
    for head in heads:
        for piece in _SET_APART.split(head):
            text = _LABEL.sub("", piece.strip(" \t,;:")).strip()
            if text and not _NOTHING.fullmatch(text) and regex.search(r"\p{L}", text):
                pieces.append(text)
    return pieces


def held_of(
    heads: Sequence[str], *, employer_first: bool = False, has_employer: bool = False
) -> Held:
    """Title, employer and place of a heading; ``has_employer`` where a line above names it.

    >>> held_of(["Nordlys AS, Bergen", "Senior Engineer"])
    Held(title='Senior Engineer', employer='Nordlys AS', place='Bergen')
    >>> held_of(["Senior Engineer, Platform"], has_employer=True).title
    'Senior Engineer, Platform'
    """
    held = _held_of(heads, employer_first, has_employer)
    if held.employer is not None or held.title is None or has_employer:
        return held
    said = (each.strip() for head in heads for each in _SET_APART.split(head))
    own = next((each.strip("()") for each in said if _OWN_ACCOUNT.fullmatch(each)), None)
    return Held(held.title, own, held.place)


def _held_of(heads: Sequence[str], employer_first: bool, has_employer: bool) -> Held:
    pieces = pieces_of(heads)
    place = next((each for each in pieces[1:] if is_place_text(each)), None)
    pieces = [each for each in pieces if each != place]
    if not pieces:
        return Held(place=place)
    for number, piece in enumerate(pieces):
        if parted := split_at(piece):
            employer, at = place_at_end(parted[1])
            others = pieces[:number] + pieces[number + 1 :]
            if not others or not any(is_company(each) for each in others):
                return Held(parted[0], employer, place or at)
    if len(pieces) == 1:
        return _of_one(pieces[0], place, has_employer=has_employer)
    return _of_several(pieces, place, employer_first=employer_first)


def _of_one(piece: str, place: str | None, *, has_employer: bool) -> Held:
    text, at = (piece, None) if place else place_at_end(piece)
    place = place or at
    parts = [part for each in text.split(",") if (part := each.strip())]
    if has_employer and is_title(text):
        return Held(text, None, place)
    if len(parts) > 1:
        titled = next((n for n, each in enumerate(parts) if is_title(each)), None)
        if titled == 0:
            last = len(parts) - 1 if len(parts) > 2 and _is_suffix(parts[-1]) else len(parts)
            first = max(1, min(_first_company(parts), last))
            return Held(", ".join(parts[:first]), ", ".join(parts[first:]) or None, place)
        if titled is not None:
            return Held(", ".join(parts[titled:]), ", ".join(parts[:titled]), place)
        if (first := _first_company(parts)) < len(parts) and is_company(parts[first]):
            return Held(", ".join(parts[:first]), ", ".join(parts[first:]), place)
    if is_title(text) and not (is_company(text) and not _ends_as_title(text)):
        return Held(text, None, place)
    return Held(None, text, place)


def _first_company(parts: Sequence[str]) -> int:
    """Where in ``Engineer, Platform, Acme Inc.`` the employer begins."""
    return next(
        (n for n, each in enumerate(parts) if n and is_company(each) and not _is_suffix(each)), 1
    )


def _is_suffix(part: str) -> bool:
    return regex.fullmatch(r"(?i)(?:inc|llc|ltd|gmbh|corp|co|s\.?a|ag)\.?", part) is not None


def _ends_as_title(text: str) -> bool:
    return is_title(text.rsplit(maxsplit=1)[-1])


def _of_several(pieces: Sequence[str], place: str | None, *, employer_first: bool) -> Held:
    titles = [each for each in pieces if is_title(each)]
    sure = [each for each in titles if not is_company(each) or _ends_as_title(each)]
    title = next(iter(sure or titles), None)
    others = [each for each in pieces if each != title]
    employer = next((each for each in others if is_company(each)), None)
    if title is None and employer is not None:
        title = next(each for each in pieces if each != employer)
    elif title is None:
        employer, title = (pieces[0], pieces[1]) if employer_first else (pieces[1], pieces[0])
    elif employer is None:
        untitled = [each for each in others if not is_title(each)]
        employer = next(iter(untitled or others), None)
        if (
            employer
            and not untitled
            and employer_first
            and pieces.index(title) < pieces.index(employer)
        ):
            title, employer = employer, title
    if employer is not None:
        employer, at = place_at_end(employer)
        place = place or at
    if title is not None:
        title, at = place_at_end(title)
        place = place or at
    return Held(title, employer, place)
