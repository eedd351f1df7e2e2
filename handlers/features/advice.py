"""What to do instead, where a text found nobody and was hardly meant as a search.

Only asked once a search has found nobody: a text that finds people is never second-guessed.
"""

from typing import Final

from bot import talk
from handlers.features.question import Question
from storage.search.names import login_of

NAMES: Final = 4
"""Words that somebody may be called; more are no name."""
LINK: Final = (
    "I do not open links. Copy the text of the page, from the name down to the last contribution, "
    "and paste it to me in our direct message: `/candidate help add` says how."
)
ADD: Final = (
    "`add` takes no name: send me the person's page as a file or pasted, or type `/candidate add` "
    "for a form."
)
COMPARE: Final = "`compare` takes two to five names: `/candidate compare NAME, NAME`."
BUTTONS: Final = {
    "undo": "Undo is a button below each receipt of adding: press it there.",
    "withdraw": "Withdraw is a button below a shared card: press it there.",
    "share": "Find the card first (`/candidate NAME`), then press “Share in channel” below it.",
}
"""Words that are buttons and no commands."""
SO: Final = {
    "forget": "so there is nobody to forget",
    "history": "so there is no history to show",
    "audit": "so there is nothing noted to show",
    "report": "so there is nothing to report",
    "lift": "so there is nothing to lift",
    "similar": "so there is nobody to compare with",
}
"""What follows from nobody being called so, for a command that needs a name."""


def nobody_called(word: str, name: str) -> str:
    """``Nobody here is called “zzzz”, so there is nobody to forget.``"""
    return f"Nobody here is called “{name}”, {SO.get(word, 'so nobody was marked')}."


def needs_a_name(word: str) -> str:
    return f"`{word}` needs a name: `/candidate {word} NAME`."


def advice(  # noqa: PLR0911 - one a kind of text
    question: Question, word: str | None, rest: str, *, takes_name: bool
) -> str:
    """The sentence, or nothing. ``word`` is the command that the text begins with, if any."""
    text = question.text
    if '"' in text:
        return ""
    if login := login_of(text):
        return f"Nobody here has the login “{login}”. {LINK}"
    if word == "add" or talk.is_link(text):
        return LINK if talk.is_link(text) else ADD
    if word == "compare":
        return COMPARE
    if word == "help" and rest:
        return (
            f"There is no help on “{rest}”. There is: `/candidate help search`, "
            "`/candidate help digest`, `/candidate help add`, `/candidate help commands`, and on "
            "each command and qualifier, such as `/candidate help skill`."
        )
    few = len(text.split()) <= NAMES + 1
    if word is not None and takes_name and few:
        return nobody_called(word, rest) if rest else needs_a_name(word)
    return BUTTONS.get(text.lower().split(" ", 1)[0], "") if few else ""
