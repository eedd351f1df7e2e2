"""Help, made of questions that work on who is stored."""

from bot.answers import HelpAnswer
from handlers.views.message import Context, Message, Part, Section, compose
from handlers.views.results import people
from handlers.views.text import Bold, Code, Line, line, worded
from storage.search.values import Examples

TOPICS = ("search", "digest", "add", "commands")

ADD = """\
Copy a person's Prog,AI page, from the name down to the last contribution, and save it as a \
text file.
Give the file to whoever runs the bot. On its machine, `.venv/bin/python -m bot load page.txt` \
adds it (files or whole folders).
A folder named in the setting INBOX is watched too: what is put there is added within a minute, \
and what cannot be read is moved to refused/ with the reason beside it.
A newer page of the same person updates them; nobody is added twice."""


def help_message(answer: HelpAnswer) -> Message:
    match answer.topic:
        case "search":
            return compose([*_search(answer), _footer("help", "help digest")])
        case "digest":
            return compose([*_digest(), _footer("help", "help search")])
        case "add":
            return compose([*_add(), _footer("help", "help search")])
        case "commands":
            return compose([_commands(answer), _footer("help", "help search")])
        case _ if answer.entries:
            return compose([_explained(answer), _footer("help search")])
        case _:
            return compose(help_parts(answer))


def help_parts(answer: HelpAnswer) -> list[Part]:
    """The whole of it, as shown for an empty text, ``help``, ``hi``, and on the Home tab."""
    return [
        Section(
            [
                line(Bold("Find"), f" ({people(answer.stored)} stored)"),
                *_examples(answer.examples),
            ]
        ),
        *(
            [
                Section(
                    [
                        line(
                            "Nobody is stored yet. ",
                            Code("/candidate help add"),
                            " says how to begin.",
                        )
                    ]
                )
            ]
            if not answer.stored
            else []
        ),
        Section(
            [
                line(
                    Bold("Weekly digest"),
                    " ",
                    Code("/candidate digest weekly monday 09:00 in #hiring"),
                    ", then ",
                    Code("/candidate digest list"),
                )
            ]
        ),
        Section(
            [
                line(Bold("New this week"), " ", Code("/candidate new")),
                line(Bold("Add people"), " ", Code("/candidate help add"), " says how"),
            ]
        ),
        Context(
            [
                line(
                    "Only you see answers until you share · in threads, mention me · more: ",
                    Code("/candidate help search"),
                    ", ",
                    Code("/candidate help digest"),
                    ", ",
                    Code("/candidate help commands"),
                )
            ]
        ),
    ]


def _examples(examples: Examples) -> list[Line]:
    rows = (
        (examples.name or "NAME", "name, part of it, GitHub login"),
        (examples.words or "WORDS", "any words"),
        (examples.skill or "skill:NAME", "exactly this skill"),
        (examples.two_skills, "has one, not the other"),
        (examples.repository, "worked on it"),
        (examples.location, "lives there"),
        (examples.company, "works there now"),
        (examples.years, "years of coding"),
    )
    return [line(Code(f"/candidate {query}"), f" {what}") for query, what in rows if query][:6]


def _search(answer: HelpAnswer) -> list[Part]:
    rows = [line(Code(query), " ", worded(what)) for query, what in answer.entries]
    return [
        Section([line(Bold("Search")), *rows]),
        Section(
            [
                line(
                    "Put several together: all have to match. ",
                    Code("or"),
                    ", ",
                    Code("not"),
                    " (or ",
                    Code("-"),
                    " in front) and brackets work: ",
                    Code("(cuda or onnx) -skill:rust"),
                ),
                line(
                    Code('"in quotes"'), " searches for these words side by side, never as a name."
                ),
            ]
        ),
    ]


def _digest() -> list[Part]:
    rows = (
        ("digest weekly monday 09:00 in #hiring", "new people, every Monday, in that channel"),
        ("digest daily 08:30 Europe/Berlin", "every day, here, in that time zone"),
        ("digest weekdays 09:00 for skill:cuda", "only people that this search finds"),
        ("digest list", "what is subscribed, and when it comes next"),
        ("digest preview", "what the next one would say; nothing is posted"),
        ("digest now", "post it now"),
        ("digest pause 1", "and `digest resume 1`, `digest stop 1`: the number is in the list"),
    )
    return [
        Section(
            [
                line(Bold("Digests")),
                *(line(Code(f"/candidate {text}"), " ", worded(what)) for text, what in rows),
            ]
        )
    ]


def _add() -> list[Part]:
    return [
        Section([line(Bold("Add people")), *(line("• ", worded(text)) for text in ADD.split("\n"))])
    ]


def _explained(answer: HelpAnswer) -> Section:
    """One qualifier: its key, then each way to write it with what it finds."""
    rows = [line(Code(text), " ", worded(what)) for text, what in answer.entries]
    return Section([line(Bold(f"{answer.topic}:")), *rows])


def _commands(answer: HelpAnswer) -> Section:
    rows = [line(Code(f"/candidate {text}"), " ", worded(what)) for text, what in answer.entries]
    return Section([line(Bold("Commands")), *rows])


def _footer(*topics: str) -> Context:
    codes: list[str | Code] = []
    for topic in topics:
        codes += [Code(f"/candidate {topic}"), ", "]
    return Context([line("More: ", *codes[:-1])])
