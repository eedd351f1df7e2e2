"""Plain text and Markdown as lines: marks become looks, and are not read as text."""

from dataclasses import replace
from typing import Final

import regex

from bot.profiles.resume.lines import MOST, Line, lines_of

_HEADING: Final = regex.compile(r"^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*$")
_UNDERLINE: Final = regex.compile(r"^ {0,3}(=|-){3,}\s*$")
_RULE: Final = regex.compile(r"^\s*(?:[-_*=~─━–—.]\s?){3,}\s*$")
_IMAGE: Final = regex.compile(r"!\[[^\]]*\]\([^)]*\)")
_LINK: Final = regex.compile(r"\[([^\[\]]*)\]\(\s*<?([^()\s>]*)>?[^()]*\)")
_AUTO_LINK: Final = regex.compile(r"<((?:https?://|mailto:)?[^\s<>]+[.@][^\s<>]+)>")
_STRONG: Final = regex.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_EMPHASIS: Final = regex.compile(r"(?<![\w*])([*_])(?=[^\s*_])(.+?)(?<=[^\s*_])\1(?![\w*])")
_CODE: Final = regex.compile(r"`([^`]+)`")
_TAG: Final = regex.compile(
    r"</?(?:b|i|u|br|p|div|span|center|h[1-6]|sub|sup|small|a|img|hr)\b[^<>]*>"
)
_TABLE_ROW: Final = regex.compile(r"^\s*\|(.+)\|\s*$")
_TABLE_RULE: Final = regex.compile(r"^\s*\|?[\s:|-]+\|[\s:|-]*$")
_DEFINITION: Final = regex.compile(r"^:\s+(?=\S)")
_QUOTE: Final = regex.compile(r"^\s{0,3}>\s?")
_WHOLLY_STRONG: Final = regex.compile(r"^\s*(?:\*\*|__)[^*]+(?:\*\*|__)[\s.,:]*(?:[|–—(\d].*)?$")
_SAYS_WHERE: Final = regex.compile(
    r"(?i)linked-?in|git-?hub|git-?lab|web-?site|home-?page|portfolio|blog|e-?mail|mail|stack "
    r"?overflow|orcid"
)


def lines_of_text(text: str) -> list[Line]:
    """The lines of plain text or Markdown.

    >>> [(each.text, each.level, each.bullet) for each in lines_of_text(
    ...     "# Ada Byte\\n**Engineer**, [Acme](https://a.example)\\n\\nSkills\\n----\\n* `Go`")]
    [('Ada Byte', 1, False), ('Engineer, Acme', 0, False), ('Skills', 2, False), ('Go', 0, True)]
    """
    raw = text.splitlines()[:MOST]
    lines: list[Line] = []
    gap = False
    pending: list[str] = []

    def flush() -> None:
        nonlocal gap
        found = lines_of("\n".join(pending))
        if found and gap:
            found[0] = replace(found[0], gap=True)
        lines.extend(found)
        pending.clear()
        gap = False

    for number, line in enumerate(raw):
        following = raw[number + 1] if number + 1 < len(raw) else ""
        heading = _HEADING.match(line)
        underline = _UNDERLINE.match(following) if line.strip() and len(line) < 80 else None
        if heading or underline:
            flush()
            level = len(heading[1]) if heading else (1 if underline and underline[1] == "=" else 2)
            found = lines_of(_plain(heading[2] if heading else line))
            lines += [replace(each, level=level, gap=True) for each in found]
        elif _is_mark(line, following):
            pending.append("")
        elif _WHOLLY_STRONG.match(line):
            blank = bool(pending) and not pending[-1].strip()
            flush()
            lines += [replace(each, bold=True, gap=blank) for each in lines_of(_plain(line))]
        else:
            pending.append(_plain(line))
    flush()
    return lines


def _is_mark(line: str, following: str) -> bool:
    """A rule, or the head of a table, which names its columns."""
    head = _TABLE_ROW.match(line) and "-" in following and _TABLE_RULE.match(following)
    return bool(_RULE.match(line) or _TABLE_RULE.match(line) or head)


def _plain(line: str) -> str:
    """A line without Markdown's marks; a link is its text, or its address where that says more."""
    line = _QUOTE.sub("", line)
    if row := _TABLE_ROW.match(line):
        line = "\t".join(cell.strip() for cell in row[1].split("|"))
    line = _DEFINITION.sub("- ", line)
    line = _LINK.sub(_linked, _IMAGE.sub("", line))
    line = _AUTO_LINK.sub(r"\1", line)
    line = _TAG.sub(" ", line)
    for mark in (_STRONG, _EMPHASIS):
        line = mark.sub(r"\2", line)
    return _CODE.sub(r"\1", line)


def _linked(match: regex.Match[str]) -> str:
    text, address = match[1].strip(), match[2].removeprefix("mailto:")
    if text in address or _SAYS_WHERE.fullmatch(text.strip(" :")):
        return address
    return text
