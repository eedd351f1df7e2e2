"""hResume: résumés marked up with microformats, in their first and second version.

Classes: ``hresume`` (``vcard``/``fn``, ``summary``, ``experience``, ``education``, ``skill``) and
``h-resume`` (``p-contact``/``p-name``, ``p-summary``, ``p-experience``, ``p-education``,
``p-skill``); see microformats.org/wiki/hresume and /wiki/h-resume.
"""

from collections.abc import Sequence
from typing import Final

from lxml import html

from bot.profiles.contacts import emails_in, link_of, phones_in
from bot.profiles.dates import Span, date_of, is_present, span_in
from bot.profiles.html.visible import lines_in, text_in
from bot.profiles.resume.education import parts_of_study
from bot.profiles.stated import Stated
from storage.records import Education, Job

_TITLE: Final = ("title", "p-job-title", "p-title", "p-role", "role", "p-name", "summary")
_MOST: Final = 500
_EMPLOYER: Final = ("org", "organization-name", "p-org", "fn", "p-location")


def resume_in(tree: html.HtmlElement) -> Stated | None:
    """What the page's hResume states; None where it has none."""
    root = _first(tree, "hresume", "h-resume")
    if root is None:
        return None
    contact = _first(root, "contact", "p-contact", "vcard", "h-card")
    contact = root if contact is None else contact
    name = _text(contact, "fn", "p-name") or _text(root, "p-name")
    if name is None:
        return None
    told = " ".join(line.plain for line in lines_in(contact))
    links = [link_of(each.get("href")) for each in _all(contact, "url", "u-url")]
    summary = next(
        (each for each in _all(root, "summary", "p-summary") if not _is_inside(each)), None
    )
    return Stated(
        name=name,
        headline=_text(contact, "title", "p-job-title", "p-note"),
        city=_text(contact, "locality", "p-locality"),
        country=_text(contact, "country-name", "p-country-name"),
        summary=text_in(summary) if summary is not None else None,
        jobs=[_job(each) for each in _all(root, "experience", "p-experience")],
        education=[_education(each) for each in _all(root, "education", "p-education")],
        skills=[text_in(each) for each in _all(root, "skill", "p-skill")],
        links=[each for each in links if each is not None],
        emails=list(emails_in(told)),
        phones=list(phones_in(told)),
    )


def _classes(element: html.HtmlElement) -> set[str]:
    return set((element.get("class") or "").split())


def _all(root: html.HtmlElement, *names: str) -> list[html.HtmlElement]:
    """Elements of one of the classes, the outer ones only."""
    found: list[html.HtmlElement] = []
    inside: set[html.HtmlElement] = set()
    for element in root.iterdescendants():
        if (
            isinstance(element.tag, str)
            and element not in inside
            and _classes(element) & set(names)
        ):
            found.append(element)
            inside.update(element.iterdescendants())
        if len(found) == _MOST:
            break
    return found


def _first(root: html.HtmlElement, *names: str) -> html.HtmlElement | None:
    for name in names:
        for element in root.iter():
            if isinstance(element.tag, str) and name in _classes(element):
                return element
    return None


def _text(root: html.HtmlElement, *names: str) -> str | None:
    found = _first(root, *names)
    return (text_in(found) or None) if found is not None else None


def _is_inside(element: html.HtmlElement) -> bool:
    """Whether it belongs to a job or a school."""
    inner = {"experience", "p-experience", "education", "p-education", "vevent", "h-event"}
    return any(_classes(each) & inner for each in (element, *element.iterancestors()))


def _span(root: html.HtmlElement) -> Span:
    first, last = (
        _date(_first(root, *names)) for names in (("dtstart", "dt-start"), ("dtend", "dt-end"))
    )
    told = span_in(text_in(root)) if first and not last else None
    goes_on = bool(told and told[0].is_current)  # “2021 – present” without an element for its end
    return Span(date_of(first), date_of(last), is_present(last) or goes_on)


def _date(element: html.HtmlElement | None) -> str | None:
    """The date for machines where there is one."""
    if element is None:
        return None
    stated = [element.get("datetime"), element.get("title"), text_in(element)]
    return next((each for each in stated if each and (date_of(each) or is_present(each))), None)


def _job(root: html.HtmlElement) -> Job:
    span = _span(root)
    title = _text(root, *_TITLE)
    employer = next((each for each in _texts(root, _EMPLOYER) if each != title), None)
    return Job(
        employer=employer,
        title=title,
        from_date=span.first,
        to_date=span.last,
        is_current=span.is_current,
        place=_text(root, "locality", "p-locality"),
        summary=_text(root, "description", "p-description", "p-summary"),
    )


def _texts(root: html.HtmlElement, names: Sequence[str]) -> list[str]:
    return [text for name in names if (text := _text(root, name))]


def _education(root: html.HtmlElement) -> Education:
    span = _span(root)
    school = next(
        iter(_texts(root, ("org", "p-org", "fn", "summary", "p-name", "p-location"))), None
    )
    degree = _text(root, "degree", "p-degree", "title", "description", "p-summary")
    area = None
    if degree is not None:
        degree, _, area = parts_of_study([degree, school or "University"])
    return Education(
        text=text_in(root),
        school=school,
        degree=degree,
        area=area,
        from_date=span.first,
        to_date=span.last,
    )
