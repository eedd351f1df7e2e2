"""A line of a message, in pieces that are written twice: as Slack's mrkdwn and plainly.

A plain ``str`` is always literal, whether a stored string or words of our own:
only the pieces below make markup. So nothing that a profile holds can format,
mention or link, and the terminal prints the same message without markup, with what
to type as it is typed there.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import regex

from handlers.views.escaping import cut, escape, one_line, plain_text, web_address
from handlers.views.typed import at_terminal


@dataclass(frozen=True, slots=True)
class Bold:
    text: str


@dataclass(frozen=True, slots=True)
class Italic:
    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """Something to type; a backtick inside cannot be written in Slack and is left out."""

    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """A link where the address is http(s), else its text alone."""

    url: str
    text: str
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Mention:
    """A person of the workspace. ``name`` is what a terminal shows."""

    user: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Channel:
    channel: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Either:
    """Words that only make sense in Slack, and what stands for them at a terminal."""

    slack: "Piece"
    terminal: "Piece" = ""


Piece: TypeAlias = str | Bold | Italic | Code | Link | Mention | Channel | Either
Line: TypeAlias = tuple[Piece, ...]
UNLIMITED = 1_000_000
INDENT = 4
"""Spaces that a line may begin with."""


_ID = regex.compile(r"[A-Z][A-Z0-9]{1,30}")
"""An id of Slack's; anything else is written as the text that it is."""


def line(*pieces: Piece | Line | None) -> Line:
    """One line of pieces and lines; None is left out."""
    flat: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, tuple):
            flat.extend(piece)
        elif piece is not None:
            flat.append(piece)
    return tuple(flat)


def worded(text: str) -> Line:
    """A sentence in which what stands between backticks is something to type.

    Everything stays literal beside that, so the sentence may quote a person.
    """
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return (text,)
    return tuple(Code(part) if number % 2 else part for number, part in enumerate(parts) if part)


def explained(code: Code | Either, what: str | Either) -> Line:
    """Something to type and what it does; at a terminal a comment, which can be pasted too."""
    words = worded(what) if isinstance(what, str) else (what,)
    return line(
        code,
        Either(" ", "  # "),
        *(Either(each, each.text) if isinstance(each, Code) else each for each in words),
    )


def join(lines: Iterable[Line | Piece], between: str = " · ") -> Line:
    """Lines in a row with ``between`` in the gaps; empty ones are left out."""
    row: list[Piece] = []
    seen_in_slack = seen_at_terminal = False
    for each in lines:
        pieces = each if isinstance(each, tuple) else (each,)
        in_slack, at_a_terminal = bool(plain(pieces)), bool(terminal(pieces))
        row += _gap(
            between,
            in_slack=in_slack and seen_in_slack,
            at_a_terminal=at_a_terminal and seen_at_terminal,
        )
        row += pieces if in_slack or at_a_terminal else ()
        seen_in_slack |= in_slack
        seen_at_terminal |= at_a_terminal
    return tuple(row)


def _gap(between: str, *, in_slack: bool, at_a_terminal: bool) -> Line:
    if in_slack == at_a_terminal:
        return (between,) if in_slack else ()
    return (Either(between if in_slack else "", between if at_a_terminal else ""),)


def plain(pieces: Line) -> str:
    """The line as Slack shows it, without markup and with nothing escaped."""
    return "".join(_plain(piece) for piece in pieces)


def terminal(pieces: Line) -> str:
    """The line for a terminal: what to type is a command line, ids are called what they are."""
    return "".join(
        _terminal(piece)
        for before, piece in pairwise(("", *pieces))
        if not (piece == "." and isinstance(before, Code))  # it would be copied with the command
    )


def mrkdwn(pieces: Line, limit: int = 3000) -> str:
    """The line as Slack's mrkdwn in at most ``limit`` characters."""
    written, room = "", limit
    for piece in pieces:
        whole = _mrkdwn(piece, UNLIMITED)
        if len(whole) > room:
            return written + _mrkdwn(piece, room)
        written += whole
        room -= len(whole)
    return written


def _terminal(piece: Piece) -> str:
    match piece:
        case Either(_, there):
            return there if isinstance(there, str) else _terminal(there)
        case Code(text):
            return at_terminal(one_line(text))
        case Channel(channel, None) if _ID.fullmatch(channel):
            return f"channel {channel}"
        case Mention(user, None) if _ID.fullmatch(user):
            return f"Slack member {user}"
        case _:
            return _plain(piece)


def _plain(piece: Piece) -> str:
    match piece:
        case Either():
            return _plain(piece.slack)
        case str():
            return _tidy(piece)
        case Mention(user, name):
            return f"@{one_line(name or user)}"
        case Channel(channel, name):
            return f"#{one_line(name or channel)}"
        case Code(text):
            return f"`{one_line(text)}`"
        case _:
            return one_line(piece.text)


def _mrkdwn(piece: Piece, room: int) -> str:
    while isinstance(piece, Either):
        piece = piece.slack
    if isinstance(piece, str):
        return cut(escape(_tidy(piece)), room)
    if isinstance(piece, Mention | Channel):
        sign, id_ = ("@", piece.user) if isinstance(piece, Mention) else ("#", piece.channel)
        if _ID.fullmatch(id_):
            return _whole(f"<{sign}{id_}>", room)
        return cut(escape(_plain(piece)), room)
    if isinstance(piece, Link):
        return _link(piece, room)
    if isinstance(piece, Code):
        return _wrapped(plain_text(one_line(piece.text).replace("`", "")), "`", room)
    return _wrapped(escape(one_line(piece.text)), "*" if isinstance(piece, Bold) else "_", room)


def _tidy(text: str) -> str:
    """Like `one_line`, but a space at either end stays: it parts two pieces."""
    inner = one_line(text)
    if not inner:
        return " " * min(len(text), INDENT)
    before = " " if text[0].isspace() else ""
    after = " " if text[-1].isspace() else ""
    return f"{before}{inner}{after}"


def _wrapped(escaped: str, mark: str, room: int) -> str:
    text = cut(escaped, room - 2)
    return f"{mark}{text}{mark}" if text else ""


def _link(link: Link, room: int) -> str:
    url = web_address(link.url)
    mark = "*" if link.bold else ""
    room -= 2 * len(mark)
    text = escape(one_line(link.text)).replace("|", "¦") if url else escape(one_line(link.text))
    if url is None or len(url) + 3 + min(len(text), 20) > room:
        text = cut(text, room)
    else:
        text = f"<{url}|{cut(text, room - len(url) - 3)}>"
    return f"{mark}{text}{mark}" if text else ""


def _whole(text: str, room: int) -> str:
    return text if len(text) <= room else ""
