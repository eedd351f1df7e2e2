"""Commands that are not built yet: typing one says what to do meanwhile."""

from handlers.features.command import Command
from handlers.features.question import (
    begins_with_somebody,
    nothing_more,
    something,
)

COMING: tuple[Command, ...] = (
    Command(
        word="link",
        usage="link NAME ADDRESS",
        help="tie a profile elsewhere to a person",
        parses=begins_with_somebody,
        instead="Put the address into your own notes for now.",
    ),
    Command(
        word="why",
        usage="why NAME",
        help="how a person matched your last search",
        parses=begins_with_somebody,
        instead="Search results already say under each name why the person matched.",
    ),
    Command(
        word="who-knows",
        usage="who-knows SKILL",
        help="colleagues who know a subject or a person",
        parses=something,
        instead="For candidates with a skill: `/candidate skill:NAME`.",
    ),
    Command(
        word="shortlist",
        usage="shortlist",
        help="lists of people to come back to",
        parses=nothing_more,
        instead="Share the card in a channel of yours: there it stays.",
    ),
    Command(
        word="note",
        usage="note NAME TEXT",
        help="notes on a person",
        parses=begins_with_somebody,
        instead="Share the card in a channel and write below it.",
    ),
)
