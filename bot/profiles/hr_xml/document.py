"""The formats: Europass and HR-XML, by the root of the document."""

from collections.abc import Callable
from typing import Final

import regex

from bot.profiles.decoding import text_of
from bot.profiles.format import PersonPage, Reading, Refusal, UnreadableProfile
from bot.profiles.hr_xml import candidate, europass, hr_open, resume
from bot.profiles.hr_xml.tree import Node, root_of, tree_of, tree_of_json
from bot.profiles.hr_xml.values import readable
from bot.profiles.stated import Stated, profile_of

_HEAD: Final = 16 * 1024
_MOST_PEOPLE: Final = 5_000
_EUROPASS: Final = frozenset({"skillspassport", "learnerinfo", "europass"})
_HR_XML: Final = frozenset({
    "candidate", "candidates", "candidatelist", "resume", "resumes", "structuredxmlresume",
    "candidateprofile",
})  # fmt: skip
_TELLING: Final = regex.compile(
    r"<(?:[\w.-]+:)?(?:CandidatePerson|CandidateProfile|StructuredXMLResume|PersonalData)\b"
    r"|hr-xml\.org|hropenstandards",
    regex.IGNORECASE,
)
_SKILLS_PASSPORT: Final = regex.compile(r'\{\s*"(?:SkillsPassport|LearnerInfo)"\s*:')
_OPEN_KEYS: Final = (
    '"profiles"', '"formattedName"', '"positionHistories"', '"documentId"', '"communication"',
    '"educationDegrees"', '"competencyName"', '"given"',
)  # fmt: skip


class Europass:
    """Europass documents: versions 2 and 3, and the profile of today, as XML."""

    NAME: Final = "europass"
    VERSION: Final = 1

    def claims(self, name: str, content: bytes) -> float:  # noqa: ARG002 - the bytes decide
        root, attributes, _ = _start(content)
        if root in _EUROPASS:
            return 0.95
        return 0.95 if root == "candidate" and "europass" in attributes.lower() else 0.0

    def read(self, content: bytes) -> Reading:
        return _reading(tree_of(content), f"{self.NAME}/{self.VERSION}")


class EuropassJson:
    """Europass documents of version 3 as JSON."""

    NAME: Final = "europass-json"
    VERSION: Final = 1

    def claims(self, name: str, content: bytes) -> float:  # noqa: ARG002 - the bytes decide
        start = _json_start(content)
        return 0.95 if _SKILLS_PASSPORT.match(start) else 0.0

    def read(self, content: bytes) -> Reading:
        return _reading(tree_of_json(text_of(content)), f"{self.NAME}/{self.VERSION}")


class HrOpen:
    """HR Open's ``Candidate`` of version 4, as JSON."""

    NAME: Final = "hr-open"
    VERSION: Final = 1

    def claims(self, name: str, content: bytes) -> float:  # noqa: ARG002 - the bytes decide
        start = _json_start(content)
        if '"person"' not in start:
            return 0.0
        telling = sum(each in start for each in _OPEN_KEYS)
        return 0.9 if telling >= 2 else 0.0

    def read(self, content: bytes) -> Reading:
        return _reading(tree_of_json(text_of(content)), f"{self.NAME}/{self.VERSION}")


class HrXml:
    """HR-XML: ``Resume`` and ``Candidate`` of versions 2 and 3, one or several."""

    NAME: Final = "hr-xml"
    VERSION: Final = 1

    def claims(self, name: str, content: bytes) -> float:  # noqa: ARG002 - the bytes decide
        root, attributes, start = _start(content)
        if root not in _HR_XML or "europass" in attributes.lower():
            return 0.0
        return 0.9 if _TELLING.search(start) else 0.0

    def read(self, content: bytes) -> Reading:
        return _reading(tree_of(content), f"{self.NAME}/{self.VERSION}")


def _json_start(content: bytes) -> str:
    """The text of what begins as a JSON object does."""
    if (
        not content[:200]
        .replace(b"\0", b"")
        .lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
        .startswith(b"{")
    ):
        return ""
    try:
        return text_of(content[:_HEAD]).lstrip()
    except UnreadableProfile:
        return ""


def _start(content: bytes) -> tuple[str, str, str]:
    """The root's name and attributes, and the text that they begin."""
    if (
        not content[:200]
        .replace(b"\0", b"")
        .lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
        .startswith(b"<")
    ):
        return "", "", ""
    try:
        start = text_of(content[:_HEAD])
    except UnreadableProfile:
        return "", "", ""
    return (*root_of(start), start)


def _reading(root: Node, parser: str) -> Reading:
    """The people of a document; one who cannot be read stops no other."""
    people = _people(root)
    pages: list[PersonPage] = []
    refusals: list[Refusal] = []
    for number, person in enumerate(people, start=1):
        place = f"{person.name} {number}" if len(people) > 1 else ""
        try:
            profile = profile_of(_reader(person)(person))
        except UnreadableProfile as refused:
            if len(people) == 1:
                raise
            refusals.append(Refusal(name=place, reason=str(refused)))
            continue
        pages.append(PersonPage(profile=profile, text=readable(person), place=place))
    if not pages:
        raise UnreadableProfile(
            "The XML states nobody's name. Fill it in where it was made, and export it again. "
            "Nothing was stored."
        )
    return Reading(pages=tuple(pages), refusals=tuple(refusals), parser=parser)


def _people(root: Node) -> tuple[Node, ...]:
    if root.name in {"candidates", "candidatelist", "resumes"}:
        return root.all("candidate|resume")[:_MOST_PEOPLE]
    return (root,)


def _reader(root: Node) -> Callable[[Node], Stated]:
    if root.name == "json":
        return (
            europass.stated_of if root.one("skillspassport", "learnerinfo") else hr_open.stated_of
        )
    if root.name in _EUROPASS:
        return europass.stated_of
    if next(root.within("structuredxmlresume"), None) or root.name in {
        "resume",
        "structuredxmlresume",
    }:
        return resume.stated_of
    return candidate.stated_of
