"""Everything that is held about one person, for a report (GDPR Art. 15)."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import col, select

from storage.candidates import actual_id, ids_of, load_candidates
from storage.models import (
    AuditRow,
    AuditSubjectRow,
    DigestItemRow,
    DigestPartRow,
    DigestRunRow,
    IntakeItemRow,
    IntakeRow,
    PostedMessageRow,
    PostedPersonRow,
    SourceRow,
    SubscriptionRow,
)
from storage.people import People
from storage.records import AuditEntry, Candidate, HistoryEntry, PostedMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A stored document with its text."""

    id: str
    name: str
    added_by: str
    added_via: str
    added_at: datetime
    parser: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """That a digest told of the person: which, where and when; ``posted_at`` None when not yet."""

    digest: int
    channel: str
    posted_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """Everything that is held about a person beside what ``storage.retention`` says."""

    candidate: Candidate
    other_ids: tuple[str, ...]
    texts: tuple[Text, ...]
    history: tuple[HistoryEntry, ...]
    audit: tuple[AuditEntry, ...]
    """Every entry about them, the oldest first; texts may name others too."""
    messages: tuple[PostedMessage, ...]
    digests: tuple[Told, ...]
    added_with: tuple[tuple[datetime, str, str], ...]
    """When, by whom and how somebody's message from Slack changed the record."""


class Reporting(People):
    """Collecting a report."""

    def held_about(self, candidate_id: str) -> Held | None:
        """Everything about the person of this id, hidden or not; None when there is nobody."""
        with self.database.read() as session:
            actual = actual_id(session, self.workspace, candidate_id)
            if actual is None:
                return None
            [candidate] = load_candidates(session, self.workspace, [actual])
            ids = ids_of(session, actual)
            sources = session.exec(
                select(SourceRow)
                .where(col(SourceRow.profile_id).in_(ids))
                .order_by(col(SourceRow.added_at), col(SourceRow.version))
            )
            entries = session.exec(
                select(AuditRow)
                .join(AuditSubjectRow, col(AuditSubjectRow.audit_id) == col(AuditRow.id))
                .where(col(AuditSubjectRow.profile_id).in_(ids))
                .distinct()
                .order_by(col(AuditRow.number))
            )
            messages = session.exec(
                select(PostedMessageRow)
                .join(PostedPersonRow, col(PostedPersonRow.message_id) == col(PostedMessageRow.id))
                .where(col(PostedPersonRow.profile_id).in_(ids))
                .distinct()
                .order_by(col(PostedMessageRow.posted_at), col(PostedMessageRow.id))
            )
            digests = session.exec(
                select(DigestItemRow.subscription, SubscriptionRow.channel, DigestPartRow.posted_at)
                .join(DigestRunRow, col(DigestRunRow.id) == col(DigestItemRow.run_id))
                .join(
                    SubscriptionRow,
                    (col(SubscriptionRow.workspace) == col(DigestItemRow.workspace))
                    & (col(SubscriptionRow.number) == col(DigestItemRow.subscription)),
                )
                .join(
                    DigestPartRow,
                    (col(DigestPartRow.run_id) == col(DigestItemRow.run_id))
                    & (col(DigestPartRow.part) == col(DigestItemRow.part)),
                )
                .where(DigestItemRow.profile_id == actual)
                .order_by(col(DigestRunRow.due_at))
            )
            added = session.exec(
                select(IntakeRow.at, IntakeRow.by, IntakeItemRow.outcome)
                .join(IntakeItemRow, col(IntakeItemRow.intake_id) == col(IntakeRow.id))
                .where(col(IntakeItemRow.profile_id).in_(ids))
                .order_by(col(IntakeRow.at))
            )
            return Held(
                candidate=candidate,
                other_ids=tuple(ids[1:]),
                texts=tuple(
                    Text(
                        id=row.id,
                        name=row.name,
                        added_by=row.added_by,
                        added_via=row.added_via,
                        added_at=row.added_at,
                        parser=row.parser,
                        text=row.text,
                    )
                    for row in sources
                ),
                history=tuple(reversed(self.history_in(session, actual))),
                audit=tuple(
                    AuditEntry(
                        number=row.number,
                        at=row.at,
                        who=row.who,
                        action=row.action,
                        place=row.place,
                        text=row.text,
                    )
                    for row in entries
                ),
                messages=tuple(
                    PostedMessage(
                        id=row.id,
                        channel=row.channel,
                        ts=row.ts,
                        kind=row.kind,
                        by=row.by,
                        posted_at=row.posted_at,
                        withdrawn_at=row.withdrawn_at,
                    )
                    for row in messages
                ),
                digests=tuple(
                    Told(digest=number, channel=channel, posted_at=at)
                    for number, channel, at in digests
                ),
                added_with=tuple((at, by, outcome) for at, by, outcome in added),
            )
