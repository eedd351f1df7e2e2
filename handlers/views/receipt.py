"""The receipt: what was added from a message, for whoever sent it; and what Undo did."""

from collections.abc import Sequence

from bot.adding import Coming, FileOutcome, Receipt
from bot.loading import PersonReport
from bot.zones import zone_of
from handlers.views.card import Setting, headline, open_button
from handlers.views.dates import moment
from handlers.views.digest import channel_piece
from handlers.views.escaping import shorten
from handlers.views.message import (
    Actions,
    Button,
    Context,
    Message,
    Part,
    Section,
    compose,
)
from handlers.views.results import people
from handlers.views.text import Bold, Code, Line, Mention, join, line, worded
from storage.records import Candidate, Outcome, Profile, Severity
from storage.undoing import Named, Undone

UNDO = "candidate.undo"
SHOWN = 15
"""People with a paragraph of their own; the others are named in a row."""
CHANGES, NAMES, DIGESTS, CHECKS = 300, 8, 5, 2
KEPT = "Kept 30 days"
_PERHAPS = line("Perhaps somebody who is stored already: ")


def reading(names: Sequence[str], files: int) -> Message:
    """The sign of work: ``Reading profiles-dec.txt …``."""
    known = [each for each in names if each]
    if len(known) == files and files <= 3:
        what = ", ".join(known)
    else:
        what = "1 file" if files == 1 else f"{files} files"
    return compose([Section([line("Reading ", Bold(what), " …")])])


def receipt(value: Receipt, setting: Setting) -> Message:
    """Each file with its people, which digests will name them, and Undo."""
    parts: list[Part] = []
    room = SHOWN
    opened: set[str] = set()
    for file in value.files:
        parts += _file(file, value, room, opened)
        room = max(0, room - len(file.listed))
    refs = [
        line(file.name, " ref ", Bold(file.ref)) if len(value.files) > 1 else line("ref ", file.ref)
        for file in value.files
        if file.ref
    ]
    if refs:
        parts.append(Context([join([KEPT, *refs])]))
    if value.changed:
        coming = [_coming(each, value) for each in value.coming[:DIGESTS]]
        added = line(
            "Added by ", Mention(value.by), f", {moment(value.at, setting.zone, now=setting.now)}"
        )
        parts.append(Context([*coming, added]))
        parts.append(
            Actions(
                [Button(text="Undo", action=f"{UNDO}.{value.intake_id}", value=value.intake_id)]
            )
        )
    return compose(parts)


def undone(value: Undone, candidates: Sequence[Candidate], standing: Sequence[Named]) -> Message:
    """What was taken back. Who is no longer stored is counted and not named."""
    if value.again:
        return compose([Section(["This was undone before; there is nothing more to undo."])])
    names = {each.id: each.profile.name for each in candidates}
    lines: list[Line | str] = [line(Bold("Undone"))]
    if value.removed:
        lines.append(f"{people(value.removed)} no longer stored.")
    if value.restored:
        who = _names(value.restored, names)
        lines.append(line(*who, f" {'is' if len(value.restored) == 1 else 'are'} as before."))
    if value.left:
        lines.append(
            line(
                "Left as they are, because a later page of them came in, they were merged with "
                "somebody since, or no earlier page can be read: ",
                *_names(value.left, names),
                ". Nothing of theirs was undone.",
            )
        )
    if len(lines) == 1:
        lines.append("There was nothing left to take back.")
    lines += [
        line(
            "A digest in " if each.kind == "digest" else "A message in ",
            channel_piece(each.channel),
            " has named them already and still stands.",
        )
        for each in standing[:DIGESTS]
    ]
    return compose([Section(lines)])


def _file(file: FileOutcome, value: Receipt, room: int, opened: set[str]) -> list[Part]:
    if not file.people:
        return [
            Section([line(Bold(f"Not added: {file.name}")), worded(_reason(file, value))]),
        ]
    listed = file.listed
    parts: list[Part] = [Section([line(Bold(_heading(file)))])]
    parts += [_person(each, value, opened) for each in listed[:room]]
    if rest := listed[room:]:
        rows = [
            line(f"{outcome}: ", _row([each.name for each in rest if each.outcome is kind]))
            for outcome, kind in (
                ("new", Outcome.STORED),
                ("updated", Outcome.UPDATED),
                ("unchanged", Outcome.UNCHANGED),
            )
            if any(each.outcome is kind for each in rest)
        ]
        parts.append(Section([line("And ", people(len(rest)), " more"), *rows]))
    refused = [
        worded(f"Not added: {each.reason[0].lower()}{each.reason[1:]}")
        if each.forgotten and each.reason
        else line("Not added: ", Bold(each.name), ". ", worded(each.reason or ""))
        for each in file.refused
    ]
    if limited := file.limited:
        refused.append(line("Not added: ", _row([each.name for each in limited])))
        refused.append(worded(limited[0].reason or ""))
    if file.reason and not refused:
        refused.append(worded(file.reason))
    if refused:
        parts.append(Section(refused))
    return parts


def _reason(file: FileOutcome, value: Receipt) -> str:
    """Why nobody is on it; that nothing was stored is said of this file where others were."""
    reason = file.reason or ""
    if any(each.listed for each in value.files):
        return reason.replace("Nothing was stored.", "Nothing of this file was stored.")
    return reason


def _heading(file: FileOutcome) -> str:
    """``profiles-dec.txt: 2 people``; of a pasted page, which has no name, a sentence."""
    number = len(file.listed)
    if not number:
        return "Nobody was added" if file.pasted else f"Nobody was added from {file.name}"
    if file.pasted:
        return f"Read {people(number)} from your message"
    return f"{file.name}: {people(number)}"


def _person(report: PersonReport, value: Receipt, opened: set[str]) -> Section:
    """The person's paragraph; Open stands at the first of several of one person."""
    candidate = value.candidates.get(report.id or "")
    if candidate is None:
        return Section([line(Bold(report.name)), "no longer stored"])
    is_new = report.outcome is Outcome.STORED
    first = headline(candidate) if is_new else line(Bold(report.name))
    button = None if candidate.id in opened else open_button(candidate.id)
    opened.add(candidate.id)
    checks = [_checks(candidate.profile)] if is_new else []
    twins = [(*_PERHAPS, Code(f"/candidate duplicates {candidate.id}"))] if report.twins else []
    return Section([first, _what(report, candidate.profile), *checks, *twins], button)


def _what(report: PersonReport, profile: Profile) -> str:
    """``new · 2 jobs · 12 skills · 3 of 5 contributions``; what there is none of is left out."""
    if report.outcome is Outcome.UNCHANGED:
        return "unchanged: this very page is stored already"
    if report.outcome is Outcome.UPDATED:
        return shorten(" · ".join(["updated", *report.changes]), CHANGES)
    twins = len(report.twins)
    listed = [
        _counted(len(profile.jobs), None, "job"),
        _counted(len(profile.skills), profile.declared.skills, "skill"),
        _counted(len(profile.contributions), profile.declared.contributions, "contribution"),
    ]
    return " · ".join(
        [
            "new",
            *(list(filter(None, listed)) or ["no jobs or skills on it"]),
            *([f"{people(twins)} of this name here already"] if twins else []),
        ]
    )


def _checks(profile: Profile) -> str:
    """``Check: heading says “Beijing, United States”``: the first contradictions of the page."""
    remarks = [each for each in profile.remarks if each.severity is Severity.CHECK]
    told = [shorten(each.text.rstrip("."), CHANGES // CHECKS) for each in remarks[:CHECKS]]
    if len(remarks) > CHECKS:
        told.append(f"+{len(remarks) - CHECKS} in More")
    return f"Check: {' · '.join(told)}" if told else ""


def _counted(listed: int, declared: int | None, what: str) -> str:
    if declared is not None and declared != listed:
        return f"{listed} of {declared} {what}s"
    if not listed:
        return ""
    return f"{listed} {what}" if listed == 1 else f"{listed} {what}s"


def _coming(coming: Coming, value: Receipt) -> Line:
    """``In #hiring's digest on Mon 14 Dec 09:00: Ines Adeyemi``."""
    channel = channel_piece(coming.subscription.channel)
    names = [
        value.candidates[each].profile.name
        for each in coming.candidate_ids
        if each in value.candidates
    ]
    when = moment(coming.due_at, zone_of(coming.subscription.timezone), now=value.at)
    zone = coming.subscription.timezone
    return line("In the digest of ", channel, f" on {when} ({zone}): ", _row(names, NAMES))


def _names(ids: Sequence[str], names: dict[str, str]) -> Line:
    return line(_row([names[each] for each in ids if each in names]))


def _row(names: Sequence[str], most: int = 100) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
