"""The audit as people read it: when, who, what, whom, where."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import regex

from handlers.views.card import Setting
from handlers.views.dates import moment
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
from handlers.views.standing import label
from handlers.views.text import Bold, Channel, Code, Italic, Line, Mention, join, line
from storage.records import AuditEntry, StandingKind

AUDIT: Final = "candidate.audit"
PAGE: Final = 20
NAMED: Final = 3
"""People named in one line; the rest are counted."""
ASKED: Final = 100
"""Characters of a question that are shown."""
WORDS: Final[Mapping[str, str]] = {
    "ask": "asked",
    "refused": "was refused:",
    "page": "turned the page of",
    "open": "opened",
    "more": "looked at all of",
    "history": "read the history of",
    "preview": "previewed a digest with",
    "show": "printed the record of",
    "share": "shared",
    "withdraw": "withdrew",
    "digest": "had a digest posted of",
    "add": "added",
    "update": "updated",
    "remove": "erased somebody",
    "forget": "erased somebody",
    "undo": "took an addition back",
    "expire": "erased somebody whose time was over",
    "take_up": "is in touch with",
    "let_go": "is no longer in touch with",
    "stand": "marked",
    "lift": "lifted a mark of",
    "report": "reported all about",
    "export": "exported",
    "duties": "read the duties",
    "notice": "noted whether told that they are stored",
    "let_in": "allowed somebody to be stored again",
    "restore": "restored a backup",
    "audit": "read the audit",
    "replay": "asked once more",
}
"""An action of the audit in the past tense; one that is missing is shown as it is."""
MARKS: Final[Mapping[tuple[str, str], str]] = {
    **{("stand", kind.value): f"marked “{label(kind)}”:" for kind in StandingKind},
    **{("lift", kind.value): f"lifted “{label(kind)}” of" for kind in StandingKind},
    ("notice", "informed"): "noted as told that they are stored:",
    ("notice", "exempt"): "noted as one who need not be told that they are stored:",
    ("notice", "still to be told"): "noted as still to be told:",
}
"""An action whose text is a word of the program's own: both in words that people know."""
LISTING: Final = frozenset(
    {"audit", "duties", "remove", "forget", "undo", "expire", "restore", "notice"}
)
"""Actions whose words do not lead on to whom it was about."""
SAYS_IT: Final = frozenset({"preview", "history"})
"""Actions whose text is the command that their words tell already."""
OF_SOMEBODY: Final = frozenset(
    {
        "open", "more", "history", "show", "share", "withdraw", "add", "update",
        "take_up", "let_go", "stand", "lift", "report", "notice",
    }
)  # fmt: skip
"""Actions about one person: who is named no more was erased."""
PLACES: Final[Mapping[str, str]] = {
    "terminal": "",
    "command": "",
    "mention": "",
    "action": " by a button",
    "direct": " in a direct message",
    "home": " on the Home tab",
    "view": " in a form",
    "shortcut": " from a message's menu",
    "slack": " from Slack",
    "load": " from a file",
    "inbox": " from the watched folder",
    "seeds": "",
}
"""Where, when it was in no channel."""
_SLACK_USER: Final = regex.compile(r"[UW][A-Z0-9]{2,}")
_ID_IN_TEXT: Final = regex.compile(r"\b([UWCG](?=[A-Z]*\d)[A-Z0-9]{7,})\b")
_SLACK_CHANNEL: Final = regex.compile(r"[CG][A-Z0-9]{2,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditPage:
    """Entries, newest first. ``older`` is the number before which the next page begins."""

    entries: tuple[AuditEntry, ...]
    names: Mapping[str, str]
    asked: str
    about: str = ""
    who: str | None = None
    older: int | None = None


def audit_message(page: AuditPage, setting: Setting) -> Message:
    """One page, and a button to the next older one."""
    parts: list[Part] = [Section([_heading(page)])]
    parts += [Section([told]) for told in entry_lines(page, setting)]
    zone = setting.now.astimezone(setting.zone).tzname() or "UTC"
    parts.append(Context([line(f"Times are {zone}. That you looked is noted.")]))
    if page.older is not None:
        value = f"{page.asked} before {page.older}"
        if len(value) <= VALUE:
            parts.append(Actions([Button(text="Older", action=f"{AUDIT}.older", value=value)]))
    return compose(parts)


def _heading(page: AuditPage) -> Line:
    what = line(
        Bold("Audit"),
        *(line(" of ", Bold(page.about)) if page.about else ()),
        *(line(" of what ", actor(page.who), " did") if page.who else ()),
    )
    if not page.entries:
        return line(what, ": nothing is noted.")
    first, last = page.entries[0].number, page.entries[-1].number
    return line(what, " ", Italic(f"(entries {first}–{last})"))


def entry_lines(page: AuditPage, setting: Setting) -> list[Line]:
    """A line an entry; commands about digests that showed nobody, in a row, share one."""
    lines = []
    for _, run in groupby(page.entries, key=_row_of):
        entries = list(run)
        if len(entries) > 1:
            lines.append(_folded(entries, setting))
        else:
            lines.append(entry_line(entries[0], page, setting))
    return lines


def _row_of(entry: AuditEntry) -> tuple[object, ...]:
    """Alike for entries that may share a line."""
    about_digests = entry.action == "ask" and regex.match(r"digests?(\s|$)", entry.text, regex.I)
    if about_digests and not entry.candidate_ids:
        return (entry.who, entry.place)
    return (entry.number,)


def _folded(entries: list[AuditEntry], setting: Setting) -> Line:
    last, first = entries[0], entries[-1]
    when = moment(last.at, now=setting.now, zone=setting.zone)
    told = line(
        actor(last.who), f" typed {len(entries)} digest commands that showed nobody",
        *_where(last.place),
    )  # fmt: skip
    return join([f"{first.number}–{last.number}", when, told])


def entry_line(entry: AuditEntry, page: AuditPage, setting: Setting) -> Line:
    """``412 · 1 Dec 09:30 · @Mira opened Chenggang Zhao in #hiring``."""
    when = moment(entry.at, now=setting.now, zone=setting.zone)
    whom = _whom(entry, page)
    mark = MARKS.get((entry.action, entry.text))
    if mark is not None:
        done = line(actor(entry.who), f" {mark} ", whom, *_where(entry.place))
        return join([str(entry.number), when, done])
    what = WORDS.get(entry.action, entry.action)
    asked = _asked(entry)
    colon = (bool(asked) and entry.action != "share") or entry.action in LISTING
    between = (": " if colon else " ") if whom else ""
    done = line(actor(entry.who), f" {what}", asked, between, whom, *_where(entry.place))
    return join([str(entry.number), when, done])


def _asked(entry: AuditEntry) -> Line:
    """What was typed or chosen, with people and channels by their names."""
    text = entry.text
    if not text:
        return line(" (the question was erased)") if entry.action == "ask" and _about(entry) else ()
    if entry.action in SAYS_IT or (entry.action == "audit" and text.lower() == "audit"):
        return ()
    if entry.action == "share":
        return line(f" {text} of")
    pieces = [
        Channel(part) if part[0] in "CG" and number % 2 else Mention(part) if number % 2 else part
        for number, part in enumerate(_ID_IN_TEXT.split(shorten(text, ASKED)))
        if part
    ]
    return line(" “", *pieces, "”")


def _about(entry: AuditEntry) -> bool:
    return bool(entry.candidate_ids)


def actor(who: str) -> Line:
    """Who did it, as a mention where it is a person of the workspace."""
    if _SLACK_USER.fullmatch(who):
        return line(Mention(who))
    if who.startswith("terminal:"):
        return line(f"{who.removeprefix('terminal:')} at the terminal")
    known = {
        "": "somebody",
        "clock": "the bot",
        "folder": "the watched folder",
        "seeds": "the examples",
        "settings": "the digest of the settings",
    }
    return line(known.get(who, who))


def _whom(entry: AuditEntry, page: AuditPage) -> Line:
    if not entry.candidate_ids:
        return line("somebody erased since") if entry.action in OF_SOMEBODY else ()
    shown = [
        line(Bold(page.names[id_])) if id_ in page.names else line(Code(id_))
        for id_ in entry.candidate_ids[:NAMED]
    ]
    rest = len(entry.candidate_ids) - len(shown)
    return line(join(shown, ", "), f" and {rest:,} more" if rest else "")


def _where(place: str) -> Line:
    if _SLACK_CHANNEL.fullmatch(place):
        return line(" in ", Channel(place))
    if place.startswith("D"):
        return line(" in a direct message")
    told = PLACES.get(place, f" ({place})" if place else "")
    return line(told) if told else ()
