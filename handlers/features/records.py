"""Whom a command about a record means, people who are hidden from searches among them.

For admins: everybody else is told of a hidden person what they are told of nobody.
"""

from handlers.features.question import LONGEST_NAME, SEVERAL, Question, one_person
from storage.records import Candidate
from storage.store import Store

HIDDEN = (
    "This record is not shown at the moment. If you need to know more, ask an admin of the bot."
)
"""What a button of a hidden person answers; it names nobody."""


def records(store: Store, who: str, *, hidden: bool) -> list[Candidate]:
    """The people whom an id, a name or a login means; those hidden only when asked for."""
    person, others = one_person(store, who)
    found = [person] if person is not None else others
    if not hidden:
        return found
    by_id = store.candidate(who.strip())
    if by_id is not None:
        return [by_id]
    known = {each.id for each in found}
    return [*found, *(each for each in store.hidden_called(who) if each.id not in known)]


def taken_for(store: Store, who: str) -> str | None:
    """How a mistyped name was read; None where it was not mistyped."""
    if store.candidate(who.strip()) is not None:
        return None
    return store.named(who).taken_for if who.strip() else None


def names_a_record(question: Question, rest: str) -> bool:
    """The rest is an id, a name or a login of somebody who is stored."""
    if not rest or '"' in rest or len(rest) > LONGEST_NAME:
        return False
    return bool(records(question.store, rest, hidden=question.asker.admin))


def begins_with_a_record(question: Question, rest: str) -> bool:
    """Some words at the beginning of the rest mean somebody who is stored."""
    return bool(named_first(question, rest)[0])


def named_first(question: Question, rest: str) -> tuple[list[Candidate], str]:
    """Whom the first words mean, as many words as may, and what stands after them."""
    words = rest.split()
    for count in range(min(len(words), SEVERAL), 0, -1):
        first = " ".join(words[:count])
        if names_a_record(question, first):
            found = records(question.store, first, hidden=question.asker.admin)
            return found, " ".join(words[count:]).strip(" :,–-")
    return [], rest
