"""How often one person may ask."""

from datetime import datetime, timedelta

import pytest

from handlers.access.rates import MOST_PEOPLE, Rates, TooFast


def test_the_bucket_fills_again_and_not_over_its_brim(now: datetime):
    rates = Rates(burst=2, per_second=0.5)
    rates.spend("U1", now=now)
    rates.spend("U1", now=now)
    with pytest.raises(TooFast, match="2 seconds"):
        rates.spend("U1", now=now)
    rates.spend("U1", now=now + timedelta(seconds=2))
    later = now + timedelta(days=1)
    rates.spend("U1", now=later)
    rates.spend("U1", now=later)
    with pytest.raises(TooFast):
        rates.spend("U1", now=later)


def test_a_clock_that_is_set_back_takes_nothing_away(now: datetime):
    rates = Rates(burst=2, per_second=1.0)
    rates.spend("U1", now=now)
    rates.spend("U1", now=now - timedelta(hours=1))


def test_people_without_end_are_not_kept_without_end(now: datetime):
    rates = Rates(burst=1, per_second=0.1)
    for number in range(MOST_PEOPLE):
        rates.spend(f"U{number}", now=now)
    with pytest.raises(TooFast):
        rates.spend("U0", now=now)
    rates.spend("UNEW", now=now)
    assert len(rates._left) == 1
    rates.spend("U0", now=now)
