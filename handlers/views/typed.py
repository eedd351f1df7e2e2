"""What to type at a terminal for what is typed in Slack, quoted as a shell wants it."""

import re
import shlex

PROGRAM = ".venv/bin/python -m bot"
COMMAND = "/candidate"
SHORT = re.compile(r"help [a-z]+|digest [a-z]+( [0-9]+)?|new [0-9]+ days")
"""What is a command also where ``/candidate`` is left out."""


def at_terminal(text: str) -> str:
    """The command line for something to type; words to search for are quoted, no more.

    >>> at_terminal("/candidate digest weekly monday 09:00 in #hiring")
    ".venv/bin/python -m bot digest weekly monday 09:00 in '#hiring'"
    >>> at_terminal("/candidate skill:cuda -skill:triton"), at_terminal("help search")
    ('.venv/bin/python -m bot ask -- skill:cuda -skill:triton', '.venv/bin/python -m bot ask help search')
    >>> at_terminal("years>=8"), at_terminal(".venv/bin/python -m bot doctor")
    ("'years>=8'", '.venv/bin/python -m bot doctor')
    """  # noqa: E501 - a line of a doctest is one line
    if text.startswith(PROGRAM):
        return text
    first, _, rest = text.partition(" ")
    if SHORT.fullmatch(text):
        rest = text
    elif first != COMMAND:
        return shlex.quote(text)
    word, _, more = rest.partition(" ")
    if word == "digest":
        return " ".join([PROGRAM, "digest", *map(shlex.quote, more.split())])
    return asking(rest)


def asking(query: str, *, page: int = 1) -> str:
    """The command line that asks this, or a later page of it."""
    words = query.split()
    option = f" --page {page}" if page > 1 else ""
    dashes = " --" if any(word.startswith("-") for word in words) or page > 1 else ""
    safe = all(word == shlex.quote(word) for word in words)
    told = " ".join(words) if safe else shlex.quote(query)
    return f"{PROGRAM} ask{option}{dashes} {told}".rstrip()
