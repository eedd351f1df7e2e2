"""Studies from the lines of a section of education."""

from collections.abc import Sequence
from typing import Final

import regex

from bot.profiles.resume.entries import Entry, entries_of
from bot.profiles.resume.jobs import pieces_of
from bot.profiles.resume.lines import Line
from bot.profiles.resume.pieces import is_degree, is_place_text, is_school, place_at_end
from storage.records import Education
from storage.search.folding import fold

_OF: Final = regex.compile(
    r"\s+(?:in|en|em|im fach|im studiengang|i|di|de la)\s+(?=[\p{Lu}\p{Lo}])|\s*[:(]\s*",
    regex.IGNORECASE,
)
_SHORT_DEGREE: Final = regex.compile(
    r"(?P<degree>(?:[BM]\.?\s?(?:Sc|A|S|Eng|Tech|Ed|E|Com)\.?(?:\s?\(?Hons\.?\)?)?|"
    r"Ph\.?\s?D\.?|MBA|M\.?Phil\.?|Diplom|Magister"
    r"|(?:Master|Bachelor) of (?:Science|Arts|Engineering|Education|Laws|Technology|Commerce|"
    r"Fine Arts"
    r"|Business Administration)|Licence|Master|Bachelor|Mestrado|Doctorat|Laurea(?: "
    r"[Mm]agistrale| [Tt]riennale)?|"
    r"Grado|Licenciatura|Dr\.))\s+(?P<area>\p{Lu}.+)"
)
_GRADE: Final = regex.compile(
    r"^[\s(]*(?:c?gpa|grades?|grade point average|note|abschlussnote|gesamtnote|average|score|"
    r"percentage|marks?|mention|nota|voto|media|thesis"
    r"|relevant coursework|coursework|courses|minor|major|honou?rs|summa|magna|cum laude|"
    r"first class|distinction|with "
    r"|expected|\d+([.,]\d+)?\s*(?:%|/))\b.*",
    regex.IGNORECASE,
)


def education_of(lines: Sequence[Line]) -> list[Education]:
    """The studies in the document's order.

    >>> from bot.profiles.resume.lines import lines_of
    >>> [study] = education_of(lines_of("ETH Zürich    2012 – 2016\\nB.Sc. in Physics"))
    >>> study.school, study.degree, study.area, study.from_date, study.to_date
    ('ETH Zürich', 'B.Sc.', 'Physics', '2012', '2016')
    """
    found = []
    above: Education | None = None
    for entry in entries_of(lines, _is_complete):
        study = _study(entry)
        if study is None:
            continue
        if entry.follows and study.school is None and above is not None and study.degree:
            study = Education(
                text=study.text, school=above.school, area=study.area, degree=study.degree,
                from_date=study.from_date, to_date=study.to_date,
            )  # fmt: skip
        found.append(study)
        above = study
    return found


def _is_complete(heads: Sequence[str]) -> bool:
    text = "\t".join(heads)
    return is_school(text) and is_degree(text)


def _study(entry: Entry) -> Education | None:
    pieces = [each for each in pieces_of(entry.heads) if not _GRADE.match(each)]
    if not _is_complete(entry.heads):
        pieces += _completing(entry.body, pieces)
    pieces = [each for each in pieces if not is_place_text(each) or is_school(each)]
    if not pieces:
        return None
    text = ", ".join(pieces)
    degree, school, area = parts_of_study(pieces)
    first, last = entry.span.first, entry.span.last
    if last is None and not entry.span.is_current:
        first, last = None, first  # one year is that of the degree
    return Education(
        text=text, school=school, area=area, degree=degree, from_date=first, to_date=last
    )


def _completing(body: Sequence[Line], pieces: Sequence[str]) -> list[str]:
    """A degree or school that stands below its date as a bullet."""
    text = "\t".join(pieces)
    for line in body[:2]:
        if len(line.plain) < 100 and not line.plain.endswith("."):
            if not is_degree(text) and is_degree(line.plain) and not _GRADE.match(line.plain):
                return pieces_of([line.text])
            if not is_school(text) and is_school(line.plain) and not _GRADE.match(line.plain):
                return pieces_of([line.text])
    return []


def parts_of_study(pieces: Sequence[str]) -> tuple[str | None, str | None, str | None]:
    """Degree, school and area of an entry.

    >>> parts_of_study(["Bachelor of Science in Physics, University of Oslo, Norway"])
    ('Bachelor of Science', 'University of Oslo', 'Physics')
    >>> parts_of_study(["Nordlys College", "Master's degree, Informatics"])
    ("Master's degree", 'Nordlys College', 'Informatics')
    """
    split = [part for each in pieces for part in _by_kind(each)]
    degree = next((each for each in split if is_degree(each) and not is_school(each)), None)
    if degree is None:
        degree = next(
            (each for each in split if is_degree(each) and _begins_with_degree(each)), None
        )
    rest = [each for each in split if each != degree and not _GRADE.match(each)]
    school = next((each for each in rest if is_school(each)), None)
    rest = [each for each in rest if each != school and not is_place_text(each)]
    if school is None and rest:
        school = rest.pop(0) if degree is not None and len(pieces) > 1 else rest.pop(-1)
    area = None
    if degree is not None:
        degree, area = _degree_and_area(degree)
    area = area or next(iter(rest), None)
    if school is not None:
        school = place_at_end(school)[0]
    return degree, school, area


def _begins_with_degree(text: str) -> bool:
    return is_degree(" ".join(text.split()[:2]))


def _by_kind(piece: str) -> list[str]:
    """``Degree, area, school, place`` parted; names with commas of one kind stay whole."""
    if not (is_degree(piece) or is_school(piece)) or "," not in piece:
        return [piece]
    parts = [part for each in piece.split(",") if (part := each.strip())]
    kinds = {(is_degree(each), is_school(each)) for each in parts}
    if is_school(piece) and not is_degree(piece) and kinds == {(False, True)}:
        return [piece]
    if is_school(piece) and not is_degree(piece):
        return [place_at_end(piece)[0]] if is_school(parts[0]) else parts
    return parts


def _degree_and_area(text: str) -> tuple[str, str | None]:
    """A degree, and what it is in where it says so.

    >>> _degree_and_area("B.Sc. Informatik"), _degree_and_area("Licenciatura en Historia")
    (('B.Sc.', 'Informatik'), ('Licenciatura', 'Historia'))
    """
    match = _OF.search(text)
    if match and is_degree(text[: match.start()]) and fold(text[match.end() :]):
        area = text[match.end() :].strip(" ).,")
        if area and not _GRADE.match(area):
            return text[: match.start()].strip(" ,"), area
    short = _SHORT_DEGREE.fullmatch(text)
    if short and not is_degree(short["area"]) and not short["area"].lower().startswith("of "):
        return short["degree"], short["area"].strip(" ).,")
    return text, None
