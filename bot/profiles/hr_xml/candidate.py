"""``Candidate`` of HR-XML 3 (2009 on), and of Europass since 2020, which is built on it.

Sources: HR Open Standards' Candidate 3.x and the European Commission's ECV schema 3.0, whose
elements bear the same names in several namespaces.
"""

from typing import Final

from bot.profiles.dates import Span
from bot.profiles.hr_xml.tree import Node
from bot.profiles.hr_xml.values import (
    country,
    date,
    emails,
    known,
    language,
    links,
    listed,
    phones,
    place,
    prose,
    span,
)
from bot.profiles.stated import Stated
from storage.records import Certificate, Education, Job, Language, Publication

NATIVE: Final = "native"
_DIMENSIONS: Final = {
    "cef-understanding-listening": "listening",
    "cef-understanding-reading": "reading",
    "cef-speaking-interaction": "spoken interaction",
    "cef-speaking-production": "spoken production",
    "cef-writing-production": "writing",
}
_SKILL_GROUPS: Final = (
    "digitalskills|communicationandinterpersonalskills|managementandleadershipskills"
    "|organisationalskills|jobrelatedskills|otherskills"
)
_SKILL: Final = 100
"""Characters of a skill; what is longer tells a story, and stays in the text."""


def stated_of(root: Node) -> Stated:
    """What the document states of its candidate."""
    person = root.one("candidateperson") or root
    stated = Stated(name=name_of(person))
    _read_contact(person, stated)
    for each in person.all("primarylanguagecode"):
        if told := each.text():
            stated.languages.append(Language(name=language(told), level=NATIVE))
    for profile in root.all("candidateprofile")[:1] or (root,):
        _read_profile(profile, stated)
    return stated


def name_of(person: Node) -> str:
    """The name as formatted, else its parts in the order in which they are spoken."""
    named = person.one("personname")
    if named is None:
        return ""
    parts = (
        named.text("givenname"),
        named.text("middlename"),
        named.text("familynameprefix"),
        named.text("familyname"),
    )
    return named.text("formattedname") or " ".join(filter(None, parts))


def _read_contact(person: Node, stated: Stated) -> None:
    said = person.all("communication")
    address = next((found for each in said if (found := each.one("address"))), None)
    code = None
    if address is not None:
        stated.city = address.text("cityname")
        code = address.text("countrycode")
        stated.country = country(code)
    numbers: list[str | None] = []
    urls: list[str | None] = []
    for each in said:
        channel = (each.text("channelcode") or "").lower().replace(" ", "")
        uri = each.text("uri", "url", "text")
        if channel == "email" or "@" in (uri or ""):
            stated.emails += emails([uri])
        elif channel in {"telephone", "mobile", "phone", "mobiletelephone"}:
            numbers.append(_number(each))
        elif channel in {"web", "socialmedia", "website", "homepage"}:
            urls.append(uri)
    stated.phones = phones(numbers, (code or "").upper() or None)
    stated.links = links(urls)


def _number(said: Node) -> str | None:
    dialled = said.text("dialnumber", "formattednumber", "uri", "text")
    abroad = (said.text("countrydialing") or "").lstrip("+0")
    if dialled is None or dialled.startswith(("+", "00")) or not abroad:
        return dialled
    area = said.text("areadialing") or ""
    national = f"{area}{dialled}"
    # 39 is Italy, where the zero is part of the number
    return f"+{abroad} {national if abroad == '39' else national.lstrip('0')}"


def _read_profile(profile: Node, stated: Stated) -> None:
    stated.summary = prose(profile.text("executivesummary"))
    stated.headline = known(profile.text("positiontitle", "profilename"))
    for employer in profile.all("employmenthistory/employerhistory"):
        stated.jobs += _jobs(employer)
    stated.education = [
        _education(each) for each in profile.all("educationhistory/educationorganizationattendance")
    ]
    stated.certificates = [
        _certificate(each)
        for each in profile.all("certifications/certification|licenses/license")
        if each.text("certificationname", "licensename", "name", "title")
    ]
    stated.publications = [
        _publication(each)
        for each in profile.all("publicationhistory/publication")
        if each.text("formattedpublicationdescription", "title", "publicationtitle")
    ]
    for each in profile.all("personqualifications|qualifications"):
        _read_competencies(each, stated)
    for each in (profile, *profile.all("skills")):
        for group in each.all(_SKILL_GROUPS):
            stated.skills += _skills(group)


def _skills(group: Node) -> list[str]:
    """The skills of a group: its own elements, else what its description lists, else its title.

    ``<DigitalSkillsGroup><Title>Office</Title><DigitalSkill>Excel</DigitalSkill>``; others write
    ``<Title>Languages: Go, Rust</Title>``.
    """
    if not group.children:
        return listed(group.text())
    found: list[str] = []
    for each in group.children:
        told = [
            text for one in each.children if one.name.endswith("skill") and (text := one.text())
        ]
        if not told:
            told = list(listed(each.text("description")) or listed(each.text("title")))
        found += told or ([] if each.children else listed(each.text()))
    return [each for each in found if each and len(each) <= _SKILL]


def _jobs(employer: Node) -> list[Job]:
    """A job for each position; a period of the employer holds for a position without one."""
    told = employer.all("positionhistory") or (employer,)
    organisation = known(employer.text("organizationname", "employername"))
    there = employer.one("organizationcontact/communication/address")
    return [
        Job(
            employer=organisation or known(each.text("organizationname")),
            title=known(each.text("positiontitle", "title")),
            from_date=when.first,
            to_date=when.last,
            is_current=when.is_current,
            place=place(each.text("city"), country(each.text("country"))) or _place(there),
            summary=prose(each.text("description", "positionsummary")),
        )
        for each in told
        for when in [_period(each) or _period(employer) or Span()]
    ]


def _period(node: Node) -> Span | None:
    period = node.one("employmentperiod", "attendanceperiod", "period")
    inside = period or node
    first, last = inside.one("startdate"), inside.one("enddate")
    current = inside.text("currentindicator", "ongoing") or node.text("currentindicator")
    return span(first, last, current) if period or first or last else None


def _place(address: Node | None) -> str | None:
    if address is None:
        return None
    return place(address.text("cityname"), country(address.text("countrycode")))


def _education(node: Node) -> Education:
    when = _period(node) or Span()
    degree = node.one("educationdegree")
    last = when.last or (date(degree.one("degreedate")) if degree else None)
    return Education(
        text="",
        school=known(node.text("organizationname", "schoolname")),
        area=_area(node, degree),
        degree=known((degree and degree.text("degreename")) or node.text("programname")),
        from_date=when.first,
        to_date=None if when.is_current else last,
    )


def _area(node: Node, degree: Node | None) -> str | None:
    """A field of study in words; the codes of ISCED say nothing to a reader."""
    fields = [
        each.text()
        for inside in filter(None, (degree, node))
        for path in (
            "fieldofstudy/mainfieldofstudy",
            "degreemajor/programname",
            "degreemajor/name",
            "majorprogramname",
        )
        for each in inside.all(path)
    ]
    return next((each for each in fields if each and not each.isdecimal()), None)


def _certificate(node: Node) -> Certificate:
    issued = node.one("firstissueddate", "issueddate", "certificationdate", "licensedate")
    start = node.one("freeformeffectiveperiod/startdate", "effectiveperiod/startdate")
    return Certificate(
        name=node.text("certificationname", "licensename", "name", "title") or "",
        issuer=node.text("issuingauthority/name", "issuingauthority", "issuingauthorityname"),
        date=date(issued) or date(start),
    )


def _publication(node: Node) -> Publication:
    when = node.one("date/startdate", "publicationdate", "date", "year")
    found = links([node.text("link", "uri", "url")])
    return Publication(
        title=prose(node.text("title", "publicationtitle", "formattedpublicationdescription"))
        or "",
        publisher=node.text("publishername", "publisher", "reference", "journalname"),
        date=date(when),
        url=found[0].url if found else None,
    )


def _read_competencies(qualifications: Node, stated: Stated) -> None:
    stated.skills += [
        each for each in listed(qualifications.text("qualificationssummary")) if len(each) <= _SKILL
    ]
    for each in qualifications.all("personcompetency|competency"):
        name = each.text("competencyname", "competencyid", "name") or each.attribute("name")
        if name is None:
            continue
        if (each.text("taxonomyid") or "").lower() == "language":
            stated.languages.append(Language(name=language(name), level=_level(each)))
        elif len(name) <= _SKILL:
            stated.skills.append(name)


def _level(competency: Node) -> str | None:
    """One level where all are the same, else each by its name."""
    levels: dict[str, str] = {}
    for each in competency.all("competencydimension"):
        kind = (each.text("competencydimensiontypecode") or "").lower()
        score = each.text("score/scoretext", "score")
        if score and kind in _DIMENSIONS:
            levels[_DIMENSIONS[kind]] = score
    if len(levels) == len(_DIMENSIONS) and len(set(levels.values())) == 1:
        return next(iter(levels.values()))
    return ", ".join(f"{name} {score}" for name, score in levels.items()) or competency.text(
        "proficiencylevel/scoretext", "proficiencylevel"
    )
