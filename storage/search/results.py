"""A page of results: who matches, in which order, and why."""

from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, and_, exists, func
from sqlmodel import Session, col, select

from storage.candidates import load_candidates
from storage.dialects.dialect import TextIndex
from storage.models import DigestItemRow, ProfileRow, SubscriptionRow
from storage.records import Use
from storage.search import english, narrowing, nothing, ordering
from storage.search.compile import Context, compiled, context
from storage.search.hints import passed_over
from storage.search.tree import Question
from storage.search.values import Hit, SearchPage
from storage.search.why import reasons
from storage.uses import without

LARGEST_PAGE: Final = 1_000


def search_page(
    session: Session,
    index: TextIndex,
    workspace: str,
    question: Question,
    *,
    limit: int,
    offset: int,
    untold: int | None,
    now: datetime,
) -> SearchPage:
    """The people from ``offset`` on who answer ``question``; with ``total`` exact."""
    where = context(session, index, workspace, question, now)
    asked = compiled(question, where)
    condition = asked.condition
    if untold is not None:
        condition = and_(condition, _untold(workspace, untold))
    limit, offset = max(0, min(limit, LARGEST_PAGE)), max(0, offset)
    total = session.exec(select(func.count()).select_from(ProfileRow).where(condition)).one()
    ranked = (
        select(ProfileRow.id, asked.score)
        .where(condition)
        .order_by(*asked.order)
        .offset(offset)
        .limit(limit)
    )
    rows = session.exec(ranked).all() if total else []
    hits = _hits(session, where, question, [(str(row[0]), float(row[1])) for row in rows])
    return SearchPage(
        query=str(question),
        phrase=english.phrase(question),
        nobody=english.nobody(question),
        total=total,
        offset=offset,
        limit=limit,
        hits=hits,
        order=" ".join(filter(None, [ordering.told(question, hits), passed_over(question)])),
        narrow=narrowing.narrower(question, hits) if total > 1 else (),
        **(nothing.explained(session, where, question) if not total and untold is None else {}),
    )


def untold_ids(
    session: Session,
    index: TextIndex,
    workspace: str,
    question: Question,
    untold: int,
    *,
    now: datetime,
) -> list[str]:
    """All who answer ``question`` and are news to this subscription, in the order they came."""
    asked = compiled(question, context(session, index, workspace, question, now))
    condition = and_(asked.condition, _untold(workspace, untold))
    came = (col(ProfileRow.added_at), col(ProfileRow.id))
    return list(session.exec(select(ProfileRow.id).where(condition).order_by(*came)))


def _hits(
    session: Session, where: Context, question: Question, rows: list[tuple[str, float]]
) -> tuple[Hit, ...]:
    scores = dict(rows)
    return tuple(
        Hit(
            candidate=candidate,
            score=round(scores[candidate.id], 6),
            why=reasons(question, where.names, candidate),
        )
        for candidate in load_candidates(session, where.workspace, list(scores))
    )


def _untold(workspace: str, subscription: int) -> ColumnElement[bool]:
    """Added after the subscription's ``since``, in none of its digests, and free to be told of."""
    since = (
        select(SubscriptionRow.since)
        .where(SubscriptionRow.workspace == workspace, SubscriptionRow.number == subscription)
        .scalar_subquery()
    )
    told = exists().where(
        col(DigestItemRow.workspace) == workspace,
        col(DigestItemRow.subscription) == subscription,
        col(DigestItemRow.profile_id) == col(ProfileRow.id),
    )
    return and_(col(ProfileRow.added_at) > since, ~told, without(Use.DIGEST))
