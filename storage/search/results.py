"""A page of results: who matches, in which order, and why."""

from datetime import datetime
from typing import Final

import numpy as np
from sqlmodel import Session, col

from storage.candidates import load_candidates
from storage.dialects.dialect import TextIndex
from storage.models import ProfileRow
from storage.search import english, narrowing, nothing, ordering, ranking
from storage.search.compile import Context, context
from storage.search.hints import passed_over
from storage.search.tree import Question
from storage.search.values import Hit, SearchPage
from storage.search.why import reasons

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
    matching, score = where.matching(question.where), where.strength(question.where)
    if untold is not None:
        matching = matching & where.look.untold(untold)
    limit, offset = max(0, min(limit, LARGEST_PAGE)), max(0, offset)
    total = int(matching.sum())
    docs = ranking.best(where.look, matching, score, question.orders, offset + limit)[offset:]
    ids = where.look.ids(docs)
    rows = [(id_, float(score[doc])) for id_, doc in zip(ids, docs, strict=True)]
    hits = _hits(session, where, question, rows)
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
        **(nothing.explained(where, question) if not total and untold is None else {}),
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
    where = context(session, index, workspace, question, now)
    docs = np.flatnonzero(where.matching(question.where) & where.look.untold(untold))
    came = where.look.column(col(ProfileRow.added_at), docs)
    ids = dict(zip(docs.tolist(), where.look.ids(docs.tolist()), strict=True))
    return [ids[doc] for doc in sorted(ids, key=lambda doc: (came[doc], ids[doc]))]


def _hits(
    session: Session, where: Context, question: Question, rows: list[tuple[str, float]]
) -> tuple[Hit, ...]:
    scores = dict(rows)
    return tuple(
        Hit(
            candidate=candidate,
            score=round(scores[candidate.id], 6),
            why=reasons(question, where.names, candidate, where.now),
        )
        for candidate in load_candidates(session, where.workspace, list(scores))
    )
