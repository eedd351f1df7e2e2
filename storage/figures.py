"""Figures about all that is stored, for whoever watches the bot: numbers, and nobody's name."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func
from sqlmodel import col, select

from storage.models import DigestRunRow, ProfileRow, SourceRow
from storage.records import RunState
from storage.room import Room
from storage.uses import visible


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    people: int
    """Who may be shown."""
    stored: int
    """Everybody, the hidden ones too."""
    sources: int
    digest_runs: Mapping[str, int]
    """By state."""
    oldest_due: datetime | None
    """Since when the oldest run waits to be sent; None when none does."""


class Measured(Room):
    """Counting what is stored."""

    def figures(self, *, now: datetime) -> Figures:
        """All of it, as of one moment."""
        ours = DigestRunRow.workspace == self.workspace
        with self.database.read() as session:
            states = dict(
                session.exec(
                    select(DigestRunRow.state, func.count())
                    .where(ours)
                    .group_by(col(DigestRunRow.state))
                ).all()
            )
            return Figures(
                people=session.exec(select(func.count()).where(visible(self.workspace))).one(),
                stored=session.exec(
                    select(func.count()).where(ProfileRow.workspace == self.workspace)
                ).one(),
                sources=session.exec(
                    select(func.count()).where(SourceRow.workspace == self.workspace)
                ).one(),
                digest_runs={state.value: states.get(state.value, 0) for state in RunState},
                oldest_due=session.exec(
                    select(func.min(col(DigestRunRow.due_at))).where(
                        ours,
                        col(DigestRunRow.state).in_((RunState.READY, RunState.CLAIMED)),
                        col(DigestRunRow.due_at) <= now,
                    )
                ).one(),
            )
