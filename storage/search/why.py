"""Why a person was found: short sentences, each of which can be checked on the page.

Reasons are read from the profile itself by the same forms that SQL looked for
(``sought``), so a part that did not match gives none.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime
from itertools import groupby, islice
from typing import Final

from storage.records import Candidate, Contribution, Profile
from storage.search.absence import added, changed, lacking, placed, years
from storage.search.compile import Run, joined, run_text
from storage.search.facts import SHORTEST_READING
from storage.search.folding import fold, tokens
from storage.search.holdings import HOLDINGS, holding
from storage.search.index import column_words, encoded
from storage.search.reading import pieces, readings, romanised
from storage.search.similar import LEAST, Likeness
from storage.search.skills import FoldedSkill, is_exact_only, skill_key
from storage.search.sought import (
    Sought,
    Words,
    index_phrase,
    location_readings,
    names_repository,
    place_names,
    repository_key,
    sought,
)
from storage.search.synonyms import folded, region
from storage.search.texts import Field, Texts
from storage.search.tree import (
    And,
    Leaf,
    Node,
    Not,
    Or,
    Phrase,
    Qualified,
    Question,
    Word,
    clauses,
    leaves,
)
from storage.search.wording import in_words

MOST: Final = 6
"""Sentences for one person."""
MOST_OF_A_PART: Final = 2
MOST_SHARED: Final = 6
"""Skills named of those that somebody shares with another."""


def reasons(
    question: Question,
    names: frozenset[str],
    candidate: Candidate,
    texts: Texts,
    now: datetime,
    like: Sequence[Likeness] = (),
) -> tuple[str, ...]:
    """Why ``candidate`` matches, whose ``texts`` these are, made for ``now``.

    ``names`` are the runs of words that are one name, ``like`` whom ``similar:`` means.
    """
    where = question.where
    found = [] if where is None else list(_of_node(where, names, candidate, texts))
    found += [said for each in like for said in _of_likeness(each, texts)]
    if question.nice is not None:
        found += _of_node(question.nice, names, candidate, texts)
    found += [
        said for part in clauses(where) for said in _of_exclusion(part, candidate, texts, now)
    ]
    found += [said for order in question.orders for said in placed(order, candidate, now)]
    said_with_more = {said.partition(" (asked: ")[0] for said in found if " (asked: " in said}
    return tuple(
        islice((said for said in dict.fromkeys(found) if said not in said_with_more), MOST)
    )


def month(text: str | None) -> str:
    """``2021-03`` as people write it; empty when unknown.

    >>> month("2021-03")
    'Mar 2021'
    """
    if not text:
        return ""
    return date(int(text[:4]), int(text[5:7]), 1).strftime("%b %Y")


def _of_node(
    node: Node | Run, names: frozenset[str], candidate: Candidate, texts: Texts
) -> Iterator[str]:
    match node:
        case And(parts):
            items = joined(parts, names)
            for together, group in groupby(items, key=_is_bare):
                if together:
                    yield from _of_words([_words(item) for item in group], texts)
                else:
                    for item in group:
                        yield from _of_node(item, names, candidate, texts)
        case Or(parts):
            for part in parts:
                yield from _of_node(part, names, candidate, texts)
        case Not():
            return
        case Word() | Phrase() | Qualified():
            yield from islice(_of_leaf(node, candidate, texts), MOST_OF_A_PART)
        case _:
            yield from _of_words([node], texts)


def _of_exclusion(part: Node, candidate: Candidate, texts: Texts, now: datetime) -> Iterator[str]:
    """What is lacking; of what is excluded only together some may be there."""
    if not isinstance(part, Not):
        return
    for leaf, asked in leaves(part.part):
        there: list[str] = []
        if isinstance(part.part, And) and not (isinstance(leaf, Qualified) and leaf.comparison):
            there = list(islice(_of_leaf(leaf, candidate, texts), MOST_OF_A_PART))
        if not asked:
            yield from there
        elif not there:
            yield from lacking(leaf, candidate, now)


def _of_likeness(like: Likeness, texts: Texts) -> Iterator[str]:
    """The skills that both list, the most telling first, and what they come to."""
    listed = {skill.key: skill for skill in texts.skills}
    shared = [key for key in like.weights if key in listed]
    share = sum(like.weights[key] for key in shared) / sum(like.weights.values())
    if share < LEAST:
        return
    names = ", ".join(listed[key].name for key in shared[:MOST_SHARED])
    more = f" and {len(shared) - MOST_SHARED} more" if len(shared) > MOST_SHARED else ""
    yield f"{share:.0%} like {like.name}: both list {names}{more}"


def _is_bare(item: Node | Run) -> bool:
    return isinstance(item, Word | tuple)


def _words(item: Node | Run) -> Run:
    return item if isinstance(item, tuple) else (item,) if isinstance(item, Word) else ()


def _of_words(items: list[Run], texts: Texts) -> Iterator[str]:
    """Bare words side by side: what is named so, then the words as they stand on the page.

    Words that stand on the page as they were typed say more than each alone.
    """
    unnamed: list[Word] = []
    for item in items:
        named = list(islice(_named(sought(run_text(item)), texts), MOST_OF_A_PART))
        if not named and len(item) > 1:
            each = [list(islice(_named(sought(word.text), texts), 1)) for word in item]
            named = [sentence for sentences in each for sentence in sentences]
            unnamed += [word for word, said in zip(item, each, strict=True) if not said]
        elif not named:
            unnamed += item
        yield from named
    if not unnamed:
        return
    typed = [word.text for item in items for word in item]
    if len(typed) > 1:
        said = list(islice(_in_text(sought(" ".join(typed), loose=False), texts), MOST_OF_A_PART))
        if said:
            yield from said
            return
    for word in unnamed:
        wanted = sought(word.text)
        if not wanted.exact_only:
            yield from islice(_in_text(wanted, texts), MOST_OF_A_PART)


def _of_leaf(leaf: Leaf, candidate: Candidate, texts: Texts) -> Iterator[str]:
    match leaf:
        case Word(text):
            yield from _bare(sought(text), texts)
        case Phrase(text):
            yield from _bare(sought(text, loose=False), texts)
        case Qualified(key):
            yield from OF_QUALIFIER[key](leaf, candidate, texts)


def _bare(wanted: Sought, texts: Texts) -> Iterator[str]:
    named = list(_named(wanted, texts))
    yield from named
    if not named and not wanted.exact_only:
        yield from _in_text(wanted, texts)


def _named(wanted: Sought, texts: Texts) -> Iterator[str]:
    """What bears the very name, in the order of ``facts.named_so``."""
    profile = texts.profile
    yield from _skill(wanted, texts)
    if wanted.skill_alone:
        return
    forms = (wanted.typed,) if wanted.exact_only else wanted.forms
    yield from _place(wanted.text, profile)
    yield from _company(forms if wanted.exact_only else wanted.company_forms, profile)
    yield from _repository(wanted.repository, profile)
    yield from _school(wanted, profile)
    yield from _role(forms, profile)
    yield from _name(wanted, profile)


def _skill(wanted: Sought, texts: Texts, *, asked: str = "") -> Iterator[str]:
    skill = next((each for each in texts.skills if each.key == wanted.key), None)
    if skill is None:
        return
    few = texts.rare.get(skill.key)
    yield _listed(skill) + asked + (f" ({few})" if few else "")
    naming = texts.naming(wanted.skill_forms)
    if naming or not is_exact_only(skill.key):
        yield _named_in(naming)


def _listed(skill: FoldedSkill) -> str:
    also = "" if skill.spellings == (skill.key,) else f" ({', '.join(skill.spellings)})"
    if skill.score is None:
        return f"{skill.key} on the page, without a readable score{also}"
    return f"{skill.key} {skill.score} on the page{also}"


def _named_in(contributions: list[Contribution]) -> str:
    if not contributions:
        return "no contribution on the page mentions it"
    shown = [_dated(each) for each in contributions[:2]]
    more = f" and {len(contributions) - 2} more" if len(contributions) > 2 else ""
    return f"mentioned in {'; '.join(shown)}{more}"


def _dated(contribution: Contribution) -> str:
    when = month(contribution.to_month or contribution.from_month)
    return f"{contribution.repository}, {when}" if when else contribution.repository


def _place(text: str, profile: Profile) -> Iterator[str]:
    location, names, words = profile.location, place_names(text), tuple(tokens(text))
    if location is None or not words:
        return
    meant = region(text)
    if meant and meant.holds(location.country or location.stated_country):
        names |= meant.names
    if location.city and (
        " ".join(tokens(location.city)) in names
        or f" {index_phrase(words)} " in f" {encoded(location.city)} "
    ):
        yield f"city: {location.city}"
    if location.country and " ".join(tokens(location.country)) in names:
        yield f"country: {location.country}"


def _company(forms: Iterable[Words], profile: Profile) -> Iterator[str]:
    if profile.company and _words_in(profile.company, forms):
        yield f"company is {profile.company}"


def _repository(key: str, profile: Profile, *, words: bool = False) -> Iterator[str]:
    for contribution in profile.contributions:
        folded = contribution.repository.casefold()
        if key and (
            key in (folded, folded.rsplit("/", 1)[-1])
            or ((words or key.endswith("/")) and names_repository(key, folded))
        ):
            yield f"contributed to {_dated(contribution)}"


def _school(wanted: Sought, profile: Profile) -> Iterator[str]:
    for education in profile.education:
        said = education.school
        if said and (_words_in(said, wanted.school_forms) or folded(said) in wanted.schools):
            yield f"studied at {said}"


def _role(forms: Iterable[Words], profile: Profile, *, prefix: bool = False) -> Iterator[str]:
    forms = list(forms)
    if profile.title and _words_in(profile.title, forms, prefix=prefix):
        yield f"title is {profile.title}"
    for contribution in profile.contributions:
        if contribution.role and _words_in(contribution.role, forms, prefix=prefix):
            yield f"role {contribution.role} in {contribution.repository}"


def _name(wanted: Sought, profile: Profile) -> Iterator[str]:
    login = (profile.likely_login or "").casefold()
    read = romanised(profile.name)
    others = (*read, *readings(profile.name), *pieces(profile.name))
    parts = [each for each in others if len(each) >= SHORTEST_READING]
    mine = {*tokens(profile.name), *parts, login}
    if wanted.typed and all(word in mine for word in wanted.typed):
        if login and login in wanted.typed:
            yield f"probably {profile.likely_login} on GitHub"
        elif all(word in tokens(profile.name) for word in wanted.typed):
            yield f"name is {profile.name}"
        elif read:
            yield f"name is {profile.name} (read {' '.join(read)})"
        else:
            yield f"name is {profile.name}"


def _in_text(wanted: Sought, texts: Texts) -> Iterator[str]:
    """Where the words stand: in contributions, latest first, then elsewhere on the page."""
    for contribution, fields in texts.contributions:
        for field in fields:
            if said := _said(wanted, field):
                yield f"“{said}” in the {field.label} of {_dated(contribution)}"
                break
    for field in texts.others:
        if said := _said(wanted, field):
            where = f"skill {field.text}" if field.label == "skills" else f"the {field.label}"
            yield f"“{said}” in {where}"


def _said(wanted: Sought, field: Field) -> str:
    for form in wanted.forms:
        if field.holds(form):
            as_typed = form == wanted.typed and fold(wanted.text) in fold(field.text)
            return wanted.text if as_typed else " ".join(form)
    return ""


def _words_in(text: str, forms: Iterable[Words], *, prefix: bool = False) -> bool:
    present = column_words(text).split()
    return any(
        all(
            any(each.startswith(word) if prefix else each == word for each in present)
            for word in form
        )
        for form in forms
        if form
    )


def _of_skill(part: Qualified, _candidate: Candidate, texts: Texts) -> Iterator[str]:
    asked = f" (asked: {in_words(part)})" if part.comparison else ""
    return _skill(sought(part.value, loose=False), texts, asked=asked)


def _of_location(part: Qualified, candidate: Candidate, _texts: Texts) -> Iterator[str]:
    pieces_of = (piece.strip() for piece in part.value.split(",") if tokens(piece))
    for text in (part.value, *(each for piece in pieces_of for each in location_readings(piece))):
        yield from _place(text, candidate.profile)


def _of_company(part: Qualified, candidate: Candidate, _texts: Texts) -> Iterator[str]:
    return _company(sought(part.value).company_forms, candidate.profile)


def _of_repository(part: Qualified, candidate: Candidate, _texts: Texts) -> Iterator[str]:
    return _repository(repository_key(part.value), candidate.profile, words=True)


def _of_school(part: Qualified, candidate: Candidate, _texts: Texts) -> Iterator[str]:
    return _school(sought(part.value), candidate.profile)


def _of_role(part: Qualified, candidate: Candidate, _texts: Texts) -> Iterator[str]:
    return _role(sought(part.value).forms, candidate.profile, prefix=True)


def _of_years(part: Qualified, candidate: Candidate, _texts: Texts) -> Iterator[str]:
    yield f"{years('years', candidate.profile)} (asked: {in_words(part)})"


def _of_employed(part: Qualified, candidate: Candidate, _texts: Texts) -> Iterator[str]:
    yield f"{years('employed', candidate.profile)} (asked: {in_words(part)})"


def _of_language(part: Qualified, candidate: Candidate, texts: Texts) -> Iterator[str]:
    listed = list(_skill(sought(part.value, loose=False), texts))
    return iter(listed or list(_of_topic(part, candidate, texts)))


def _of_topic(part: Qualified, _candidate: Candidate, texts: Texts) -> Iterator[str]:
    key = skill_key(part.value)
    for contribution, _fields in texts.contributions:
        for topic in contribution.topics:
            if skill_key(topic) == key:
                yield f"{topic} is a topic of {_dated(contribution)}"
                break


def _of_changed(_part: Qualified, candidate: Candidate, texts: Texts) -> Iterator[str]:
    yield changed(candidate, texts.now)


def _of_holding(part: Qualified, candidate: Candidate, _texts: Texts) -> Iterator[str]:
    if told := HOLDINGS[holding(part.value)].told(candidate.profile):
        yield told


def _of_added(_part: Qualified, candidate: Candidate, texts: Texts) -> Iterator[str]:
    yield added(candidate, texts.now)


OF_QUALIFIER: Final[dict[str, Callable[[Qualified, Candidate, Texts], Iterator[str]]]] = {
    "skill": _of_skill,
    "lang": _of_language,
    "topic": _of_topic,
    "location": _of_location,
    "company": _of_company,
    "repo": _of_repository,
    "school": _of_school,
    "role": _of_role,
    "similar": lambda _part, _candidate, _texts: iter(()),
    "years": _of_years,
    "employed": _of_employed,
    "added": _of_added,
    "changed": _of_changed,
    "has": _of_holding,
}
"""By the key of the qualifier; of ``similar`` see ``_of_likeness``."""
