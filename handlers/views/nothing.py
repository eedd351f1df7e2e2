"""Nobody found: which part matched nobody, what dropping it gives, what there is instead."""

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
from handlers.views.results import people
from handlers.views.text import Bold, Code, Line, join, line, worded
from storage.search.values import Clause

WITHOUT, TRY = "candidate.without", "candidate.try"
PARTS, HINTS = 6, 5
"""How many parts of a question, and hints, are spoken of."""


def nothing(answer: NothingAnswer) -> Message:
    parts: list[Part] = [Section(_first_lines(answer))]
    relaxed = [clause for clause in answer.clauses[:PARTS] if clause.without > 0]
    if len(answer.clauses) > 1:
        parts += [
            Section(
                [line("Without ", Code(clause.text), f": {people(clause.without)}.")],
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
        parts.append(Context([line(Code(f"/candidate {written}"), " ", worded(what))]))
    if answer.suggestions:
        told = [line(Code(query), f" ({count:,})") for query, count in answer.suggestions[:4]]
        parts.append(Context([line("Most listed here: ", join(told, ", "))]))
    return compose(parts)


def _first_lines(answer: NothingAnswer) -> list[Line]:
    if answer.stored == 0:
        return [
            line(Bold("Nobody is stored yet"), ", so no question finds anybody."),
            line("Add people first: ", Code("/candidate help add"), " says how."),
        ]
    lines = [_who(answer), *_parts(answer)]
    lines += [worded(hint) for hint in answer.hints[:HINTS]]
    return lines


def _who(answer: NothingAnswer) -> Line:
    if answer.asked == "new":
        return line(Bold("Nobody was added this week."))
    phrase = answer.phrase or f"for “{answer.asked}”"
    if phrase.startswith("matching "):
        return line(Bold("Nobody here"), f" matches {phrase.removeprefix('matching ')}.")
    return line(Bold("Nobody here"), f" {phrase}.")


def _parts(answer: NothingAnswer) -> list[Line]:
    """Which part matches nobody even alone, or that all do and none together."""
    clauses = answer.clauses[:PARTS]
    if len(answer.clauses) < 2:
        return []
    alone: list[Line] = [(Code(clause.text),) for clause in clauses if clause.count == 0]
    if not alone:
        return [line("Each part matches somebody, but nobody has all of them.")]
    if len(alone) == 1:
        return [line(alone[0], " matches nobody, even alone.")]
    return [line(join(alone[:-1], ", "), " and ", alone[-1], " match nobody, even alone.")]


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
