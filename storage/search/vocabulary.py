"""What words may mean, going by what is stored: skills, places, companies, repositories, …

A phrase means something only when somebody who may be shown has it; whoever reads a
question or a description by these meanings guesses nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from storage.search import facts
from storage.search.compile import Context
from storage.search.folding import tokens
from storage.search.known import MOST_VALUES, Known
from storage.search.lookup import Lookup
from storage.search.skills import is_exact_only, skill_key
from storage.search.sought import place_names, repository_key, sought
from storage.search.synonyms import company_names, folded, region, school_names
from storage.search.tree import Qualified, Word

SHORTEST: Final = 2
"""Letters of a name that is no skill."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """Phrases and what each may mean, by the key of the qualifier; and words that pages carry."""

    meanings: Mapping[str, Mapping[str, Qualified]]
    mentioned: frozenset[str] = field(default=frozenset())


def vocabulary(where: Context, phrases: Iterable[str], words: Sequence[str] = ()) -> Vocabulary:
    """What ``phrases`` may mean, and which of ``words`` stand on somebody's page."""
    known = Known(where)
    found = {}
    for phrase in dict.fromkeys(phrases):
        meant = {part.key: part for part in _meanings(known, phrase) if known.count(part)}
        if meant:
            found[phrase] = meant
    carried = frozenset(word for word in words if known.count(Word(word)))
    return Vocabulary(meanings=found, mentioned=carried)


def _meanings(known: Known, phrase: str) -> Iterable[Qualified]:
    words = tokens(phrase)
    key = skill_key(phrase)
    if key in known.skills.places:
        yield Qualified("skill", key)
    if key in known.values("topic").places:
        yield Qualified("topic", key)
    if "/" in phrase and known.where.look.known("repo", [repository_key(phrase)]):
        yield Qualified("repo", repository_key(phrase))
    if len("".join(words)) <= SHORTEST and not any(ord(letter) > 127 for letter in phrase):
        if region(phrase) or company_names(phrase):
            yield from _named(known, phrase, words)
        return
    yield from _named(known, phrase, words)
    if repository_key(phrase) in known.values("repo").places and not is_exact_only(key):
        yield Qualified("repo", repository_key(phrase))


def _named(known: Known, phrase: str, words: Sequence[str]) -> Iterable[Qualified]:
    """A place, a company, a school or a role of this name."""
    look, said = known.where.look, phrase.casefold()
    meant = region(phrase)
    names = place_names(phrase) | (meant.names if meant else frozenset())
    if any(name in known.values(kind).places for kind in ("location", "country") for name in names):
        yield Qualified("location", said)
    others = {folded(name) for name in company_names(phrase)} | {folded(phrase)}
    if others & known.values("company").places.keys() or _within(known, "company", words):
        yield Qualified("company", said)
    if school_names(phrase) or _within(known, "school", words):
        yield Qualified("school", said)
    if _within(known, "role", words) or _is_role(look, phrase):
        yield Qualified("role", said)


def _within(known: Known, key: str, words: Sequence[str]) -> bool:
    """Whether all the words are words of values of a kind; who has them together is counted."""
    borne = _words(known, key)
    return bool(words) and all(word in borne for word in words)


def _words(known: Known, key: str) -> frozenset[str]:
    return known.where.look.once(("words", key), lambda: frozenset(known.values(key).words))


def _is_role(look: Lookup, phrase: str) -> bool:
    """Whether it is a role in a contribution."""
    roles = look.once(
        ("words", "of roles"), lambda: frozenset(look.values("role", limit=MOST_VALUES).words)
    )
    words = tokens(phrase)
    return (
        bool(words)
        and all(word in roles for word in words)
        and bool(facts.role(look, sought(phrase).forms).any())
    )
