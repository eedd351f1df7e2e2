"""The page's skill rows: name and score glued together.

A token that ends in ``10`` has score 10, else its last digit is the score. The
list is sorted, so it never rises above the last accepted score: a token that
would rise, or that has no digit or no name, is kept raw without a score.
"""

from collections.abc import Iterable
from typing import Final

from storage.records import Skill

_DIGITS: Final = frozenset("0123456789")


def skills_of(rows: Iterable[str], *, cut: bool = False) -> tuple[Skill, ...]:
    """The skills in the page's order. ``cut``: the document ends inside the last row.

    >>> [(each.name, each.score) for each in skills_of(["h26410", "p89", "pandas10", "c8"])]
    [('h264', 10), ('p8', 9), ('pandas10', None), ('c', 8)]
    """
    tokens = [token for row in rows for token in _tokens(row)]
    skills: list[Skill] = []
    ceiling = 10
    for number, token in enumerate(tokens):
        name, score = split_score(token)
        # What ends in 1 where the document is cut off may have been a 10.
        doubtful = cut and score == 1 and number == len(tokens) - 1 and ceiling > 1
        if score is None or score > ceiling or doubtful:
            skills.append(Skill(name=token))
        else:
            skills.append(Skill(name=name, score=score))
            ceiling = score
    return tuple(skills)


def split_score(token: str) -> tuple[str, int | None]:
    """Name and score by the token alone; score None when there is no name or no digit."""
    if not token or token[-1] not in _DIGITS:
        return token, None
    cut = 2 if token.endswith("10") else 1
    name = token[:-cut].rstrip()
    if not name:
        return token, None
    return name, int(token[-cut:])


def _tokens(row: str) -> list[str]:
    """Usually one; a row of several, separated by spaces or commas, has a score in each."""
    pieces = row.replace(",", " ").split()
    if len(pieces) > 1 and all(split_score(piece)[1] is not None for piece in pieces):
        return pieces
    return [row]
