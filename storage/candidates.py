"""Candidates as stored: rows become values, a whole list in four queries."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from typing import Any, Final

from sqlalchemy import BindParameter, String, bindparam, cast
from sqlalchemy import select as columns
from sqlmodel import Session, SQLModel, col, select

from storage.models import InTouchRow, ProfileAliasRow, ProfileRow, SourceRow, StandingRow
from storage.prepared import Prepared
from storage.profiles_read import profile_from_json
from storage.records import Candidate, InTouch, Profile, Source, Standing, StandingKind

_AT_ONCE: Final = 500


def _of(table: type[SQLModel], *names: str) -> list[Any]:
    """Columns to be read as plain rows: objects that a session watches cost more than the rest."""
    return [getattr(table, name) for name in names]


_OF_A_SOURCE: Final = tuple(field.name for field in fields(Source))
_OF_A_CANDIDATE: Final = ("added_at", "added_by", "added_via", "updated_at")
_IDS: Final[BindParameter[str]] = bindparam("ids", expanding=True)
_PROFILES: Final = Prepared(
    columns(
        cast(col(ProfileRow.document), String).label("document"),
        *_of(ProfileRow, "id", "workspace", *_OF_A_CANDIDATE),
    ).where(col(ProfileRow.id).in_(_IDS))
)
_SOURCES: Final = Prepared(
    columns(*_of(SourceRow, "profile_id", *_OF_A_SOURCE))
    .where(col(SourceRow.profile_id).in_(_IDS))
    .order_by(col(SourceRow.profile_id), col(SourceRow.version))
)
_STANDINGS: Final = Prepared(
    columns(*_of(StandingRow, "profile_id", "kind", "at", "by", "reason"))
    .where(col(StandingRow.profile_id).in_(_IDS))
    .order_by(col(StandingRow.at), col(StandingRow.kind))
)
_IN_TOUCH: Final = Prepared(
    columns(*_of(InTouchRow, "profile_id", "who", "since", "until"))
    .where(col(InTouchRow.profile_id).in_(_IDS))
    .order_by(col(InTouchRow.since), col(InTouchRow.who))
)


def load_candidates(
    session: Session,
    workspace: str,
    ids: Sequence[str],
    *,
    read: Callable[[str], Profile] = profile_from_json,
) -> list[Candidate]:
    """The people of these ids in this order, in four queries (more when ids were merged away).

    ``read`` makes a profile of its document, or knows it already.
    """
    rows = _rows(session, workspace, ids)
    means = {wanted: wanted for wanted in rows}
    retired = [wanted for wanted in ids if wanted not in rows]
    if retired:
        aliases = _aliases(session, retired)
        rows |= _rows(session, workspace, list(aliases.values()))
        means |= {alias: actual for alias, actual in aliases.items() if actual in rows}
    sources = _sources(session, list(rows))
    standings, in_touch = _standings(session, list(rows)), _in_touch(session, list(rows))
    return [
        Candidate(
            id=actual,
            profile=read(rows[actual][0]),
            **dict(zip(_OF_A_CANDIDATE, rows[actual][1:], strict=True)),
            sources=tuple(sources.get(actual, ())),
            standings=tuple(standings.get(actual, ())),
            in_touch=tuple(in_touch.get(actual, ())),
        )
        for actual in (means[wanted] for wanted in ids if wanted in means)
    ]


def _rows(session: Session, workspace: str, ids: Sequence[str]) -> dict[str, tuple[Any, ...]]:
    """By id the document, and what else ``_OF_A_CANDIDATE`` names."""
    # the workspace is looked at here: asked for, SQLite may go through all of it
    return {
        id_: (document, *rest)
        for some in _portions(ids)
        for document, id_, its_workspace, *rest in _PROFILES.rows(
            session.connection(), {"ids": some}
        )
        if its_workspace == workspace
    }


def _aliases(session: Session, ids: Sequence[str]) -> dict[str, str]:
    return {
        alias: actual
        for some in _portions(ids)
        for alias, actual in session.exec(
            select(ProfileAliasRow.alias, ProfileAliasRow.profile_id).where(
                col(ProfileAliasRow.alias).in_(some)
            )
        )
    }


def _sources(session: Session, ids: Sequence[str]) -> dict[str, list[Source]]:
    """The documents of each person, oldest first, without their texts."""
    found: dict[str, list[Source]] = {}
    for some in _portions(ids):
        for id_, *rest in _SOURCES.rows(session.connection(), {"ids": some}):
            source = Source(**dict(zip(_OF_A_SOURCE, rest, strict=True)))
            found.setdefault(id_, []).append(source)
    return found


def _standings(session: Session, ids: Sequence[str]) -> dict[str, list[Standing]]:
    found: dict[str, list[Standing]] = {}
    for some in _portions(ids):
        for id_, kind, at, by, reason in _STANDINGS.rows(session.connection(), {"ids": some}):
            standing = Standing(kind=StandingKind(kind), at=at, by=by, reason=reason)
            found.setdefault(id_, []).append(standing)
    return found


def _in_touch(session: Session, ids: Sequence[str]) -> dict[str, list[InTouch]]:
    found: dict[str, list[InTouch]] = {}
    for some in _portions(ids):
        for id_, who, since, until in _IN_TOUCH.rows(session.connection(), {"ids": some}):
            found.setdefault(id_, []).append(InTouch(who=who, since=since, until=until))
    return found


def _portions(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    """A statement has a limit on its parameters."""
    for start in range(0, len(ids), _AT_ONCE):
        yield ids[start : start + _AT_ONCE]


def actual_id(session: Session, workspace: str, candidate_id: str) -> str | None:
    """The id that this one means today; None when it means nobody."""
    wanted = _aliases(session, [candidate_id]).get(candidate_id, candidate_id)
    return session.exec(
        select(ProfileRow.id).where(ProfileRow.id == wanted, ProfileRow.workspace == workspace)
    ).one_or_none()
