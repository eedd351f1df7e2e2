"""Where a person has left traces beside their own rows: messages, questions, exports, names."""

from typing import Final

from sqlalchemy import func, or_, update
from sqlmodel import Session, col, select

from storage.cleanings import NewCleaning
from storage.models import (
    AuditRow,
    AuditSubjectRow,
    DigestItemRow,
    DigestPartRow,
    DigestRunRow,
    HistoryRow,
    PostedMessageRow,
    PostedPersonRow,
    SourceRow,
    SubscriptionRow,
    TombstoneRow,
)
from storage.naming import is_named
from storage.recognising import documents_of
from storage.search.folding import tokens

NAMELESS: Final = "a file that several people came from"
"""What a document of somebody else is called whose file name named the person."""


def names_of(session: Session, profile_id: str) -> list[list[str]]:
    """What the person is called in a question: each name, and each login, as folded words."""
    called: list[list[str]] = []
    for profile, _ in documents_of(session, profile_id):
        called += [tokens(profile.name), tokens(profile.likely_login or "")]
    return [list(each) for each in dict.fromkeys(map(tuple, called)) if each]


def texts_naming(
    session: Session, workspace: str, names: list[list[str]], *, after: int = 0
) -> list[str]:
    rows = session.exec(
        select(AuditRow.id, AuditRow.text).where(
            AuditRow.workspace == workspace, AuditRow.text != "", AuditRow.number > after
        )
    )
    return [audit_id for audit_id, text in rows if is_named(text, names)]


def messages_naming(
    session: Session, workspace: str, profile_id: str, *, answers: bool = True
) -> list[NewCleaning]:
    """Messages that name the person, and those of digests that are on their way just now.

    Without ``answers``, of what somebody asked and was told nothing is listed.
    """
    standing = session.exec(
        select(PostedMessageRow.channel, PostedMessageRow.ts)
        .join(PostedPersonRow, col(PostedPersonRow.message_id) == col(PostedMessageRow.id))
        .where(
            PostedPersonRow.profile_id == profile_id,
            PostedMessageRow.workspace == workspace,
            col(PostedMessageRow.withdrawn_at).is_(None),
            answers or PostedMessageRow.kind != "answer",
        )
    )
    found = [NewCleaning("message", channel, ts) for channel, ts in standing]
    under_way = session.exec(
        select(DigestItemRow.run_id, DigestItemRow.part)
        .join(DigestRunRow, col(DigestRunRow.id) == col(DigestItemRow.run_id))
        .join(
            DigestPartRow,
            (col(DigestPartRow.run_id) == col(DigestItemRow.run_id))
            & (col(DigestPartRow.part) == col(DigestItemRow.part)),
        )
        .where(
            DigestItemRow.profile_id == profile_id,
            col(DigestPartRow.ts).is_(None),
            or_(
                col(DigestRunRow.first_claim_at).is_not(None), col(DigestRunRow.owner).is_not(None)
            ),
        )
    )
    return found + [NewCleaning("digest", run_id, str(part)) for run_id, part in under_way]


def counts_of(session: Session, profile_id: str) -> dict[str, int]:
    def number(table: type[SourceRow | HistoryRow | DigestItemRow | PostedPersonRow]) -> int:
        return session.exec(
            select(func.count()).select_from(table).where(col(table.profile_id) == profile_id)
        ).one()

    return {
        "documents": number(SourceRow),
        "history": number(HistoryRow),
        "digests": number(DigestItemRow),
        "messages": number(PostedPersonRow),
    }


def exports_of(session: Session, profile_id: str) -> list[dict[str, str]]:
    rows = session.exec(
        select(AuditRow)
        .join(AuditSubjectRow, col(AuditSubjectRow.audit_id) == col(AuditRow.id))
        .where(AuditSubjectRow.profile_id == profile_id, AuditRow.action == "export")
        .order_by(col(AuditRow.number))
    )
    return [{"at": row.at.isoformat(), "who": row.who, "place": row.place} for row in rows]


def digests_asking(session: Session, workspace: str, names: list[list[str]]) -> list[int]:
    rows = session.exec(
        select(SubscriptionRow.number, SubscriptionRow.query).where(
            SubscriptionRow.workspace == workspace, SubscriptionRow.query != ""
        )
    )
    return [number for number, query in rows if is_named(query, names)]


def rename_documents(session: Session, workspace: str, names: list[list[str]]) -> None:
    """A file of several people may be called after the one: others keep it without its name."""
    words = [name for name in names if len(name) > 1]
    rows = session.exec(
        select(SourceRow.profile_id, SourceRow.id, SourceRow.name).where(
            SourceRow.workspace == workspace
        )
    )
    for profile_id, source_id, name in rows.all():
        if is_named(name, words):
            session.connection().execute(
                update(SourceRow)
                .where(col(SourceRow.profile_id) == profile_id, col(SourceRow.id) == source_id)
                .values(name=NAMELESS, file_key=None)
            )


def without_name(reason: str, names: list[list[str]]) -> str:
    """A reason that somebody typed, or none where it holds a word of the name."""
    said = set(tokens(reason))
    return "" if any(said & set(name) for name in names) else reason


def forget_reasons(session: Session, workspace: str, names: list[list[str]]) -> None:
    """Why an earlier tombstone of the same person was lifted may name them."""
    rows = session.exec(
        select(TombstoneRow.id, TombstoneRow.lift_reason).where(
            TombstoneRow.workspace == workspace, col(TombstoneRow.lift_reason).is_not(None)
        )
    )
    for tombstone_id, reason in rows.all():
        session.connection().execute(
            update(TombstoneRow)
            .where(col(TombstoneRow.id) == tombstone_id)
            .values(lift_reason=without_name(reason or "", names))
        )
