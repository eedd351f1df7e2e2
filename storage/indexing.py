"""What searches look up, made from profiles: with each one, and for all of them anew."""

from collections.abc import Iterator
from operator import itemgetter
from typing import Final

import structlog
from sqlalchemy import bindparam, delete, insert, select, update
from sqlmodel import Session, col

from storage.changed import note_all_changed, note_changed
from storage.database import Database
from storage.dialects.dialect import TextIndex
from storage.fact_rows import count_values, remove_facts, write_facts
from storage.models import FactRow, MetaRow, NameTokenRow, ProfileRow, SkillRow
from storage.profile_json import profile_from_document
from storage.profile_rows import name_order
from storage.records import Profile
from storage.search.index import contribution_texts, index_text
from storage.search.name_words import name_words
from storage.search.postings import VERSION, facts_of
from storage.search.skills import skill_key

log = structlog.get_logger(__name__)

MADE_BY: Final = "index-version"
_AT_ONCE: Final = 1_000
_SKILL_KEY: Final = (
    update(SkillRow)
    .where(
        col(SkillRow.profile_id)
        == select(col(ProfileRow.id))
        .where(col(ProfileRow.doc) == bindparam("of_doc"))
        .scalar_subquery(),
        col(SkillRow.position) == bindparam("at"),
        col(SkillRow.key) != bindparam("new"),
    )
    .values(key=bindparam("new"))
)
"""Keys follow the table of spellings, which may have grown since a profile was stored."""


def index(session: Session, text_index: TextIndex, doc: int, profile: Profile) -> None:
    """Write what searches look up of a profile of which nothing is indexed."""
    note_changed(session.connection(), [doc])
    write_facts(session.connection(), doc, facts_of(profile))
    text_index.add(session, doc, index_text(profile), contribution_texts(profile))


def unindex(session: Session, text_index: TextIndex, doc: int) -> None:
    """Take away what is indexed of a profile."""
    remove_facts(session.connection(), doc)
    text_index.remove(session, doc)


def bring_index_up_to_date(database: Database) -> int:
    """Index all profiles anew when other rules indexed them; returns how many.

    Some hundreds a transaction, the version last: whoever is killed in between
    begins again from an empty index.
    """
    if _is_up_to_date(database):
        return 0
    with database.alone():  # again, as another process may have been quicker
        return 0 if _is_up_to_date(database) else make_index(database)


def make_index(database: Database) -> int:
    """Empty the index and make it from the profiles; returns how many there are.

    To be called by one process at a time: see ``Database.alone``.
    """
    with database.write() as session:
        empty_index(session, database.text_index)
    done, last = 0, 0
    while some := list(_after(database, last)):
        with database.write() as session:
            index_many(session, database.text_index, some)
            _write_names(session, some)
        done, last = done + len(some), some[-1][0]
        log.info("index.made", profiles=done)
    with database.write() as session:
        finish_index(session)
    return done


def empty_index(session: Session, text_index: TextIndex) -> None:
    """Begin to make the index anew; until ``finish_index`` every start begins again."""
    connection = session.connection()
    note_all_changed(connection)
    connection.execute(delete(MetaRow).where(col(MetaRow.name) == MADE_BY))
    connection.execute(delete(FactRow))
    text_index.empty(connection)


def index_many(session: Session, text_index: TextIndex, some: list[tuple[int, Profile]]) -> None:
    """Index profiles of which nothing is indexed; their values are counted at the end."""
    rows = [
        {"doc": doc, "kind": kind, "value": value, "weight": weight}
        for doc, profile in some
        for kind, value, weight in facts_of(profile)
    ]
    connection = session.connection()
    note_all_changed(connection)
    if rows:
        connection.execute(insert(FactRow), sorted(rows, key=itemgetter("kind", "value", "doc")))
    connection.execute(
        update(ProfileRow)
        .where(col(ProfileRow.doc) == bindparam("wanted"))
        .values(name_order=bindparam("order")),
        [{"wanted": doc, "order": name_order(profile)} for doc, profile in some],
    )
    keys = [
        {"of_doc": doc, "at": position, "new": skill_key(skill.name)}
        for doc, profile in some
        for position, skill in enumerate(profile.skills)
    ]
    if keys:
        connection.execute(_SKILL_KEY, keys)
    for doc, profile in some:
        text_index.add(session, doc, index_text(profile), contribution_texts(profile))


def _write_names(session: Session, some: list[tuple[int, Profile]]) -> None:
    """Make anew the words of these people's names, which follow the rules of the index too."""
    connection = session.connection()
    ids = select(col(ProfileRow.doc), col(ProfileRow.id)).where(
        col(ProfileRow.doc).in_([doc for doc, _profile in some])
    )
    id_of = {int(doc): str(id_) for doc, id_ in connection.execute(ids)}
    rows = [
        {"profile_id": id_of[doc], "position": position, "kind": kind, "token": word}
        for doc, profile in some
        for position, (kind, word) in enumerate(name_words(profile))
    ]
    theirs = col(NameTokenRow.profile_id).in_(list(id_of.values()))
    connection.execute(delete(NameTokenRow).where(theirs))
    if rows:
        connection.execute(insert(NameTokenRow), rows)


def finish_index(session: Session) -> None:
    """Count the values, and note by which rules the index was made."""
    connection = session.connection()
    note_all_changed(connection)
    count_values(connection)
    connection.execute(insert(MetaRow).values(name=MADE_BY, value=str(VERSION)))


def _is_up_to_date(database: Database) -> bool:
    made_by = select(col(MetaRow.value)).where(col(MetaRow.name) == MADE_BY)
    with database.read() as session:
        return session.connection().scalar(made_by) == str(VERSION)


def _after(database: Database, doc: int) -> Iterator[tuple[int, Profile]]:
    with database.read() as session:
        rows = session.connection().execute(
            select(col(ProfileRow.doc), col(ProfileRow.document))
            .where(col(ProfileRow.doc) > doc)
            .order_by(col(ProfileRow.doc))
            .limit(_AT_ONCE)
        )
        for number, document in rows.all():
            yield int(number), profile_from_document(document)
