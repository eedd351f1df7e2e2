"""Europass documents of 2005–2020: versions 2 (``learnerinfo``) and 3 (``SkillsPassport``).

Sources: Cedefop's schemas V2.0 and V3.0–V3.4. Both versions say the same in elements of nearly
the same names: in version 2 dates and languages have children where version 3 has attributes.
Version 3 exists as JSON too, whose keys are the names of these elements.
"""

from typing import Final

from bot.profiles.dates import Span, span_in
from bot.profiles.hr_xml.tree import Node
from bot.profiles.hr_xml.values import (
    country,
    date,
    emails,
    items,
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

_LISTED: Final = ("computer", "jobrelated", "technical")
"""Skills whose lines are skills; of the others (communication …) only the short lines are."""
_TOLD: Final = ("communication", "organisational", "social")
_SKILL: Final = 100
_SHORT_SKILL: Final = 60
"""Characters; what is longer tells a story, and stays in the text."""
_FEW_WORDS: Final = 3
_SKILLS_HEARD: Final = ("listening", "reading", "spokeninteraction", "spokenproduction", "writing")
_AS_SAID: Final = ("listening", "reading", "spoken interaction", "spoken production", "writing")
NATIVE: Final = "native"


def stated_of(root: Node) -> Stated:
    """What the document states of its person."""
    passport = root.one("skillspassport") or root
    learner = root if root.name == "learnerinfo" else passport.one("learnerinfo") or root
    person = learner.one("identification") or learner
    stated = Stated(name=_name(person))
    _read_contact(person, stated)
    _read_headline(learner, stated)
    stated.jobs = [_job(each) for each in _both(learner, "workexperience")]
    stated.education = [_education(each) for each in _both(learner, "education")]
    _read_languages(learner, stated)
    stated.skills = _skills(learner)
    _read_achievements(learner, stated)
    return stated


def _name(person: Node) -> str:
    named = person.one("personname") or person
    parts = (named.text("firstname"), named.text("surname", "lastname"))
    return " ".join(filter(None, parts))


def _both(parent: Node, name: str) -> tuple[Node, ...]:
    """The entries of a list; the JSON of version 3 has no element for the list itself."""
    return parent.all(f"{name}list/{name}") or parent.all(name)


def _read_contact(person: Node, stated: Stated) -> None:
    info = person.one("contactinfo")
    if info is None:
        return
    address = info.one("address/contact", "address")
    code = None
    if address is not None:
        stated.city = address.text("municipality")
        code = address.text("country/code")
        stated.country = country(code) or address.text("country/label")
    stated.emails = emails([info.text("email/contact", "email")])
    numbers = [
        *(each.text() for each in info.all("telephonelist/telephone/contact")),
        *(each.text() for each in info.all("telephone/contact")),
        *(each.text() for each in info.all("telephone|mobile") if not each.children),
    ]
    stated.phones = phones(numbers, "GB" if code == "UK" else code)
    stated.links = links([
        *(each.text() for each in info.all("websitelist/website/contact")),
        *(each.text() for each in info.all("website/contact")),
    ])  # fmt: skip


def _read_headline(learner: Node, stated: Stated) -> None:
    headline = learner.one("headline")
    if headline is None:
        stated.headline = learner.text("application/label")
        return
    told = prose(headline.text("description/label", "description"))
    if (headline.text("type/code") or "") == "personal_statement":
        stated.summary = told
    else:
        stated.headline = told


def _job(node: Node) -> Job:
    period = node.one("period")
    when = _span(period)
    employer = node.one("employer")
    return Job(
        employer=employer.text("name") if employer else None,
        title=node.text("position/label", "position"),
        from_date=when.first,
        to_date=when.last,
        is_current=when.is_current,
        place=_place(employer),
        summary=prose(node.text("activities")),
    )


def _span(period: Node | None) -> Span:
    """Version 2 has no ``Current``: there an empty ``to`` stands for what goes on."""
    if period is None:
        return Span()
    first, last, current = period.one("from"), period.one("to"), period.text("current")
    if first and first.one("year") and last and last.text() is None:
        current = "true"
    return span(first, last, current)


def _place(organisation: Node | None) -> str | None:
    address = organisation and organisation.one("contactinfo/address/contact", "address")
    if not address:
        return None
    stated = country(address.text("country/code")) or address.text("country/label")
    return place(address.text("municipality"), stated)


def _education(node: Node) -> Education:
    when = _span(node.one("period"))
    return Education(
        text="",
        school=node.text("organisation/name"),
        area=node.text("field/label", "educationalfield/label"),
        degree=prose(node.text("title")),
        from_date=when.first,
        to_date=when.last,
    )


def _read_languages(learner: Node, stated: Stated) -> None:
    linguistic = learner.one("skills/linguistic", "linguistic")
    if linguistic is not None:
        for each in _both(linguistic, "mothertongue"):
            _add_language(each.one("description"), NATIVE, stated)
        for each in _both(linguistic, "foreignlanguage"):
            level = _level(each.one("proficiencylevel"))
            _add_language(each.one("description"), level, stated)
            for held in each.all("verifiedby/certificate") or each.all("certificate"):
                if title := held.text("title"):
                    stated.certificates.append(Certificate(name=title, date=date(held.one("date"))))
    for each in learner.all("languagelist/language"):
        is_mother = (each.attribute("type") or "").endswith("mother")
        _add_language(each, NATIVE if is_mother else _level(each.one("level")), stated)


def _add_language(described: Node | None, level: str | None, stated: Stated) -> None:
    if described is None:
        return
    name = described.text("label") or language(described.text("code") or "")
    if name:
        stated.languages.append(Language(name=name, level=level))


def _level(levels: Node | None) -> str | None:
    """One level where all five are the same, else each by its name."""
    if levels is None:
        return None
    told = [(levels.text(each) or "").upper() for each in _SKILLS_HEARD]
    if len(set(told)) == 1:
        return told[0] or None
    pairs = zip(_AS_SAID, told, strict=True)
    return ", ".join(f"{name} {level}" for name, level in pairs if level) or None


def _skills(learner: Node) -> list[str]:
    found: list[str] = []
    for names, longest in ((_LISTED, _SKILL), (_TOLD, _SHORT_SKILL)):
        texts = [
            *(learner.text(f"skills/{name}/description") for name in names),
            *(
                each.text()
                for each in learner.all("skilllist/skill")
                if each.attribute("type") in names
            ),
        ]
        lines = [line for text in texts for line in items(text)]
        if names is _LISTED:
            lines = [each for line in lines for each in _named_in(line)]
        found += [each.rstrip(" ;,.") for each in lines if len(each) <= longest]
    return found


def _named_in(line: str) -> list[str]:
    """What a line of short names lists; another line is one skill.

    >>> _named_in("QGIS, LiDAR"), _named_in("Good command of Word, Excel and the like")
    (['QGIS', 'LiDAR'], ['Good command of Word, Excel and the like'])
    """
    names = listed(line)
    return names if all(len(each.split()) <= _FEW_WORDS for each in names) else [line]


def _read_achievements(learner: Node, stated: Stated) -> None:
    for each in _both(learner, "achievement"):
        kind = each.text("title/code") or ""
        lines = items(each.text("description"))
        if kind == "publications":
            stated.publications += [Publication(title=line, date=_date_in(line)) for line in lines]
        elif kind in {"certifications", "certificates"}:
            stated.certificates += [Certificate(name=line, date=_date_in(line)) for line in lines]


def _date_in(line: str) -> str | None:
    found = span_in(line)
    return found[0].first if found else None
