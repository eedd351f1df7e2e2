"""Who a text names: any order, part, case, initial, login, typing mistake, or Han characters.

The tiers, best first; only the people of the best one are given::

    EXACT     the whole name in any order, also written together (chenggangzhao), or the login
    TOKENS    whole words of the name, or the pieces around its apostrophes
    READ      a name in Han characters, in Latin letters
    PREFIX    beginnings of words, of two letters or more
    INITIALS  an initial beside at least one whole word or beginning
    TYPO      a word one edit away (two from eight letters on), a swap of neighbours being one
              edit; or Han characters, read aloud

Every word of the text must be found, each in a word of its own. Words shorter
than four letters are never taken for mistakes (than three beside a word that is
right), nor are words up to five letters for ones that begin with another letter.
The shortest sum of edits wins; equal ones stand by name.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

import numpy as np
import regex
from rapidfuzz import process
from rapidfuzz.distance import OSA
from sqlalchemy import bindparam, select
from sqlmodel import col

from storage.models import NameTokenRow, ProfileRow
from storage.search import facts
from storage.search.folding import fold, tokens
from storage.search.lists import Listed
from storage.search.lookup import Lookup
from storage.search.reading import read_aloud
from storage.search.unwrap import unwrap
from storage.search.values import Hit, NameMatches, NameTier

MOST_WORDS: Final = 6
MOST_CANDIDATES: Final = 500
MOST_NEAR: Final = 200
SHORTEST_MISTAKE: Final = 3
"""Letters of a word that is taken for a mistake only beside another that is right."""

_NAMES: Final = (
    select(col(ProfileRow.doc), col(ProfileRow.id), col(NameTokenRow.kind), col(NameTokenRow.token))
    .join(NameTokenRow, col(NameTokenRow.profile_id) == col(ProfileRow.id), isouter=True)
    .where(col(ProfileRow.doc).in_(bindparam("docs", expanding=True)))
    .order_by(col(ProfileRow.doc), col(NameTokenRow.position))
)
_LINK: Final = regex.compile(
    r"(?:https?://)?(?:www\.)?github\.com/(?P<login>[\w-]+)/?", regex.IGNORECASE
)
_LOGIN: Final = regex.compile(r"@?(?P<login>[A-Za-z0-9](?:[A-Za-z0-9-]{0,38}))")
_NO_NAME: Final = regex.compile(r"[\"():<>=/\\#+&|]|(?:^|\s)-")
_AS_WRITTEN: Final = regex.compile(r"[0-9]")
"""A name with a number in it is meant as it stands: no beginning and no mistake of another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Person:
    id: str
    words: tuple[str, ...]
    """Folded words of the name, in order."""
    logins: tuple[str, ...]
    pieces: tuple[str, ...] = ()
    """What stands around the apostrophes of the name."""
    romanised: tuple[str, ...] = ()
    """Surname and given name in Latin letters, of a name in Han characters."""

    @property
    def all(self) -> tuple[str, ...]:
        return (*self.words, *self.logins, *self.pieces)

    @property
    def readings(self) -> set[str]:
        """What the romanised name may be written as, all of its words together."""
        whole = {"".join(order) for order in permutations(self.romanised)}
        return whole | {word for word in self.romanised if len(word) >= facts.SHORTEST_READING}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    person: _Person
    edits: int = 0
    taken_for: tuple[str, ...] = ()


def named(look: Lookup, text: str, *, limit: int = 20) -> NameMatches:
    """The people of the best tier that ``text`` names, at most ``limit``."""
    text = unwrap(text).strip()
    login = login_of(text)
    words = () if login or _NO_NAME.search(text) else tuple(tokens(text))
    people = _People(look)
    if not login and _LOGIN.fullmatch(text) and people.with_login(text.casefold()):
        login = text.casefold()
    if not login and not 0 < len(words) <= MOST_WORDS:
        return NameMatches(tier=NameTier.NONE)
    exactly = not login and _AS_WRITTEN.search(text)
    for tier, found in _tiers(people, words, login):
        if exactly and tier > NameTier.TOKENS:
            break
        if found:
            best = min(each.edits for each in found)
            chosen = sorted(
                (each for each in found if each.edits == best),
                key=lambda each: (each.person.words, each.person.id),
            )[: max(0, limit)]
            return _matches(look, tier, chosen)
    return NameMatches(tier=NameTier.NONE)


def login_of(text: str) -> str:
    """The login that a link or an ``@name`` means; empty for anything else.

    >>> login_of("https://github.com/LyricZhao/"), login_of("@LyricZhao"), login_of("Lyric Zhao")
    ('lyriczhao', 'lyriczhao', '')
    """
    if link := _LINK.fullmatch(text):
        return link["login"].casefold()
    if text.startswith("@") and (login := _LOGIN.fullmatch(text)):
        return login["login"].casefold()
    return ""


def _tiers(
    people: "_People", words: tuple[str, ...], login: str
) -> Iterator[tuple[NameTier, list[_Found]]]:
    if login:
        yield NameTier.EXACT, [_Found(person=each) for each in people.with_words([[login]])]
        return
    whole = people.with_words([[word] for word in words])
    yield (
        NameTier.EXACT,
        [_Found(person=each) for each in whole if _is_whole(words, each)]
        + [_Found(person=each) for each in people.written_together(words)],
    )
    yield NameTier.TOKENS, [_Found(person=each) for each in whole if _fits(words, each.all)]
    yield NameTier.READ, [_Found(person=each) for each in people.romanised(words)]
    if all(len(word) > 1 or not word.isascii() for word in words):
        begun = people.beginning(words)
        yield NameTier.PREFIX, [_Found(person=each) for each in begun if _fits(words, each.all)]
    elif any(len(word) > 1 for word in words):
        begun = people.beginning(words)
        yield NameTier.INITIALS, [_Found(person=each) for each in begun if _fits(words, each.words)]
    yield NameTier.TYPO, [*people.near(words), *people.read_aloud(words)]


def _is_whole(words: tuple[str, ...], person: _Person) -> bool:
    return set(words) == set(person.words) or (len(words) == 1 and words[0] in person.logins)


def _fits(words: Sequence[str], present: Sequence[str]) -> bool:
    """Whether each word begins a word of its own."""
    if not words:
        return True
    return any(
        _fits(words[1:], [*present[:at], *present[at + 1 :]])
        for at, each in enumerate(present)
        if each.startswith(words[0])
    )


def edits_allowed(word: str) -> int:
    """How many typing mistakes a word of this length may hold."""
    if len(word) < 4 or not word.isalpha():
        return 0
    return 1 if len(word) < 8 else 2


def near_words(word: str, known: Sequence[str], *, short: bool = False) -> dict[str, int]:
    """The known words that ``word`` may be a mistake for, with their edits; itself among them.

    ``short`` allows one edit in a word of three letters too.
    """
    short = short and len(word) == SHORTEST_MISTAKE and word.isalpha()
    allowed = 1 if short else edits_allowed(word)
    if not allowed:
        return dict.fromkeys((each for each in known if each == word), 0)
    found = process.extract(word, known, scorer=OSA.distance, score_cutoff=allowed, limit=MOST_NEAR)
    return {
        each: int(distance)
        for each, distance, _index in found
        if len(each) > SHORTEST_MISTAKE - short and (len(word) > 5 or each[0] == word[0])
    }


class _People:
    """Looks people up by the words of their names, in one workspace."""

    def __init__(self, look: Lookup) -> None:
        self._look = look

    def with_words(self, choices: Sequence[Sequence[str]]) -> list[_Person]:
        """Those who have one word of each choice."""
        return self._those(self._look.named(choice) for choice in choices)

    def beginning(self, words: Sequence[str]) -> list[_Person]:
        """Those who have words that begin with these."""
        long = [word for word in words if len(word) > 1]
        return self._those(self._look.names_beginning(word) for word in long or words)

    def written_together(self, words: Sequence[str]) -> list[_Person]:
        """Those whose whole name, first or last word first, is these letters."""
        together = "".join(words)
        if len(together) < 5:
            return []
        cuts = range(1, len(together))
        parts = ([together[:cut] for cut in cuts], [together[cut:] for cut in cuts])
        return [
            person
            for person in self.with_words(parts)
            if 1 < len(person.words) <= 4 and _together(person.words, together)
        ]

    def with_login(self, login: str) -> bool:
        """Whether somebody's login is this."""
        docs = self._look.named([login], ("login",)).docs
        return bool(self._look.visible[docs].any())

    def romanised(self, words: Sequence[str]) -> list[_Person]:
        """Those whose name in Han characters reads like this, written in whatever pieces."""
        together = "".join(words)
        if not together.isascii() or len(together) < facts.SHORTEST_READING:
            return []
        starts = [together[:length] for length in range(1, len(together) + 1)]
        begun = self._look.named(starts, ("romanised",))
        return [person for person in self._those([begun]) if together in person.readings]

    def near(self, words: Sequence[str]) -> Iterator[_Found]:
        """Those whose names the words may be mistakes for."""
        known = []
        for word in words:
            known.append(self._known(word))
            if not known[-1]:
                return
        right = [word in there for word, there in zip(words, known, strict=True)]
        choices = [
            near_words(word, there, short=any(right[:at] + right[at + 1 :]))
            for at, (word, there) in enumerate(zip(words, known, strict=True))
        ]
        if not all(choices):
            return
        for person in self.with_words([list(choice) for choice in choices]):
            fits = [
                (sum(choices[at][each] for at, each in enumerate(order)), order)
                for order in permutations(person.all, len(words))
                if all(each in choices[at] for at, each in enumerate(order))
                and _short_ones_have_company(words, order)
            ]
            if fits:
                edits, order = min(fits)
                yield _Found(person=person, edits=edits, taken_for=order)

    def read_aloud(self, words: Sequence[str]) -> Iterator[_Found]:
        """Those whose romanised name Han characters may be."""
        reading = read_aloud("".join(words))
        if not reading:
            return
        alone = self.with_words([[reading]]) if " " not in reading else []
        for person in (*self.written_together(reading.split()), *alone):
            yield _Found(person=person, edits=1, taken_for=tuple(reading.split()))

    def _known(self, word: str) -> list[str]:
        """The words of names that ``word`` may be a mistake for, and perhaps some more."""
        return self._look.near_names(
            word, 1 if len(word) == SHORTEST_MISTAKE else edits_allowed(word)
        )

    def _those(self, lists: Iterable[Listed]) -> list[_Person]:
        """The people who stand on all lists, the first of them where they are many."""
        docs = None
        for each in lists:
            docs = each.docs if docs is None else np.intersect1d(docs, each.docs, True)
            if not len(docs):
                return []
        if docs is None:
            return []
        docs = docs[self._look.visible[docs]][:MOST_CANDIDATES]
        rows = self._look.session.connection().execute(_NAMES, {"docs": docs.tolist()}).all()
        tokens_of: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        ids: dict[str, None] = {}
        for _doc, id_, kind, token in rows:
            ids[id_] = None
            tokens_of[id_, kind].append(token)
        return [
            _Person(
                id=each,
                words=tuple(tokens_of[each, "name"]),
                logins=tuple(tokens_of[each, "login"]),
                pieces=tuple(tokens_of[each, "piece"]),
                romanised=tuple(tokens_of[each, "romanised"]),
            )
            for each in ids
        ]


def _short_ones_have_company(words: Sequence[str], order: Sequence[str]) -> bool:
    """Whether a mistaken word of three letters stands beside one that is right."""
    pairs = list(zip(words, order, strict=True))
    mistaken = any(word != each and len(word) <= SHORTEST_MISTAKE for word, each in pairs)
    return not mistaken or any(word == each for word, each in pairs)


def _together(words: tuple[str, ...], together: str) -> bool:
    return any("".join(order) == together for order in permutations(words))


def _matches(look: Lookup, tier: NameTier, chosen: Sequence[_Found]) -> NameMatches:
    by_id = {each.person.id: each for each in chosen}
    hits = [
        Hit(
            candidate=candidate,
            score=None,
            why=(
                _why(candidate.profile.name, candidate.profile.likely_login, by_id[candidate.id]),
            ),
        )
        for candidate in look.candidates(list(by_id))
    ]
    taken_for = None
    if tier is NameTier.TYPO and hits:
        names = {fold(hit.candidate.profile.name) for hit in hits}
        taken_for = (
            hits[0].candidate.profile.name
            if len(names) == 1
            else " ".join(by_id[hits[0].candidate.id].taken_for)
        )
    return NameMatches(tier=tier, hits=tuple(hits), taken_for=taken_for)


def _why(name: str, login: str | None, found: _Found) -> str:
    if found.taken_for:
        return f"read as {' '.join(found.taken_for)}: name is {name}"
    if found.person.romanised:
        return f"name is {name} (read {' '.join(found.person.romanised)})"
    return f"name is {name}" if not login else f"name is {name}, login probably {login}"
