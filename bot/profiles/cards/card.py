"""What the properties of one address card state (RFC 6350, and what its older versions called so).

Pictures, birthdays, gender, relations and the like are not read, nor kept in the text.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import regex

from bot.profiles.contacts import emails_in
from bot.profiles.format import PersonPage, UnreadableProfile
from bot.profiles.sensitive import without_sensitive_lines
from bot.profiles.spoken import language_of_code
from bot.profiles.stated import Stated, profile_of
from bot.profiles.tables.cells import account_link, links_of, person_named, phones_of
from bot.profiles.topics import is_topic
from storage.folding import fold
from storage.records import Job, Language, Link

_KEPT: Final = {
    "FN": "Name", "N": "Names", "NICKNAME": "Nickname", "ORG": "Company", "TITLE": "Title",
    "ROLE": "Role", "EMAIL": "E-mail", "TEL": "Phone", "ADR": "Address", "URL": "Link",
    "NOTE": "Note", "CATEGORIES": "Categories", "LANG": "Language", "EXPERTISE": "Expertise",
    "X-SOCIALPROFILE": "Profile", "SOCIALPROFILE": "Profile", "IMPP": "Chat",
    "X-LINKEDIN": "LinkedIn", "X-GITHUB": "GitHub", "X-TWITTER": "Twitter",
}  # fmt: skip
"""The properties that speak of somebody's work and how to reach them."""
_ACCOUNTS: Final = {
    "X-LINKEDIN": "https://www.linkedin.com/in/",
    "X-GITHUB": "https://github.com/",
    "X-TWITTER": "https://twitter.com/",
}
_SITES: Final = {
    "linkedin": "https://www.linkedin.com/in/",
    "github": "https://github.com/",
    "twitter": "https://twitter.com/",
}
_NO_PERSON: Final = frozenset({"org", "group", "location", "application", "device"})
_PART: Final = regex.compile(r"[;,]\s*")


@dataclass(frozen=True, slots=True)
class Property:
    """``name`` in capitals; ``parts`` are the components of the value, ``kinds`` its types."""

    name: str
    parts: tuple[str, ...]
    kinds: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return " ".join(filter(None, (each.strip() for each in self.parts)))


@dataclass(slots=True)
class Card:
    """The properties of a card, in order."""

    properties: list[Property] = field(default_factory=list)

    def all(self, name: str) -> Iterator[Property]:
        return (each for each in self.properties if each.name == name and each.text)

    def first(self, name: str) -> Property | None:
        return next(self.all(name), None)

    def text(self, name: str) -> str | None:
        found = self.first(name)
        return found.text if found else None


def page_of(card: Card, place: str) -> PersonPage:
    """The person of a card. Raises UnreadableProfile for one of a company, or of nobody."""
    return PersonPage(profile=profile_of(_stated(card)), text=_text(card), place=place)


def shown_name(card: Card) -> str:
    """Whom the card seems to be about, for a refusal."""
    return (card.text("FN") or card.text("ORG") or "(no name)")[:100]


def _stated(card: Card) -> Stated:
    company = _component(card.first("ORG"), 0)
    name = _name(card)
    kind = fold(card.text("KIND") or card.text("X-ADDRESSBOOKSERVER-KIND") or "")
    shown_as = fold(card.text("X-ABSHOWAS") or "")
    is_firm = company is not None and fold(name) == fold(company) and not _component(
        card.first("N"), 1
    )  # fmt: skip
    if kind in _NO_PERSON or shown_as == "company" or is_firm:
        raise UnreadableProfile(
            "This is the card of a company or a group, not of a person. Nothing was stored."
        )
    title = card.text("TITLE") or card.text("ROLE")
    return Stated(
        name=name,
        title=title,
        company=company,
        place=next(filter(None, map(_place, card.all("ADR"))), None),
        summary=card.text("NOTE"),
        jobs=[Job(title=title, employer=company)] if title and company else [],
        skills=[*_skills(card)],
        languages=[
            Language(name=language_of_code(each.text.split("-")[0])) for each in card.all("LANG")
        ],
        links=[*_links(card)],
        emails=[
            address for each in card.all("EMAIL") for address in emails_in(each.text)
        ],
        phones=[
            number
            for each in card.all("TEL")
            if "fax" not in each.kinds
            for number in phones_of(regex.sub(r"^tel:|;ext=.*", "", each.text))
        ],
    )  # fmt: skip


def _component(found: Property | None, place: int) -> str | None:
    if found is None or place >= len(found.parts):
        return None
    return found.parts[place].strip() or None


def _name(card: Card) -> str:
    """The formatted name, or the given, middle and family names."""
    formatted = card.text("FN")
    if formatted and (name := person_named(formatted)):
        return name
    structured = card.first("N")
    parts = [_component(structured, place) for place in (1, 2, 0)]
    return " ".join(filter(None, parts))


def _place(address: Property) -> str | None:
    """Town, region and country; streets and codes are not a place."""
    town, region, country = (_component(address, place) for place in (3, 4, 6))
    return ", ".join(filter(None, (town, region, country))) or None


def _skills(card: Card) -> Iterator[str]:
    for each in card.all("EXPERTISE"):
        yield each.text
    for each in card.all("CATEGORIES"):
        for tag in _PART.split(",".join(each.parts)):
            if is_topic("-".join(tag.lower().split())):
                yield tag


def _links(card: Card) -> Iterator[Link]:
    for name in ("URL", "SOCIALPROFILE", "X-SOCIALPROFILE"):
        for each in card.all(name):
            site = next((_SITES[kind] for kind in each.kinds if kind in _SITES), None)
            value = regex.sub(r"^x-apple:", "", each.text)
            yield from account_link(value, site) if site else links_of(value)
    for name, site in _ACCOUNTS.items():
        for each in card.all(name):
            yield from account_link(each.text, site)


def _text(card: Card) -> str:
    lines: Sequence[str] = [
        f"{_KEPT[each.name]}: {each.text}"
        for each in card.properties
        if each.name in _KEPT and each.text
    ]
    return without_sensitive_lines("\n".join(lines)).replace("\x00", "")
