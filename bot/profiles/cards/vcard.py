"""vCard 2.1, 3.0 and 4.0: any number of cards in a file.

A line that begins with a blank goes on with the one above (RFC 6350, 3.2). Version 2.1 has values
in quoted-printable, whose lines go on behind a ``=`` at their end, in the card's own encoding.
"""

import binascii
from collections.abc import Iterator
from typing import Final

import regex

from bot.profiles.cards.card import Card, Property, page_of, shown_name
from bot.profiles.decoding import text_of
from bot.profiles.format import PersonPage, Reading, Refusal, UnreadableProfile

_HEAD: Final = 4096
_LONGEST: Final = 20_000
"""Characters of a value that are read."""
_MOST_CARDS: Final = 50_000
_MOST_PROPERTIES: Final = 2_000
_BEGIN: Final = regex.compile(r"BEGIN\s*:\s*VCARD\s*", regex.IGNORECASE)
_END: Final = regex.compile(r"END\s*:\s*VCARD\s*", regex.IGNORECASE)
_LINE: Final = regex.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")
_PROPERTY: Final = regex.compile(
    r"(?:[\w-]+\.)?(?P<name>[A-Za-z\d-]+)(?P<parameters>(?:;(?:[^\":;]|\"[^\"]*\")*)*):(?P<value>.*)",
    regex.DOTALL,
)
_ESCAPED: Final = regex.compile(r"\\([\\,;:nN])")
_SEMICOLON: Final = regex.compile(r"(?<!\\);")
_STRUCTURED: Final = frozenset({"N", "ADR", "ORG"})
_UNREAD: Final = frozenset({"PHOTO", "LOGO", "SOUND", "KEY", "AGENT"})


class VCard:
    """Address cards as mail programs and telephones export them."""

    NAME: Final = "vcard"
    VERSION: Final = 1

    def claims(self, name: str, content: bytes) -> float:  # noqa: ARG002 - the bytes decide
        try:
            head = text_of(content[:_HEAD])
        except UnreadableProfile:
            return 0.0
        return 0.95 if _BEGIN.match(head.lstrip()) else 0.0

    def read(self, content: bytes) -> Reading:
        pages: list[PersonPage] = []
        refusals: list[Refusal] = []
        several = len(_BEGIN.findall(text := text_of(content))) > 1
        for number, card in enumerate(_cards(text), start=1):
            if number > _MOST_CARDS:
                raise UnreadableProfile(
                    f"There are more than {_MOST_CARDS:,} cards in the file. Split it into "
                    "smaller ones. Nothing was stored."
                )
            try:
                pages.append(page_of(card, f"card {number}" if several else ""))
            except UnreadableProfile as error:
                refusals.append(Refusal(name=shown_name(card), reason=str(error)))
        if not pages:
            reason = next((each.reason for each in refusals), "There is no card in the file.")
            raise UnreadableProfile(reason)
        return Reading(
            pages=tuple(pages), refusals=tuple(refusals), parser=f"{self.NAME}/{self.VERSION}"
        )


def _cards(text: str) -> Iterator[Card]:
    """The cards; one that is cut off at the end of the file, or before the next, counts."""
    card: Card | None = None
    for line in _unfolded(text):
        if _BEGIN.fullmatch(line):
            if card:
                yield card
            card = Card()
        elif card and _END.fullmatch(line):
            yield card
            card = None
        elif card and len(card.properties) < _MOST_PROPERTIES and (found := _property(line)):
            card.properties.append(found)
    if card and card.properties:
        yield card


def _unfolded(text: str) -> Iterator[str]:
    parts: list[str] = []
    goes_on = False
    for match in _LINE.finditer(text):
        line = match.group().rstrip("\r\n")
        if parts and (line[:1] in {" ", "\t"} or goes_on):
            parts.append(line if goes_on else line[1:])
        else:
            if parts:
                yield "".join(parts)
            parts = [line]
        goes_on = line.endswith("=") and "QUOTED-PRINTABLE" in parts[0][:200].upper()
        if goes_on:
            parts[-1] = line[:-1]
    if parts:
        yield "".join(parts)


def _property(line: str) -> Property | None:
    match = _PROPERTY.fullmatch(line)
    if match is None or (name := match["name"].upper()) in _UNREAD:
        return None
    parameters = [each.strip('" ').lower() for each in match["parameters"].split(";") if each]
    value = match["value"][:_LONGEST]
    if any(each.removeprefix("encoding=") == "quoted-printable" for each in parameters):
        value = _decoded(value, parameters)
    kinds = tuple(
        kind.strip('" ') for each in parameters for kind in each.removeprefix("type=").split(",")
    )
    parts = _SEMICOLON.split(value) if name in _STRUCTURED else [value]
    return Property(name, tuple(map(_unescaped, parts)), kinds)


def _decoded(value: str, parameters: list[str]) -> str:
    """Quoted-printable, in the encoding that the property names."""
    content = binascii.a2b_qp(value.encode("utf-8", errors="replace"))
    named = [each.removeprefix("charset=") for each in parameters if each.startswith("charset=")]
    for encoding in (*named, "utf-8", "cp1252"):
        try:
            return content.decode(encoding)
        except (LookupError, UnicodeDecodeError):
            continue
    return content.decode("latin-1")


def _unescaped(value: str) -> str:
    return _ESCAPED.sub(lambda match: "\n" if match[1] in "nN" else match[1], value)
