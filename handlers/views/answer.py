"""Any answer as a message."""

from collections.abc import Sequence

from bot.answers import (
    Answer,
    CardAnswer,
    ChoiceAnswer,
    ComparisonAnswer,
    DoneAnswer,
    ErrorAnswer,
    HelpAnswer,
    NothingAnswer,
    ResultsAnswer,
)
from handlers.views.card import Setting, card
from handlers.views.comparison import comparison
from handlers.views.help import help_message
from handlers.views.message import Message, below, sentence
from handlers.views.nothing import nothing
from handlers.views.results import choice, read_alike, results, taken_for
from handlers.views.text import line, worded


def noted(notes: Sequence[str], message: Message) -> Message:
    """The message with sentences before it."""
    for note in reversed(notes):
        message = below(worded(note), message)
    return message


def render(answer: Answer, setting: Setting) -> Message:  # noqa: PLR0911 - one a kind of answer
    """The message that tells this answer."""
    match answer:
        case CardAnswer():
            notes = [taken_for(answer.taken_for, answer.query)] if answer.taken_for else []
            notes += [line(answer.note)] if answer.note else []
            notes += [read_alike(answer.also)] if answer.also else []
            return card(answer.candidate, setting, notes=notes)
        case ChoiceAnswer():
            return choice(answer, setting)
        case ResultsAnswer():
            return noted(answer.notes, results(answer, setting))
        case NothingAnswer():
            return noted(answer.notes, nothing(answer))
        case HelpAnswer():
            return help_message(answer)
        case ComparisonAnswer():
            return comparison(answer, setting)
        case ErrorAnswer() | DoneAnswer():
            return sentence(answer.text)
