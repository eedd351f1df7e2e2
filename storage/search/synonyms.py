"""Other names of places and companies, and what a question's other names were read as.

The tables stand beside this module: ``place_aliases.tsv`` holds what the place names of
``storage.places`` lack (abbreviations, and regions of several cities or countries),
``company_aliases.tsv`` the names of one company and ``school_aliases.tsv`` those of one
school, a line each. Skills have ``skill_aliases.tsv``: see ``skills``.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from storage.folding import fold
from storage.places import city_named, country_named, same_place_names
from storage.search.folding import tokens
from storage.search.skills import aliases, skill_key, skill_spelling

MOST_CITIES: Final = 3
"""Cities of a region that a sentence names."""
ALIKE: Final = 4
"""Letters at the beginning that make one spelling a form of the other (``gpus``, ``gpu``)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """What an everyday name of a place means: cities, whole countries, or other regions."""

    places: tuple[str, ...]
    within: tuple[str, ...]
    """The countries of the cities, in English; empty where the places are countries themselves."""

    @property
    def names(self) -> frozenset[str]:
        """Folded names of all the places, tokens joined by spaces."""
        return _all_names(self.places)

    @property
    def countries(self) -> frozenset[str]:
        """Folded names of the countries that a page may state."""
        return _all_names(self.within or self.places)

    def holds(self, country: str | None) -> bool:
        """Whether a page that states this country may be there."""
        return not country or folded(country) in self.countries

    def __str__(self) -> str:
        shown = self.places[:MOST_CITIES]
        more = len(self.places) - len(shown)
        if more == 1:
            shown, more = self.places, 0
        if more:
            return f"{', '.join(shown)} and {more} more places"
        return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} or {shown[-1]}"


@cache
def _all_names(places: tuple[str, ...]) -> frozenset[str]:
    """Folded names of the places, of those in the regions among them too."""
    found: set[str] = set()
    for place in places:
        if inner := region(place):
            found |= inner.names
        else:
            found.update(folded(name) for name in (place, *same_place_names(place)))
    return frozenset(found)


def folded(text: str) -> str:
    """The tokens of a name, one space between."""
    return " ".join(tokens(text))


@cache
def _regions() -> Mapping[str, Region]:
    return {
        spelling: Region(
            places=tuple(places.split(";")), within=tuple(filter(None, within.split(";")))
        )
        for spelling, places, within, _source in _rows("place_aliases.tsv")
    }


@cache
def _companies() -> Mapping[str, tuple[str, ...]]:
    """Folded name → all names of the company, the usual one first."""
    return _by_name("company_aliases.tsv")


@cache
def _schools() -> Mapping[str, tuple[str, ...]]:
    """Folded name → all names of the school, the usual one first."""
    return _by_name("school_aliases.tsv")


def _by_name(table: str) -> dict[str, tuple[str, ...]]:
    lines = [(usual, *others.split(";")) for usual, others, _ in _rows(table)]
    return {folded(name): names for names in lines for name in names}


def _rows(name: str) -> Iterator[list[str]]:
    table = files("storage.search").joinpath(name).read_text(encoding="utf-8")
    return (line.split("\t") for line in table.splitlines() if line and not line.startswith("#"))


def region(text: str) -> Region | None:
    """The region or the abbreviated city that ``text`` names.

    >>> str(region("SF")), str(region("benelux")), region("Oslo")
    ('San Francisco', 'Belgium, Netherlands or Luxembourg', None)
    """
    return _regions().get(folded(text))


def company_names(text: str) -> tuple[str, ...]:
    """All names of the company that ``text`` names, the usual one first; none for others.

    >>> company_names("msft"), company_names("Norrsken Labs")
    (('Microsoft', 'MSFT', '微软'), ())
    """
    return _companies().get(folded(text), ())


def school_names(text: str) -> tuple[str, ...]:
    """All names of the school that ``text`` names, the usual one first; none for others.

    >>> school_names("tub")[0], school_names("University of Lund")
    ('Technical University of Berlin', ())
    """
    return _schools().get(folded(text), ())


def skill_read_as(text: str) -> str:
    """The key of a skill where another spelling was typed; else empty.

    >>> skill_read_as("K8s"), skill_read_as("kubernetes"), skill_read_as("machine learning")
    ('kubernetes', '', '')
    """
    key = skill_key(text)
    return key if skill_spelling(text) in aliases() else ""


def place_read_as(text: str) -> str:
    """The usual names of a place where another was typed; else empty.

    >>> place_read_as("NYC"), place_read_as("北京"), place_read_as("Malmo"), place_read_as("oslo")
    ('New York City', 'Beijing', '', '')
    """
    if found := region(text):
        return str(found)
    city = None if country_named(text) else city_named(text)
    same = city is None or set(tokens(text)) <= set(tokens(city))
    return "" if city is None or same or fold(city) == fold(text) else city


def company_read_as(text: str) -> str:
    """The usual name of a company where another was typed; else empty.

    >>> company_read_as("字节跳动"), company_read_as("Meta")
    ('ByteDance', '')
    """
    names = company_names(text)
    return names[0] if names and folded(names[0]) != folded(text) else ""


def school_read_as(text: str) -> str:
    """The usual name of a school where an abbreviation or another name was typed; else empty.

    >>> school_read_as("清华"), school_read_as("Tsinghua"), school_read_as("MIT")
    ('Tsinghua University', '', 'Massachusetts Institute of Technology')
    """
    names = school_names(text)
    if not names or set(tokens(text)) <= set(tokens(names[0])):
        return ""
    return names[0]


def word_read_as(text: str) -> str:
    """What a bare word was read as where it is another name, and not a form, of something.

    >>> word_read_as("golang"), word_read_as("compilers"), word_read_as("fb")
    ('go', '', 'Meta')
    """
    skill = skill_read_as(text)
    if skill and fold(text)[:ALIKE] == skill[:ALIKE]:
        skill = ""
    place = region(text)
    return skill or (str(place) if place else "") or company_read_as(text) or school_read_as(text)
