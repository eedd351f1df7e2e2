"""People found, each with why; and several people of one name to choose between."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from bot.answers import ChoiceAnswer, ResultsAnswer
from handlers.views.card import Setting, contradicted, headline, open_button, place
from handlers.views.career import login
from handlers.views.dates import day
from handlers.views.escaping import shorten
from handlers.views.message import (
    VALUE,
    Actions,
    Button,
    Context,
    Message,
    Part,
    Section,
    compose,
)
from handlers.views.standing import standing_lines, touch_lines
from handlers.views.text import Bold, Code, Either, Italic, Line, join, line, plain
from handlers.views.typed import asking
from storage.records import Candidate
from storage.search.values import Hit

NEXT, PREVIOUS = "candidate.page.next", "candidate.page.previous"
REFINE = "candidate.refine"
NARROW = 50
"""Characters of questions that are offered to narrow one down."""
WHY = 400
"""Characters of reasons shown for a person."""


def results(answer: ResultsAnswer, setting: Setting) -> Message:
    """One page of people, the order explained, and buttons for the other pages."""
    parts: list[Part] = [Section([heading(answer, setting)])]
    parts += _people(answer, setting)
    order = join([answer.order, *_pages_left_out(answer)], " ")
    parts.append(Context([each for each in (order, *_narrower(answer)) if each]))
    parts.append(Context([_page_at_terminal(answer)]))
    parts.append(Actions([*_refine(answer), *_back(answer)]))
    parts.append(Actions(_pages(answer)))
    return compose(parts)


def _people(answer: ResultsAnswer, setting: Setting) -> Iterator[Part]:
    """The people; above those who match equally well their ranks, where there are several bands."""
    bands = answer.bands if len(set(answer.bands)) > 1 or answer.offset else ()
    told = None
    for at, hit in enumerate(answer.hits):
        band = bands[at] if bands else None
        if band != told and band is not None:
            yield Context([line(Italic(_band(*band)))])
        told = band
        yield _person(hit, setting)


def _band(first: int, last: int) -> str:
    if first == last:
        return f"Rank {first:,}"
    between = "and" if last == first + 1 else "to"
    return f"Ranks {first:,} {between} {last:,} match equally well"


def heading(answer: ResultsAnswer, setting: Setting) -> Line:
    """``2 people with skill cuda``, with the page's place when there are several."""
    phrase = stretch(answer.since, setting) if answer.since is not None else answer.phrase
    parts = line(Bold(people(answer.total)), f" {phrase}" if phrase else None)
    if answer.total <= answer.limit:
        return parts
    last = answer.offset + len(answer.hits)
    return line(parts, " ", Italic(f"({answer.offset + 1}–{last})"))


def stretch(since: datetime, setting: Setting) -> str:
    """``added in the last 7 days, since Tue 24 Nov``."""
    days = (setting.now - since).days
    if days < 2:
        return "added since yesterday" if days else "added today"
    told = day(since, now=setting.now, zone=setting.zone)
    return f"added in the last {days} days, since {told}"


def choice(answer: ChoiceAnswer, setting: Setting) -> Message:
    """Several people of that name, told apart by place, company and login."""
    asked = answer.taken_for or answer.query
    parts: list[Part] = []
    if answer.taken_for:
        parts.append(Context([taken_for(answer.taken_for, answer.query)]))
    parts.append(
        Section([line(Bold(people(len(answer.hits))), " could be ", Bold(asked), ". Which one?")])
    )
    parts += [
        Section(
            [line(Bold(hit.candidate.profile.name)), _apart(hit.candidate, setting)],
            open_button(hit.candidate.id),
        )
        for hit in answer.hits
    ]
    if answer.also:
        parts.append(Context([read_alike(answer.also)]))
    parts.append(
        Context([line("Add a word to tell them apart, such as ", Code(f"{asked} {_word(answer)}"))])
    )
    return compose(parts)


def read_alike(also: Sequence[Hit]) -> Line:
    """Others whose names in another script read as the one asked for, each as a question."""
    names = dict.fromkeys(hit.candidate.profile.name for hit in also)
    return line("Also here, read the same in Latin letters: ", join(map(to_ask, names), ", "))


def taken_for(name: str, asked: str) -> Line:
    """What a mistyped name was read as, and how to search for what was typed."""
    typed = asked.replace('"', "")
    return line(
        "I took that for ",
        Bold(name),
        ". To search for exactly what you typed: ",
        Code(f'"{typed}"'),
    )


def to_ask(query: str) -> Either:
    """A question as it is typed; at a terminal with the command that asks it."""
    return Either(Code(query), Code(f"/candidate {query}"))


def people(number: int) -> str:
    return "1 person" if number == 1 else f"{number:,} people"


def _narrower(answer: ResultsAnswer) -> list[Line]:
    """Questions that find fewer people, on a line of their own: as many as one line holds.

    Where buttons refine the result they are for a terminal alone.
    """
    shown: list[str] = []
    for query in answer.narrow[:3]:
        if shown and len(", ".join([*shown, query])) > NARROW:
            break
        shown.append(query)
    codes = join([to_ask(query) for query in shown], " or ")
    if not shown:
        return []
    if not _refine(answer):
        return [line("To narrow it down: ", codes)]
    typed = [Either("", piece) for piece in codes]
    return [line(Either("Narrow it down:", "To narrow it down: "), *typed)]


def _refine(answer: ResultsAnswer) -> list[Button]:
    """``skill:llvm · 34``: the same question with one condition more, in place of this answer."""
    return [
        Button(text=f"{each.lead} · {each.count:,}", action=f"{REFINE}.{number}", value=each.query)
        for number, each in enumerate(answer.refine)
        if len(each.query) <= VALUE
    ]


def _back(answer: ResultsAnswer) -> list[Button]:
    """``Without skill:llvm``: the way back from a refined question, in place of its answer."""
    if answer.broader is None or not 0 < len(answer.broader[1]) <= VALUE:
        return []
    part, query = answer.broader
    return [Button(text=f"Without {part}", action=f"{REFINE}.back", value=query)]


def _person(hit: Hit, setting: Setting) -> Section:
    why = shorten(" · ".join(text.rstrip(".") for text in hit.why), WHY)
    candidate = hit.candidate
    return Section(
        [
            _headline(candidate),
            *([line(why)] if why else []),
            *standing_lines(candidate, setting, reasons=False),
            *touch_lines(candidate, setting),
        ],
        open_button(candidate.id),
    )


def _headline(candidate: Candidate) -> Line:
    """Name, work and city; a city whose stated country contradicts it is marked."""
    location = candidate.profile.location
    if location is None or not contradicted(location):
        return headline(candidate)
    return line(headline(candidate), " ", Italic("(country unclear)"))


def _apart(candidate: Candidate, setting: Setting) -> Line:
    """Place, work, login; when these are few, the day they were added."""
    profile = candidate.profile
    work = " at ".join(filter(None, (profile.title, profile.company))) or profile.headline or ""
    facts = [fact for fact in (place(profile), line(work), line(login(profile))) if plain(fact)]
    if len(facts) < 2:
        repositories = [each.repository for each in profile.contributions[:2]]
        facts += [line(f"worked on {', '.join(repositories)}")] if repositories else []
        facts.append(line(f"added {day(candidate.added_at, now=setting.now, zone=setting.zone)}"))
    return join(facts)


def _word(answer: ChoiceAnswer) -> str:
    """A word that only some of these people have: a city or a company, else a placeholder."""
    for hit in answer.hits:
        profile = hit.candidate.profile
        for text in (profile.location and profile.location.city, profile.company):
            if text:
                return text.lower() if " " not in text else f'"{text.lower()}"'
    return "CITY"


def _page_at_terminal(answer: ResultsAnswer) -> Line:
    """Which page this is and how to ask for the next: a terminal has no buttons."""
    if answer.total <= answer.limit:
        return ()
    page, pages = answer.offset // answer.limit + 1, -(-answer.total // answer.limit)
    told = f"Page {page:,} of {pages:,}."
    if page < pages:
        told += f" More: add --page {page + 1}, as in {asking(answer.query, page=page + 1)}"
    return line(Either("", told))


def _pages(answer: ResultsAnswer) -> list[Button]:
    buttons = []
    for text, action, offset in (
        ("Previous", PREVIOUS, answer.previous_offset),
        ("Next", NEXT, answer.next_offset),
    ):
        value = f"{offset} {answer.query}"
        if offset is not None and len(value) <= VALUE:
            buttons.append(Button(text=text, action=action, value=value))
    return buttons


def _pages_left_out(answer: ResultsAnswer) -> list[Line]:
    """A question too long for a button says that it shows only its first people."""
    if answer.next_offset is not None and len(f"{answer.next_offset} {answer.query}") > VALUE:
        told = "This question is too long to page through: leave some words out to see the rest."
        return [line(Either(told))]
    return []
