"""Nobody found: which part matched nobody, what dropping it gives, what there is instead."""

from collections.abc import Sequence
from itertools import groupby

from bot.answers import NothingAnswer
from handlers.views.message import (
    VALUE,
    Actions,
    Button,
    Context,
    Message,
    Part,
    Section,
    compose,
)
from handlers.views.results import people, to_ask
from handlers.views.text import Bold, Code, Either, Line, explained, join, line, worded
from storage.search.suggesting import LISTED, MEANT
from storage.search.values import Clause, Suggestion

WITHOUT, TRY = "candidate.without", "candidate.try"
PARTS, HINTS, SUGGESTIONS, SENTENCE = 6, 5, 4, 3
"""How many parts of a question, hints and other questions are spoken of."""


def nothing(answer: NothingAnswer) -> Message:
    first = [worded(answer.advice)] if answer.advice else _first_lines(answer)
    parts: list[Part] = [Section(first)]
    relaxed = [clause for clause in answer.clauses[:PARTS] if clause.without > 0]
    if len(answer.clauses) > 1:
        parts += [
            Section(
                [
                    line(
                        "Without ",
                        Code(clause.text),
                        f": {people(clause.without)}.",
                        *(
                            (Either("", " "), Either("", to_ask(clause.rest)))
                            if clause.rest
                            else ()
                        ),
                    )
                ],
                _show(f"{WITHOUT}.{number}", clause),
            )
            for number, clause in enumerate(relaxed)
        ]
    if answer.did_you_mean:
        parts.append(
            Section([line("Did you mean ", Code(f"/candidate {answer.did_you_mean}"), "?")])
        )
        parts.append(Actions(_try(answer.did_you_mean)))
    if answer.usage:
        written, what = answer.usage
        parts.append(Context([explained(Code(f"/candidate {written}"), what)]))
    offered = () if answer.advice else answer.suggestions[:SUGGESTIONS]
    if answer.did_you_mean or (relaxed and len(answer.clauses) > 1):
        offered = tuple(each for each in offered if each.lead != LISTED)
    parts.append(Context([*_offered(offered), *_what_else(answer)]))
    return compose(parts)


def _offered(suggestions: Sequence[Suggestion]) -> list[Line]:
    """Questions that find somebody, one line for each thing that they are to the asked one."""
    lines = []
    for lead, group in groupby(suggestions, key=lambda each: each.lead):
        told = [line(to_ask(each.query), f" ({each.count:,})") for each in group]
        lines.append(line(lead, ": ", join(told, ", ")))
    return lines


def _what_else(answer: NothingAnswer) -> list[Line]:
    """After several plain words: whoever speaks to the bot may not know what it is for."""
    told = answer.advice or answer.did_you_mean or answer.usage
    if told or len(answer.asked.split()) < SENTENCE or set(answer.asked) & set('":<>='):
        return []
    return [line(Code("/candidate help"), " shows what I can do.")]


def _first_lines(answer: NothingAnswer) -> list[Line]:
    if answer.stored == 0:
        return [
            line(Bold("Nobody is stored yet"), ", so no question finds anybody."),
            line("Add people first: ", Code("/candidate help add"), " says how."),
        ]
    meant = [each for each in answer.hints if each.startswith(MEANT)]
    others = [each for each in answer.hints if each not in meant]
    if answer.did_you_mean:
        return [_who(answer)]
    lines = [*map(worded, meant), _who(answer), *_parts(answer)]
    return lines + [worded(hint) for hint in others[:HINTS]]


def _who(answer: NothingAnswer) -> Line:
    return line(Bold(answer.sentence or f"Nobody here matches {answer.asked}."))


def _parts(answer: NothingAnswer) -> list[Line]:
    """Which part finds nobody even alone, or that all do and none together."""
    clauses = answer.clauses[:PARTS]
    if len(answer.clauses) < 2:
        return []
    alone: list[Line] = [(Code(clause.text),) for clause in clauses if clause.count == 0]
    if not alone:
        return [line("Each part finds somebody, but nobody has them all.")]
    advice = "" if len(alone) == len(answer.clauses) else " Leave it out or write it differently."
    if len(alone) == 1:
        return [line(alone[0], " finds nobody, even on its own.", advice)]
    several = line(join(alone[:-1], ", "), " and ", alone[-1], " find nobody, even on their own.")
    return [line(several, advice.replace(" it ", " them "))]


def _rest(clause: Clause) -> Line:
    """At a terminal, which has no button, what asks again without the part."""
    return (Either("", " "), Either("", to_ask(clause.rest))) if clause.rest else ()


def _show(action: str, clause: Clause) -> Button | None:
    """The button that asks again without this part; none where the rest does not fit in it."""
    if not clause.rest or len(clause.rest) > VALUE:
        return None
    return Button(text="Show them", action=action, value=clause.rest)


def _try(command: str) -> list[Button]:
    """Only commands that change nothing can be tried with one press."""
    if command.split(" ", 1)[0] in {"help", "new"} and len(command) <= VALUE:
        return [Button(text=f"Show {command}", action=TRY, value=command)]
    return []
