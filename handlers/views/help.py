"""Help, made of questions that work on who is stored."""

from bot.answers import HelpAnswer
from handlers.views.message import Context, Message, Part, Section, compose
from handlers.views.results import people
from handlers.views.text import Bold, Code, Either, Line, explained, line, worded
from handlers.views.typed import PROGRAM
from storage.search.values import Examples

EVERY_DAY = Either("every day, here, in that time zone", "every day, in that time zone")
TOPICS = ("search", "digest", "add", "commands")

ADD = """\
Send me what you have in our direct message, also several files at once: résumés (PDF, DOCX, \
LinkedIn's “Save to PDF”), lists of people (CSV, Excel), JSON, vCards, archives. Or copy a \
person's Prog,AI page, from the name down to the last contribution, and paste it there.
In a channel: write `@candidate add this` in the thread of a message with a file, or choose \
“Add as candidate” in the message's menu.
`/candidate add` opens a form for files.
You alone get a receipt: who is new, what changed, which digest will name them. Undo takes it back.
A newer page of the same person updates them; nobody is added twice. What cannot be read is kept \
for 30 days and says why.
A message may bring 100 people and files of 20 MB. For more, on the machine where the bot runs: \
`.venv/bin/python -m bot load cv.pdf` (files or whole folders), or the folder that the setting \
INBOX names."""


def help_message(answer: HelpAnswer) -> Message:
    match answer.topic:
        case "search":
            return compose([*_search(answer), _footer("help", "help digest")])
        case "digest":
            return compose([*_digest(), _footer("help", "help search")])
        case "add":
            return compose([*_add(), _footer("help", "help search")])
        case topic if topic == "commands" or answer.groups:
            return compose([*_commands(answer), _footer("help", "help search")])
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
                            Either(
                                "Nobody is stored yet. Send me a résumé, or see ",
                                "Nobody is stored yet. See ",
                            ),
                            Code("/candidate help add"),
                            ".",
                        )
                    ]
                )
            ]
            if not answer.stored
            else []
        ),
        Section(
            [
                line(Bold("Weekly digest")),
                line(Code("/candidate digest weekly monday 09:00 in #hiring")),
                explained(Code("/candidate digest list"), "what is subscribed"),
            ]
        ),
        Section(
            [
                line(Bold("New people")),
                explained(Code("/candidate new"), "who came this week"),
                line(
                    Either(
                        "To add somebody, send me a résumé, a list of people or a profile page "
                    ),
                    Either("in our direct message, or type ", "To add people: "),
                    Either(Code("/candidate add"), f"{PROGRAM} load PATH"),
                    Either("."),
                ),
            ]
        ),
        Context(
            [
                line(
                    Either(
                        "Only you see my answers until you share them. "
                        "In a thread, mention me instead."
                    )
                ),
                line("More: ", *_topics("help search", "help digest", "help commands")),
            ]
        ),
    ]


def _examples(examples: Examples) -> list[Line]:
    rows = (
        (examples.name or "NAME", "a name or login"),
        (examples.words or "WORDS", "any words"),
        (examples.skill or "skill:NAME", "exactly this skill"),
        (examples.two_skills, "one, not the other"),
        (examples.repository, "worked on it"),
        (examples.location, "lives there"),
        (examples.company, "works there now"),
        (examples.years, "years of coding"),
    )
    return [explained(Code(f"/candidate {query}"), what) for query, what in rows if query][:6]


def _search(answer: HelpAnswer) -> list[Part]:
    rows = [explained(Code(query), what) for query, what in answer.entries]
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
    rows: tuple[tuple[str, str | Either], ...] = (
        ("digest weekly monday 09:00 in #hiring", "new people, every Monday, in that channel"),
        ("digest daily 08:30 Europe/Berlin", EVERY_DAY),
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
                *(explained(_digest_typed(text), what) for text, what in rows),
            ]
        )
    ]


def _digest_typed(text: str) -> Either:
    """A channel that is meant because it is typed there has to be named at a terminal."""
    schedule, found, query = text.partition(" for ")
    is_here = " 0" in schedule and " in " not in schedule
    named = f"{schedule} in #hiring{found}{query}" if is_here else text
    return Either(Code(f"/candidate {text}"), Code(f"/candidate {named}"))


def _add() -> list[Part]:
    return [
        Section([line(Bold("Add people")), *(line("• ", worded(text)) for text in ADD.split("\n"))])
    ]


def _explained(answer: HelpAnswer) -> Section:
    """One qualifier: its key, then each way to write it with what it finds."""
    rows = [line(Code(text), " ", worded(what)) for text, what in answer.entries]
    return Section([line(Bold(f"{answer.topic}:")), *rows])


def _commands(answer: HelpAnswer) -> list[Part]:
    """What works, by what it is for; what is to come by its words alone."""
    parts: list[Part] = [
        Section(
            [
                line(Bold(group)),
                *(explained(Code(f"/candidate {text}"), what) for text, what in rows),
            ]
        )
        for group, rows in answer.groups
    ]
    if answer.coming:
        told = f"Not built yet: {', '.join(answer.coming)}. Typing one says what to do meanwhile."
        parts.append(Context([told]))
    return parts


def _footer(*topics: str) -> Context:
    return Context([line("More: ", *_topics(*(f"/candidate {topic}" for topic in topics)))])


def _topics(*codes: str) -> Line:
    """What to type for each; at a terminal the command line for the first, and its like."""
    first, *others = codes
    like = " or ".join(each.removeprefix("/candidate ") for each in others)
    return (
        Code(first),
        *(piece for each in others for piece in (Either(", "), Either(Code(each)))),
        Either("", f" (or {like})" if like else ""),
    )
