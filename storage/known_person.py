"""Whether a document speaks of somebody who is stored: see ``storage.identity`` for the rules."""

from dataclasses import dataclass
from typing import Final

from sqlmodel import Session, col, select

from storage.candidates import actual_id
from storage.identity import contribution_keys, file_key, name_key
from storage.models import ContributionRow, MemberRow, ProfileRow, SourceRow
from storage.person_keys import WITH_A_NAME, keys_of, sharing_a_key
from storage.records import Document, Profile
from storage.spoken import documents_spoken

_TELLING: Final = frozenset({"github", "github-id", "linkedin", "email"})
"""Kinds of keys of which a person seldom has two: a file's name says nothing against them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Whom a document speaks of: the person, and the id that it is to be filed under.

    ``profile_id`` is None for somebody who is not stored. ``twins`` are ids of others who
    may be the same person and are not taken to be.
    """

    profile_id: str | None
    filed_under: str | None
    twins: tuple[str, ...] = ()


def known_person(session: Session, workspace: str, profile: Profile, document: Document) -> Known:
    """The stored person that this document speaks of.

    Keys decide first; where several people share one with it, more keys, then who was added
    first. Else it is a newer page of somebody of this name.
    """
    certain, doubtful = _by_keys(session, workspace, profile)
    namesakes = _namesakes(session, workspace, profile.name)
    if certain:
        actual, *others = certain
        return Known(profile_id=actual, filed_under=certain[actual], twins=tuple(others))
    record = _newer_page_of_a_record(session, workspace, profile, document)
    if record is not None:
        return Known(profile_id=actual_id(session, workspace, record), filed_under=record)
    same = _newer_page_of(session, workspace, profile, document, namesakes)
    if same is not None:
        return Known(profile_id=same, filed_under=same)
    twins = tuple(dict.fromkeys([*namesakes, *doubtful]))
    return Known(profile_id=None, filed_under=None, twins=twins)


def _by_keys(
    session: Session, workspace: str, profile: Profile
) -> tuple[dict[str, str], list[str]]:
    """Who shares a key that identifies, each with the id to file under, the best first; and
    who shares one that needs an agreeing name and bears another.
    """
    shared: dict[str, dict[str, set[str]]] = {}
    doubtful: list[str] = []
    for filed_under, kind, agreeing in sharing_a_key(session, workspace, profile):
        actual = actual_id(session, workspace, filed_under)
        if actual is None:
            continue
        if kind in WITH_A_NAME and not agreeing:
            doubtful.append(actual)
            continue
        shared.setdefault(actual, {}).setdefault(filed_under, set()).add(kind)
    order = {id_: place for place, id_ in enumerate(_by_addition(session, list(shared)))}
    best = sorted(shared, key=lambda id_: (-len(set().union(*shared[id_].values())), order[id_]))
    filed = {id_: _most_shared(shared[id_]) for id_ in best}
    return filed, [id_ for id_ in dict.fromkeys(doubtful) if id_ not in shared]


def _most_shared(shared: dict[str, set[str]]) -> str:
    """Of the ids that a person's documents are filed under the one that shares most kinds."""
    return min(shared, key=lambda filed_under: (-len(shared[filed_under]), filed_under))


def _by_addition(session: Session, ids: list[str]) -> list[str]:
    return list(
        session.exec(
            select(ProfileRow.id)
            .where(col(ProfileRow.id).in_(ids))
            .order_by(col(ProfileRow.added_at), col(ProfileRow.id))
        )
    )


def _namesakes(session: Session, workspace: str, name: str) -> list[str]:
    """Ids of the stored people of this name, whoever was added first standing first."""
    return list(
        session.exec(
            select(ProfileRow.id)
            .where(ProfileRow.workspace == workspace, ProfileRow.name_key == name_key(name))
            .order_by(col(ProfileRow.added_at), col(ProfileRow.id))
        )
    )


def _newer_page_of(
    session: Session,
    workspace: str,
    profile: Profile,
    document: Document,
    namesakes: list[str],
) -> str | None:
    """Of the people of this name the one whose newer page this is.

    Where several agree, more shared contributions decide, then the file name, then who was
    added first.
    """
    if not namesakes:
        return None
    agreeing = dict.fromkeys(namesakes, 0)
    of_this_name = (
        ProfileRow.workspace == workspace,
        ProfileRow.name_key == name_key(profile.name),
    )
    shared = contribution_keys(profile.contributions)
    for profile_id, repository, month in session.exec(
        select(
            ContributionRow.profile_id,
            ContributionRow.repository_key,
            ContributionRow.from_month,
        )
        .join(ProfileRow, col(ProfileRow.id) == col(ContributionRow.profile_id))
        .where(*of_this_name)
    ):
        agreeing[profile_id] += 2 * ((repository, month) in shared)
    file = stated_file_key(document)
    if file is not None:
        for profile_id in session.exec(
            select(SourceRow.profile_id)
            .join(ProfileRow, col(ProfileRow.id) == col(SourceRow.profile_id))
            .where(*of_this_name, SourceRow.file_key == file)
            .distinct()
        ).all():
            said = documents_spoken(session, [profile_id])
            agreeing[profile_id] += not any(_differs(profile, each.profile) for each in said)
    best = max(namesakes, key=agreeing.__getitem__)
    return best if agreeing[best] else None


def _newer_page_of_a_record(
    session: Session, workspace: str, profile: Profile, document: Document
) -> str | None:
    """The same among the records that merged people are made of, by the names they had."""
    records = session.exec(
        select(MemberRow.profile_id)
        .where(MemberRow.workspace == workspace, MemberRow.name_key == name_key(profile.name))
        .order_by(col(MemberRow.profile_id))
    ).all()
    shared, file = contribution_keys(profile.contributions), stated_file_key(document)
    agreeing = dict.fromkeys(records, 0)
    for each in documents_spoken(session, records):
        agreeing[each.filed_under] += 2 * len(
            shared & contribution_keys(each.profile.contributions)
        )
        named = file is not None and file_key(each.name) == file
        named = named and not _differs(profile, each.profile)
        agreeing[each.filed_under] += named
    best = max(records, key=agreeing.__getitem__, default=None)
    return best if best is not None and agreeing[best] else None


def _differs(profile: Profile, other: Profile) -> bool:
    """Whether two documents state an account or an address of one kind, and share none.

    Keys have been compared before: these two have none in common.
    """
    kinds = {key.kind for key in keys_of(profile)} & _TELLING
    return any(key.kind in kinds for key in keys_of(other))


def stated_file_key(document: Document) -> str | None:
    """What the document's file name agrees by; None where it tells nobody apart."""
    return file_key(document.name) if document.name_tells else None
