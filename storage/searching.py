"""Searching: the store's answers to questions."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import cached_property
from typing import Final

from sqlmodel import Session, col, select

from storage.candidates import load_candidates
from storage.models import FactValueRow, NameTokenRow, ProfileRow
from storage.room import Room
from storage.search.compile import context
from storage.search.examples import SAMPLE, examples
from storage.search.language import parse
from storage.search.lookup import Lookup
from storage.search.names import named
from storage.search.results import search_page, untold_ids
from storage.search.tree import QueryError, Question
from storage.search.values import Examples, NameMatches, SearchPage
from storage.search.vocabulary import Vocabulary, vocabulary
from storage.search.warming import NOBODY, commonest
from storage.uses import visible

PAGE: Final = 10


class Searching(Room):
    """Searching people; the thinking is in ``storage.search``."""

    def search(
        self,
        query: str,
        *,
        limit: int = PAGE,
        offset: int = 0,
        untold: int | None = None,
        now: datetime,
    ) -> SearchPage:
        """The people who answer ``query``, from ``offset`` on; an empty query is everybody.

        Days, in the query and in the reasons, are those of the zone that ``now`` is in.
        ``untold`` is a subscription's number: only people added after its
        ``since`` whom none of its digests told of. Raises QueryError for a
        question that cannot be read.
        """
        question = parse(query)
        with self._looking() as look:
            return search_page(
                look,
                question,
                limit=limit,
                offset=offset,
                untold=untold,
                now=now,
            )

    def untold_matches(self, query: str, untold: int, *, now: datetime) -> list[str]:
        """The ids of all whom ``search`` finds with the same ``untold``, without its ranking."""
        question = parse(query)
        with self._looking() as look:
            return untold_ids(look, question, untold, now=now)

    def named(self, text: str, *, limit: int = 20) -> NameMatches:
        """The people whom ``text`` names, of the best tier only: see ``storage.search.names``."""
        with self._looking() as look:
            return look.once(("named", text, limit), lambda: named(look, text, limit=limit))

    def warm(self, *, go_on: Callable[[], bool], now: datetime) -> int:
        """Ask what is asked most while ``go_on`` says so; returns how many questions were asked.

        Nobody is shown anything: it reads what later questions need.
        """
        with self._looking() as look:
            questions = commonest(look)
        asked = 0
        for text in questions:
            if not go_on():
                break
            with suppress(QueryError):  # a stored value need not be one that can be typed
                self.search(text, limit=1, now=now)
                asked += 1
        self.named(NOBODY)
        return asked

    def vocabulary(
        self, phrases: Sequence[str], words: Sequence[str] = (), *, now: datetime
    ) -> Vocabulary:
        """What each phrase may mean by what is stored; which of ``words`` stand on pages."""
        with self._looking() as look:
            return vocabulary(context(look, Question(), now), phrases, words)

    def count(self) -> int:
        """How many people are stored and may be shown."""
        with self._looking() as look:
            return int(look.visible.sum())

    def known_examples(self, now: datetime) -> Examples:  # noqa: ARG002 - what is recent may count
        """Questions that find somebody among those loaded; empty in an empty store."""
        with self._looking() as look:
            held = self._examples
            if held is None or held[0] != look.number:
                self._examples = held = look.number, self._known_examples(look.session)
            return held[1]

    _examples: tuple[int, Examples] | None = None
    """What was true at a number of ``storage.changed``."""

    def _known_examples(self, session: Session) -> Examples:
        newest = session.exec(
            select(ProfileRow.id)
            .where(visible(self.workspace))
            .order_by(col(ProfileRow.added_at).desc(), col(ProfileRow.doc).desc())
            .limit(SAMPLE)
        ).all()
        people = load_candidates(session, self.workspace, list(newest))
        words = session.exec(
            select(NameTokenRow.token).where(
                col(NameTokenRow.profile_id).in_(list(newest)), NameTokenRow.kind == "name"
            )
        ).all()
        unique = session.exec(
            select(FactValueRow.value).where(
                FactValueRow.kind == "name",
                col(FactValueRow.value).in_(set(words)),
                FactValueRow.people == 1,
            )
        ).all()
        return examples(people, unique)

    @contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """What this thread searches meanwhile is all of one moment, and costs one transaction.

        Nothing that waits, such as a call to Slack, belongs inside.
        """
        before = self._moment.look
        with self._looking() as look:
            self._moment.look = look
            try:
                yield
            finally:
                self._moment.look = before

    @cached_property
    def _moment(self) -> "_Moment":
        return _Moment()

    @contextmanager
    def _looking(self) -> Iterator[Lookup]:
        """The database as this thread sees it at this moment, or within ``at_one_moment``."""
        held = self._moment.look
        if held is not None:
            yield held
            return
        database = self.database
        with database.read() as session:
            yield Lookup(session, database.text_index, self.workspace, database.memory)


class _Moment(threading.local):
    """Of each thread its own."""

    look: Lookup | None = None
