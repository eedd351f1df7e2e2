"""What *More* shows beside a card: everything that the card leaves out.

The summary, badges, topics, Stack Overflow, descriptions, file names, and all
that is to be checked or known. A dialog is titled with the person's name.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.profiles.kinds import kind_of
from handlers.views.card import Setting, added_by, counts, repository, studied
from handlers.views.career import career_in_full
from handlers.views.dates import day, period
from handlers.views.escaping import cut, one_line, plain_text
from handlers.views.message import (
    MODAL_BLOCKS,
    MODAL_CHARACTERS,
    TITLE,
    Actions,
    Button,
    Context,
    Divider,
    Header,
    Message,
    Part,
    Section,
    compose,
)
from handlers.views.text import Bold, Italic, Line, join, line
from storage.records import Candidate, Contribution, Severity


def dialog(name: str, blocks: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The modal view of these blocks about a person of this name."""
    return {
        "type": "modal",
        "title": {"type": "plain_text", "text": _title(name), "emoji": False},
        "close": {"type": "plain_text", "text": "Close", "emoji": False},
        "blocks": list(blocks),
    }


def _title(name: str) -> str:
    return cut(plain_text(one_line(name)), TITLE) or "More"


def more(
    candidate: Candidate, setting: Setting, *, modal: bool = True, buttons: Sequence[Button] = ()
) -> Message:
    """All that the card leaves out, in the size of a modal or of a message."""
    profile = candidate.profile
    overflow = profile.stackoverflow
    in_title = modal and _title(profile.name) == plain_text(one_line(profile.name))
    parts: list[Part] = [
        Header("" if in_title else profile.name),
        Section([line(profile.headline or "")]),
        Section([line(Bold("Summary"), " ", Italic(_author(candidate))), profile.summary])
        if profile.summary
        else Section([]),
    ]
    if profile.badges:
        parts.append(Section([line(Bold("Badges on the page"), "  ", ", ".join(profile.badges))]))
    if overflow:
        counts = (
            ("reputation", overflow.reputation),
            ("reached", overflow.reached),
            ("answers", overflow.answers),
            ("questions", overflow.questions),
        )
        told = ", ".join(f"{number:,} {name}" for name, number in counts if number is not None)
        parts.append(Section([line(Bold("Stack Overflow"), "  ", told)]))
    parts += [Divider(), *career_in_full(candidate, setting)]
    parts += [_contribution_in_full(each) for each in profile.contributions]
    if profile.skills:
        listed = ", ".join(
            skill.name if skill.score is None else f"{skill.name} {skill.score}"
            for skill in profile.skills
        )
        scored = any(skill.score is not None for skill in profile.skills)
        heading = f"Skills as the {'page' if scored else 'document'} lists them"
        parts.append(Section([line(Bold(heading)), listed]))
    if profile.education:
        parts.append(
            Section([line(Bold("Education")), *(studied(each) for each in profile.education)])
        )
    for severity, heading in ((Severity.CHECK, "To check"), (Severity.NOTE, "To know")):
        remarks = [each.text for each in profile.remarks if each.severity is severity]
        if remarks:
            parts.append(Section([line(Bold(heading)), *(line("• ", text) for text in remarks)]))
    parts.append(Context([*_sources(candidate, setting)]))
    parts.append(Actions(buttons))
    if not modal:
        return compose(parts)
    return compose(parts, blocks=MODAL_BLOCKS, characters=MODAL_CHARACTERS)


def _author(candidate: Candidate) -> str:
    """Whose words the summary is: a profile page writes it itself, a résumé's is the person's."""
    parsers = [each.parser for each in candidate.sources]
    is_page = not parsers or any(each.startswith("prog-ai") for each in parsers)
    return "(written by the page)" if is_page else "(as the document says)"


def _contribution_in_full(contribution: Contribution) -> Section:
    lines: list[Line] = [
        join([repository(contribution), contribution.role or "", period(contribution)]),
        join([counts(contribution), contribution.span or ""]),
    ]
    if contribution.description:
        lines.append(line(contribution.description))
    if contribution.summary:
        lines.append(line(Italic("The page:"), " ", contribution.summary))
    if contribution.topics:
        lines.append(line("Topics: ", ", ".join(contribution.topics)))
    return Section([each for each in lines if each])


def _sources(candidate: Candidate, setting: Setting) -> list[Line]:
    lines = [
        line(
            f"{kind_of(source.parser)}: {source.name}, added "
            f"{day(source.added_at, now=setting.now, zone=setting.zone)}",
            *added_by(source.added_by),
        )
        for source in candidate.sources[:5]
    ]
    return [*lines, line(f"id {candidate.id}")]
