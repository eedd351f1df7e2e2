"""A profile as rows: what the tables hold of it beside the whole document.

Columns that end in ``_text`` hold folded tokens joined by spaces
(``folded_text``), so that search compares like with like.
"""

from typing import Any

from sqlalchemy import Connection, delete, insert
from sqlmodel import col

from storage.identity import name_key
from storage.models import ContributionRow, EducationRow, NameTokenRow, SkillRow
from storage.profile_json import profile_to_document
from storage.records import Location, Profile
from storage.search.folding import fold, tokens
from storage.search.index import column_words
from storage.search.name_words import name_words
from storage.search.skills import skill_key

Row = dict[str, Any]


def folded_text(text: str | None) -> str:
    """The tokens of a text, folded, one space between; empty when nothing is stated."""
    return " ".join(tokens(text or ""))


def name_order(profile: Profile) -> str:
    """What results of one strength are ordered by: the folded name."""
    return fold(profile.name)


def profile_columns(profile: Profile) -> Row:
    """The columns of ``ProfileRow`` that follow from the profile itself."""
    location = profile.location or Location(text="")
    return {
        "name": profile.name,
        "name_key": name_key(profile.name),
        "name_order": name_order(profile),
        "title_text": column_words(profile.title),
        "company_text": column_words(profile.company),
        "city_text": folded_text(location.city),
        "country_text": folded_text(location.country),
        "stated_country_text": folded_text(location.stated_country),
        "login_text": (profile.likely_login or "").casefold(),
        "years_coding": profile.years_coding,
        "years_employed": profile.years_employed,
        "newest_fact": profile.newest_fact,
        "document": profile_to_document(profile),
    }


def replace_children(connection: Connection, profile_id: str, profile: Profile) -> None:
    """Write the rows of names, skills, contributions and education, instead of any before."""
    for table, rows in children_of(profile):
        connection.execute(delete(table).where(col(table.profile_id) == profile_id))
        if rows:
            connection.execute(
                insert(table),
                [
                    {"profile_id": profile_id, "position": position, **row}
                    for position, row in enumerate(rows)
                ],
            )


Child = type[NameTokenRow | SkillRow | ContributionRow | EducationRow]


def children_of(profile: Profile) -> list[tuple[Child, list[Row]]]:
    """The rows of names, skills, contributions and education, in the order of ``position``."""
    names = [{"token": word, "kind": kind} for kind, word in name_words(profile)]
    return [
        (NameTokenRow, names),
        (
            SkillRow,
            [
                {"name": skill.name, "key": skill_key(skill.name), "score": skill.score}
                for skill in profile.skills
            ],
        ),
        (
            ContributionRow,
            [
                {
                    "repository": each.repository,
                    "repository_key": each.repository.casefold(),
                    "name_key": each.repository.casefold().rsplit("/", 1)[-1],
                    "role_text": column_words(each.role),
                    "from_month": each.from_month,
                    "to_month": each.to_month,
                }
                for each in profile.contributions
            ],
        ),
        (EducationRow, [{"school_text": column_words(each.school)} for each in profile.education]),
    ]
