"""Bringing a database up to date, with Alembic's revisions.

One process at a time; a copy is kept before an existing database is changed;
all revisions happen in one transaction, so that whoever is killed in between
leaves the old schema or the new one. A schema made by a newer program is
refused, and so is a database that is none of ours.

A new revision is a module in ``versions`` (``revision``, ``down_revision``,
``upgrade()``); ``draft`` writes its body from the difference to the models.
"""

from pathlib import Path
from typing import Final

from alembic.autogenerate import produce_migrations, render_python_code
from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import Script, ScriptDirectory
from sqlalchemy import Connection, inspect
from sqlmodel import SQLModel

import storage.models  # noqa: F401 - the tables have to be known to SQLModel.metadata
from storage.dialects.dialect import DatabaseTrouble, Dialect
from storage.errors import BotError

SCRIPTS: Final = Path(__file__).parent


class NewerDatabase(BotError):
    """The database was made by a newer program than this one."""


def bring_up_to_date(dialect: Dialect, scripts: Path = SCRIPTS, *, copy: bool = True) -> None:
    """Give the database the newest schema, after a copy. Raises NewerDatabase or DatabaseTrouble.

    ``copy`` is False where the database is itself a copy.
    """
    directory = ScriptDirectory(str(scripts))
    reading = dialect.engine(writing=False)
    try:
        with reading.connect() as connection:
            if not _steps(connection, directory):
                return
    finally:
        reading.dispose()
    writing = dialect.engine(writing=True)
    try:
        with dialect.exclusive(), writing.connect() as connection:
            with connection.begin():  # again, as another process may have been quicker
                steps, current = _steps(connection, directory), _revision(connection)
            if not steps:
                return
            if current is None:
                dialect.prepare(connection)
            elif copy:
                dialect.copy(current)
            with dialect.migrating(connection):
                _run(connection, dialect, directory, steps)
    finally:
        writing.dispose()


def head_of(scripts: Path = SCRIPTS) -> str | None:
    """The newest revision that the program knows."""
    return ScriptDirectory(str(scripts)).get_current_head()


def revision_of(dialect: Dialect) -> str | None:
    """The revision of the schema that the database has; None when it has none of ours."""
    engine = dialect.engine(writing=False)
    try:
        with engine.connect() as connection:
            return _revision(connection)
    finally:
        engine.dispose()


def knows(revision: str, scripts: Path = SCRIPTS) -> bool:
    """Whether this program can bring a schema of this revision up to date."""
    return revision in {each.revision for each in ScriptDirectory(str(scripts)).walk_revisions()}


def draft(connection: Connection, dialect: Dialect) -> str:
    """The body of an ``upgrade()`` that would make the tables those of the models."""
    context = _context(connection, dialect)
    changes = produce_migrations(context, SQLModel.metadata)
    assert changes.upgrade_ops is not None  # noqa: S101 - only Alembic's types allow None
    if changes.upgrade_ops.is_empty():
        return ""
    return render_python_code(changes.upgrade_ops, render_as_batch=True, migration_context=context)


def _run(
    connection: Connection, dialect: Dialect, directory: ScriptDirectory, steps: list[Script]
) -> None:
    context = _context(connection, dialect)
    with Operations.context(context):
        for step in steps:
            step.module.upgrade()
            context.stamp(directory, step.revision)


def _context(connection: Connection, dialect: Dialect) -> MigrationContext:
    """Alembic's context; a revision finds the dialect as ``op.get_context().opts["dialect"]``."""

    def is_described(name: str | None, kind: str, _parents: object) -> bool:
        return not (kind == "table" and name and dialect.text_index.owns_table(name))

    return MigrationContext.configure(
        connection, opts={"dialect": dialect, "include_name": is_described}
    )


def _steps(connection: Connection, directory: ScriptDirectory) -> list[Script]:
    current, head = _revision(connection), directory.get_current_head()
    if current is None and inspect(connection).get_table_names():
        raise DatabaseTrouble(
            "The database holds tables of another program and was left alone: "
            "set DATABASE_URL to a file of the bot's own."
        )
    if current == head or head is None:
        return []
    if current is not None and current not in {
        each.revision for each in directory.walk_revisions()
    }:
        raise NewerDatabase(
            f"The database was made by a newer program (its schema is {current}, this program "
            f"knows {head} at most): upgrade the bot, or set DATABASE_URL to another database."
        )
    return [*directory.iterate_revisions(head, current or "base")][::-1]


def _revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()
