"""Forgetting a person, and what is still to be cleaned outside the database afterwards.

One transaction writes the tombstone, erases the person, and lists what is left
to do: messages of ours in Slack, files that were watched, the wiping of free
pages. So a kill at any moment leaves either the person, whole, or the tombstone
and the list; whoever comes next (the command, or the bot's clock) works it off.

::

    pending ─→ done       edited, deleted, gone already
       │  └──→ pending    Slack said when to come again, or did not answer
       └─────→ failed     Slack will not do it: somebody has to
    by_hand               a file that holds other people too
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, update
from sqlmodel import Session, col, select

from storage.audit import write_entry
from storage.candidates import actual_id
from storage.cleanings import Cleaning, Cleanings, NewCleaning, add_cleanings
from storage.erasing import erase_person
from storage.keyring import hash_key
from storage.models import (
    AuditRow,
    ProfileRow,
    RefusedFileRow,
    TombstoneRow,
)
from storage.naming import mark_of
from storage.recognising import (
    REFERENCE,
    any_tombstone,
    documents_of,
    known_by,
    known_by_id,
    standing_tombstone,
)
from storage.records import Profile
from storage.search.index import encode
from storage.tombstone_file import read_lines
from storage.tombstones import FILE, Tombstones, bury
from storage.traces import (
    counts_of,
    digests_asking,
    exports_of,
    forget_reasons,
    messages_naming,
    names_of,
    rename_documents,
    texts_naming,
    without_name,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """A receipt: what was erased, and what became of the rest. It says nothing of who it was."""

    id: str
    at: datetime
    by: str
    counts: dict[str, int]
    exports: tuple[dict[str, str], ...] = ()
    """Exports that held the person: when, who, where."""
    mentioned_in: tuple[str, ...] = ()
    """Ids of other people whose documents mention the name."""
    digests: tuple[int, ...] = ()
    """Numbers of digests whose question names the person."""
    copies: tuple[str, ...] = ()
    """Older copies of the database beside it."""
    cleanings: tuple[Cleaning, ...] = ()

    @property
    def reference(self) -> str:
        return self.id[:REFERENCE]


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """What lies outside the database, as ``bot.forgetting`` found it: paths, and refused files."""

    remove: tuple[str, ...] = ()
    by_hand: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    """Ids of refused files that hold nobody else."""


class Forgetting(Tombstones, Cleanings):
    """Erasing people for good, and the list of what is to be cleaned after them."""

    def forget(
        self,
        candidate_id: str,
        *,
        by: str,
        place: str,
        reason: str = "",
        files: Files = Files(),
        now: datetime,
    ) -> Erasure | None:
        """Erase a person everywhere and keep them out; None when there is nobody of this id.

        The person may come back only when the tombstone is lifted. What is outside the
        database is listed in the receipt's ``cleanings``, to be done afterwards.
        """
        return self._erase(
            candidate_id, action="forget", by=by, place=place, reason=reason, files=files, now=now
        )

    def expire(self, candidate_id: str, *, files: Files, now: datetime) -> Erasure | None:
        """Erase somebody whose time is over. They may be added again: no tombstone is left."""
        return self._erase(
            candidate_id, action="expire", by="clock", place="", reason="", files=files, now=now
        )

    def erasure(self, reference: str) -> Erasure | None:
        """The receipt of a forgotten person, as things stand now."""
        tombstone = self.tombstone(reference)
        if tombstone is None or tombstone.receipt is None:
            return None
        return _receipt(
            tombstone.id, tombstone.at, tombstone.by, tombstone.receipt,
            self.cleanings(tombstone.id),
        )  # fmt: skip

    def documents_said(self, candidate_id: str) -> list[Profile]:
        """What each kept document of a person said, the oldest first."""
        with self.database.read() as session:
            actual = actual_id(session, self.workspace, candidate_id)
            return [] if actual is None else [said for said, _ in documents_of(session, actual)]

    def refused_contents(self) -> list[tuple[str, str, bytes]]:
        """Id, name and compressed content of each refused file that is kept."""
        with self.database.read() as session:
            rows = session.exec(
                select(RefusedFileRow.id, RefusedFileRow.name, RefusedFileRow.content).where(
                    RefusedFileRow.workspace == self.workspace
                )
            )
            return [(row[0], row[1], row[2]) for row in rows]

    def refused_ids(self) -> list[str]:
        """Ids of the refused files that are kept."""
        with self.database.read() as session:
            return list(
                session.exec(
                    select(RefusedFileRow.id).where(RefusedFileRow.workspace == self.workspace)
                )
            )

    def erase_tombstoned(self, now: datetime) -> int:
        """Erase whoever is stored although a tombstone names them; returns how many they were.

        For after a backup was restored. Whom only a name with a headline or a school
        would tell is left: see ``storage.recognising``.
        """
        erased = 0
        for profile_id in self._stored_ids():
            with self.database.write() as session:
                connection = session.connection()
                if not any_tombstone(connection, self.workspace):
                    break
                key = hash_key(connection)
                hashes = known_by_id(key, profile_id)
                for profile, text in documents_of(session, profile_id):
                    hashes |= known_by(key, profile, text, certain=True)
                found = standing_tombstone(connection, self.workspace, hashes)
                if found is None:
                    continue
                self._take_out(
                    session, profile_id, erasure_id=found, action="forget", by="restore",
                    place=found[:REFERENCE], files=Files(), now=now, texts=[],
                )  # fmt: skip
                erased += 1
        if erased:
            self.database.scrub()
        return erased

    def apply_tombstones(self, now: datetime) -> int:
        """Take over what the file beside the database knows, erase whom it names; how many.

        Cheap when the file knows nothing new: every program that opens the database does it.
        """
        kept = read_lines(self.database.beside(FILE))
        known = {(each["id"], each["lifted_at"]) for each in self.tombstones_of()} if kept else ()
        news = [row for row in kept if (row["id"], row.get("lifted_at")) not in known]
        if not news:
            return 0
        self.merge_tombstones(news)
        return self.erase_tombstoned(now)

    def _erase(
        self,
        candidate_id: str,
        *,
        action: str,
        by: str,
        place: str,
        reason: str,
        files: Files,
        now: datetime,
    ) -> Erasure | None:
        texts, upto = self._texts_before(candidate_id)
        erasure_id = self.new_id()
        with self.database.write() as session:
            actual = actual_id(session, self.workspace, candidate_id)
            if actual is None:
                return None
            if action == "forget":
                reason = without_name(reason, names_of(session, actual))
                bury(
                    session, self.workspace, actual,
                    tombstone_id=erasure_id, by=by, reason=reason, now=now,
                )  # fmt: skip
            texts += texts_naming(session, self.workspace, names_of(session, actual), after=upto)
            told = self._take_out(
                session, actual, erasure_id=erasure_id, action=action, by=by, place=place,
                files=files, now=now, texts=texts,
            )  # fmt: skip
            session.connection().execute(
                update(TombstoneRow).where(col(TombstoneRow.id) == erasure_id).values(receipt=told)
            )
        self.keep_tombstones()
        return _receipt(erasure_id, now, by, told, self.cleanings(erasure_id))

    def _texts_before(self, candidate_id: str) -> tuple[list[str], int]:
        """Audit entries whose text names the person, looked for before anything is locked."""
        with self.database.read() as session:
            actual = actual_id(session, self.workspace, candidate_id)
            last = session.exec(
                select(func.coalesce(func.max(AuditRow.number), 0)).where(
                    AuditRow.workspace == self.workspace
                )
            ).one()
            if actual is None:
                return [], 0
            return texts_naming(session, self.workspace, names_of(session, actual)), last

    def _take_out(
        self,
        session: Session,
        profile_id: str,
        *,
        erasure_id: str,
        action: str,
        by: str,
        place: str,
        files: Files,
        now: datetime,
        texts: Sequence[str],
    ) -> dict[str, Any]:
        """Erase the person within a transaction; returns what a receipt is made of."""
        connection = session.connection()
        key = hash_key(connection)
        names = names_of(session, profile_id)
        [(name, doc)] = session.exec(
            select(ProfileRow.name, ProfileRow.doc).where(ProfileRow.id == profile_id)
        )
        cleanings = [
            *messages_naming(session, self.workspace, profile_id),
            *(NewCleaning("file", path) for path in files.remove),
            *(NewCleaning("file", path, state="by_hand") for path in files.by_hand),
            NewCleaning("scrub", ""),
        ]
        told: dict[str, Any] = {
            "counts": counts_of(session, profile_id),
            "exports": exports_of(session, profile_id),
            "digests": digests_asking(session, self.workspace, names),
            "copies": list(self.database.copies()),
            "mentioned_in": self._mentions(session, names, doc),
        }
        add_cleanings(
            session, self.workspace, self.new_id, cleanings,
            erasure_id=erasure_id, person_id=profile_id, mark=mark_of(key, name), now=now,
        )  # fmt: skip
        number = write_entry(
            connection, workspace=self.workspace, entry_id=self.new_id(), who=by, action=action,
            place=place, now=now,
        )  # fmt: skip
        for first in range(0, len(texts), 500):
            connection.execute(
                update(AuditRow)
                .where(col(AuditRow.id).in_(texts[first : first + 500]), col(AuditRow.text) != "")
                .values(text="", emptied_by=number)
            )
        told["counts"]["refused_files"] = connection.execute(
            delete(RefusedFileRow).where(
                col(RefusedFileRow.id).in_(files.refused),
                col(RefusedFileRow.workspace) == self.workspace,
            )
        ).rowcount
        erase_person(session, self.database.text_index, profile_id, told_by=number)
        told["counts"]["audit_texts"] = session.exec(
            select(func.count()).where(
                AuditRow.workspace == self.workspace, AuditRow.emptied_by == number
            )
        ).one()
        rename_documents(session, self.workspace, names)
        forget_reasons(session, self.workspace, names)
        return told

    def _mentions(self, session: Session, names: list[list[str]], doc: int) -> list[str]:
        """Other people whose searched text holds the name."""
        phrases = [" ".join(map(encode, name)) for name in names if len(name) > 1]
        if not phrases:
            return []
        return list(
            session.exec(
                select(ProfileRow.id)
                .where(
                    ProfileRow.workspace == self.workspace,
                    ProfileRow.doc != doc,
                    col(ProfileRow.doc).in_(self.database.text_index.having(phrases)),
                )
                .order_by(col(ProfileRow.id))
                .limit(50)
            )
        )

    def _stored_ids(self) -> Sequence[str]:
        with self.database.read() as session:
            return session.exec(
                select(ProfileRow.id).where(ProfileRow.workspace == self.workspace)
            ).all()


def _receipt(
    erasure_id: str,
    at: datetime,
    by: str,
    told: dict[str, Any],
    cleanings: Iterable[Cleaning],
) -> Erasure:
    return Erasure(
        id=erasure_id,
        at=at,
        by=by,
        counts=dict(told["counts"]),
        exports=tuple(told["exports"]),
        mentioned_in=tuple(told["mentioned_in"]),
        digests=tuple(told["digests"]),
        copies=tuple(told["copies"]),
        cleanings=tuple(cleanings),
    )
