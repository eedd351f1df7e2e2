"""A question becomes an answer.

In this order, so that neither a name nor a word is swallowed by the other:

1. the whole text names people exactly or by whole tokens of their names (in any
   order, or a Han name read aloud), a login or a link → a card, or a choice when several;
2. words that match a skill, place, company, school, repository or role → results;
3. the text is the beginning of names, or initials → a card or a choice;
4. words that match the profiles' text → results;
5. the text is a mistyped name → a card that says what it was taken for;
6. nothing, with the part that matched nobody and what dropping it gives.

Quotes, brackets and qualifiers ask for a search: then names are not looked at.

Before that, what is only said around a question (``bot.talk``) is set aside where the text
as it stands names nobody: see ``spoken``. Where no facts bear the words as they stand, a text
that says how they belong together is read as conditions (``bot.plain_words``).
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta

import regex

from bot import talk
from bot.answers import (
    Answer,
    CardAnswer,
    ChoiceAnswer,
    DoneAnswer,
    ErrorAnswer,
    HelpAnswer,
    NothingAnswer,
    ResultsAnswer,
)
from bot.days_said import says_days
from bot.plain_words import Reading, names_a_trade, read
from storage.search.ranking import NAMED
from storage.search.suggesting import MEANT
from storage.search.tree import QueryError
from storage.search.unwrap import unwrap
from storage.search.values import Hit, NameMatches, NameTier, SearchPage
from storage.search.vocabulary import Vocabulary
from storage.store import Store
from storage.uses import is_hidden

PAGE = 10
LONGEST = 1_000
"""Characters of a question: it has to fit into a button that pages through its results."""

EVERYBODY = "sort:name"
NO_CONTACT = (
    "I show no contact details and write to nobody. The card says who this is and where they work."
)
_INITIAL_A = regex.compile(r"(?<!\S)a\.?(?!\S)", regex.IGNORECASE)
"""An initial that a search would pass over as a little word."""
_JOINS = regex.compile(r"\b(?:or|not|without|except)\b", regex.IGNORECASE)
_RELATIVE = regex.compile(
    r"\b(?:who|that|which|not (?:at|in|from)|without|except)\b", regex.IGNORECASE
)
_PLACED = regex.compile(r"\b(?:in|at|from|with|who)\b|\b\w+(?:ers|eers)\b", regex.IGNORECASE)
"""Little words that say how the others belong together, and what people do."""
_ID = regex.compile(r"[0-9a-hjkmnp-tv-z]{12}")
"""What ids look like (``storage.identity.public_id``)."""
_SEARCH_ONLY = regex.compile(r"[\"()]|(?:^|\s)-\S|[<>=]|(?<![/\w])\w+:(?!//)")


def ask(store: Store, text: str, *, now: datetime, offset: int = 0, hidden: bool = False) -> Answer:
    """Answer a question, as typed after ``/candidate``; see the module for the order.

    Days, those of ``added`` and of the reasons, are days of the zone that ``now`` is in, so one
    question in one zone always means the same. ``offset`` pages through results; with ``hidden``
    a count says too how many are kept and shown to nobody. Raises QueryError (a BotError) when the
    text cannot be read as a search.
    """
    text = unwrap(text)
    if len(text) > LONGEST:
        return ErrorAnswer(
            query=text[:LONGEST],
            text=f"That question has {len(text):,} characters, and I read at most {LONGEST:,}. "
            "Keep the words that matter most and ask again.",
        )
    with store.at_one_moment():
        if not text:
            return help_answer(store, "", now=now)
        if offset:
            return searched(store, text, now=now, offset=offset)
        if _ID.fullmatch(text) and (one := store.candidate(text)) and not is_hidden(one):
            return CardAnswer(query=text, hit=Hit(candidate=one, score=None, why=()))
        return spoken(store, text, now=now, hidden=hidden)


def spoken(store: Store, text: str, *, now: datetime, hidden: bool = False) -> Answer:
    """The answer to a text that may be said as to a colleague.

    Who is named exactly comes first. Then, of the text as it stands and of what is left of it
    without openers and little words, the first that facts answer; else what only texts or a
    mistyped name answer. Openers that are hardly ever sought are set aside before the rest.
    """
    if not _SEARCH_ONLY.search(text):
        names = store.named(text)
        nothing_more = _is_only_an_opener(text)
        if names.tier <= (NameTier.TOKENS if nothing_more else NameTier.READ):
            if not _is_letter(text):
                return named(text, names)
        elif nothing_more or talk.about_the_bot(text):
            return help_answer(store, "", now=now)
        if talk.about_adding(text):
            return help_answer(store, "add", now=now)
        if card := _to_reach(store, text):
            return card
    said = talk.heard(text)
    tried = _tried(store, readings(text, said), now=now)
    strong = _sensibly(store, text, said, now=now) or next(filter(_is_strong, tried), None)
    if strong is None and talk.about_everybody(text) and talk.asks_how_many(text):
        return _counted(store, text, hidden=hidden)
    return strong or _loosely(store, text, said, tried, now=now)


def _meant(
    store: Store, text: str, tried: Sequence[Answer], *, now: datetime
) -> ResultsAnswer | NothingAnswer | None:
    """The answer to plain words that say how they belong together: see ``bot.plain_words``.

    One that finds nobody is given only where the text as it stands finds nobody either.
    """
    reading = _read_plainly(store, text, now=now)
    if reading is None:
        return None
    found = searched(store, reading.query, now=now)
    if isinstance(found, NothingAnswer) and (softer := reading.softened()):
        nearest = searched(store, softer.query, now=now)
        if isinstance(nearest, ResultsAnswer):
            return replace(nearest, notes=softer.notes)
    if isinstance(found, NothingAnswer) and any(
        not isinstance(each, NothingAnswer) for each in tried
    ):
        return None
    return replace(found, notes=reading.notes)


def _sensibly(
    store: Store, text: str, said: talk.Said | None, *, now: datetime
) -> ResultsAnswer | NothingAnswer | None:
    """Whom a sentence finds that its words alone would say wrongly, all of them understood.

    One with "or" or "not" in it: the grammar would join the words beside them first, which in a
    sentence is never meant (``somebody in oslo or malmö who knows rust``). And one that calls
    people by a skill such as C: prose cannot carry it, so as words it would find who happens
    to be titled so. One that says when people were added is answered by that, if by nobody:
    its words alone would find who was here before.
    """
    sentence = said is not None or _RELATIVE.search(text) or _PLACED.search(text)
    joins = bool(_JOINS.search(text) and sentence)
    dated = says_days(text)
    if not (joins or dated or names_a_trade(text)):
        return None
    reading = _read_plainly(store, text, now=now)
    if reading is None or reading.left_out or reading.plain:
        return None
    if not (reading.exact or reading.dated or (joins and reading.structured)):
        return None
    found = searched(store, reading.query, now=now)
    known = isinstance(found, ResultsAnswer) or reading.dated
    return replace(found, notes=reading.notes) if known else None


def _read_plainly(store: Store, text: str, *, now: datetime) -> Reading | None:
    """What the words of a text that is no typed query say together."""
    if _SEARCH_ONLY.search(text):
        return None

    def look(phrases: Sequence[str], words: Sequence[str]) -> Vocabulary:
        return store.vocabulary(phrases, words, now=now)

    reading = read(text, look, now=now)
    return reading if reading is not None and _says_more(reading) else None


def _says_more(reading: Reading) -> bool:
    """Whether it says more of its words than which they are."""
    return reading.structured or reading.trade or bool(reading.number)


def _loosely(
    store: Store, text: str, said: talk.Said | None, tried: list[Answer], *, now: datetime
) -> Answer:
    """The answer where no fact bears any of the readings."""
    if talk.about_everybody(text):
        return everybody(store, now=now)
    if said and not said.bare:
        return help_answer(store, "", now=now)
    if meant := _meant(store, text, tried, now=now):
        return meant
    if not any(isinstance(each, ResultsAnswer) for each in tried):
        words = talk.without_chatter(said.bare if said else text)
        if words.lower() != text.lower() and not _SEARCH_ONLY.search(text):
            fewer = _tried(store, [words], now=now)
            tried += [each for each in fewer if said or not isinstance(each, NothingAnswer)]
    if not tried:
        return _read(store, text, now=now)  # it raises what is wrong with the text
    answered = (each for each in tried if not isinstance(each, NothingAnswer))
    return next(answered, None) or _mistyped(store, text, tried[-1], now=now)


def _mistyped(store: Store, text: str, nobody: Answer, *, now: datetime) -> Answer:
    """Where a word may be a typing mistake for a stored one, whom that finds; else nobody.

    As with a mistyped name it is said what the word was taken for. A typed query is not
    changed: there the suggestion stands as a button.
    """
    if not isinstance(nobody, NothingAnswer) or _SEARCH_ONLY.search(text):
        return nobody
    meant = next((each for each in nobody.suggestions if each.lead == MEANT), None)
    found = searched(store, meant.query, now=now) if meant else nobody
    if meant is None or not isinstance(found, ResultsAnswer):
        return nobody
    note = f"Nobody matches “{text}”, so I took it for `/candidate {meant.query}`."
    return replace(found, notes=(note,))


def readings(text: str, said: talk.Said | None) -> list[str]:
    """What the text may ask for, the likeliest first."""
    if said is None:
        return [text]
    return list(dict.fromkeys([*([said.rest] if said.certain else []), text, said.bare]))


def _read(store: Store, text: str, *, now: datetime) -> Answer:
    if _SEARCH_ONLY.search(text):
        return searched(store, text, now=now)
    return names_or_words(store, text, now=now)


def _tried(store: Store, texts: Sequence[str], *, now: datetime) -> list[Answer]:
    """The answers to these readings, without those that cannot be read as a question."""
    found = []
    for text in texts:
        if not text:
            continue
        with suppress(QueryError):
            found.append(_read(store, text, now=now))
    return found


def _is_strong(found: Answer) -> bool:
    """Whether people bear what was asked, and no typo had to be read."""
    match found:
        case CardAnswer(taken_for=taken) | ChoiceAnswer(taken_for=taken):
            return taken is None
        case ResultsAnswer(hits=hits):
            return bool(hits) and (hits[0].score or 0.0) >= NAMED
        case _:
            return False


def _to_reach(store: Store, text: str) -> CardAnswer | None:
    """The card of somebody who is to be written to, with what this bot cannot do."""
    who = talk.whom_to_reach(text)
    names = store.named(who) if who else None
    if names is None or len(names.hits) != 1 or names.tier > NameTier.PREFIX:
        return None
    return CardAnswer(query=who or text, hit=names.hits[0], note=NO_CONTACT)


def _counted(store: Store, text: str, *, hidden: bool) -> DoneAnswer:
    number, more = store.count(), store.count_hidden() if hidden else 0
    told = "1 person can be found." if number == 1 else f"{number:,} people can be found."
    if more:
        told += f" {more:,} more {'is' if more == 1 else 'are'} kept and shown to nobody."
    if number:
        told += f" `/candidate everyone` lists {'who can be found' if more else 'them'}."
    return DoneAnswer(query=text, text=told)


def everybody(store: Store, *, now: datetime) -> Answer:
    """All who are stored, by name."""
    page = store.search(EVERYBODY, limit=PAGE, offset=0, now=now)
    return results(page) if page.total else nothing(store, EVERYBODY, page)


def names_or_words(store: Store, text: str, *, now: datetime) -> Answer:
    """Steps 1 to 6 for a text that may be either."""
    names = store.named(text)
    if names.tier <= NameTier.READ and not _is_letter(text):
        return named(text, names)
    if names.tier is NameTier.INITIALS and _INITIAL_A.search(text):
        return named(text, names)
    page = store.search(text, limit=PAGE, offset=0, now=now)
    if page.total and (matches_facts(page) or names.tier > NameTier.ALOUD):
        return results(page)
    if names.hits:
        return named(text, names)
    return nothing(store, text, page)


def _is_only_an_opener(text: str) -> bool:
    """``show me`` asks for help, and is no name that is written in two words."""
    said = talk.heard(text)
    return said is not None and not said.bare and not talk.about_everybody(text)


def _is_letter(text: str) -> bool:
    """Whether it is a skill's name (C, R) before it is a part of anybody's."""
    return len(text.strip(". ")) == 1 and text.isascii()


def searched(
    store: Store, text: str, *, now: datetime, offset: int = 0
) -> ResultsAnswer | NothingAnswer:
    """The text as a search, whatever it names."""
    page = store.search(text, limit=PAGE, offset=offset, now=now)
    if offset and page.total and not page.hits:  # people were removed since the button was made
        page = store.search(text, limit=PAGE, offset=0, now=now)
    return results(page) if page.total else nothing(store, text, page)


def named(text: str, names: NameMatches) -> CardAnswer | ChoiceAnswer:
    """The people whom the text names: a card when it is one."""
    if len(names.hits) == 1:
        return CardAnswer(query=text, hit=names.hits[0], taken_for=names.taken_for, also=names.also)
    return ChoiceAnswer(query=text, hits=names.hits, taken_for=names.taken_for, also=names.also)


def results(page: SearchPage) -> ResultsAnswer:
    return ResultsAnswer(
        query=page.query,
        phrase=page.phrase,
        total=page.total,
        offset=page.offset,
        limit=page.limit,
        hits=page.hits,
        order=page.order,
        narrow=page.narrow,
        about=page.about,
        bands=page.bands,
        refine=page.refine,
    )


def nothing(store: Store, text: str, page: SearchPage) -> NothingAnswer:
    return NothingAnswer(
        query=page.query,
        asked=text,
        sentence=page.nobody,
        stored=store.count(),
        clauses=page.clauses,
        hints=page.hints,
        suggestions=page.suggestions,
        about=page.about,
    )


def matches_facts(page: SearchPage) -> bool:
    """Whether the best hit bears what was asked for, rather than its text mentioning it.

    A part that a fact bears has a strength of 1 or more, one that only contributions or
    text carry less (see ``storage.search.ranking``); the score is their product.
    """
    return bool(page.hits) and (page.hits[0].score or 0.0) >= NAMED


def help_answer(store: Store, topic: str, *, now: datetime) -> HelpAnswer:
    """Help made of questions that work on who is stored."""
    return HelpAnswer(topic=topic, stored=store.count(), examples=store.known_examples(now))


def newcomers(store: Store, *, now: datetime, days: int = 7, offset: int = 0) -> Answer:
    """People added during the last ``days`` days, the newest first."""
    since = now - timedelta(days=days)
    query = f"added>={since.date().isoformat()} sort:-added"
    page = store.search(query, limit=PAGE, offset=offset, now=now)
    if not page.total:
        stretch = {0: "today", 1: "since yesterday", 7: "this week"}.get(days, f"in {days} days")
        return replace(nothing(store, "new", page), sentence=f"Nobody was added {stretch}.")
    return replace(results(page), since=since, order="The newest first.", narrow=(), refine=())
