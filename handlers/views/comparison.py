"""People side by side: a paragraph a topic and a line a person, so that it reads on a phone too.

What a page does not say is no evidence: neither a no nor a zero.
"""

from collections.abc import Callable, Sequence

from bot.answers import ComparisonAnswer
from bot.comparing import Compared
from handlers.views.card import (
    OPEN,
    Setting,
    by_score,
    counts,
    experience,
    place,
    repository,
    studied,
    work,
)
from handlers.views.dates import month
from handlers.views.escaping import shorten
from handlers.views.message import Actions, Button, Context, Message, Part, Section, compose
from handlers.views.standing import standing_lines, touch_lines
from handlers.views.text import Bold, Italic, Line, join, line, plain
from storage.records import Contribution

NO_EVIDENCE = "no evidence"
SKILLS, SHARED, CONTRIBUTIONS, EDUCATION = 8, 24, 2, 2
"""How many of each stand beside a name; the card has the rest."""
LONGEST = 300
"""Characters beside a name."""

Told = Callable[[Compared], Line]


def comparison(answer: ComparisonAnswer, setting: Setting) -> Message:
    """One paragraph a topic; buttons open the cards."""
    people, shared = answer.comparison.people, answer.comparison.shared
    *most, last = (line(Bold(each.label)) for each in people)
    parts: list[Part] = [Section([line("Comparing ", join(most, ", "), " and ", last)])]
    topics: tuple[tuple[str, Told], ...] = (
        ("Work", lambda each: work(each.candidate.profile)),
        ("Place", lambda each: place(each.candidate.profile)),
        ("Experience", lambda each: experience(each.candidate.profile)),
        ("Worked on", _contributions),
        ("Other skills" if shared else "Skills", _skills),
        ("Education", _education),
        ("Newest dated fact", _newest),
    )
    if shared:
        more = f" +{len(shared) - SHARED} more" if len(shared) > SHARED else ""
        who = "Both" if len(people) == 2 else f"All {len(people)}"
        parts.append(
            Section(
                [
                    line(Bold(f"Skills that {who.lower()} list")),
                    line(", ".join(shared[:SHARED]) + more),
                ]
            )
        )
    for topic, told in topics:
        parts += _topic(topic, people, told)
    parts += _marks(people, setting)
    parts.append(
        Context([line(f"From their pages. “{NO_EVIDENCE.capitalize()}”: the page does not say.")])
    )
    parts.append(Actions([_open(each) for each in people]))
    return compose(parts)


def _topic(topic: str, people: Sequence[Compared], told: Told) -> list[Part]:
    """What is told of each; nothing where it can be told of nobody."""
    lines = [told(each) for each in people]
    if not any(plain(each).strip() for each in lines):
        return []
    return [
        Section(
            [
                line(Bold(topic)),
                *(
                    line(f"{each.label}: ", said if plain(said).strip() else Italic(NO_EVIDENCE))
                    for each, said in zip(people, lines, strict=True)
                ),
            ]
        )
    ]


def _newest(person: Compared) -> Line:
    newest = person.candidate.profile.newest_fact
    return line(month(newest)) if newest else ()


def _skills(person: Compared) -> Line:
    rows = by_score(person.skills[:SKILLS])
    told = [f"{', '.join(names)}{'' if score is None else f' {score}'}" for score, names in rows]
    more = len(person.skills) - SKILLS
    return line(" · ".join([*told, *([f"+{more} more"] if more > 0 else [])]))


def _contributions(person: Compared) -> Line:
    listed = person.candidate.profile.contributions
    told = [_contribution(each) for each in listed[:CONTRIBUTIONS]]
    more = len(listed) - CONTRIBUTIONS
    return join([*told, *([line(f"+{more} more")] if more > 0 else [])])


def _contribution(contribution: Contribution) -> Line:
    done = counts(contribution)
    return line(repository(contribution), f" ({done})" if done else None)


def _education(person: Compared) -> Line:
    told = [studied(each) for each in person.candidate.profile.education[:EDUCATION]]
    return line(shorten("; ".join(told), LONGEST))


def _marks(people: Sequence[Compared], setting: Setting) -> list[Part]:
    """Who must not be contacted, who is in touch with whom; nothing where nobody is marked."""
    lines = [
        line(f"{each.label}: ", said)
        for each in people
        for said in (
            *standing_lines(each.candidate, setting, reasons=False),
            *touch_lines(each.candidate, setting),
        )
    ]
    return [Section(lines)] if lines else []


def _open(person: Compared) -> Button:
    id_ = person.candidate.id
    return Button(text=f"Open {person.label}", action=f"{OPEN}.{id_}", value=id_)
