"""What every part of the store stands in: its database, its workspace, its source of ids."""

from collections.abc import Callable

from storage.database import Database


class Room:
    """The three attributes that the parts of ``Store`` share.

    ``new_id`` gives a fresh random id for rows that people do not see
    (a public candidate id is made from it, see ``storage.people``).
    """

    database: Database
    workspace: str
    new_id: Callable[[], str]
