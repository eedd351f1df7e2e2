"""What searches look up, made from profiles: with each one, and for all of them anew."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

import structlog
from sqlalchemy import ColumnElement, Connection, delete, insert, select, update
from sqlmodel import Session, col

from storage.changed import note_all_changed, note_changed
from storage.database import Database
from storage.dialects.dialect import TextIndex
from storage.fact_rows import count_values, remove_facts, write_facts, write_many_facts
from storage.models import FactRow, MetaRow, NameTokenRow, ProfileRow, SkillRow
from storage.profile_json import profile_from_document
from storage.profile_rows import name_order, replace_children
from storage.records import Profile
from storage.search.index import index_texts
from storage.search.name_words import name_words
from storage.search.postings import VERSION, facts_of
from storage.search.skills import skill_key

log = structlog.get_logger(__name__)

MADE_BY: Final = "index-version"
_AT_ONCE: Final = 1_000


def index(session: Session, text_index: TextIndex, doc: int, profile: Profile) -> None:
    """Write what searches look up of a profile of which nothing is indexed."""
    note_changed(session.connection(), [doc])
    write_facts(session.connection(), doc, facts_of(profile))
    text_index.add(session, [(doc, *index_texts(profile))])


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
            _follow_rules(session.connection(), some)
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
    connection = session.connection()
    note_all_changed(connection)
    write_many_facts(connection, ((doc, facts_of(profile)) for doc, profile in some))
    text_index.add(session, ((doc, *index_texts(profile)) for doc, profile in some))


def _follow_rules(connection: Connection, some: list[tuple[int, Profile]]) -> None:
    """Write anew the rows of whoever the rules give other words of a name or keys of skills.

    These rules may have changed since a profile was stored, with those of the index; of most
    nothing changes. ``some`` are all profiles from the first to the last ``doc`` of them.
    """
    theirs = col(ProfileRow.doc).between(some[0][0], some[-1][0])
    orders = select(col(ProfileRow.doc), col(ProfileRow.id), col(ProfileRow.name_order))
    stored = {doc: (id_, order) for doc, id_, order in connection.execute(orders.where(theirs))}
    names = _by_profile(connection, NameTokenRow, ("kind", "token"), theirs)
    keys = _by_profile(connection, SkillRow, ("key",), theirs)
    for doc, profile in some:
        id_, order = stored[doc]
        if order != name_order(profile):
            of_it = update(ProfileRow).where(col(ProfileRow.id) == id_)
            connection.execute(of_it.values(name_order=name_order(profile)))
        skills = [(skill_key(skill.name),) for skill in profile.skills]
        if names[id_] != name_words(profile) or keys[id_] != skills:
            replace_children(connection, id_, profile)


def _by_profile(
    connection: Connection,
    table: type[NameTokenRow | SkillRow],
    columns: Sequence[str],
    theirs: ColumnElement[bool],
) -> defaultdict[str, list[tuple[str, ...]]]:
    """What these profiles' rows of a table hold, by the profile's id and in order."""
    rows = connection.execute(
        select(col(table.profile_id), *(getattr(table, each) for each in columns))
        .join(ProfileRow, col(ProfileRow.id) == col(table.profile_id))
        .where(theirs)
        .order_by(col(table.profile_id), col(table.position))
    )
    found: defaultdict[str, list[tuple[str, ...]]] = defaultdict(list)
    for id_, *values in rows:
        found[id_].append(tuple(values))
    return found


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
