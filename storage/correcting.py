"""Corrections: what a person ruled or typed outranks every document, and survives re-reading.

A correction is a row of its own, so it is combined anew with whatever documents say later
(``storage.combining``). An empty value says that the fact is not to be stated. A value that
the documents say by themselves, without contradiction, needs no correction and takes an
earlier one back.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import delete, insert
from sqlmodel import Session, col

from storage.audit import write_entry
from storage.candidates import actual_id, ids_of, load_candidates
from storage.changes import describe_changes
from storage.combining import combine, told_as
from storage.differing import Difference, disagreeing
from storage.errors import BotError
from storage.models import CorrectionRow
from storage.people import People, remember
from storage.records import Location, Profile
from storage.search.folding import tokens
from storage.spoken import corrections_of, keep_reading, speakers_of

FIELDS: Final[Mapping[str, str]] = {
    "name": "Name",
    "title": "Title",
    "company": "Company",
    "location": "Place",
    "years_coding": "Years of coding",
    "years_employed": "Years employed",
}
"""What can be corrected, and what it is called."""
NUMBERS: Final = frozenset({"years_coding", "years_employed"})
LONGEST: Final = 200
"""Characters of a value."""
MOST_YEARS: Final = 80


class NotACorrection(BotError):
    """A value that cannot be; the sentence says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Correctable:
    """A person's facts as they stand: values as text, and what documents say differently."""

    values: Mapping[str, str]
    corrected: frozenset[str]
    """Fields that a correction says."""
    differences: tuple[Difference, ...]


class Correcting(People):
    """Correcting facts by hand, and ruling between documents."""

    def correctable(self, candidate_id: str) -> Correctable | None:
        """What can be corrected of a person; None when there is nobody of this id."""
        with self.database.read() as session:
            actual = actual_id(session, self.workspace, candidate_id)
            if actual is None:
                return None
            rows = corrections_of(session, actual)
            [candidate] = load_candidates(session, self.workspace, [actual])
            told = told_as(speakers_of(session, actual))
            return Correctable(
                values={field: _text(candidate.profile, field) for field in FIELDS},
                corrected=frozenset(rows),
                differences=tuple(each for each in disagreeing(told) if each.field not in rows),
            )

    def correct(
        self,
        candidate_id: str,
        values: Mapping[str, str],
        *,
        by: str,
        place: str = "",
        now: datetime,
    ) -> tuple[str, ...] | None:
        """Let these be the facts, by field; returns what changed, None when there is nobody.

        Audited. Raises NotACorrection, and then nothing is changed.
        """
        wanted = {field: _checked(field, value) for field, value in values.items()}
        with self.database.write() as session:
            actual = actual_id(session, self.workspace, candidate_id)
            if actual is None:
                return None
            for each in ids_of(session, actual):
                keep_reading(session, actual, each)
            self._keep_corrections(session, actual, wanted, by, now)
            before, after = self._combine_anew(session, actual, now)
            changes = describe_changes(before, after)
            said = f"corrected by hand: {', '.join(FIELDS[each].lower() for each in wanted)}"
            remember(session, actual, by, None, (said, *changes), now)
            write_entry(
                session.connection(), workspace=self.workspace, entry_id=self.new_id(), who=by,
                action="edit", place=place, candidate_ids=[actual], now=now,
            )  # fmt: skip
            return changes

    def _keep_corrections(
        self, session: Session, profile_id: str, wanted: Mapping[str, str], by: str, now: datetime
    ) -> None:
        """Keep these instead of earlier ones, but for what documents agree on by themselves."""
        connection = session.connection()
        speakers = speakers_of(session, profile_id)
        said, differing = combine(speakers), {each.field for each in disagreeing(told_as(speakers))}
        connection.execute(
            delete(CorrectionRow).where(
                col(CorrectionRow.profile_id).in_(ids_of(session, profile_id)),
                col(CorrectionRow.field).in_(wanted),
            )
        )
        rows = [
            {"profile_id": profile_id, "field": field, "value": value, "at": now, "by": by}
            for field, value in wanted.items()
            if field in differing or value != _text(said, field)
        ]
        if rows:
            connection.execute(insert(CorrectionRow), rows)


def _text(profile: Profile, field: str) -> str:
    """A fact as it is typed; empty when it is not stated."""
    value = getattr(profile, field)
    if isinstance(value, Location):
        return value.text
    return "" if value is None else str(value)


def _checked(field: str, value: str) -> str:
    """The value without blanks around it. Raises NotACorrection."""
    value = " ".join(value.split())
    if field not in FIELDS:
        raise NotACorrection("This fact cannot be corrected by hand.")
    if len(value) > LONGEST:
        raise NotACorrection(f"{FIELDS[field]}: at most {LONGEST} characters.")
    if field == "name" and not tokens(value):
        raise NotACorrection("A person has a name: write it with letters.")
    if field in NUMBERS and value and not (value.isascii() and value.isdigit()):
        raise NotACorrection(f"{FIELDS[field]}: write a whole number, or nothing.")
    if field in NUMBERS and value and int(value) > MOST_YEARS:
        raise NotACorrection(f"{FIELDS[field]}: at most {MOST_YEARS}.")
    return str(int(value)) if field in NUMBERS and value else value
