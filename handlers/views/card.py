"""A candidate's card: who, then proof, then skills, then what to be careful about.

Left for *More*: the summary, badges, topics, Stack Overflow, descriptions and
file names. A count that is incomplete says so beside its heading; a badge, a
school's fame or a pronoun never colours it.
"""

from collections.abc import Sequence

import regex

from bot.profiles.kinds import kind_of
from handlers.views.card_setting import Setting
from handlers.views.career import contact_note, job_lines, language_line, login
from handlers.views.dates import day, month, period
from handlers.views.escaping import one_line, shorten
from handlers.views.message import (
    Actions,
    Button,
    Context,
    Header,
    Message,
    Part,
    Section,
    compose,
)
from handlers.views.standing import current, standing_lines, touch_lines
from handlers.views.text import Bold, Code, Either, Italic, Line, Link, Mention, join, line, worded
from handlers.views.typed import PROGRAM
from storage.differing import DIFFERS
from storage.records import Candidate, Contribution, Education, Location, Profile, Severity, Use
from storage.search.skills import FoldedSkill, fold_skills
from storage.uses import allows

__all__ = ["Setting", "card", "shared_card"]

OPEN, MORE, SHARE = "candidate.open", "candidate.more", "candidate.share"
TAKE_UP, LET_GO = "candidate.touch", "candidate.leave"
CONFIRM, KEEP, WITHDRAW = "candidate.confirm", "candidate.keep", "candidate.withdraw"

CONTRIBUTIONS, SKILLS, EDUCATION, CHECKS = 3, 24, 3, 3
"""How many of each a card shows; the rest is in More."""

COUNTS = (
    ("commits", "commit", "commits"),
    ("pull_requests", "PR", "PRs"),
    ("reviews", "review", "reviews"),
    ("pushes", "push", "pushes"),
    ("branches", "branch", "branches"),
)
_REPOSITORY = regex.compile(r"[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+")


def card(
    candidate: Candidate, setting: Setting, *, notes: Sequence[Line] = (), first: Part | None = None
) -> Message:
    """The private card. ``notes`` stand above it, such as what a typo was taken for."""
    may_be_shared = setting.may_share and allows(candidate.standings, Use.SHARE)
    instead = setting.instead_of_share if may_be_shared else ""
    parts = [
        *([Context([*notes])] if notes else []),
        *([first] if first else []),
        *card_parts(candidate, setting),
        Context([line(Either("", f"The whole record: {PROGRAM} show {candidate.id}"))]),
        *([Context([worded(instead)])] if instead else []),
        Actions(_buttons(candidate, setting)),
    ]
    return compose(parts)


def _buttons(candidate: Candidate, setting: Setting) -> list[Button]:
    """Share and I'm on it only where no right, place or standing forbids them."""
    share = Button(
        text="Share in channel",
        action=f"{SHARE}.{candidate.id}",
        value=share_value(candidate.id, setting.thread),
    )
    offered = setting.may_share and not setting.instead_of_share
    offered = offered and allows(candidate.standings, Use.SHARE)
    return [
        *([share] if offered else []),
        Button(text="More", action=f"{MORE}.{candidate.id}", value=candidate.id),
        *touch_buttons(candidate, setting),
    ]


def touch_buttons(candidate: Candidate, setting: Setting) -> list[Button]:
    """``I'm on it``, or ``I'm done`` for who is."""
    value = f"{candidate.id} {setting.thread or '-'} card"
    if any(each.who == setting.viewer for each in current(candidate, setting)):
        return [let_go_button(candidate.id, value)]
    if not allows(candidate.standings, Use.CONTACT):
        return []
    return [take_up_button(candidate.id, value)]


def take_up_button(candidate_id: str, value: str) -> Button:
    """``value`` is the id, on a card followed by its thread and the word ``card``."""
    return Button(text="I'm on it", action=f"{TAKE_UP}.{candidate_id}", value=value)


def let_go_button(candidate_id: str, value: str) -> Button:
    return Button(text="I'm done", action=f"{LET_GO}.{candidate_id}", value=value)


def shared_card(candidate: Candidate, setting: Setting, *, by: str, key: str) -> Message:
    """The card as everyone in the channel sees it: it names who shared it.

    Withdraw carries the ``key`` of the claim under which the card was shared.
    """
    parts: list[Part] = [
        Context([line("Shared by ", Mention(by))]),
        *card_parts(candidate, setting),
        Actions(
            [
                Button(text="More", action=f"{MORE}.{candidate.id}", value=candidate.id),
                take_up_button(candidate.id, candidate.id),
                Button(text="Withdraw", action=f"{WITHDRAW}.{candidate.id}", value=key),
            ]
        ),
    ]
    return compose(parts, text=f"Candidate card: {candidate.profile.name}")


def card_parts(candidate: Candidate, setting: Setting) -> list[Part]:
    profile = candidate.profile
    return [
        Header(profile.name),
        Section(who_lines(profile)),
        Section([*standing_lines(candidate, setting), *touch_lines(candidate, setting)]),
        Section(job_lines(profile)),
        Section(_worked_on(profile)),
        Section(skill_lines(profile)),
        Section(_education(profile)),
        Section([each for each in (language_line(profile),) if each]),
        Context([_checks(candidate)]),
        Context([provenance(candidate, setting)]),
    ]


def open_button(candidate_id: str) -> Button:
    return Button(text="Open", action=f"{OPEN}.{candidate_id}", value=candidate_id)


def share_value(candidate_id: str, thread: str | None) -> str:
    return f"{candidate_id} {thread}" if thread else candidate_id


def who_lines(profile: Profile) -> list[Line]:
    """What they do and where; how long they have coded and been employed."""
    where = join([work(profile), place(profile)])
    return [each for each in (where, experience(profile)) if each]


def work(profile: Profile) -> Line:
    """``Engineer at *Meta*``; the headline where there is neither."""
    if profile.title and profile.company:
        return line(profile.title, " at ", Bold(profile.company))
    if profile.company:
        return line("at ", Bold(profile.company))
    return line(profile.title or profile.headline or None)


def experience(profile: Profile) -> Line:
    """``8 years coding · 2 years employed``, as far as they are stated."""
    return join(
        _count(number, f"year {what}", f"years {what}")
        for number, what in ((profile.years_coding, "coding"), (profile.years_employed, "employed"))
        if number is not None
    )


def place(profile: Profile) -> Line:
    """The place, or the city alone with a word that the country contradicts it."""
    location = profile.location
    if location is None:
        return ()
    if contradicted(location):
        return line(location.city or location.text, " ", Italic("(country unclear)"))
    return line(location.text)


def contradicted(location: Location) -> bool:
    return bool(location.city and location.stated_country and not location.country)


def headline(candidate: Candidate) -> Line:
    """One line that tells a person: name, work, city."""
    profile = candidate.profile
    return join([line(Bold(profile.name)), *headline_words(profile)])


def headline_words(profile: Profile) -> list[str]:
    """Work and city, plainly; what is not stated is left out."""
    work = " at ".join(filter(None, (profile.title, profile.company))) or profile.headline or ""
    location = profile.location
    city = (location.city or location.text) if location else ""
    return [text for text in (work, city) if text]


def _worked_on(profile: Profile) -> list[Line]:
    listed, declared = len(profile.contributions), profile.declared.contributions
    if not listed and not declared:
        return []
    incomplete = declared is not None and declared != listed
    heading = line(
        Bold("Worked on"), Italic(f" ({listed} of {declared} on the page)") if incomplete else None
    )
    if incomplete:
        heading = line(Bold("Worked on"), " ", Italic(f"({listed} of {declared} on the page)"))
    lines = [heading]
    shown = profile.contributions[:CONTRIBUTIONS]
    for each in shown:
        lines += contribution_lines(each, profile.name)
    if listed > len(shown):
        lines.append(_in_more(listed - len(shown)))
    return lines


def contribution_lines(contribution: Contribution, name: str) -> list[Line]:
    first = join(
        [line("• ", repository(contribution)), contribution.role or "", period(contribution)]
    )
    second = join([counts(contribution), contribution.span or ""])
    lines = [first]
    if second:
        lines.append(line("   ", second))
    quoted = quote(contribution.summary or "", name)
    if quoted:
        lines.append(line("   ", Italic(f"“{quoted}”")))
    return lines


def repository(contribution: Contribution) -> Link | Bold:
    """The repository, linked when its name has GitHub's shape."""
    name = contribution.repository
    if _REPOSITORY.fullmatch(name):
        return Link(f"https://github.com/{name}", name, bold=True)
    return Bold(name)


def counts(contribution: Contribution) -> str:
    """Commits, PRs, reviews, then the rest: ``4 commits, 15 PRs, 37 reviews``."""
    told = [
        _count(number, one, many)
        for field, one, many in COUNTS
        if (number := getattr(contribution, field)) is not None
    ]
    told += [f"{number:,} {what}" for what, number in contribution.other.items()]
    return ", ".join(told)


def quote(summary: str, name: str) -> str:
    """The beginning of the page's words, without the name that they begin with."""
    text = one_line(summary)
    for word in (name, *name.split()):
        text = text.removeprefix(f"{word} ")
    text = text.replace("`", "")
    return shorten(text, 90)


def skill_lines(profile: Profile) -> list[Line]:
    """The skills by score, and what was left out of them."""
    listed, declared = len(profile.skills), profile.declared.skills
    if not listed:
        return (
            [line(Bold("Skills"), " ", Italic(f"(0 of {declared} on the page)"))]
            if declared
            else []
        )
    folded = fold_skills(profile.skills)
    spelt_twice = any(len(set(skill.spellings)) > 1 for skill in folded)
    remarks = []
    if declared is not None and declared != listed:
        remarks.append(f"{listed} of {declared} on the page")
    if spelt_twice:
        remarks.append("spellings of one skill shown once")
    scored = any(skill.score is not None for skill in folded)
    remark = "; ".join(remarks) or (
        "scores out of 10, from the page" if scored else "as the document lists them"
    )
    rows = by_score(folded[:SKILLS])
    told = _score_lines(rows) if scored else [line(", ".join(rows[0][1]))]
    lines = [line(Bold("Skills"), " ", Italic(f"({remark})")), *told]
    if len(folded) > SKILLS:
        lines.append(_in_more(len(folded) - SKILLS))
    return lines


def by_score(skills: Sequence[FoldedSkill]) -> list[tuple[int | None, list[str]]]:
    """Names grouped by score, the highest first, those without a readable score last."""
    rows: dict[int | None, list[str]] = {}
    for skill in skills:
        rows.setdefault(skill.score, []).append(skill.name)
    return sorted(rows.items(), key=lambda row: -1 if row[0] is None else row[0], reverse=True)


def _score_lines(rows: list[tuple[int | None, list[str]]]) -> list[Line]:
    """The first row alone, the short ones after it side by side."""
    texts = [
        f"{'no score' if score is None else score}: {', '.join(names)}" for score, names in rows
    ]
    return [line(text) for text in (texts[0], " · ".join(texts[1:])) if text]


def studied(education: Education) -> str:
    """What and where: ``Master, Computer Science, Tianjin University``."""
    if not education.school or education.school in education.text:
        return education.text
    return f"{education.text}, {education.school}"


def _education(profile: Profile) -> list[Line]:
    entries = [studied(each) for each in profile.education]
    if not entries:
        return []
    if len(entries) == 1:
        return [line(Bold("Education"), " ", shorten(entries[0], 300))]
    lines = [line(Bold("Education"))]
    lines += [line("• ", shorten(text, 300)) for text in entries[:EDUCATION]]
    if len(entries) > EDUCATION:
        lines.append(_in_more(len(entries) - EDUCATION))
    return lines


def _checks(candidate: Candidate) -> Line:
    """What contradicts itself; between documents, with what to type to say which is right."""
    remarks = [each for each in candidate.profile.remarks if each.severity is Severity.CHECK]
    if not remarks:
        return ()
    rest = len(remarks) - CHECKS
    told = [line(shorten(each.text.rstrip("."), 200)) for each in remarks[:CHECKS]]
    if rest > 0:
        told.append(_in_more(rest))
    if any(each.code.startswith(DIFFERS) for each in remarks):
        told.append(line(Code(f"/candidate edit {candidate.id}"), " to say which is right"))
    return line(Bold("Check:"), " ", join(told))


def _in_more(number: int) -> Line:
    """That the rest is behind the button; at a terminal ``show`` has it."""
    return line(Either(Italic(f"+{number} in More"), f"+{number} more"))


def provenance(candidate: Candidate, setting: Setting) -> Line:
    """How old the facts are, where they come from, who brought them, what is missing."""
    profile = candidate.profile
    newest = profile.newest_fact
    dated = line("Nothing dated after ", Bold(month(newest))) if newest else line("No dates on it")
    if any(job.is_current for job in profile.jobs):
        dated = ()
    when = day(candidate.added_at, now=setting.now, zone=setting.zone)
    added = line(f"{source_name(candidate)}, added {when}", *added_by(candidate.added_by))
    return join(
        [
            dated,
            added,
            contact_note(candidate, setting),
            login(profile),
        ]
    )


def source_name(candidate: Candidate) -> str:
    """The kind of document the facts come from."""
    parser = candidate.sources[-1].parser if candidate.sources else ""
    return kind_of(parser) if parser else "a page"


def added_by(who: str) -> Line:
    """``" by @Mira"``, ``" from the folder"``: who brought a person in."""
    if who == "folder":
        return line(" from the folder")
    if who == "seeds":
        return line(" with the examples")
    if who.startswith("terminal:"):
        return line(f" by {who.removeprefix('terminal:')} at the terminal")
    return line(" by ", Mention(who))


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
