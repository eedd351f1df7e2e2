"""Places: cities, countries, their other names, and what a stated place says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.places import (
    city_named,
    countries_of,
    country_named,
    is_place,
    parse_location,
    same_place_names,
)


@pytest.mark.parametrize(
    ("text", "city", "country", "contradicted"),
    [
        ("Beijing, China", "Beijing", "China", None),
        ("Beijing, United States", "Beijing", None, "United States"),
        ("Bengaluru, Germany", "Bengaluru", None, "Germany"),
        ("Nice, Germany", "Nice", None, "Germany"),
        ("Berlin", "Berlin", None, None),
        ("Germany", None, "Germany", None),
        ("Singapore", "Singapore", "Singapore", None),
        ("Remote", None, None, None),
        ("Remote, Germany", None, "Germany", None),
        ("San Francisco, CA", "San Francisco", None, None),
        ("San Francisco, California, United States", "San Francisco", "United States", None),
        ("San Francisco Bay Area", None, None, None),
        ("Paris, Texas, United States", "Paris", "United States", None),
        ("Oslo, Minnesota, United States", "Oslo", "United States", None),
        ("Atlanta, Georgia", "Atlanta", None, None),
        ("Tbilisi, Georgia", "Tbilisi", "Georgia", None),
        ("Cambridge, England", "Cambridge", "England", None),
        ("Cambridge, United States", "Cambridge", "United States", None),
        ("London, UK", "London", "UK", None),
        ("Hong Kong, China", "Hong Kong", "China", None),
        ("Kalmarfors, Sweden", "Kalmarfors", "Sweden", None),
        ("St. Petersburg, Russia", "St. Petersburg", "Russia", None),
        ("München, Deutschland", "München", "Deutschland", None),
        ("北京, 中国", "北京", "中国", None),
        ("北京，中国", "北京", "中国", None),
        ("China, Beijing", "Beijing", "China", None),
        ("New York, United States", "New York", "United States", None),
        ("Montevideo,  Uruguay", "Montevideo", "Uruguay", None),
        ("Springfield, Freedonia", "Springfield", None, None),
        ("", None, None, None),
    ],
)
def test_a_stated_place_gives_city_and_country(text, city, country, contradicted):
    location = parse_location(text)
    assert (location.city, location.country) == (city, country)
    assert location.stated_country == contradicted
    assert location.text == " ".join(text.split())


def test_countries_are_known_by_everyday_and_foreign_names():
    for name in ("UK", "u.k.", "Great Britain", "Vereinigtes Königreich", "英国", "England"):
        assert country_named(name) == "United Kingdom"
    for name in ("USA", "United States of America", "Estados Unidos", "США", "美国"):
        assert country_named(name) == "United States"
    assert country_named("Türkiye") == country_named("turkey") == "Turkey"
    assert country_named("Rivendell") is None


def test_cities_are_known_by_exonyms_and_native_names():
    for name in ("Peking", "北京", "pékin", "BEIJING", "Пекин"):
        assert city_named(name) == "Beijing"
        assert "China" in countries_of(name)
    assert countries_of("北京") == {"China"}
    assert city_named("Cologne") == city_named("köln") == "Köln"
    assert city_named("Rivendell") is None
    assert countries_of("Rivendell") == frozenset()
    assert {"United Kingdom", "United States", "Canada"} <= countries_of("Cambridge")


def test_all_names_of_a_place_find_each_other():
    for name in ("北京", "Peking", "beijing"):
        assert {"北京", "peking", "beijing"} <= same_place_names(name)
    assert {"usa", "united states", "美国"} <= same_place_names("United States")
    assert same_place_names("Rivendell") == {"rivendell"}


def test_a_place_is_a_city_or_a_country():
    assert is_place("Oslo")
    assert is_place("norway")
    assert not is_place("Engineer")


@given(st.text(max_size=60))
def test_any_text_is_a_location_of_that_text(text):
    location = parse_location(text)
    assert location.text == " ".join(text.split())
    assert location.country is None or location.stated_country is None
