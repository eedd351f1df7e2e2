"""``Resume`` of HR-XML 2 (2001–2007), which parsers of résumés and older systems still write.

Source: HR-XML Consortium's Resume 2.0–2.5 (``StructuredXMLResume``); also inside the
``CandidateProfile`` of Candidate 2.x.
"""

from typing import Final

from bot.profiles.hr_xml.candidate import name_of
from bot.profiles.hr_xml.tree import Node
from bot.profiles.hr_xml.values import (
    country,
    date,
    emails,
    known,
    language,
    links,
    phones,
    place,
    prose,
    span,
)
from bot.profiles.stated import Stated
from storage.records import Certificate, Education, Job, Language, Publication

_SKILL: Final = 100
"""Characters of a skill; what is longer tells a story, and stays in the text."""


def stated_of(root: Node) -> Stated:
    """What the résumé states; contact details may stand beside it (Candidate 2.x)."""
    resume = next(root.within("structuredxmlresume"), root)
    person = resume.one("contactinfo") or next(root.within("personaldata", "contactinfo"), root)
    stated = Stated(name=name_of(person))
    _read_contact(person.all("contactmethod"), stated)
    stated.summary = prose(resume.text("executivesummary"))
    stated.headline = known(resume.text("positiontitle")) or _headline(resume.text("objective"))
    for employer in resume.all("employmenthistory/employerorg"):
        stated.jobs += _jobs(employer)
    for school in resume.all("educationhistory/schoolorinstitution"):
        stated.education += _education(school)
    _read_skills(resume, stated)
    stated.languages = [
        Language(name=language(code), level=_level(each))
        for each in resume.all("languages/language")
        if (code := each.text("languagecode", "name"))
    ]
    stated.certificates = [
        Certificate(
            name=name,
            issuer=each.text("issuingauthority"),
            date=date(each.one("effectivedate/validfrom", "effectivedate/firstissueddate")),
        )
        for each in resume.all("licensesandcertifications/licenseorcertification")
        if (name := each.text("name"))
    ]
    _read_publications(resume, stated)
    return stated


def _headline(objective: str | None) -> str | None:
    """An objective of some words is a headline; a longer one is prose about a wish."""
    told = prose(objective)
    return told if told and len(told) <= _SKILL else None


def _read_contact(methods: tuple[Node, ...], stated: Stated) -> None:
    code = None
    for each in methods:
        address = each.one("postaladdress")
        if address is not None and stated.city is None and stated.country is None:
            code = address.text("countrycode")
            stated.city = address.text("municipality")
            stated.country = place(address.text("region"), country(code))
    stated.emails = emails([each.text() for m in methods for each in m.all("internetemailaddress")])
    numbers = [_number(each) for m in methods for each in m.all("telephone|mobile")]
    stated.phones = phones(numbers, (code or "").upper() or None)
    stated.links = links([each.text() for m in methods for each in m.all("internetwebaddress")])


def _number(phone: Node) -> str | None:
    parts = [phone.text(each) for each in ("areacitycode", "subscribernumber")]
    abroad = phone.text("internationalcountrycode")
    told = " ".join(filter(None, parts))
    if told and abroad:
        return f"+{abroad.lstrip('+0')} {told}"
    return phone.text("formattednumber") or told or phone.text()


def _jobs(employer: Node) -> list[Job]:
    organisation = known(employer.text("employerorgname"))
    jobs = []
    for each in employer.all("positionhistory"):
        current = each.attribute("currentemployer")
        when = span(each.one("startdate"), each.one("enddate"), current)
        there = each.one("orginfo/positionlocation", "location") or employer.one(
            "employercontactinfo/locationsummary"
        )
        jobs.append(
            Job(
                employer=organisation or known(each.text("orgname/organizationname", "orgname")),
                title=known(each.text("title")),
                from_date=when.first,
                to_date=when.last,
                is_current=when.is_current,
                place=_place(there),
                summary=prose(each.text("description")),
            )
        )
    return jobs


def _place(there: Node | None) -> str | None:
    if there is None:
        return None
    return place(
        there.text("municipality"), there.text("region"), country(there.text("countrycode"))
    )


def _education(school: Node) -> list[Education]:
    """A degree each; a school without one is an entry too."""
    name = known(school.text("school/schoolname", "schoolname", "school"))
    entries = []
    for degree in school.all("degree") or (school,):
        attended = degree.one("datesofattendance") or school.one("datesofattendance")
        first, last = (
            (attended.one("startdate"), attended.one("enddate")) if attended else (None, None)
        )
        when = span(first, last, attended.attribute("currentlyenrolled") if attended else None)
        awarded = None if when.is_current else when.last or date(degree.one("degreedate"))
        is_bare = degree.name == "degree" and not degree.children
        entries.append(
            Education(
                text="",
                school=name,
                area=known(
                    degree.text("degreemajor/name", "degreemajor")
                    or school.text("major", "major/name")
                ),
                degree=known(degree.text() if is_bare else degree.text("degreename"))
                or _degree_type(degree),
                from_date=when.first,
                to_date=awarded,
            )
        )
    return entries


def _degree_type(degree: Node) -> str | None:
    """``bachelors``, ``masters`` … where the degree has no name of its own."""
    return known(degree.attribute("degreetype"))


def _read_skills(resume: Node, stated: Stated) -> None:
    for group in resume.all("qualifications|competencies|corecompetencies"):
        for each in group.within("competency", "skill"):
            name = each.attribute("name") or each.text("competencyname", "name")
            if name is None and not each.children:
                name = each.text()
            if name and len(name) <= _SKILL:
                stated.skills.append(name)


def _level(spoken: Node) -> str | None:
    told = {name: spoken.text(name) for name in ("speak", "read", "write", "comments")}
    said = {name: level for name, level in told.items() if level and level.lower() != "true"}
    if len(set(said.values())) == 1:
        return next(iter(said.values()))
    return ", ".join(f"{name} {level}" for name, level in said.items()) or None


def _read_publications(resume: Node, stated: Stated) -> None:
    for history in resume.all("publicationhistory"):
        for each in history.children:
            title = each.text("title", "formattedpublicationdescription", "name")
            if title:
                found = links([each.text("link", "url")])
                stated.publications.append(
                    Publication(
                        title=title,
                        publisher=each.text(
                            "journalorserialname", "publishername", "conferencename"
                        ),
                        date=date(each.one("publicationdate", "conferencedate")),
                        url=found[0].url if found else None,
                    )
                )
