"""jCard (RFC 7095): vCard as JSON, one card or a list of them."""

from collections.abc import Iterator
from typing import Final

from bot.profiles.cards.card import Card, Property, page_of, shown_name
from bot.profiles.decoding import text_of
from bot.profiles.format import PersonPage, Reading, Refusal, UnreadableProfile
from bot.profiles.resume_json.tree import could_be_json, parsed

_MOST_CARDS: Final = 50_000
_LONGEST: Final = 20_000
"""Characters of a value that are read."""


class JCard:
    """Address cards as JSON, such as registries and address books give them."""

    NAME: Final = "jcard"
    VERSION: Final = 1

    def claims(self, name: str, content: bytes) -> float:  # noqa: ARG002 - the bytes decide
        text = could_be_json(content, "vcard")
        return 0.95 if text and any(_cards(parsed(text))) else 0.0

    def read(self, content: bytes) -> Reading:
        pages: list[PersonPage] = []
        refusals: list[Refusal] = []
        cards = [*_cards(parsed(text_of(content)))][:_MOST_CARDS]
        for number, card in enumerate(cards, start=1):
            try:
                pages.append(page_of(card, f"card {number}" if len(cards) > 1 else ""))
            except UnreadableProfile as error:
                refusals.append(Refusal(name=shown_name(card), reason=str(error)))
        if not pages:
            reason = next((each.reason for each in refusals), "There is no card in the file.")
            raise UnreadableProfile(reason)
        return Reading(
            pages=tuple(pages), refusals=tuple(refusals), parser=f"{self.NAME}/{self.VERSION}"
        )


def _cards(document: object) -> Iterator[Card]:
    """``["vcard", [property, …]]``, or a list of such."""
    if not isinstance(document, list):
        return
    if document[:1] == ["vcard"]:
        if len(document) > 1 and isinstance(document[1], list):
            yield Card([each for entry in document[1] if (each := _property(entry))])
        return
    for each in document:
        if isinstance(each, list) and each[:1] == ["vcard"]:
            yield from _cards(each)


def _property(entry: object) -> Property | None:
    """``[name, parameters, type, value, …]``; a structured value is a list of its components."""
    if not isinstance(entry, list) or len(entry) < 4 or not isinstance(entry[0], str):
        return None
    parameters = entry[1] if isinstance(entry[1], dict) else {}
    kinds = parameters.get("type", [])
    kinds = kinds if isinstance(kinds, list) else [kinds]
    values = entry[3] if isinstance(entry[3], list) else entry[3:]
    return Property(
        entry[0].upper(), tuple(map(_part, values)), tuple(str(each).lower() for each in kinds)
    )


def _part(value: object) -> str:
    if isinstance(value, list):
        return " ".join(map(_part, value))[:_LONGEST]
    return str(value)[:_LONGEST] if isinstance(value, str | int | float) else ""
