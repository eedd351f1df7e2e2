"""The newest schema, and whether a database has it: known without Alembic.

Importing Alembic takes longer than answering a question, and nearly every start
finds nothing to migrate.
"""

from typing import Final

from sqlalchemy import String, column, inspect, select, table

from storage.dialects.dialect import Dialect

HEAD: Final = "0005"
"""The ``revision`` of the newest module in ``versions``."""
_STAMP: Final = "alembic_version"


def is_up_to_date(dialect: Dialect) -> bool:
    """Whether the database has the newest schema. False also for one that is none of ours."""
    engine = dialect.engine(writing=False)
    try:
        with engine.connect() as connection:
            if not inspect(connection).has_table(_STAMP):
                return False
            stamped = connection.execute(
                select(column("version_num", String)).select_from(table(_STAMP))
            )
            return [*stamped.scalars()] == [HEAD]
    finally:
        engine.dispose()
