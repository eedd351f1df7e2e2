"""What ``backup``, ``restore``, ``verify`` and ``reindex`` say, for people and for programs."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from storage.backups import BackedUp
from storage.marks import NAMES
from storage.reindexing import Reindexed
from storage.restoring import Ahead, Before, Restored
from storage.verifying import Verified

MOST = 50
"""Faults that are printed one by one."""


def backed_up(made: BackedUp) -> str:
    removed = f" {len(made.removed)} older removed." if made.removed else ""
    return (
        f"{made.path}\n{people(made.people)}, {documents(made.sources)}, "
        f"{made.size / 1_000_000:,.1f} MB, checked.{removed}"
    )


def restored(done: Restored) -> str:
    lines = [
        f"Restored from {done.file}: {people(done.people)}, {documents(done.sources)}.",
        "The backup's checksum agreed."
        if done.checksum_known
        else "No checksum lay beside the backup; its contents were checked and are whole.",
    ]
    if not done.aside:
        lines.append(f"There was no database before. It is now {done.target}.")
    if done.migrated_to:
        lines.append(f"Its schema {done.revision} was brought up to {done.migrated_to}.")
    if done.rebuilt:
        lines.append("Its search index was not as it should be and was made anew.")
    lines += _forgotten(done)
    lines += _marks(done)
    if done.aside:
        lines.append(
            f"The database of before is kept at {done.aside}. It holds personal data: delete it "
            "when you no longer need it."
        )
    lines.append(
        "Digests that came due since the backup are not posted again; the next ones may tell of "
        "people whom a lost one told of. Start the bot."
    )
    return "\n".join(lines)


def _forgotten(done: Restored) -> Iterator[str]:
    """Who was erased again, and what could not be known of those who were forgotten."""
    knows_all = done.before is Before.FOLLOWS
    if done.forgotten:
        yield f"{people(done.forgotten)} forgotten since the backup: erased again."
    elif knows_all:
        yield "Nobody in it was forgotten since."
    elif done.lists:
        yield "The list of forgotten people names nobody in it."
    if knows_all:
        return
    if done.lists:
        if not done.tombstones_read:
            yield "Who was forgotten could not be read from the damaged database."
        yield (
            f"The list is {' and '.join(map(str, done.lists))}. Whoever was forgotten after it was "
            "written or copied is in it again: forget them again if you know of any."
        )
    else:
        yield (
            f"No list of forgotten people lies beside {done.target} or {done.file}: whoever was "
            f"forgotten after {moment(done.taken_at)} is in it again. Put "
            f"{done.target.name}.tombstones there and restore once more."
        )


def _marks(done: Restored) -> Iterator[str]:
    """What became of marks that were set or lifted since the backup."""
    again, lifted = sum(done.marks.again.values()), done.marks.lifted
    if again:
        kinds = ", ".join(f"{number:,} {NAMES[kind]}" for kind, number in done.marks.again.items())
        was = "mark set since the backup was" if again == 1 else "marks set since the backup were"
        yield f"{again:,} {was} set again: {kinds}."
    if lifted:
        was = "mark was" if lifted == 1 else "marks were"
        yield f"{lifted:,} {was} lifted since the backup and stay{'s' * (lifted == 1)} lifted."
    if done.marks.nobody:
        who = "; ".join(f"{name}: {NAMES[kind]}" for name, kind in done.marks.nobody)
        yield f"Marks of people who came after the backup; load them and set these again: {who}."
    if done.before is not Before.FOLLOWS:
        if done.before is Before.OTHER:
            yield "The database of before did not come from this backup and may not know all marks."
        yield (
            f"Marks (do not contact, restricted, objected, told) set after {moment(done.taken_at)} "
            f"are gone{' otherwise' * (done.before is Before.OTHER)}: set them again before you "
            "start the bot."
        )


def verified(found: Verified) -> str:
    looked = (
        f"Looked at {people(found.people)}, {documents(found.sources)} and "
        f"{found.audit_entries:,} audit entries."
    )
    if not found.faults:
        head = f" Head of the audit: {found.audit_head}" if found.audit_head else ""
        return f"{looked} All agree.{head}"
    lines = [looked]
    lines += [
        f"{fault.kind:<8} {fault.where}: {fault.sentence} {fault.advice}"
        for fault in found.faults[:MOST]
    ]
    if len(found.faults) > MOST:
        lines.append(f"and {len(found.faults) - MOST:,} more.")
    return "\n".join(lines)


def reindexed(done: Reindexed) -> str:
    """What was compared, what was not as it should be, and what became of it."""
    if done.whole:
        return f"The index of words was damaged: all was made anew, for {people(done.people)}."
    begun = "Carried on where it was broken off. " if done.resumed else ""
    told = [
        f"{number:,} {what}"
        for number, what in (
            (done.mended, "made anew"),
            (done.nobody, "of nobody taken out"),
            (done.values, "ranges of values counted anew"),
        )
        if number
    ]
    found = ", ".join(told) if told else "all agree with the index"
    return f"{begun}Compared {people(done.people)}: {found}."


def verified_as_json(found: Verified, *, rebuilt: int | None = None) -> dict[str, Any]:
    return {
        "sound": not found.faults,
        "people": found.people,
        "sources": found.sources,
        "audit_entries": found.audit_entries,
        "audit_head": found.audit_head,
        "rebuilt": rebuilt,
        "faults": [
            {
                "kind": fault.kind,
                "where": fault.where,
                "sentence": fault.sentence,
                "advice": fault.advice,
                "mendable": fault.mendable,
            }
            for fault in found.faults
        ],
    }


def question(file: Path, ahead: Ahead) -> str:
    """What is asked before a restore: what is lost by it, and what goes where."""
    of = f"The backup is of {moment(ahead.taken_at)}"
    if ahead.people is not None:
        of += f" with {people(ahead.people)}"
    if not ahead.exists:
        return f"{of}; there is no database yet. Put {file} at {ahead.target}?"
    present = (
        "the present database cannot be read"
        if ahead.present is None
        else f"the present database has {ahead.present:,}"
    )
    return f"{of}; {present}.\nPut {file} in the place of {ahead.target}?"


def moment(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def people(number: int) -> str:
    return f"{number:,} {'person' if number == 1 else 'people'}"


def documents(number: int) -> str:
    return f"{number:,} {'document' if number == 1 else 'documents'}"
