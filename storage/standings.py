"""Standings of people, and who is in touch with whom; ``storage.uses`` says what they allow."""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import delete, func, insert, not_, update
from sqlmodel import Session, col, select

from storage.candidates import actual_id, load_candidates
from storage.changed import note_people_changed
from storage.cleanings import add_cleanings
from storage.digests import forget_in_digests
from storage.keyring import hash_key
from storage.models import InTouchRow, ProfileRow, RetentionRow, StandingRow
from storage.naming import mark_of
from storage.records import Candidate, InTouch, StandingKind, Use
from storage.room import Room
from storage.search.folding import tokens
from storage.traces import messages_naming
from storage.uses import FORBIDS, without

IN_TOUCH_FOR: Final = timedelta(days=30)
"""How long "I'm on it" holds unless it is said again."""


class Standings(Room):
    """Setting and lifting standings; taking a person up and letting them go."""

    def set_standing(
        self,
        candidate_id: str,
        kind: StandingKind,
        *,
        by: str,
        reason: str = "",
        now: datetime,
        list_id: str | None = None,
    ) -> bool:
        """Give a person a standing: True when they have it now and had not before.

        A digest that is on its way and not posted yet loses them, if the standing wants so,
        and the messages that may no longer name them are listed to be cleaned in the same
        transaction, under ``list_id`` (for ``claim_cleaning`` and ``cleanings``), had they
        the standing before or not: a message may have been posted meanwhile.
        """
        with self.database.write() as session:
            actual = actual_id(session, self.workspace, candidate_id)
            if actual is None:
                return False
            self._take_down(session, actual, kind, list_id or self.new_id(), now)
            if session.get(StandingRow, (actual, kind.value)) is not None:
                return False
            session.connection().execute(
                insert(StandingRow).values(
                    profile_id=actual, kind=kind.value, at=now, by=by, reason=reason
                )
            )
            note_people_changed(session.connection(), [actual])
            if Use.DIGEST in FORBIDS[kind]:
                forget_in_digests(session, actual, unposted=True)
            return True

    def _take_down(
        self, session: Session, profile_id: str, kind: StandingKind, list_id: str, now: datetime
    ) -> None:
        """List the messages that a person of this standing may not stand in."""
        if Use.SHARE not in FORBIDS[kind]:
            return
        name = session.exec(select(ProfileRow.name).where(ProfileRow.id == profile_id)).one()
        answers = Use.SEARCH in FORBIDS[kind]
        add_cleanings(
            session, self.workspace, self.new_id,
            messages_naming(session, self.workspace, profile_id, answers=answers),
            erasure_id=list_id, person_id=profile_id,
            mark=mark_of(hash_key(session.connection()), name), now=now,
        )  # fmt: skip

    def lift_standing(self, candidate_id: str, kind: StandingKind) -> bool:
        """Take a standing away: True when the person had it."""
        with self.database.write() as session:
            actual = actual_id(session, self.workspace, candidate_id)
            lifted = session.connection().execute(
                delete(StandingRow).where(
                    col(StandingRow.profile_id) == actual, col(StandingRow.kind) == kind.value
                )
            )
            if actual is None or lifted.rowcount == 0:
                return False
            note_people_changed(session.connection(), [actual])
            return True

    def hidden_called(self, text: str) -> list[Candidate]:
        """People whom no search shows and whose name has all these words, or whose login it is."""
        words = set(tokens(text))
        if not words:
            return []
        with self.database.read() as session:
            rows = session.exec(
                select(ProfileRow.id, ProfileRow.name, ProfileRow.login_text)
                .where(ProfileRow.workspace == self.workspace, not_(without(Use.SEARCH)))
                .order_by(col(ProfileRow.id))
            )
            ids = [
                profile_id
                for profile_id, name, login in rows
                if words <= set(tokens(name)) or (login and login == text.strip().casefold())
            ]
            return load_candidates(session, self.workspace, ids)

    def count_hidden(self) -> int:
        """How many people are kept whom no search shows."""
        with self.database.read() as session:
            return session.exec(
                select(func.count())
                .select_from(ProfileRow)
                .where(ProfileRow.workspace == self.workspace, not_(without(Use.SEARCH)))
            ).one()

    def take_up(
        self,
        candidate_id: str,
        *,
        who: str,
        now: datetime,
        lasting: timedelta = IN_TOUCH_FOR,
    ) -> InTouch | None:
        """Note that ``who`` is in touch with a person from now on; None when there is nobody.

        Said again it lasts longer and began when it began. It moves the last
        contact, from which retention counts.
        """
        with self.database.write() as session:
            actual = actual_id(session, self.workspace, candidate_id)
            if actual is None:
                return None
            connection, until = session.connection(), now + lasting
            known = session.get(InTouchRow, (actual, who))
            since = known.since if known is not None and known.until > now else now
            connection.execute(
                delete(InTouchRow).where(
                    col(InTouchRow.profile_id) == actual, col(InTouchRow.who) == who
                )
            )
            connection.execute(
                insert(InTouchRow).values(profile_id=actual, who=who, since=since, until=until)
            )
            _contacted(session, actual, now)
            return InTouch(who=who, since=since, until=until)

    def let_go(self, candidate_id: str, *, who: str) -> bool:
        """Note that ``who`` is no longer in touch with a person: True when they were."""
        with self.database.write() as session:
            actual = actual_id(session, self.workspace, candidate_id)
            return (
                session.connection()
                .execute(
                    delete(InTouchRow).where(
                        col(InTouchRow.profile_id) == actual, col(InTouchRow.who) == who
                    )
                )
                .rowcount
                == 1
            )


def _contacted(session: Session, profile_id: str, now: datetime) -> None:
    """Move the person's last contact to ``now``."""
    connection = session.connection()
    if session.get(RetentionRow, profile_id) is None:
        connection.execute(insert(RetentionRow).values(profile_id=profile_id, last_contact_at=now))
    else:
        connection.execute(
            update(RetentionRow)
            .where(col(RetentionRow.profile_id) == profile_id)
            .values(last_contact_at=now, warned_at=None)
        )
