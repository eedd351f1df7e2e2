"""Looking up who has what, as masks over all profiles.

A mask has one entry a profile, at the profile's ``doc``: True or False. What
the databases give are lists of documents by value, which a ``Memory`` keeps; what
is asked about them is worked out here, the same for each database. Masks are
shared and not to be written to.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar, cast

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Executable, bindparam, select
from sqlalchemy import exists as exists_in
from sqlalchemy.orm import Mapped
from sqlmodel import Session, col

from storage.candidates import load_candidates
from storage.dialects.dialect import TextIndex
from storage.models import (
    DigestItemRow,
    FactRow,
    FactValueRow,
    ProfileRow,
    SubscriptionRow,
)
from storage.prepared import Prepared, Value
from storage.records import Candidate, Use
from storage.search.columns import ByName, Column, Ids, Numbers, Order
from storage.search.lists import (
    AT_ONCE,
    NONE,
    Beginning,
    Carrying,
    Docs,
    Having,
    Holding,
    Listed,
    Mask,
    Scored,
    Small,
    Statement,
    Visible,
)
from storage.search.memory import Memory, View
from storage.search.reader import Indexed, Reader
from storage.search.spellings import MostListed, Spellings, Values, Words
from storage.uses import without

__all__ = ["Docs", "Listed", "Lookup", "Mask", "Numbers"]

NAMES: Final = ("name", "login")
READINGS: Final = ("romanised", "reading", "piece")
NAME_KINDS: Final = (*NAMES, *READINGS)

T = TypeVar("T")

_IDS: Final = Prepared(
    select(col(ProfileRow.doc), col(ProfileRow.id)).where(
        col(ProfileRow.doc).in_(bindparam("docs", expanding=True))
    )
)
_HOLDERS: Final = Prepared(
    select(col(FactValueRow.value), col(FactValueRow.people)).where(
        col(FactValueRow.kind) == bindparam("kind"),
        col(FactValueRow.value).in_(bindparam("wanted", expanding=True)),
    )
)
_KNOWN: Final = Prepared(
    select(col(FactValueRow.value))
    .where(
        col(FactValueRow.kind).in_(bindparam("kinds", expanding=True)),
        col(FactValueRow.value).in_(bindparam("wanted", expanding=True)),
    )
    .distinct()
)


class Lookup:
    """Over one session, for one question: what was looked up once is not looked up again."""

    def __init__(self, session: Session, index: TextIndex, workspace: str, memory: Memory) -> None:
        """Stand over a session in which nothing was read yet."""
        self.session = session
        self.workspace = workspace
        self._reader = Reader(session, index)
        self._view: View = memory.view(self._reader)
        self._profiles = memory.profiles
        self._masks: dict[Statement, Mask] = {}
        self._once: dict[Hashable, Any] = {}
        self._nobody = np.zeros(self.size, dtype=np.bool_)
        self._nobody.flags.writeable = False

    @property
    def size(self) -> int:
        """The length of every mask."""
        return self._view.length

    @property
    def number(self) -> int:
        """How far the changes have come that this question sees: see ``storage.changed``."""
        return self._view.number

    @property
    def visible(self) -> Mask:
        """Who is stored for this workspace and may be shown."""
        return self.mask(Visible(self.workspace))

    @property
    def names(self) -> Spellings:
        """The words of names; some may be nobody's any more."""
        asked = Words(NAME_KINDS)
        return self.once(asked, lambda: self._view.get(asked))

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What ``make`` gives, worked out when it is first asked for under this key."""
        if key not in self._once:
            self._once[key] = make()
        return cast("T", self._once[key])

    def nobody(self) -> Mask:
        """The mask of nobody."""
        return self._nobody

    def listed(self, asked: Statement) -> Listed:
        """Who is on a list, as documents."""
        listed = self._view.get(asked)
        if len(listed.docs) and listed.docs[-1] >= self.size:  # a damaged index: of nobody
            there = listed.docs < self.size
            listed = Listed(listed.docs[there], listed.numbers[there[: len(listed.numbers)]])
        return listed

    def mask(self, asked: Statement) -> Mask:
        """Who is on a list."""
        if asked not in self._masks:
            listed = self.listed(asked)
            self._masks[asked] = listed.mask(self.size) if len(listed.docs) else self._nobody
        return self._masks[asked]

    def having(self, kind: str, values: Collection[str]) -> Mask:
        """Whoever has one of these values."""
        return self.mask(Having((kind,), tuple(sorted(values)))) if values else self._nobody

    def beginning(self, kind: str, start: str) -> Mask:
        """Whoever has a value that begins so; with an empty beginning, any value."""
        return self.mask(Beginning((kind,), start))

    def named(self, words: Iterable[str], kinds: tuple[str, ...] = NAME_KINDS) -> Listed:
        """Whoever has one of these words in a name of these kinds."""
        usable = tuple(sorted({word for word in words if word in self.names}))
        return self.listed(Having(kinds, usable)) if usable else NONE

    def named_mask(self, word: str, kinds: tuple[str, ...]) -> Mask:
        """Whoever has this word in a name of these kinds."""
        return self.mask(Having(kinds, (word,))) if word in self.names else self._nobody

    def names_beginning(self, start: str) -> Listed:
        """Whoever has a word that begins so in a name."""
        return self.listed(Beginning(NAME_KINDS, start)) if self.names.begin(start) else NONE

    def near_names(self, word: str, edits: int) -> list[str]:
        """The words of names at most so many edits away from this one."""
        near = self.names.near(word, edits)
        if self.names.exact or not near:
            return near
        borne = self._values_of(NAME_KINDS, near)
        return [each for each in near if each in borne]

    def skill(self, key: str, test: Callable[[Small], Mask] | None = None) -> Mask:
        """Whoever has the skill, at a readable score that passes the test."""
        asked = Scored(key)
        if test is None:
            return self.mask(asked)
        listed = self.listed(asked)
        mask = np.zeros(self.size, dtype=np.bool_)
        mask[listed.docs[(listed.numbers >= 0) & test(listed.numbers)]] = True
        return mask

    def skill_scores(self, key: str, docs: Docs) -> Small:
        """The score of the skill of each of these profiles: 0 without one that can be read."""
        return np.maximum(self.listed(Scored(key)).at(docs), 0)

    def skill_points(self, key: str, docs: Docs) -> Small:
        """The same, but -1 without the skill, or without a score of it that can be read."""
        there = self.mask(Scored(key))[docs]
        return np.where(there, self.listed(Scored(key)).at(docs), np.int16(-1))

    def count_skill(self, key: str) -> int:
        """How many profiles list the skill."""
        return len(self.listed(Scored(key)).docs)

    def text(self, phrases: Sequence[str]) -> Mask:
        """Whose searched text holds one of the phrases."""
        return self.any(self.mask(Holding(phrase)) for phrase in dict.fromkeys(phrases))

    def carrying(self, phrases: Sequence[str], docs: Docs) -> Small:
        """How many contributions of each of these profiles hold one of the phrases."""
        if not phrases:
            return np.zeros(len(docs), np.int16)
        return self.listed(Carrying(tuple(sorted(set(phrases))))).at(docs)

    def numbers(self, column: str) -> Numbers:
        """A column of ``profile`` by document; NaN where it is not stated. See ``columns``."""
        held = self._view.get(Column(self.workspace, column))
        if len(held) == self.size:
            return held
        numbers = np.full(self.size, np.nan)
        numbers[: len(held)] = held[: self.size]
        return numbers

    @property
    def ids_in_order(self) -> NDArray[np.int64]:
        """By document: numbers in the order of ids."""
        held = self._view.get(Ids(self.workspace))
        if len(held) == self.size:
            return held
        numbers = np.full(self.size, np.iinfo(np.int64).max)
        numbers[: len(held)] = held[: self.size]
        return numbers

    @property
    def order(self) -> Order:
        """The order of names."""
        return self._view.get(ByName(self.workspace))

    def any(self, masks: Iterable[Mask]) -> Mask:
        """Whom one of the masks holds."""
        found = self._nobody
        for mask in masks:
            if mask is not self._nobody:
                found = mask if found is self._nobody else found | mask
        return found

    def all(self, masks: Iterable[Mask]) -> Mask:
        """Whom all of the masks hold; there must be one. The rest is not asked for nobody."""
        found: Mask | None = None
        for mask in masks:
            found = mask if found is None else found & mask
            if mask is self._nobody:
                return mask
        assert found is not None  # noqa: S101 - said above
        return found

    def untold(self, subscription: int) -> Mask:
        """Added after the subscription's ``since``, in none of its digests, free to be told of."""
        since = (
            select(col(SubscriptionRow.since))
            .where(
                col(SubscriptionRow.workspace) == self.workspace,
                col(SubscriptionRow.number) == subscription,
            )
            .scalar_subquery()
        )
        told = exists_in().where(
            col(DigestItemRow.workspace) == self.workspace,
            col(DigestItemRow.subscription) == subscription,
            col(DigestItemRow.profile_id) == col(ProfileRow.id),
        )
        rows = self._rows(
            select(col(ProfileRow.doc)).where(
                col(ProfileRow.workspace) == self.workspace,
                col(ProfileRow.added_at) > since,
                ~told,
                without(Use.DIGEST),
            )
        )
        mask = np.zeros(self.size, dtype=np.bool_)
        mask[[row[0] for row in rows]] = True
        return mask

    def shown(self, kind: str) -> list[tuple[str, int]]:
        """(value, profile) of a kind, for those who may be shown."""
        rows = self._rows(
            select(col(FactRow.value), col(FactRow.doc)).where(col(FactRow.kind) == kind)
        )
        return [(str(value), int(doc)) for value, doc in rows if self.visible[doc]]

    def scores(self, key: str) -> list[int]:
        """The readable scores of a skill, of those who may be shown."""
        listed = self.listed(Scored(key))
        shown = listed.numbers[(listed.numbers >= 0) & self.visible[listed.docs]]
        return [int(score) for score in shown]

    def known(self, kind: str, values: Collection[str]) -> frozenset[str]:
        """Which of the values somebody has."""
        return self._values_of((kind,), values)

    def values(self, kind: str, *, limit: int) -> Values:
        """The values of a kind, most people first."""
        return self._view.get(MostListed(kind, limit))

    def holders(self, kind: str, values: Collection[str]) -> dict[str, int]:
        """How many people are stored with each of these values, of those that somebody has."""
        return {
            str(value): int(people)
            for some in _portions(sorted(values))
            for value, people in self._rows(_HOLDERS, {"kind": kind, "wanted": some})
        }

    def indexed(self, docs: Sequence[int]) -> dict[int, Indexed]:
        """What is indexed of these profiles."""
        return self._reader.indexed(docs)

    def with_id(self, id_: str) -> list[tuple[int, str, str]]:
        """The profile of this id (its doc, the id, the name), if it may be shown."""
        rows = self._rows(
            select(col(ProfileRow.doc), col(ProfileRow.name)).where(
                col(ProfileRow.id) == id_, col(ProfileRow.workspace) == self.workspace
            )
        )
        return [(int(doc), id_, str(name)) for doc, name in rows if self.visible[doc]]

    def column(self, column: Mapped[Any], docs: NDArray[Any]) -> dict[int, Any]:
        """A column of these profiles, by ``doc``; what is not stated is left out."""
        return {
            doc: value
            for some in _portions(docs.tolist())
            for doc, value in self._rows(
                select(col(ProfileRow.doc), column).where(
                    col(ProfileRow.doc).in_(some), column.is_not(None)
                )
            )
        }

    def candidates(self, ids: Sequence[str]) -> list[Candidate]:
        """The people of these ids, in this order."""
        return load_candidates(self.session, self.workspace, ids, read=self._profiles)

    def ids(self, docs: Sequence[int]) -> list[str]:
        """The ids of these profiles, in this order."""
        found = {
            doc: str(id_)
            for some in _portions(docs)
            for doc, id_ in self._rows(_IDS, {"docs": some})
        }
        return [found[doc] for doc in docs if doc in found]

    def _values_of(self, kinds: Sequence[str], values: Collection[str]) -> frozenset[str]:
        return frozenset(
            str(row[0])
            for some in _portions(sorted(values))
            for row in self._rows(_KNOWN, {"kinds": kinds, "wanted": some})
        )

    def _rows(
        self, statement: Executable | Prepared, values: Mapping[str, Value] | None = None
    ) -> list[Any]:
        return self._reader.rows(statement, values)


def _portions(values: Sequence[Any]) -> Iterable[Sequence[Any]]:
    return (values[start : start + AT_ONCE] for start in range(0, len(values), AT_ONCE))
