"""The words that are commands, in one table; everything else is searched.

A word is a command only when the rest parses as that command wants it: ``new``
lists this week's people, ``new york`` is searched; ``history Lei Wang`` is a
command when somebody here is called so. What stands in quotes is always
searched. Help, "did you mean" and "is not built yet" are made from this table.
"""

from dataclasses import replace

from rapidfuzz.distance import OSA

from bot import talk
from bot.answers import Answer
from bot.asking import LONGEST, everybody, help_answer, newcomers
from bot.days_said import days_back
from handlers.access.people import check
from handlers.features import digests
from handlers.features.advice import advice
from handlers.features.auditing import an_audit, run_audit
from handlers.features.coming import COMING
from handlers.features.command import (
    ADDING,
    ASKING,
    AUDITING,
    DIGESTS,
    GROUPS,
    RIGHTS,
    Command,
)
from handlers.features.comparing import COMPARE
from handlers.features.describing import JOB
from handlers.features.duties import run_duties
from handlers.features.forgetting import names_a_record_or_receipt, run_forget
from handlers.features.helping import (
    QUALIFIERS,
    a_greeting,
    a_thank,
    a_topic,
    explained,
    qualifier_named,
)
from handlers.features.question import (
    Question,
    a_digest,
    a_page,
    names_somebody,
    nothing_more,
    one_person,
    this_week,
)
from handlers.features.records import begins_with_a_record, names_a_record
from handlers.features.replies import Reply, done
from handlers.features.reporting import run_report
from handlers.features.resembling import SIMILAR
from handlers.features.standing import run_lift, run_standing
from handlers.views.answer import render
from handlers.views.help import TOPICS
from handlers.views.history import history
from storage.records import StandingKind
from storage.search.values import NameTier

POLITELY = frozenset({"help", "new", "everyone", "history", "compare", "similar"})
"""Commands that only show something: they may be asked for in a sentence."""
TOLD = frozenset({"help", "add"})
"""Commands whose use the advice says already."""


def answer_command(question: Question) -> Reply | None:
    """The reply when the text is a command whose rest parses, else None.

    Raises NotAllowed when the person may not type it here. A text that is too long for a
    question is no command either, but for one that takes a whole description.
    """
    too_long = len(question.text) > LONGEST
    command, rest = command_of(question.text)
    if command is None or not command.parses(question, rest):
        if too_long:
            return None
        polite = said_politely(question)
        if polite is None:
            return None
        question = polite
        command, rest = command_of(question.text)
    if command is None:
        return None
    if command.run is None:
        return not_built(command)
    if too_long and not command.takes_a_page:
        return None
    if command.action != "ask":  # that was checked before anything was read
        check(question.asker, command.action, question.place, admins=question.admins)
    return command.run(question, rest)


def said_politely(question: Question) -> Question | None:
    """``who is new?``, ``can you show me the history of lei wang``: what is left is a command.

    Only one that shows something, and only where the whole text names nobody.
    """
    said = talk.heard(question.text)
    if said is None or not said.certain or question.store.named(question.text).hits:
        return None
    for text in (said.rest, said.bare):
        command, rest = command_of(text)
        rest = talk.bare(rest)
        if command and command.word in POLITELY and command.parses(question, rest):
            return replace(question, text=f"{command.word} {rest}".strip())
    return None


def command_of(text: str) -> tuple[Command | None, str]:
    """The command that the first word is, whatever its case, and the rest of the text."""
    first, _, rest = text.partition(" ")
    if first.endswith(":") and first[:-1].lower() == "job":
        first = first[:-1]
    word, rest = first.lower(), rest.strip()
    alone = WORDS.get(word.rstrip(".!?")) if not rest else None  # ``Again!``
    return WORDS.get(word) or alone or KIND_WORDS.get(word.strip(",.!")), rest


def everybody_meant(question: Question, rest: str) -> bool:
    """Nothing more, and neither a person nor a fact is called so."""
    return not rest and question.store.named(question.text).tier > NameTier.READ


def not_built(command: Command) -> Reply:
    text = f"`{command.word}` is not built yet. {command.instead}"
    return done(command.word, text)


def did_you_mean(question: Question) -> str | None:
    """The command that this text may be a mistyping of, or None.

    One letter may differ in a short word, two in one of six letters or more (two that
    changed places count as one); and the rest has to parse for that command, unless it is
    unmistakable and only shows something: to erase somebody is no guess.
    """
    first, _, rest = question.text.partition(" ")
    typed = first.lower()
    if typed in {"digest", "digests"}:
        return _digest_meant(rest.strip())
    if typed in digests.COMMANDS and not rest.strip("0123456789 #"):
        return f"digest {typed} {rest}".strip()
    if digests.is_typed_schedule(question.text):
        return f"digest {question.text}"
    if typed in WORDS or len(typed) < 3:
        return None
    allowed = 1 if len(typed) < 6 else 2
    near = sorted(
        (distance, word)
        for word in WORDS
        if len(word) > 2
        and word not in KIND_WORDS
        and (distance := OSA.distance(typed, word)) <= allowed
    )
    for _, word in near:
        command = WORDS[word]
        if command.parses(question, rest.strip()):
            return f"{word} {rest.strip()}".strip()
    unmistakable = [word for _, word in near if len(word) >= 6 and WORDS[word].action == "ask"]
    return WORDS[unmistakable[0]].usage if unmistakable else None


def _digest_meant(rest: str) -> str | None:
    """``digest lst`` → ``digest list``: a word of digest's own, mistyped."""
    first, _, more = rest.partition(" ")
    near = [
        (distance, word)
        for word in digests.COMMANDS
        if (distance := OSA.distance(first.lower(), word)) <= (1 if len(word) < 6 else 2)
    ]
    return f"digest {min(near)[1]} {more}".strip() if near and len(first) > 2 else None


def usage_of(question: Question, meant: str | None = None) -> tuple[str, str] | None:
    """How the command is written that the first word is, or that was probably meant.

    For a rest that did not parse; and for one that is not built, so that it says so.
    """
    command, _ = command_of(question.text)
    if command is not None and command.word in TOLD:
        return None
    if command is None and meant is not None:
        command, _ = command_of(meant)
        if command is not None and command.built:
            return None
    return None if command is None else (command.usage, _told(command))


def advised(question: Question) -> str:
    """What to do instead of searching for a text that found nobody; else nothing."""
    command, rest = command_of(question.text)
    word = command.word if command is not None and command.built else None
    takes_name = command is not None and command.usage.endswith(" NAME")
    return advice(question, word, rest, takes_name=takes_name)


# What the built ones answer.


def run_help(question: Question, rest: str) -> Reply:
    topic = rest.lower()
    answer = help_answer(question.store, topic, now=question.here)
    if topic == "commands":
        answer = replace(answer, groups=grouped(), coming=coming())
    if topic == "search":
        answer = replace(answer, entries=QUALIFIERS)
    command, key = command_of(topic)[0], qualifier_named(topic)
    if topic in TOPICS:
        return _reply(question, answer)
    usage = ((command.usage, _told(command)),) if command else ()
    if key and (command is None or key == topic.rstrip(":")):  # an alias gives way to a command
        answer = replace(answer, topic=key, entries=(*explained(key), *usage))
    elif command:
        answer = replace(answer, topic=command.word, groups=((command.word, usage),))
    return _reply(question, answer)


def a_topic_or_command(question: Question, rest: str) -> bool:
    """Nothing, a topic or qualifier, or the word of a command, built or not."""
    return a_topic(question, rest) or (rest.lower() in WORDS and rest.lower() not in KIND_WORDS)


def grouped() -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """What can be typed and what it does, by what it is for."""
    return tuple(
        (group, tuple((each.usage, each.help) for each in COMMANDS if each.group == group))
        for group in GROUPS
    )


def coming() -> tuple[str, ...]:
    """The words of what is not built yet."""
    return tuple(each.word for each in COMMANDS if not each.built)


def run_greeting(question: Question, _: str) -> Reply:
    return run_help(question, "")


def run_thanks(_: Question, __: str) -> Reply:
    return done("thanks", "You are welcome. `/candidate help` shows what else I can find.")


def run_new(question: Question, rest: str) -> Reply:
    days = days_back(rest, question.here)
    answer = newcomers(question.store, now=question.here, days=7 if days is None else days)
    return _reply(question, answer)


def run_everyone(question: Question, _: str) -> Reply:
    return _reply(question, everybody(question.store, now=question.here))


def run_again(_: Question, __: str) -> Reply:
    """Where there is no earlier question to put in its place: see ``features.again``."""
    return done("again", "You have not asked me anything yet that I could repeat.")


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
    reply = done(f"history {person.profile.name}", message.plain, message)
    return replace(reply, action="history", about=(person.id,))


def _reply(question: Question, answer: Answer) -> Reply:
    return Reply(answer, render(answer, question.setting))


def _told(command: Command) -> str:
    return command.help if command.built else f"{command.help} (not built yet)"


AGAIN = Command(
    word="again",
    usage="again",
    group=ASKING,
    help="your last question once more, with who is here now",
    parses=nothing_more,
    run=run_again,
)
COMMANDS: tuple[Command, ...] = (
    Command(
        word="help",
        usage="help",
        group=ASKING,
        help="help, also `help search`, `help digest`, `help add`, `help commands`, `help skill`",
        parses=a_topic_or_command,
        run=run_help,
    ),
    Command(
        word="new",
        usage="new",
        group=ASKING,
        help="people added in the last 7 days; `new 30 days`, `new yesterday` for others",
        parses=this_week,
        run=run_new,
        also=("newest", "latest", "added"),
    ),
    Command(
        word="everyone",
        usage="everyone",
        group=ASKING,
        help="everybody who is stored, by name; `sort:-added` has the newest first",
        parses=everybody_meant,
        run=run_everyone,
    ),
    AGAIN,
    COMPARE,
    SIMILAR,
    JOB,
    Command(
        word="digest",
        usage="digest weekly monday 09:00 in #hiring",
        group=DIGESTS,
        help="subscribe a channel; also list, preview, now, pause, resume, stop",
        parses=a_digest,
        run=run_digest,
        action="digest",
        also=("digests",),
    ),
    Command(
        word="history",
        usage="history NAME",
        group=ASKING,
        help="what happened to a record, and who did it",
        parses=names_somebody,
        run=run_history,
    ),
    Command(
        word="audit",
        usage="audit NAME",
        group=AUDITING,
        help="for admins: who saw, shared, added or erased whom; also `audit`, `audit @colleague`",
        parses=an_audit,
        run=run_audit,
        action="audit",
    ),
    Command(
        word="add",
        usage="add",
        group=ADDING,
        help="add people: a form for files; `help add` lists every way",
        parses=a_page,
        run=run_add,
    ),
    Command(
        word="forget",
        usage="forget NAME",
        group=RIGHTS,
        help="for admins: erase a person everywhere and keep them out",
        parses=names_a_record_or_receipt,
        run=run_forget,
        action="forget",
        also=("erase", "delete", "remove"),
    ),
    *(
        Command(
            word=word,
            usage=f"{word} NAME",
            group=RIGHTS,
            help=what,
            parses=begins_with_a_record,
            run=run_standing(kind),
            action="stand",
            also=also,
        )
        for word, what, kind, also in (
            (
                "do-not-contact",
                "nobody writes to this person; `do-not-contact NAME REASON`",
                StandingKind.DO_NOT_CONTACT,
                ("dnc",),
            ),
            (
                "restrict",
                "keep a record and show it to nobody",
                StandingKind.RESTRICTED,
                (),
            ),
            (
                "objected",
                "the person objected: show them to nobody",
                StandingKind.OBJECTED,
                (),
            ),
        )
    ),
    Command(
        word="lift",
        usage="lift NAME",
        group=RIGHTS,
        help="for admins: take back do-not-contact, restrict or objected",
        parses=names_a_record,
        run=run_lift,
        action="lift",
    ),
    Command(
        word="report",
        usage="report NAME",
        group=RIGHTS,
        help="for admins: everything held about a person, ready to send",
        parses=names_a_record,
        run=run_report,
        action="report",
    ),
    Command(
        word="duties",
        usage="duties",
        group=RIGHTS,
        help="for admins: who is still to be told that they are stored, and whose time is over",
        parses=nothing_more,
        run=run_duties,
        action="duties",
    ),
    *COMING,
)

KIND_WORDS: dict[str, Command] = {
    word: Command(word=word, usage="help", help="help", parses=parses, run=run)
    for words, parses, run in (
        (("?", "hilfe", "start"), nothing_more, run_help),
        (("hi", "hello", "hey", "hallo", "good"), a_greeting, run_greeting),
        (("thanks", "thank", "thx", "danke", "cheers"), a_thank, run_thanks),
    )
    for word in words
}
"""What people say to be kind, or when they do not know what to say."""
WORDS: dict[str, Command] = {
    word: command for command in COMMANDS for word in (command.word, *command.also)
} | KIND_WORDS
