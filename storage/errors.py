"""The base of every error that is meant for a person.

An error's text *is* the message: it names what was wrong and says what to do
next, so any edge (a terminal, Slack, a log) can show it as it stands.
Subclasses live beside the code that raises them.
"""

QUOTED = 80
"""Characters of what somebody typed that an error repeats."""


class BotError(Exception):
    """Something a person can put right; ``str(error)`` is the sentence to show them."""


def quoted(text: str, limit: int = QUOTED) -> str:
    """What was typed as an error repeats it: the whole of it when short, else its beginning."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
