"""Duties: who is to be told that they are stored, and whose time is over.

``/candidate duties`` for admins, a line a week to them, and the clock that hides
and erases: see ``storage.retention``.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import structlog

from bot.forgetting import files_of
from bot.settings import Settings
from handlers.edge.boundary import Edge, Request
from handlers.features.question import Question
from handlers.features.replies import Reply, done
from handlers.views.card_setting import Setting
from handlers.views.duties import (
    EVERY,
    EXEMPT,
    INFORMED,
    PAGE,
    PAGES,
    STILL_DUE,
    Noted,
    duties_message,
    week_of,
    weekly,
)
from storage.retention import NoticeState
from storage.store import Store

log = structlog.get_logger(__name__)


SHARE = timedelta(seconds=5)
"""How long one tick may erase: digests wait behind it."""
KEPT = 24
"""Months, where there are no settings."""


def retention_of(settings: Settings | None) -> int:
    return settings.retention_months if settings else KEPT


def run_duties(question: Question, _: str) -> Reply:
    months = retention_of(question.settings)
    found = question.store.duties(months=months, now=question.now, limit=PAGE)
    message = duties_message(found, question.setting, months=months)
    named = (*found.to_tell, *found.ending, *found.hidden)
    return replace(
        done("duties", message.plain, message), about=tuple(each.candidate_id for each in named)
    )


def register(edge: Edge) -> None:
    buttons = ((INFORMED, informed), (EXEMPT, exempt), (STILL_DUE, still_due), (PAGES, paged))
    for action, work in buttons:
        edge.action(re.compile(rf"^{re.escape(action)}(\.|$)"), work, action="duties")


def informed(request: Request) -> None:
    """I told them was pressed."""
    _note(request, NoticeState.INFORMED)


def exempt(request: Request) -> None:
    """Need not be told was pressed."""
    _note(request, NoticeState.EXEMPT)


def still_due(request: Request) -> None:
    """Undo was pressed: what was noted is taken back, unless something else was noted since."""
    edge = request.edge
    candidate_id, offset, state = [*request.heard.value.split(" "), "", ""][:3]
    taken = edge.store.withdraw_notice(candidate_id, NoticeState(state))
    if taken:
        _write_down(request, candidate_id, "still to be told")
    noted = _noted(request, candidate_id, NoticeState.DUE, new=taken) if taken else None
    _show(request, _number(offset), noted)


def paged(request: Request) -> None:
    """Next and Previous."""
    _show(request, _number(request.heard.value))


def _note(request: Request, state: NoticeState) -> None:
    edge = request.edge
    candidate_id, _, offset = request.heard.value.partition(" ")
    new = edge.store.set_notice(candidate_id, state, by=request.person.id, now=edge.clock())
    if new:
        _write_down(request, candidate_id, state.value)
    _show(request, _number(offset), _noted(request, candidate_id, state, new=new))


def _write_down(request: Request, candidate_id: str, text: str) -> None:
    request.edge.store.audit(
        who=request.person.id,
        action="notice",
        place=request.place.channel or request.place.kind,
        text=text,
        candidate_ids=[candidate_id],
        now=request.edge.clock(),
    )


def _noted(request: Request, candidate_id: str, state: NoticeState, *, new: bool) -> Noted | None:
    """What to say of it; None when the person was removed meanwhile."""
    candidate = request.edge.store.candidate(candidate_id)
    if candidate is None:
        return None
    return Noted(candidate_id=candidate.id, name=candidate.profile.name, state=state, new=new)


def _number(offset: str) -> int:
    return int(offset) if offset.isdigit() else 0


def _show(request: Request, offset: int, noted: Noted | None = None) -> None:
    edge, months = request.edge, retention_of(request.edge.settings)
    found = edge.store.duties(months=months, now=edge.clock(), offset=offset, limit=PAGE)
    if not found.to_tell and offset:
        offset = max(0, offset - PAGE)
        found = edge.store.duties(months=months, now=edge.clock(), offset=offset, limit=PAGE)
    request.replace(
        duties_message(found, _setting(request), months=months, offset=offset, noted=noted)
    )


def _setting(request: Request) -> Setting:
    return Setting(now=request.edge.clock(), zone=request.zone)


def remind(store: Store, clock: Callable[[], datetime], months: int) -> None:
    """Once a week, a line to the admins about what is due; and that they were warned is kept."""
    now = clock()
    found = store.duties(months=months, now=now, limit=1000)
    text = weekly(found, months=months)
    if text is None:
        return
    if store.raise_alarm(key=f"{EVERY}:{week_of(now)}", audience="admins", text=text, now=now):
        store.warned([each.candidate_id for each in found.ending], now=now)


def keep_time(store: Store, clock: Callable[[], datetime], months: int, inbox: Path | None) -> None:
    """Hide whose time is over, and erase whom that was said of 30 days ago."""
    hidden = store.hide_expired(months=months, now=clock())
    if hidden:
        log.info("retention.hidden", people=len(hidden))
    deadline = clock() + SHARE
    for candidate in store.candidates(store.expired_to_erase(months=months, now=clock())):
        files = files_of(store, candidate, inbox)
        store.expire(candidate.id, files=files, now=clock())
        log.info("retention.erased", candidate=candidate.id)
        if clock() >= deadline:
            return  # the next minute does more
