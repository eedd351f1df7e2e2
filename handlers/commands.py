"""The words that are commands, in one table; everything else is searched.

A word is a command only when the rest parses as that command wants it: ``new``
lists this week's people, ``new york`` is searched; ``history Lei Wang`` is a
command when somebody here is called so. What stands in quotes is always
searched. Help, "did you mean" and "is not built yet" are made from this table.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeAlias

import regex
from rapidfuzz.distance import OSA
from slack_sdk import WebClient

from bot.answers import Answer
from bot.asking import help_answer, newcomers
from bot.settings import Settings
from handlers import digests
from handlers.people import TERMINAL, Asker, Place
from handlers.replies import Reply, done
from handlers.views.answer import render
from handlers.views.card import Setting
from handlers.views.dates import zone_of
from handlers.views.help import TOPICS
from handlers.views.history import history
from storage.records import Candidate
from storage.search.qualifiers import SORT_EXAMPLE, SORT_HELP, TABLE
from storage.search.unwrap import unwrap
from storage.search.values import NameTier
from storage.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A text with everything around it that an answer may depend on."""

    store: Store
    text: str
    asker: Asker
    now: datetime
    place: Place = TERMINAL
    settings: Settings | None = None
    client: WebClient | None = None
    """Slack, for the commands that have to ask it; None at a terminal."""
    thread: str | None = None
    """The thread that a card shared from this answer goes to."""

    @property
    def setting(self) -> Setting:
        return Setting(now=self.now, zone=zone_of(self.asker.timezone), thread=self.thread)


Run: TypeAlias = Callable[[Question, str], Reply | None]
"""Answers the rest of the text, or None when it does not parse and is to be searched."""
Parses: TypeAlias = Callable[[Question, str], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command word. Without ``run`` it is not built yet and ``instead`` says what to do."""

    word: str
    usage: str
    help: str
    parses: Parses
    run: Run | None = None
    instead: str = ""
    also: tuple[str, ...] = field(default=())
    """Other words for the same."""

    @property
    def built(self) -> bool:
        return self.run is not None


def answer_command(question: Question) -> Reply | None:
    """The reply when the text is a command whose rest parses, else None."""
    command, rest = command_of(question.text)
    if command is None or not command.parses(question, rest):
        return None
    if command.run is None:
        return not_built(command)
    return command.run(question, rest)


def command_of(text: str) -> tuple[Command | None, str]:
    """The command that the first word is, whatever its case, and the rest of the text."""
    first, _, rest = text.partition(" ")
    if first.endswith(":") and first[:-1].lower() == "job":
        first = first[:-1]
    return WORDS.get(first.lower()), rest.strip()


def not_built(command: Command) -> Reply:
    text = f"`/candidate {command.word}` is not built yet. {command.instead}"
    return done(command.word, text)


def did_you_mean(question: Question) -> str | None:
    """The command that this text may be a mistyping of, or None.

    One letter may differ in a short word, two in one of six letters or more (two that
    changed places count as one); and the rest has to parse for that command.
    """
    first, _, rest = question.text.partition(" ")
    typed = first.lower()
    if typed in WORDS or len(typed) < 3:
        return None
    allowed = 1 if len(typed) < 6 else 2
    near = sorted(
        (distance, word)
        for word in WORDS
        if len(word) > 2 and (distance := OSA.distance(typed, word)) <= allowed
    )
    for _, word in near:
        command = WORDS[word]
        if command.parses(question, rest.strip()):
            return f"{word} {rest.strip()}".strip()
    return None


def usage_of(question: Question) -> tuple[str, str] | None:
    """How the command is written that the first word is: for a rest that did not parse."""
    command, _ = command_of(question.text)
    return None if command is None else (command.usage, command.help)


def one_person(store: Store, who: str) -> tuple[Candidate | None, list[Candidate]]:
    """The one person whom an id, a name or a login names; else None and those it could be."""
    who = unwrap(who)
    by_id = store.candidate(who)
    if by_id is not None:
        return by_id, []
    people = [hit.candidate for hit in store.named(who).hits] if who else []
    return (people[0], []) if len(people) == 1 else (None, people)


# How the rest of a command parses.


def nothing_more(_: Question, rest: str) -> bool:
    return not rest


def a_topic(_: Question, rest: str) -> bool:
    return not rest or rest.lower() in TOPICS


def this_week(_: Question, rest: str) -> bool:
    return rest.lower() in {"", "this week", "people"} or _DAYS.fullmatch(rest.lower()) is not None


def names_somebody(question: Question, rest: str) -> bool:
    """The rest is an id or names people here, mistyped or not."""
    if not rest or '"' in rest:
        return False
    if question.store.candidate(rest) is not None:
        return True
    return question.store.named(rest).tier is not NameTier.NONE


def begins_with_somebody(question: Question, rest: str) -> bool:
    """Some words at the beginning of the rest name people here."""
    words = rest.split()
    return any(
        names_somebody(question, " ".join(words[:count])) for count in range(len(words), 0, -1)
    )


def names_several(question: Question, rest: str) -> bool:
    parts = [part for part in _BETWEEN.split(rest) if part.strip()]
    return len(parts) > 1 and all(names_somebody(question, part.strip()) for part in parts)


def nobody_or_somebody(question: Question, rest: str) -> bool:
    return not rest or names_somebody(question, rest)


def a_page(_: Question, rest: str) -> bool:
    """Nothing, or so much text that it is a page or a description and not words to find."""
    return not rest or len(rest) > 200


def a_description(question: Question, rest: str) -> bool:
    return len(rest) > 100 or question.text.lower().startswith("job:")


def something(_: Question, rest: str) -> bool:
    return bool(rest)


def a_format(_: Question, rest: str) -> bool:
    first = rest.lower().split(" ", 1)[0]
    return first in {"", "csv", "json", "xlsx"}


def a_digest(_: Question, rest: str) -> bool:
    """It is one of digest's own words or a schedule; whether all of it parses it says itself."""
    return rest.lower() == "help" or digests.understands(rest)


_BETWEEN = regex.compile(r"\s*,\s*|\s+(?:and|with|vs\.?|versus|&)\s+", regex.IGNORECASE)
_DAYS = regex.compile(r"(?:last |the last )?([1-9]\d{0,2}) days?")


# What the built ones answer.


def run_help(question: Question, rest: str) -> Reply:
    topic = rest.lower()
    answer = help_answer(question.store, topic, now=question.now)
    if topic == "commands":
        answer = replace(answer, entries=tuple((each.usage, _told(each)) for each in COMMANDS))
    if topic == "search":
        answer = replace(answer, entries=QUALIFIERS)
    return _reply(question, answer)


def run_new(question: Question, rest: str) -> Reply:
    days = _DAYS.fullmatch(rest.lower())
    answer = newcomers(question.store, now=question.now, days=int(days[1]) if days else 7)
    return _reply(question, answer)


def run_add(question: Question, _: str) -> Reply:
    return run_help(question, "add")


def run_digest(question: Question, rest: str) -> Reply | None:
    if rest.lower() == "help":
        return run_help(question, "digest")
    return digests.command(
        question.store,
        rest,
        asker=question.asker,
        place=question.place,
        settings=question.settings,
        client=question.client,
        now=question.now,
    )


def run_history(question: Question, rest: str) -> Reply:
    person, others = one_person(question.store, rest)
    if person is None:
        return done(
            f"history {rest}",
            f"{len(others)} people could be “{rest}”. "
            "Write more of the name: `/candidate history FULL NAME`.",
        )
    entries = question.store.history(person.id)
    message = history(person, entries, question.setting)
    return done(f"history {person.profile.name}", message.plain, message)


def _reply(question: Question, answer: Answer) -> Reply:
    return Reply(answer, render(answer, question.setting))


def _told(command: Command) -> str:
    return command.help if command.built else f"{command.help} (not built yet)"


QUALIFIERS = (
    *((each.example, each.help) for each in TABLE.values()),
    (SORT_EXAMPLE, SORT_HELP),
)
"""What ``help search`` lists: the search's own table."""

COMMANDS: tuple[Command, ...] = (
    Command(
        word="help",
        usage="help",
        help="help, also `help search`, `help digest`, `help add`, `help commands`",
        parses=a_topic,
        run=run_help,
    ),
    Command(
        word="new",
        usage="new",
        help="people added this week; `new 30 days` for longer",
        parses=this_week,
        run=run_new,
    ),
    Command(
        word="digest",
        usage="digest weekly monday 09:00 in #hiring",
        help="subscribe a channel; also list, preview, now, pause, resume, stop",
        parses=a_digest,
        run=run_digest,
        also=("digests",),
    ),
    Command(
        word="history",
        usage="history NAME",
        help="what happened to a record, and who did it",
        parses=names_somebody,
        run=run_history,
    ),
    Command(
        word="add",
        usage="add",
        help="how to add people",
        parses=a_page,
        run=run_add,
    ),
    Command(
        word="forget",
        usage="forget NAME",
        help="erase a person everywhere",
        parses=names_somebody,
        instead="Until it is, ask whoever runs the bot to remove the record. Cards in channels "
        "go with the Withdraw button under them.",
        also=("erase", "delete", "remove"),
    ),
    Command(
        word="compare",
        usage="compare NAME, NAME",
        help="two to five people side by side",
        parses=names_several,
        instead="Open the cards one after the other: `/candidate NAME`.",
    ),
    Command(
        word="similar",
        usage="similar NAME",
        help="people who resemble somebody",
        parses=names_somebody,
        instead="Search for the skills on the card that matter, such as "
        "`/candidate skill:cuda skill:llvm`.",
    ),
    Command(
        word="job",
        usage="job: DESCRIPTION",
        help="a job description becomes a search",
        parses=a_description,
        instead="Search for its two or three most telling skills, such as "
        "`/candidate skill:cuda location:beijing`.",
    ),
    Command(
        word="again",
        usage="again",
        help="your last question once more",
        parses=nothing_more,
        instead="Type the question again; in Slack the up arrow brings it back.",
    ),
    Command(
        word="duplicates",
        usage="duplicates",
        help="records that may be the same person",
        parses=nobody_or_somebody,
        instead="Ask for the name: `/candidate NAME` shows everybody called so, side by side.",
    ),
    Command(
        word="unmerge",
        usage="unmerge NAME",
        help="take a merge of two records back",
        parses=names_somebody,
        instead="Nothing is ever merged by the bot, so there is nothing to take back yet.",
    ),
    Command(
        word="edit",
        usage="edit NAME",
        help="correct a fact",
        parses=begins_with_somebody,
        instead="Correct the text of the page and load it again: the record is updated.",
    ),
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
        word="export",
        usage="export csv",
        help="results as a file",
        parses=a_format,
        instead="On the bot's machine, `python -m bot ask --json -- QUERY` prints results for "
        "programs.",
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

GREETINGS = ("hi", "hello", "hey", "?", "hilfe", "start")
WORDS: dict[str, Command] = {
    word: command for command in COMMANDS for word in (command.word, *command.also)
} | {
    greeting: Command(word=greeting, usage="help", help="help", parses=nothing_more, run=run_help)
    for greeting in GREETINGS
}
