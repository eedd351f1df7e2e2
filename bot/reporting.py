"""The report that a person may ask for (GDPR Art. 15): everything held, ready to send.

As a document for programs; ``bot.report_letter`` makes of it a letter to the person.
Recipients are all who saw, opened, searched out, shared or exported the record, from the
audit; what they typed is told where it named nobody else.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from storage.profile_json import profile_to_document
from storage.records import AuditEntry
from storage.retention import HIDDEN_FOR
from storage.store import Store

SEARCHES: Final = frozenset({"ask", "page"})


def report(store: Store, candidate_id: str, *, months: int, now: datetime) -> dict[str, Any] | None:
    """Everything held about a person; None when there is nobody of this id.

    ``months`` is how long people are kept (``RETENTION_MONTHS``).
    """
    held = store.held_about(candidate_id)
    if held is None:
        return None
    candidate = held.candidate
    kept = store.kept(candidate.id, months=months)
    notice = store.notice(candidate.id, now=now)
    return {
        "made_at": now.isoformat(),
        "id": candidate.id,
        "earlier_ids": list(held.other_ids),
        "facts": profile_to_document(candidate.profile),
        "added": {
            "at": candidate.added_at.isoformat(),
            "by": candidate.added_by,
            "via": candidate.added_via,
            "updated_at": candidate.updated_at.isoformat(),
        },
        "sources": [
            {
                "name": each.name,
                "added_at": each.added_at.isoformat(),
                "added_by": each.added_by,
                "added_via": each.added_via,
                "read_by": each.parser,
                "text": each.text,
            }
            for each in held.texts
        ],
        "history": [
            {"at": each.at.isoformat(), "by": each.by, "changes": list(each.changes)}
            for each in held.history
        ],
        "recipients": _recipients(held.audit),
        "searches": [
            {"at": each.at.isoformat(), "by": each.who, "where": each.place, "asked": each.text}
            for each in held.audit
            if each.action in SEARCHES
        ],
        "digests": [
            {
                "digest": each.digest,
                "channel": each.channel,
                "posted_at": each.posted_at.isoformat() if each.posted_at else None,
            }
            for each in held.digests
        ],
        "messages": [
            {
                "channel": each.channel,
                "ts": each.ts,
                "kind": each.kind,
                "by": each.by,
                "posted_at": each.posted_at.isoformat(),
                "withdrawn_at": each.withdrawn_at.isoformat() if each.withdrawn_at else None,
            }
            for each in held.messages
        ],
        "added_from_slack": [
            {"at": at.isoformat(), "by": by, "outcome": outcome}
            for at, by, outcome in held.added_with
        ],
        "restrictions": [
            {"kind": each.kind.value, "since": each.at.isoformat(), "by": each.by,
             "reason": each.reason}
            for each in candidate.standings
        ],
        "in_touch": [
            {"who": each.who, "since": each.since.isoformat(), "until": each.until.isoformat()}
            for each in candidate.in_touch
        ],
        "told_of_being_stored": {
            "state": notice.state.value,
            "at": notice.at.isoformat(),
            "by": notice.by,
            "reason": notice.reason,
        }
        if notice
        else None,
        "kept": {
            "first_collected_at": kept.first_collected_at.isoformat(),
            "last_contact_at": kept.last_contact_at.isoformat() if kept.last_contact_at else None,
            "hidden_at": kept.ends_at.isoformat() if kept.ends_at else None,
            "erased_at": (kept.erased_at or kept.ends_at + HIDDEN_FOR).isoformat()
            if kept.ends_at
            else None,
        }
        if kept
        else None,
    }  # fmt: skip


def _recipients(entries: Sequence[AuditEntry]) -> list[dict[str, Any]]:
    """Who did what with the record how often, first and last."""
    seen: dict[tuple[str, str], list[AuditEntry]] = {}
    for entry in entries:
        seen.setdefault((entry.who, entry.action), []).append(entry)
    return [
        {
            "who": who,
            "action": action,
            "times": len(those),
            "first": those[0].at.isoformat(),
            "last": those[-1].at.isoformat(),
            "places": sorted({each.place for each in those if each.place}),
        }
        for (who, action), those in seen.items()
    ]
