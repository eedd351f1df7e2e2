"""How long people are kept, and whether they were told: the clocks of GDPR Art. 5 and 14.

Retention counts from the day a person was first collected or, if later, from the
last contact; reading their page again changes neither. ::

    kept ─→ warned        a month before the end
         ─→ expired       at the end: hidden (``StandingKind.EXPIRED``)
         ─→ erased        30 days after that

With 0 months nothing ends. The notice is due four weeks after the first
collection, which is never later than the month that the law gives.
"""

from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from sqlalchemy import ColumnElement, and_, delete, exists, func, insert, update
from sqlmodel import Session, col, select

from storage.candidates import actual_id
from storage.changed import note_people_changed
from storage.models import NoticeRow, ProfileRow, RetentionRow, StandingRow
from storage.records import StandingKind
from storage.room import Room

NOTICE_WITHIN: Final = timedelta(weeks=4)
HIDDEN_FOR: Final = timedelta(days=30)
SHORTEST_MONTH: Final = timedelta(days=28)


class NoticeState(StrEnum):
    INFORMED = "informed"
    EXEMPT = "exempt"
    DUE = "due"
    OVERDUE = "overdue"


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Whether a person was told that they are stored: by whom and when, or until when it is due."""

    state: NoticeState
    at: datetime
    """When it was done, or when it is due."""
    by: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """How long a person is kept; ``ends_at`` is None when never."""

    first_collected_at: datetime
    last_contact_at: datetime | None
    ends_at: datetime | None
    erased_at: datetime | None
    """When the record is erased: known once it is hidden."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Duty:
    """Somebody for whom something is due."""

    candidate_id: str
    name: str
    added_at: datetime
    due_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Duties:
    """What is due: people to be told, people whose time ends, and how many of each kind."""

    counts: dict[NoticeState, int]
    to_tell: tuple[Duty, ...]
    """Those nobody was told of, longest waiting first: one page of them."""
    ending: tuple[Duty, ...]
    """Those whose time ends within a month; ``due_at`` is when."""
    ending_total: int
    hidden: tuple[Duty, ...]
    """Those whose time is over; ``due_at`` is when they are erased."""
    hidden_total: int


def months_later(at: datetime, months: int) -> datetime:
    """The same day and time some months later, or the last day of that month.

    >>> months_later(datetime(2026, 1, 31), 1)
    datetime.datetime(2026, 2, 28, 0, 0)
    """
    year, month = divmod(at.month - 1 + months, 12)
    year, month = at.year + year, month + 1
    return at.replace(year=year, month=month, day=min(at.day, monthrange(year, month)[1]))


class Retention(Room):
    """The two clocks, and what moves them."""

    def set_notice(
        self, candidate_id: str, state: NoticeState, *, by: str, reason: str = "", now: datetime
    ) -> bool:
        """Note that a person was told, or need not be; True when that is news."""
        with self.database.write() as session:
            actual = actual_id(session, self.workspace, candidate_id)
            if actual is None:
                return False
            known = session.get(NoticeRow, actual)
            if known is not None and known.state == state.value:
                return False
            connection = session.connection()
            connection.execute(delete(NoticeRow).where(col(NoticeRow.profile_id) == actual))
            connection.execute(
                insert(NoticeRow).values(
                    profile_id=actual, state=state.value, at=now, by=by, reason=reason
                )
            )
            return True

    def withdraw_notice(self, candidate_id: str, state: NoticeState) -> bool:
        """Take back that this was noted; False when something else is noted, or nothing."""
        with self.database.write() as session:
            actual = actual_id(session, self.workspace, candidate_id)
            known = session.get(NoticeRow, actual) if actual is not None else None
            if known is None or known.state != state.value:
                return False
            session.delete(known)
            return True

    def notice(self, candidate_id: str, *, now: datetime) -> Notice | None:
        """How it stands with telling this person; None when there is nobody."""
        with self.database.read() as session:
            actual = actual_id(session, self.workspace, candidate_id)
            if actual is None:
                return None
            row = session.get(NoticeRow, actual)
            if row is not None:
                return Notice(state=NoticeState(row.state), at=row.at, by=row.by, reason=row.reason)
            due = session.get_one(ProfileRow, actual).added_at + NOTICE_WITHIN
            return Notice(state=NoticeState.OVERDUE if due < now else NoticeState.DUE, at=due)

    def kept(self, candidate_id: str, *, months: int) -> Kept | None:
        """How long this person is kept; None when there is nobody."""
        with self.database.read() as session:
            actual = actual_id(session, self.workspace, candidate_id)
            if actual is None:
                return None
            row, contact = session.get_one(ProfileRow, actual), session.get(RetentionRow, actual)
            last = contact.last_contact_at if contact is not None else None
            hidden = session.get(StandingRow, (actual, StandingKind.EXPIRED.value))
            start = max(row.added_at, last or row.added_at)
            return Kept(
                first_collected_at=row.added_at,
                last_contact_at=last,
                ends_at=months_later(start, months) if months else None,
                erased_at=hidden.at + HIDDEN_FOR if hidden is not None and months else None,
            )

    def keep_on(self, candidate_id: str, *, now: datetime) -> bool:
        """Keep a person for another term from now on, as a contact does."""
        with self.database.write() as session:
            actual = actual_id(session, self.workspace, candidate_id)
            if actual is None:
                return False
            connection = session.connection()
            values = {"last_contact_at": now, "warned_at": None}
            if session.get(RetentionRow, actual) is None:
                connection.execute(insert(RetentionRow).values(profile_id=actual, **values))
            else:
                connection.execute(
                    update(RetentionRow)
                    .where(col(RetentionRow.profile_id) == actual)
                    .values(**values)
                )
            return True

    def hide_expired(self, *, months: int, now: datetime) -> list[str]:
        """Hide everybody whose time is over; returns their ids. Nothing ends with 0 months.

        Whoever was hidden and whose time is not over any more, since the setting was
        changed, is shown again.
        """
        with self.database.write() as session:
            _show_again(session, self.workspace, months, now)
            over = _ending(session, self.workspace, months, before=now) if months else []
            ids = [each.candidate_id for each in over]
            if ids:
                session.connection().execute(
                    insert(StandingRow),
                    [
                        {
                            "profile_id": each,
                            "kind": StandingKind.EXPIRED.value,
                            "at": now,
                            "by": "clock",
                            "reason": "",
                        }
                        for each in ids
                    ],
                )
                note_people_changed(session.connection(), ids)
            return ids

    def expired_to_erase(self, *, months: int, now: datetime, limit: int = 20) -> list[str]:
        """Ids of those who were hidden long enough to be erased."""
        if not months:
            return []
        with self.database.read() as session:
            return list(
                session.exec(
                    select(StandingRow.profile_id)
                    .join(ProfileRow, col(ProfileRow.id) == col(StandingRow.profile_id))
                    .where(
                        ProfileRow.workspace == self.workspace,
                        StandingRow.kind == StandingKind.EXPIRED.value,
                        col(StandingRow.at) <= now - HIDDEN_FOR,
                    )
                    .order_by(col(StandingRow.at), col(StandingRow.profile_id))
                    .limit(limit)
                )
            )

    def duties(self, *, months: int, now: datetime, offset: int = 0, limit: int = 10) -> Duties:
        """What is due at ``now``; ``offset`` and ``limit`` page through people to be told."""
        with self.database.read() as session:
            there = col(ProfileRow.workspace) == self.workspace
            rows = session.exec(
                select(ProfileRow.id, ProfileRow.name, ProfileRow.added_at)
                .where(there, _untold())
                .order_by(col(ProfileRow.added_at), col(ProfileRow.id))
                .offset(offset)
                .limit(limit)
            )
            to_tell = tuple(
                Duty(candidate_id=id_, name=name, added_at=at, due_at=at + NOTICE_WITHIN)
                for id_, name, at in rows
            )
            soon = (
                _ending(session, self.workspace, months, before=months_later(now, 1))
                if months
                else []
            )
            hidden = _hidden(session, self.workspace) if months else []
            return Duties(
                counts=_counts(session, there, now),
                to_tell=to_tell,
                ending=tuple(soon[:limit]),
                ending_total=len(soon),
                hidden=tuple(hidden[:limit]),
                hidden_total=len(hidden),
            )

    def warned(self, candidate_ids: Sequence[str], *, now: datetime) -> None:
        """Admins were told that the time of these people ends soon."""
        with self.database.write() as session:
            connection = session.connection()
            for each in candidate_ids:
                if session.get(RetentionRow, each) is None:
                    connection.execute(insert(RetentionRow).values(profile_id=each, warned_at=now))
                else:
                    connection.execute(
                        update(RetentionRow)
                        .where(
                            col(RetentionRow.profile_id) == each,
                            col(RetentionRow.warned_at).is_(None),
                        )
                        .values(warned_at=now)
                    )


def _untold() -> ColumnElement[bool]:
    return ~exists().where(col(NoticeRow.profile_id) == col(ProfileRow.id))


def _counts(session: Session, there: ColumnElement[bool], now: datetime) -> dict[NoticeState, int]:
    told = dict(
        session.exec(
            select(NoticeRow.state, func.count())
            .join(ProfileRow, col(ProfileRow.id) == col(NoticeRow.profile_id))
            .where(there)
            .group_by(col(NoticeRow.state))
        ).all()
    )
    late = col(ProfileRow.added_at) < now - NOTICE_WITHIN
    counted = {
        NoticeState.DUE: session.exec(
            select(func.count()).select_from(ProfileRow).where(there, _untold(), ~late)
        ).one(),
        NoticeState.OVERDUE: session.exec(
            select(func.count()).select_from(ProfileRow).where(there, _untold(), late)
        ).one(),
    }
    return {state: counted.get(state, told.get(state.value, 0)) for state in NoticeState}


def _ending(session: Session, workspace: str, months: int, *, before: datetime) -> list[Duty]:
    """People, not hidden yet, whose time ends by then; who ends first stands first."""
    about = before - months * SHORTEST_MONTH
    rows = session.exec(
        select(ProfileRow.id, ProfileRow.name, ProfileRow.added_at, RetentionRow.last_contact_at)
        .join(RetentionRow, col(RetentionRow.profile_id) == col(ProfileRow.id), isouter=True)
        .where(
            ProfileRow.workspace == workspace,
            col(ProfileRow.added_at) <= about,
            func.coalesce(col(RetentionRow.last_contact_at), col(ProfileRow.added_at)) <= about,
            ~exists().where(
                and_(
                    col(StandingRow.profile_id) == col(ProfileRow.id),
                    col(StandingRow.kind) == StandingKind.EXPIRED.value,
                )
            ),
        )
    )
    found = [
        Duty(
            candidate_id=id_,
            name=name,
            added_at=added_at,
            due_at=months_later(max(added_at, contact or added_at), months),
        )
        for id_, name, added_at, contact in rows
    ]
    ending = [each for each in found if each.due_at <= before]
    return sorted(ending, key=lambda each: (each.due_at, each.candidate_id))


def _show_again(session: Session, workspace: str, months: int, now: datetime) -> None:
    rows = session.exec(
        select(ProfileRow.id, ProfileRow.added_at, RetentionRow.last_contact_at)
        .join(StandingRow, col(StandingRow.profile_id) == col(ProfileRow.id))
        .join(RetentionRow, col(RetentionRow.profile_id) == col(ProfileRow.id), isouter=True)
        .where(ProfileRow.workspace == workspace, StandingRow.kind == StandingKind.EXPIRED.value)
    )
    for id_, added_at, contact in rows.all():
        start = max(added_at, contact or added_at)
        if not months or months_later(start, months) > now:
            session.connection().execute(
                delete(StandingRow).where(
                    col(StandingRow.profile_id) == id_,
                    col(StandingRow.kind) == StandingKind.EXPIRED.value,
                )
            )
            note_people_changed(session.connection(), [id_])


def _hidden(session: Session, workspace: str) -> list[Duty]:
    rows = session.exec(
        select(ProfileRow.id, ProfileRow.name, ProfileRow.added_at, StandingRow.at)
        .join(StandingRow, col(StandingRow.profile_id) == col(ProfileRow.id))
        .where(
            ProfileRow.workspace == workspace,
            StandingRow.kind == StandingKind.EXPIRED.value,
        )
        .order_by(col(StandingRow.at), col(ProfileRow.id))
    )
    return [
        Duty(candidate_id=id_, name=name, added_at=added_at, due_at=at + HIDDEN_FOR)
        for id_, name, added_at, at in rows
    ]
