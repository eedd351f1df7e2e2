"""One rule for days: the zone of whoever asks, in searches, reasons, cards, ``new`` and digests."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.digest import FURTHEST_WEST, compose
from bot.settings import Settings
from bot.zones import zone_of
from handlers.access.people import Asker
from handlers.access.rights import Role
from handlers.features.candidate import answer
from storage.search.dates import span
from tests.digest_people import add_person, subscribe
from tests.people_fixtures import add

NOW = datetime(2026, 12, 3, 22, 30, tzinfo=UTC)
"""Thursday evening in UTC; Friday already in Berlin."""
ADDED = NOW - timedelta(minutes=10)
ZONES = ("UTC", "Europe/Berlin", "Asia/Tokyo", "America/Los_Angeles", "Pacific/Kiritimati")


def told(store, text, zone=None, *, settings=None, now=NOW + timedelta(hours=1)):
    asker = Asker(id="U0MIRA", timezone=zone)
    return answer(store, text, asker=asker, now=now, settings=settings).message.plain


@pytest.mark.parametrize(
    ("zone", "day"), [("Europe/Berlin", "Fri 4 Dec"), ("America/Los_Angeles", "Thu 3 Dec")]
)
def test_the_day_somebody_was_added_is_the_asker_s_everywhere(store, zone, day):
    add(store, now=NOW + timedelta(minutes=45))
    now = NOW + timedelta(days=2)
    assert f"added {day}" in told(store, "quetzal", zone, now=now), "the card"
    assert f"added {day}" in told(store, "mlir sort:-added", zone, now=now), "the reason"
    assert f"added {day}" in told(store, "new", zone, now=now), "who is new"
    assert f"added {day}" in told(store, "-added:2025", zone, now=now), "an exclusion"
    assert day in told(store, "history quetzal", zone, now=now)


def test_the_days_of_added_are_the_asker_s(store):
    add(store, now=NOW + timedelta(minutes=45))
    assert "1 person" in told(store, "added:2026-12-04", "Europe/Berlin")
    assert "1 person" in told(store, "added:today", "Europe/Berlin")
    assert "1 person" in told(store, "added:2026-12-03", "America/Los_Angeles")
    assert "Nobody" in told(store, "added:2026-12-04", "America/Los_Angeles")
    assert "1 person" in told(store, "added>=2026-12-04", "Asia/Tokyo")


def test_without_a_zone_of_one_s_own_it_is_that_of_the_settings_else_utc(store):
    add(store, now=NOW + timedelta(minutes=45))
    berlin = Settings(_env_file=None, bot_mode="sandbox", digest_timezone="Europe/Berlin")
    for zone in (None, "Nowhere/Land"):
        assert "added Fri 4 Dec" in told(store, "quetzal", zone, settings=berlin)
        assert "1 person" in told(store, "added:2026-12-04", zone, settings=berlin)
        assert "added Thu 3 Dec" in told(store, "quetzal", zone)
        assert "1 person" in told(store, "added:2026-12-03", zone)


@pytest.mark.parametrize(
    ("zone", "added", "due"),
    [("Europe/Berlin", "Fri 4 Dec", "Fri 1 Jan"), ("UTC", "Thu 3 Dec", "Thu 31 Dec")],
)
def test_duties_and_report_say_the_same_day_as_everything_else(store, zone, added, due):
    person = add(store, now=NOW + timedelta(minutes=45))
    asker = Asker(id="U0MIRA", timezone=zone, role=Role.ADMIN)

    def asked(text):
        return answer(store, text, asker=asker, now=NOW + timedelta(hours=1)).message.plain

    assert f"Stored since {added}" in asked(f"report {person}")
    assert f"to be done by {due}" in asked(f"report {person}")
    assert f"to be told by {due}" in asked("duties")
    assert f"{added} " in asked(f"audit {person}")
    assert "2026-12" not in asked(f"report {person}")


def test_a_digest_s_days_are_those_of_its_own_zone(store):
    subscription = subscribe(store, NOW - timedelta(days=1), query="added:2026-12-04")
    add_person(store, 1, NOW + timedelta(minutes=45))
    digest = compose(store, subscription, NOW + timedelta(hours=1))
    assert [each.why for each in digest.people] == [("added Fri 4 Dec",)]


@pytest.mark.parametrize("zone", [*ZONES, "Etc/GMT+12"])
def test_who_lists_the_rest_of_a_digest_finds_all_of_them_wherever_they_are(store, zone):
    subscription = subscribe(store, NOW - timedelta(days=1))
    for number in range(52):
        add_person(store, number, NOW + timedelta(seconds=number))
    digest = compose(store, subscription, NOW + timedelta(hours=1))
    here = (NOW + timedelta(hours=1)).astimezone(zone_of(zone))
    assert store.search(digest.rest_query, limit=1, now=here).total == 52
    assert zone_of("Etc/GMT+12").utcoffset(NOW) == -FURTHEST_WEST


@given(st.integers(0, 50_000_000), st.sampled_from(ZONES))
def test_every_instant_lies_in_the_span_of_its_own_day_month_and_year(minutes, zone):
    """For every zone, and the spans of neighbouring days meet."""
    at = datetime(2000, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
    here = at.astimezone(zone_of(zone))
    for form in ("%Y-%m-%d", "%Y-%m", "%Y"):
        start, end = span(here.strftime(form), here)
        assert start <= at < end
    today = span("today", here)
    assert today == span(f"{here:%Y-%m-%d}", here)
    assert span("yesterday", here)[1] == today[0]
    assert span("2w", here)[1] == today[1]


def test_the_first_day_of_all_has_a_beginning_in_every_zone():
    for zone in ZONES:
        start, end = span("0001-01-01", NOW.astimezone(zone_of(zone)))
        assert start < end
