"""Carrying marks into a restored backup: standings that people set, and who was told.

A mark that the replaced database has and the backup lacks is set again, with its
date, its author and its reason. One that the backup has and the replaced database
lacks was lifted, and is lifted again; that is certain only where the replaced
database follows from the backup: it holds the newest entry of the backup's audit.
Where it does not (an older backup was put back first), no mark is lifted, and
only those are set that are younger than the backup.

Whoever's time is over is hidden again by the clock: ``EXPIRED`` is no mark.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import delete, insert
from sqlmodel import Session, col, select

from storage.candidates import actual_id
from storage.changed import note_people_changed
from storage.database import Database
from storage.digests import forget_in_digests
from storage.models import AuditRow, NoticeRow, ProfileAliasRow, ProfileRow, StandingRow
from storage.records import StandingKind, Use
from storage.retention import NoticeState
from storage.room import Room
from storage.uses import FORBIDS

NAMES: Final = {
    StandingKind.DO_NOT_CONTACT.value: "do not contact",
    StandingKind.RESTRICTED.value: "restricted",
    StandingKind.OBJECTED.value: "objected",
    NoticeState.INFORMED.value: "told",
    NoticeState.EXEMPT.value: "need not be told",
}
"""Each mark in words, in the order in which they are said."""
_STANDINGS: Final = tuple(kind.value for kind in StandingKind if kind is not StandingKind.EXPIRED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A standing or a notice of one person."""

    person: str
    kind: str
    at: datetime
    by: str
    reason: str

    @property
    def is_notice(self) -> bool:
        return self.kind not in _STANDINGS


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """The marks of a database that is replaced."""

    follows: bool
    """Whether it holds all that the backup held when it was made."""
    marks: tuple[Mark, ...]
    ids: dict[str, str]
    """Every id, also one that was merged into another → the id it means."""
    names: dict[str, str]
    """The names of those who have marks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """What became of the marks."""

    again: dict[str, int]
    """How many of each kind were set again."""
    lifted: int
    """Marks of the backup that were lifted since, and are lifted."""
    nobody: tuple[tuple[str, str], ...]
    """Name and kind of each mark of somebody who is not in the backup."""


NO_MARKS: Final = Carried(again={}, lifted=0, nobody=())


def newest_entry(database: Database, workspace: str) -> tuple[str, datetime] | None:
    """The id of the newest entry of the audit, and its time; None when there is none."""
    with database.read() as session:
        row = session.exec(
            select(AuditRow.id, AuditRow.at)
            .where(AuditRow.workspace == workspace)
            .order_by(col(AuditRow.number).desc())
            .limit(1)
        ).first()
        return (row[0], row[1]) if row is not None else None


def marks_of(database: Database, *, entry: str | None) -> Marks:
    """The marks of a database; ``entry`` is the newest of the backup's audit."""
    with database.read() as session:
        marks = list(_marks(session))
        marked = {each.person for each in marks}
        ids, names = {}, {}
        for profile_id, name in session.exec(select(ProfileRow.id, ProfileRow.name)):
            ids[profile_id] = profile_id
            if profile_id in marked:
                names[profile_id] = name
        aliases = select(ProfileAliasRow.alias, ProfileAliasRow.profile_id)
        ids.update(session.exec(aliases).all())
        return Marks(
            follows=entry is not None and session.get(AuditRow, entry) is not None,
            marks=tuple(each for each in marks if each.person in names),
            ids=ids,
            names=names,
        )


class Marking(Room):
    """Setting marks of another database in this one."""

    def carry_marks(self, marks: Marks, *, since: datetime) -> Carried:
        """Let the marks be those of the replaced database; ``since`` is when the backup was made.

        See the module. A digest that is on its way loses whom no digest may tell of.
        """
        other_ids: dict[str, list[str]] = {}
        for each, actual in marks.ids.items():
            other_ids.setdefault(actual, []).append(each)
        again: Counter[str] = Counter()
        nobody: list[tuple[str, str]] = []
        changed: set[str] = set()
        with self.database.write() as session:
            present = {(each.person, each.kind) for each in _marks(session)}
            lifted = _lift_again(session, marks, present) if marks.follows else []
            for mark in marks.marks:
                if not marks.follows and mark.at <= since:
                    continue
                people = _people(session, self.workspace, other_ids[mark.person])
                if not people:
                    nobody.append((marks.names[mark.person], mark.kind))
                lacking = [each for each in people if (each, mark.kind) not in present]
                for each in lacking:
                    _set(session, each, mark)
                again[mark.kind] += bool(lacking)
                changed.update(lacking)
            note_people_changed(session.connection(), sorted(changed.union(lifted)))
        return Carried(
            again={kind: again[kind] for kind in NAMES if again[kind]},
            lifted=len(lifted),
            nobody=tuple(sorted(nobody)),
        )


def _people(session: Session, workspace: str, ids: Iterable[str]) -> list[str]:
    return sorted(set(filter(None, (actual_id(session, workspace, each) for each in ids))))


def _lift_again(session: Session, marks: Marks, present: set[tuple[str, str]]) -> Sequence[str]:
    """Take away what the replaced database lacks; whose marks they were, once for each."""
    known = {(each.person, each.kind) for each in marks.marks}
    told = {each.person for each in marks.marks if each.is_notice}
    lifted = []
    for person, kind in sorted(present):
        actual = marks.ids.get(person)
        if actual is None or (actual, kind) in known:
            continue
        if kind in _STANDINGS:
            session.connection().execute(
                delete(StandingRow).where(
                    col(StandingRow.profile_id) == person, col(StandingRow.kind) == kind
                )
            )
        elif actual in told:  # the other notice is set instead
            continue
        else:
            session.connection().execute(
                delete(NoticeRow).where(col(NoticeRow.profile_id) == person)
            )
        lifted.append(person)
    return lifted


def _set(session: Session, person: str, mark: Mark) -> None:
    connection = session.connection()
    values: dict[str, Any] = {
        "profile_id": person, "at": mark.at, "by": mark.by, "reason": mark.reason,
    }  # fmt: skip
    if mark.is_notice:
        connection.execute(delete(NoticeRow).where(col(NoticeRow.profile_id) == person))
        connection.execute(insert(NoticeRow).values(state=mark.kind, **values))
        return
    connection.execute(insert(StandingRow).values(kind=mark.kind, **values))
    if Use.DIGEST in FORBIDS[StandingKind(mark.kind)]:
        forget_in_digests(session, person, unposted=True)


def _marks(session: Session) -> Iterable[Mark]:
    for row in session.exec(select(StandingRow).where(col(StandingRow.kind).in_(_STANDINGS))):
        yield Mark(person=row.profile_id, kind=row.kind, at=row.at, by=row.by, reason=row.reason)
    for told in session.exec(select(NoticeRow)):
        yield Mark(
            person=told.profile_id, kind=told.state, at=told.at, by=told.by, reason=told.reason
        )
