"""The secret of this database: the key of every hash that must not tell what was hashed.

It is made when first needed and lives in the database, so a copy of the
database can compare hashes and nothing else can.
"""

import hashlib
import hmac
import json
from secrets import token_hex
from typing import Final

from sqlalchemy import Connection, insert, select
from sqlmodel import col

from storage.models import MetaRow
from storage.prepared import Prepared

HASH_KEY: Final = "source-hash-key"
_KEY: Final = Prepared(select(col(MetaRow.value)).where(col(MetaRow.name) == HASH_KEY))


def hash_key(connection: Connection) -> str:
    """The key, 64 hexadecimal digits. Call it in a transaction that may write."""
    for (found,) in _KEY.rows(connection, {}):
        return str(found)
    made = token_hex(32)
    connection.execute(insert(MetaRow).values(name=HASH_KEY, value=made))
    return made


def keyed_hash(key: str, text: str) -> str:
    """HMAC-SHA256 of the text in hex: without the key nobody can tell what was hashed."""
    return hmac.new(bytes.fromhex(key), text.encode(), hashlib.sha256).hexdigest()


def keyed_hash_of(key: str, *values: object) -> str:
    """The same for several values, which cannot run into each other."""
    return keyed_hash(key, json.dumps(values, ensure_ascii=False, separators=(",", ":")))
