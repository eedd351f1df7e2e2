"""``/candidate audit``: who looked at, shared, exported, added, changed or erased whom.

::

    audit                 the newest entries
    audit NAME            what was done with a candidate
    audit @colleague      what somebody did (or their user id, terminal:LOGIN, folder)
    … before N            the entries before number N, to turn the page

For admins; reading the audit is an entry of it too.
"""

from datetime import datetime, tzinfo
from typing import Any, Final

import regex

from handlers.features.question import Question, names_somebody, one_person
from handlers.features.replies import Reply, done
from handlers.views.audit import PAGE, AuditPage, audit_message
from handlers.views.card import Setting
from storage.errors import BotError, quoted
from storage.records import AuditEntry
from storage.store import Store

_BEFORE: Final = regex.compile(r"(?:^|\s+)before\s+([1-9][0-9]{0,11})$", regex.IGNORECASE)
_ACTOR: Final = regex.compile(r"[UW][A-Z0-9]{6,}|terminal:\S+|folder|seeds|settings|clock")


class NobodyActsSo(BotError):
    """What was written is no user id and nothing else that acts here."""


def an_audit(question: Question, rest: str) -> bool:
    """Nothing, somebody who acts, or a person who is stored; then perhaps where to go on."""
    whom = _BEFORE.sub("", rest)
    return not whom or bool(_ACTOR.fullmatch(_bare(whom))) or names_somebody(question, whom)


def run_audit(question: Question, rest: str) -> Reply:
    before = _BEFORE.search(rest)
    whom = _BEFORE.sub("", rest)
    who, candidate = _bare(whom) if _ACTOR.fullmatch(_bare(whom)) else None, None
    about = ""
    if whom and who is None:
        candidate, others = one_person(question.store, whom)
        if candidate is None:
            return done(
                f"audit {rest}",
                f"{len(others)} people could be “{whom}”. "
                "Write more of the name: `/candidate audit FULL NAME`.",
            )
        about = candidate.profile.name
    page = page_of(
        question.store,
        who=who,
        candidate_id=candidate.id if candidate else None,
        before=int(before[1]) if before else None,
        asked=f"audit {whom}".strip(),
        about=about,
    )
    message = audit_message(page, question.setting)
    named = {id_ for entry in page.entries for id_ in entry.candidate_ids}
    return Reply(
        done(f"audit {rest}".strip(), message.plain).answer,
        message,
        action="audit",
        about=tuple(sorted(named & set(page.names))),
    )


def actor_typed(text: str) -> str:
    """Who is meant by ``@U0MIRALINDG``, ``terminal:ada``, ``folder``. Raises NobodyActsSo."""
    who = _bare(text.strip())
    if not _ACTOR.fullmatch(who):
        raise NobodyActsSo(
            f"“{quoted(text)}” is no Slack id: write one as the audit prints it, "
            "such as U0MIRALINDG."
        )
    return who


def _bare(text: str) -> str:
    """An id without the ``@`` that the audit prints before it."""
    return text.removeprefix("@")


def page_of(
    store: Store,
    *,
    who: str | None = None,
    candidate_id: str | None = None,
    before: int | None = None,
    limit: int = PAGE,
    asked: str = "audit",
    about: str = "",
) -> AuditPage:
    """One page of the audit, with the names of those people in it who are still stored."""
    entries = store.audited(who=who, candidate_id=candidate_id, before=before, limit=limit + 1)
    shown = entries[:limit]
    ids = list(dict.fromkeys(id_ for entry in shown for id_ in entry.candidate_ids))
    names = {each.id: each.profile.name for each in store.candidates(ids)}
    return AuditPage(
        entries=tuple(shown),
        names=names,
        asked=asked,
        about=about,
        who=who,
        older=shown[-1].number if len(entries) > limit else None,
    )


def page_as_text(page: AuditPage, *, now: datetime, zone: tzinfo) -> str:
    """The page for a terminal, with how to go on."""
    text = audit_message(page, Setting(now=now, zone=zone)).plain
    return f"{text}\nOlder: --before {page.older}" if page.older is not None else text


def page_as_json(page: AuditPage) -> dict[str, Any]:
    """The document that ``audit --json`` prints; ``older`` goes on with ``--before``."""
    return {
        "entries": [entry_as_json(entry, page) for entry in page.entries],
        "older": page.older,
    }


def entry_as_json(entry: AuditEntry, page: AuditPage) -> dict[str, Any]:
    return {
        "number": entry.number,
        "at": entry.at.isoformat(),
        "who": entry.who,
        "action": entry.action,
        "place": entry.place,
        "text": entry.text,
        "people": [{"id": id_, "name": page.names.get(id_)} for id_ in entry.candidate_ids],
    }
