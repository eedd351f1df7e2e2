"""Likely twins: pairs of stored people who may be one person, each with the reasons.

Suggested are people

- of the same name, in any order;
- whose names agree in another script or but for a middle name, and who share something
  that few people share: an employer, a school, a city, or work in one repository;
- whose documents state the same e-mail address or site, whatever their names.

Whoever shares more stands first. Who was ruled not to be the same is never suggested again,
in whatever record; whom somebody put off, not before then. Nobody is ever merged by this.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from typing import Final

from sqlalchemy import func
from sqlmodel import Session, col, select

from storage.candidates import actual_id, load_candidates
from storage.models import PersonKeyRow, ProfileAliasRow, ProfileRow, TwinRulingRow
from storage.person_keys import keys_of, names_agree
from storage.records import Candidate, Profile
from storage.room import Room
from storage.same_entry import is_one_school, is_same_company, is_same_place
from storage.search.folding import tokens
from storage.search.reading import read_aloud
from storage.uses import visible

MOST_OF_A_NAME: Final = 20
"""People of one name who are compared, so that a common name does not fill the list."""
MOST_PAIRS: Final = 500
Pair = frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Twins:
    """Two people who may be one; ``reasons`` complete "because of": the strongest first."""

    one: Candidate
    other: Candidate
    reasons: tuple[str, ...]


class Twinning(Room):
    """Finding likely twins."""

    def likely_twins(
        self, *, of: str | None = None, now: datetime, limit: int = 5, offset: int = 0
    ) -> tuple[list[Twins], int]:
        """Pairs from ``offset`` on, the likeliest first, and how many there are.

        ``of`` is a person's id: only pairs with them. Nobody who is hidden is suggested.
        """
        with self.database.read() as session:
            actual = None if of is None else actual_id(session, self.workspace, of)
            if of is not None and actual is None:
                return [], 0
            ruled = _ruled(session, now)
            pairs = [
                each
                for each in _suspected(session, self.workspace)
                if each not in ruled and (actual is None or actual in each)
            ][:MOST_PAIRS]
            ids = sorted({each for pair in pairs for each in pair})
            people = {each.id: each for each in load_candidates(session, self.workspace, ids)}
        found = [
            twins
            for one, other in (_in_order(pair, people) for pair in pairs)
            if (twins := _twins(one, other)) is not None
        ]
        found.sort(key=lambda each: (-len(each.reasons), each.one.added_at, each.other.id))
        return found[offset : offset + limit], len(found)


def _suspected(session: Session, workspace: str) -> Iterator[Pair]:
    """Pairs to be looked at, each once: by keys first, then by names."""
    seen: set[Pair] = set()
    for group in (*_by_keys(session, workspace), *_by_names(session, workspace)):
        for pair in map(frozenset, combinations(group[:MOST_OF_A_NAME], 2)):
            if pair not in seen:
                seen.add(pair)
                yield pair


def _by_names(session: Session, workspace: str) -> Iterator[list[str]]:
    """Ids of people whose first and last words, in Latin letters, are the same."""
    groups: dict[Pair, list[str]] = {}
    for profile_id, name in session.exec(
        select(ProfileRow.id, ProfileRow.name)
        .where(visible(workspace))
        .order_by(col(ProfileRow.added_at), col(ProfileRow.id))
    ):
        words = tokens(read_aloud(name) or name)
        if words:
            groups.setdefault(frozenset((words[0], words[-1])), []).append(profile_id)
    return (group for group in groups.values() if len(group) > 1)


def _by_keys(session: Session, workspace: str) -> list[list[str]]:
    """Ids of people whose documents state one key."""
    actual = dict(session.exec(select(ProfileAliasRow.alias, ProfileAliasRow.profile_id)).all())
    shared = (
        select(PersonKeyRow.digest)
        .where(PersonKeyRow.workspace == workspace)
        .group_by(col(PersonKeyRow.digest))
        .having(func.count(func.distinct(PersonKeyRow.profile_id)) > 1)
    )
    groups: dict[str, list[str]] = {}
    for digest, profile_id in session.exec(
        select(PersonKeyRow.digest, PersonKeyRow.profile_id)
        .join(ProfileRow, col(ProfileRow.id) == col(PersonKeyRow.profile_id), isouter=True)
        .where(PersonKeyRow.workspace == workspace, col(PersonKeyRow.digest).in_(shared))
        .order_by(col(PersonKeyRow.digest), col(PersonKeyRow.profile_id))
    ):
        groups.setdefault(digest, []).append(actual.get(profile_id, profile_id))
    unhidden = set(session.exec(select(ProfileRow.id).where(visible(workspace))))
    people = ([id_ for id_ in dict.fromkeys(each) if id_ in unhidden] for each in groups.values())
    return [each for each in people if len(each) > 1]


def _ruled(session: Session, now: datetime) -> set[Pair]:
    """Pairs that are not to be suggested now, by what their ids mean today."""
    actual = dict(session.exec(select(ProfileAliasRow.alias, ProfileAliasRow.profile_id)).all())
    return {
        frozenset(
            (actual.get(row.profile_id, row.profile_id), actual.get(row.other_id, row.other_id))
        )
        for row in session.exec(select(TwinRulingRow))
        if row.until is None or row.until > now
    }


def _in_order(pair: Pair, people: dict[str, Candidate]) -> tuple[Candidate, Candidate]:
    """Who was added first stands first, as in a merge."""
    one, other = sorted((people[each] for each in pair), key=lambda each: (each.added_at, each.id))
    return one, other


def _twins(one: Candidate, other: Candidate) -> Twins | None:
    """The pair with its reasons; None where there are not enough."""
    mine, theirs = one.profile, other.profile
    keys, facts = list(_shared_keys(mine, theirs)), list(_shared_facts(mine, theirs))
    named = _named_alike(mine.name, theirs.name)
    if not keys and (named is None or (named != _SAME_NAME and not facts)):
        return None
    reasons = (*keys, *([named] if named else ["another name"]), *facts)
    return Twins(one=one, other=other, reasons=reasons)


_SAME_NAME: Final = "the same name"


def _named_alike(one: str, other: str) -> str | None:
    if set(tokens(one)) == set(tokens(other)):
        return _SAME_NAME
    if not names_agree(one, other):
        return None
    written = bool(read_aloud(one)) != bool(read_aloud(other))
    return "the same name in another script" if written else "the same name with more words"


def _shared_keys(mine: Profile, theirs: Profile) -> Iterator[str]:
    shared = {each.kind for each in set(keys_of(mine)) & set(keys_of(theirs))}
    for kind, said in (("email", "the same e-mail address"), ("site", "the same site")):
        if kind in shared:
            yield said
    if shared - {"email", "site"}:
        yield "the same profile elsewhere"


def _shared_facts(mine: Profile, theirs: Profile) -> Iterator[str]:
    repositories = {each.repository.casefold() for each in theirs.contributions}
    for work in mine.contributions:
        if work.repository.casefold() in repositories:
            yield f"both worked on {work.repository}"
            break
    employers = list(_employers(theirs))
    for employer in _employers(mine):
        if any(is_same_company(employer, each) for each in employers):
            yield f"both at {employer}"
            break
    schools = [each.school for each in theirs.education if each.school]
    for school in (each.school for each in mine.education if each.school):
        if any(is_one_school(school, each) for each in schools):
            yield f"both studied at {school}"
            break
    here, there = mine.location, theirs.location
    if here and there and here.city and there.city and is_same_place(here, there):
        yield f"both in {here.city}"


def _employers(profile: Profile) -> Iterable[str]:
    stated = (profile.company, *(each.employer for each in profile.jobs))
    return dict.fromkeys(each for each in stated if each)
