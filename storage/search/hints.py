"""Sentences about why nobody was found, each computed over the store and true of it."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from sqlmodel import col

from storage.models import ProfileRow
from storage.places import countries_of, country_named, country_of_code
from storage.search import facts
from storage.search.columns import as_instant
from storage.search.dates import told_day
from storage.search.english import does
from storage.search.folding import tokens
from storage.search.known import Known
from storage.search.lookup import Mask, Numbers
from storage.search.ranking import by_name
from storage.search.similar import likenesses
from storage.search.skills import LANGUAGES, is_exact_only, skill_key
from storage.search.sought import place_names, sought
from storage.search.suggesting import MEANT, joined_value, run_ons, years_meant
from storage.search.synonyms import word_read_as
from storage.search.tree import Leaf, Not, Phrase, Qualified, Question, Word
from storage.search.understood import readings

MOST: Final = 4
SPOKEN: Final = frozenset(
    ("am", "be", "do", "he", "hi", "i", "if", "it", "me", "my", "no", "ok", "so", "to", "up", "us",
     "we")
)  # fmt: skip
"""Short words that people say and do not search for."""
_MOMENTS: Final = {"added": ("added_at", "added"), "changed": ("updated_at", "last changed")}
MOST_CONTRADICTED: Final = 1_000


def hints(known: Known, question: Question, blamed: Sequence[Leaf | Not]) -> tuple[str, ...]:
    """At most four sentences about the leaves that matched nobody."""
    found: dict[str, None] = {}
    for part, words in run_ons(question.where):
        if whole := joined_value(part, words):
            found[f"{MEANT} `{whole}`? Put several words in quotes."] = None
    found |= dict.fromkeys(readings(question, known.where.names))
    if said := _exactly(known, blamed):
        found[said] = None
    for leaf in () if isinstance(question.where, Not) else blamed:
        found |= dict.fromkeys(_about(known, leaf))
    if any(_is_short(leaf) for leaf in blamed) and not years_meant(question):
        found[
            "I look for words of one or two characters among the skills only. To find one "
            'in the text, quote it with its neighbour, such as "8 cores".'
        ] = None
    if question.passed:
        found[passed_over(question)] = None
    return tuple(found)[:MOST]


def passed_over(question: Question) -> str:
    """The words that were not searched; empty without any."""
    if not question.passed:
        return ""
    return f"Not searched: {_series([f'“{word}”' for word in question.passed])}."


def _about(known: Known, leaf: Leaf | Not) -> Iterator[str]:
    match leaf:
        case Not(Word() | Phrase() | Qualified() as part) if known.count(part) == known.count(None):
            yield f"Everybody here {does(part)}."
        case Qualified("skill", value):
            yield from _about_skill(known, skill_key(value), leaf)
        case Qualified("location", value):
            yield from _about_place(known, value)
        case Qualified("company", value):
            yield from _about_company(known, value)
        case Qualified("years" | "employed" | "added" | "changed"):
            yield from _about_numbers(known, leaf)
        case Qualified("lang"):
            yield from _hidden_languages(known)
        case Qualified("similar", value):
            yield from _about_similar(known, value)
        case Word(text) | Phrase(text):
            key = sought(text).key
            if key in LANGUAGES and sought(text).exact_only:
                yield from _hidden_languages(known)
            yield from _about_place(known, text)


def _is_short(leaf: Leaf | Not) -> bool:
    if not isinstance(leaf, Word | Phrase) or not sought(leaf.text).exact_only:
        return False
    key = sought(leaf.text).key
    if (key in SPOKEN and isinstance(leaf, Word)) or word_read_as(leaf.text):
        return False
    return len(key) <= 2 and key.isalnum() and key not in LANGUAGES


def _exactly(known: Known, blamed: Sequence[Leaf | Not]) -> str:
    """Stored skills that a reader may take for the asked ones, in one sentence."""
    near: dict[str, None] = {}
    for leaf in blamed:
        key = ""
        if isinstance(leaf, Qualified) and leaf.key == "skill":
            key = skill_key(leaf.value)
        elif isinstance(leaf, Word | Phrase) and sought(leaf.text).key in LANGUAGES:
            key = sought(leaf.text).key if sought(leaf.text).exact_only else ""
        if key and "," not in key and key not in known.skills.places:
            near |= dict.fromkeys(_near_keys(known, key))
    if not near:
        return ""
    shown = list(near)[:MOST]
    others = "are other skills" if len(shown) > 1 else "is another skill"
    return f"Only this exact skill counts: {_series(shown)} {others}."


def _about_skill(known: Known, key: str, leaf: Qualified) -> Iterator[str]:
    if leaf.comparison:
        look = known.where.look
        people = known.count(Qualified("skill", leaf.value))
        scores = look.scores(key)
        lowest, highest = min(scores, default=None), max(scores, default=None)
        if people:
            at = (
                "without a readable score"
                if highest is None
                else f"with score {highest}"
                if lowest == highest
                else f"with scores from {lowest} to {highest}"
            )
            yield f"{_amount(people)} {_verb(people, 'list')} {key} {at}."
            return
    if key in LANGUAGES:
        yield from _hidden_languages(known)


def _near_keys(known: Known, key: str) -> list[str]:
    letters = "".join(each for each in key if each.isalnum())
    words = set(tokens(key))
    near = []
    for other, its_words in zip(known.skills.all, known.skills.tokens, strict=True):
        if is_exact_only(key):
            plain = "".join(each for each in other if each.isalnum())
            alike = letters in plain or len(plain) == len(letters) == 1
            close = plain == letters or (key == letters and len(plain) <= 3 and alike)
        else:
            close = not words.isdisjoint(its_words)
        if close and other != key:
            near.append(other)
    return [each.upper() if len(each) <= 3 else each for each in near[:3]]


def _hidden_languages(known: Known) -> Iterator[str]:
    shown = known.where.look.shown("languages")
    hiding = sorted((int(value) for value, _doc in shown), reverse=True)
    if not hiding:
        return
    everybody = known.count(None)
    all_of = "Both" if everybody == 2 else f"All {everybody:,}"
    who = f"{all_of} pages" if len(hiding) == everybody > 1 else _amount(len(hiding), "page")
    several = len(hiding) > 1
    counts = f" ({_series([str(each) for each in hiding])})" if len(hiding) <= 3 else ""
    count, name = ("count", "name") if several else ("counts", "names")
    yield f"{who} {count} programming languages{counts} but {name} none: it may be among them."


def _about_similar(known: Known, value: str) -> Iterator[str]:
    them = likenesses(known.where.look, value)
    if not them:
        yield (
            f"Nobody here is called “{value}”, or no skills of theirs are listed: similar: "
            "takes the name, the login or the id of somebody who is stored."
        )
    for each in them[:1]:
        telling = ", ".join(list(each.weights)[:MOST])
        yield f"The skills of {each.name} that tell most are {telling}: hardly anybody shares them."


def _about_place(known: Known, text: str) -> Iterator[str]:
    """Pages whose country and city contradict each other, where either is what was asked."""
    parts = [part.strip() for part in text.split(",") if tokens(part)]
    last = parts[-1] if parts else text
    country = country_named(last) or country_of_code(last) or ""
    names = place_names(last) | (place_names(country) if country else frozenset())
    look = known.where.look
    unclear = look.visible & look.beginning("unclear", "")
    said = look.having("unclear", names)
    stated = _places(known, unclear & said)
    if stated:
        pages = f"{_amount(len(stated), 'page')} {_verb(len(stated), 'say')} “{stated[0][1]}”"
        if len(stated) > 1:
            yield f"{pages} with a city elsewhere, so I do not count them."
        else:
            city = f" ({stated[0][0]})" if stated[0][0] else ""
            yield f"{pages}, but the city{city} is elsewhere, so I do not count it."
    if country:
        inside = [
            (city, other)
            for city, other in _places(known, unclear & ~said)
            if country in countries_of(city)
        ]
        if inside:
            names_it = f"“{inside[0][0]}, {inside[0][1]}”"
            name = _verb(len(inside), "name")
            it = "it" if len(inside) == 1 else "them"
            such = names_it if len(inside) == 1 else f"such as {names_it}"
            yield (
                f"{_amount(len(inside), 'page')} {name} a city there but another country "
                f"({such}), so I do not count {it}."
            )


def _places(known: Known, among: Mask) -> list[tuple[str, str]]:
    """(city, stated country) of the pages, as they state them."""
    look = known.where.look
    documents = look.column(col(ProfileRow.document), np.flatnonzero(among)[:MOST_CONTRADICTED])
    return [
        ((document.get("location") or {}).get("city") or "", document.get("stated_country") or "")
        for _doc, document in sorted(documents.items())
    ]


def _about_numbers(known: Known, leaf: Qualified) -> Iterator[str]:
    if leaf.key in _MOMENTS:
        yield from _about_moments(known, *_MOMENTS[leaf.key])
    else:
        yield from _about_years(known, leaf)


def _about_years(known: Known, leaf: Qualified) -> Iterator[str]:
    column = "years_coding" if leaf.key == "years" else "years_employed"
    stated = _stated(known, column)
    least, most = (int(stated.min()), int(stated.max())) if len(stated) else (None, None)
    what = "of coding" if leaf.key == "years" else "employed"
    if most is None:
        yield f"No page says how many years {what}."
    elif leaf.comparison in (">", ">="):
        yield f"The most years {what} on any page: {most}."
    elif leaf.comparison in ("<", "<="):
        yield f"The fewest years {what} on any page: {least}."
    else:
        span = f"all {most}" if least == most else f"{least} to {most}"
        yield f"The years {what} on the pages: {span}."


def _about_moments(known: Known, column: str, what: str) -> Iterator[str]:
    stated = _stated(known, column)
    if len(stated):
        ends = [as_instant(each) for each in (stated.min(), stated.max())]
        told = [told_day(each.date(), known.where.now.year) for each in ends]
        days = f"on {told[0]}" if told[0] == told[1] else f"from {told[0]} to {told[1]}"
        yield f"Everybody here was {what} {days}."


def _stated(known: Known, column: str) -> Numbers:
    """What those who may be shown state."""
    numbers = known.where.look.numbers(column)[known.where.look.visible]
    return numbers[~np.isnan(numbers)]


def _about_company(known: Known, value: str) -> Iterator[str]:
    look = known.where.look
    mentioned = look.visible & facts.text_names(look, sought(value).company_forms)
    amount = int(mentioned.sum())
    if amount:
        first = by_name(look, mentioned, 3)
        known_by = look.column(col(ProfileRow.name), np.array(first))
        names = [known_by[doc] for doc in first]
        more = f" and {amount - len(names):,} more" if amount > len(names) else ""
        yield (
            f"Nobody gives {value} as the current company, but it is mentioned on the page of "
            f"{', '.join(names)}{more}."
        )


def _amount(number: int, noun: str = "") -> str:
    if noun:
        return f"One {noun}" if number == 1 else f"{number:,} {noun}s"
    return "One person" if number == 1 else f"{number:,} people"


def _verb(number: int, verb: str) -> str:
    if number != 1:
        return verb
    return "does" if verb == "do" else f"{verb}s"


def _series(items: list[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"
