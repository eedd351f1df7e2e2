"""Tombstones: that somebody was erased and is kept out, without saying who.

A tombstone is a set of keyed hashes of what the person would be known by when
they came again. A name alone is never one of them:

===============  =========================================================  ======
kind             what is hashed                                             erases
===============  =========================================================  ======
``id``           the id of the record, and ids that were merged into it     yes
``digest``       the digest of each document's text                         yes
``text``         each document's text, blanks and line ends made alike      yes
``contribution`` name, repository, first month                              yes
``login``        name, likely login                                         yes
``headline``     name, headline (or title and company)                      no
``school``       name, school                                               no
===============  =========================================================  ======

Whoever is added is refused when one of them agrees. After a backup was restored
those stored are erased whom one of the upper five names: two people may share a
name and a headline, and being refused can be put right where being erased cannot.

The hashes are made with the key of this database (``storage.keyring``), so they
tell nothing to who has only them. Each tombstone is also a line of
``NAME.tombstones`` beside the database, for a backup that is older than it.
"""

from collections.abc import Collection, Iterable
from typing import Final

from sqlalchemy import Connection, bindparam
from sqlalchemy import select as columns
from sqlmodel import Session, col, select

from storage.errors import BotError
from storage.identity import name_key
from storage.keyring import hash_key, keyed_hash, keyed_hash_of
from storage.models import ProfileRow, SourceRow, TombstoneKeyRow, TombstoneRow
from storage.prepared import Prepared
from storage.profile_json import profile_from_document
from storage.records import Document, Profile
from storage.search.folding import tokens

REFERENCE: Final = 8
"""Digits of a tombstone's id that people type."""
_AT_ONCE: Final = 500

_ANY: Final = Prepared(
    columns(col(TombstoneRow.id))
    .where(
        col(TombstoneRow.workspace) == bindparam("workspace"),
        col(TombstoneRow.lifted_at).is_(None),
    )
    .limit(1)
)


class Forgotten(BotError):
    """Somebody was to be stored who was erased here; the sentence does not say who."""

    def __init__(self, reference: str) -> None:
        """``reference`` is what an admin types to let them in again."""
        super().__init__(
            "A person on this page was erased here and is kept out: nothing of them was stored. "
            "If they want to be stored again, whoever runs the bot lets them in with "
            f"`.venv/bin/python -m bot forget --lift {reference}`."
        )
        self.reference = reference


def known_by(
    key: str, profile: Profile, text: str | None = None, *, certain: bool = False
) -> set[str]:
    """The hashes by which this page of a person would be recognised.

    ``certain`` leaves out the kinds that two people may share.
    """
    name = name_key(profile.name)
    told: set[tuple[str, ...]] = {
        ("contribution", name, each.repository.casefold(), each.from_month)
        for each in profile.contributions
        if each.from_month
    }
    if profile.likely_login:
        told.add(("login", name, profile.likely_login.casefold()))
    if text is not None:
        told |= {("digest", keyed_hash(key, text)), ("text", " ".join(text.split()))}
    if not certain:
        work = " ".join(filter(None, (profile.title, profile.company)))
        for headline in (profile.headline or "", work):
            if words := " ".join(tokens(headline)):
                told.add(("headline", name, words))
        for education in profile.education:
            if words := " ".join(tokens(education.school or "")):
                told.add(("school", name, words))
    return {keyed_hash_of(key, *each) for each in told}


def known_by_id(key: str, *ids: str) -> set[str]:
    """The hashes of a record's ids."""
    return {keyed_hash_of(key, "id", each) for each in ids}


def documents_of(session: Session, profile_id: str) -> list[tuple[Profile, str | None]]:
    """What each document of a stored person said, with its text, and the record as it stands."""
    pages: list[tuple[Profile, str | None]] = []
    stored = session.exec(select(ProfileRow.document).where(ProfileRow.id == profile_id)).first()
    if stored is None:
        return pages
    record = profile_from_document(stored)
    pages.append((record, None))
    for document, text in session.exec(
        select(SourceRow.document, SourceRow.text)
        .where(SourceRow.profile_id == profile_id)
        .order_by(col(SourceRow.version))
    ):
        pages.append((profile_from_document(document) if document else record, text))
    return pages


def standing_tombstone(
    connection: Connection, workspace: str, hashes: Collection[str]
) -> str | None:
    """The id of a tombstone, not lifted, that one of these hashes belongs to; else None."""
    wanted = sorted(hashes)
    for first in range(0, len(wanted), _AT_ONCE):
        found = connection.scalar(
            columns(col(TombstoneRow.id))
            .join(TombstoneKeyRow, col(TombstoneKeyRow.tombstone_id) == col(TombstoneRow.id))
            .where(
                col(TombstoneKeyRow.workspace) == workspace,
                col(TombstoneKeyRow.digest).in_(wanted[first : first + _AT_ONCE]),
                col(TombstoneRow.lifted_at).is_(None),
            )
            .limit(1)
        )
        if found is not None:
            return str(found)
    return None


def any_tombstone(connection: Connection, workspace: str) -> bool:
    """Whether anybody was ever forgotten: most stores never need to hash anything."""
    return bool(_ANY.rows(connection, {"workspace": workspace}))


def refuse_forgotten(
    connection: Connection, workspace: str, profile: Profile, document: Document
) -> None:
    """Raises Forgotten when the person of this page was erased here."""
    if not any_tombstone(connection, workspace):
        return
    hashes = known_by(hash_key(connection), profile, document.text)
    found = standing_tombstone(connection, workspace, hashes)
    if found is not None:
        raise Forgotten(found[:REFERENCE])


def forgotten_among(connection: Connection, workspace: str, ids: Iterable[str]) -> list[str]:
    """Those of these ids that meant somebody who is forgotten and not let in again."""
    if not any_tombstone(connection, workspace):
        return []
    key = hash_key(connection)
    return [
        each for each in ids if standing_tombstone(connection, workspace, known_by_id(key, each))
    ]
