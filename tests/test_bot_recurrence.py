"""When a digest comes: what can be typed, and the instant that each date means."""

import random
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.recurrence import (
    EVERY_DAY,
    Recurrence,
    RecurrenceError,
    is_schedule,
    parse_schedule,
)
from bot.zones import nearest_zone, zone_named

MONDAY, WORKING_DAYS = (1,), (1, 2, 3, 4, 5)
ZONES = sorted(available_timezones() - {"Factory", "localtime"})
TYPED = [zone for zone in ZONES if zone_named(zone) == zone]
"""Some names are taken for abbreviations when they are typed: MST, GMT."""


@pytest.mark.parametrize(
    ("text", "weekdays", "clock", "zone", "channel", "query"),
    [
        ("weekly monday 09:00", MONDAY, "09:00", None, None, ""),
        ("weekly", MONDAY, "09:00", None, None, ""),
        ("daily", EVERY_DAY, "09:00", None, None, ""),
        ("daily 08:30", EVERY_DAY, "08:30", None, None, ""),
        ("weekdays 9:00", WORKING_DAYS, "09:00", None, None, ""),
        ("every weekday at 9 o'clock in Berlin", WORKING_DAYS, "09:00", "Europe/Berlin", None, ""),
        ("weekends noon", (6, 7), "12:00", None, None, ""),
        ("weekly mon 9am", MONDAY, "09:00", None, None, ""),
        ("Weekly Mon 9 AM", MONDAY, "09:00", None, None, ""),
        ("mondays 09:00", MONDAY, "09:00", None, None, ""),
        ("every tue and thu at 17:00", (2, 4), "17:00", None, None, ""),
        ("thu, tue 17.00", (2, 4), "17:00", None, None, ""),
        ("mon-fri 9", WORKING_DAYS, "09:00", None, None, ""),
        ("9:30pm fridays new york", (5,), "21:30", "America/New_York", None, ""),
        ("every day midnight utc", EVERY_DAY, "00:00", "UTC", None, ""),
        ("each monday, 12 am", MONDAY, "00:00", None, None, ""),
        ("daily 12pm", EVERY_DAY, "12:00", None, None, ""),
        ("weekly monday 0900 in <#C1|x>", MONDAY, "09:00", None, "<#C1|x>", ""),
        ("weekly monday 9h15 to #hiring", MONDAY, "09:15", None, "#hiring", ""),
        ("daily 9 in C0HIRING001", EVERY_DAY, "09:00", None, "C0HIRING001", ""),
        ("#hiring daily 9", EVERY_DAY, "09:00", None, "#hiring", ""),
        ("daily 9 europe/berlin", EVERY_DAY, "09:00", "Europe/Berlin", None, ""),
        ("daily 9 Etc/GMT+5", EVERY_DAY, "09:00", "Etc/GMT+5", None, ""),
        (
            "weekly monday 09:00 Europe/Berlin in #hiring for skill:cuda -skill:triton",
            MONDAY, "09:00", "Europe/Berlin", "#hiring", "skill:cuda -skill:triton",
        ),
        ("daily for daily news for all", EVERY_DAY, "09:00", None, None, "daily news for all"),
    ],
)  # fmt: skip
def test_a_schedule_is_read_in_many_wordings(text, weekdays, clock, zone, channel, query):
    asked = parse_schedule(text)
    assert asked.weekdays == weekdays
    assert asked.recurrence("UTC").clock == clock
    assert asked.timezone == zone
    assert asked.channel == channel
    assert asked.query == query


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("daily 24:00", "`daily 00:00`"),
        ("daily 25:10", "`daily 23:10`"),
        ("daily 9:75 utc", "`daily 09:59 utc`"),
        ("daily 9:5", "`daily 09:05`"),
        ("daily 13pm", "`daily 13:00`"),
        ("weekly mondy 9:00", "`weekly monday 09:00`"),
        ("dialy 9:00", "`daily 09:00`"),
        ("daily 9:00 Europe/Berlni", "`daily 09:00 Europe/Berlin`"),
        ("daily 9:00 Europe/Münich", "`daily 09:00 Europe/"),
        ("daily 9 PST", "`daily 09:00 America/Los_Angeles`"),
        ("daily 9 UTC+2", "`daily 09:00 Europe/Berlin`"),
        ("daily 9 +02:00", "`daily 09:00 Europe/Berlin`"),
        ("monthly 9:00", "`weekly monday 09:00`"),
        ("daily 9 17:00", "`daily 9`"),
        ("daily 9 in #a in #b", "once for each"),
        ("daily 9 for", "`daily 9 for skill:cuda`"),
        ("daily in hiring", "`daily 09:00 in #hiring`"),
        ("daily 9 in our secret room", "in #our-secret-room"),
    ],
)
def test_what_cannot_be_read_is_answered_with_the_nearest_form_that_can(text, nearest):
    with pytest.raises(RecurrenceError) as raised:
        parse_schedule(text)
    assert nearest in str(raised.value)
    assert str(raised.value).endswith((".", "?", "`."))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("weekly mondy 9", True),
        ("mondays 09:00", True),
        ("9am", True),
        ("weeekly", True),
        ("every monday for skill:cuda", True),
        ("monthly", True),
        ("design lead", False),
        ("ines", False),
        ("", False),
    ],
)
def test_a_schedule_is_told_from_words_to_search_for(text, expected):
    assert is_schedule(text) is expected


RECURRENCES = st.builds(
    Recurrence,
    st.sets(st.integers(1, 7), min_size=1).map(lambda days: tuple(sorted(days))),
    st.integers(0, 23),
    st.integers(0, 59),
    st.sampled_from(TYPED),
)


@given(RECURRENCES)
def test_what_a_schedule_is_called_can_be_typed(recurrence):
    assert parse_schedule(str(recurrence)).recurrence("nowhere") == recurrence


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("wekly monday 09:00", "weekly monday 09:00"),
        ("wekly monday 09:00 in #hiring", "weekly monday 09:00 in #hiring"),
        ("wekly thu 8:00 for skill:cuda", "weekly thursday 08:00 for skill:cuda"),
        ("dayly 08:00 Europe/Berlin in #x", "daily 08:00 Europe/Berlin in #x"),
        ("weekly tuseday 10:00 in #hiring", "weekly tuesday 10:00 in #hiring"),
        ("weekly monday 09:00 Berln in #a", "weekly monday 09:00 Europe/Berlin in #a"),
        ("weekly monday 09:00 UTC+2 in #a", "weekly monday 09:00 Europe/Berlin in #a"),
    ],
)
def test_the_nearest_form_keeps_the_channel_and_the_question(text, meant):
    with pytest.raises(RecurrenceError) as raised:
        parse_schedule(text)
    assert f"`{meant}`" in str(raised.value)
    parse_schedule(meant)


@given(st.text(max_size=60))
def test_any_text_is_read_or_answered_with_a_sentence(text):
    try:
        asked = parse_schedule(text)
    except RecurrenceError:
        return
    assert asked.weekdays
    assert 0 <= asked.hour <= 23
    assert 0 <= asked.minute <= 59


def test_zones_are_found_by_name_and_by_city_and_abbreviations_are_not_guessed():
    assert zone_named("europe/berlin") == "Europe/Berlin"
    assert zone_named("new york") == "America/New_York"
    assert zone_named("gmt") == "UTC"
    assert zone_named("est") is None
    assert nearest_zone("est") == "America/New_York"
    assert nearest_zone("Europe/Stokholm") == "Europe/Stockholm"


@pytest.mark.parametrize(
    ("weekdays", "days", "period"),
    [(MONDAY, "weekly monday", 7), ((1, 4), "weekly monday and thursday", 4),
     (WORKING_DAYS, "weekdays", 3), ((6, 7), "weekends", 6), (EVERY_DAY, "daily", 1)],
)  # fmt: skip
def test_a_period_is_the_longest_time_between_two_slots(weekdays, days, period):
    recurrence = Recurrence(weekdays, 9, 0, "UTC")
    assert recurrence.days == days
    assert recurrence.period == timedelta(days=period)


def test_a_schedule_is_told_in_english():
    assert Recurrence((1, 4), 9, 0, "UTC").english == "every Monday and Thursday at 09:00 (UTC)"
    assert Recurrence(WORKING_DAYS, 9, 5, "UTC").english == "every weekday at 09:05 (UTC)"


def instant(zone, day, hour, minute):
    return Recurrence(EVERY_DAY, hour, minute, zone).instant(day)


def test_a_time_that_the_clock_skips_means_the_first_instant_after_the_jump():
    """Berlin, 29 March 2026: from 02:00 to 03:00, which is 01:00 UTC."""
    jump = datetime(2026, 3, 29, 1, 0, tzinfo=UTC)
    for minute in (0, 1, 30, 59):
        assert instant("Europe/Berlin", date(2026, 3, 29), 2, minute) == jump
    assert instant("Europe/Berlin", date(2026, 3, 29), 3, 0) == jump
    assert instant("Europe/Berlin", date(2026, 3, 29), 1, 59) == jump - timedelta(minutes=1)


def test_a_time_that_the_clock_shows_twice_means_its_first_pass():
    """Berlin, 25 October 2026: 02:30 is 00:30 and 01:30 UTC."""
    assert instant("Europe/Berlin", date(2026, 10, 25), 2, 30) == datetime(
        2026, 10, 25, 0, 30, tzinfo=UTC
    )


def test_a_jump_of_half_an_hour_is_found_too():
    """Lord Howe, 4 October 2026: from 02:00 to 02:30, which is 15:30 UTC the day before."""
    jump = datetime(2026, 10, 3, 15, 30, tzinfo=UTC)
    assert instant("Australia/Lord_Howe", date(2026, 10, 4), 2, 10) == jump


def test_a_date_that_a_zone_skipped_has_its_slot_at_the_first_instant_after_it():
    """Apia had no 30 December 2011: Thursday the 29th was followed by Saturday the 31st."""
    saturday = datetime(2011, 12, 30, 10, 0, tzinfo=UTC)
    friday = Recurrence((5,), 9, 0, "Pacific/Apia")
    [slot] = friday.due(saturday - timedelta(days=3), saturday + timedelta(days=3))
    assert (slot.day, slot.due_at) == ("2011-12-30", saturday)


def test_the_slots_between_two_instants_leave_out_the_first_and_take_the_last():
    recurrence = Recurrence((1,), 9, 0, "Europe/Berlin")
    first, second, third = recurrence.coming(datetime(2026, 12, 1, tzinfo=UTC), 3)
    assert [slot.day for slot in (first, second, third)] == [
        "2026-12-07",
        "2026-12-14",
        "2026-12-21",
    ]
    assert recurrence.due(first.due_at, third.due_at) == [second, third]
    assert recurrence.due(third.due_at, third.due_at) == []


def test_the_calendar_has_an_end():
    last_year = datetime(9999, 12, 20, tzinfo=UTC)
    assert len(Recurrence(EVERY_DAY, 9, 0, "UTC").coming(last_year, 100)) < 20


@pytest.mark.parametrize("years", [(2009, 2013), (2026, 2030)])
def test_each_date_has_one_slot_in_every_zone_over_five_years(years):
    """All zones, each day of five years at one of four times: the first instant at which the
    zone's clock shows that time or a later one, and never before the slot of the day before.

    2009 to 2013 hold the date that Apia and Fakaofo skipped, and Russia's and Egypt's changes.
    """
    first, last = date(years[0], 1, 1), date(years[1], 12, 31)
    second = timedelta(seconds=1)
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    dice = random.Random(years[0])
    for name in ZONES:
        hour, minute = dice.choice(((0, 0), (1, 30), (2, 30), (9, 0)))
        recurrence = Recurrence(EVERY_DAY, hour, minute, name)
        zone = ZoneInfo(name)
        before = None
        for day in days:
            slot = recurrence.instant(day)
            wanted = datetime.combine(day, time(hour, minute))
            shown = slot.astimezone(zone)
            local = shown.replace(tzinfo=None)
            assert before is None or slot >= before, (name, day)
            before = slot
            if local == wanted and not shown.fold:
                continue  # the ordinary case, and the first pass of a time shown twice
            earlier = (slot - second).astimezone(zone)
            assert local > wanted, (name, day)
            assert earlier.replace(tzinfo=None) < wanted, (name, day)
            assert earlier.utcoffset() != shown.utcoffset(), (name, day)


@pytest.mark.parametrize("name", ["Pacific/Apia", "Europe/Berlin", "America/St_Johns"])
def test_the_slots_of_five_years_are_each_matching_date_once(name):
    """Walked as the clock walks, from one instant to the next, nothing is skipped or doubled."""
    recurrence = Recurrence((2, 5), 0, 0, name)
    begin, end = datetime(2009, 1, 1, tzinfo=UTC), datetime(2013, 12, 31, tzinfo=UTC)
    walked, moment, dice = [], begin, random.Random(name)
    while moment < end:
        following = moment + timedelta(hours=dice.uniform(0.1, 300))
        walked += [slot.day for slot in recurrence.due(moment, min(following, end))]
        moment = following
    days = (date(2009, 1, 1) + timedelta(days=number) for number in range(365 * 5 + 1))
    expected = [
        day.isoformat()
        for day in days
        if day.isoweekday() in (2, 5) and begin < recurrence.instant(day) <= end
    ]
    assert walked == expected
