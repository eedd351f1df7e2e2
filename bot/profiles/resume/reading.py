"""What the lines of a résumé state of its person, and whether they are a résumé at all."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import regex

from bot.profiles.contacts import emails_in, link_of, links_in, phones_in
from bot.profiles.format import PersonPage, UnreadableProfile
from bot.profiles.resume.education import education_of
from bot.profiles.resume.headings import Section
from bot.profiles.resume.jobs import jobs_of
from bot.profiles.resume.lines import Line
from bot.profiles.resume.lists import (
    certificates_of,
    languages_of,
    publications_of,
    skills_of,
)
from bot.profiles.resume.opening import held_at_the_top, opening_of
from bot.profiles.resume.roles import roles_under_employers
from bot.profiles.resume.sections import Part, parts_of
from bot.profiles.sensitive import is_sensitive, without_sensitive_lines
from bot.profiles.stated import Stated, profile_of
from storage.places import countries_of, country_code, country_of_code, is_state
from storage.records import Job, Link
from storage.search.folding import fold

WANTED: Final = (
    "A résumé has the person's name at the top and headings such as “Experience”, “Education” and "
    "“Skills” with dated entries. Nothing was stored."
)
CORE: Final = frozenset({Section.EXPERIENCE, Section.EDUCATION, Section.SKILLS})
"""The sections of which a résumé has at least one."""
_ADVERTISED: Final = regex.compile(
    r"(?im)^\W*(?:(?:key )?responsibilities|(?:job |position |minimum |basic |preferred "
    r")?requirements|(?:minimum|preferred|required) qualifications"
    r"|benefits|what (?:we|you).*|we offer.*|about (?:us|the (?:role|job|team|company|"
    r"position))|who you are.*|the role|job description|your (?:profile|tasks|role|mission)"
    r"|nice to have|(?:how to )?apply(?: now)?|perks.*|job title:.*|must have|wir bieten.*|"
    r"ihr(?:e)? (?:profil|aufgaben).*|deine? (?:profil|aufgaben).*|das (?:bieten wir|bringst "
    r"du mit).*"
    r"|nous (?:offrons|recherchons).*|vos missions.*|votre profil.*|ofrecemos.*|requisitos|"
    r"cosa offriamo.*|requisiti|we are (?:looking|hiring).*)\W*$"
)
_PLACEHOLDERS: Final = regex.compile(
    r"(?i)lorem ipsum|\b(?:your|company|employer|school|university|degree|institution|project|"
    r"city|job) "
    r"(?:name|title|here)\b|\b(?:job title|start date|end date|month year|first ?name|last "
    r"?name)\b"
    r"|20XX|\[(?:your|company|date|name|city|job|degree|email)[^\]]*\]|\bMM/YYYY\b|\bYYYY\b"
    r"|\b(?:position|skill|responsibility|duty|achievement) (?:title|1|one)\b|\bfirmenname\b|"
    r"\bvorname\b"
)
_OTHER_PAPERS: Final = regex.compile(
    r"(?im)^\W*(?:abstract|invoice(?: (?:no|number|date).*)?|rechnung(?:s-?nr.*)?|facture.*|"
    r"bill to.*|amount due.*|total due.*|agenda|minutes.*|attendees.*|action items|dear "
    r".{0,40},"
    r"|sehr geehrte.*|madame, monsieur.*|installation|usage|getting started|prerequisites|"
    r"license|changelog|contributing|table of contents|acknowledge?ments|related work"
    r"|kind regards,?|best regards,?|sincerely,?|yours (?:sincerely|faithfully),?|mit "
    r"freundlichen grüßen|from: .*|subject: .*|unsubscribe.*)\W*$"
)


@dataclass(frozen=True, slots=True)
class Found:
    """What was found in a document's lines; ``sections`` are the known ones that say something."""

    stated: Stated
    sections: frozenset[Section]
    entries: int
    """Dated jobs and studies."""

    @property
    def has_contact(self) -> bool:
        return bool(self.stated.emails or self.stated.phones or self.stated.links)


def found_in(lines: Sequence[Line], behind: Sequence[tuple[str, str]] = ()) -> Found:
    """Everything that the lines state, whether or not they are a résumé.

    ``behind`` are words and the addresses that lie behind them; those at the top are the person's.
    """
    lines = [each for each in lines if not is_sensitive(each.plain)]
    parts = parts_of(lines)
    stated = Stated(name="")
    head = _read_contacts(parts, stated)
    _read_behind(behind, head, stated)
    for part in parts:
        _read_part(part, stated)
    name_title(stated)
    dated = [each for each in stated.jobs if each.from_date or each.to_date]
    studied = [each for each in stated.education if each.from_date or each.to_date]
    sections = frozenset(each.section for each in parts if each.section and each.lines)
    return Found(stated, sections, len(dated) + len(studied))


def page_of(lines: Sequence[Line], behind: Sequence[tuple[str, str]] = ()) -> PersonPage:
    """The person of a résumé. Raises UnreadableProfile where the lines are none."""
    found = found_in(lines, behind)
    text = text_of_lines(lines)
    if reason := why_none(found, text):
        raise UnreadableProfile(f"{reason} {WANTED}")
    return PersonPage(profile=profile_of(found.stated), text=without_sensitive_lines(text))


def text_of_lines(lines: Sequence[Line]) -> str:
    """The readable text: a line each, bullets marked, headings after a blank line."""
    return "\n".join(
        ("\n" if each.gap and number else "") + ("• " if each.bullet else "") + each.text
        for number, each in enumerate(lines)
    )


def why_none(found: Found, text: str) -> str | None:
    """Why lines are no résumé; None where they are one.

    A résumé has a name, two known headings of which one is experience, education or skills, and a
    dated entry, or contact details beside jobs or studies. An advertisement of a job, a letter, a
    paper, an invoice and minutes have headings of their own.
    """
    contact = found.has_contact and bool(found.stated.jobs or found.stated.education)
    reasons = (
        (
            not found.sections & CORE or len(found.sections - {Section.OTHER}) < 2,
            "This does not read as a résumé: its usual headings are missing.",
        ),
        (
            found.entries < 2 and _different(_ADVERTISED, text) >= 2,
            "This reads as the advertisement of a job, not as a person's résumé.",
        ),
        (
            found.entries < 2 and _different(_OTHER_PAPERS, text) >= 2,
            "This reads as another kind of document, not as a person's résumé.",
        ),
        (
            _different(_PLACEHOLDERS, text) >= 3,
            "This is the template of a résumé that nobody filled in.",
        ),
        (not found.stated.name, "No person's name was found at the top."),
        (not found.entries and not contact, "It has no jobs or studies with dates."),
    )
    return next((reason for holds, reason in reasons if holds), None)


def _different(pattern: regex.Pattern[str], text: str) -> int:
    """How many different things a pattern finds."""
    return len({match.group().strip().lower() for match in pattern.finditer(text)})


def _read_behind(behind: Sequence[tuple[str, str]], head: str, stated: Stated) -> None:
    """Addresses behind words among the contacts (``GitHub``); those that are also seen stay one."""
    seen = {_place_of_link(each.url) for each in stated.links}
    for words, url in behind:
        if not words or words not in head:
            continue
        if url.lower().startswith("mailto:"):
            stated.emails += [each for each in emails_in(url[7:]) if each not in stated.emails]
        elif (link := link_of(url)) and _place_of_link(link.url) not in seen:
            seen.add(_place_of_link(link.url))
            stated.links.append(link)


def _place_of_link(url: str) -> str:
    return regex.sub(r"^https?://(?:www\.)?|/$", "", url.lower())


def _read_contacts(parts: Sequence[Part], stated: Stated) -> str:
    """Reads who it is and how to reach them; gives the text that says so."""
    spoken = [part for part in parts if part.section in {None, Section.CONTACT}]
    head = [line for part in spoken for line in part.lines]
    everything = "\n".join(
        line.plain for part in parts if part.section is not Section.OTHER for line in part.lines
    )
    text = "\n".join(line.text for line in head)
    stated.emails = list(emails_in(text) or emails_in(everything)[:1])
    opening = opening_of(head, next(iter(stated.emails), None))
    stated.name, stated.headline, stated.place = opening.name or "", opening.headline, opening.place
    stated.summary = "\n".join(opening.prose) or None
    without_links = regex.sub(r"\S+\.\S+/\S*", " ", text)
    stated.phones = [*phones_in(without_links, _region(opening.place, stated.emails))]
    stated.links = [*links_in(text), *_bare_links(text)]
    return "\n".join(line.plain for line in head)


def name_title(stated: Stated) -> None:
    """The title and employer at the top, unless the current job's title says the same and more."""
    title, company = held_at_the_top(stated.headline)
    current = next((each for each in stated.jobs if each.is_current), None)
    if title is None or (current and fold(title) in fold(current.title or "")):
        return
    stated.title, stated.company = title, company or (current.employer if current else None)


def _region(place: str | None, emails: Sequence[str]) -> str | None:
    """The country whose telephone numbers may be written without its code, as ISO 3166 code."""
    parts = [part.strip() for part in (place or "").split(",")]
    if code := country_code(parts[-1]):
        return code
    for country in ("United States", "Canada"):
        if (
            len(parts) > 1
            and is_state(parts[-1], of=parts[0])
            and country in countries_of(parts[0])
        ):
            return country_code(country)
    countries = countries_of(parts[0])
    if len(countries) == 1:
        return country_code(next(iter(countries)))
    endings = {each.rpartition(".")[2].upper() for each in emails}
    return next((each for each in sorted(endings) if country_of_code(each)), None)


def _bare_links(text: str) -> list[Link]:
    """``ada.example.dev`` alone on a line of contacts; domains of addresses are none."""
    found = []
    for match in regex.finditer(
        r"(?<![\w@./-])(?:[a-z\d-]+\.)+(?:com|org|net|io|dev|me|de|fr|es|it|pt|nl|co|ai|tech|"
        r"app|info|eu|uk|ch|at|be|se|no|dk|fi|pl|xyz|page|site|blog|example)(?:/[^\s<>|"
        r",;·•]*)?(?![\w@.-])",
        text.lower(),
    ):
        url = text[match.start() : match.end()]
        if not regex.match(
            r"(?i)www\.|(?:\w+\.)?(?:github|gitlab|linkedin|bitbucket|stackoverflow)\.com/", url
        ):
            found.append(Link(url=f"https://{url}"))
    return found


def _spans(jobs: Sequence[Job]) -> list[Job]:
    """Jobs with a title that say from when to when they were held."""
    return [
        each for each in jobs if each.title and each.from_date and (each.to_date or each.is_current)
    ]


def _read_part(part: Part, stated: Stated) -> None:
    match part.section:
        case Section.SUMMARY if len(jobs := _spans(jobs_of(part.lines))) > 1:
            stated.jobs += jobs  # "Career summary"
        case Section.SUMMARY:
            told = [line.plain for line in part.lines]
            stated.summary = "\n".join(filter(None, (stated.summary, *told))) or None
        case Section.EXPERIENCE:
            stated.jobs += roles_under_employers(part.lines) or jobs_of(part.lines)
        case Section.EDUCATION:
            stated.education += education_of(part.lines)
        case Section.SKILLS:
            skills, languages = skills_of(part.lines)
            stated.skills += skills
            stated.languages += languages
        case Section.LANGUAGES:
            languages = languages_of(part.lines)
            stated.languages += languages
            if not languages:  # programming languages
                stated.skills += skills_of(part.lines)[0]
        case Section.PUBLICATIONS:
            stated.publications += publications_of(part.lines)
        case Section.CERTIFICATES:
            stated.certificates += certificates_of(part.lines)
        case _:
            pass
