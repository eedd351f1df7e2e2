"""Who a text names: in any order, part, case or script, by initials, nickname, login or mistake.

The tiers, best first; only the people of the best one are given::

    EXACT     the whole name in any order, also written together (chenggangzhao), or the login;
              whose accents are as typed come first
    TOKENS    whole words of the name, or the pieces around its apostrophes
    WRITTEN   the same words otherwise: together or apart (cheng gang), Mc for Mac, ue for ü,
              traditional for simplified characters; then a particle more or less (rashid for
              Alrashid): see ``wordings``
    READ      a name in another script, in Latin letters
    PREFIX    beginnings of words, of two letters or more; whoever a nickname means follows
    INITIALS  an initial beside at least one whole word or beginning
    NICKNAME  a short form, or the same given name in another language: see ``given_names``
    ALOUD     a name in Latin letters, asked for in another script
    TYPO      a word one edit away (two from eight letters on), a swap of neighbours being one
              edit; or the consonants of a name in a script that leaves vowels out

Every word of the text must be found, each in a word of its own. Words shorter
than four letters are never taken for mistakes (than three beside a word that is
right), nor are words up to five letters for ones that begin with another letter.
The shortest sum of edits wins; equal ones stand by name. A particle alone (``van``)
is no whole word of ``Anna van Berg``, only a beginning.

Beside an EXACT name those are mentioned, and no more, whose names in another script read so.

In Han characters order counts: EXACT is the very name, TOKENS the surname or the
given name, PREFIX the surname and the beginning of the given name. Whoever is
stored in other characters is somebody else, though both read alike.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, permutations, product
from typing import Final

import regex

from storage.search.folding import fold, tokens
from storage.search.given_names import also_called
from storage.search.lookup import Lookup
from storage.search.mistakes import (
    SHORTEST_MISTAKE,
    assigned,
    edits_allowed,
    near_words,
    short_ones_have_company,
)
from storage.search.named_people import People, Person
from storage.search.reading import is_han, simplified, skeleton, spoken, surname
from storage.search.unwrap import unwrap
from storage.search.values import Hit, NameMatches, NameTier
from storage.search.wordings import is_particle, wordings

MOST_WORDS: Final = 6
MOST_WORDINGS: Final = 12
MOST_READINGS: Final = 12
MOST_ALSO: Final = 5
"""People of another script who are mentioned beside those found."""
LEAST_CONSONANTS: Final = 3

_LINK: Final = regex.compile(
    r"(?:https?://)?(?:www\.)?github\.com/(?P<login>[\w-]+)/?", regex.IGNORECASE
)
_LOGIN: Final = regex.compile(r"@?(?P<login>[A-Za-z0-9](?:[A-Za-z0-9-]{0,38}))")
_NO_NAME: Final = regex.compile(r"[\"():<>=/\\#+&|]|(?:^|\s)-")
_AS_WRITTEN: Final = regex.compile(r"[0-9]")
"""A name with a number in it is meant as it stands: no beginning and no mistake of another."""
_HAN: Final = regex.compile(r"\p{Han}")
_LATIN: Final = regex.compile(r"\p{Latin}")
_WORD: Final = regex.compile(r"\w+")
_APOSTROPHES: Final = regex.compile("['’‘ʼʻ]")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    person: Person
    edits: int = 0
    taken_for: tuple[str, ...] = ()
    how: str = ""
    """How the name was found, behind it in the reason."""


@dataclass(frozen=True, slots=True)
class _Asked:
    text: str
    words: tuple[str, ...]

    @property
    def han(self) -> tuple[str, ...]:
        """The name asked for, when it is all Han: what spaces part may stand in any order."""
        if not all(map(is_han, self.words)):
            return ()
        parts = ["".join(tokens(part)) for part in self.text.split()]
        return tuple("".join(order) for order in permutations(parts))


def named(look: Lookup, text: str, *, limit: int = 20) -> NameMatches:
    """The people of the best tier that ``text`` names, at most ``limit``."""
    text = unwrap(text).strip()
    login = login_of(text)
    words = () if login or _NO_NAME.search(text) else tuple(tokens(text))
    people = People(look)
    if not login and _LOGIN.fullmatch(text) and people.with_login(text.casefold()):
        login = text.casefold()
    if login:
        found = [_Found(person=each) for each in people.with_words([[login]])]
        return _best(look, NameTier.EXACT, found, limit) if found else NameMatches.of_nobody()
    if not 0 < len(words) <= MOST_WORDS:
        return NameMatches.of_nobody()
    exactly = _AS_WRITTEN.search(text)
    asked = _Asked(text, words)
    for tier, found in _tiers(people, asked):
        if exactly and tier > NameTier.TOKENS:
            break
        if found:
            best = _best(look, tier, found, limit)
            if tier is NameTier.EXACT:
                return replace(best, also=_also(people, asked, best))
            return best
    return NameMatches.of_nobody()


def _also(people: People, asked: _Asked, best: NameMatches) -> tuple[Hit, ...]:
    """Whose names, in the other of two scripts, are read as a whole name that was asked for."""
    if _LATIN.search(asked.text):
        found = [
            _Found(person=each, how="romanised")
            for each in (people.reading_so(asked.words) if len(asked.words) > 1 else ())
            if set(asked.words) <= set(each.sounds)
        ]
    else:
        combined = islice(product(*spoken(asked.text)), MOST_READINGS)
        found = [each for words in combined if words for each in _heard(people, words)]
    known = {hit.candidate.id for hit in best.hits}
    others = [
        each
        for each in sorted(_distinct(found), key=lambda each: (each.person.name, each.person.id))
        if each.person.id not in known
        and not (_HAN.search(asked.text) and _HAN.search(each.person.name))
    ]
    return _matches(people.look, NameTier.ALOUD, others[:MOST_ALSO]).hits


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


def _best(look: Lookup, tier: NameTier, found: Sequence[_Found], limit: int) -> NameMatches:
    """Those with the fewest edits; in ``PREFIX`` nicknames count as one and are kept."""
    best = min(each.edits for each in found)
    chosen = sorted(
        (each for each in found if each.edits == best or tier is NameTier.PREFIX),
        key=lambda each: (each.edits, each.how, each.person.words, each.person.id),
    )[: max(0, limit)]
    return _matches(look, tier, chosen)


def _tiers(people: People, asked: _Asked) -> Iterator[tuple[NameTier, list[_Found]]]:
    if asked.han:
        yield from _in_han(people, asked.han)
    else:
        yield from _in_words(people, asked)
    yield NameTier.ALOUD, list(_aloud(people, asked.text))
    if not asked.han:
        yield NameTier.TYPO, list(_mistaken(people, asked.words))
        yield NameTier.TYPO, list(_by_consonants(people, asked.words))


def _in_words(people: People, asked: _Asked) -> Iterator[tuple[NameTier, list[_Found]]]:
    words = asked.words
    holding = people.with_words([[word] for word in words])
    exact = [each for each in holding if _is_whole(words, each)]
    yield (
        NameTier.EXACT,
        [_Found(person=each, how=_accents(asked.text, each)) for each in exact]
        + [_Found(person=each) for each in people.written_together(words)],
    )
    whole = [each for each in holding if _fits(words, each.written) and _says_who(words, each)]
    yield NameTier.TOKENS, [_Found(person=each, how=_in_part(asked.text, each)) for each in whole]
    yield NameTier.WRITTEN, list(_otherwise(people, asked))
    yield NameTier.READ, [_Found(person=each) for each in people.read_as(words)]
    if all(len(word) > 1 or not word.isascii() for word in words):
        begun = [each for each in people.beginning(words) if _fits(words, each.heard)]
        if begun:
            nicknamed = _nicknamed(people, words)
            found = [_Found(person=each, how="begins so") for each in begun]
            yield NameTier.PREFIX, _distinct([*found, *nicknamed])
    elif any(len(word) > 1 for word in words):
        begun = [
            each
            for each in people.beginning(words)
            if _fits(words, each.words) or _fits(words, each.sounds)
        ]
        yield NameTier.INITIALS, [_Found(person=each, how="by its initials") for each in begun]
    yield NameTier.NICKNAME, list(_nicknamed(people, words))


def _in_han(people: People, orders: tuple[str, ...]) -> Iterator[tuple[NameTier, list[_Found]]]:
    """A name in Han characters: see the module."""
    choices = [{each, simplified(each)} for each in orders[0]]
    stored = [
        (person, "".join(word for word in person.words if is_han(word)))
        for person in people.with_words(choices)
    ]
    yield NameTier.EXACT, [_Found(person=each) for each, name in stored if name in orders]
    simple = tuple(map(simplified, orders))
    alike = [(each, simplified(name)) for each, name in stored]
    parts = [
        each
        for each, name in alike
        if name not in simple and not {surname(name), _given(name)}.isdisjoint(simple)
    ]
    yield NameTier.TOKENS, [_Found(person=each, how="in part") for each in parts]
    variants = [each for each, name in alike if name in simple]
    yield (
        NameTier.WRITTEN,
        [_Found(person=each, how="in other characters for the same name") for each in variants],
    )
    begun = [each for each, name in alike if name.startswith(simple)]
    yield NameTier.PREFIX, [_Found(person=each, how="begins so") for each in begun]


def _given(han: str) -> str:
    return han[len(surname(han)) :]


def _is_whole(words: tuple[str, ...], person: Person) -> bool:
    return set(words) == set(person.words) or (len(words) == 1 and words[0] in person.logins)


def _says_who(words: Sequence[str], person: Person) -> bool:
    """Whether more was asked for than particles inside the name."""
    ends = {person.words[0], person.words[-1]} if person.words else set()
    return any(word in ends or not is_particle(word) for word in words)


def _accents(text: str, person: Person) -> str:
    """What sets the name apart from what was typed; empty when it is the same."""
    if text.isascii() and person.name.isascii():
        return ""
    typed = _WORD.findall(_APOSTROPHES.sub("", unicodedata.normalize("NFC", text.casefold())))
    return "" if set(typed) <= _plain_words(person.name) else "accents aside"


def _in_part(text: str, person: Person) -> str:
    return ", ".join(filter(None, ("in part", _accents(text, person))))


def _plain_words(text: str) -> set[str]:
    """The words with their accents, also around and without apostrophes."""
    text = unicodedata.normalize("NFC", text.casefold())
    return {*_WORD.findall(text), *_WORD.findall(_APOSTROPHES.sub("", text))}


def _fits(words: Sequence[str], present: Sequence[str]) -> bool:
    """Whether each word begins a word of its own (by augmenting paths: no order is tried twice)."""
    taken: dict[int, int] = {}

    def place(word: int, tried: set[int]) -> bool:
        for at, each in enumerate(present):
            if at not in tried and each.startswith(words[word]):
                tried.add(at)
                if at not in taken or place(taken[at], tried):
                    taken[at] = word
                    return True
        return False

    return all(place(word, set()) for word in range(len(words)))


def _otherwise(people: People, asked: _Asked) -> Iterator[_Found]:
    """Those whose names are other wordings of the same."""
    for wording in islice(wordings(asked.text, asked.words, people.known), MOST_WORDINGS):
        exactly = [{word: 0} for word in wording.words]
        if wording.far and all(map(is_particle, wording.words)):
            continue
        for person in people.with_words(exactly):
            if assigned(exactly, person.written) and _says_who(wording.words, person):
                how = "a particle aside" if wording.far else "written otherwise"
                yield _Found(person=person, edits=int(wording.far), how=how)


def _nicknamed(people: People, words: Sequence[str]) -> list[_Found]:
    """Those whose given name is another form of one that was asked for."""
    choices = [{**also_called(word), word: 0} for word in words]
    if all(len(each) == 1 for each in choices):
        return []
    found = []
    for person in people.with_words(choices):
        fit = assigned(choices, person.heard)
        if fit and fit[0]:
            said = next(word for word, each in zip(words, fit[1], strict=True) if word != each)
            how = f"{said.capitalize()} is another form of it"
            found.append(_Found(person=person, edits=fit[0], taken_for=fit[1], how=how))
    return found


def _distinct(found: Sequence[_Found]) -> list[_Found]:
    """Each person once, as found first."""
    return list({each.person.id: each for each in reversed(found)}.values())


def _aloud(people: People, text: str) -> Iterator[_Found]:
    """Those whose names in Latin letters another script may be read as."""
    choices = spoken(text)
    if not choices or len(choices) > MOST_WORDS or _LATIN.search(text):
        return
    combined = list(islice(product(*choices), MOST_READINGS))
    exact = [each for words in combined for each in _heard(people, words)]
    likeliest = combined[0]
    found = exact or _nicknamed(people, likeliest) or list(_mistaken(people, likeliest))
    for each in _distinct(found):
        if not (_HAN.search(text) and _HAN.search(each.person.name)):
            yield each


def _heard(people: People, words: tuple[str, ...]) -> Iterator[_Found]:
    how = "romanised"
    for person in people.written_together(words):
        yield _Found(person=person, taken_for=words, how=how)
    text = " ".join(words)
    near = (each.words for each in wordings(text, words, people.known) if not each.far)
    for wording in (words, *islice(near, MOST_WORDINGS)):
        exactly = [{word: 0} for word in wording]
        for person in people.with_words(exactly):
            if assigned(exactly, person.written):
                yield _Found(person=person, taken_for=wording, how=how)


def _mistaken(people: People, words: Sequence[str]) -> Iterator[_Found]:
    """Those whose names the words may be mistakes for."""
    known = []
    for word in words:
        edits = 1 if len(word) == SHORTEST_MISTAKE else edits_allowed(word)
        known.append(people.look.near_names(word, edits))
        if not known[-1]:
            return
    right = [word in there for word, there in zip(words, known, strict=True)]
    choices = [
        near_words(word, there, short=any(right[:at] + right[at + 1 :]))
        for at, (word, there) in enumerate(zip(words, known, strict=True))
    ]
    if not all(choices):
        return
    for person in people.with_words(choices):
        fit = assigned(choices, person.heard)
        if fit and short_ones_have_company(words, fit[1]):
            yield _Found(person=person, edits=fit[0], taken_for=fit[1], how="a typing mistake")


def _by_consonants(people: People, words: Sequence[str]) -> Iterator[_Found]:
    """Those whose names, in scripts that leave vowels out, have these consonants."""
    asked = [skeleton(word) for word in words if word.isascii() and not is_particle(word)]
    if len("".join(asked)) < LEAST_CONSONANTS:
        return
    for person in people.with_skeletons(asked):
        if assigned([{each: 0} for each in asked], person.skeletons):
            how = f"by its consonants, {' '.join(person.skeletons)}"
            yield _Found(person=person, edits=1, taken_for=tuple(words), how=how)


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
    if tier >= NameTier.NICKNAME and hits:
        names = {fold(hit.candidate.profile.name) for hit in hits}
        taken_for = (
            hits[0].candidate.profile.name
            if len(names) == 1
            else " ".join(by_id[hits[0].candidate.id].taken_for)
        )
    return NameMatches(tier=tier, hits=tuple(hits), taken_for=taken_for)


def _why(name: str, login: str | None, found: _Found) -> str:
    """The name that was found, how it is read, and by what it was found."""
    read = found.person.romanised
    notes = [f"read {' '.join(read)}"] if read else []
    notes += [found.how] if found.how else []
    told = f"name is {name} ({', '.join(notes)})" if notes else f"name is {name}"
    if found.taken_for:
        return f"read as {' '.join(found.taken_for)}: {told}"
    return told if not login or read else f"{told}, login probably {login}"
