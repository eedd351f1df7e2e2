"""What the page says where a question excludes, and where ``sort:`` alone puts in order."""

from collections.abc import Iterator

from storage.records import Candidate, Profile
from storage.search.qualifiers import TABLE
from storage.search.tree import Leaf, Order, Qualified


def lacking(leaf: Leaf, candidate: Candidate) -> Iterator[str]:
    """Why somebody is not excluded by ``-leaf``, in words that can be checked."""
    profile = candidate.profile
    if not isinstance(leaf, Qualified):
        yield f"nothing here matches {leaf}"
        return
    match leaf.key:
        case "skill" if leaf.comparison:
            yield f"not {TABLE['skill'].english(leaf).removeprefix('with ')}"
        case "skill":
            yield f"{leaf.value} is not listed"
        case "location":
            stated = profile.location and profile.location.text
            yield f"place as stated: {stated}" if stated else "no place stated"
        case "company":
            yield f"company is {profile.company}" if profile.company else "no company stated"
        case "repo":
            yield f"no listed contribution to {leaf.value}"
        case "school":
            yield f"{leaf.value} is not among the schools"
        case "role":
            yield f"no title or role of {leaf.value}"
        case "added":
            yield added(candidate)
        case _:
            yield years(leaf.key, profile)


def placed(order: Order, candidate: Candidate) -> Iterator[str]:
    """The fact that ``sort:`` puts somebody in order by."""
    match order.key:
        case "name":
            yield f"name is {candidate.profile.name}"
        case "added":
            yield added(candidate)
        case _:
            yield years(order.key, candidate.profile)


def added(candidate: Candidate) -> str:
    return f"added {candidate.added_at:%Y-%m-%d}"


def years(key: str, profile: Profile) -> str:
    """``8 years of coding``, or that they are not stated."""
    number = profile.years_coding if key == "years" else profile.years_employed
    what = "of coding" if key == "years" else "employed"
    if number is None:
        return f"years {what} not stated"
    return f"{number} {'year' if number == 1 else 'years'} {what}"
