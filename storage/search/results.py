"""A page of results: who matches, in which order, and why."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import numpy as np
from sqlmodel import col

from storage.models import ProfileRow
from storage.search import english, narrowing, nothing, ordering, ranking, stated
from storage.search.compile import Context, context
from storage.search.hints import passed_over
from storage.search.lookup import Lookup, Numbers
from storage.search.similar import Likeness, likenesses
from storage.search.skills import skill_key
from storage.search.texts import Texts
from storage.search.tree import Node, Phrase, Qualified, Question, Word, alternatives, leaves
from storage.search.understood import readings
from storage.search.values import Hit, SearchPage
from storage.search.why import reasons

LARGEST_PAGE: Final = 1_000


def search_page(
    look: Lookup,
    question: Question,
    *,
    limit: int,
    offset: int,
    untold: int | None,
    now: datetime,
) -> SearchPage:
    """The people from ``offset`` on who answer ``question``; with ``total`` exact."""
    where = context(look, question, now)
    matching = where.matching(question.where)
    if untold is not None:
        matching = matching & look.untold(untold)
    limit, offset = max(0, min(limit, LARGEST_PAGE)), max(0, offset)
    found = np.flatnonzero(matching)
    total = len(found)
    asked = where.asked(question, found)
    score = where.score(asked, found)
    skills = tuple(dict.fromkeys(map(skill_key, question.skills)))
    docs = ranking.best(look, found, score, question.orders, offset + limit, skills)
    docs = docs[offset:]
    places = np.searchsorted(found, docs)
    longer = untold is None and total > limit > 0
    like = _like(look, question)
    hits, texts = _hits(
        where,
        question,
        dict(zip(look.ids(docs), score[places].tolist(), strict=True)),
        asked[places].tolist(),
        like if untold is None else (),  # a digest names nobody but those whom it tells of
    )

    def amount(part: Node) -> int:
        return int(where.mask(part)[found].sum())

    return SearchPage(
        query=str(question),
        phrase=english.phrase(question),
        nobody=english.nobody(question),
        total=total,
        offset=offset,
        limit=limit,
        hits=hits,
        order=" ".join(
            filter(
                None,
                [
                    ordering.told(question, hits, texts, asked[places].tolist()),
                    *readings(question, where.names),
                    passed_over(question),
                ],
            )
        ),
        narrow=narrowing.narrower(question, texts) if total > 1 else (),
        about=tuple(dict.fromkeys(each.id for each in like)),
        bands=_bands(score, offset, len(hits)) if longer and not question.orders else (),
        refine=narrowing.refinements(question, texts, total, amount) if longer else (),
        **(nothing.explained(where, question) if not total and untold is None else {}),
    )


def _bands(score: Numbers, offset: int, count: int) -> tuple[tuple[int, int], ...]:
    """The band of each of ``count`` ranks behind ``offset``."""
    bands = iter(ranking.bands(score))
    found, band = [], (0, 0)
    for rank in range(offset + 1, offset + count + 1):
        while band[1] < rank:
            band = next(bands)
        found.append(band)
    return tuple(found)


def untold_ids(look: Lookup, question: Question, untold: int, *, now: datetime) -> list[str]:
    """All who answer ``question`` and are news to this subscription, in the order they came."""
    where = context(look, question, now)
    docs = np.flatnonzero(where.matching(question.where) & look.untold(untold))
    came = look.column(col(ProfileRow.added_at), docs)
    ids = dict(zip(docs.tolist(), look.ids(docs.tolist()), strict=True))
    return [ids[doc] for doc in sorted(ids, key=lambda doc: (came[doc], ids[doc]))]


def _like(look: Lookup, question: Question) -> tuple[Likeness, ...]:
    """Whom ``similar:`` means, wherever in the question it stands."""
    return tuple(
        each
        for part in (question.where, question.nice)
        for leaf, _ in leaves(part)
        if isinstance(leaf, Qualified) and leaf.key == "similar"
        for each in likenesses(look, leaf.value)
    )


def _hits(
    where: Context,
    question: Question,
    scores: dict[str, float],
    asked: Sequence[float],
    like: Sequence[Likeness],
) -> tuple[tuple[Hit, ...], list[Texts]]:
    """The people in this order, and the text of each, which is cut into words only once."""
    candidates = where.look.candidates(list(scores))
    rare = _rare(where, question)
    texts = [Texts(candidate.profile, where.now, rare) for candidate in candidates]
    profiles = [candidate.profile for candidate in candidates]
    moved = [()] * len(profiles) if question.orders else stated.moved(profiles, asked, where.now)
    hits = tuple(
        Hit(
            candidate=candidate,
            score=round(scores[candidate.id], 6),
            why=(*reasons(question, where.names, candidate, its_texts, where.now, like), *more),
        )
        for candidate, its_texts, more in zip(candidates, texts, moved, strict=True)
    )
    return hits, texts


def _rare(where: Context, question: Question) -> dict[str, str]:
    """How few list each skill of several alternatives, where some are rarer than others."""
    keys = {
        skill_key(leaf.text if isinstance(leaf, Word | Phrase) else leaf.value)
        for leaf in alternatives(question)
        if isinstance(leaf, Word | Phrase) or leaf.key in ("skill", "lang")
    }
    held = {key: ranking.holders(where.look, key) for key in sorted(keys)}
    some = {key: holders for key, (holders, _people) in held.items() if holders}
    people = next(iter(held.values()), (0, 0))[1]
    if len(set(some.values())) < 2:
        return {}
    return {key: f"{holders:,} of {people:,} here list it" for key, holders in some.items()}
