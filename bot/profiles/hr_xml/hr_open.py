"""``Candidate`` of HR Open Standards 4, which is JSON.

Source: HR Open's JSON schemas 4.x (recruiting: candidate, profile; common: person, communication).
Keys are read as names of elements, and a list as one element for each entry.
"""

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


def stated_of(root: Node) -> Stated:
    """What the document states of its candidate: the person, and the first of the profiles."""
    candidate = root.one("candidate") or root
    person = candidate.one("person") or candidate
    stated = Stated(name=_name(person))
    _read_contact(person, stated)
    for profile in candidate.all("profiles|profile")[:1]:
        _read_profile(profile, stated)
    return stated


def _name(person: Node) -> str:
    named = person.one("name")
    if named is None:
        return ""
    parts = (named.text("given"), named.text("middle"), named.text("family"))
    return named.text("formattedname") or " ".join(filter(None, parts))


def _read_contact(person: Node, stated: Stated) -> None:
    said = person.one("communication")
    if said is None:
        return
    code = None
    address = said.one("address")
    if address is not None:
        code = address.text("countrycode")
        stated.city = address.text("city")
        stated.country = place(_region(address), country(code))
    stated.emails = emails([each.text("address") for each in said.all("email")])
    stated.phones = phones(
        [_number(each) for each in said.all("phone")], (code or "").upper() or None
    )
    stated.links = links([each.text("url") for each in said.all("web")])


def _region(address: Node) -> str | None:
    found = address.one("countrysubdivisions", "countrysubdivision")
    return found.text("value", "name") or found.text() if found and not found.children else None


def _number(phone: Node) -> str | None:
    dialled, abroad = phone.text("dialnumber"), phone.text("countrydialingcode", "countrydialing")
    if dialled and abroad:
        return (
            f"+{abroad.lstrip('+0')} {phone.text('areadialingcode', 'areadialing') or ''}{dialled}"
        )
    return phone.text("formattednumber") or dialled


def _read_profile(profile: Node, stated: Stated) -> None:
    stated.summary = prose(profile.text("executivesummary", "summary", "objective"))
    stated.headline = known(profile.text("headline"))
    for employer in profile.all("employment"):
        stated.jobs += _jobs(employer)
    stated.education = [entry for each in profile.all("education") for entry in _education(each)]
    for each in profile.all("qualifications"):
        _read_competency(each, stated)
    for each in profile.all("languages"):
        if code := each.text("languagecode", "name"):
            level = each.text("proficiencylevel", "level")
            stated.languages.append(Language(name=language(code), level=level))
    stated.certificates = [
        Certificate(
            name=name,
            issuer=each.text("issuingauthority/name", "issuingauthority"),
            date=date(each.one("firstissued", "effectivetimeperiod/validfrom")),
        )
        for each in profile.all("certifications|licenses")
        if (name := each.text("name"))
    ]
    stated.publications = [
        Publication(
            title=title,
            publisher=each.text("journal", "publisher/name", "publisher"),
            date=date(each.one("date")),
        )
        for each in profile.all("publications")
        if (title := each.text("title"))
    ]


def _jobs(employer: Node) -> list[Job]:
    """A job for each position; the employer's period holds for a position without one."""
    organisation = employer.text(
        "organization/name", "organization/legalid/value", "organizationname"
    )
    jobs = []
    for each in employer.all("positionhistories") or (employer,):
        dated = each if each.one("start", "end", "current") else employer
        when = span(dated.one("start"), dated.one("end"), dated.text("current"))
        there = each.one("location/address", "location")
        jobs.append(
            Job(
                employer=organisation or each.text("organization/name"),
                title=known(each.text("title")),
                from_date=when.first,
                to_date=when.last,
                is_current=when.is_current,
                place=_place(there),
                summary=_told(each) or _told(employer),
            )
        )
    return jobs


def _told(node: Node) -> str | None:
    return prose(
        "\n".join(filter(None, (each.text() for each in node.all("descriptions|description"))))
    )


def _place(there: Node | None) -> str | None:
    if there is None:
        return None
    return place(there.text("city"), _region(there), country(there.text("countrycode")))


def _education(attended: Node) -> list[Education]:
    when = span(attended.one("start"), attended.one("end"), attended.text("current"))
    school = attended.text("institution/name", "institution")
    entries = []
    for degree in attended.all("educationdegrees") or (attended,):
        awarded = None if when.is_current else when.last or date(degree.one("date"))
        entries.append(
            Education(
                text="",
                school=school,
                area=degree.text("specializations/name", "specializations")
                or attended.text("programs/name", "programs", "major"),
                degree=degree.text("name", "codes/name", "codes/value", "codes", "degree"),
                from_date=when.first,
                to_date=awarded,
            )
        )
    return entries


def _read_competency(competency: Node, stated: Stated) -> None:
    name = competency.text("competencyname", "name")
    if name is None:
        return
    kinds = " ".join(each.text() or "" for each in competency.all("competencyids/schemeid"))
    if "language" in kinds.lower():
        level = competency.text(
            "proficiencylevel/score", "proficiencylevel/value", "proficiencylevel"
        )
        stated.languages.append(Language(name=language(name), level=level))
    else:
        stated.skills.append(name)
