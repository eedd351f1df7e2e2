"""Whom an export holds: who answers a question and may leave the house, 1,000 people at most."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from bot.answers import Answer, CardAnswer, ChoiceAnswer, ErrorAnswer, ResultsAnswer
from bot.asking import ask
from storage.errors import BotError
from storage.records import Candidate, Use
from storage.store import Store
from storage.uses import allows

_NAMING: Final = (CardAnswer, ChoiceAnswer)
MOST: Final = 1_000
"""People in one export."""


class NobodyToExport(BotError):
    """A question that no export answers; the sentence says why and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Who is exported, and how many are not though the question finds them."""

    people: tuple[Candidate, ...]
    found: int
    """How many the question finds."""
    left_out: int = 0
    """Of those looked at, how many must not be exported."""
    notes: tuple[str, ...] = ()
    """Sentences on how the question was read."""
    named: tuple[str, ...] = ()
    """Ids of those whom the question calls by name."""

    @property
    def cut(self) -> bool:
        """Whether the question finds more people than an export holds."""
        return self.found > MOST

    @property
    def told(self) -> str:
        """What is to be known of it beside the file, in sentences; may be empty."""
        sentences = list(self.notes)
        if self.left_out:
            whose = "record" if self.left_out == 1 else "records"
            sentences.append(f"{self.left_out:,} left out: their {whose} must not be exported.")
        if self.cut:
            sentences.append(
                f"The question finds {self.found:,} people, and an export holds the first "
                f"{MOST:,}: narrow it, and export the parts."
            )
        return " ".join(sentences)


def chosen(store: Store, question: str, *, contacts: bool, now: datetime) -> Chosen:
    """Who answers the question, as ``ask`` reads it, and may be exported.

    Without ``contacts`` e-mail addresses and telephone numbers are left out. Raises
    NobodyToExport when there is nobody, and QueryError for what cannot be read.
    """
    answer = ask(store, question, now=now)
    found, people = _found(store, answer, now)
    if not people:
        raise NobodyToExport(_nobody(answer, question))
    allowed = [each for each in people if allows(each.standings, Use.EXPORT)]
    if not allowed:
        raise NobodyToExport(
            "Nothing was exported: "
            + (
                f"the record of {people[0].profile.name} must not be."
                if len(people) == 1
                else f"the question finds {len(people):,} people, and none of their records must "
                "be."
            )
        )
    return Chosen(
        people=tuple(each if contacts else without_contacts(each) for each in allowed),
        found=found,
        left_out=len(people) - len(allowed),
        notes=_notes(answer, question),
        named=tuple(each.id for each in people) if isinstance(answer, _NAMING) else (),
    )


def finds_somebody(store: Store, question: str, *, now: datetime) -> bool:
    """Whether an export of this question would look at anybody. Raises QueryError."""
    return isinstance(ask(store, question, now=now), (*_NAMING, ResultsAnswer))


def without_contacts(candidate: Candidate) -> Candidate:
    return replace(candidate, profile=replace(candidate.profile, emails=(), phones=()))


def _found(store: Store, answer: Answer, now: datetime) -> tuple[int, list[Candidate]]:
    """How many a question finds, and the first of them."""
    match answer:
        case CardAnswer(hit=hit):
            return 1, [hit.candidate]
        case ChoiceAnswer(hits=hits):
            return len(hits), [hit.candidate for hit in hits]
        case ResultsAnswer(query=query):
            page = store.search(query, limit=MOST, now=now)
            return page.total, [hit.candidate for hit in page.hits]
        case _:
            return 0, []


def _notes(answer: Answer, question: str) -> tuple[str, ...]:
    match answer:
        case CardAnswer(taken_for=str(name)) | ChoiceAnswer(taken_for=str(name)):
            return (f"I took “{question}” for {name}.",)
        case ResultsAnswer(notes=notes):
            return tuple(notes)
        case _:
            return ()


def _nobody(answer: Answer, question: str) -> str:
    if isinstance(answer, ErrorAnswer):
        return answer.text
    return f"“{question}” finds nobody, so nothing was exported. Ask without `export` to see why."
