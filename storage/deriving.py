"""What follows from profiles: their columns and rows, and the text index. Compared, and made anew.

``profile.document`` is the truth here (``storage.profile_rows`` and
``storage.search.index`` say what follows from it); it is itself compared with
what the person's newest document said. Documents are read as bytes, since a
damaged one may be neither text nor JSON.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import LargeBinary, cast, delete, func, update
from sqlalchemy import select as columns
from sqlmodel import Session, SQLModel, col, select

from storage.database import Database
from storage.dialects.dialect import TextIndex
from storage.faults import GO_BACK, REBUILD, Fault
from storage.indexing import empty_index, finish_index, index, index_many, unindex
from storage.models import (
    ContributionRow,
    EducationRow,
    FactRow,
    FactValueRow,
    HistoryRow,
    NameTokenRow,
    ProfileRow,
    SkillRow,
    SourceKeyRow,
    SourceRow,
)
from storage.profile_json import profile_from_document
from storage.profile_rows import Child, Row, children_of, profile_columns, replace_children
from storage.records import Profile
from storage.search.index import contribution_texts, index_text
from storage.search.postings import facts_of

_BATCH: Final = 500
MOST_INDEXED: Final = 1_000
"""Contributions of one profile that are indexed one by one: see ``TextIndex``."""
_DERIVED: Final = (NameTokenRow, SkillRow, ContributionRow, EducationRow)
_BELONGING: Final = (SourceRow, SourceKeyRow, HistoryRow)


@dataclass(frozen=True, slots=True)
class Following:
    """A profile and what follows from it."""

    profile: Profile
    columns: dict[str, Any]
    children: list[tuple[Child, list[Row]]]
    words: str


@dataclass(frozen=True, slots=True)
class Stored:
    """A profile's row: its columns, and what its document says, as far as it can be read."""

    id: str
    doc: int
    columns: dict[str, Any]
    document: Any
    following: Following | None
    """None when the document is no profile."""


def faults(session: Session, text_index: TextIndex, beat: Callable[[], object]) -> Iterator[Fault]:
    """All that does not follow from the profiles as it should."""
    known: dict[int, str] = {}
    words: dict[int, str] = {}
    said = _newest_documents(session)
    for stored in everyone(session):
        beat()
        known[stored.doc] = stored.id
        if stored.following is None:
            yield _untrue(stored.id, "The stored profile cannot be read.", GO_BACK)
            continue
        if said.get(stored.id, "") not in {"", _hash_of(stored.document)}:
            yield _untrue(stored.id, "The profile is not what its newest document says.", GO_BACK)
        wrong = wrong_of(session, text_index, stored)
        if wrong:
            yield _derived(stored.id, f"Not as the profile says: {', '.join(wrong)}.")
        words[stored.doc] = _hash(stored.following.words.encode())
    yield from _texts(session, text_index, words, known)
    yield from _belonging(session)
    yield from _counts(session)


def rebuild(database: Database) -> int:
    """Make anew the rows and the index of everyone whose profile can be read; how many that were.

    One transaction: a kill leaves what was there before.
    """
    with database.write() as session:
        connection = session.connection()
        empty_index(session, database.text_index)
        alive = columns(col(ProfileRow.id))
        for table in _DERIVED:
            connection.execute(delete(table).where(col(table.profile_id).not_in(alive)))
        rebuilt = 0
        for stored in everyone(session):
            if stored.following is None:
                continue
            index_many(session, database.text_index, [(stored.doc, stored.following.profile)])
            connection.execute(
                update(ProfileRow)
                .where(col(ProfileRow.id) == stored.id)
                .values(**stored.following.columns)
            )
            replace_children(connection, stored.id, stored.following.profile)
            rebuilt += 1
        finish_index(session)
        return rebuilt


def wrong_of(session: Session, text_index: TextIndex, stored: Stored) -> list[str]:
    """What of a person is not as the profile says, but for the indexed text; none without one."""
    if stored.following is None:
        return []
    expected = stored.following.columns
    wrong = [name for name, value in expected.items() if stored.columns[name] != value]
    wrong += _wrong_children(session, stored.id, stored.following)
    return wrong + _wrong_facts(session, text_index, stored)


def wrong_text(session: Session, text_index: TextIndex, stored: Stored) -> bool:
    """Whether the indexed text of a person is missing, or not what the profile says."""
    rows = text_index.rows(session, stored.doc - 1, 1)
    said = stored.following.words if stored.following else None
    return said is not None and rows != [(stored.doc, said)]


def mend(session: Session, text_index: TextIndex, stored: Stored) -> None:
    """Make anew the rows and the index of one person, if the profile can be read."""
    if stored.following is None:
        return
    connection = session.connection()
    unindex(session, text_index, stored.doc)
    index(session, text_index, stored.doc, stored.following.profile)
    connection.execute(
        update(ProfileRow).where(col(ProfileRow.id) == stored.id).values(**stored.following.columns)
    )
    replace_children(connection, stored.id, stored.following.profile)


def unsound_index() -> Fault:
    return _index("index", "The text index does not agree with its own texts.")


def _texts(
    session: Session, text_index: TextIndex, words: dict[int, str], known: dict[int, str]
) -> Iterator[Fault]:
    """Indexed texts that are missing, too many, or not what the profile says."""
    after, there = -1, set()
    while rows := text_index.rows(session, after, _BATCH):
        for doc, text in rows:
            there.add(doc)
            if doc not in known:
                yield _index(f"doc {doc}", "The index holds the text of nobody who is stored.")
            elif doc in words and _hash((text or "").encode()) != words[doc]:
                yield _index(known[doc], "The indexed text is not what the profile says.")
        after = rows[-1][0]
    for doc in sorted(known.keys() - there):
        yield _index(known[doc], "The text of this person is missing in the index.")


def _counts(session: Session) -> Iterator[Fault]:
    """Facts of nobody, and values that are not counted as often as they are there."""
    alive = columns(col(ProfileRow.doc))
    lost = session.exec(
        select(FactRow.doc).where(col(FactRow.doc).not_in(alive)).distinct().limit(20)
    ).all()
    for doc in lost:
        yield _index(f"doc {doc}", "The index holds facts of nobody who is stored.")
    counted = {
        tuple(row)
        for row in session.exec(select(FactValueRow.kind, FactValueRow.value, FactValueRow.people))
    }
    there = {
        tuple(row)
        for row in session.exec(
            select(FactRow.kind, FactRow.value, func.count()).group_by(
                col(FactRow.kind), col(FactRow.value)
            )
        )
    }
    if counted != there:
        yield _index("values", "Values are not counted as often as people have them.")


def _belonging(session: Session) -> Iterator[Fault]:
    """Rows of people who are not there."""
    alive = columns(col(ProfileRow.id))
    for table in (*_DERIVED, *_BELONGING):
        lost = session.exec(
            select(table.profile_id).where(col(table.profile_id).not_in(alive)).distinct().limit(20)
        ).all()
        for profile_id in lost:
            derived = table in _DERIVED
            yield Fault(
                kind="derived" if derived else "profile",
                where=profile_id,
                sentence=f"{table.__tablename__} has rows of this person, who is not stored.",
                advice=REBUILD if derived else GO_BACK,
            )


def _wrong_children(session: Session, profile_id: str, following: Following) -> list[str]:
    wrong = []
    for table, rows in following.children:
        stored = session.exec(
            select(table).where(col(table.profile_id) == profile_id).order_by(col(table.position))
        ).all()
        told = [
            {"profile_id": profile_id, "position": position, **row}
            for position, row in enumerate(rows)
        ]
        if [_values(each, told[0] if told else {}) for each in stored] != told:
            wrong.append(str(table.__tablename__))
    return wrong


def _wrong_facts(session: Session, text_index: TextIndex, stored: Stored) -> list[str]:
    """What is looked up by value, and the texts of contributions."""
    assert stored.following is not None  # noqa: S101 - whoever calls has looked
    profile = stored.following.profile
    there = session.exec(
        select(FactRow.kind, FactRow.value, FactRow.weight).where(FactRow.doc == stored.doc)
    ).all()
    wrong = [] if {tuple(row) for row in there} == set(facts_of(profile)) else ["fact"]
    texts = contribution_texts(profile)
    same = text_index.contributions(session, stored.doc) == texts[:MOST_INDEXED]
    return wrong if same else [*wrong, "contribution_text"]


def _values(row: SQLModel, like: dict[str, Any]) -> dict[str, Any]:
    return {name: getattr(row, name) for name in like} or {"row": "too many"}


def _newest_documents(session: Session) -> dict[str, str]:
    """By person, the hash of the Profile read from their newest document; "" where none is kept."""
    asked = columns(col(SourceRow.profile_id), cast(col(SourceRow.document), LargeBinary)).order_by(
        col(SourceRow.profile_id), col(SourceRow.version)
    )
    return {
        profile_id: "" if document is None else _hash_of(_json(document))
        for profile_id, document in session.connection().execute(asked)
    }


def everyone(
    session: Session, *, after: str = "", ids: Sequence[str] | None = None, most: int | None = None
) -> Iterator[Stored]:
    """Everybody in the order of ids: those behind ``after``, of ``ids``, ``most`` at most."""
    table = SQLModel.metadata.tables["profile"]
    plain = [column for column in table.columns if column.name != "document"]
    asked = columns(*plain, cast(table.c.document, LargeBinary).label("document"))
    if ids is not None:
        asked = asked.where(table.c.id.in_(ids))
    batch = min(most or _BATCH, _BATCH)
    while True:
        rows = (
            session.connection()
            .execute(asked.where(table.c.id > after).order_by(table.c.id).limit(batch))
            .mappings()
            .all()
        )
        for row in rows:
            document = _json(row["document"])
            yield Stored(row["id"], row["doc"], dict(row), document, _following(document))
        if len(rows) < batch or most is not None:
            return
        after = rows[-1]["id"]


def _json(document: bytes | None) -> Any:
    try:
        return json.loads(document or b"null")
    except ValueError:
        return None


def _following(document: Any) -> Following | None:
    try:
        profile = profile_from_document(document)
        columns_ = profile_columns(profile)
        del columns_["document"]
        return Following(profile, columns_, children_of(profile), index_text(profile))
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


def _hash_of(document: Any) -> str:
    return _hash(json.dumps(document, sort_keys=True).encode())


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _index(where: str, sentence: str) -> Fault:
    return Fault(kind="index", where=where, sentence=sentence, advice=REBUILD)


def _derived(where: str, sentence: str) -> Fault:
    return Fault(kind="derived", where=where, sentence=sentence, advice=REBUILD)


def _untrue(where: str, sentence: str, advice: str) -> Fault:
    return Fault(kind="profile", where=where, sentence=sentence, advice=advice)
