"""People looked up by the words of their names, in one workspace."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

import numpy as np
from sqlalchemy import bindparam, select
from sqlmodel import col

from storage.models import NameTokenRow, ProfileRow
from storage.prepared import Prepared
from storage.search import facts
from storage.search.folding import tokens
from storage.search.lists import Having, Listed
from storage.search.lookup import Lookup

MOST_CANDIDATES: Final = 500
_SHORTEST_TOGETHER: Final = 5

_NAMES: Final = Prepared(
    select(
        col(ProfileRow.doc),
        col(ProfileRow.id),
        col(ProfileRow.name),
        col(NameTokenRow.kind),
        col(NameTokenRow.token),
    )
    .join(NameTokenRow, col(NameTokenRow.profile_id) == col(ProfileRow.id), isouter=True)
    .where(col(ProfileRow.doc).in_(bindparam("docs", expanding=True)))
    .order_by(col(ProfileRow.doc), col(NameTokenRow.position))
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody's name as it can be asked for: see ``models.NameTokenRow``."""

    id: str
    name: str
    words: tuple[str, ...]
    """Folded words of the name, in order."""
    logins: tuple[str, ...] = ()
    pieces: tuple[str, ...] = ()
    romanised: tuple[str, ...] = ()
    sounds: tuple[str, ...] = ()
    """``romanised`` and what else the name may be read as."""
    skeletons: tuple[str, ...] = ()

    @property
    def written(self) -> tuple[str, ...]:
        """All words that stand in the name or are the login."""
        return (*self.words, *self.logins, *self.pieces)

    @property
    def heard(self) -> tuple[str, ...]:
        """These, and the words that the name is read as."""
        return (*self.written, *self.sounds)


class People:
    """Looks people up; what is given may still fit less well than was asked."""

    def __init__(self, look: Lookup) -> None:
        """Stand over what one question may look up."""
        self.look = look
        self._names = look.names

    def known(self, word: str) -> bool:
        """Whether somebody has this word in the name."""
        return word in self._names

    def with_words(self, choices: Sequence[Iterable[str]]) -> list[Person]:
        """Those who have one word of each choice."""
        return self._those(self.look.named(choice) for choice in choices)

    def beginning(self, words: Sequence[str]) -> list[Person]:
        """Those who have words that begin with these."""
        long = [word for word in words if len(word) > 1]
        return self._those(self.look.names_beginning(word) for word in long or words)

    def written_together(self, words: Sequence[str]) -> list[Person]:
        """Those whose whole name, first or last word first, is these letters."""
        together = "".join(words)
        if len(together) < _SHORTEST_TOGETHER:
            return []
        cuts = range(1, len(together))
        parts = ([together[:cut] for cut in cuts], [together[cut:] for cut in cuts])
        return [
            person
            for person in self.with_words(parts)
            if 1 < len(person.words) <= 4
            and any("".join(order) == together for order in permutations(person.words))
        ]

    def with_login(self, login: str) -> bool:
        """Whether somebody's login is this."""
        docs = self.look.named([login], ("login",)).docs
        return bool(self.look.visible[docs].any())

    def read_as(self, words: Sequence[str]) -> list[Person]:
        """Those whose name in another script reads like this, written in whatever pieces."""
        together = "".join(words)
        if not together.isascii() or len(together) < facts.SHORTEST_READING:
            return []
        starts = [together[:length] for length in range(1, len(together) + 1)]
        begun = self.look.named(starts, ("romanised", "reading"))
        return [
            person
            for person in self._those([begun])
            if (together in person.sounds or _made_of(together, person.sounds))
        ]

    def reading_so(self, words: Sequence[str]) -> list[Person]:
        """Those whose names in another script are read as all of these words."""
        return self._those(self.look.named([word], ("romanised", "reading")) for word in words)

    def with_skeletons(self, skeletons: Sequence[str]) -> list[Person]:
        """Those in whose names, in scripts without vowels, stand all of these consonants."""
        kind = ("skeleton",)
        return self._those(self.look.listed(Having(kind, (each,))) for each in skeletons)

    def _those(self, lists: Iterable[Listed]) -> list[Person]:
        """The people who stand on all lists, the first of them where they are many."""
        docs = None
        for each in lists:
            docs = each.docs if docs is None else np.intersect1d(docs, each.docs, True)
            if not len(docs):
                return []
        if docs is None:
            return []
        shown = docs[self.look.visible[docs]][:MOST_CANDIDATES].tolist()
        return self.look.once(("people", *shown), lambda: self._people(shown))

    def _people(self, docs: list[int]) -> list[Person]:
        rows = _NAMES.rows(self.look.session.connection(), {"docs": docs})
        tokens_of: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        names: dict[str, str] = {}
        for _doc, id_, name, kind, token in rows:
            names[id_] = name
            tokens_of[id_, kind].append(token)
        return [
            Person(
                id=each,
                name=name,
                words=tuple(tokens_of[each, "name"] if name.isascii() else tokens(name)),
                logins=tuple(tokens_of[each, "login"]),
                pieces=tuple(tokens_of[each, "piece"]),
                romanised=tuple(tokens_of[each, "romanised"]),
                sounds=(*tokens_of[each, "romanised"], *tokens_of[each, "reading"]),
                skeletons=tuple(tokens_of[each, "skeleton"]),
            )
            for each, name in names.items()
        ]


def _made_of(together: str, sounds: Sequence[str]) -> bool:
    """Whether some of the readings, each once and at least two, are these letters."""
    return any(
        together[len(each) :] in others or _made_of(together[len(each) :], others)
        for at, each in enumerate(sounds)
        if together.startswith(each) and len(each) < len(together)
        for others in [[*sounds[:at], *sounds[at + 1 :]]]
    )
