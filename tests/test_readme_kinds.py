"""The README's table of kinds is what the program reads."""

import re
from pathlib import Path

from bot.profiles.reader import FORMATS
from handlers.views.card import SOURCES

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def test_the_table_of_kinds_lists_every_format_in_order():
    table = README.partition("<!-- kinds -->")[2].partition("<!-- /kinds -->")[0]
    listed = re.findall(r"\(`([a-z0-9-]+)`\)", table)
    assert listed == [each.NAME for each in FORMATS]


def test_every_format_that_speaks_of_people_has_a_word_for_cards():
    assert {each.NAME for each in FORMATS if hasattr(each, "read")} == set(SOURCES)
