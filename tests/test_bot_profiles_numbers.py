"""Numbers as pages write them, and what only looks like one."""

import pytest

from bot.profiles.prog_ai.numbers import whole


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("87", 87),
        (" 87+ ", 87),
        ("1,234", 1_234),
        ("1.234", 1_234),
        ("1’234’567", 1_234_567),
        ("12,34,567", 1_234_567),
        ("1\u202f234", 1_234),
        ("2.1k", 2_100),
        ("2,1 K", 2_100),
        ("1.005m", 1_005_000),
        ("3b", 3_000_000_000),
        ("9" * 15, int("9" * 15)),
    ],
)
def test_a_number_is_read(text: str, number: int):
    assert whole(text) == number


@pytest.mark.parametrize(
    "text",
    ["", "+", "k", "many", "x1", "²", "१२", "1,234,567k", "1.2.3k", "1-2", "9" * 16, "1" * 5000],
)
def test_what_is_none_is_none(text: str):
    assert whole(text) is None
