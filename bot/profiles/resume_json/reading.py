"""How a JSON format is recognised and read: its objects one by one, each may be refused."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from bot.profiles.decoding import text_of
from bot.profiles.format import PersonPage, Reading, Refusal, UnreadableProfile
from bot.profiles.resume_json.tree import Entry, could_be_json, entries_of, parsed, readable
from bot.profiles.stated import Stated, profile_of
from storage.records import Profile

_MOST_PEOPLE: Final = 50_000
_ASKED: Final = 20
"""Objects of a list that are looked at to recognise its kind."""
_SURE: Final = 0.9
_DAMAGED: Final = 0.3


def _whole(entry: Entry) -> Entry:
    return entry


def _none(_: Entry) -> Profile | None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonFormat:
    """A format whose documents are a JSON object, or a list of such objects, a person each.

    ``keys`` stand in every document of the kind; ``fits`` says whether an object is one, and
    ``inside`` names keys under which it may lie. ``place`` is what an object is called,
    ``shown`` the part of it that is kept as text, ``exported`` the profile that an export of
    ours put there whole.
    """

    NAME: str
    VERSION: int
    keys: tuple[str, ...]
    fits: Callable[[Entry], bool]
    stated_of: Callable[[Entry], Stated]
    inside: tuple[str, ...] = ()
    place: str = "résumé"
    shown: Callable[[Entry], Entry] = _whole
    exported: Callable[[Entry], Profile | None] = _none

    def claims(self, name: str, content: bytes) -> float:  # noqa: ARG002 - the bytes decide
        text = could_be_json(content, *self.keys)
        if text is None:
            return 0.0
        document = parsed(text)
        if document is None:
            return _DAMAGED
        entries = entries_of(document, *self.inside)
        return _SURE if any(map(self.fits, entries[:_ASKED])) else 0.0

    def read(self, content: bytes) -> Reading:
        """The people of the document's objects. Raises UnreadableProfile when there is nobody."""
        entries = entries_of(_document(content), *self.inside)[:_MOST_PEOPLE]
        pages: list[PersonPage] = []
        refusals: list[Refusal] = []
        for number, entry in enumerate(entries, start=1):
            place = f"{self.place} {number}" if len(entries) > 1 else ""
            try:
                profile = self.exported(entry) or profile_of(self.stated_of(entry))
            except UnreadableProfile as error:
                refusals.append(Refusal(name=place or self.place, reason=str(error)))
                continue
            pages.append(PersonPage(profile=profile, text=readable(self.shown(entry)), place=place))
        if not pages:
            reasons = [each.reason for each in refusals]
            raise UnreadableProfile(
                next(iter(reasons), "There is nobody in the document. Nothing was stored.")
            )
        return Reading(
            pages=tuple(pages), refusals=tuple(refusals), parser=f"{self.NAME}/{self.VERSION}"
        )


def _document(content: bytes) -> object:
    try:
        return json.loads(text_of(content))
    except json.JSONDecodeError as error:
        raise UnreadableProfile(
            f"The JSON is damaged at line {error.lineno}: it cannot be read from there on. "
            "Export it again and send it whole. Nothing was stored."
        ) from error
    except (ValueError, RecursionError) as error:
        raise UnreadableProfile(
            "The JSON is damaged or nested too deeply to be a résumé. Export it again and send it "
            "whole. Nothing was stored."
        ) from error
