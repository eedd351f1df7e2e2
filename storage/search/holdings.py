"""What ``has:`` asks for: whether a page states something at all.

Only what is kept can be asked for. No address, phone number, picture or link of a person
is ever read from a page, so nobody ``has`` one here, and a question for it is refused with
that sentence instead of being answered with nobody.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import regex

from storage.records import Profile
from storage.search.lookup import Lookup, Mask
from storage.search.tree import QueryError


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """Something that a page may state: ``said`` is what one person then has."""

    said: str
    kinds: tuple[str, ...] = ()
    """The kinds of facts (see ``postings``) any of which says so."""
    columns: tuple[str, ...] = ()
    """The columns of ``profile`` any of which says so."""
    told: Callable[[Profile], str]
    """What a profile states of it; empty without."""

    def mask(self, look: Lookup) -> Mask:
        """Whose page states it."""
        return look.any(
            [
                *(look.beginning(kind, "") for kind in self.kinds),
                *(~np.isnan(look.numbers(column)) for column in self.columns),
            ]
        )


def _amount(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several} on the page" if number else ""


def _work(profile: Profile) -> str:
    work = " at ".join(filter(None, (profile.title, profile.company)))
    years = profile.years_employed
    return work or (f"employed for {years} years" if years is not None else "")


HOLDINGS: Final = {
    "company": Holding(
        said="a company",
        kinds=("company",),
        told=lambda profile: f"company is {profile.company}" if profile.company else "",
    ),
    "contributions": Holding(
        said="contributions",
        kinds=("repo",),
        told=lambda profile: _amount(len(profile.contributions), "contribution", "contributions"),
    ),
    "education": Holding(
        said="education",
        kinds=("school", "education"),
        told=lambda profile: next((f"education: {each.text}" for each in profile.education), ""),
    ),
    "experience": Holding(
        said="work experience",
        kinds=("title", "company"),
        columns=("years_employed",),
        told=_work,
    ),
    "github": Holding(
        said="a probable login on GitHub",
        kinds=("login",),
        told=lambda profile: (
            f"probably {profile.likely_login} on GitHub" if profile.likely_login else ""
        ),
    ),
    "location": Holding(
        said="a place",
        kinds=("city", "country", "unclear"),
        told=lambda profile: f"place: {profile.location.text}" if profile.location else "",
    ),
    "skills": Holding(
        said="skills",
        kinds=("skill",),
        told=lambda profile: _amount(len(profile.skills), "skill", "skills"),
    ),
    "title": Holding(
        said="a job title",
        kinds=("title",),
        told=lambda profile: f"title is {profile.title}" if profile.title else "",
    ),
    "topics": Holding(
        said="topics of repositories",
        kinds=("topic",),
        told=lambda profile: _amount(
            len({topic for each in profile.contributions for topic in each.topics}),
            "topic",
            "topics",
        ),
    ),
    "years": Holding(
        said="years of coding",
        columns=("years_coding",),
        told=lambda profile: (
            f"{profile.years_coding} years of coding" if profile.years_coding is not None else ""
        ),
    ),
}
"""By the value of ``has:``."""
_OTHER_WORDS: Final = {
    **dict.fromkeys(
        ("contribution", "repo", "repos", "repository", "repositories"), "contributions"
    ),
    **dict.fromkeys(("school", "degree", "university"), "education"),
    **dict.fromkeys(("job", "work", "employment"), "experience"),
    **dict.fromkeys(("login", "github-login"), "github"),
    **dict.fromkeys(("place", "city", "country"), "location"),
    **dict.fromkeys(("employer",), "company"),
    **dict.fromkeys(("role",), "title"),
    **dict.fromkeys(("skill",), "skills"),
    **dict.fromkeys(("topic",), "topics"),
}
_NEVER_KEPT: Final = frozenset(
    regex.findall(
        r"\S+",
        """address contact e-mail email facebook homepage image link linkedin links mail phone photo
        picture telephone twitter url website""",
    )
)


def holding(value: str) -> str:
    """The key of ``HOLDINGS`` that ``value`` means. Raises QueryError for what cannot be asked.

    >>> holding("Education"), holding("repos")
    ('education', 'contributions')
    """
    said = value.casefold()
    if said in HOLDINGS:
        return said
    if said in _OTHER_WORDS:
        return _OTHER_WORDS[said]
    known = ", ".join(HOLDINGS)
    if said in _NEVER_KEPT:
        raise QueryError(
            f"No contact details, pictures or links of people are kept here, so nobody has "
            f"“{value}”. has: knows {known}."
        )
    raise QueryError(f"has: does not know “{value}”. It knows {known}, such as has:education.")
