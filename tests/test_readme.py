"""The README cannot rot: what it lists is what the code has."""

import re

from bot.settings import PROJECT
from handlers.features.commands import COMMANDS
from storage.search.qualifiers import TABLE
from storage.search.sortings import SORTINGS

README = (PROJECT / "README.md").read_text(encoding="utf-8")


def test_the_table_of_qualifiers_is_the_code_s():
    table = README.split("<!-- qualifiers -->")[1].split("<!-- /qualifiers -->")[0]
    rows = re.findall(r"^\| `([^`]+)` \| `([^`]+)` \| (.+) \|$", table, re.MULTILINE)
    assert rows == [(each.key, each.example, each.help) for each in TABLE.values()]


def test_every_order_is_named():
    for sorting in SORTINGS:
        assert re.search(rf"`sort:-?{sorting.key}`", README), sorting.key


def test_every_built_command_is_named():
    for command in COMMANDS:
        if command.built:
            assert f"`{command.word}" in README, command.word


def test_every_link_to_a_file_leads_somewhere():
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", README):
        assert (PROJECT / target).exists(), target


def test_every_make_target_that_is_named_exists():
    makefile = (PROJECT / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"`?make ([a-z]+)", README)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
