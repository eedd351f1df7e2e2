"""The report that a person may ask for (GDPR Art. 15): everything held, ready to send.

As JSON for programs and as Markdown for people. Recipients are all who saw, opened,
searched out, shared or exported the record, from the audit; what they typed is
told where it named nobody else.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from storage.profile_json import profile_to_document
from storage.records import AuditEntry
from storage.retention import HIDDEN_FOR
from storage.store import Store

ACTIONS: Final[Mapping[str, str]] = {
    "ask": "found by a question",
    "page": "found by a question",
    "open": "opened the card",
    "more": "opened the details",
    "history": "looked at the history",
    "share": "shared the card",
    "withdraw": "took a shared card back",
    "export": "exported",
    "report": "made this report",
    "stand": "set a restriction",
    "lift": "lifted a restriction",
    "take_up": "got in touch",
    "let_go": "ended being in touch",
    "notice": "noted whether the person was told",
    "add": "added or updated",
}
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


def as_markdown(told: Mapping[str, Any]) -> str:
    """The report for people. Texts stand in it as they are stored, in fenced blocks."""
    return "\n".join(_lines(told)) + "\n"


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


def _lines(told: Mapping[str, Any]) -> Iterator[str]:
    facts = told["facts"]
    yield f"# What is stored about {facts['name']}"
    yield ""
    yield f"Made on {told['made_at']}. Record {told['id']}. All times are in UTC."
    yield from _heading("Facts")
    yield from _facts(facts)
    for heading, lines in (
        ("Where they come from", _sources(told)),
        ("What happened to the record", _history(told)),
        ("Who saw it, and what they did", _seen(told)),
        ("Searches that showed it", _searches(told)),
        ("Messages and digests", _messages(told)),
        ("Restrictions and contact", _restrictions(told)),
        ("Notice, and how long it is kept", _kept(told)),
    ):
        yield from _heading(heading)
        yield from list(lines) or ["None."]
    yield ""
    yield "Gender, age, origin and photos are not among the facts and rank nobody."


def _sources(told: Mapping[str, Any]) -> Iterator[str]:
    for source in told["sources"]:
        yield (
            f"- **{source['name']}**, added {source['added_at']} by {source['added_by']} "
            f"({source['added_via']}), read by {source['read_by']}:"
        )
        yield ""
        yield from _fenced(source["text"])
        yield ""


def _history(told: Mapping[str, Any]) -> Iterator[str]:
    for each in told["history"]:
        yield f"- {each['at']} by {each['by']}: {'; '.join(each['changes'])}"
    for each in told["added_from_slack"]:
        yield f"- {each['at']} by {each['by']} in Slack: {each['outcome']}"


def _seen(told: Mapping[str, Any]) -> Iterator[str]:
    for each in told["recipients"]:
        what = ACTIONS.get(each["action"], each["action"])
        when = f"{each['first']} to {each['last']}"
        yield f"- {each['who']}: {what}, {each['times']}× ({when}; {', '.join(each['places'])})"


def _searches(told: Mapping[str, Any]) -> Iterator[str]:
    for each in told["searches"]:
        yield f"- {each['at']} by {each['by']} in {each['where']}: {each['asked'] or '(erased)'}"


def _messages(told: Mapping[str, Any]) -> Iterator[str]:
    for each in told["messages"]:
        gone = f", withdrawn {each['withdrawn_at']}" if each["withdrawn_at"] else ""
        yield f"- {each['posted_at']}: {each['kind']} in {each['channel']} by {each['by']}{gone}"
    for each in told["digests"]:
        when = each["posted_at"] or "not posted yet"
        yield f"- digest {each['digest']} in {each['channel']}: {when}"


def _restrictions(told: Mapping[str, Any]) -> Iterator[str]:
    for each in told["restrictions"]:
        yield f"- {each['kind']} since {each['since']} by {each['by']}: {each['reason'] or '-'}"
    for each in told["in_touch"]:
        yield f"- {each['who']} in touch since {each['since']} (until {each['until']})"


def _kept(told: Mapping[str, Any]) -> Iterator[str]:
    notice, kept = told["told_of_being_stored"], told["kept"]
    if notice:
        why = f"{notice['by']} {notice['reason']}".strip()
        yield f"- notice: {notice['state']} ({notice['at']}) {why}".rstrip()
    if kept:
        yield f"- first collected {kept['first_collected_at']}"
        yield f"- last contact {kept['last_contact_at'] or 'none'}"
        yield (
            f"- hidden {kept['hidden_at']}, erased {kept['erased_at']}"
            if kept["hidden_at"]
            else "- kept until somebody removes it"
        )


def _facts(facts: Mapping[str, Any]) -> Iterator[str]:
    for key, value in facts.items():
        if value not in (None, [], {}, ""):
            yield f"- {key}: {_flat(value)}"


def _flat(value: Any) -> str:
    if isinstance(value, Mapping):
        inner = ", ".join(f"{k} {_flat(v)}" for k, v in value.items() if v not in (None, [], {}))
        return f"({inner})"
    if isinstance(value, list):
        return "; ".join(_flat(each) for each in value)
    return str(value)


def _heading(text: str) -> Iterator[str]:
    yield ""
    yield f"## {text}"
    yield ""


def _fenced(text: str) -> Iterator[str]:
    """The text in a fence that it cannot close."""
    longest = max((len(run) for run in _runs(text)), default=0)
    fence = "`" * max(3, longest + 1)
    yield f"{fence}text"
    yield text.rstrip("\n")
    yield fence


def _runs(text: str) -> Iterator[str]:
    run = ""
    for letter in text:
        if letter == "`":
            run += letter
        elif run:
            yield run
            run = ""
    if run:
        yield run
