"""What the page says where a question excludes, and where ``sort:`` alone puts in order."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from storage.records import Candidate, Profile
from storage.search.dates import told_on
from storage.search.holdings import HOLDINGS, holding
from storage.search.qualifiers import TABLE
from storage.search.tree import Leaf, Order, Qualified

_LACKING: Final = {
    "skill": "{} is not listed as a skill",
    "lang": "{} is neither a skill nor a topic on the page",
    "topic": "{} is no topic of a repository on the page",
    "repo": "no contribution to {} on the page",
    "school": "{} is not among the schools on the page",
    "role": "no title or role of {}",
    "similar": "not among those similar to {}",
}


def lacking(leaf: Leaf, candidate: Candidate, now: datetime) -> Iterator[str]:
    """Why somebody is not excluded by ``-leaf``, in words that can be checked."""
    profile = candidate.profile
    if not isinstance(leaf, Qualified):
        yield f"nothing on the page matches {leaf}"
        return
    match leaf.key:
        case "skill" if leaf.comparison:
            yield f"not {TABLE['skill'].english(leaf).removeprefix('with ')}"
        case "location":
            stated = profile.location and profile.location.text
            yield f"place on the page: {stated}" if stated else "no place on the page"
        case "company":
            yield f"company is {profile.company}" if profile.company else "no company on the page"
        case "has":
            yield f"no {HOLDINGS[holding(leaf.value)].said.removeprefix('a ')} on the page"
        case key if key in _LACKING:
            yield _LACKING[key].format(leaf.value)
        case _:
            yield _stated(leaf.key, candidate, now)


def placed(order: Order, candidate: Candidate, now: datetime) -> Iterator[str]:
    """The fact that ``sort:`` puts somebody in order by."""
    match order.key:
        case "name" | "score":
            return  # it stands above, or is a reason already
        case _:
            yield _stated(order.key, candidate, now)


def _stated(key: str, candidate: Candidate, now: datetime | None) -> str:
    """The number or the day that a key compares."""
    if key in ("added", "changed"):
        return added(candidate, now) if key == "added" else changed(candidate, now)
    return years(key, candidate.profile)


def added(candidate: Candidate, now: datetime | None) -> str:
    return f"added {told_on(candidate.added_at, now)}"


def changed(candidate: Candidate, now: datetime | None) -> str:
    return f"last changed {told_on(candidate.updated_at, now)}"


def years(key: str, profile: Profile) -> str:
    """``8 years of coding``, or that they are not stated."""
    number = profile.years_coding if key == "years" else profile.years_employed
    what = "of coding" if key == "years" else "employed"
    if number is None:
        return f"years {what} not on the page"
    return f"{number} {'year' if number == 1 else 'years'} {what}"
