"""The page's text as lines: split where copying glued them, and cleaned of how they travelled.

What is mended here: line ends of all kinds; characters that cannot be seen;
no-break spaces; composed and decomposed letters (NFC); and what Slack does to
a pasted page (``&amp;``, ``<https://github.com/x|x>``, ``:star-struck:``).
"""

import unicodedata
from dataclasses import dataclass
from typing import Final

import regex

FOOTER: Final = (
    "Find and Hire Top DevelopersWe’ve analyzed the programming source code of over 60 million "
    "software developers on GitHub and scored them by 50,000 skills. Sign-up on Prog,AI to search "
    "for software developers."
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line that is not blank: as read, and as it stood in the document."""

    text: str
    source: str
    last: bool = False
    """Nothing comes after it in the document, not even a line end: it may be cut off."""


def lines_of(text: str) -> list[Line]:
    """The lines of a document that hold something, in order."""
    text = _LINE_END.sub("\n", text)
    text = _GLUED_FOOTER.sub(r"\n\g<0>", text)
    text = _FOOTER_END.sub(r"\g<0>\n", text)
    text = _GLUED.sub(r"\n\g<0>", text)
    text = _AFTER_HEADING.sub("\n", text)
    text = _with_cut_footer_apart(text)
    sources = text.split("\n")
    lines = [Line(clean(source), source) for source in sources]
    if lines and lines[-1].text:
        lines[-1] = Line(lines[-1].text, lines[-1].source, last=True)
    return [line for line in lines if line.text and not line.text.startswith("```")]


def clean(text: str) -> str:
    """One line as it was meant: unwrapped, NFC, visible characters, single spaces."""
    if "<" in text:
        text = _LINK.sub(lambda match: match["label"] or match["target"], text)
    if "&" in text:
        text = _ENTITY.sub(lambda match: _ENTITIES[match.group()], text)
    if ":" in text:
        text = _EMOJI_CODE.sub(
            lambda match: EMOJI.get(match.group().strip(":").replace("_", "-"), match.group()), text
        )
    text = unicodedata.normalize("NFC", _INVISIBLE.sub("", text))
    return " ".join(text.split()).removeprefix("```").removesuffix("```").strip()


def is_footer(line: Line) -> bool:
    """The page's own advertisement, whole, in pieces, or cut off at the end of the document."""
    text = line.text.replace("'", "’")
    return text.startswith(_FOOTER_STARTS) or (line.last and FOOTER.startswith(text))


EMOJI: Final = {
    "star-struck": "🤩",
    "grinning-face-with-star-eyes": "🤩",
    "mortar-board": "🎓",
    "star": "⭐",
    "star2": "🌟",
    "trophy": "🏆",
    "rocket": "🚀",
    "fire": "🔥",
    "gem": "💎",
    "crown": "👑",
    "medal": "🏅",
    "sports-medal": "🏅",
    "first-place-medal": "🥇",
    "unicorn-face": "🦄",
    "muscle": "💪",
    "brain": "🧠",
    "office": "🏢",
    "zap": "⚡",
    "100": "💯",
}
"""Slack's codes for emoji that badges are known or likely to bear."""

_LINE_END: Final = regex.compile(r"\r\n?|[\n\v\f\x85\u2028\u2029]")
_FOOTER_STARTS: Final = (
    "Find and Hire Top Dev",
    "We’ve analyzed the programming source code",
    "Sign-up on Prog,AI",
)
_GLUED_FOOTER: Final = regex.compile(r"(?<=[^\n])Find and Hire Top Dev(?=elopers|\w*\s*\Z)")
_FOOTER_END: Final = regex.compile(
    r"Sign-up on Prog,AI to search for software developers\.?(?=[^\n.])"
)
_GLUED: Final = regex.compile(
    r"""(?<=\S)(?:
        Git[Hh]ub[ ]Skills[ ]\(\d
      | Programming[ ]languages[ ]\(\d
      | Git[Hh]ub[ ]contributions[ ]\(\d
      | Contributions[ ]summary:
    )
    | (?<=coding[ ]experience)\d+\+?[ ]years?[ ]of[ ]employment
    """,
    regex.VERBOSE,
)
_AFTER_HEADING: Final = regex.compile(
    r"(?<=Git[Hh]ub (?:Skills|contributions) \(\d{1,6}\)|Programming languages \(\d{1,6}\))"
    r"(?=[^\s:.,])"
)
_LINK: Final = regex.compile(
    r"<(?P<target>(?:https?://|mailto:)[^<>|\s]{1,2000})(?:\|(?P<label>[^<>]{1,2000}))?>"
)
_ENTITIES: Final = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&nbsp;": " "}
_ENTITY: Final = regex.compile("|".join(_ENTITIES))
_EMOJI_CODE: Final = regex.compile(r":[a-z0-9_+'-]{2,40}:")
# Joiners are letters' business in some scripts and are kept between their letters.
_INVISIBLE: Final = regex.compile(
    r"[\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
    r"|(?<![\p{L}\p{M}--\p{Latin}])[\u200c\u200d]|[\u200c\u200d](?![\p{L}\p{M}--\p{Latin}])"
    r"|(?!\s)\p{Cc}",
    regex.VERSION1,
)
_SHORTEST_CUT: Final = 8


def _with_cut_footer_apart(text: str) -> str:
    """A footer cut off at the end of the document, glued to the line before, on its own line."""
    start = text.rfind(FOOTER[:_SHORTEST_CUT])
    if start > 0 and text[start - 1] != "\n" and FOOTER.startswith(text[start:].rstrip()):
        return f"{text[:start]}\n{text[start:]}"
    return text
