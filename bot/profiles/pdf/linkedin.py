"""LinkedIn's “Save to PDF”: contact, skills and languages beside, jobs by the size of their lines.

In the main flow the name comes first, then the headline and the place. In the sections a line of
the largest size names an employer or a school, a smaller one a title, and the text is smaller
still: that holds in every language of the site. Several roles at one employer follow each other
below its name and the duration of all of them.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import regex

from bot.profiles.contacts import emails_in, link_of, linkedin_slug, phones_in
from bot.profiles.dates import Span, span_in
from bot.profiles.format import PersonPage, UnreadableProfile
from bot.profiles.resume.education import education_of, parts_of_study
from bot.profiles.resume.entries import without
from bot.profiles.resume.headings import Section
from bot.profiles.resume.jobs import jobs_of
from bot.profiles.resume.lines import Line
from bot.profiles.resume.lists import languages_of
from bot.profiles.resume.pieces import is_degree, is_place_text
from bot.profiles.resume.reading import name_title, text_of_lines
from bot.profiles.resume.roles import roles_of
from bot.profiles.resume.sections import Part, parts_of
from bot.profiles.sensitive import is_sensitive, without_sensitive_lines
from bot.profiles.stated import Stated, profile_of
from storage.records import Certificate, Education, Link, Publication

_OWN_LINK: Final = regex.compile(r"\(LinkedIn\)")
_LABEL: Final = regex.compile(r"\s*\((?P<label>\p{L}[\p{L} ]*)\)")
_ADDRESS: Final = regex.compile(
    r"(?i)(?:https?://|www\.)|[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}(?:/|$)"
)


def is_linkedin(side: Sequence[Line]) -> bool:
    """Whether a column beside the main flow is that of LinkedIn."""
    text = "\n".join(line.text for line in side)
    return _OWN_LINK.search(text) is not None and "linkedin.com/in/" in text.replace("\n", "")


def linkedin_page(main: Sequence[Line], side: Sequence[Line]) -> PersonPage:
    """The person of such a document. Raises UnreadableProfile where nobody is named."""
    main = [each for each in main if not is_sensitive(each.plain)]
    side = [each for each in side if not is_sensitive(each.plain)]
    parts = parts_of(main)
    stated = _opening(parts[0].lines)
    for part in parts[1:]:
        match part.section:
            case Section.SUMMARY:
                stated.summary = "\n".join(line.plain for line in part.lines)
            case Section.EXPERIENCE:
                stated.jobs += roles_of(part.lines) or jobs_of(part.lines)
            case Section.EDUCATION:
                stated.education += _education(part.lines)
            case _:
                pass
    for part in parts_of(side):
        _beside(part, stated)
    name_title(stated)
    text = text_of_lines([*main, *side])
    return PersonPage(profile=profile_of(stated), text=without_sensitive_lines(text))


def _opening(lines: Sequence[Line]) -> Stated:
    if not lines:
        raise UnreadableProfile(
            "No name stands at the top of this LinkedIn PDF. Save it again with “More › Save to "
            "PDF” on the person's page. Nothing was stored."
        )
    largest = max(line.size for line in lines)
    first = next(number for number, line in enumerate(lines) if line.size == largest)
    name = lines[first].plain
    rest = [line.plain for line in lines[first + 1 :]]
    place = None
    if rest and (is_place_text(rest[-1]) or (len(rest) > 1 and len(rest[-1].split(",")) < 5)):
        place = rest.pop()
    return Stated(name=name, headline=" ".join(rest) or None, place=place)


def _beside(part: Part, stated: Stated) -> None:
    text = "\n".join(line.text for line in part.lines)
    match part.section:
        case Section.CONTACT | None:
            stated.emails += emails_in(text)
            stated.phones += phones_in(text)
            stated.links += _links(part.lines)
        case Section.SKILLS:
            stated.skills += [line.plain for line in part.lines]
        case Section.LANGUAGES:
            stated.languages += languages_of(part.lines)
        case Section.CERTIFICATES:
            stated.certificates += [Certificate(name=line.plain) for line in part.lines]
        case Section.PUBLICATIONS:
            stated.publications += [Publication(title=line.plain) for line in part.lines]
        case _:
            pass


def _links(lines: Sequence[Line]) -> Iterator[Link]:
    """Addresses, each with its label in brackets; a long one is wrapped anywhere."""
    text = " ".join(line.plain for line in lines)
    end = 0
    for label in _LABEL.finditer(text):
        words = [word for word in text[end : label.start()].split() if "@" not in word]
        end = label.end()
        starts = [number for number, word in enumerate(words) if _ADDRESS.match(word)]
        if starts and (link := link_of("".join(words[starts[0] :]))):
            own = linkedin_slug(link.url)
            yield Link(url=link.url, label=None if own else label["label"])


def _education(lines: Sequence[Line]) -> list[Education]:
    """A school by its size, and below it the degree, the area and the years."""
    largest = max((each.size for each in lines), default=0.0)
    if all(each.size >= largest - 0.2 for each in lines):
        return education_of(lines)
    found: list[tuple[str, list[str]]] = []
    above: Line | None = None
    for line in lines:
        if line.size >= largest - 0.2:
            if above is not None and above.size >= largest - 0.2 and not line.gap:
                found[-1] = (f"{found[-1][0]} {line.plain}", [])
            else:
                found.append((line.plain, []))
        elif found:
            found[-1][1].append(line.plain)
        above = line
    return [_study(school, " ".join(told)) for school, told in found]


def _study(school: str, told: str) -> Education:
    span = Span()
    if dates := span_in(told):
        span = dates[0]
        told = without(told, *dates[1:]).replace("\t", " ").strip(" ·")
    degree, _, area = told.partition(", ")
    first, last = span.first, span.last
    if last is None and first and not span.is_current:
        first, last = None, first
    if told and not area:
        degree_said, _, area_said = parts_of_study([told, school])
        degree, area = (degree_said or "", area_said or "") if is_degree(told) else ("", told)
    return Education(
        text=", ".join(filter(None, (told, school))),
        school=school,
        degree=degree or None,
        area=area or None,
        from_date=first,
        to_date=last,
    )
