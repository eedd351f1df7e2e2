"""Places: which countries have a city of a name, and what else a place is called.

The tables in ``data/`` are made by `storage.build_places` from GeoNames and
CLDR (see ``data/SOURCES.md``): the places of 15,000 people and more with their
countries, and the other names of the large ones. They are read on first use.

A stated country *contradicts* when the city is known and none of its countries
is the stated one; a city that is not known keeps the stated country. A
dependent territory counts as its country too: Hong Kong is in China.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from storage.folding import fold
from storage.records import Location

_DATA: Final = Path(__file__).parent / "data"
_SEPARATOR: Final = re.compile(r"\s*[,，、;]\s*")
_SAINT: Final = re.compile(r"\bst\.? ")

_PARENTS: Final = {
    **dict.fromkeys(("HK", "MO"), "CN"),
    **dict.fromkeys(("PR", "GU", "VI", "AS", "MP", "UM"), "US"),
    **dict.fromkeys(("RE", "GP", "MQ", "GF", "YT", "NC", "PF", "PM", "BL", "MF", "WF"), "FR"),
    **dict.fromkeys(("JE", "GG", "IM", "GI", "BM", "KY", "FK", "VG", "TC", "AI", "MS", "SH"), "GB"),
    **dict.fromkeys(("FO", "GL"), "DK"),
    **dict.fromkeys(("CW", "AW", "SX", "BQ"), "NL"),
    "AX": "FI",
    "SJ": "NO",
}
_CITY_STATES: Final = frozenset({"SG", "HK", "MO", "MC", "VA", "GI", "SM"})

_LARGE: Final = 600
"""By size: to about 700,000 people."""

_STATES: Final = {
    "US": (
        "alabama al|alaska ak|arizona az|arkansas ar|california ca|colorado co|connecticut ct"
        "|delaware de|florida fl|georgia ga|hawaii hi|idaho id|illinois il|indiana in|iowa ia"
        "|kansas ks|kentucky ky|louisiana la|maine me|maryland md|massachusetts ma|michigan mi"
        "|minnesota mn|mississippi ms|missouri mo|montana mt|nebraska ne|nevada nv"
        "|new hampshire nh|new jersey nj|new mexico nm|new york ny|north carolina nc"
        "|north dakota nd|ohio oh|oklahoma ok|oregon or|pennsylvania pa|rhode island ri"
        "|south carolina sc|south dakota sd|tennessee tn|texas tx|utah ut|vermont vt|virginia va"
        "|washington wa|west virginia wv|wisconsin wi|wyoming wy|district of columbia dc"
    ),
    "CA": (
        "alberta ab|british columbia bc|manitoba mb|new brunswick nb"
        "|newfoundland and labrador nl|nova scotia ns|ontario on|prince edward island pe"
        "|quebec qc|saskatchewan sk"
    ),
}


@dataclass(frozen=True, slots=True)
class _Countries:
    names: dict[str, str]
    """Code to English name."""
    codes: dict[str, str]
    """Folded name to code."""
    others: dict[str, frozenset[str]]
    """Code to all its folded names."""


@dataclass(frozen=True, slots=True)
class _Cities:
    names: dict[str, str]
    """Folded main name to the name as GeoNames spells it."""
    codes: dict[str, tuple[str, ...]]
    """Folded main name to the codes of its countries, the largest city first."""
    ranks: dict[str, int]
    """Folded main name to its place among all by size, 0 the largest."""


@dataclass(frozen=True, slots=True)
class _OtherNames:
    main: dict[str, frozenset[tuple[str, str]]]
    """Folded other name to the main names and countries' codes that bear it."""
    others: dict[str, frozenset[str]]
    """Folded main name to its folded other names."""


def countries_of(city: str) -> frozenset[str]:
    """English names of the countries that have a city of this name, in any spelling; empty if none.

    >>> sorted(countries_of("北京")), "Canada" in countries_of("Cambridge")
    (['China'], True)
    """
    names = _countries().names
    return frozenset(names[code] for code in _codes_of(city) if code in names)


def country_named(text: str) -> str | None:
    """The English name of the country that ``text`` names, None when it names none.

    >>> country_named("UK"), country_named("Deutschland"), country_named("Beijing")
    ('United Kingdom', 'Germany', None)
    """
    code = _country_code(text)
    return _countries().names[code] if code else None


def country_of_code(text: str) -> str | None:
    """The English name of the country of this ISO 3166 code of two letters, None for others.

    >>> country_of_code("nl"), country_of_code("GB"), country_of_code("xx")
    ('Netherlands', 'United Kingdom', None)
    """
    return _countries().names.get(text.strip().upper())


def code_of_country(text: str) -> str | None:
    """The ISO 3166 code of two letters of the country that ``text`` names, None for others.

    >>> code_of_country("Netherlands"), code_of_country("UK"), code_of_country("Beijing")
    ('NL', 'GB', None)
    """
    return _country_code(text)


def city_named(text: str) -> str | None:
    """The usual English name of the city that ``text`` names, None when none is known.

    >>> city_named("peking"), city_named("Köln"), city_named("Germany")
    ('Beijing', 'Köln', None)
    """
    key = _key(text)
    cities = _cities()
    mains = {main for main, _ in _other_names().main.get(key, ())} | {key}
    # Of several cities that bear the name the largest is meant: Pekin is Beijing, not in Illinois.
    largest = min(mains & cities.names.keys(), key=cities.ranks.__getitem__, default=None)
    return None if largest is None else cities.names[largest]


def same_place_names(text: str) -> frozenset[str]:
    """All folded names of the city or country that ``text`` names, its own among them.

    >>> "beijing" in same_place_names("北京"), "united kingdom" in same_place_names("UK")
    (True, True)
    """
    key = _key(text)
    names = {fold(text).strip()}
    code = _country_code(text)
    if code:
        names |= _countries().others[code]
    others = _other_names()
    mains = {main for main, _ in others.main.get(key, ())}
    if key in _cities().names:
        mains.add(key)
    for main in mains:
        names |= {main, *others.others.get(main, ())}
    return frozenset(names)


def is_place(text: str) -> bool:
    """Whether ``text`` names a known city or country."""
    return _country_code(text) is not None or bool(_codes_of(text))


def is_large_city(text: str) -> bool:
    """Whether ``text`` is the usual name of one of the world's largest cities.

    >>> is_large_city("Stockholm"), is_large_city("Bo")
    (True, False)
    """
    return _cities().ranks.get(_key(text), _LARGE) < _LARGE


def is_state(text: str, *, of: str) -> bool:
    """Whether ``text`` is a state or province of a country that has a city of the name ``of``.

    >>> is_state("TX", of="Austin"), is_state("Texas", of="Beijing")
    (True, False)
    """
    return _is_state(text, _codes_of(of))


def parse_location(text: str) -> Location:
    """City and country of a stated place; the country None when missing or contradicted.

    >>> parse_location("Beijing, United States").country is None
    True

    A city state that stands alone is the city and the country it is; another country is no city.

    >>> place = parse_location("Singapore")
    >>> place.city, place.country
    ('Singapore', 'Singapore')
    >>> parse_location("Germany").city is None, parse_location("Berlin").country is None
    (True, True)
    """
    text = " ".join(text.split())
    pieces = [piece for piece in _SEPARATOR.split(text) if piece]
    if not pieces:
        return Location(text=text)
    if len(pieces) == 1:
        return _single(text, pieces[0])
    first, last = pieces[0], pieces[-1]
    if _country_code(last) is None and _country_code(first) and _codes_of(last):
        first, last = last, first
    code = _country_code(last)
    city = None if fold(first) in {"remote", "worldwide", "anywhere"} else first
    if code is None:
        return Location(text=text, city=city)
    if city is None or _agree(city, code, pieces[1:-1]):
        return Location(text=text, city=city, country=last)
    if len(pieces) == 2 and _is_state(last, _codes_of(first)):
        return Location(text=text, city=city)  # Atlanta, Georgia
    return Location(text=text, city=city, stated_country=last)


def _single(text: str, piece: str) -> Location:
    code = _country_code(piece)
    if code:
        return Location(text=text, city=piece if code in _CITY_STATES else None, country=piece)
    return Location(text=text, city=piece if _codes_of(piece) else None)


def _agree(city: str, code: str, between: list[str]) -> bool:
    codes = _codes_of(city)
    if not codes or code in codes:
        return True
    # A state of that country between the two speaks for a smaller place of the same name.
    return any(_is_state(piece, frozenset({code})) for piece in between)


def _is_state(text: str, codes: frozenset[str]) -> bool:
    key = _key(text)
    return any(key in _states(code) for code in codes & _STATES.keys())


@cache
def _states(code: str) -> frozenset[str]:
    entries = (entry.rpartition(" ") for entry in _STATES[code].split("|"))
    return frozenset(part for name, _, short in entries for part in (name, short))


def _key(text: str) -> str:
    return " ".join(fold(text).split())


def _country_code(text: str) -> str | None:
    return _countries().codes.get(_key(text))


def _codes_of(city: str) -> frozenset[str]:
    """Codes of the countries that have such a city, and of those these belong to."""
    key = _key(city)
    codes = {*_cities().codes.get(key, ()), *(code for _, code in _other_names().main.get(key, ()))}
    if not codes and (spelled := _SAINT.sub("saint ", key)) != key:
        return _codes_of(spelled)
    return frozenset(codes | {_PARENTS[code] for code in codes if code in _PARENTS})


def _rows(name: str) -> Iterator[list[str]]:
    with (_DATA / name).open(encoding="utf-8") as file:
        for line in file:
            yield line.rstrip("\n").split("\t")


@cache
def _countries() -> _Countries:
    names: dict[str, str] = {}
    codes: dict[str, str] = {}
    others: dict[str, frozenset[str]] = {}
    for code, name, other in _rows("countries.tsv"):
        names[code] = name
        others[code] = frozenset({fold(name), *filter(None, other.split("|"))})
    for code, folded in others.items():
        for name in folded:
            codes.setdefault(name, code)
    codes.update({fold(name): code for code, name in names.items()})
    return _Countries(names, codes, others)


@cache
def _cities() -> _Cities:
    names: dict[str, str] = {}
    codes: dict[str, tuple[str, ...]] = {}
    for name, countries, _, key in _rows("cities.tsv"):
        folded = key or name.lower()
        names[folded] = name
        codes[folded] = tuple(countries.split(","))
    return _Cities(names, codes, {name: rank for rank, name in enumerate(names)})


@cache
def _other_names() -> _OtherNames:
    main: dict[str, set[tuple[str, str]]] = defaultdict(set)
    others: dict[str, set[str]] = defaultdict(set)
    for name, code, other in _rows("city_names.tsv"):
        key = fold(name)
        for alias in other.split("|"):
            main[alias].add((key, code))
            others[key].add(alias)
    return _OtherNames(
        {alias: frozenset(cities) for alias, cities in main.items()},
        {key: frozenset(aliases) for key, aliases in others.items()},
    )
