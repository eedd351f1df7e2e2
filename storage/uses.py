"""What may be done with a person, by their standings.

======================  ======  ======  =====  ======  =======
standing                search  digest  share  export  contact
======================  ======  ======  =====  ======  =======
none                    yes     yes     yes    yes     yes
do not contact          marked  no      no     no      no
restricted (Art. 18)    no      no      no     no      no
objected (Art. 21)      no      no      no     no      no
expired (retention)     no      no      no     no      no
======================  ======  ======  =====  ======  =======

Several may hold for one person; a use is allowed when all of them allow it.
Where a search must not show somebody, nothing shows them but the record that an
admin asks for by id.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from sqlalchemy import ColumnElement, and_
from sqlalchemy.orm import aliased
from sqlmodel import col, select

from storage.models import ProfileRow, StandingRow
from storage.records import Candidate, Standing, StandingKind, Use

_ALL: Final = frozenset(Use)
FORBIDS: Final[Mapping[StandingKind, frozenset[Use]]] = {
    StandingKind.DO_NOT_CONTACT: _ALL - {Use.SEARCH},
    StandingKind.RESTRICTED: _ALL,
    StandingKind.OBJECTED: _ALL,
    StandingKind.EXPIRED: _ALL,
}
"""The table above."""


def allows(standings: Iterable[Standing], use: Use) -> bool:
    """Whether all of a person's standings allow this use."""
    return not any(use in FORBIDS[standing.kind] for standing in standings)


def is_hidden(candidate: Candidate) -> bool:
    """Whether a person must not be shown to anybody but an admin who asks for the record."""
    return not allows(candidate.standings, Use.SEARCH)


def without(use: Use) -> ColumnElement[bool]:
    """The condition on ``profile`` that leaves out those whose standing forbid this use."""
    forbidding = [kind.value for kind, uses in FORBIDS.items() if use in uses]
    them = aliased(ProfileRow)
    return col(ProfileRow.doc).not_in(
        select(them.doc)
        .join(StandingRow, col(StandingRow.profile_id) == col(them.id))
        .where(col(StandingRow.kind).in_(forbidding))
    )


def visible(workspace: str) -> ColumnElement[bool]:
    """The condition on ``profile`` for who is of this workspace and may be shown in searches."""
    return and_(col(ProfileRow.workspace) == workspace, without(Use.SEARCH))
