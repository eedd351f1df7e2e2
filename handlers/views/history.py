"""What happened to a person's record, newest first."""

from collections.abc import Mapping, Sequence

from handlers.views.card import Setting, added_by
from handlers.views.dates import day
from handlers.views.message import Message, Section, compose
from handlers.views.text import Bold, Italic, Line, line
from storage.records import Candidate, HistoryEntry

ENTRIES, CHANGES = 15, 8


def history(candidate: Candidate, entries: Sequence[HistoryEntry], setting: Setting) -> Message:
    """One paragraph an entry: the day, who, from which document, what changed."""
    name = candidate.profile.name
    if not entries:
        return compose([Section([line("Nothing has been recorded about ", Bold(name), " yet.")])])
    parts = [Section([line(Bold(f"History of {name}"))])]
    named = {each.id: each.name for each in candidate.sources if "." in each.name}
    parts += [Section(_entry(entry, named, setting)) for entry in entries[:ENTRIES]]
    if len(entries) > ENTRIES:
        parts.append(Section([line(Italic(f"{len(entries) - ENTRIES} earlier entries"))]))
    return compose(parts)


def _entry(entry: HistoryEntry, named: Mapping[str, str], setting: Setting) -> list[Line]:
    changes = [line("• ", change) for change in entry.changes[:CHANGES]]
    if len(entry.changes) > CHANGES:
        changes.append(line(Italic(f"and {len(entry.changes) - CHANGES} more")))
    when = day(entry.at, now=setting.now, zone=setting.zone)
    name = named.get(entry.source_id or "")
    return [line(Bold(when), *added_by(entry.by), f" · {name}" if name else None), *changes]
