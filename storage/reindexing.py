"""The index made true to the rows again, little by little, beside a bot that goes on answering.

Everybody is compared with what follows from their profile (``storage.deriving``), then what the
index holds of nobody, then how often values are counted. What differs is made anew in a short
transaction of its own, so whoever searches meanwhile sees each person whole, as before or as
after, and an index that is true already is only read.

How far it has come is kept in ``meta`` with each step; whoever is killed is carried on from there
by the next. An index of words that is damaged as a whole cannot be mended piece by piece: that is
made anew at once, in one transaction, while writers wait.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import Final

from sqlalchemy import Connection, delete, func, insert, select, text, tuple_
from sqlmodel import Session, col

from storage import deriving
from storage.changed import note_all_changed
from storage.database import Database
from storage.fact_rows import remove_facts
from storage.models import FactRow, FactValueRow, MetaRow, ProfileRow
from storage.room import Room

REACHED: Final = "reindexed-to"
_BATCH: Final = 200
_VALUES: Final = 5_000
_PHASES: Final = ("people", "nobody", "values")
_SEPARATOR: Final = "\x1f"
SAMPLE: Final = 200

Beat = Callable[[int, int], object]
"""Told how many people were compared, of how many."""


def unheard(_done: int, _of: int) -> None:
    """Nobody watches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reindexed:
    """``people`` were compared now, ``mended`` of them made anew; values counted anew in ranges.

    ``resumed`` when an earlier one was carried on; ``whole`` when all was made anew at once.
    """

    people: int
    mended: int
    nobody: int = 0
    values: int = 0
    resumed: bool = False
    whole: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Whether index and rows agree, as far as a quick look tells."""

    looked: int
    """People who were compared as a whole: the newest, and some of all."""
    wrong: int
    missing: int
    """People of whom nothing is indexed."""
    nobody: int
    """Documents of nobody in the index."""
    unfinished: bool
    """A reindexing was broken off."""

    @property
    def agrees(self) -> bool:
        return not (self.wrong or self.missing or self.nobody or self.unfinished)


class Reindexing(Room):
    """Making the index true again, and a quick look at whether it is."""

    def reindex(self, beat: Beat = unheard) -> Reindexed:
        """See the module. Safe while the bot runs, and carried on where one was killed."""
        return reindex(self.database, beat)

    def agreement(self, sample: int = SAMPLE) -> Agreement:
        """A quick look at whether the index agrees with the rows; ``verify`` looks at all."""
        with self.database.read() as session:
            return _agreement(session, self.database, sample)


def reindex(database: Database, beat: Beat) -> Reindexed:
    """See ``Reindexing.reindex``."""
    phase, after = _reached(database)
    resumed = bool(phase)
    if not resumed:
        with database.write() as session:  # FTS5's check is an INSERT
            sound = database.text_index.is_sound(session)
        if not sound:
            people = deriving.rebuild(database)
            return Reindexed(people=people, mended=people, whole=True)
    looked = mended = nobody = values = 0
    if phase in ("", "people"):
        looked, mended = _people(database, after, beat)
        phase, after = _PHASES[1], ""
    if phase == "nobody":
        nobody = _nobody(database)
        phase, after = _PHASES[2], ""
    values = _values(database, after)
    with database.write() as session:
        session.connection().execute(delete(MetaRow).where(col(MetaRow.name) == REACHED))
    return Reindexed(people=looked, mended=mended, nobody=nobody, values=values, resumed=resumed)


def _people(database: Database, after: str, beat: Beat) -> tuple[int, int]:
    """How many were compared, and how many made anew."""
    index, looked, mended = database.text_index, 0, 0
    while True:
        with database.read() as session:
            people = session.connection().scalar(select(func.count()).select_from(ProfileRow)) or 0
            before = col(ProfileRow.id) <= after
            passed = session.connection().scalar(
                select(func.count()).select_from(ProfileRow).where(before)
            )
            some = list(deriving.everyone(session, after=after, most=_BATCH))
            wrong = [
                each.id
                for each in some
                if deriving.wrong_of(session, index, each)
                or deriving.wrong_text(session, index, each)
            ]
        beat((passed or 0) + len(some), people)
        if not some:
            return looked, mended
        with database.write() as session:
            if wrong:
                for each in deriving.everyone(session, ids=wrong):  # as they are now
                    deriving.mend(session, index, each)
            after = some[-1].id
            _note(session.connection(), "people", after)
        looked, mended = looked + len(some), mended + len(wrong)


def _nobody(database: Database) -> int:
    """Take away what is indexed of documents that are nobody's; how many documents that were."""
    index = database.text_index
    with database.read() as session:
        lost = _docs_of_nobody(session)
        known = set(session.connection().scalars(select(col(ProfileRow.doc))))
        after = -1
        while rows := index.rows(session, after, _BATCH):
            lost |= {doc for doc, _text in rows} - known
            after = rows[-1][0]
    if lost:
        with database.write() as session:
            connection = session.connection()
            there = select(col(ProfileRow.doc)).where(col(ProfileRow.doc).in_(lost))
            for doc in lost - set(connection.scalars(there)):
                remove_facts(connection, doc)
                index.remove(session, doc)
            note_all_changed(connection)
            _note(connection, "values", "")
    return len(lost)


def _docs_of_nobody(session: Session) -> set[int]:
    alive = select(col(ProfileRow.doc))
    return set(
        session.connection().scalars(
            select(col(FactRow.doc)).where(col(FactRow.doc).not_in(alive)).distinct()
        )
    )


def _values(database: Database, after: str) -> int:
    """Count anew the ranges of values that are not counted right; how many ranges that were."""
    mended, last = 0, _key(after)
    while True:
        with database.read() as session:
            there = _counted(session, FactRow, last, None)
            upto = there[-1][:2] if len(there) == _VALUES else None
            wrong = there != _counted(session, FactValueRow, last, upto)
        with database.write() as session:
            connection = session.connection()
            if wrong:
                _count_anew(connection, last, upto)
                mended += 1
            if upto is not None:
                _note(connection, "values", _SEPARATOR.join(upto))
        if upto is None:
            return mended
        last = upto


def _counted(
    session: Session,
    table: type[FactRow | FactValueRow],
    after: tuple[str, str],
    upto: tuple[str, str] | None,
) -> list[tuple[str, str, int]]:
    """(kind, value, people) behind ``after``; of facts so many as are compared at once."""
    key = tuple_(col(table.kind), col(table.value))
    people = func.count() if table is FactRow else col(FactValueRow.people)
    asked = select(col(table.kind), col(table.value), people).where(key > after)
    asked = asked.order_by(col(table.kind), col(table.value))
    if upto is not None:
        asked = asked.where(key <= upto)
    if table is FactRow:
        asked = asked.group_by(col(table.kind), col(table.value)).limit(_VALUES)
    return [
        (kind, value, int(people)) for kind, value, people in session.connection().execute(asked)
    ]


def _count_anew(
    connection: Connection, after: tuple[str, str], upto: tuple[str, str] | None
) -> None:
    bounds = "(kind, value) > (:kind, :value)"
    values = {"kind": after[0], "value": after[1]}
    if upto is not None:
        bounds += " AND (kind, value) <= (:last_kind, :last_value)"
        values |= {"last_kind": upto[0], "last_value": upto[1]}
    connection.execute(text(f"DELETE FROM fact_value WHERE {bounds}"), values)  # noqa: S608 - ours
    connection.execute(
        text(
            "INSERT INTO fact_value (kind, value, people)"  # noqa: S608 - ours
            f" SELECT kind, value, count(*) FROM fact WHERE {bounds} GROUP BY kind, value"
        ),
        values,
    )
    note_all_changed(connection)


def _reached(database: Database) -> tuple[str, str]:
    """The phase that a killed one was in, and how far; empty where none was broken off."""
    with database.read() as session:
        said = session.connection().scalar(
            select(col(MetaRow.value)).where(col(MetaRow.name) == REACHED)
        )
    phase, _, after = (said or "").partition(" ")
    return phase, after


def _note(connection: Connection, phase: str, after: str) -> None:
    connection.execute(delete(MetaRow).where(col(MetaRow.name) == REACHED))
    connection.execute(insert(MetaRow).values(name=REACHED, value=f"{phase} {after}"))


def _key(after: str) -> tuple[str, str]:
    kind, _, value = after.partition(_SEPARATOR)
    return kind, value


def _agreement(session: Session, database: Database, sample: int) -> Agreement:
    connection, index = session.connection(), database.text_index
    unfinished = connection.scalar(select(col(MetaRow.value)).where(col(MetaRow.name) == REACHED))
    newest = select(col(ProfileRow.id)).order_by(col(ProfileRow.doc).desc()).limit(sample // 2)
    everybody = connection.scalars(select(col(ProfileRow.id)).order_by(col(ProfileRow.id))).all()
    step = max(1, len(everybody) // max(1, sample // 2))
    ids = {*connection.scalars(newest), *islice(everybody, 0, None, step)}
    looked = list(deriving.everyone(session, ids=sorted(ids)))
    wrong = sum(
        bool(deriving.wrong_of(session, index, each)) or deriving.wrong_text(session, index, each)
        for each in looked
    )
    indexed = select(col(FactRow.doc)).where(col(FactRow.doc) == col(ProfileRow.doc))
    missing = connection.scalar(
        select(func.count()).select_from(ProfileRow).where(~indexed.exists())
    )
    return Agreement(
        looked=len(looked),
        wrong=wrong,
        missing=missing or 0,
        nobody=len(_docs_of_nobody(session)),
        unfinished=unfinished is not None,
    )
