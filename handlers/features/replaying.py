"""``replay ID``: an answer once more, as it was asked then, beside what it was.

The question is asked as of the moment and in the zone of then, so words such as ``added:7d`` mean
the same days. People are those of now: whoever was added, changed, hidden or erased since, and
another version of the formula, may make another answer, and are named as the reasons.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from bot.settings import Settings
from bot.zones import zone_of
from handlers.access.people import Asker
from handlers.access.rights import Role
from handlers.features.again import only_shows
from handlers.features.answers import REPLAYED, hits_of, what_it_was
from handlers.features.candidate import reply_to
from handlers.features.question import Question
from handlers.views.audit import actor
from handlers.views.dates import moment
from handlers.views.text import plain
from storage.errors import BotError
from storage.records import Answered, PastAnswer, Since
from storage.search.ranking import VERSION
from storage.store import Store
from storage.uses import is_hidden

HIDDEN: Final = "somebody who is hidden from searches now"
GONE: Final = "somebody who is not stored any more"


class NotReplayed(BotError):
    """There is no such answer, or what it needs is not there any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """An answer of then and of now. ``then`` has None for whoever was erased."""

    past: PastAnswer
    was: Answered
    now: tuple[str, ...]
    total: int
    names: dict[str, str]
    since: Since

    @property
    def then(self) -> tuple[str | None, ...]:
        return tuple(self.past.shown.get(place) for place in range(self.was.people))

    @property
    def same(self) -> bool:
        """The same people in the same order, and as many on other pages."""
        return self.then == self.now and self.total == self.was.total


def replayed(store: Store, number: int, *, settings: Settings) -> Replay:
    """Ask the question of answer ``number`` again. Raises NotReplayed."""
    past = store.past_answer(number)
    if past is None:
        newest = store.newest_entry()
        raise NotReplayed(
            f"There is no answer {number}: the newest entry of the audit is {newest}. "
            "Lists say their number, and python -m bot audit lists all."
        )
    entry, was = past.entry, past.answered
    if was is None:
        raise NotReplayed(_why_not(past))
    if past.emptied:
        raise NotReplayed(
            f"The question of answer {number} is gone: somebody whom it was about was erased, and "
            "texts about them went too. So it cannot be asked again."
        )
    role = Role.ADMIN if entry.who.startswith("terminal:") else Role.RECRUITER
    question = Question(
        store=store,
        text=entry.text,
        typed=entry.text,
        asker=Asker(id=entry.who, timezone=was.zone, role=role),
        now=entry.at,
        settings=settings,
    )
    if not only_shows(question):
        raise NotReplayed(_why_not(past))
    question, reply = reply_to(question, was.start)
    found = what_it_was(question, reply, was.start)
    now = tuple(hit.candidate.id for hit in hits_of(reply.answer))
    ids = list(dict.fromkeys([*past.shown.values(), *now]))
    names = {
        each.id: HIDDEN if is_hidden(each) else each.profile.name for each in store.candidates(ids)
    }
    return Replay(
        past=past,
        was=was,
        now=now,
        total=found.total if found else 0,
        names=names,
        since=store.changed_since(entry.at, number),
    )


def _why_not(past: PastAnswer) -> str:
    entry = past.entry
    said = f"Entry {entry.number} of the audit ({entry.action})"
    if entry.action not in REPLAYED:
        return f"{said} is no answer to a question, so there is nothing to ask again."
    return (
        f"{said} cannot be asked again: it is help, a sentence or a job description (whose lines "
        "are not kept), or it was written before answers could be replayed."
    )


def as_text(replay: Replay, *, now: datetime) -> str:
    """What was asked, what is the same, and what is not, with why."""
    entry, was = replay.past.entry, replay.was
    asker = plain(actor(entry.who))
    at = moment(entry.at, zone_of(was.zone), now=now)
    page = f", from place {was.start + 1:,}" if was.start else ""
    lines = [
        f"Answer {entry.number}: “{entry.text}”, asked by {asker}, {at} ({was.zone}){page}.",
    ]
    if replay.same:
        lines.append(_same(replay))
    else:
        lines += _otherwise(replay)
    lines += _changed(replay)
    return "\n".join(lines)


def _same(replay: Replay) -> str:
    if not replay.now:
        return "Nobody, as then."
    many = len(replay.now)
    told = "The same person." if many == 1 else f"The same {many} people in the same order."
    return told if replay.total == many else f"{told[:-1]}, of {replay.total:,} as then."


def _otherwise(replay: Replay) -> Iterator[str]:
    was = {id_: place for place, id_ in enumerate(replay.then, replay.was.start + 1)}
    yield f"Not the same: {replay.was.total:,} found then, {replay.total:,} now."
    for place, id_ in enumerate(replay.now, replay.was.start + 1):
        then = was.pop(id_, None)
        said = "" if then == place else " (not on it then)" if then is None else f" (then {then})"
        yield f"{place:>5}  {replay.names[id_]}{said}"
    erased = replay.then.count(None)
    was.pop(None, None)
    for gone, place in was.items():
        yield f"    –  {replay.names.get(gone or '', GONE)} (then {place})"
    if erased:
        yield f"    –  {'1 person' if erased == 1 else f'{erased} people'} of then erased since"


def _changed(replay: Replay) -> Iterator[str]:
    since = replay.since
    told = [
        f"{number:,} {what}"
        for number, what in (
            (since.added, "added"),
            (since.changed, "changed"),
            (since.erasures, "erasure" if since.erasures == 1 else "erasures"),
            (since.marks, "mark set or lifted" if since.marks == 1 else "marks set or lifted"),
        )
        if number
    ]
    if told:
        yield f"Of the people stored since then: {', '.join(told)}."
    else:
        yield "Nothing changed of the people stored since then."
    if replay.was.ranking != VERSION:
        yield f"The formula was version {replay.was.ranking} then, and is version {VERSION} now."
    elif not told and not replay.same:
        yield (
            "Neither people nor the formula changed: since an upgrade the question is read "
            "otherwise, or this is a fault to be reported."
        )


def as_json(replay: Replay) -> dict[str, Any]:
    """The document that ``replay --json`` prints; None stands for whoever was erased."""
    entry, since = replay.past.entry, replay.since
    return {
        "answer": entry.number,
        "query": entry.text,
        "at": entry.at.isoformat(),
        "same": replay.same,
        "then": {
            "people": list(replay.then),
            "total": replay.was.total,
            "ranking": replay.was.ranking,
        },
        "now": {"people": list(replay.now), "total": replay.total, "ranking": VERSION},
        "since": {
            "added": since.added,
            "changed": since.changed,
            "erasures": since.erasures,
            "marks": since.marks,
        },
    }
